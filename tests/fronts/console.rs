//! The console, with the fake searcher behind it.

#[cfg(unix)]
use std::io::Write as _;
use std::sync::mpsc::channel;

use crate::common::dialogue::Speaker;
use crate::common::programs::has_all;
use crate::common::rig::terminal;
use kashan::engine::front::{Event, Flow};
use kashan::play::converse;
use kashan::util::system::Signal;

dialogue! { terminal: a_game_in_either_notation_to_the_end "
    searcher plays e5 Ke7
    > e4 < Kashan plays 1... e5;   5  . . . . p . . .
    > e2e5 < not legal
    > Nf9 < neither a move nor a command
    > d1h5 < Kashan plays 2... Ke7
    > Qxe5# < White mates: 1-0
    > e4 < The game is over
    > pgn < [Result \"1-0\"]; 1. e4 e5 2. Qh5 Ke7 3. Qxe5# {White mates} 1-0
    > undo < 3. White>" }

dialogue! { terminal: nonsense_is_answered_with_what_may_have_been_meant "
    > hlep < Did you mean \"help\"?
    > knight takes f3 < not legal here (White is to move). Did you mean Nf3?
    > what is this < help for a list
    > set Populaton 9 < did you mean Population?
    > set Population many < \"many\" is not a whole number
    > set Population=128 < Population is 128.
    > backend fastest < genetic, alphabeta, minimax
    > level tomorrow < Examples:
    > undo < nothing to take back
    > save < Save to which file?
    > save \"no/such place/game.pgn\" < Cannot write no/such place/game.pgn
    > save . < no regular file
    > save no/such/place/game.pgn.gz < compressed
    # An empty line only prompts.
    >
    < 1. White>" }

dialogue! { terminal: sides_can_be_changed_and_moves_taken_back "
    > play black
    # Seen from Black's side.
    < Kashan plays 1.;      h g f e d c b a
    searcher plays Nc3
    > e5 < Kashan plays 2. Nc3
    > undo < 1. Black>
    > c5 < Kashan plays 2.
    > switch < Kashan plays 2...
    > play both; new
    > e4; e5; Nf3 < 2. Black>
    > undo 3 < 1. White>
    > undo 1 < nothing to take back" }

dialogue! { terminal: the_preset_threats_chooses_its_search "
    > set MinMaxPreset threats < MinMaxPreset is threats.
    > backend < The backend is minimax." }

dialogue! { terminal: thinking_can_be_hurried_and_does_not_block "
    searcher waits
    > level 600s; e4
    > Nf3 < Kashan is thinking
    > options < Kashan is thinking
    > now < Kashan plays 1...
    > analyze < Press Enter
    >
    < White>
    > hint < Perhaps; White>" }

dialogue! { terminal: positions_levels_and_lists "
    > fen 4k3/8/8/8/8/8/4P3/4K3 b - - 5 40 < 40. Black>
    > fen < 4k3/8/8/8/8/8/4P3/4K3 b - - 5 40
    > level 40/5 < 40 moves in 5 minutes
    > depth 3 < 3 half-moves
    > moves < 5 legal moves: Kd7 Kd8 Ke7 Kf7 Kf8
    > fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1
    > moves < 1 legal move: Kxb2
    > fen 4k3/8/8/8/8/8/4P3/4K3 b - - 5 40
    > eval < good for White
    > options < engine: Backend; genetic: Levels; \"options GROUP\" shows a group
    > options genetic <   Levels = 2  (1 to 2)
    > options nothing < there are engine, evaluation, genetic
    > set hash < Hash is 64 (1 to 65536*64 by default).
    > set BookFile < BookFile is empty (a file*empty by default).
    > set BookFile= < BookFile is empty.
    > set Hsah < No option is called \"Hsah\" (did you mean Hash?)
    > level 1s < The level is 1 second a move.
    > help <   new ;   undo ;   hint ;   save ;   level ;   backend
    > draw < Kashan plays on.
    > resign < Black resigns: 1-0" }

#[test]
fn programs_are_recognised_and_quit_ends_it() {
    let mut terminal = terminal();
    let flows = ["xboard", "uci", "quit"].map(|word| terminal.send(word));
    assert_eq!(flows, [Flow::Xboard, Flow::Uci, Flow::Quit]);
}

#[test]
fn words_too_many_change_nothing() {
    terminal().holds(
        "> play both; e4; new foo < \"new\" stands alone: \"foo\" is too much.
         > xboard foo < \"xboard\" stands alone
         > fen < rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    );
}

#[test]
fn the_only_move_of_kashan_can_be_taken_back() {
    terminal().holds(
        "> depth 1; play black < Kashan plays 1.
         > resign < Black resigns: 1-0
         > undo < It is Kashan's turn.",
    );
}

#[test]
fn a_search_of_the_position_can_be_looked_at() {
    terminal().holds(
        "> play both; e4
         > explain < Fittest branches; 1...
         > explain tree.html < \"explain\" stands alone
         > fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1; explain < There is nothing to search: White mates",
    );
}

#[test]
fn games_are_saved_behind_games_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there.pgn");
    let mut terminal = terminal();
    terminal.call("path", &path.display().to_string());
    terminal.holds("> play both; e4");
    for (there, why) in [
        (&b"My notes.\n"[..], "is no PGN file"),
        (b"\x1f\x8b\x08\0packed", "it is compressed"),
        (b"[submodule \"x\"]\n\tpath = x\n", "is no PGN file"),
        (b"1. Buy milk\n2. Sell it\n", "is no PGN file"),
        (b"1.5 liters\n", "is no PGN file"),
        (b"{ color: red }\n", "is no PGN file"),
        (b"; settings\n", "is no PGN file"),
        (
            b"[Event \"?\"]\n\n1. d4 {a comment without an end",
            "is not whole: a comment has no end",
        ),
    ] {
        std::fs::write(&path, there).unwrap();
        terminal.holds(&format!("> save $path < {why}"));
        assert_eq!(std::fs::read(&path).unwrap(), there);
    }
    std::fs::write(&path, "My notes.\n").unwrap();
    terminal.holds("> review $path < Cannot write $path: it is there already, and is no PGN file");
    for there in [
        "",
        "[Event \"?\"]\n\n1. d4 *",
        "1. d4 *\n",
        "{Mine} 1.d4!? *\n",
        "{Mine\n}\n1.d4$1 *\n",
        "[event \"x\"]\n\n*\n",
        "e4 e5 *\n",
    ] {
        std::fs::write(&path, there).unwrap();
        terminal.holds("> save $path < The game is in");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains('\x1b'), "no colours: {text}");
        let before = text
            .strip_suffix("\n1. e4 *\n\n")
            .or(text.strip_suffix("\n1. e4 *\n"))
            .expect(&text);
        let (before, _) = before.split_once("[Event \"Casual game\"]").expect(&text);
        assert_eq!(before.trim_end(), there.trim_end());
        assert!(before.is_empty() || before.ends_with("\n\n"), "{text}");
    }
}

/// On Windows nobody else can write a file that is locked.
#[cfg(unix)]
#[test]
fn what_others_add_while_a_game_is_saved_stays() {
    const TIMES: usize = 100;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut terminal = terminal();
    terminal
        .call("path", path.to_str().unwrap())
        .holds("> play both; e4; save $path < The game is in");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = std::fs::File::options().append(true).open(&path).unwrap();
            (0..TIMES).for_each(|_| {
                file.write_all(b"[Event \"Theirs\"]\n\n1. d4 *\n\n")
                    .unwrap()
            });
        });
        for _ in 1..TIMES {
            terminal.holds("> save $path < The game is in");
        }
    });
    let games = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        ["Casual game", "Theirs"].map(|event| games.matches(event).count()),
        [TIMES; 2]
    );
}

#[test]
fn the_engine_can_resign_if_it_may() {
    let mut terminal = terminal();
    terminal
        .holds("searcher scores -3000\n> set Resign 1; set ResignMoves 1; e4 < Black resigns: 1-0");
    terminal.send("new");
    let lines = terminal.hears("*White>*");
    assert!(
        !lines.iter().any(|line| line.contains("resigns")),
        "{lines:?}"
    );
}

dialogue! { terminal: a_game_that_is_over_stays_as_it_ended "
    > play both; fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1; Qg7 < White mates: 1-0
    > draw < The game is over (White mates)
    > resign < The game is over (White mates)
    > pgn < [Result \"1-0\"]; {White mates} 1-0" }

dialogue! { terminal: what_makes_no_sense_does_not_stop_kashan "
    searcher waits
    > level 600s; e4
    > fen <  b KQkq
    > fen nonsense < nonsense
    > play nonsense < play white
    > undo seven < not a number
    > undo 0 < not a number
    > undo 9 < No more than 1 half-move
    > now < Kashan plays 1..." }

#[test]
fn the_shell_gets_a_line_of_its_own() {
    for end in [Event::EndOfInput, Event::Signal(Signal::Terminate)] {
        let mut terminal = terminal();
        terminal.lines();
        let (sender, events) = channel();
        sender.send(end).unwrap();
        assert_eq!(converse(&mut terminal.front, &events), Flow::Quit);
        assert_eq!(terminal.lines(), [""]);
    }
}

dialogue! { terminal: legal_moves_are_listed "
    > moves < 20 legal moves: Na3 Nc3 Nf3 Nh3 a3 a4
    > 5 < neither a move nor a command" }

dialogue! { terminal: pieces_can_be_chosen "
    > pieces unicode <   8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
    > pieces letters <   8  r n b q k b n r
    > pieces of eight < Type \"pieces unicode\" or \"pieces letters\"." }

dialogue! { terminal: a_look_back_names_the_worst_moves_first "
    > review < There is no move yet
    > play both
    > e4; e5; Qh5; Nc6; Bc4; Nf6; Qxf7 < White mates
    > review < Looking back at 7 moves
    < 1) 3... Nf6?? allows mate in 1* it turns an even game into a lost game (#1 instead of
    < White: accuracy *in 4 moves
    < Black: accuracy *in 3 moves 1 blunder
    < The turning point was 3... Nf6.
    > review no/such/place/game.pgn < Cannot write no/such/place/game.pgn
    > review notes.txt < does not end in .pgn
    # Whatever needs the search ends it.
    > review
    > undo < 4. White>" }

#[test]
fn a_look_back_that_is_left_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    let mut terminal = terminal();
    terminal.call("path", path.to_str().expect("a path"));
    terminal.holds(
        "> play both
         > e4; e5; Nf3; Nc6; Bb5; a6; Ba4; Nf6
         > review $path < Looking back at 8 moves
         > undo < 4. Black>
         > review < Looking back at 7 moves
         < Judged by",
    );
    assert!(!path.exists());
}

#[test]
fn a_look_back_can_be_kept_as_pgn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    let mut terminal = terminal();
    terminal.call("path", path.to_str().expect("a path"));
    // Both sides are judged: Kashan's second move, too.
    terminal.holds(
        "searcher plays f6 g5
         > e4 < Kashan plays 1... f6
         > Nc3 < Kashan plays 2... g5
         > a3 < Kashan plays 3...
         > save $path
         > review $path < The game with comments is in $path.",
    );
    let pgn = std::fs::read_to_string(&path).expect("written");
    assert_eq!(
        pgn.matches("[Event ").count(),
        2,
        "what is in the file stays: {pgn}"
    );
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    has_all(
        &pgn,
        &["3. a3 $4 {", "was possible: misses mate in 1", "(3. Qh5#)"],
    );
    assert!(pgn.contains("g5 $4"), "{pgn}");
}
