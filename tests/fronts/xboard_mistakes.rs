//! Mistakes of hobby engines in the xboard protocol: 22 of them. Those that `kashan check` can
//! catch in any engine are checks there, and our own has to pass them (`tests/commands/check.rs`):
//! 3, 11, 12, 15, and parts of others. The rest, which needs our own program, is here.

use crate::common::dialogue::Speaker;
use crate::common::rig::{Rig, Xboard, xboard};

// 1: pong too early, or none while pondering.

dialogue! { xboard: m01_pong_waits_for_the_move_and_for_the_new_game "
    searcher waits
    > st 60; go; ping 77
    quiet 300
    > ? < move *; pong 77
    games is 0
    > force; new; memory 5; ping 78 < pong 78
    # The tables were cleared first.
    games is 1; megabytes is 5" }

// 2: stale moves.

dialogue! { xboard: m02_no_move_comes_after_force_result_or_new(ending) "
    searcher waits
    > st 60; usermove e2e4; $ending <<
    search is none" for [
    "force", "result 1-0 {resigns}", "new", "result *; force; new", "edit; .",
    "setboard 8/8/8/4k3/8/8/8/4K2R w K - 0 1",
] }

#[test]
fn m02_a_move_that_was_found_before_force_was_read_is_not_sent_after_it() {
    let mut rig = xboard();
    // The search is over at once, but its result waits in the queue while the front end changes its
    // mind.
    rig.holds("> usermove e2e4");
    while rig.fake.searches().is_empty() {
        std::thread::yield_now();
    }
    rig.holds("> force; new <<\nposition is $start");
}

// 4: go, playother, white, black.

dialogue! { xboard: m04_playother_waits_for_a_move_and_ponders "
    > hard; force; playother < Hint: *
    > easy; usermove e2e4 << move *" }

dialogue! { xboard: m04_white_means_that_the_engine_plays_black "
    > force; white <<
    > usermove e2e4 << move *" }

dialogue! { xboard: m04_white_black_and_go_play_the_colour_on_move_and_keep_the_history "
    > force
    opponent plays g1f3 g8f6 f3g1 f6g8 e2e4
    > white; time 1000; otim 2000; black; go << move *
    plies is 6" }

dialogue! { xboard: m04_black_alone_gives_the_move_away "
    > force; black
    # Black is on move, the engine plays White.
    > usermove e7e5 << move *
    > force; setboard 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1; black
    # White would be in check.
    << Error (command not legal now)*" }

// 5 and 6: clocks. Nodes are the time, so that it is exact on every machine.

fn racing() -> Xboard {
    let mut rig = xboard();
    rig.holds("searcher races\n> nps 1000000");
    rig
}

dialogue! { racing: m05_the_clock_stays_with_the_colour "
    > level 0 60 0; time 6000; otim 30; usermove e2e4 < move *
    thought is 1 to 36
    # The engine played Black with much time; now it takes over White, which has next to nothing.
    > force; go < move *
    thought is 0 to 0.3
    # Said just before go, they are about the colour that the engine is going to play.
    > force; time 6000; otim 20; go < move *
    thought is 1 to 36" }

dialogue! { racing: m05_the_engine_keeps_its_own_clock "
    > level 0 0:01 0; go < move *
    answers to e7e5 d7d5 c7c5 b7b5 a7a5 h7h5 g7g5 f7f5
    # Nobody said time, but the second is gone.
    searches is 9; thought-in-all is 0 to 1" }

dialogue! { racing: m05_level_in_the_middle_of_a_game_and_the_second_session "
    > level 2 0:02 0; go < move *
    answers to e7e5 d7d5 c7c5
    # The second session's time was added.
    thought-in-all is 2.001 to 4
    # 20 moves in two minutes from here on.
    > level 20 2 0; usermove b7b5 < move *
    thought is 2.001 to 120" }

dialogue! { racing: m05_the_only_move_of_a_session_may_use_it_all "
    > level 1 0:02 0; go < move *
    thought is 1.501 to 2" }

dialogue! { racing: m06_all_ways_to_write_a_time(control, seconds) "
    > $control; go < move *
    thought is $seconds" for [
    ("level 0 0:05 0", "0.051 to 3"), ("level 40 0:30 0", "0 to 18"), ("level 0 0:00 0.1", "0.000001 to 0.1"),
    // 25 minutes, the rest is ignored.
    ("level 40 25+5 0", "10.001 to 1500"), ("st 0.2", "0.15 to 0.2"),
] }

dialogue! { racing: m06_st_is_for_each_move "
    > st 2; go < move *
    thought is 1.5 to 2
    > usermove e7e5 < move *
    thought is 1.5 to 2
    # xboard also says what its clocks show.
    > time 30000; otim 30000; usermove c7c5 < move *
    thought is 1.5 to 2" }

// 7: sd; what it does is asked by `kashan check`.

dialogue! { xboard: m07_st_and_nps_together_limit_the_nodes "
    searcher races
    > st 8; nps 10000; go < move *
    visited is 70000 to 80000" }

dialogue! { xboard: m07_processor_time_is_no_clock "
> nps 0 << Error (processor time not supported): nps 0" }

// 8: what must not be said.

fn stranger() -> Xboard {
    Rig::raw()
}

dialogue! { stranger: m08_silent_until_spoken_to_and_no_loaded_words "
    quiet 0
    > xboard
    # No prompt, no banner.
    quiet 0
    # Nothing that an old front end could take for the offer of a draw.
    > I think I offer a draw; Draw; White resigns; checkmate; tellics resign
    < Error (unknown command): I think I o_ffer a draw; Error (unknown command): Draw
    < Error (unknown command): White r_esigns; Error (unknown command): checkmate
    << Error (unknown command): tellics r_esign" }

// 9: errors for harmless commands.

dialogue! { xboard: m09_harmless_commands_make_no_noise "
    > random; computer; name Somebody With A Title; rating 2000 0; hard; easy; post; nopost
    > accepted ping; rejected setscore; accepted option; ics -; ics freechess.org; ?; draw; .; exit
    > cores 4; egtpath nalimov C:\\x y; variant normal; resume; result *
    > result 1/2-1/2 {Draw by repetition}; xboard <<" }

dialogue! { xboard: m09_unknown_commands_and_variants_are_named "
    > setscore 10 5; variant atomic
    << Error (unknown command): setscore 10 5; Error (variant not supported): variant atomic" }

// 10: result claims; those of mate, stalemate and repetition are asked for by `kashan check`, and
// that our own move repeats a position is in `faults.rs`.

dialogue! { xboard: m10_fifty_moves_are_a_hundred_half_moves "
    > force; setboard 8/8/4k3/8/8/4K3/4R3/8 w - - 98 80
    searcher plays e3d3
    > go
    # 99 half-moves.
    << move e3d3
    > force; setboard 8/8/4k3/8/8/4K3/4R3/8 w - - 99 80
    searcher plays e3d3
    > go << offer draw; move e3d3; 1/2-1/2 {Draw by fifty move rule}" }

dialogue! { xboard: m10_two_kings_and_one_minor_piece_are_claimed(fen, capture) "
    > force; setboard $fen
    searcher plays $capture
    > go << move $capture; 1/2-1/2 {Insufficient material}" for [
    ("8/8/4k3/8/5r2/4K3/8/8 w - - 0 1", "e3f4"), ("8/8/4k3/8/5p2/4K1B1/8/8 w - - 0 1", "g3f4"),
] }

dialogue! { xboard: m10_nothing_is_claimed_while_pondering "
    # The expected reply mates; that position is not on the board.
    > force; setboard 6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 0 1; setboard 7k/8/8/8/8/r7/1r6/7K w - - 0 1
    searcher plays h1g1 a3a1
    > hard; go << move h1g1; Hint: *" }

// 13: undo and remove; what they give back is asked by `kashan check`.

dialogue! { xboard: m13_repetitions_that_were_taken_back_do_not_count "
    > force
    opponent plays g1f3 g8f6 f3g1 f6g8
    > remove
    opponent plays f3g1 f6g8 g1f3 g8f6 f3g1
    > undo; usermove f3g1
    searcher plays f6g8
    > go
    # The third time, and not the fourth.
    << offer draw; move f6g8; 1/2-1/2 *" }

dialogue! { xboard: m13_remove_needs_two_half_moves_and_undo_one "
    > go < move *
    > remove << Error (command not legal now): remove
    plies is 1
    > new; undo << Error (command not legal now): undo" }

// 14: edit.

dialogue! { xboard: m14_edit_mode_and_the_trick_for_black "
    > new; force; a2a3; edit; #; Pa4; Ke1; Rh1; c; Ke8; qd8; . <<
    position is 3qk3/8/8/8/P7/8/8/4K2R b K - 0 1
    # An empty or impossible board is refused, and so is every move until there is a better one.
    > edit; #; . < tellusererror Illegal position
    > usermove e2e4 < Illegal move (illegal position): e2e4
    > e2e4 < Illegal move (illegal position): e2e4
    > go <<
    > new; usermove e2e4 << move *" }

dialogue! { xboard: m14_an_illegal_setboard_is_refused_until_something_better_comes(fen) "
    > force; setboard $fen; usermove e2e4; analyze; exit; hint; undo
    < tellusererror Illegal position; Illegal move (illegal position): e2e4
    << Error (command not legal now): undo
    > setboard $start; usermove e2e4
    <<" for ["8/8/8/8/8/8/8/8 w - - 0 1", "nonsense", "", "KKKKKKKK/8/8/8/8/8/8/8 w - - 0 1"] }

// 16: post, hard and easy are no toggles; when to ponder.

dialogue! { xboard: m16_hard_and_easy_are_absolute "
    searcher plays e7e5
    > hard; hard; usermove e2e4 << move e7e5; Hint: *
    > hard; easy <<
    search is none
    > easy; easy; usermove d2d4 << move *
    > post; post; usermove a2a3 << 3 *; move *
    > nopost; nopost; usermove h2h3 << move *" }

dialogue! { xboard: m16_a_ponder_hit_keeps_what_was_found_and_a_miss_begins_anew "
    searcher plays e7e5 a7a6
    > hard; usermove e2e4 < move e7e5; Hint: a2a3
    > usermove a2a3 << move a7a6; Hint: *
    # The ponder search gave the move: the position was not searched again.
    searches of rnbqkbnr/pppp1ppp/8/4p3/4P3/P7/1PPP1PPP/RNBQKBNR b KQkq - 0 2 is 1
    > usermove h2h4 << move *; Hint: *
    searches of rnbqkbnr/1ppp1ppp/p7/4p3/4P2P/P7/1PPP1PP1/RNBQKBNR b KQkq - 0 3 is 1" }

#[test]
fn m16_pondered_time_is_not_taken_off_the_clock_and_not_lost() {
    let mut rig = xboard();
    rig.holds(
        "searcher waits; searcher plays e7e5
         # Nodes are the time, and the searcher visits a thousand in a millisecond or more: 20 seconds are 2 million nodes.
         > nps 100000; st 20; hard; usermove e2e4; ? < move e7e5; Hint: $expected
         searcher visits 2100000",
    );
    let running = rig.engine().running().expect("it ponders");
    let (reply, before) = (running.root.to_fen(), running.clock.nodes());
    rig.holds("> usermove $expected < move *; Hint: *");
    let searches = rig.fake.searches();
    let after = searches.iter().find(|search| search.fen == reply);
    let nodes = after
        .expect("the ponder search became the search for the move")
        .nodes;
    assert!(
        nodes < before + 1_500_000,
        "the time was already used, but there were {before}, then {nodes}"
    );
}

// 17 is about the process: see xboard_process.rs.

// 18: memory and options at any time.

#[test]
fn m18_memory_and_options_are_honoured_at_any_time() {
    let mut rig: Xboard = Rig::raw();
    rig.holds(
        "> xboard; protover 2 .. feature done=1
         > accepted option; option OwnBook=0; option ResignThreshold=300; memory 17; new <<
         megabytes is 17
         > hard; usermove e2e4 << move *; Hint: *
         > memory 33; option Hash=12; option MoveOverhead=50; cores 2 <<
         megabytes is 12
         # And pondering goes on.
         search is * b *",
    );
    let options = &rig.engine().settings().engine;
    assert_eq!((options.resign_threshold, options.move_overhead), (300, 50));
    rig.holds(
        "> easy; option Hash=lots
         < Error (option Hash: \"lots\" is not a whole number from 1 to 65536): option Hash=lots
         > option No Such Option=1
         < Error (no option is called \"No Such Option\"): option No Such Option=1
         > option Backend=random
         < Error (option Backend: \"random\" is not one of genetic, alphabeta, minimax, action): option Backend=random
         > option OwnBook=1 <<",
    );
}

dialogue! { xboard: m18_another_backend_is_built_for_the_next_search "
    > usermove e2e4 < move *
    searchers is 1
    > option Backend=minimax <<
    # Before the pong.
    searchers is 2
    > option Backend=alphabeta; option Evaluation=winglet; usermove d2d4 << move *
    searchers is 3" }

// 19: moves that are not the opponent's to make.

dialogue! { xboard: m19_a_move_for_the_side_that_the_engine_thinks_for_is_refused "
    searcher waits
    > st 60; usermove e2e4; usermove e7e5 < Error (command not legal now): usermove e7e5
    > ? << move *" }

// 20: analysis.

#[test]
fn m20_analysis_follows_the_board_and_never_moves() {
    let mut rig = xboard();
    rig.holds(
        "> sd 2; st 0.01; post; analyze < 3 *
         > hint < Hint: *
         > bk ..",
    );
    for (step, fen) in [
        (
            "usermove e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "undo",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ),
        (
            "new",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "edit; xa2; .",
            "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
    ] {
        rig.call("step", step)
            .call("fen", fen)
            .holds("> $step <<\nsearch is $fen\n< 3 *");
    }
    rig.holds(
        "> exit <<
         search is none
         # Force mode after it.
         > usermove b2b4 <<",
    );
    let mut limits = rig.fake.searches().into_iter().map(|search| search.limits);
    assert!(
        limits.all(|limits| limits.infinite && limits.depth.is_none()),
        "no depth or time limit"
    );
}

// 21: draws.

dialogue! { xboard: m21_draw_offers_are_answered_with_offer_draw_or_not_at_all "
    # Worse: accepted.
    searcher scores -200
    > usermove e2e4 < move *
    > draw << offer draw
    # Better: silence.
    searcher scores 200
    > usermove d2d4 < move *
    > draw <<
    # An offer is no reason to move at once.
    searcher waits; searcher scores -200
    > st 60; usermove a2a3; draw
    quiet 0
    # The game goes on until the front end says otherwise.
    > ? << offer draw; move *" }

dialogue! { xboard: m21_an_offer_before_go_is_considered_with_the_move "
    searcher scores -200
    > force; usermove e2e4; draw; go << offer draw; move *" }

dialogue! { xboard: m21_resignation_and_own_offers_only_by_option "
    searcher scores -2000
    > option ResignMoves=2; go < move *
    # Off unless wanted.
    > usermove e7e5 << move *
    > option Resign=1; new; go < move *
    # Before the move, and no move after it.
    > usermove e7e5 << resign
    searcher scores 0
    > option OfferDraws=1; option DrawMoves=2; new; go < move *
    > usermove e7e5 << offer draw; move *" }

// 22: exclude and include.

#[test]
fn m22_exclusions_hold_for_one_position() {
    let mut rig = xboard();
    rig.holds(
        "> exclude all; include e2e4; include d2d4; post; analyze < 3 *
         > exclude d2d4 < 3 *
         > exit <<
         excluded is 19",
    );
    let setboard = "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for step in [
        "usermove e2e4",
        "undo",
        "new",
        setboard,
        "exclude e1e2; include all",
    ] {
        rig.call("step", step).holds(
            "> exclude all; analyze
             > $step < 3 *
             > exit <<
             excluded is 0",
        );
    }
    rig.holds("> exclude e1e8 << Error (illegal move): exclude e1e8");
}

dialogue! { xboard: m22_with_every_move_excluded_analysis_waits "
    > exclude all; analyze <<
    search is none
    > post; include g1f3 < 3 *\tNf3*" }
