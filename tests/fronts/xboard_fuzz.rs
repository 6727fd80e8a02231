//! A hundred thousand random and mutated protocol lines: no panic, no hang, and each ping finds its pong.

use crate::common::dialogue::Speaker;
use crate::common::fuzz::{mutated, noise};
use crate::common::rig::{Xboard, xboard};
use std::collections::BTreeMap;

use kashan::protocol::xboard::Reply;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

const LINES: usize = 100_000;

const COMMANDS: &str = "\
    xboard; protover 2; accepted debug; rejected debug; new; variant normal; variant atomic; quit; \
    random; force; go; go; playother; white; black; level 40 5 0; level 0 0:02 0.1; level 1 0 0; \
    level 0 0 0; st 1; st 0.2; st 0; sd 3; sd 0; nps 0; nps 1000; time 100; time -5; otim 0; ?; ping 5; \
    draw; result 1-0 {mate}; result *; setboard 8/8/8/8/8/8/8/8 w - - 0 1; \
    setboard 4k3/8/8/8/8/8/4P3/4K2R w K - 99 80; setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1; \
    setboard r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1; setboard; edit; #; \
    c; Pa4; Ke1; ke8; xe2; .; .; hint; bk; undo; remove; hard; easy; post; nopost; analyze; exit; \
    name X Y; rating 1 2; ics -; computer; pause; resume; memory 8; memory 0; cores 3; \
    egtpath nalimov /x y; option Backend=minimax; option Resign=1; option ResignMoves=1; option Hash=3; \
    option OwnBook=1; option OwnBook=0; option BookFile=nowhere; option; exclude all; include all; \
    exclude e2e4; include g1f3; usermove e2e4; e7e5; Nf3; O-O; a7a8q; @@@@; e2e9; usermove";

fn a_command(random: &mut Xoshiro256PlusPlus) -> &'static str {
    COMMANDS.split("; ").collect::<Vec<_>>().choose(random).unwrap()
}

fn a_line(random: &mut Xoshiro256PlusPlus, rig: &Xboard) -> String {
    let mut line = match random.random_range(0..10) {
        // Games have to get somewhere.
        0..4 => match rig.engine().position().legal_moves().choose(random) {
            Some(mv) => format!("usermove {mv}"),
            None => "new".to_owned(),
        },
        4..9 => a_command(random).to_owned(),
        _ => return noise(random),
    };
    if random.random_range(0..4) == 0 {
        line = mutated(random, &line);
    }
    line
}

#[test]
fn whatever_is_said_the_next_ping_is_answered() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2017);
    let mut rig = xboard();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    rig.fake.searches_are_kept(false);
    rig.fake.races.store(true, std::sync::atomic::Ordering::SeqCst);
    for number in 0..LINES {
        let line = a_line(&mut random, &rig);
        let score = random.random_range(-1500..1500);
        rig.fake.score(score);
        rig.send(&line);
        // Now and then several lines at once, with the search in any state.
        if random.random_range(0..3) != 0 {
            for reply in rig.rests().into_iter().filter(|reply| !reply.starts_with("pong")) {
                *kinds.entry(check(&reply, &line, number).to_owned()).or_default() += 1;
            }
        }
    }
    rig.rests();
    // The lines led somewhere, and not only to errors.
    eprintln!("{kinds:?}");
    for kind in "move Illegal Error Hint: stat01: tellusererror 1/2-1/2 offer resign thinking".split(' ') {
        assert!(kinds.get(kind).is_some_and(|&count| count > 20), "{kind}: {kinds:?}");
    }
}

/// Checks that a reply is one, and gives its first word.
fn check<'a>(reply: &'a str, line: &str, number: usize) -> &'a str {
    let parsed: Reply = reply.parse().expect("every line is a reply");
    assert!(
        !matches!(parsed, Reply::Other(_)) || reply.is_empty(),
        "line {number}, {line:?}: {reply:?} is no message of the protocol"
    );
    assert!(!reply.chars().any(|c| c.is_control() && c != '\t'), "{reply:?}");
    match parsed {
        Reply::Thinking(_) => "thinking",
        _ => reply.split_whitespace().next().unwrap_or(""),
    }
}
