//! python-chess drives us by both protocols, and engines of others that speak the Universal Chess
//! Interface are understood.

use std::fs::File;
use std::process::Command;

use crate::common::programs::{TestFolder, have, have_python_chess, run, run_python};
use kashan::rules::protocol::uci::{OptionType, Reply};

const ENGINE: &str = env!("CARGO_BIN_EXE_kashan");

#[test]
fn python_chess_drives_every_backend() {
    if have_python_chess() && have(&["timeout"]) {
        ["drive.py", "drive_uci.py"]
            .into_iter()
            .for_each(|script| run_python(&[script, ENGINE]));
    }
}

/// An engine's answer to `uci` and a little thinking.
fn said_by(program: &str) -> Option<String> {
    if !have(&[program, "timeout"]) {
        return None;
    }
    let place = TestFolder::with(&[(
        "questions",
        "uci\nisready\nposition startpos moves e2e4\ngo depth 3\n",
    )]);
    let input = File::open(place.file("questions")).expect("it was just written");
    // The end of input is the end of these engines, after what they were asked.
    let output = run(Command::new("timeout")
        .args(["-k", "5", "300", program])
        .stdin(input));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn what_other_engines_say_is_understood() {
    for program in ["stockfish", "glaurung"] {
        let Some(said) = said_by(program) else {
            continue;
        };
        let replies: Vec<Reply> = said
            .lines()
            .map(|line| line.parse().expect("each line is read"))
            .collect();
        let count =
            |wanted: fn(&Reply) -> bool| replies.iter().filter(|reply| wanted(reply)).count();
        assert_eq!(count(|reply| matches!(reply, Reply::Name(_))), 1, "{said}");
        assert_eq!(count(|reply| *reply == Reply::UciOk), 1, "{said}");
        let lines = said
            .lines()
            .filter(|line| line.starts_with("option "))
            .count();
        assert_eq!(
            count(|reply| matches!(reply, Reply::Option(_))),
            lines,
            "{said}"
        );
        let is_hash =
            |reply: &&Reply| matches!(reply, Reply::Option(offer) if offer.name == "Hash");
        let Some(Reply::Option(hash)) = replies.iter().find(is_hash) else {
            panic!("{said}")
        };
        assert!(
            matches!(
                hash.kind,
                OptionType::Spin {
                    min: Some(_),
                    max: Some(_),
                    ..
                }
            ),
            "{hash:?}"
        );
        // What is understood loses nothing but blanks, the order of words, and what nobody here
        // wants to know.
        const UNREAD: [&str; 4] = ["hashfull", "tbhits", "currmove", "currmovenumber"];
        for (line, reply) in said.lines().zip(&replies) {
            if !matches!(reply, Reply::Other(_)) {
                let words = |text: &str| {
                    let mut words = Vec::new();
                    let mut all = text.split_whitespace();
                    while let Some(word) = all.next() {
                        match text.starts_with("info ") && UNREAD.contains(&word) {
                            true => drop(all.next()),
                            false => words.push(word.to_lowercase()),
                        }
                    }
                    // Stockfish writes nothing where the specification wants this.
                    words.retain(|word| word != "<empty>");
                    words.sort();
                    words
                };
                assert_eq!(words(&reply.to_string()), words(line), "{line}");
            }
        }
        println!("{program}: {} replies", replies.len());
    }
}
