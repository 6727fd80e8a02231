//! A hundred thousand random and mutated lines in each protocol: no panic, no hang, every question
//! is answered, and each answer is one. Behind most of them is a searcher that does nothing, and
//! behind some hundreds each of the searches.

use std::collections::BTreeMap;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use kashan::rules::protocol::{uci, xboard};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::common::SEARCHES;
use crate::common::dialogue::{PATIENCE, Speaker};
use crate::common::rig::{self, Held, Rig, Uci, Xboard};

/// The number of lines in each protocol; more with `KASHAN_FUZZ_LINES`.
const LINES: usize = 100_000;
/// The same for each search, with one thread and with two.
const REAL_LINES: usize = 300;

/// Commands with these words are not for real searches: changed, their numbers ask for more memory
/// and threads than the machine has.
const NOT_FOR_REAL: [&str; 5] = ["memory", "cores", "Hash", "Threads", "Backend"];

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
    option MultiPV=3; option OwnBook=1; option OwnBook=0; option BookFile=nowhere; option; exclude all; \
    include all; exclude e2e4; include g1f3; usermove e2e4; e7e5; Nf3; O-O; a7a8q; @@@@; e2e9; usermove";

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
    setoption name MultiPV value 3; setoption name Levels value";

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
        let character = *[
            '0',
            '9',
            '-',
            '.',
            ' ',
            'x',
            'é',
            '=',
            '/',
            '{',
            '\t',
            '\0',
            '\u{1F600}',
        ]
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
            let words: Vec<&str> = commands
                .split([' ', ';'])
                .filter(|word| !word.is_empty())
                .collect();
            let length = random.random_range(1..12);
            (0..length)
                .map(|_| *words.choose(random).unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        }
        _ => commands
            .split("; ")
            .collect::<Vec<_>>()
            .choose(random)
            .unwrap()
            .to_string(),
    };
    if random.random_range(0..4) == 0 {
        mutated(random, &line)
    } else {
        line
    }
}

/// Counts panics: that of a search ends neither the program nor a test.
static PANICS: AtomicUsize = AtomicUsize::new(0);

fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.fetch_add(
                usize::from(!panic.to_string().contains("a panic for the test")),
                SeqCst,
            );
            usual(panic);
        }));
    });
}

/// A search and the way to talk to it.
#[derive(Clone, Copy)]
struct How {
    lines: usize,
    seed: u64,
    /// With this it has to answer now. Only real searches take so long that it has to be said.
    hurry: Option<&'static str>,
}

const FAKE: How = How {
    lines: LINES,
    seed: 2017,
    hurry: None,
};

impl How {
    /// The commands that may be said.
    fn commands(self, all: &str) -> String {
        let is_real = self.hurry.is_some();
        let is_fit =
            |command: &&str| !(is_real && NOT_FOR_REAL.iter().any(|word| command.contains(word)));
        all.split("; ")
            .filter(is_fit)
            .collect::<Vec<_>>()
            .join("; ")
    }
}

/// Says such lines; how many replies of each kind came.
fn fuzz<F: Held>(
    rig: &mut Rig<F>,
    How { lines, seed, hurry }: How,
    mut line: impl FnMut(&mut Xoshiro256PlusPlus, &Rig<F>) -> String,
    kind: fn(&str) -> String,
) -> BTreeMap<String, usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut kinds = BTreeMap::new();
    rig.fake.forgets_searches.store(true, SeqCst);
    rig.fake.races.store(true, SeqCst);
    let lines =
        std::env::var("KASHAN_FUZZ_LINES").map_or(lines, |lines| lines.parse().expect("a number"));
    for _ in 0..lines {
        let line = line(&mut random, rig);
        rig.fake.score(random.random_range(-1500..1500));
        rig.send(&line);
        // Now and then several lines at once, with the search in any state.
        if random.random_range(0..3) == 0 {
            continue;
        }
        if let Some(hurry) = hurry {
            let deadline = Instant::now() + Duration::from_millis(random.random_range(0..6));
            while rig.step(deadline.saturating_duration_since(Instant::now())) {}
            rig.send(hurry);
        }
        rig.rests()
            .iter()
            .for_each(|reply| *kinds.entry(kind(reply)).or_default() += 1);
    }
    kinds
}

/// The lines led somewhere, and not only to errors.
fn all_were_there(kinds: &BTreeMap<String, usize>, wanted: &str) {
    for kind in wanted.split("; ") {
        assert!(
            kinds.get(kind).is_some_and(|&count| count > 5),
            "{kind}: {kinds:?}"
        );
    }
}

/// Talks to each search, of one thread and of two; no panic comes of it.
fn with_real_searches(hurry: &'static str, mut talk: impl FnMut(&[(&str, &str)], How)) {
    count_panics();
    for (seed, options) in (0..).zip(SEARCHES) {
        for threads in ["1", "2"] {
            let options = [options, &[("Hash", "1"), ("Threads", threads)]].concat();
            talk(
                &options,
                How {
                    lines: REAL_LINES,
                    seed,
                    hurry: Some(hurry),
                },
            );
            assert_eq!(PANICS.load(SeqCst), 0, "{options:?}");
        }
    }
}

fn xboard(rig: &mut Xboard, how: How) -> BTreeMap<String, usize> {
    let commands = how.commands(XBOARD);
    let line = |random: &mut Xoshiro256PlusPlus, rig: &Xboard| {
        // Games have to get somewhere.
        match rig.engine().position().legal_moves().choose(random) {
            _ if random.random_range(0..5) > 1 => a_line(random, &commands),
            Some(mv) => format!("usermove {mv}"),
            None => "new".to_owned(),
        }
    };
    let kind = |reply: &str| {
        assert!(
            !reply.chars().any(|c| c.is_control() && c != '\t'),
            "{reply:?}"
        );
        match reply.parse().expect("every line is a reply") {
            xboard::Reply::Other(_) if !reply.is_empty() => {
                panic!("{reply:?} is no message of the protocol")
            }
            xboard::Reply::Thinking(_) => "thinking".to_owned(),
            _ => reply.split_whitespace().next().unwrap_or("").to_owned(),
        }
    };
    fuzz(rig, how, line, kind)
}

#[test]
fn xboard_always_has_its_pong() {
    let kinds = xboard(&mut rig::xboard(), FAKE);
    all_were_there(
        &kinds,
        "move; Illegal; Error; Hint:; stat01:; tellusererror; 1/2-1/2; offer; resign; thinking",
    );
}

#[test]
fn xboard_has_its_pong_from_every_search() {
    with_real_searches("?", |options, how| {
        let mut rig = Xboard::real().introduced();
        options
            .iter()
            .for_each(|(name, value)| rig.say(&format!("option {name}={value}")));
        assert_eq!(rig.rests(), [""; 0]);
        let kinds = xboard(&mut rig, how);
        println!("{options:?}: {kinds:?}");
        all_were_there(&kinds, "move");
    });
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

/// Each `go` is answered once.
fn uci(rig: &mut Uci, how: How) -> BTreeMap<String, usize> {
    let commands = how.commands(UCI);
    let mut asked = 0;
    let line = |random: &mut Xoshiro256PlusPlus, _: &Uci| loop {
        let line = a_line(random, &commands);
        match line.parse() {
            Ok(uci::Command::Quit) => continue,
            Ok(uci::Command::Go(_)) => asked += 1,
            _ => {}
        }
        break line;
    };
    let mut kinds = fuzz(rig, how, line, uci_kind);
    rig.say("stop");
    let answered = |kinds: &BTreeMap<String, usize>| {
        ["a move", "no move"]
            .iter()
            .filter_map(|&kind| kinds.get(kind))
            .sum::<usize>()
    };
    while answered(&kinds) < asked {
        assert!(rig.step(PATIENCE), "{asked} asked: {kinds:?}");
        rig.lines()
            .iter()
            .for_each(|reply| *kinds.entry(uci_kind(reply)).or_default() += 1);
    }
    rig.rests()
        .iter()
        .for_each(|reply| *kinds.entry(uci_kind(reply)).or_default() += 1);
    assert_eq!(answered(&kinds), asked);
    kinds
}

#[test]
fn uci_answers_each_go_once() {
    let kinds = uci(&mut rig::uci(), FAKE);
    all_were_there(
        &kinds,
        "a move; no move; ready; text; thoughts; options; introduction",
    );
}

#[test]
fn uci_has_one_answer_to_each_go_from_every_search() {
    with_real_searches("stop", |options, how| {
        let mut rig = Uci::real().introduced();
        options
            .iter()
            .for_each(|(name, value)| rig.say(&format!("setoption name {name} value {value}")));
        assert_eq!(rig.rests(), [""; 0]);
        let kinds = uci(&mut rig, how);
        println!("{options:?}: {kinds:?}");
        all_were_there(&kinds, "a move");
    });
}
