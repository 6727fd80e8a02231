//! What hobby engines get wrong in the xboard protocol: 22 mistakes, each with a test (some with several).

mod common;

use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use common::rig::{PATIENCE, Rig, any, moves};
use kashan::front::Flow;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Black, to move, is mated next to the king; White's queen and king do it on g7.
const MATE_IN_ONE: &str = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";

// 1: pong too early, or none while pondering.

#[test]
fn m01_pong_waits_for_the_move_and_for_the_new_game() {
    let mut rig = Rig::new();
    rig.fake.wait(true);
    rig.send("st 60\ngo\nping 77");
    rig.step(Duration::from_secs(10));
    assert!(!any(&rig.lines(), "pong"), "still thinking");
    rig.send("?");
    let lines = rig.wait_for("pong 77");
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start));
    assert!(at("move ") < at("pong 77") && at("move ").is_some(), "{lines:?}");

    let before = rig.fake.new_games.load(SeqCst);
    rig.send("force\nnew\nmemory 5\nping 78");
    rig.wait_for("pong 78");
    assert_eq!(
        rig.fake.new_games.load(SeqCst),
        before + 1,
        "the tables were cleared first"
    );
    assert_eq!(rig.fake.megabytes.load(SeqCst), 5);
}

#[test]
fn m01_pong_comes_at_once_while_pondering_and_pondering_goes_on() {
    let mut rig = Rig::new();
    rig.send("hard\nusermove e2e4");
    rig.wait_for("Hint:");
    rig.fake.wait(true);
    rig.sync();
    rig.sync();
    assert!(
        rig.front.engine().running().is_some(),
        "the ponder search goes on"
    );
}

// 2: stale moves.

#[test]
fn m02_no_move_comes_after_force_result_new_or_quit() {
    for ending in [
        "force",
        "result 1-0 {resigns}",
        "new",
        "result *\nforce\nnew",
        "edit\n.",
        "setboard 8/8/8/4k3/8/8/8/4K2R w K - 0 1",
    ] {
        let mut rig = Rig::new();
        rig.fake.wait(true);
        rig.send("st 60\nusermove e2e4");
        let lines = rig.ask(ending);
        assert_eq!(moves(&lines), [""; 0], "after {ending}");
        assert!(rig.front.engine().running().is_none());
    }
    let mut rig = Rig::new();
    rig.fake.wait(true);
    rig.send("st 60\nusermove e2e4");
    assert_eq!(rig.send("quit"), Flow::Quit);
    assert_eq!(moves(&rig.lines()), [""; 0]);
}

#[test]
fn m02_a_move_that_was_found_before_force_was_read_is_not_sent_after_it() {
    let mut rig = Rig::new();
    // The search is over at once, but its result waits in the queue while the front end changes its mind.
    rig.send("usermove e2e4");
    while rig.fake.searches().is_empty() {
        std::thread::yield_now();
    }
    let lines = rig.ask("force\nnew");
    assert_eq!(moves(&lines), [""; 0]);
    assert_eq!(rig.fen(), START);
}

// 3: what "new" does, and what "level" does not.

#[test]
fn m03_new_resets_what_it_should() {
    let mut rig = Rig::new();
    rig.ask("sd 3\nnps 1000\nlevel 0 1 0\nforce\nusermove e2e4\nnew");
    assert_eq!(rig.fen(), START);
    let lines = rig.ask("st 0.05\nusermove e2e4");
    assert_eq!(
        moves(&lines).len(),
        1,
        "not in force mode, and the engine plays Black"
    );
    assert_eq!(rig.fake.last_search().limits.depth, None, "sd is over");
    assert!(rig.fake.last_search().fen.contains(" b "));
}

#[test]
fn m03_new_stops_pondering_and_does_not_ponder_on_the_first_move() {
    let mut rig = Rig::new();
    rig.fake.wait(false);
    rig.send("hard\nusermove e2e4");
    rig.wait_for("Hint:");
    rig.ask("new");
    assert!(rig.front.engine().running().is_none());
}

#[test]
fn m03_level_leaves_sd_alone() {
    let mut rig = Rig::new();
    rig.ask("sd 4\nlevel 0 5 1\ngo");
    assert_eq!(rig.fake.last_search().limits.depth, Some(4));
}

// 4: go, playother, white, black.

#[test]
fn m04_go_plays_the_colour_on_move() {
    let mut rig = Rig::new();
    let lines = rig.ask("force\nusermove e2e4\ngo");
    assert_eq!(moves(&lines).len(), 1);
    assert!(rig.fen().contains(" w "));
    assert_eq!(
        moves(&rig.ask("usermove d2d4")).len(),
        1,
        "and goes on playing it"
    );
}

#[test]
fn m04_playother_waits_for_a_move_and_ponders() {
    let mut rig = Rig::new();
    rig.send("hard\nforce\nplayother");
    let lines = rig.wait_for("Hint:");
    assert_eq!(moves(&lines), [""; 0]);
    let lines = rig.ask("easy\nusermove e2e4");
    assert_eq!(moves(&lines).len(), 1);
}

#[test]
fn m04_white_means_that_the_engine_plays_black() {
    let mut rig = Rig::new();
    assert_eq!(moves(&rig.ask("force\nwhite")), [""; 0]);
    assert_eq!(moves(&rig.ask("usermove e2e4")).len(), 1);
    // The idiom for "play the colour on move, which is Black" keeps the game's history.
    let mut rig = Rig::new();
    rig.ask("force\nusermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\nusermove e2e4");
    let lines = rig.ask("white\ntime 1000\notim 2000\nblack\ngo");
    assert_eq!(moves(&lines).len(), 1);
    assert_eq!(rig.front.engine().game.moves().len(), 6);
}

#[test]
fn m04_black_alone_gives_the_move_away() {
    let mut rig = Rig::new();
    rig.ask("force\nblack");
    assert_eq!(
        moves(&rig.ask("usermove e7e5")).len(),
        1,
        "Black is on move, the engine plays White"
    );
    let lines = rig.ask("force\nsetboard 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\nblack");
    assert!(
        any(&lines, "Error (command not legal now)"),
        "White would be in check: {lines:?}"
    );
}

// 5 and 6: clocks.

/// How long the engine thinks on its own first move after `lines`. Nodes are the time, so that it is exact on every machine.
fn thinks(lines: &str) -> f64 {
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask(&format!("nps 1000000\n{lines}"));
    rig.fake.last_search().thought.as_secs_f64()
}

#[test]
fn m05_times_are_centiseconds_and_the_clock_stays_with_the_colour() {
    let plenty = thinks("level 0 60 0\ntime 100\notim 100000\ngo");
    assert!(plenty <= 0.6, "one second on the clock, not a hundred: {plenty}");
    // The engine played Black with much time; now it takes over White, which has next to nothing.
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask("nps 1000000\nlevel 0 60 0\ntime 6000\notim 30\nusermove e2e4");
    let black = rig.fake.last_search().thought.as_secs_f64();
    assert!((1.0..=36.0).contains(&black), "{black}");
    rig.ask("force\ngo");
    let white = rig.fake.last_search().thought.as_secs_f64();
    assert!(white <= 0.3, "{white}");
    // Said just before "go", they are about the colour that the engine is going to play.
    rig.ask("force\ntime 6000\notim 20\ngo");
    let black = rig.fake.last_search().thought.as_secs_f64();
    assert!((1.0..=36.0).contains(&black), "{black}");
}

#[test]
fn m05_the_engine_keeps_its_own_clock() {
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask("nps 1000000\nlevel 0 0:01 0\ngo");
    for reply in ["e7e5", "d7d5", "c7c5", "b7b5", "a7a5", "h7h5", "g7g5", "f7f5"] {
        rig.ask(&format!("usermove {reply}"));
    }
    let total: f64 = rig
        .fake
        .searches()
        .iter()
        .map(|search| search.thought.as_secs_f64())
        .sum();
    assert!(total <= 1.0, "nobody said time, but the second is gone: {total}");
}

#[test]
fn m05_level_in_the_middle_of_a_game_and_the_second_session() {
    let last_of_session = thinks("level 1 0:02 0\ngo");
    assert!(
        last_of_session > 1.5,
        "the only move of a session may use it all: {last_of_session}"
    );
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask("nps 1000000\nlevel 2 0:02 0\ngo\nusermove e7e5");
    rig.ask("usermove d7d5");
    rig.ask("usermove c7c5");
    let total: f64 = rig
        .fake
        .searches()
        .iter()
        .map(|search| search.thought.as_secs_f64())
        .sum();
    assert!(total > 2.0, "the second session's time was added: {total}");
    assert!(total <= 4.0, "{total}");
    // 20 moves in 22 minutes from here on.
    rig.ask("level 20 22 0\nusermove b7b5");
    assert!(rig.fake.last_search().thought > Duration::from_secs(30));
}

#[test]
fn m06_all_ways_to_write_a_time() {
    assert!(thinks("level 0 0:05 0\ngo") <= 3.0);
    assert!(thinks("level 0 0:05 0\ngo") > 0.05);
    assert!(thinks("level 40 0:30 0\ngo") <= 18.0);
    let with_increment = thinks("level 0 0:00 0.1\ngo");
    assert!(with_increment > 0.0 && with_increment <= 0.1, "{with_increment}");
    assert!(
        thinks("level 40 25+5 0\ngo") > 10.0,
        "25 minutes, the rest is ignored"
    );
    let per_move = thinks("st 0.2\ngo");
    assert!((0.15..=0.2).contains(&per_move), "{per_move}");
}

#[test]
fn m06_st_is_for_each_move() {
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask("nps 1000000\nst 2\ngo");
    for reply in ["e7e5", "d7d5", "c7c5"] {
        rig.ask(&format!("usermove {reply}"));
    }
    // xboard also says what its clocks show.
    rig.ask("time 30000\notim 30000\nusermove b7b5");
    for search in rig.fake.searches() {
        let thought = search.thought.as_secs_f64();
        assert!((1.5..=2.0).contains(&thought), "{thought}");
    }
}

// 7: sd.

#[test]
fn m07_sd_caps_the_depth_and_the_clock_still_counts() {
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask("nps 1000000\nst 0.5\nsd 30\ngo");
    let search = rig.fake.last_search();
    assert_eq!(search.limits.depth, Some(30));
    assert!(search.thought <= Duration::from_millis(500));
    rig.ask("new\nst 0.1\ngo");
    assert_eq!(rig.fake.last_search().limits.depth, None);
}

#[test]
fn m07_st_and_nps_together_limit_the_nodes() {
    let mut rig = Rig::new();
    rig.fake.race();
    rig.ask("st 8\nnps 10000\ngo");
    let nodes = rig.fake.last_search().nodes;
    assert!((70_000..=80_000).contains(&nodes), "{nodes}");
}

// 8: what must not be said.

#[test]
fn m08_silent_until_spoken_to_and_no_loaded_words() {
    let mut rig = Rig::raw();
    assert_eq!(rig.lines(), [""; 0]);
    rig.send("xboard");
    assert_eq!(rig.lines(), [""; 0], "no prompt, no banner");
    let lines = rig.ask("I think I offer a draw\nDraw\nWhite resigns\ncheckmate\ntellics resign");
    for line in &lines {
        assert!(line.starts_with("Error (unknown command): "), "{line}");
        assert!(!(line.contains("offer") && line.contains("draw")), "{line}");
    }
}

// 9: errors for harmless commands.

#[test]
fn m09_harmless_commands_make_no_noise() {
    let mut rig = Rig::new();
    let lines = rig.ask(
        "random\ncomputer\nname Somebody With A Title\nrating 2000 0\nhard\neasy\npost\nnopost\naccepted ping\n\
         rejected setscore\naccepted option\nics -\nics freechess.org\n?\ndraw\n.\nexit\ncores 4\negtpath nalimov C:\\x y\n\
         variant normal\nresume\nresult *\nresult 1/2-1/2 {Draw by repetition}\nxboard",
    );
    assert_eq!(lines, [""; 0]);
}

#[test]
fn m09_unknown_commands_are_named() {
    let mut rig = Rig::new();
    let lines = rig.ask("setscore 10 5\nlift e2\nfoo bar\nvariant atomic");
    assert_eq!(
        lines,
        [
            "Error (unknown command): setscore 10 5",
            "Error (unknown command): lift e2",
            "Error (unknown command): foo bar",
            "Error (variant not supported): variant atomic",
        ]
    );
}

// 10: result claims.

#[test]
fn m10_the_third_occurrence_is_claimed_and_not_the_second() {
    let mut rig = Rig::new();
    rig.ask("force\nusermove g1f3\nusermove g8f6\nusermove f3g1");
    rig.fake.play(&["f6g8"]);
    let lines = rig.ask("go");
    assert_eq!(moves(&lines), ["f6g8"]);
    assert!(
        !any(&lines, "1/2") && !any(&lines, "offer"),
        "twice only: {lines:?}"
    );
    rig.ask("force\nusermove g1f3\nusermove g8f6\nusermove f3g1");
    rig.fake.play(&["f6g8"]);
    let lines = rig.ask("go");
    assert_eq!(
        lines,
        ["offer draw", "move f6g8", "1/2-1/2 {Draw by repetition}"],
        "claimed before the move, and the game is over after it"
    );
}

#[test]
fn m10_a_repetition_completed_by_the_opponent_is_claimed_and_no_move_follows() {
    let mut rig = Rig::new();
    rig.ask("force");
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        rig.ask(&format!("usermove {mv}"));
    }
    rig.ask("playother");
    let lines = rig.ask("usermove f6g8");
    assert_eq!(lines, ["1/2-1/2 {Draw by repetition}"]);
}

#[test]
fn m10_fifty_moves_are_a_hundred_half_moves() {
    let mut rig = Rig::new();
    rig.ask("force\nsetboard 8/8/4k3/8/8/4K3/4R3/8 w - - 98 80");
    rig.fake.play(&["e3d3"]);
    let lines = rig.ask("go");
    assert_eq!(lines, ["move e3d3"], "99 half-moves");
    rig.ask("force\nsetboard 8/8/4k3/8/8/4K3/4R3/8 w - - 99 80");
    rig.fake.play(&["e3d3"]);
    let lines = rig.ask("go");
    assert_eq!(
        lines,
        ["offer draw", "move e3d3", "1/2-1/2 {Draw by fifty move rule}"]
    );
}

#[test]
fn m10_repetition_needs_the_same_rights() {
    let mut rig = Rig::new();
    // The king's first move loses castling: the position after it comes back only twice.
    rig.ask("force\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for mv in ["e1e2", "e8e7", "e2e1", "e7e8", "e1e2", "e8e7", "e2e1"] {
        rig.ask(&format!("usermove {mv}"));
    }
    rig.fake.play(&["e7e8"]);
    assert_eq!(rig.ask("go"), ["move e7e8"]);
}

#[test]
fn m10_two_knights_and_opposite_bishops_are_not_claimed() {
    for (fen, mv, claimed) in [
        ("8/8/4k3/8/8/3NKN2/8/8 w - - 0 1", "e3d2", false),
        ("8/8/3bk3/8/8/4KB2/8/8 w - - 0 1", "e3d2", false),
        ("8/8/4k3/5n2/4N3/4K3/8/8 w - - 0 1", "e3d2", false),
        ("8/8/4k3/8/5r2/4K3/8/8 w - - 0 1", "e3f4", true),
        ("8/8/4k3/8/5p2/4K1B1/8/8 w - - 0 1", "g3f4", true),
    ] {
        let mut rig = Rig::new();
        rig.ask(&format!("force\nsetboard {fen}"));
        rig.fake.play(&[mv]);
        let lines = rig.ask("go");
        assert_eq!(
            any(&lines, "1/2-1/2 {Insufficient material}"),
            claimed,
            "{fen}: {lines:?}"
        );
        assert_eq!(moves(&lines), [mv]);
    }
}

#[test]
fn m10_nothing_is_claimed_while_pondering() {
    let mut rig = Rig::new();
    // The expected reply mates; that position is not on the board.
    rig.ask("force\nsetboard 6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 0 1\nsetboard 7k/8/8/8/8/r7/1r6/7K w - - 0 1");
    rig.fake.play(&["h1g1", "a3a1"]);
    let lines = rig.ask("hard\ngo");
    assert_eq!(moves(&lines), ["h1g1"]);
    assert!(!any(&lines, "0-1") && !any(&lines, "1-0"), "{lines:?}");
}

// 11: illegal move for a legal one.

#[test]
fn m11_every_kind_of_move_is_understood() {
    for (fen, mv) in [
        (
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "d4e3",
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8R"),
    ] {
        let mut rig = Rig::new();
        let lines = rig.ask(&format!("force\nsetboard {fen}\nusermove {mv}"));
        assert_eq!(lines, [""; 0], "{fen} {mv}");
        assert_eq!(rig.front.engine().game.moves().len(), 1);
    }
}

#[test]
fn m11_positions_with_odd_rights_and_en_passant_squares_are_taken() {
    for fen in [
        // No pawn can take, and rights without rooks.
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2",
        "4k3/8/8/8/8/8/P7/4K3 w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        let mut rig = Rig::new();
        assert_eq!(rig.ask(&format!("force\nsetboard {fen}")), [""; 0], "{fen}");
        assert_eq!(moves(&rig.ask("go")).len(), 1);
    }
}

// 12: the end of the game.

#[test]
fn m12_mated_or_stalemated_at_go_the_engine_claims_and_does_not_move() {
    for (fen, claim) in [
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "1-0 {White mates}"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 {Stalemate}"),
    ] {
        let mut rig = Rig::new();
        assert_eq!(rig.ask(&format!("force\nsetboard {fen}\ngo")), [claim]);
    }
}

#[test]
fn m12_no_move_after_the_opponent_mates() {
    let mut rig = Rig::new();
    rig.ask(&format!("force\nsetboard {MATE_IN_ONE}\nplayother"));
    assert_eq!(rig.ask("usermove g6g7"), ["1-0 {White mates}"]);
}

#[test]
fn m12_the_own_mate_is_claimed_after_the_move() {
    let mut rig = Rig::new();
    rig.fake.play(&["g6g7"]);
    assert_eq!(
        rig.ask(&format!("force\nsetboard {MATE_IN_ONE}\nhard\ngo")),
        ["move g6g7", "1-0 {White mates}"]
    );
}

// 13: undo and remove.

#[test]
fn m13_undo_and_remove_restore_everything() {
    let mut rig = Rig::new();
    rig.ask("force\nusermove e2e4\nusermove a7a6\nusermove e4e5\nusermove d7d5");
    let fen = rig.fen();
    assert!(fen.contains(" KQkq d6 "), "{fen}");
    rig.ask("usermove e5d6\nusermove e7d6\nusermove g1f3\nusermove b8c6\nusermove f1e2\nusermove c8d7\nusermove e1g1");
    rig.ask("undo\nremove\nremove\nremove");
    assert_eq!(rig.fen(), fen);
    // Repetitions that were taken back do not count.
    let mut rig = Rig::new();
    rig.ask("force\nusermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\nremove\nusermove f3g1\nusermove f6g8");
    rig.ask("usermove g1f3\nusermove g8f6\nusermove f3g1\nundo\nusermove f3g1");
    rig.fake.play(&["f6g8"]);
    let lines = rig.ask("go");
    assert!(
        any(&lines, "offer draw"),
        "the third time, and not the fourth: {lines:?}"
    );
}

#[test]
fn m13_remove_goes_on_playing_and_needs_two_half_moves() {
    let mut rig = Rig::new();
    rig.ask("usermove e2e4");
    rig.ask("remove");
    assert_eq!(rig.fen(), START);
    assert_eq!(
        moves(&rig.ask("usermove d2d4")).len(),
        1,
        "the engine still plays Black"
    );
    rig.ask("new\ngo");
    let fen = rig.fen();
    let lines = rig.ask("remove");
    assert_eq!(lines, ["Error (command not legal now): remove"]);
    assert_eq!(rig.fen(), fen, "only one half-move was played");
    assert_eq!(rig.ask("new\nundo"), ["Error (command not legal now): undo"]);
}

// 14: edit.

#[test]
fn m14_edit_mode_and_the_trick_for_black() {
    let mut rig = Rig::new();
    let lines = rig.ask("new\nforce\na2a3\nedit\n#\nPa4\nKe1\nRh1\nc\nKe8\nqd8\n.\n");
    assert_eq!(lines, [""; 0]);
    assert_eq!(rig.fen(), "3qk3/8/8/8/P7/8/8/4K2R b K - 0 1");
    // An empty or impossible board is refused, and so is every move until there is a better one.
    let lines = rig.ask("edit\n#\n.\nusermove e2e4\ne2e4\ngo");
    assert_eq!(
        lines,
        [
            "tellusererror Illegal position",
            "Illegal move (illegal position): e2e4",
            "Illegal move (illegal position): e2e4",
        ]
    );
    assert_eq!(moves(&rig.ask("new\nusermove e2e4")).len(), 1);
}

#[test]
fn m14_an_illegal_setboard_is_refused_until_something_better_comes() {
    let mut rig = Rig::new();
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "nonsense",
        "",
        "KKKKKKKK/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        let lines = rig.ask(&format!(
            "force\nsetboard {fen}\nusermove e2e4\nanalyze\nexit\nhint\nundo"
        ));
        assert_eq!(
            &lines[..2],
            [
                "tellusererror Illegal position",
                "Illegal move (illegal position): e2e4"
            ],
            "{fen}"
        );
    }
    assert_eq!(rig.ask(&format!("setboard {START}\nusermove e2e4")), [""; 0]);
}

// 15: thinking output.

#[test]
fn m15_thinking_lines_have_all_numbers_a_tab_and_legal_san() {
    let mut rig = Rig::new();
    rig.fake.play(&["e7e5"]);
    rig.fake.score(-123);
    let lines = rig.ask("post\nusermove e2e4");
    let thinking = &lines[0];
    let (numbers, variation) = thinking.split_once('\t').expect("a tab before the moves");
    let numbers: Vec<i64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), 7, "{thinking}");
    assert_eq!(&numbers[..2], [3, -123], "from the engine's side, which is Black");
    assert_eq!((numbers[3], numbers[4], numbers[6]), (1000, 5, 0));
    assert!(variation.starts_with("e5 "), "{thinking}");
    assert_eq!(lines.last().unwrap(), "move e7e5", "nothing after the move");
    assert!(!any(&rig.ask("nopost\nusermove g1f3"), "3 "));
}

#[test]
fn m15_mates_are_counted_in_moves() {
    let mut rig = Rig::new();
    rig.fake.score(32_000 - 3);
    assert!(any(&rig.ask("post\nusermove e2e4"), "3 100002 "));
    rig.fake.score(-32_000 + 4);
    assert!(any(&rig.ask("usermove d2d4"), "3 -100002 "));
}

// 16: post, hard and easy are no toggles; when to ponder.

#[test]
fn m16_hard_and_easy_are_absolute() {
    let mut rig = Rig::new();
    rig.fake.play(&["e7e5"]);
    let lines = rig.ask("hard\nhard\nusermove e2e4");
    assert!(any(&lines, "Hint: "), "{lines:?}");
    rig.ask("hard\neasy");
    assert!(rig.front.engine().running().is_none());
    let lines = rig.ask("easy\neasy\nusermove d2d4");
    assert!(!any(&lines, "Hint: "));
    let lines = rig.ask("post\npost\nusermove a2a3");
    assert!(any(&lines, "3 "));
    let lines = rig.ask("nopost\nnopost\nusermove h2h3");
    assert!(!any(&lines, "3 "));
}

#[test]
fn m16_no_pondering_in_force_mode() {
    let mut rig = Rig::new();
    rig.ask("hard\nusermove e2e4");
    rig.ask("force");
    rig.ask("hard\nusermove d2d4\nundo");
    assert!(rig.front.engine().running().is_none());
}

#[test]
fn m16_a_ponder_hit_keeps_what_was_found() {
    let mut rig = Rig::new();
    rig.fake.play(&["e7e5"]);
    rig.send("hard\nusermove e2e4");
    let lines = rig.wait_for("Hint: ");
    let expected = lines
        .iter()
        .find_map(|line| line.strip_prefix("Hint: "))
        .unwrap()
        .to_owned();
    let pondered = rig.front.engine().running().expect("it ponders").root.to_fen();
    let lines = rig.ask(&format!("usermove {expected}"));
    assert_eq!(moves(&lines).len(), 1);
    // The ponder search gave the move: the position was not searched again.
    let searched = |rig: &Rig, fen: &str| {
        rig.fake
            .searches()
            .iter()
            .filter(|search| search.fen == fen)
            .count()
    };
    assert_eq!(searched(&rig, &pondered), 1);
    // A miss begins anew.
    let other = rig.front.engine().position().legal_moves()[5].to_string();
    let mut missed = rig.front.engine().position().clone();
    missed.play(missed.parse_move(&other).unwrap()).unwrap();
    assert_eq!(moves(&rig.ask(&format!("usermove {other}"))).len(), 1);
    assert_eq!(searched(&rig, &missed.to_fen()), 1);
}

#[test]
fn m16_pondered_time_is_not_taken_off_the_clock_and_not_lost() {
    let mut rig = Rig::new();
    rig.fake.wait(true);
    rig.fake.play(&["e7e5"]);
    // Nodes are the time, and the fake searcher visits a thousand in a millisecond or more: 20 seconds are 2 million nodes.
    rig.send("nps 100000\nst 20\nhard\nusermove e2e4\n?");
    rig.wait_for("Hint: ");
    let pondered = |rig: &Rig| {
        let running = rig.front.engine().running().expect("it ponders");
        running.clock.nodes()
    };
    let deadline = Instant::now() + 2 * PATIENCE;
    while pondered(&rig) < 2_100_000 {
        assert!(Instant::now() < deadline, "only {} nodes", pondered(&rig));
        std::thread::sleep(Duration::from_millis(10));
    }
    let reply = rig.front.engine().running().expect("it ponders").root.clone();
    let hint = rig
        .front
        .engine()
        .position()
        .legal_moves()
        .into_iter()
        .find(|&mv| {
            let mut after = rig.front.engine().position().clone();
            after.play(mv).is_ok() && after.key() == reply.key()
        })
        .expect("the move that leads to what is pondered on");
    let before = pondered(&rig);
    rig.send(&format!("usermove {hint}"));
    rig.wait_for("move ");
    let after = rig
        .fake
        .searches()
        .into_iter()
        .find(|search| search.fen == reply.to_fen())
        .expect("the ponder search became the search for the move");
    assert!(
        after.nodes < before + 1_500_000,
        "the time for this move was already used, but it took {} more nodes",
        after.nodes - before
    );
}

// 17 is about the process: see tests/xboard_process.rs.

// 18: memory and options at any time.

#[test]
fn m18_memory_and_options_are_honoured_at_any_time() {
    let mut rig = Rig::raw();
    rig.send("xboard\nprotover 2\naccepted option\noption OwnBook=0\noption ResignThreshold=300");
    rig.ask("memory 17\nnew");
    assert_eq!(rig.fake.megabytes.load(SeqCst), 17);
    rig.ask("hard\nusermove e2e4");
    let lines = rig.ask("memory 33\noption Hash=12\noption MoveOverhead=50\ncores 2");
    assert!(!any(&lines, "Error"), "{lines:?}");
    assert_eq!(rig.fake.megabytes.load(SeqCst), 12);
    assert!(rig.front.engine().running().is_some(), "and pondering goes on");
    let options = &rig.front.engine().settings().engine;
    assert_eq!((options.resign_threshold, options.move_overhead), (300, 50));
    rig.ask("easy");
    let lines = rig.ask("option Hash=lots\noption No Such Option=1\noption Backend=random\noption OwnBook=1");
    assert_eq!(
        lines,
        [
            "Error (option Hash: \"lots\" is not a whole number from 1 to 65536): option Hash=lots",
            "Error (no option is called \"No Such Option\"): option No Such Option=1",
            "Error (option Backend: \"random\" is not one of genetic, alphabeta, minimax): option Backend=random",
        ]
    );
}

#[test]
fn m18_another_backend_is_built_for_the_next_search() {
    let mut rig = Rig::new();
    rig.ask("usermove e2e4");
    let built = rig.fake.built.load(SeqCst);
    rig.ask("option Backend=minimax");
    assert_eq!(rig.fake.built.load(SeqCst), built + 1, "before the pong");
    rig.ask("option Backend=alphabeta\noption Evaluation=winglet\nusermove d2d4");
    assert_eq!(rig.fake.built.load(SeqCst), built + 2);
}

// 19: usermove and bare moves.

#[test]
fn m19_moves_with_and_without_usermove() {
    let mut rig = Rig::new();
    assert_eq!(
        rig.ask("force\nusermove e2e4\ne7e5\nNf3\nusermove Nc6\nf1b5"),
        [""; 0]
    );
    assert_eq!(rig.ask("usermove a7a6\nb5c6\nusermove d7c6"), [""; 0]);
    let lines = rig.ask("setboard 8/P6k/8/8/8/8/8/K7 w - - 0 1\nusermove a7a8");
    assert_eq!(lines, ["Illegal move: a7a8"], "a promotion without its piece");
    assert_eq!(rig.ask("a7a8Q"), [""; 0]);
    assert_eq!(
        rig.ask("usermove e2e5\ne2e5\nusermove nonsense\n@@@@"),
        [
            "Illegal move: e2e5",
            "Illegal move: e2e5",
            "Illegal move: nonsense",
            "Illegal move: @@@@"
        ]
    );
}

#[test]
fn m19_a_move_for_the_side_that_the_engine_thinks_for_is_refused() {
    let mut rig = Rig::new();
    rig.fake.wait(true);
    rig.send("st 60\nusermove e2e4\nusermove e7e5");
    assert!(any(&rig.lines(), "Error (command not legal now): usermove e7e5"));
    assert_eq!(moves(&rig.ask("?")).len(), 1);
}

// 20: analysis.

#[test]
fn m20_analysis_follows_the_board_and_never_moves() {
    let mut rig = Rig::new();
    let mut seen = Vec::new();
    rig.send("sd 2\nst 0.01\npost\nanalyze");
    for step in [
        "usermove e2e4",
        "usermove e7e5",
        "undo",
        "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "new",
        "edit\nxa2\n.",
    ] {
        rig.wait_for("3 ");
        rig.ask(step);
        assert!(
            rig.front.engine().running().is_some(),
            "analysis goes on after {step}"
        );
        seen.push(rig.front.engine().running().unwrap().root.to_fen());
    }
    assert_eq!(
        seen,
        [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            START,
            "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
        ]
    );
    rig.wait_for("3 ");
    let lines = rig.ask(".\nhint\nbk");
    assert!(any(&lines, "stat01: "), "{lines:?}");
    assert!(any(&lines, "Hint: "));
    let lines = rig.ask("exit");
    assert_eq!(moves(&lines), [""; 0]);
    assert!(rig.front.engine().running().is_none());
    assert!(
        rig.fake
            .searches()
            .iter()
            .all(|search| search.limits.infinite && search.limits.depth.is_none()),
        "no depth or time limit"
    );
    assert_eq!(rig.ask("usermove b2b4"), [""; 0], "force mode after it");
}

#[test]
fn m20_stat01_has_at_least_five_numbers() {
    let mut rig = Rig::new();
    rig.send("post\nanalyze");
    rig.wait_for("3 ");
    let lines = rig.ask(".");
    let status = lines.iter().find(|line| line.starts_with("stat01: ")).unwrap();
    let words: Vec<&str> = status.split(' ').collect();
    assert!(
        words.len() >= 6 && words[1..6].iter().all(|word| word.parse::<u64>().is_ok()),
        "{status}"
    );
}

// 21: draws.

#[test]
fn m21_draw_offers_are_answered_with_offer_draw_or_not_at_all() {
    let mut rig = Rig::new();
    rig.fake.score(-200);
    rig.ask("usermove e2e4");
    assert_eq!(rig.ask("draw"), ["offer draw"], "worse: accepted");
    rig.fake.score(200);
    rig.ask("usermove d2d4");
    assert_eq!(rig.ask("draw"), [""; 0], "better: silence");
    rig.fake.wait(true);
    rig.fake.score(-200);
    rig.send("st 60\nusermove a2a3\ndraw");
    assert_eq!(
        moves(&rig.lines()),
        [""; 0],
        "an offer is no reason to move at once"
    );
    let lines = rig.ask("?");
    assert_eq!(lines[0], "offer draw");
    assert_eq!(
        moves(&lines).len(),
        1,
        "and the game goes on until the front end says otherwise"
    );
}

#[test]
fn m21_an_offer_before_go_is_considered_with_the_move() {
    let mut rig = Rig::new();
    rig.fake.score(-200);
    let lines = rig.ask("force\nusermove e2e4\ndraw\ngo");
    assert_eq!(lines[0], "offer draw");
    assert_eq!(moves(&lines).len(), 1);
}

#[test]
fn m21_resignation_and_own_offers_only_by_option() {
    let mut rig = Rig::new();
    rig.fake.score(-2000);
    rig.ask("option ResignMoves=2\ngo");
    assert!(!any(&rig.ask("usermove e7e5"), "resign"), "off unless wanted");
    rig.ask("option Resign=1\nnew\ngo");
    let lines = rig.ask("usermove e7e5");
    assert_eq!(lines, ["resign"], "before the move, and no move after it");
    rig.fake.score(0);
    rig.ask("option OfferDraws=1\noption DrawMoves=2\nnew\ngo");
    let lines = rig.ask("usermove e7e5");
    assert_eq!(lines[0], "offer draw");
    assert_eq!(moves(&lines).len(), 1);
}

// 22: exclude and include.

#[test]
fn m22_exclusions_hold_for_one_position() {
    let mut rig = Rig::new();
    rig.send("exclude all\ninclude e2e4\ninclude d2d4\npost\nanalyze");
    rig.wait_for("3 ");
    rig.ask("exclude d2d4");
    rig.wait_for("3 ");
    rig.ask("exit");
    let excluded = |rig: &Rig| rig.fake.last_search().limits.excluded.len();
    assert_eq!(excluded(&rig), 19);
    for step in [
        "usermove e2e4",
        "undo",
        "new",
        "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "exclude e1e2\ninclude all",
    ] {
        rig.send("exclude all\nanalyze");
        rig.send(step);
        rig.wait_for("3 ");
        rig.ask("exit");
        assert_eq!(excluded(&rig), 0, "after {step}");
    }
    assert_eq!(rig.ask("exclude e1e8"), ["Error (illegal move): exclude e1e8"]);
}

#[test]
fn m22_with_every_move_excluded_analysis_waits() {
    let mut rig = Rig::new();
    rig.ask("exclude all\nanalyze");
    assert!(rig.front.engine().running().is_none());
    rig.send("post\ninclude g1f3");
    let lines = rig.wait_for("3 ");
    assert!(lines.last().unwrap().contains("\tNf3"), "{lines:?}");
}
