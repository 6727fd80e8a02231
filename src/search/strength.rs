//! Strength that fits a person: the rules from a rating to a weaker genetic search.
//!
//! A player of limited strength is the search of the preset `strong` with few births: the number of
//! positions for a move a little more than doubles with every level, on every machine. At the
//! lowest levels they are the root moves and the captures after them, so the player sees captures
//! at once and misses quiet moves. The search finds its few best branches with different first
//! moves, and draws one of them: the better, the likelier, by a *temperature* in centipawns, as in
//! a softmax. Branches far behind the best are not drawn, so no queen is given away while the loss
//! is seen.
//!
//! The draw's generator begins with the seed and the position, and the search forgets its
//! experience before: the same seed, position and rating give the same move, if the clock leaves
//! time for its positions.

use std::ops::RangeInclusive;

use chess::ChessMove;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::{Chance, Clock, Limits, Observer, Remark, SearchReport, Searcher, Thought};
use crate::rules::position::Position;

/// The ratings on offer, in Elo of the CCRL Blitz list, as Stockfish's `UCI_Elo` counts since its
/// version 16.
pub const RATINGS: RangeInclusive<i64> = 800..=2800;

/// Ratings and their levels: a line through the measurements of `benches/results/strength.md` from
/// 982 to 2214, one at 2402, and matches of an earlier search above. Those below 982 and above 2650
/// are extrapolated. Between two of them the level is in proportion.
const FIT: [(f64, f64); 5] = [
    (447.5, -0.7),
    (2180.0, 5.6),
    (2400.0, 6.46),
    (2650.0, 8.03),
    (2830.0, 9.4),
];

/// A strength to play with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Within [`RATINGS`]; others are taken for the nearest.
    pub elo: i64,
    /// The seed of the choice among the best branches.
    pub seed: u64,
}

/// The means of a player of some level.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Means {
    /// Positions to visit for a move.
    positions: u64,
    /// The number of best branches to choose from. Each costs positions that the others do not get,
    /// so from some 2,440 Elo on there is one.
    branches: usize,
    /// Centipawns: a branch behind by so much is drawn 1/e times as often.
    temperature: f64,
    /// Centipawns: a branch behind by more is not drawn.
    most_lost: i32,
}

impl Means {
    /// The means of a level: some below 0 for the weakest; from 10 on the best branch found is
    /// always played.
    fn of(level: f64) -> Means {
        let weakness = (1.0 - level / 10.0).max(0.0);
        Means {
            positions: (300.0 * libm::pow(2.15, level)) as u64,
            branches: (12.0 - 1.5 * level).max(1.0) as usize,
            temperature: 120.0 * weakness * weakness,
            most_lost: (300.0 * weakness) as i32,
        }
    }
}

/// Positions to look at every move once, if the player's own, or those asked for, are too few.
const MOST_FOR_ALL_MOVES: u64 = 100_000;

impl Strength {
    fn means(self) -> Means {
        let elo = self.elo.clamp(*RATINGS.start(), *RATINGS.end()) as f64;
        let above = FIT
            .iter()
            .position(|&(rating, _)| rating > elo)
            .unwrap_or(FIT.len() - 1)
            .max(1);
        let [(low, from), (high, to)] = [FIT[above - 1], FIT[above]];
        Means::of(from + (to - from) * (elo - low) / (high - low))
    }

    /// Plays a move of a game, with a searcher of its own, in about the time of a person with this
    /// clock.
    pub fn play(
        self,
        searcher: &mut dyn Searcher,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let means = self.means();
        let most = limits
            .nodes
            .map_or(means.positions, |nodes| nodes.min(means.positions));
        let limits = Limits {
            nodes: Some(most),
            lines: means.branches,
            threads: 1,
            ..limits.clone()
        };
        let mut lines = Lines {
            reported: Vec::new(),
            observer,
        };
        searcher.new_game();
        let mut report = searcher.search(root, &limits, clock, &mut lines);
        if report.depth == 0 {
            // So few positions are not enough for every move and what takes after it.
            let limits = Limits {
                depth: Some(1),
                nodes: Some(MOST_FOR_ALL_MOVES),
                ..limits
            };
            report = searcher.search(root, &limits, clock, &mut lines);
        }
        let Lines { reported, observer } = lines;
        let mut random = self.generator(root);
        let chances = chances(&reported, means);
        let drawn = draw(&chances, &mut random);
        let chosen = reported
            .iter()
            .find(|line| drawn.is_some_and(|mv| line.best_move() == Some(mv)));
        if let Some(chosen) = chosen {
            report.variation.clone_from(&chosen.variation);
            (report.score, report.bound) = (chosen.score, chosen.bound);
        }
        // What follows is no thinking.
        report.time = clock.reported_time();
        let percent = report
            .best_move()
            .map_or(0, |mv| pace(root, mv, &reported, &mut random));
        clock.wait(report.nodes, percent);
        // Nobody is to see the move before it is played.
        if let Some(chosen) = chosen {
            observer.progress(&Thought {
                rank: 1,
                ..chosen.clone()
            });
            if chances.len() > 1 {
                observer.remark(Remark::Draw(chances));
            }
        }
        report
    }

    /// The generator of a seed and position. The move number is part of it, so that a repetition is
    /// no reason to repeat.
    fn generator(self, root: &Position) -> Xoshiro256PlusPlus {
        let number = u64::from(root.fullmove_number()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Xoshiro256PlusPlus::seed_from_u64(root.key() ^ number ^ self.seed.rotate_left(32))
    }
}

/// The candidate lines, of lines with the best first, with their chances by a softmax.
fn chances(lines: &[Thought], means: Means) -> Vec<Chance> {
    let lost = |line: &Thought| lines[0].score.0 - line.score.0;
    let drawn = lines.iter().filter(|line| lost(line) <= means.most_lost);
    let mut chances: Vec<Chance> = drawn
        .filter_map(|line| {
            // From libm, which computes the same on every machine. Where there is one branch the
            // temperature may be 0.
            let weight = libm::exp(-f64::from(lost(line)) / means.temperature.max(1.0));
            Some(Chance {
                mv: line.best_move()?,
                score: line.score,
                chance: weight,
            })
        })
        .collect();
    let sum: f64 = chances.iter().map(|chance| chance.chance).sum();
    chances.iter_mut().for_each(|chance| chance.chance /= sum);
    chances
}

/// One of the moves; none if there is none.
fn draw(chances: &[Chance], random: &mut Xoshiro256PlusPlus) -> Option<ChessMove> {
    let mut left: f64 = random.random_range(0.0..1.0);
    let drawn = chances.iter().find(|chance| {
        left -= chance.chance;
        left < 0.0
    });
    Some(drawn.or(chances.first())?.mv)
}

/// The time to wait with a move, in percent of the time planned for it: as a person does, little
/// for the only legal move or to take back, more if several are as good. Nobody likes to wait
/// long, so it is less than a person's time.
fn pace(root: &Position, mv: ChessMove, lines: &[Thought], random: &mut Xoshiro256PlusPlus) -> u32 {
    const IS_CLOSE: i32 = 30;
    let takes_back = root.last_move().is_some_and(|(before, last)| {
        before.piece_on(last.get_dest()).is_some() && last.get_dest() == mv.get_dest()
    });
    let close = |line: &&Thought| lines[0].score.0 - line.score.0 <= IS_CLOSE;
    let usual = match lines.iter().filter(close).count() {
        _ if root.legal_moves().len() <= 1 => 10,
        _ if takes_back => 30,
        // Of a single line nobody knows how good others are.
        _ if lines.len() <= 1 => 80,
        0 | 1 => 60,
        _ => 100,
    };
    usual * random.random_range(20..=60) / 100
}

/// Keeps the lines told together, and passes on the generations.
struct Lines<'o> {
    /// The best first.
    reported: Vec<Thought>,
    observer: &'o mut dyn Observer,
}

impl Observer for Lines<'_> {
    fn progress(&mut self, thought: &Thought) {
        if thought.rank <= 1 {
            self.reported.clear();
        }
        self.reported.push(thought.clone());
    }

    /// Passes on generations only: memory and threads here are not those of the options.
    fn remark(&mut self, remark: Remark) {
        if matches!(remark, Remark::Generation(_)) {
            self.observer.remark(remark);
        }
    }

    fn follows_generations(&self) -> bool {
        self.observer.follows_generations()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::NetworkEvaluator;
    use crate::search::Score;
    use crate::search::genetic::{Genetic, params::Preset};

    #[test]
    fn whoever_is_rated_higher_sees_more_and_gives_less_away() {
        let ratings = (*RATINGS.start()..=*RATINGS.end()).step_by(100);
        let means: Vec<Means> = ratings
            .map(|elo| Strength { elo, seed: 1 }.means())
            .collect();
        for pair in means.windows(2) {
            assert!(pair[0].positions < pair[1].positions, "{pair:?}");
            assert!(
                pair[0].branches >= pair[1].branches && pair[1].branches >= 1,
                "{pair:?}"
            );
            assert!(pair[0].temperature >= pair[1].temperature, "{pair:?}");
            assert!(pair[0].most_lost >= pair[1].most_lost, "{pair:?}");
        }
        assert!(
            means.iter().all(|means| means.most_lost < 900),
            "a queen is more than anybody loses"
        );
        assert!(FIT.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        let beyond = |elo| Strength { elo, seed: 1 }.means();
        assert_eq!(
            (beyond(0), beyond(9_999)),
            (means[0], means[means.len() - 1])
        );
    }

    fn line((score, mv): (i32, ChessMove)) -> Thought {
        Thought {
            score: Score(score),
            variation: [mv].into_iter().collect(),
            ..Thought::default()
        }
    }

    #[test]
    fn the_better_a_line_the_likelier_it_is_and_what_loses_too_much_is_not_drawn() {
        let moves = Position::default().legal_moves();
        let lines: Vec<Thought> = [50, 20, -60, -900]
            .into_iter()
            .zip(moves)
            .map(line)
            .collect();
        let means = Means {
            positions: 1,
            branches: 4,
            temperature: 40.0,
            most_lost: 300,
        };
        let chances = chances(&lines, means);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut drawn = [0; 4];
        for _ in 0..10_000 {
            let mv = draw(&chances, &mut random);
            drawn[lines
                .iter()
                .position(|line| line.best_move() == mv)
                .expect("one of them")] += 1;
        }
        // exp(-30 / 40) and exp(-110 / 40), over the sum of all three.
        let shares = [0.6505, 0.3073, 0.0416, 0.0];
        for (index, share) in shares.into_iter().enumerate() {
            let said = chances.get(index).map_or(0.0, |chance| chance.chance);
            assert!((said - share).abs() < 0.001, "{chances:?}");
            assert!(
                (f64::from(drawn[index]) / 10_000.0 - share).abs() < 0.02,
                "{drawn:?}"
            );
        }
        assert!(super::chances(&[], means).is_empty() && draw(&[], &mut random).is_none());
    }

    #[test]
    fn to_look_at_every_move_once_takes_no_more_than_is_said() {
        let root =
            Position::from_fen("8/PPPPPPPP/8/2k5/8/5K2/pppppppp/8 w - - 0 1").expect("a position");
        for nodes in [Some(500), None] {
            let mut searcher = Genetic::new(NetworkEvaluator::default(), Preset::Strong.options());
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let player = Strength {
                elo: 1_200,
                seed: 1,
            };
            let report = player.play(&mut searcher, &root, &limits, &Clock::unlimited(), &mut ());
            assert!(
                report.nodes <= MOST_FOR_ALL_MOVES,
                "{nodes:?}: {}",
                report.nodes
            );
            assert!(
                report.best_move().is_some_and(|mv| root.is_legal(mv)),
                "{report:?}"
            );
        }
    }

    /// When a searcher's lines came.
    struct Times(Vec<std::time::Instant>);

    impl Observer for Times {
        fn progress(&mut self, _: &Thought) {
            self.0.push(std::time::Instant::now());
        }
    }

    #[test]
    fn the_drawn_move_is_not_told_before_it_is_played() {
        use crate::search::clock::TimeSource;
        use crate::search::time_control::Budget;
        use std::time::{Duration, Instant};
        let long = Duration::from_secs(2);
        let clock = Clock::start(
            TimeSource::Wall,
            Some(Budget {
                soft: long,
                hard: 2 * long,
            }),
        );
        let mut searcher = Genetic::new(NetworkEvaluator::default(), Preset::Strong.options());
        let mut times = Times(Vec::new());
        let player = Strength {
            elo: 1_000,
            seed: 1,
        };
        let begun = Instant::now();
        player.play(
            &mut searcher,
            &Position::default(),
            &Limits::default(),
            &clock,
            &mut times,
        );
        let complete = begun.elapsed();
        assert!(complete >= long / 4, "it waits: {complete:?}");
        let first = times
            .0
            .first()
            .expect("its line is reported")
            .duration_since(begun);
        assert!(
            first + Duration::from_millis(200) >= complete,
            "reported after {first:?} of {complete:?}"
        );
    }

    #[test]
    fn a_person_takes_time_unless_there_is_one_move() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut takes = |fen: &str| {
            let root = Position::from_fen(fen).expect("a position");
            let mv = root.legal_moves()[0];
            pace(&root, mv, &[line((0, mv))], &mut random)
        };
        assert!(takes("7k/8/8/8/8/8/6R1/K6r w - - 0 1") >= 40);
        assert!(takes("7k/8/8/8/8/8/r7/K6r w - - 0 1") <= 15);
    }
}
