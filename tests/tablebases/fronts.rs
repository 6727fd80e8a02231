//! The option in all three conversations, with the real searches behind them.

use std::sync::Arc;

use kashan::engine::backend;

use crate::common::dialogue::{PATIENCE, Speaker};
use crate::common::rig::{Held, Rig, Terminal, Uci, Xboard};
use crate::common::syzygy::{folder, queen};

fn real<F: Held>() -> Rig<F> {
    Rig::with_searchers(backend::standard(), Arc::default())
}

/// What is said up to the first line that begins so.
fn until<F: Held>(rig: &mut Rig<F>, start: &str) -> Vec<String> {
    let mut heard = Vec::new();
    loop {
        let line = rig.hear(PATIENCE).unwrap_or_else(|| panic!("no {start} after {heard:#?}"));
        let is_last = line.starts_with(start);
        heard.push(line);
        if is_last {
            return heard;
        }
    }
}

/// The number behind a word of a line.
fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split_whitespace().skip_while(|&other| other != word).skip(1);
    words.next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The genetic search sees no mate from here, and yet needs no more moves than the longest win of all.
#[test]
fn uci_plays_by_the_tables_and_counts_them() {
    let folder = folder(&[queen()]);
    let mut rig: Uci = real();
    rig.send("uci");
    let options = until(&mut rig, "uciok");
    assert!(options.iter().any(|line| line == "option name SyzygyPath type string default <empty>"));
    rig.send("setoption name SyzygyPath value /nowhere");
    let refusal = until(&mut rig, "info string").pop().unwrap_or_default();
    assert!(refusal.contains("cannot read the folder of endgame tables /nowhere"), "{refusal}");
    rig.send(&format!("setoption name SyzygyPath value {}", folder.path().display()));
    let found = until(&mut rig, "info string").pop().unwrap_or_default();
    assert_eq!(found, "info string 1 WDL and 1 DTZ tables of up to 3 men");
    let mut position = crate::position("8/8/8/8/4k3/8/1Q6/K7 w - - 0 80");
    let mut moves = 0;
    while position.outcome().is_none() {
        rig.send(&format!("position fen {}", position.to_fen()));
        rig.send("go nodes 500");
        let lines = until(&mut rig, "bestmove");
        let last = &lines[lines.len() - 2];
        assert!(number(last, "tbhits") > 0, "{last}");
        assert!(last.contains(" score mate ") || number(last, "cp") == 20_000, "{last}");
        let best = lines[lines.len() - 1].split_whitespace().nth(1).unwrap_or_default().to_owned();
        position.play(position.parse_move(&best).expect("a move")).expect("legal");
        moves += 1;
        if let Some(&reply) = position.legal_moves().first() {
            position.play(reply).expect("legal");
        }
    }
    assert_eq!(position.outcome().map(|outcome| outcome.result()), Some("1-0"), "{}", position.to_fen());
    assert!(moves <= 10, "{moves} moves");
    // An empty name turns them off again.
    rig.send("setoption name SyzygyPath value <empty>");
    rig.send("position fen 8/8/8/8/4k3/8/1Q6/K7 w - - 0 80");
    rig.send("go nodes 500");
    let lines = until(&mut rig, "bestmove");
    assert_eq!(number(&lines[lines.len() - 2], "tbhits"), 0);
}

#[test]
fn xboard_names_the_format_and_the_folder() {
    let folder = folder(&[queen()]);
    let mut rig: Xboard = real();
    rig.send("xboard");
    rig.send("protover 2");
    let features = until(&mut rig, "feature done=1");
    assert!(features.iter().any(|line| line.contains("egt=\"syzygy\"")), "{features:#?}");
    assert!(features.iter().any(|line| line == "feature option=\"SyzygyPath -path \""), "{features:#?}");
    rig.send("accepted debug");
    rig.send("egtpath nalimov /nowhere");
    rig.send("egtpath syzygy /nowhere");
    // It is no error, which would stop xboard's matches, but a comment.
    let refusal = until(&mut rig, "# cannot").pop().unwrap_or_default();
    assert!(refusal.starts_with("# cannot read the folder of endgame tables /nowhere"), "{refusal}");
    for line in ["new", "force", "post", "setboard 8/8/8/8/4k3/8/1Q6/K7 w - - 0 80"] {
        rig.send(line);
    }
    rig.send(&format!("egtpath syzygy {}", folder.path().display()));
    rig.send("sd 2");
    rig.send("go");
    let lines = until(&mut rig, "move");
    // ply score time nodes seldepth nps tbhits
    let thinking: Vec<&str> = lines[lines.len() - 2].split_whitespace().collect();
    assert_eq!(thinking[1], "20000", "{lines:#?}");
    assert!(thinking[6].parse::<u64>().is_ok_and(|hits| hits > 0), "{lines:#?}");
}

#[test]
fn the_console_has_the_option_too() {
    let folder = folder(&[queen()]);
    let mut rig: Terminal = real();
    rig.lines();
    rig.send(&format!("set SyzygyPath {}", folder.path().display()));
    let lines = rig.lines();
    assert!(
        lines.iter().any(|line| line.contains("It has 1 WDL and 1 DTZ tables of up to 3 men.")),
        "{lines:#?}"
    );
    rig.send("set SyzygyPath /nowhere");
    let lines = rig.lines();
    let refusal = "cannot read the folder of endgame tables /nowhere";
    assert!(lines.iter().any(|line| line.contains(refusal)), "{lines:#?}");
    rig.send("options");
    assert!(rig.lines().iter().any(|line| line.contains("SyzygyPath = ") && line.contains("(a folder)")));
}

/// Of three moves one keeps the draw.
#[test]
fn the_console_shows_as_many_lines_as_moves_keep_the_result() {
    let folder = folder(&[queen()]);
    let mut rig: Terminal = real();
    rig.send(&format!("set SyzygyPath {}", folder.path().display()));
    rig.send("set MultiPV 3");
    rig.send("fen 8/8/8/8/8/8/1kQ5/7K b - - 0 1");
    rig.lines();
    rig.send("analyze");
    let mut heard = Vec::new();
    while !heard.iter().any(|line: &String| line.contains(" kN  Kxc2")) {
        heard.push(rig.hear(PATIENCE).unwrap_or_else(|| panic!("no line of thinking: {heard:#?}")));
    }
}
