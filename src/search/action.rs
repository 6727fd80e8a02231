//! Playing from a library of actions: Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning
//! approach for playing chess", Computers, Materials & Continua 69(1), 2021.
//!
//! A [`CaseBase`] gives the answers of others to the opponent's last move; all other moves are
//! [`Limits::excluded`] from another search (section 3.4.1), which chooses.

use chess::ChessMove;

use super::{Clock, Limits, Observer, Remark, SearchReport, Searcher};
use crate::choice;
use crate::options;
use crate::rules::position::{MoveList, Position};

/// Knows the answers to the last move.
pub trait CaseBase: Send {
    /// The cases known for `root`, whose last move is the action.
    fn retrieve(&mut self, root: &Position) -> Advice;
}

/// The answer of a [`CaseBase`] for a position.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// The action in words, `hxg6`; `None` if no move led to the position, so no case applies.
    pub action: Option<String>,
    /// The number of cases that answer the same action, anywhere.
    pub known: usize,
    /// The number of cases that are similar enough and answer with a legal move.
    pub similar: usize,
    /// The reactions of the similar cases, the most frequent first. All are legal.
    pub reactions: Vec<Reaction>,
}

/// A known answer to the action.
#[derive(Clone, Debug)]
pub struct Reaction {
    pub mv: ChessMove,
    /// The number of similar cases.
    pub cases: usize,
    /// The similarity of the most similar case, in percent.
    pub similarity: u32,
    /// The game of the case, in words after "as": "Adams did against Pasman in 1984".
    pub game: String,
}

impl Advice {
    /// Returns the cases with this move.
    pub fn of(&self, mv: ChessMove) -> Option<&Reaction> {
        self.reactions.iter().find(|reaction| reaction.mv == mv)
    }
}

choice! {
    /// The moves searched when no similar case has a legal answer. The paper leaves this open.
    EmptyList {
        /// Every legal move.
        All = "all",
        /// Nothing: the first legal move is played.
        First = "first",
    }
}

choice! {
    /// A set of values for all options of the backend `action`.
    Preset {
        /// Their defaults.
        Plain = "plain",
        /// The player of Hesham, Abu-Elnasr & Elmougy 2021, together with the evaluation `power`
        /// and the library's filters and own cases.
        Paper = "paper",
    }
}

options! {
    /// Options of the backend that plays from a library.
    pub struct ActionOptions {
        /// Backend action: the depth of its search in half-moves, quiescence not counted, if no
        /// other depth is asked for; 0 for as deep as the clock lets it. The paper does not give
        /// its fixed depth: four half-moves are those of the paper whose experiments it repeats.
        depth: spin(4, 0, 100) = "ActionDepth",
        /// Backend action: what is searched when no similar case has a legal answer: all moves, or
        /// nothing (the first legal move is played).
        empty_list: combo(EmptyList::All) = "EmptyList",
    }
}

/// A search of the moves in a library. See the [module](self).
pub struct Action<S> {
    inner: S,
    case_base: Option<Box<dyn CaseBase>>,
    options: ActionOptions,
}

impl<S: Searcher> Action<S> {
    /// A search by `inner`; without cases, of all moves.
    pub fn new(inner: S, case_base: Option<Box<dyn CaseBase>>, options: ActionOptions) -> Self {
        Action {
            inner,
            case_base,
            options,
        }
    }

    /// The allowed moves left by the library; `None` if all are left.
    fn listed(&self, advice: &Advice, allowed: &MoveList) -> Option<MoveList> {
        let mut listed: MoveList = advice
            .reactions
            .iter()
            .map(|reaction| reaction.mv)
            .collect();
        listed.retain(|mv| allowed.contains(mv));
        if listed.is_empty() {
            match self.options.empty_list {
                EmptyList::All => {}
                EmptyList::First => listed.extend(allowed.first().copied()),
            }
        }
        (!listed.is_empty() && listed.len() < allowed.len()).then_some(listed)
    }
}

impl<S: Searcher> Searcher for Action<S> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let limits = Limits {
            depth: limits.depth_or(self.options.depth),
            ..limits.clone()
        };
        let advice = self
            .case_base
            .as_mut()
            .map(|case_base| case_base.retrieve(root));
        observer.remark(Remark::Advice(advice.clone().map(Box::new)));
        let allowed = limits.root_moves(root);
        let Some(listed) = advice.and_then(|advice| self.listed(&advice, &allowed)) else {
            return self.inner.search(root, &limits, clock, observer);
        };
        let mut report = self
            .inner
            .search(root, &limits.only(root, &listed), clock, observer);
        if report.depth == 0 {
            // There was no time to search anything: what most others played is better than any
            // move.
            report.variation = listed.first().copied().into_iter().collect();
        }
        report
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.inner.set_memory(megabytes);
    }

    fn prepare(&mut self, threads: usize) -> bool {
        self.inner.prepare(threads)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::eval::Winglet;
    use crate::search::{AlphaBeta, AlphaBetaOptions, Score, Thought};
    use crate::util::options::OptionGroup as _;

    /// Knows these moves, whatever the position.
    struct Fixed(&'static [&'static str]);

    impl CaseBase for Fixed {
        fn retrieve(&mut self, root: &Position) -> Advice {
            let moves = self.0.iter().filter_map(|text| root.parse_move(text).ok());
            let reaction = |mv| Reaction {
                mv,
                cases: 1,
                similarity: 100,
                game: String::new(),
            };
            let reactions: Vec<_> = moves.map(reaction).collect();
            Advice {
                action: Some("e4".to_owned()),
                known: 9,
                similar: reactions.len(),
                reactions,
            }
        }
    }

    /// Takes note of what was told last: of each rank, of the nodes, and of what others answered.
    #[derive(Default)]
    struct Heard {
        lines: BTreeMap<usize, (ChessMove, Score)>,
        nodes: u64,
        is_advised: bool,
    }

    impl Observer for Heard {
        fn progress(&mut self, progress: &Thought) {
            assert!(progress.nodes >= self.nodes, "nodes only grow");
            self.nodes = progress.nodes;
            self.lines
                .insert(progress.rank, (progress.variation[0], progress.score));
        }

        fn remark(&mut self, remark: Remark) {
            self.is_advised |= matches!(remark, Remark::Advice(_));
        }
    }

    /// White can win a rook with Qxh8, and lose one with Rxa7.
    fn root() -> Position {
        Position::from_fen("1k5r/p7/8/8/8/8/8/R3K2Q w - - 0 1").unwrap()
    }

    fn action(known: &'static [&'static str], set: &[(&str, &str)]) -> Action<AlphaBeta<Winglet>> {
        let mut options = ActionOptions::default();
        set.iter()
            .for_each(|(name, value)| options.set(name, value).unwrap());
        let inner = AlphaBeta::with_memory(Winglet::default(), AlphaBetaOptions::default(), 1);
        Action::new(inner, Some(Box::new(Fixed(known))), options)
    }

    fn san(report: &SearchReport) -> String {
        root().san(report.best_move().unwrap())
    }

    fn plays(mut action: Action<AlphaBeta<Winglet>>, limits: &Limits) -> (String, SearchReport) {
        let mut heard = Heard::default();
        let report = action.search(&root(), limits, &Clock::unlimited(), &mut heard);
        let is_told = |reported: &(ChessMove, Score)| Some(reported.0) == report.best_move();
        assert!(
            heard.lines.get(&1).is_none_or(is_told),
            "the last line is that of the move"
        );
        assert!(heard.nodes <= report.nodes && heard.is_advised);
        assert!(limits.nodes.is_none_or(|nodes| report.nodes <= nodes));
        (san(&report), report)
    }

    #[test]
    fn only_what_others_answered_is_played() {
        let (mv, report) = plays(action(&["Ke2", "Kd2"], &[]), &Limits::default());
        assert!(["Ke2", "Kd2"].contains(&mv.as_str()), "{mv}");
        assert_eq!(report.depth, 4, "the option's depth");
        // Excluded by the user, or not legal.
        let excluded = Limits {
            excluded: vec![root().parse_move("Ke2").unwrap()],
            ..Limits::default()
        };
        assert_eq!(
            plays(action(&["Ke2", "Kd2", "Nf3"], &[]), &excluded).0,
            "Kd2"
        );
    }

    #[test]
    fn what_is_done_with_an_empty_list_is_an_option() {
        let [all, first] = ["all", "first"].map(|value| {
            plays(
                action(&["Nf3"], &[("EmptyList", value)]),
                &Limits::default(),
            )
        });
        assert_eq!(
            [all.0, first.0],
            ["Qxh8+", &root().san(root().legal_moves()[0])]
        );
        assert!(first.1.nodes < 10_000);
    }

    #[test]
    fn without_any_time_the_first_answer_is_played() {
        for set in [("ActionDepth", "4"), ("ActionDepth", "0")] {
            let clock = Clock::unlimited();
            clock.stop();
            let limits = Limits::default();
            let report = action(&["Kd1", "Ke2"], &[set]).search(&root(), &limits, &clock, &mut ());
            assert_eq!(san(&report), "Kd1", "{set:?}");
            assert!(report.nodes < 2_000, "{set:?}");
        }
    }
}
