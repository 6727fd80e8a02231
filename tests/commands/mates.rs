//! Mates: the set of problems is exact, and nobody announces one that is none.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use chess::{ChessMove, Color};
use kashan::arena::suite::{PositionList, SuitePosition};
use kashan::engine::backend;
use kashan::engine::settings::Settings;
use kashan::rules::position::Position as Root;
use kashan::rules::score::{Bound, Score};
use kashan::search::clock::TimeSource;
use kashan::search::genetic::Remains;
use kashan::search::time_control::Budget;
use kashan::search::{Clock, Limits, Observer, Thought};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::common::SEARCHES;
use crate::common::programs::source;

/// The positions of one of our suites.
pub fn read(name: &str) -> Vec<SuitePosition> {
    let path = PathBuf::from(source(&format!("tests/suites/{name}")));
    let list = PositionList::read(&[path]).expect("it can be read");
    assert!(list.malformed.is_empty(), "{:?}", list.malformed);
    list.positions
}

pub fn board(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .expect("a FEN")
        .into_position(CastlingMode::Standard)
        .expect("a position")
}

fn played(position: &Chess, mv: shakmaty::Move) -> Chess {
    position.clone().play(mv).expect("legal")
}

/// Tries all moves of both sides, until so many positions were looked at. Repetitions and the
/// fifty-move rule are left out: the positions of the set are far from them.
pub struct Solver {
    left: u64,
    /// For each position: a number of moves without a mate, and a number of moves with one.
    known: HashMap<u64, (u32, u32)>,
}

impl Solver {
    pub fn new(positions: u64) -> Solver {
        Solver {
            left: positions,
            known: HashMap::new(),
        }
    }

    /// Returns true if the side to move mates in so many moves; `None` if the proof takes too long.
    pub fn mates(&mut self, position: &Chess, moves: u32) -> Option<bool> {
        if moves == 0 {
            return Some(false);
        }
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let (none, some) = self.known.get(&key).copied().unwrap_or((0, u32::MAX));
        if moves <= none || moves >= some {
            return Some(moves >= some);
        }
        self.left = self.left.checked_sub(1)?;
        let mut next: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|mv| played(position, mv))
            .collect();
        next.sort_by_key(|after| !after.is_check());
        // The last move has to be a check.
        next.retain(|after| moves > 1 || after.is_check());
        let mut mates = false;
        for after in next {
            mates = mates || self.is_mated(&after, moves - 1)?;
        }
        let (none, some) = self.known.entry(key).or_insert((0, u32::MAX));
        if mates {
            *some = moves.min(*some)
        } else {
            *none = moves.max(*none)
        }
        Some(mates)
    }

    /// Returns true if the side to move is mated, or will be within so many moves of the other
    /// side.
    pub fn is_mated(&mut self, position: &Chess, moves: u32) -> Option<bool> {
        let replies = position.legal_moves();
        if replies.is_empty() || moves == 0 {
            return Some(position.is_checkmate());
        }
        for reply in replies {
            if !self.mates(&played(position, reply), moves)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The number of moves to the shortest mate, up to `most`.
    fn shortest(&mut self, position: &Chess, most: u32) -> Option<u32> {
        (1..=most)
            .find(|&moves| self.mates(position, moves) == Some(true))
            .filter(|&moves| {
                // Shorter ones were looked for to the end.
                moves == 1 || self.mates(position, moves - 1) == Some(false)
            })
    }
}

const LONGEST: u32 = 16;
const POSITIONS: u64 = 3_000_000;

#[test]
fn the_set_is_exact() {
    let set = read("mates.epd");
    let places: HashSet<_> = set
        .iter()
        .map(|one| one.fen.rsplitn(3, ' ').last().expect("a FEN"))
        .collect();
    assert_eq!((set.len(), places.len()), (1_000, 1_000), "each once");
    let all = std::env::var_os("MATES_IN_FULL").is_some();
    let mut lengths = [0; LONGEST as usize + 1];
    for entry in &set {
        let moves = entry.operations.mate_in.expect("dm");
        lengths[moves as usize] += 1;
        // The longer ones take a while, all together.
        if all || moves <= 2 || lengths[moves as usize] % 16 == 0 {
            let found = Solver::new(POSITIONS).shortest(&board(&entry.fen), moves);
            assert_eq!(found, Some(moves), "{}", entry.fen);
        }
    }
    assert_eq!(
        lengths,
        [
            0, 149, 179, 181, 186, 138, 69, 29, 31, 14, 5, 7, 1, 3, 5, 2, 1
        ]
    );
}

/// `go mate N` ends when the mate is found, and its last line announces it.
#[test]
fn every_search_finds_mates_that_are_asked_for() {
    use crate::common::dialogue::{Dialect, Speaker as _};
    use crate::common::process::Process;
    let set = read("mates.epd");
    let of_length = |moves| {
        set.iter()
            .filter(move |entry| entry.operations.mate_in == Some(moves))
            .take(3)
    };
    for (options, least) in SEARCHES.iter().zip([12, 9, 5, 12, 6, 12]) {
        let mut engine = Process::start(Dialect::Uci);
        let tell = |(name, value): &(&str, &str)| {
            engine.say(&format!("setoption name {name} value {value}"))
        };
        [("OwnBook", "false")].iter().chain(*options).for_each(tell);
        let mut found = 0;
        for (entry, moves) in
            (1..=4).flat_map(|moves| of_length(moves).map(move |entry| (entry, moves)))
        {
            // A search that is stopped goes on for a moment, and fills its table: begin with an
            // empty one.
            engine.say("ucinewgame");
            engine.say(&format!("position fen {}", entry.fen));
            engine.say(&format!("go mate {moves} nodes 300000"));
            let lines = engine.hears("bestmove *");
            let word = |line: &str, before: &str| {
                line.split_once(before)
                    .and_then(|(_, rest)| rest.split(' ').next())
                    .map(str::to_owned)
            };
            let last = lines.iter().rev().find(|line| line.contains(" score "));
            let mate = last.and_then(|last| word(last, " score mate ")?.parse::<u32>().ok());
            // A longer mate is not the one that was asked for.
            let Some(announced) = mate.filter(|&announced| announced <= moves) else {
                continue;
            };
            assert_eq!(announced, moves, "{options:?} {}: {last:?}", entry.fen);
            let nodes: u32 = last
                .and_then(|last| word(last, " nodes ")?.parse().ok())
                .expect("a number");
            assert!(
                moves > 1 || nodes < 100_000,
                "{options:?} {}: goes on: {last:?}",
                entry.fen
            );
            let best: UciMove = word(&lines[lines.len() - 1], "bestmove ")
                .expect("it")
                .parse()
                .expect("a move");
            let board = board(&entry.fen);
            let after = played(&board, best.to_move(&board).expect("legal"));
            let is_so = Solver::new(200_000).is_mated(&after, moves - 1);
            assert_ne!(is_so, Some(false), "{options:?} {lines:#?}");
            found += 1;
        }
        println!("{options:?}: {found} of 12");
        assert!(found >= least, "{options:?}: {found} of 12");
    }
}

/// The announcements of a search in a position, and their faults.
struct Announced<'a> {
    board: &'a Chess,
    /// Lines, those that could be proven, those that end before their mate, and last words that
    /// were a mate.
    counts: [u32; 4],
    wrong: Vec<String>,
}

impl Observer for Announced<'_> {
    fn progress(&mut self, progress: &Thought) {
        // A lower bound of a mate says that there is this mate, or a shorter one.
        if progress.bound == Bound::Exact
            || progress.bound == Bound::Lower && progress.score > Score::DRAW
        {
            self.hear(progress.score, &progress.variation);
        }
    }
}

impl Announced<'_> {
    fn hear(&mut self, score: Score, variation: &[ChessMove]) {
        let Some(plies) = score.mate_distance() else {
            return;
        };
        self.counts[0] += 1;
        if let Err(fault) = self.check(plies, variation) {
            let line: Vec<String> = variation.iter().map(ChessMove::to_string).collect();
            self.wrong
                .push(format!("{score}: {fault}: {}", line.join(" ")));
        }
    }

    /// The line is legal, ends in the mate and is as long as the score says, or ends before; and
    /// whatever else the other side plays behind its first move, it is mated in time, as far as
    /// that can be tried.
    fn check(&mut self, plies: i32, variation: &[ChessMove]) -> Result<(), &'static str> {
        let mut position = self.board.clone();
        let mut after_first = None;
        for mv in variation {
            let mv: UciMove = mv.to_string().parse().expect("coordinates");
            let mv = mv.to_move(&position).map_err(|_| "not legal")?;
            position = played(&position, mv);
            after_first.get_or_insert_with(|| position.clone());
        }
        if variation.len() < plies.unsigned_abs() as usize && !position.legal_moves().is_empty() {
            self.counts[2] += 1;
        } else if !position.is_checkmate() {
            return Err("no mate at the end of the line");
        } else if variation.len() != plies.unsigned_abs() as usize {
            return Err("the line has another length");
        }
        let (Some(after), moves) = (after_first, plies.unsigned_abs().div_ceil(2)) else {
            return Err("no line");
        };
        let mut solver = Solver::new(20_000);
        let is_so = if plies > 0 {
            solver.is_mated(&after, moves - 1)
        } else {
            solver.mates(&after, moves)
        };
        self.counts[1] += u32::from(is_so.is_some());
        if is_so == Some(false) {
            Err("the mate can be avoided")
        } else {
            Ok(())
        }
    }
}

/// Searches every `step`-th problem with each of the searches: announced lines, those that could be
/// proven, those that end before their mate, problems in which the last word was a mate, and what
/// was wrong.
fn search(step: usize, limits: &Limits, time: Option<Duration>) -> ([u32; 4], Vec<String>) {
    let (mut counts, mut wrong) = ([0; 4], Vec::new());
    let set = read("mates.epd");
    for options in SEARCHES {
        let options = [&[("Hash", "8")][..], options].concat();
        let settings = Settings::with(options.iter().copied()).expect("there are such options");
        let mut searcher = backend::build(&settings);
        for entry in set.iter().step_by(step) {
            searcher.new_game();
            let board = board(&entry.fen);
            let mut heard = Announced {
                board: &board,
                counts: [0; 4],
                wrong: Vec::new(),
            };
            let budget = time.map(|time| Budget {
                soft: time,
                hard: time,
            });
            let clock = Clock::start(TimeSource::Wall, budget);
            let root = Root::from_fen(&entry.fen).expect("a position");
            let report = searcher.search(&root, limits, &clock, &mut heard);
            if report.bound == Bound::Exact {
                heard.hear(report.score, &report.variation);
            }
            if let Some(moves) = report.score.mate_moves().filter(|&moves| moves > 0)
                && moves.unsigned_abs() < entry.operations.mate_in.expect("dm")
            {
                heard
                    .wrong
                    .push(format!("mate in {moves} is shorter than any"));
            }
            heard.counts[3] += u32::from(report.score.mate_moves() > Some(0));
            counts = std::array::from_fn(|index| counts[index] + heard.counts[index]);
            wrong.extend(
                heard
                    .wrong
                    .iter()
                    .map(|wrong| format!("{options:?} {}: {wrong}", entry.fen)),
            );
        }
    }
    (counts, wrong)
}

/// Tried in all searches, with one thread and two, one line and three, few nodes, more of them, and
/// a clock.
#[test]
fn no_announced_mate_is_wrong() {
    // All of it, with more positions, is for those who have the time.
    let all = std::env::var_os("MATES_IN_FULL").is_some();
    let (step, much) = if all { (1, 100_000) } else { (38, 4_000) };
    for (lines, threads, nodes, time) in [
        (1, 1, Some(300), None),
        (1, 1, Some(much), None),
        (3, 1, Some(much), None),
        (1, 2, Some(much), None),
        (
            3,
            2,
            None,
            Some(Duration::from_millis(if all { 100 } else { 20 })),
        ),
    ] {
        let limits = Limits {
            lines,
            threads,
            nodes,
            ..Limits::default()
        };
        let ([announced, proven, incomplete, found], wrong) = search(step, &limits, time);
        println!(
            "{lines} lines, {threads} threads, {nodes:?} nodes, {time:?}: {announced} announced, {proven} proven, \
             {incomplete} incomplete, {found} found, {} wrong",
            wrong.len()
        );
        assert!(
            wrong.is_empty(),
            "{limits:?} {time:?}:\n{}",
            wrong.join("\n")
        );
        assert!(found > 0 && proven > 0, "{found} found, {proven} proven");
        assert!(
            20 * incomplete <= announced,
            "{incomplete} of {announced} lines end before their mate"
        );
    }
}

/// Searches with a mate announced where there is none.
#[derive(Default)]
struct Claims(Vec<String>);

impl Claims {
    fn hear(&mut self, score: Score, bound: Bound) {
        let is_claimed = match bound {
            Bound::Exact => true,
            Bound::Lower => score > Score::DRAW,
            Bound::Upper => score < Score::DRAW,
        };
        if score.is_mate() && is_claimed {
            self.0.push(format!("{bound:?} {score}"));
        }
    }
}

impl Observer for Claims {
    fn progress(&mut self, progress: &Thought) {
        self.hear(progress.score, progress.bound);
    }
}

/// Tried in failed attacks, also for other moves of the root than the one played.
#[test]
fn no_mate_is_announced_or_believed_where_there_is_none() {
    let all = std::env::var_os("MATES_IN_FULL").is_some();
    let (step, nodes) = if all { (1, 100_000) } else { (6, 5_000) };
    let set = read("no-mates.epd");
    assert_eq!(set.len(), 1_000);
    let mut wrong = Vec::new();
    for (options, threads) in SEARCHES
        .into_iter()
        .flat_map(|options| [(options, 1), (options, 2)])
    {
        let options = [&[("Hash", "8")][..], options].concat();
        let mut searcher =
            backend::build(&Settings::with(options.iter().copied()).expect("such options"));
        for entry in set.iter().step_by(step) {
            let root = Root::from_fen(&entry.fen).expect("a position");
            let mut claims = Claims::default();
            searcher.new_game();
            let limits = Limits {
                threads,
                ..Limits::of_nodes(nodes)
            };
            let report = searcher.search(&root, &limits, &Clock::unlimited(), &mut claims);
            claims.hear(report.score, report.bound);
            if let Some(Remains { tree, .. }) = searcher.remains() {
                let is_white = root.side_to_move() == Color::White;
                for child in tree.children(tree.root()) {
                    let value = tree
                        .value(child)
                        .map(|white| if is_white { white } else { -white });
                    if let Some(value) =
                        value.filter(|value| value.is_mate() && *value > Score::DRAW)
                    {
                        claims
                            .0
                            .push(format!("{} is believed to be {value}", tree.gene(child)));
                    }
                }
            }
            let faults = claims
                .0
                .iter()
                .map(|claim| format!("{options:?} {threads} {}: {claim}", entry.fen));
            wrong.extend(faults);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for entry in set.iter().step_by(step) {
        let board = board(&entry.fen);
        let mates = |moves| Solver::new(20_000).mates(&board, moves) == Some(true);
        assert!(!(1..=3).any(mates), "there is a mate: {}", entry.fen);
    }
}
