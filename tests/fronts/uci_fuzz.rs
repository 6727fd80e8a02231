//! A hundred thousand random and mutated lines of the Universal Chess Interface: no panic, no hang, each
//! `isready` answered, and one `bestmove` for each `go`.

use std::collections::BTreeMap;

use crate::common::dialogue::PATIENCE;
use crate::common::fuzz::{mutated, noise};
use crate::common::rig::uci;
use kashan::front::Flow;
use kashan::protocol::uci::{Command, Reply};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

const LINES: usize = 100_000;

const COMMANDS: &str = "\
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

fn a_line(random: &mut Xoshiro256PlusPlus) -> String {
    let mut line = match random.random_range(0..20) {
        0 => return noise(random),
        // Words of one line in another.
        1 => {
            let words: Vec<&str> = COMMANDS.split([' ', ';']).filter(|word| !word.is_empty()).collect();
            let length = random.random_range(1..12);
            (0..length).map(|_| *words.choose(random).unwrap()).collect::<Vec<_>>().join(" ")
        }
        _ => COMMANDS.split("; ").collect::<Vec<_>>().choose(random).unwrap().to_string(),
    };
    if random.random_range(0..4) == 0 {
        line = mutated(random, &line);
    }
    line
}

/// What was asked for, and what came.
#[derive(Debug, Default)]
struct Account {
    asked: usize,
    answered: usize,
    ready_asked: usize,
    ready: usize,
    kinds: BTreeMap<&'static str, usize>,
}

impl Account {
    fn asks(&mut self, line: &str) {
        match line.parse() {
            Ok(Command::Go(_)) => self.asked += 1,
            Ok(Command::IsReady) => self.ready_asked += 1,
            _ => {}
        }
    }

    fn hears(&mut self, lines: &[String]) {
        for line in lines {
            assert!(!line.chars().any(char::is_control), "{line:?}");
            let kind = match line.parse().expect("every line is a reply") {
                Reply::BestMove { best: Some(_), .. } => "a move",
                Reply::BestMove { best: None, .. } => "no move",
                Reply::ReadyOk => "ready",
                Reply::Info(info) if info.text.is_some() => "text",
                Reply::Info(_) => "thoughts",
                Reply::Option(_) => "options",
                Reply::Name(_) | Reply::Author(_) | Reply::UciOk => "introduction",
                other => panic!("{line:?} is {other:?}"),
            };
            *self.kinds.entry(kind).or_default() += 1;
            self.answered += usize::from(kind.ends_with("move"));
            self.ready += usize::from(kind == "ready");
        }
        assert!(self.answered <= self.asked && self.ready <= self.ready_asked);
    }
}

#[test]
fn whatever_is_said_each_go_has_one_answer() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2004);
    let mut rig = uci();
    let mut account = Account::default();
    rig.fake.searches_are_kept(false);
    rig.fake.races.store(true, std::sync::atomic::Ordering::SeqCst);
    rig.lines();
    for number in 0..LINES {
        let line = a_line(&mut random);
        rig.fake.score(random.random_range(-1500..1500));
        if line.parse() == Ok(Command::Quit) {
            continue;
        }
        account.asks(&line);
        assert_eq!(rig.send(&line), Flow::Continue, "line {number}: {line:?}");
        // Now and then everything has to come to rest; before that, the search is in any state.
        if random.random_range(0..4) == 0 {
            for line in ["stop", "isready"] {
                account.asks(line);
                rig.send(line);
            }
            account.hears(&rig.lines());
            while account.answered < account.asked || account.ready < account.ready_asked {
                assert!(rig.step(PATIENCE), "line {number}: {account:?}");
                account.hears(&rig.lines());
            }
        } else if random.random_range(0..2) == 0 {
            while rig.step(std::time::Duration::ZERO) {}
        }
        if number % 1000 == 0 {
            account.hears(&rig.lines());
        }
    }
    account.hears(&rig.lines());
    // The lines led somewhere, and not only to errors.
    eprintln!("{:?}", account.kinds);
    for kind in ["a move", "no move", "ready", "text", "thoughts", "options", "introduction"] {
        assert!(account.kinds.get(kind).is_some_and(|&count| count > 100), "{kind}: {:?}", account.kinds);
    }
}
