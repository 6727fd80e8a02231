//! The console at a terminal that has a width: what it is sent, and what Tab completes.

use kashan::play::console::{Look, Pieces, candidates};
use kashan::rules::position::Position;

use crate::common::dialogue::{PATIENCE, Speaker as _};
use crate::common::programs::has_all;
use crate::common::rig::Terminal;

fn types(terminal: &mut Terminal, lines: &str) {
    for line in lines.split("; ") {
        terminal.send(line);
    }
}

/// The rows that a terminal shows of what was sent: behind a return the row is written anew.
fn rows(terminal: &mut Terminal) -> Vec<String> {
    let sent = terminal.lines();
    sent.iter()
        .map(|line| {
            line.rsplit('\r')
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned()
        })
        .collect()
}

fn wide(columns: u16) -> Terminal {
    Terminal::wide(columns, Look::PLAIN)
}

#[test]
fn moves_commands_and_options_are_completed() {
    let position = Position::default();
    for (line, expected) in [
        ("play bo", &["both"][..]),
        ("Nf", &["Nf3"]),
        ("e2", &["e2e3", "e2e4"]),
        ("set backe", &["Backend"]),
        ("set Backend alp", &["alphabeta"]),
        ("set backend=gen", &["genetic"]),
        ("backend min", &["minimax"]),
        ("und", &["undo"]),
        ("undo now ", &[]),
        ("xyz", &[]),
    ] {
        assert_eq!(candidates(&position, line), expected, "{line:?}");
    }
    assert_eq!(candidates(&position, "").len(), 20, "all moves");
}

#[test]
fn thinking_stands_in_one_row_that_no_terminal_wraps() {
    for columns in [50, 80, 140] {
        let mut terminal = wide(columns);
        terminal.fake.wait(true);
        types(&mut terminal, "level 3600s; e4");
        terminal.lines();
        let mut row = String::new();
        while !row.contains(" kN ") {
            assert!(terminal.step(PATIENCE), "no thinking");
            row = rows(&mut terminal).concat();
        }
        assert!(row.chars().count() < usize::from(columns), "{row}");
        types(&mut terminal, "now");
        terminal.finish_thinking();
        let shown = rows(&mut terminal);
        assert!(
            shown[0].starts_with("Kashan plays 1... "),
            "the thinking is gone: {shown:?}"
        );
    }
}

#[test]
fn control_c_makes_kashan_move_and_twice_in_a_row_leaves() {
    let mut terminal = wide(80);
    terminal.fake.wait(true);
    terminal.holds(
        "> level 3600s
         > e4
         interrupt
         < Control-C once more leaves.
         < Kashan plays 1...
         > thinking off
         interrupt
         < Control-C once more leaves.
         interrupt
         flow is Quit",
    );
}

#[test]
fn control_c_ends_the_search_of_an_explanation_and_shows_what_there_is() {
    let mut terminal = wide(80);
    terminal.holds(
        "> set Hash 1
         > explain < A search of 200000 positions:
         interrupt
         < Control-C once more leaves.
         < Fittest branches
         < The tree",
    );
}

#[test]
fn everything_fits_at_every_width() {
    for columns in [30, 50, 80, 140] {
        let mut terminal = wide(columns);
        types(
            &mut terminal,
            "play both; help; moves; options; level 40/5; board; hlep; depth x",
        );
        for row in rows(&mut terminal) {
            assert!(
                row.chars().count() < usize::from(columns),
                "{columns}: {row}"
            );
        }
    }
}

#[test]
fn beside_the_board_stand_clocks_captured_pieces_and_the_last_move() {
    let look = Look {
        colors: false,
        pieces: Pieces::Unicode,
    };
    let mut terminal = Terminal::wide(80, look);
    types(&mut terminal, "play both; level 5+3; e4; d5");
    terminal.lines();
    types(&mut terminal, "exd5");
    let screen = rows(&mut terminal).join("\n");
    has_all(&screen, &["5:0", "  Black", "  White", "2. exd5", "♟ +1"]);
    has_all(&screen, &["5 minutes for the game and 3 seconds a move"]);
    // Without colours the last move is marked by a sign, where it began and where it ended.
    has_all(&screen, &["  5  . . .>♙", "  4  . . . .>."]);
}
