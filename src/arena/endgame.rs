//! Games that the arena ends itself, because endgame tables know how they will end.
//!
//! Only what is certain ends a game, if both sides play as well as the tables:
//!
//! * A win, if the tables of distances say that it comes within what is left of the fifty moves. Without
//!   these tables, it is certain only right after a capture or a pawn's move. It is not certain either while
//!   a position since then has been there twice, for a third time would be a draw.
//! * A draw in any case, and what the fifty-move rule turns into a draw is one.

use shakmaty::Color;

use super::referee::Referee;
use super::{Reason, Verdict};
use crate::tablebase::{AmbiguousWdl, Tablebase};

/// The result of the game, if the tables are certain of it: verdict, reason, and why in words.
pub fn decision(tables: &Tablebase, referee: &Referee) -> Option<(Verdict, Reason, String)> {
    let result = tables.result(referee.position())?;
    let (verdict, detail) = verdict(result, referee.turn(), referee.repeats())?;
    Some((verdict, Reason::TablebaseAdjudication, detail))
}

/// What a result of the tables, from the side of `mover`, means in a game in which a position `repeats`.
fn verdict(result: AmbiguousWdl, mover: Color, repeats: bool) -> Option<(Verdict, String)> {
    let win_of = |winner: Color| {
        (!repeats).then(|| (Verdict::win_of(winner), format!("the endgame tables say that {winner} wins")))
    };
    let saved = |side: Color| {
        let detail = format!("the endgame tables say that the fifty-move rule saves {side}");
        Some((Verdict::Draw, detail))
    };
    match result {
        AmbiguousWdl::Win => win_of(mover),
        AmbiguousWdl::Loss => win_of(!mover),
        AmbiguousWdl::CursedWin => saved(!mover),
        AmbiguousWdl::BlessedLoss => saved(mover),
        AmbiguousWdl::Draw => Some((Verdict::Draw, "the endgame tables say that nobody can win".to_owned())),
        AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_ends_a_game() {
        use AmbiguousWdl::*;
        let ended = |result, repeats| verdict(result, Color::Black, repeats).map(|(verdict, _)| verdict);
        for repeats in [false, true] {
            assert_eq!(ended(Win, repeats), (!repeats).then_some(Verdict::BlackWins));
            assert_eq!(ended(Loss, repeats), (!repeats).then_some(Verdict::WhiteWins));
            for draw in [Draw, CursedWin, BlessedLoss] {
                assert_eq!(ended(draw, repeats), Some(Verdict::Draw));
            }
            for uncertain in [MaybeWin, MaybeLoss] {
                assert_eq!(ended(uncertain, repeats), None);
            }
        }
        let words = |result| verdict(result, Color::Black, false).expect("it is certain").1;
        assert!(words(CursedWin).ends_with("saves white") && words(BlessedLoss).ends_with("saves black"));
        assert!(words(Loss).ends_with("white wins"));
    }
}
