//! More of the xboard protocol than its mistakes: book display, hints, pausing, panics.

use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use crate::common::dialogue::{PATIENCE, Speaker};
use crate::common::rig::{Rig, Xboard, any, xboard};
use kashan::engine::front::{Flow, Front};

/// Before anybody has said anything.
fn stranger() -> Xboard {
    Rig::raw()
}

#[test]
fn a_front_end_of_protocol_1_can_play() {
    let mut rig = stranger();
    rig.holds(
        "> xboard; new; random; level 40 5 0; hard; easy; book; e2e4
         << Error (unknown command): book; move *",
    );
    assert_eq!(
        rig.front.interrupt(),
        Flow::Continue,
        "it sends SIGINT for attention"
    );
    rig.send("protover 2");
    assert_eq!(rig.front.interrupt(), Flow::Quit);
}

dialogue! { xboard: a_panic_in_the_search_costs_one_weak_move_and_nothing_else "
    searcher panics
    > usermove e2e4 << move *
    > usermove d2d4 << move *
    # Its searcher is not used again.
    searchers is 2
    # The next one has the memory that was set meanwhile.
    > memory 5 <<
    searcher panics
    > usermove a2a3 << move *
    > hint << Hint: *
    searchers is 3; megabytes is 5" }

#[test]
fn hints_are_legal_moves_in_every_mode() {
    let mut rig = xboard();
    for setup in ["", "force", "usermove e2e4", "hard\nusermove d2d4"] {
        setup.lines().for_each(|line| rig.say(line));
        rig.rests();
        rig.say("hint");
        let lines = rig.rests();
        let hint = lines
            .iter()
            .rev()
            .find_map(|line| line.strip_prefix("Hint: "));
        let is_legal = hint.is_some_and(|hint| rig.engine().position().parse_move(hint).is_ok());
        assert!(
            is_legal && !any(&lines, "move "),
            "after {setup:?}: {lines:?}"
        );
    }
    rig.holds("> force; setboard 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1; hint <<");
}

dialogue! { stranger: the_block_that_xboard_sends_twice_before_each_game "
    > xboard; protover 2; accepted done; accepted ping; option OwnBook=0 .. feature done=1
    > memory 68; cores 1; new; random; level 0 0:02 0.1; post; hard; easy; force <<
    > memory 68; cores 1; new; random; level 0 0:02 0.1; post; hard; easy; force <<
    > computer; name Somebody; time 200; otim 200; go < 3 *; move *
    > time 190; otim 200; usermove e7e5 << 3 *; move *
    > result 1-0 {somebody resigns}; force <<" }

dialogue! { xboard: thinking_while_pondering_shows_the_expected_move_first "
    searcher plays e7e5
    > post; hard; usermove e2e4 < 3 *; move e7e5; Hint: a2a3
    searcher waits
    < 3 *\ta3 *" }

// What the search thread has done is not looked at before everything is sent: to the front it is
// busy.
dialogue! { xboard: no_move_comes_before_a_pong_that_is_owed(book) "
    > option OwnBook=$book; memory 5; new; ping 71; ping 72; usermove e2e4; ping 73
    < pong 71; pong 72; move *; pong 73" for ["0", "1"] }

dialogue! { xboard: a_move_that_waits_for_a_pong_obeys_what_comes_meanwhile "
    searcher waits
    > st 60; memory 5; ping 71; usermove e2e4; ?; ping 72 < pong 71; move *; pong 72
    > memory 6; ping 73; usermove d2d4; force << pong 73
    searcher answers
    > memory 7; ping 74; go; pause < pong 74
    # Nothing is thought about in a pause.
    quiet 300
    > resume << move *" }

dialogue! { xboard: what_was_thought_of_another_position_decides_no_draw(change) "
    searcher scores -200
    > usermove e2e4 << move *
    > $change; draw <<" for ["setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "edit; xa2; .", "remove"] }

dialogue! { xboard: the_score_of_a_search_that_had_no_time_decides_no_draw "
    searcher scores -200; searcher has no time
    > usermove e2e4 << move *
    > draw <<" }

dialogue! { xboard: the_last_thinking_line_is_that_of_the_move_played "
    searcher scores 40
    > post; usermove e2e4 << 3 40 *; move *
    searcher changes its mind
    > usermove d2d4 << 3 40 *; 3 20 *; move *" }

#[test]
fn pondered_nodes_are_not_taken_off_the_clock() {
    let mut rig = xboard();
    // Nodes are the time, and the fake searcher visits a second's worth at a time.
    rig.holds(
        "searcher races; searcher plays e7e5
         > nps 1000; level 0 10 0; hard; usermove e2e4; ? < move e7e5; Hint: $hint
         searcher visits 700000
         > usermove $hint < move *; Hint: *
         > easy <<",
    );
    let mv = rig.engine().position().legal_moves()[0].to_string();
    // Most of the ten minutes is left.
    rig.call("mv", &mv)
        .holds("> usermove $mv << move *\nthought is 5 to 600");
}

#[test]
fn an_analysis_with_nothing_left_to_find_is_quiet_and_answers_all_the_same() {
    let mut rig = Xboard::real().introduced();
    rig.holds(
        "> option Backend=alphabeta; memory 1; force; post; setboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 <<
         > analyze",
    );
    rig.finish_thinking();
    let lines = rig.lines();
    let thoughts = lines.iter().filter(|line| line.contains('\t')).count();
    assert!((1..10).contains(&thoughts), "{lines:#?}");
    rig.holds(
        "> . << stat01: *#
         > . << stat01: *#
         > hint << Hint: *
         # Another position is analysed.
         > new
         search is * w KQkq - 0 1
         skip *\t*
         > exit <<
         > . <<",
    );
}

dialogue! { xboard: front_ends_are_told_once_that_memory_is_short "
    searcher lacks memory
    > memory 60000; go << telluser *60000* 100 *; move *
    > force; go << move *" }

#[test]
fn a_new_game_is_prepared_for_and_its_first_search_does_not_wait() {
    let mut rig = xboard();
    let steps = |rig: &Xboard| rig.fake.prepared.load(SeqCst);
    rig.holds("searcher prepares endlessly\n> new; go < move *");
    assert!(steps(&rig) > 0);
    // Nor does one that has to wait for a pong.
    rig.holds("> new; ping 7; go < pong 7; move *");
    // What was broken off goes on after the search, though nobody asks for it.
    let (before, deadline) = (steps(&rig), Instant::now() + PATIENCE);
    while steps(&rig) == before {
        assert!(
            Instant::now() < deadline,
            "nothing is prepared after a search"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}
