//! Faults of the front ends that were found from outside: each test failed before its fault was
//! mended.

use crate::common::dialogue::Speaker;
use crate::common::rig::{uci, xboard};
#[cfg(unix)]
use crate::common::{dialogue::Dialect, process::Process};

dialogue! { uci: what_can_be_read_of_a_go_still_counts "
    > go depth 4 nodes many < info string go: \"nodes many\" has no number and is ignored; bestmove *
    depth is 4; nodes is none" }

#[cfg(unix)]
#[test]
fn a_front_end_that_rejects_sigint_may_interrupt_a_game() {
    let mut process = Process::start(Dialect::Xboard);
    process.holds(
        "> xboard; protover 2 .. feature done=1
         > rejected sigint; option OwnBook=0; new <<
         > st 60; go
         signal INT
         > force <<
         signal INT
         <<
         signal TERM
         ends",
    );
}

dialogue! { xboard: after_a_draw_claim_the_engine_does_not_move_until_the_front_end_goes_on "
    > force
    opponent plays g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1
    > playother <<
    > usermove f6g8 << 1/2-1/2 {Draw by repetition}
    # The result stands.
    > hard; ?; post; nopost <<
    # The front end goes on with the game: the engine plays, and does not claim the same again.
    searcher plays g1f3 f3g1 g1f3
    > easy; go << move g1f3
    > usermove g8f6 << move f3g1
    > usermove f6g8 << move g1f3
    # That was one game; in the next one draws are claimed again.
    > new; force
    opponent plays g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1
    > playother <<
    > usermove f6g8 << 1/2-1/2 {Draw by repetition}" }

dialogue! { xboard: draws_of_a_game_that_was_only_played_over_overrule_nothing "
    > force
    opponent plays g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1
    > playother <<
    > usermove c6b8 << 1/2-1/2 {Draw by repetition}" }

dialogue! { xboard: after_a_pawn_move_draws_are_claimed_again "
    > force
    opponent plays g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8
    searcher plays e2e4 g1f3 f3g1 g1f3 f3g1
    > go << move e2e4
    answers to e7e5 g8f6 f6g8 g8f6
    > usermove f6g8 << 1/2-1/2 {Draw by repetition}" }

dialogue! { xboard: a_draw_that_the_engine_completed_is_claimed_once "
    > force
    opponent plays g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1
    searcher plays f6g8 g8f6
    > go << offer draw; move f6g8; 1/2-1/2 {Draw by repetition}
    > ?; hard <<
    > easy; usermove g1f3 << move g8f6
    # The front end asks for a move in a drawn position.
    > force; setboard 8/8/4k3/8/8/4K3/4R3/8 w - - 101 80
    searcher plays e3d3
    > go << move e3d3
    # Mate ends a game in which draws do not count.
    > force; setboard 6k1/5ppp/8/8/8/8/8/4R2K w - - 120 80
    searcher plays e1e8
    > go << move e1e8; 1-0 {White mates}" }
