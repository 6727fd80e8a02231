//! Playing from a library of actions: Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning
//! approach for playing chess", Computers, Materials & Continua 69(1), 2021.
//!
//! A [`CaseBase`] gives the answers of others to the opponent's last move; all other moves are
//! [`Limits::excluded`] from another search (section 3.4.1), which chooses. `Revise` adds the phase
//! of case-based reasoning missing in the paper: a search of all moves may overrule the library.

use chess::ChessMove;

use super::clock::percent_of;
use super::{Bound, Clock, Limits, Observer, Remark, SearchReport, Searcher, Thought};
use crate::choice;
use crate::options;
use crate::rules::position::{MoveList, Position};

/// Knows the answers to the last move.
pub trait CaseBase: Send {
    /// The cases known for `root`, whose last move is the action.
    fn retrieve(&mut self, root: &Position) -> Advice;

    /// The legal moves that answered the same action anywhere, in similar positions or not.
    fn unfiltered(&mut self, root: &Position) -> MoveList;
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
        /// The answers of all cases of the same action, similar or not; all legal moves if there
        /// are none.
        Action = "action",
        /// Nothing: the first legal move is played, unless `Revise` finds a better one.
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

impl Preset {
    /// The values of the preset. The paper does not give its fixed depth: four half-moves are those
    /// of the paper whose experiments it repeats.
    pub fn options(self) -> ActionOptions {
        match self {
            Preset::Plain => ActionOptions::default(),
            Preset::Paper => ActionOptions {
                depth: 4,
                revise: false,
                ..ActionOptions::default()
            },
        }
    }
}

options! {
    /// Options of the backend that plays from a library.
    pub struct ActionOptions {
        /// Backend action: the depth of its search in half-moves, quiescence not counted, if no
        /// other depth is asked for; 0 for as deep as the clock lets it.
        depth: spin(4, 0, 100) = "ActionDepth",
        /// Backend action: what is searched when no similar case has a legal answer: all moves,
        /// those that answered the same action anywhere, or nothing (the first legal move is
        /// played, unless Revise finds a better one).
        empty_list: combo(EmptyList::All) = "EmptyList",
        /// Backend action: whether all moves are searched as well, and the library's is played only
        /// if no other is better by more than ReviseMargin.
        revise: check(true) = "Revise",
        /// Backend action: centipawns that another move has to be better by to be played in place
        /// of the library's.
        revise_margin: spin(10, 0, 10000) = "ReviseMargin",
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
    fn listed(&mut self, root: &Position, advice: &Advice, allowed: &MoveList) -> Option<MoveList> {
        let mut listed: MoveList = advice
            .reactions
            .iter()
            .map(|reaction| reaction.mv)
            .collect();
        listed.retain(|mv| allowed.contains(mv));
        if listed.is_empty() {
            match self.options.empty_list {
                EmptyList::All => {}
                EmptyList::Action => listed = self.case_base.as_mut()?.unfiltered(root),
                EmptyList::First => listed.extend(allowed.first().copied()),
            }
            listed.retain(|mv| allowed.contains(mv));
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
        let Some(listed) = advice.and_then(|advice| self.listed(root, &advice, &allowed)) else {
            return self.inner.search(root, &limits, clock, observer);
        };
        let mut report = if self.options.revise {
            let margin = self.options.revise_margin as i32;
            let revision = Revision {
                root,
                limits: &limits,
                clock,
                listed: &listed,
                margin,
            };
            let report = revision.search(&mut self.inner, observer);
            // The report counts the nodes of all parts.
            clock.begin_part(100, 0);
            report
        } else {
            self.inner
                .search(root, &limits.only(root, &listed), clock, observer)
        };
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

/// The share of time and nodes for the search of all moves, in percent. The rest is for the
/// library's moves, if none of them is the best.
const FIRST_SHARE: u32 = 90;

/// The library's moves against all moves.
struct Revision<'a> {
    root: &'a Position,
    limits: &'a Limits,
    clock: &'a Clock,
    listed: &'a MoveList,
    /// Centipawns.
    margin: i32,
}

impl Revision<'_> {
    /// Searches all moves. If the best is not the library's, the library's moves are searched as
    /// deep with the remaining time and nodes. The best of them is played unless it is worse by
    /// more than the margin. If they cannot be searched as deep, they do not count.
    fn search(&self, inner: &mut dyn Searcher, observer: &mut dyn Observer) -> SearchReport {
        self.clock.begin_part(FIRST_SHARE, 0);
        let nodes = self
            .limits
            .nodes
            .map(|nodes| percent_of(nodes, FIRST_SHARE).max(1));
        let mut lines: Vec<Thought> = Vec::new();
        let keep = |observer: &mut dyn Observer, line: &Thought| {
            match lines.get_mut(line.rank - 1) {
                Some(kept) => kept.clone_from(line),
                None => lines.push(line.clone()),
            }
            observer.progress(line);
        };
        let mut kept = Through {
            observer: &mut *observer,
            tell: keep,
        };
        let of_all = Limits {
            nodes,
            ..self.limits.clone()
        };
        let first = inner.search(self.root, &of_all, self.clock, &mut kept);
        self.clock.begin_part(100, first.nodes);
        let left = self
            .limits
            .nodes
            .map(|nodes| nodes.saturating_sub(first.nodes));
        let agrees = first
            .best_move()
            .is_some_and(|mv| self.listed.contains(&mv));
        if agrees || left == Some(0) || self.limits.infinite || self.clock.should_stop(0) {
            return first;
        }
        let of_both = |observer: &mut dyn Observer, line: &Thought| {
            // The first search has told more than one line, with ranks.
            if self.limits.lines <= 1 {
                observer.progress(&Thought {
                    nodes: first.nodes + line.nodes,
                    table_hits: first.table_hits + line.table_hits,
                    ..line.clone()
                });
            }
        };
        let mut rest = Through {
            observer: &mut *observer,
            tell: of_both,
        };
        let depth = first.depth.max(1);
        // Also the value of an only move is wanted.
        let limits = Limits {
            depth: Some(depth),
            nodes: left,
            lines: 1,
            infinite: true,
            ..of_all
        };
        let second = inner.search(
            self.root,
            &limits.only(self.root, self.listed),
            self.clock,
            &mut rest,
        );
        let is_known = second.bound != Bound::Upper && first.bound != Bound::Lower;
        let is_good =
            is_known && second.depth >= depth && second.score + self.margin >= first.score;
        let chosen = if is_good { &second } else { &first };
        let played = SearchReport {
            time: self.clock.elapsed(second.nodes),
            nodes: first.nodes + second.nodes,
            table_hits: first.table_hits + second.table_hits,
            ..chosen.clone()
        };
        // The last thinking line is that of the move that is played; behind it come the other
        // lines, if more than one is wanted.
        let others = lines
            .iter()
            .filter(|line| line.variation.first() != played.variation.first());
        let reported = [&played]
            .into_iter()
            .chain(others)
            .take(self.limits.lines.max(1));
        for (rank, line) in (1..).zip(reported) {
            observer.progress(&Thought {
                rank,
                time: played.time,
                nodes: played.nodes,
                table_hits: played.table_hits,
                ..line.clone()
            });
        }
        played
    }
}

/// Hands on a search's messages, its lines to `tell`.
struct Through<'a, F> {
    observer: &'a mut dyn Observer,
    tell: F,
}

impl<F: FnMut(&mut dyn Observer, &Thought)> Observer for Through<'_, F> {
    fn progress(&mut self, thought: &Thought) {
        (self.tell)(self.observer, thought);
    }

    fn remark(&mut self, remark: Remark) {
        self.observer.remark(remark);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::eval::Winglet;
    use crate::search::{
        AlphaBeta, AlphaBetaOptions, Score, clock::TimeSource, time_control::Budget,
    };
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

        fn unfiltered(&mut self, root: &Position) -> MoveList {
            root.parse_move("Kf1").into_iter().collect()
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
        let (mv, report) = plays(
            action(&["Ke2", "Kd2"], &[("Revise", "0")]),
            &Limits::default(),
        );
        assert!(["Ke2", "Kd2"].contains(&mv.as_str()), "{mv}");
        assert_eq!(report.depth, 4, "the option's depth");
        // Excluded by the user, or not legal.
        let excluded = Limits {
            excluded: vec![root().parse_move("Ke2").unwrap()],
            ..Limits::default()
        };
        assert_eq!(
            plays(
                action(&["Ke2", "Kd2", "Nf3"], &[("Revise", "0")]),
                &excluded
            )
            .0,
            "Kd2"
        );
    }

    #[test]
    fn what_is_done_with_an_empty_list_is_an_option() {
        let [all, of_action, first] = ["all", "action", "first"].map(|value| {
            plays(
                action(&["Nf3"], &[("Revise", "0"), ("EmptyList", value)]),
                &Limits::default(),
            )
        });
        assert_eq!(
            [all.0, of_action.0, first.0],
            ["Qxh8+", "Kf1", &root().san(root().legal_moves()[0])]
        );
        assert!(first.1.nodes < 10_000);
    }

    #[test]
    fn a_search_of_all_moves_overrules_the_library_by_a_margin() {
        for (nodes, depth) in [
            (None, None),
            (Some(20_000), None),
            (Some(1), None),
            (Some(u64::MAX), None),
            (None, Some(2)),
        ] {
            let limits = Limits {
                nodes,
                depth,
                ..Limits::default()
            };
            let (bad, report) = plays(action(&["Rxa7"], &[]), &limits);
            let (good, _) = plays(action(&["Qxh8+", "Ke2"], &[]), &limits);
            let is_overruled = bad == "Qxh8+" && report.score > Score(0);
            let is_kept = ["Qxh8+", "Rxa7"].contains(&good.as_str());
            assert!(
                nodes == Some(1) || is_overruled && is_kept,
                "{bad}, {good} with {limits:?}"
            );
        }
        assert_eq!(
            plays(
                action(&["Kd1"], &[("ReviseMargin", "10000")]),
                &Limits::default()
            )
            .0,
            "Kd1"
        );
    }

    #[test]
    fn the_only_answer_is_searched_as_deep_as_others_also_by_the_clock() {
        for (margin, played) in [("10000", "Kd1"), ("10", "Qxh8+")] {
            let wait = Duration::from_secs(600);
            let clock = Clock::start(
                TimeSource::Wall,
                Some(Budget {
                    soft: wait,
                    hard: wait,
                }),
            );
            let mut action = action(&["Kd1"], &[("ReviseMargin", margin)]);
            assert_eq!(
                san(&action.search(&root(), &Limits::default(), &clock, &mut ())),
                played
            );
        }
    }

    #[test]
    fn without_any_time_the_first_answer_is_played() {
        for set in [("Revise", "0"), ("Revise", "1"), ("ActionDepth", "0")] {
            let clock = Clock::unlimited();
            clock.stop();
            let limits = Limits::default();
            let report = action(&["Kd1", "Ke2"], &[set]).search(&root(), &limits, &clock, &mut ());
            assert_eq!(san(&report), "Kd1", "{set:?}");
            assert!(report.nodes < 2_000, "{set:?}");
        }
    }

    #[test]
    fn several_lines_begin_with_the_move_that_is_played() {
        let lines = |margin: &str| -> (String, Vec<(String, Score)>) {
            let mut heard = Heard::default();
            let limits = Limits {
                lines: 4,
                ..Limits::default()
            };
            let mut action = action(&["Ke2", "Kd2"], &[("ReviseMargin", margin)]);
            let report = action.search(&root(), &limits, &Clock::unlimited(), &mut heard);
            (
                san(&report),
                heard
                    .lines
                    .into_values()
                    .map(|(mv, score)| (root().san(mv), score))
                    .collect(),
            )
        };
        // The library's move is played, whatever it costs: the best line of all is the second.
        let (played, reported) = lines("10000");
        assert!(["Ke2", "Kd2"].contains(&played.as_str()));
        assert_eq!(
            (
                reported.len(),
                reported[0].0.as_str(),
                reported[1].0.as_str()
            ),
            (4, played.as_str(), "Qxh8+")
        );
        assert!(
            reported[1..].is_sorted_by(|(_, one), (_, other)| one >= other),
            "{reported:?}"
        );
        assert_eq!(
            reported.iter().filter(|(mv, _)| *mv == played).count(),
            1,
            "{reported:?}"
        );
        // It is overruled.
        let (played, reported) = lines("25");
        assert_eq!(
            (played.as_str(), reported.len(), reported[0].0.as_str()),
            ("Qxh8+", 4, "Qxh8+")
        );
        assert!(
            reported.is_sorted_by(|(_, one), (_, other)| one >= other),
            "{reported:?}"
        );
    }

    #[test]
    fn both_parts_together_keep_the_deadline() {
        // Time goes on with nodes: a node is a microsecond.
        for known in [&["Kd1"] as &[_], &["Qxh8+", "Kd1"]] {
            let budget = Budget {
                soft: Duration::from_millis(20),
                hard: Duration::from_millis(20),
            };
            let clock = Clock::start(
                TimeSource::Nodes {
                    per_second: 1_000_000,
                },
                Some(budget),
            );
            let set = [("ActionDepth", "0"), ("ReviseMargin", "10000")];
            let report = action(known, &set).search(&root(), &Limits::default(), &clock, &mut ());
            assert!(report.nodes <= 20_000 + 512, "{}", report.nodes);
            assert!(clock.elapsed(report.nodes) <= Duration::from_millis(21));
            assert!(
                report.nodes > 10_000 || report.score.is_mate(),
                "{}",
                report.nodes
            );
        }
    }
}
