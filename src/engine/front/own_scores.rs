//! The decisions to resign, and to offer or accept a draw: by thresholds that are options.

use chess::Color;

use crate::engine::EngineOptions;
use crate::rules::score::{Bound, Score};

/// The engine's scores of its last moves. They are dropped when the engine changes sides.
#[derive(Debug, Default)]
pub struct OwnScores {
    side: Option<Color>,
    last: Option<Score>,
    /// Own moves in a row with a score at or below the resignation threshold.
    lost: i64,
    /// Own moves in a row with a score within the draw threshold of zero.
    even: i64,
}

impl OwnScores {
    /// Records the score of a search for an own move of `side`, from its point of view. A lower
    /// bound may end a streak of several moves, but adds nothing to a streak. (A search without
    /// time has no score.)
    pub fn record(&mut self, side: Color, score: Score, bound: Bound, options: &EngineOptions) {
        if self.side != Some(side) {
            *self = OwnScores {
                side: Some(side),
                ..OwnScores::default()
            };
        }
        let centipawns = i64::from(score.0);
        let is_least = bound == Bound::Lower;
        let is_lost = centipawns <= -options.resign_threshold;
        let is_no_worse = is_least || centipawns >= -options.draw_threshold;
        let is_even = is_no_worse && centipawns <= options.draw_threshold;
        for (count, holds) in [(&mut self.lost, is_lost), (&mut self.even, is_even)] {
            *count += i64::from(!is_least);
            if !holds {
                *count = 0;
            }
        }
        self.last = (!is_least).then_some(score);
    }

    /// Returns true if `side` is to resign instead of moving.
    pub fn resigns(&self, side: Color, options: &EngineOptions) -> bool {
        self.side == Some(side) && options.resign && self.lost >= options.resign_moves
    }

    /// Returns true if `side` is to offer a draw with its next move.
    pub fn offers_draw(&self, side: Color, options: &EngineOptions) -> bool {
        self.side == Some(side) && options.offer_draw && self.even >= options.draw_moves
    }

    /// Returns true if `side` is to accept the opponent's draw offer. Without a score of its own
    /// `side` plays on.
    pub fn accepts_draw(&self, side: Color, options: &EngineOptions) -> bool {
        let worse = |score: Score| i64::from(score.0) < -options.draw_threshold;
        self.side == Some(side) && (self.last.is_some_and(worse) || self.even >= options.draw_moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Color = Color::White;

    fn recorded(scores: &[i32], options: &EngineOptions) -> OwnScores {
        let mut own = OwnScores::default();
        scores
            .iter()
            .for_each(|&score| own.record(WHITE, Score(score), Bound::Exact, options));
        own
    }

    #[test]
    fn resigns_only_when_allowed_and_only_after_moves_in_a_row() {
        let mut options = EngineOptions {
            resign: true,
            resign_threshold: 500,
            ..EngineOptions::default()
        };
        options.resign_moves = 3;
        assert!(recorded(&[-500, -600, -501], &options).resigns(WHITE, &options));
        assert!(!recorded(&[-500, -499, -700, -700], &options).resigns(WHITE, &options));
        options.resign = false;
        assert!(!recorded(&[-900, -900, -900, -900], &options).resigns(WHITE, &options));
    }

    #[test]
    fn draws_are_taken_when_worse_or_when_even_for_long() {
        let options = EngineOptions {
            offer_draw: true,
            draw_threshold: 10,
            draw_moves: 2,
            ..Default::default()
        };
        let accepts = |scores: &[i32]| recorded(scores, &options).accepts_draw(WHITE, &options);
        assert_eq!([&[-50][..], &[0, 5]].map(accepts), [true; 2]);
        assert_eq!([&[0][..], &[], &[0, 40]].map(accepts), [false; 3]);
        let offers = |scores: [i32; 2]| recorded(&scores, &options).offers_draw(WHITE, &options);
        assert_eq!([[0, 5], [-50, -50]].map(offers), [true, false]);
    }

    #[test]
    fn a_score_that_is_only_at_least_that_ends_no_game() {
        let mut options = EngineOptions {
            offer_draw: true,
            resign: true,
            ..EngineOptions::default()
        };
        options.draw_moves = 2;
        options.resign_moves = 2;
        options.resign_threshold = 500;
        let then_at_least = |scores: &[i32], least: i32| {
            let mut own = recorded(scores, &options);
            own.record(WHITE, Score(least), Bound::Lower, &options);
            own
        };
        for (scores, least) in [(&[-50][..], 500), (&[-50], -50), (&[0, 0], 300), (&[0], 0)] {
            let own = then_at_least(scores, least);
            let says = (
                own.accepts_draw(WHITE, &options),
                own.offers_draw(WHITE, &options),
            );
            assert_eq!(says, (false, false), "{scores:?} {least}");
        }
        assert!(
            then_at_least(&[0, 0], -900).accepts_draw(WHITE, &options),
            "it may well be even"
        );
        assert!(!then_at_least(&[-900], -900).resigns(WHITE, &options));
        let mut own = then_at_least(&[-900], -900);
        own.record(WHITE, Score(-900), Bound::Exact, &options);
        assert!(
            own.resigns(WHITE, &options),
            "nothing has spoken for hope in between"
        );
        let mut own = then_at_least(&[-900], 0);
        own.record(WHITE, Score(-900), Bound::Exact, &options);
        assert!(!own.resigns(WHITE, &options));
    }

    #[test]
    fn what_one_side_thought_says_nothing_about_the_other() {
        let options = EngineOptions::default();
        let mut own = recorded(&[-900], &options);
        assert!(!own.accepts_draw(Color::Black, &options));
        own.record(Color::Black, Score(900), Bound::Exact, &options);
        assert!(!own.accepts_draw(Color::Black, &options) && !own.accepts_draw(WHITE, &options));
    }
}
