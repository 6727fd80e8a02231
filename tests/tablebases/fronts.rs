//! The option in all three conversations, with the real searches behind them.

use crate::common::dialogue::Speaker;
use crate::common::programs::TestFolder;
use crate::common::rig::{Held, Rig, Terminal, Uci, Xboard};
use crate::{QUEEN, folder};

/// With the real searchers; `$tables` are those of the folder.
fn real<F: Held>(tables: &TestFolder) -> Rig<F> {
    let mut rig = Rig::real();
    rig.call("tables", &tables.path().display().to_string());
    rig
}

/// The number behind a word of a line.
fn number(line: &str, word: &str) -> u64 {
    let mut words = line
        .split_whitespace()
        .skip_while(|&other| other != word)
        .skip(1);
    words
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The genetic search sees no mate from here, and yet needs no more moves than the longest win of
/// all.
#[test]
fn uci_plays_by_the_tables_and_counts_them() {
    let folder = folder(&[QUEEN]);
    let mut rig: Uci = real(&folder);
    rig.holds(
        "> uci
         .. option name SyzygyPath type string default <empty>
         .. uciok
         > setoption name SyzygyPath value /nowhere
         < info string *cannot read the folder of endgame tables /nowhere*
         > setoption name SyzygyPath value $tables
         < info string 1 WDL and 1 DTZ tables of up to 3 pieces",
    );
    let think = |rig: &mut Uci, fen: &str| {
        rig.say(&format!("position fen {fen}"));
        rig.say("go nodes 500");
        let mut lines = rig.hears("bestmove *");
        let best = lines.pop().unwrap_or_default();
        let last = lines.pop().unwrap_or_default();
        (last, best.split(' ').nth(1).unwrap_or_default().to_owned())
    };
    let start = "8/8/8/8/4k3/8/1Q6/K7 w - - 0 80";
    let mut position = crate::position(start);
    let mut moves = 0;
    while position.outcome().is_none() {
        let (last, best) = think(&mut rig, &position.to_fen());
        assert!(number(&last, "tbhits") > 0, "{last}");
        assert!(
            last.contains(" score mate ") || number(&last, "cp") == 20_000,
            "{last}"
        );
        position
            .play(position.parse_move(&best).expect("a move"))
            .expect("legal");
        moves += 1;
        if let Some(&reply) = position.legal_moves().first() {
            position.play(reply).expect("legal");
        }
    }
    assert_eq!(
        position.outcome().map(|outcome| outcome.result()),
        Some("1-0"),
        "{}",
        position.to_fen()
    );
    assert!(moves <= 10, "{moves} moves");
    // An empty name turns them off again.
    rig.holds("> setoption name SyzygyPath value <empty>");
    assert_eq!(number(&think(&mut rig, start).0, "tbhits"), 0);
}

#[test]
fn xboard_names_the_format_and_the_folder() {
    let folder = folder(&[QUEEN]);
    let mut rig: Xboard = real(&folder);
    rig.holds(
        "> xboard; protover 2
         .. feature variants=\"normal\" egt=\"syzygy\"
         .. feature option=\"SyzygyPath -path \"
         .. feature done=1
         # It is no error, which would stop xboard's matches, but a comment.
         > accepted debug; egtpath nalimov /nowhere; egtpath syzygy /nowhere
         .. # cannot read the folder of endgame tables /nowhere*
         > new; force; post; setboard 8/8/8/8/4k3/8/1Q6/K7 w - - 0 80; egtpath syzygy $tables; sd 2; go
         .. * 20000 *
         .. move *",
    );
}

/// There are as many lines as moves that keep the result: of three moves one keeps the draw.
#[test]
fn the_console_has_the_option_too_and_shows_what_the_tables_keep() {
    let folder = folder(&[QUEEN]);
    let mut rig: Terminal = real(&folder);
    rig.holds(
        "> set SyzygyPath $tables
         < It has 1 WDL and 1 DTZ tables of up to 3 pieces.
         > set SyzygyPath /nowhere
         < cannot read the folder of endgame tables /nowhere
         > options engine
         < SyzygyPath = *(a folder)
         > set SyzygyPath $tables; set MultiPV 3; fen 8/8/8/8/8/8/1kQ5/7K b - - 0 1; analyze
         <  kN  Kxc2",
    );
}
