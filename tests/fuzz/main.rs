//! The targets of `cargo fuzz` (`Cargo.toml` beside this file) for a few seconds each: good input
//! with bytes changed, put in, taken out and cut off, and noise. `benches/results/trust.md` has
//! what else looks for such faults.

mod readers;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use kashan::arena::statistics::Decision;
use kashan::arena::tournament::JournalEntry;
use kashan::util::jobs::journal::Journal;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The time of each target: three seconds, or as many as `KASHAN_FUZZ_SECONDS` says.
fn time() -> Duration {
    let seconds =
        std::env::var("KASHAN_FUZZ_SECONDS").map_or(3, |text| text.parse().expect("a number"));
    Duration::from_secs(seconds)
}

fn mutated(random: &mut Xoshiro256PlusPlus, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.random_range(0..6) {
        let at = random.random_range(0..=bytes.len());
        // Words that mean something in one of the formats, and bytes that mean nothing.
        let words: [&[u8]; 10] = [
            b"\n",
            b"\"",
            b"{",
            b"]",
            b"-1",
            b"99999999999999999999",
            b"\0",
            b"\xff",
            b" ",
            b"\xc3\xa9",
        ];
        match random.random_range(0..4) {
            0 => drop(bytes.splice(at..at, words.choose(random).expect("words").iter().copied())),
            1 if at < bytes.len() => bytes[at] = random.random(),
            2 => bytes.truncate(at.max(bytes.len().saturating_sub(50))),
            _ => drop(bytes.drain(at..(at + random.random_range(0..9)).min(bytes.len()))),
        }
    }
    bytes
}

/// Good input of a target.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read(source.join(path)).expect("it is in the source");
    let lines = |text: &[u8]| {
        text.split(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let texts = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect::<Vec<_>>()
    };
    match name {
        "fen" => lines(
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3\n\
              r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 99 50",
        ),
        "epd" => lines(&read("tests/suites/tactical100.epd")),
        "pgn" => vec![read("book/openings/open-games.pgn")[..2_000].to_vec()],
        "xboard" => lines(
            b"level 40 5:30 0.1\nsetboard 4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\ntime 100\noption Hash=3\n\
              e7e8q\nexclude e2e4\nfeature ping=1 myname=\"X\" option=\"Hash -spin 1 1 9\" done=1\n\
              9 12 150 3000 Nf3 Nc6\n1-0 {White mates}",
        ),
        "uci" => lines(
            b"go wtime 1 btime 1 movestogo 3 searchmoves e2e4\nposition startpos moves e2e4\n\
              setoption name Hash value 3\nbestmove e2e4 ponder e7e5\n\
              info depth 3 multipv 2 score cp 5 lowerbound nodes 9 pv e2e4 e7e5\n\
              option name Hash type spin default 1 min 1 max 9",
        ),
        "journal" => {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("journal");
            let settings = serde_json::json!({ "seed": 1, "engines": [] });
            let (mut journal, _) = Journal::open::<JournalEntry>(&path, &settings).expect("a new one");
            journal.add(&JournalEntry::Decided(Decision::AcceptH1)).expect("written");
            vec![fs::read(path).expect("it was written")]
        }
        "weights" => {
            texts(&["# Weights of Kashan\nevaluation = \"winglet\"\n[weights]\n", "evaluation = \"paper\"\n"])
        }
        "library" => {
            let packed = read("book/openings/kashan.klib.gz");
            let mut bytes = Vec::new();
            flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).expect("it is packed");
            // Its first games, and a whole one.
            vec![bytes[..bytes.len().min(4_000)].to_vec(), bytes]
        }
        "toml" => texts(&[
            "rounds = 2\nlimits = \"5+0.05\"\n[openings]\nplies = 8\n[adjudication]\nwin = { moves = 4, score = 700 }\n[[engines]]\ncommand = \"kashan:genetic\"\noptions = { Hash = 32 }\n",
            "sprt = { elo0 = 0, elo1 = 5 }\nstrict = true\n",
        ]),
        _ => panic!("{name} has no seeds"),
    }
}

#[test]
fn nothing_that_is_read_makes_a_panic() {
    for (name, _) in readers::ALL {
        let target = readers::target(name);
        let seeds = seeds(name);
        // As they are first: the good input is good.
        seeds.iter().for_each(|seed| target(seed));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(28);
        let (begun, time, mut count) = (Instant::now(), time(), 0_u32);
        while begun.elapsed() < time {
            let noise: Vec<u8> = (0..random.random_range(0..60))
                .map(|_| random.random())
                .collect();
            let seed = seeds.choose(&mut random).expect("seeds");
            let bytes = if random.random_range(0..10) == 0 {
                noise
            } else {
                mutated(&mut random, seed)
            };
            if std::panic::catch_unwind(|| target(&bytes)).is_err() {
                panic!("{name}: {:?}", String::from_utf8_lossy(&bytes));
            }
            count += 1;
        }
        println!("{name}: {count} inputs");
        assert!(count > 20, "{name}: {count} inputs");
    }
}

/// `cargo fuzz` finds a target for each reader.
#[test]
fn every_reader_has_its_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("the manifest");
    for (name, _) in readers::ALL {
        assert!(
            manifest.contains(&format!("name = \"{name}\"\npath = \"target.rs\"")),
            "{name}"
        );
    }
    assert!(folder.join("target.rs").is_file());
}
