//! Several lines (`MultiPV`) and several threads, in both protocols and at a terminal.

use std::time::{Duration, Instant};

use crate::common::dialogue::{Dialect, PATIENCE, Speaker};
use crate::common::process::Process;
use crate::common::rig::{Uci, Xboard, terminal, uci, xboard};
use kashan::rules::protocol::uci::{Info, Reply};
use kashan::rules::protocol::xboard::ThinkingLine;

/// The answer to a `go`: all thinking lines before `bestmove`, and the move.
fn answer(speaker: &mut impl Speaker, go: &str) -> (Vec<Info>, String) {
    speaker.say(go);
    let mut lines = speaker.hears("bestmove *");
    let best = lines.pop().unwrap_or_default();
    let info = |line: &String| match line.parse() {
        Ok(Reply::Info(info)) if info.score.is_some() => Some(info),
        _ => None,
    };
    (lines.iter().filter_map(info).collect(), best)
}

#[test]
fn uci_numbers_no_lines_when_one_is_wanted() {
    let mut rig = Uci::real().introduced();
    for (lines, numbered) in [("1", false), ("2", true), ("1", false)] {
        rig.say(&format!("setoption name MultiPV value {lines}"));
        let (infos, _) = answer(&mut rig, "go nodes 2000");
        assert!(
            infos.iter().all(|info| info.line.is_some() == numbered),
            "{lines}: {infos:#?}"
        );
    }
    rig.holds("> setoption name MultiPV value 0 < info string *MultiPV: \"0\"*");
}

/// xboard puts lines of one depth in the order of their scores, and begins anew with each other
/// depth.
#[test]
fn xboard_sees_alternatives_of_one_depth_in_analysis() {
    for backend in ["genetic", "alphabeta"] {
        let mut rig = Xboard::real().introduced();
        rig.call("backend", backend).holds(
            "> option Backend=$backend; option MultiPV=3; new <<
             > force; post; setboard r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
             <<
             > analyze",
        );
        let mut groups: Vec<(u32, Vec<String>)> = Vec::new();
        while groups.iter().filter(|(_, moves)| moves.len() >= 3).count() < 3 {
            assert!(rig.step(PATIENCE), "{groups:?}");
            for line in rig.lines() {
                let line = ThinkingLine::parse(&line).unwrap_or_else(|| panic!("{line}"));
                let first = line
                    .variation
                    .split(' ')
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                match groups.last_mut().filter(|(depth, _)| *depth == line.depth) {
                    Some((_, moves)) if !moves.contains(&first) => moves.push(first),
                    Some(_) => {}
                    None => groups.push((line.depth, vec![first])),
                }
            }
        }
        // Fewer, as a click in xboard's window asks for: the analysis begins again.
        rig.holds("skip *\t*\n> option MultiPV=1 <<");
        rig.lines();
        assert!(
            rig.engine()
                .running()
                .is_some_and(|running| running.alternatives.is_empty())
        );
        rig.holds("> exit <<");
    }
}

dialogue! { xboard: alternatives_are_for_analysis_and_cost_no_strength_in_a_game "
    > option MultiPV=4; post; usermove e2e4 << 3 *; move *
    lines is 1
    > force; analyze < 3 *
    > exit <<
    lines is 4" }

dialogue! { terminal: analysis_at_a_terminal_shows_alternatives_and_a_move_has_one_line "
    > set MultiPV 2
    > analyze
    quiet 50
    > stop
    quiet 50
    lines is 2
    > go < Kashan plays
    lines is 1" }

dialogue! { xboard: cores_are_the_threads_of_the_next_search "
    > accepted debug; cores 2; new <<
    > usermove e2e4 << move *
    threads is 2
    > cores 0 < Error (a search needs one core at least): cores 0
    > cores many < Error (*): cores many
    > usermove d2d4 << move *
    threads is 2
    > cores 10000 << # 256 threads search at most
    > usermove a2a3 << move *
    threads is 256" }

// "Obeying the command should take priority over finishing a ponder search, though."
dialogue! { xboard: cores_do_not_wait_for_pondering "
    skip Hint: *
    searcher waits
    > post; st 1; hard; usermove e2e4 .. move *
    # What is thought shows that the search has begun.
    .. 3 *
    > cores 3 .. 3 *
    > force <<
    threads is 3" }

dialogue! { uci: threads_are_those_of_the_next_search "
    > setoption name Threads value 2; go depth 1 < bestmove *
    threads is 2
    > setoption name Threads value 257 < info string *Threads: \"257\"*
    > setoption name Threads value 1; go depth 1 < bestmove *
    threads is 1" }

#[test]
fn several_threads_stop_when_they_are_told_and_count_together() {
    for (backend, preset) in [
        ("genetic", "paper"),
        ("genetic", "strong"),
        ("alphabeta", "paper"),
    ] {
        let mut rig = Uci::real().introduced();
        rig.call("backend", backend).call("preset", preset);
        rig.holds(
            "> setoption name Preset value $preset
             > setoption name Backend value $backend; setoption name Threads value 3; go infinite
             quiet 300
             > stop < bestmove *
             > go movetime 100 < bestmove *
             # One that ponders gets its clock later.
             > go ponder movetime 100
             quiet 100
             > ponderhit < bestmove *
             search is none",
        );
        let (infos, _) = answer(&mut rig, "go nodes 30000");
        let nodes: Vec<u64> = infos.iter().filter_map(|info| info.nodes).collect();
        // The last line counts what all have done, and each has a third.
        let last = nodes.last().copied().unwrap_or(0);
        assert!(
            (10_001..=30_000).contains(&last),
            "{backend}, {preset}: {nodes:?}"
        );
        // All have the same task, and there are more threads than moves.
        rig.holds("> position fen 8/8/8/8/8/5k2/r7/7K w - - 0 1; go nodes 20000 < bestmove h1g1*");
    }
}

#[test]
fn quitting_ends_all_threads_in_the_middle_of_a_search() {
    for backend in ["genetic", "alphabeta"] {
        Process::start(Dialect::Uci)
            .introduced()
            .call("backend", backend)
            .holds(
                "skip *
             > setoption name Backend value $backend
             > setoption name Preset value paper; setoption name Threads value 4 <<
             > go infinite .. info depth *
             > quit
             ends",
            );
    }
}

#[test]
fn pausing_freezes_all_threads() {
    let mut rig = Xboard::real().introduced();
    rig.holds(
        "> option Backend=alphabeta; cores 3; new <<
         > force; analyze; pause
         quiet 200",
    );
    let nodes = |rig: &Xboard| rig.engine().running().map(|running| running.clock.nodes());
    let before = nodes(&rig);
    rig.holds("quiet 200");
    assert_eq!(nodes(&rig), before);
    rig.holds("> resume; exit <<");
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_that_gives_fewer_threads_plays_with_those() {
    for backend in ["genetic", "alphabeta"] {
        let mut process = Process::start_limited(Dialect::Uci, 1_000_000);
        process.call("backend", backend).holds(
            "> uci .. uciok
             > setoption name OwnBook value false; setoption name Backend value $backend
             > setoption name Threads value 60",
        );
        let answers = ["go nodes 50000"; 2].map(|go| {
            process.say(go);
            process.hears("bestmove *")
        });
        let notices = answers
            .iter()
            .flatten()
            .filter(|line| line.contains("no 60 threads"))
            .count();
        assert_eq!(notices, 1, "{backend}: it is said once");
        process.holds("input ends\nends");
    }
}

/// Helper threads work for the one that answers, also where each gets a thirtieth of a core.
#[test]
fn more_threads_than_cores_cost_neither_depth_nor_the_move() {
    for backend in ["genetic", "alphabeta"] {
        let mut process = Process::start(Dialect::Uci).introduced();
        process.call("backend", backend).holds(
            "> setoption name Backend value $backend
             > setoption name Threads value 64; isready < readyok",
        );
        // A queen can be taken; the first legal move leaves it alone.
        process.say("position fen rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
        let answers = [(); 5].map(|()| {
            let begun = Instant::now();
            let (infos, best) = answer(&mut process, "go movetime 200");
            let took = begun.elapsed();
            assert!(
                best.starts_with("bestmove f3h4"),
                "{backend}: {best}, {infos:#?}"
            );
            (
                infos
                    .iter()
                    .filter_map(|info| info.depth)
                    .max()
                    .unwrap_or(0),
                took,
            )
        });
        println!("{backend}: {answers:?}");
        let mut depths = answers.map(|(depth, _)| depth);
        depths.sort_unstable();
        assert!(depths[0] > 0 && depths[2] >= 5, "{backend}: {answers:?}");
        // Whatever else the machine does, it is on time once.
        let is_on_time = |&(_, took): &(_, Duration)| took < Duration::from_secs(1);
        assert!(answers.iter().any(is_on_time), "{backend}: {answers:?}");
    }
}
