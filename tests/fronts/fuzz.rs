//! A hundred thousand random and mutated lines in each protocol: no panic, no hang, every question is
//! answered, and each answer is one.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::SeqCst;

use kashan::protocol::{uci, xboard};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::common::dialogue::{PATIENCE, Speaker};
use crate::common::rig::{self, Held, Rig, Xboard};

/// In each protocol; more with `KASHAN_FUZZ_LINES`.
const LINES: usize = 100_000;

const XBOARD: &str = "\
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

const UCI: &str = "\
    uci; isready; isready; debug on; debug off; ucinewgame; register later; stop; stop; ponderhit; \
    ponderhit; go; go infinite; go ponder wtime 100 btime 100; go ponder infinite; \
    go wtime 1 btime 1 winc 1 binc 1; go wtime -5 btime 0 movestogo 0; \
    go wtime 30 btime 30 movestogo 1; go movetime 1; go depth 3 nodes 100; go mate 2; \
    go searchmoves e2e4 e7e5 depth 2; position startpos; position startpos moves e2e4 e7e5 g1f3; \
    position startpos moves e2e4 e2e4; position fen 4k3/8/8/8/8/8/4P3/4K2R w K - 99 80; \
    position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1; \
    position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1 moves h8g8; \
    position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1; \
    position fen 8/8/8/8/8/8/8/8 w - - 0 1; setoption name Hash value 3; \
    setoption name Threads value 9; setoption name Backend value minimax; \
    setoption name OwnBook value true; setoption name OwnBook value false; \
    setoption name BookFile value nowhere; setoption name UCI_AnalyseMode value true; setoption name; \
    setoption name Levels value";

/// Any bytes, as far as they are text.
fn noise(random: &mut Xoshiro256PlusPlus) -> String {
    let length = random.random_range(0..30);
    let bytes: Vec<u8> = (0..length).map(|_| random.random::<u8>()).collect();
    String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ")
}

/// A line with a few characters put in, taken out, changed or repeated.
fn mutated(random: &mut Xoshiro256PlusPlus, line: &str) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=characters.len());
        let character = *['0', '9', '-', '.', ' ', 'x', 'é', '=', '/', '{', '\t', '\0', '\u{1F600}']
            .choose(random)
            .unwrap();
        match random.random_range(0..4) {
            0 => characters.insert(at, character),
            1 if at < characters.len() => drop(characters.remove(at)),
            2 if at < characters.len() => characters[at] = character,
            _ => {
                let tail: Vec<char> = characters[at..].to_vec();
                characters.extend(tail);
                characters.truncate(300);
            }
        }
    }
    characters.into_iter().collect()
}

/// A command, words of several, or noise; some with a few characters changed.
fn a_line(random: &mut Xoshiro256PlusPlus, commands: &str) -> String {
    let line = match random.random_range(0..20) {
        0 => return noise(random),
        1 => {
            let words: Vec<&str> = commands.split([' ', ';']).filter(|word| !word.is_empty()).collect();
            let length = random.random_range(1..12);
            (0..length).map(|_| *words.choose(random).unwrap()).collect::<Vec<_>>().join(" ")
        }
        _ => commands.split("; ").collect::<Vec<_>>().choose(random).unwrap().to_string(),
    };
    if random.random_range(0..4) == 0 { mutated(random, &line) } else { line }
}

/// Says such lines; how many replies of each kind came.
fn fuzz<F: Held>(
    rig: &mut Rig<F>,
    mut line: impl FnMut(&mut Xoshiro256PlusPlus, &Rig<F>) -> String,
    kind: fn(&str) -> String,
) -> BTreeMap<String, usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2017);
    let mut kinds = BTreeMap::new();
    rig.fake.forgets_searches.store(true, SeqCst);
    rig.fake.races.store(true, SeqCst);
    let lines = std::env::var("KASHAN_FUZZ_LINES").map_or(LINES, |lines| lines.parse().expect("a number"));
    for _ in 0..lines {
        let line = line(&mut random, rig);
        rig.fake.score(random.random_range(-1500..1500));
        rig.send(&line);
        // Now and then several lines at once, with the search in any state.
        if random.random_range(0..3) != 0 {
            rig.rests().iter().for_each(|reply| *kinds.entry(kind(reply)).or_default() += 1);
        }
    }
    kinds
}

/// The lines led somewhere, and not only to errors.
fn all_were_there(kinds: &BTreeMap<String, usize>, wanted: &[&str]) {
    for &kind in wanted {
        assert!(kinds.get(kind).is_some_and(|&count| count > 20), "{kind}: {kinds:?}");
    }
}

#[test]
fn xboard_always_has_its_pong() {
    let line = |random: &mut Xoshiro256PlusPlus, rig: &Xboard| {
        // Games have to get somewhere.
        match rig.engine().position().legal_moves().choose(random) {
            _ if random.random_range(0..5) > 1 => a_line(random, XBOARD),
            Some(mv) => format!("usermove {mv}"),
            None => "new".to_owned(),
        }
    };
    let kind = |reply: &str| {
        assert!(!reply.chars().any(|c| c.is_control() && c != '\t'), "{reply:?}");
        match reply.parse().expect("every line is a reply") {
            xboard::Reply::Other(_) if !reply.is_empty() => panic!("{reply:?} is no message of the protocol"),
            xboard::Reply::Thinking(_) => "thinking".to_owned(),
            _ => reply.split_whitespace().next().unwrap_or("").to_owned(),
        }
    };
    let kinds = fuzz(&mut rig::xboard(), line, kind);
    let wanted = "move Illegal Error Hint: stat01: tellusererror 1/2-1/2 offer resign thinking";
    all_were_there(&kinds, &wanted.split(' ').collect::<Vec<_>>());
}

fn uci_kind(reply: &str) -> String {
    assert!(!reply.chars().any(char::is_control), "{reply:?}");
    let kind = match reply.parse().expect("every line is a reply") {
        uci::Reply::BestMove { best: Some(_), .. } => "a move",
        uci::Reply::BestMove { best: None, .. } => "no move",
        uci::Reply::ReadyOk => "ready",
        uci::Reply::Info(info) if info.text.is_some() => "text",
        uci::Reply::Info(_) => "thoughts",
        uci::Reply::Option(_) => "options",
        uci::Reply::Name(_) | uci::Reply::Author(_) | uci::Reply::UciOk => "introduction",
        other => panic!("{reply:?} is {other:?}"),
    };
    kind.to_owned()
}

#[test]
fn uci_answers_each_go_once() {
    let mut asked = 0;
    let line = |random: &mut Xoshiro256PlusPlus, _: &rig::Uci| loop {
        let line = a_line(random, UCI);
        match line.parse() {
            Ok(uci::Command::Quit) => continue,
            Ok(uci::Command::Go(_)) => asked += 1,
            _ => {}
        }
        break line;
    };
    let mut rig = rig::uci();
    let mut kinds = fuzz(&mut rig, line, uci_kind);
    rig.say("stop");
    let answered = |kinds: &BTreeMap<String, usize>| kinds["a move"] + kinds["no move"];
    while answered(&kinds) < asked {
        assert!(rig.step(PATIENCE), "{asked} asked: {kinds:?}");
        rig.lines().iter().for_each(|reply| *kinds.entry(uci_kind(reply)).or_default() += 1);
    }
    rig.rests().iter().for_each(|reply| *kinds.entry(uci_kind(reply)).or_default() += 1);
    assert_eq!(answered(&kinds), asked);
    all_were_there(&kinds, &["a move", "no move", "ready", "text", "thoughts", "options", "introduction"]);
}
