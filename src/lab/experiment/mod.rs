//! The paper's experiments, repeatable by anyone.
//!
//! Each claim of Dehghani & Babamir 2017 is an experiment with an identifier, C1 to C13. T1
//! to T11 are claims of the paper on the tuning of weights, A1 to A9 of the paper behind the
//! backend `action`, M1 to M9 of the program that plays by threats. Their texts are in
//! `catalogue.toml`; an experiment is work in a [`Laboratory`] that ends with a [`Conclusion`].
//!
//! ```text
//!  Conditions (scale, seed, limits, opponents) ─> Laboratory ─> Experiment ─> Conclusion (verdict, data, tables) ─> report
//!                                                     │
//!                             matches (the arena), notes (anything else): all work is journalled
//! ```
//!
//! A verdict is never more than the interval allows: confirmed, refuted, or not decided. With node
//! limits instead of clocks, the same seed gives the same findings, byte for byte: such findings
//! contain nothing that depends on the hour or the machine.

pub mod action;
mod blunders;
pub mod claims;
pub mod conclusion;
pub mod conditions;
pub mod laboratory;
mod matches;
pub mod positions;
pub mod report;
mod text;
pub mod threats;
pub mod tuning;
pub mod verdict;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use tuning::setups;

pub use conclusion::Conclusion;
pub use conditions::{Conditions, EvolutionSize, Scale};
pub use laboratory::{Laboratory, Match, Watcher};
pub use text::{Text, Words};
pub use tuning::runs::Setup;
pub use tuning::setups::Variation;
pub use verdict::{ClaimVerdict, Part};

/// The way to carry an experiment out.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Unit tests prove everything: there is one possible outcome.
    Proven,
    /// Matches, each of them a claim or a measurement.
    Matches(fn(&Laboratory) -> anyhow::Result<Vec<Match>>),
    /// Evolutions of weights, the first better than the others.
    Evolutions(fn(&Setup) -> Vec<Variation>),
    /// Work of its own; the text is the catalogue's.
    Own(fn(&Laboratory, &Text) -> anyhow::Result<Conclusion>),
}

/// A question for the program about itself.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// `C1` to `C13` for the paper's claims, `T1` to `T11` for those about tuning, `A1` to `A9` for
    /// those about a library of actions, and `M1` to `M9` for those about threats.
    pub id: &'static str,
    pub text: Text,
    pub run: Run,
}

impl Experiment {
    /// Carries the experiment out.
    ///
    /// # Errors
    /// A stop by the user; engines that do not start; unreadable or unwritable journals.
    pub fn run(&self, laboratory: &Laboratory) -> anyhow::Result<Conclusion> {
        let text = &self.text;
        match self.run {
            Run::Proven => Ok(text.conclude(laboratory, &[], Vec::new(), ())),
            Run::Matches(matches) => matches::run(laboratory, text, matches(laboratory)?),
            Run::Evolutions(setups) => tuning::compare(laboratory, text, setups),
            Run::Own(run) => run(laboratory, text),
        }
    }
}

const CATALOGUE: &str = include_str!("catalogue.toml");

/// The head of the catalogue, before its experiments.
#[derive(Deserialize)]
struct Preface {
    /// The replacements of words in braces in all experiments.
    words: BTreeMap<String, String>,
}

static PREFACE: LazyLock<Preface> =
    LazyLock::new(|| toml::from_str(CATALOGUE).expect("the catalogue, which is built in, is TOML"));

/// Reads the texts of all experiments in `catalogue.toml`, with their names and in its order.
fn texts() -> Result<Vec<(String, Text)>, toml::de::Error> {
    let words = &PREFACE.words;
    // As if each word's meaning stood in its place. Some meanings have other words in them, hence
    // twice.
    let all: toml::Table = toml::from_str(&text::filled(CATALOGUE, words.iter().chain(words)))?;
    let mut texts = Vec::new();
    for (id, text) in all {
        if id != "words" {
            texts.push((id, text.try_into()?));
        }
    }
    Ok(texts)
}

/// The experiments with code of their own beside the catalogue.
const RUNS: [(&str, Run); 38] = [
    ("C1", Run::Own(claims::initial_population::run)),
    ("C2", Run::Own(claims::fitness::run)),
    ("C3", Run::Own(claims::operators::run)),
    ("C4", Run::Own(claims::quiescence::branches)),
    ("C5", Run::Own(claims::quiescence::quiet_positions)),
    ("C7", Run::Own(claims::tactics::run)),
    ("C8", Run::Own(blunders::in_29_positions)),
    ("C9", Run::Own(claims::depths::minmax)),
    ("C10", Run::Own(claims::depths::alphabeta)),
    ("C11", Run::Own(claims::ufim::run)),
    ("C12", Run::Own(claims::initial_population::levels)),
    ("C13", Run::Own(claims::deadline::run)),
    ("T2", Run::Own(tuning::strength::run)),
    ("T3", Run::Own(tuning::strength::against_others)),
    ("T4", Run::Evolutions(setups::mutations)),
    ("T5", Run::Evolutions(setups::players)),
    ("T6", Run::Evolutions(setups::problems)),
    ("T7", Run::Evolutions(setups::involved)),
    ("T8", Run::Evolutions(setups::kinds)),
    ("T9", Run::Evolutions(setups::sigmas)),
    ("T10", Run::Own(tuning::material)),
    ("T11", Run::Own(tuning::letter)),
    ("A1", Run::Matches(action::power)),
    ("A2", Run::Matches(action::first_filter)),
    ("A3", Run::Matches(action::both_filters)),
    ("A4", Run::Own(action::degrees)),
    ("A6", Run::Own(action::retrieval::example)),
    ("A7", Run::Own(action::retrieval::reduction)),
    ("A8", Run::Own(action::retaining)),
    ("A9", Run::Own(blunders::with_power)),
    ("M2", Run::Own(threats::pruning::time)),
    ("M3", Run::Own(threats::tree)),
    ("M4", Run::Own(threats::pruning::choice)),
    ("M5", Run::Own(threats::pruning::speed)),
    ("M6", Run::Own(threats::tactics::forks_and_pins)),
    ("M7", Run::Own(threats::tactics::defence)),
    ("M8", Run::Matches(threats::factors)),
    ("M9", Run::Matches(threats::book)),
];

fn run_of(id: &str) -> Run {
    match RUNS.iter().find(|(known, _)| *known == id) {
        Some(&(_, run)) => run,
        None => Run::Proven,
    }
}

static ALL: LazyLock<Vec<Experiment>> = LazyLock::new(|| {
    let texts = texts()
        .expect("every experiment of the catalogue has what it needs")
        .into_iter();
    texts
        .map(|(id, text)| Experiment {
            run: run_of(&id),
            id: id.leak(),
            text,
        })
        .collect()
});

/// Returns all experiments, in the order of reports.
pub fn catalogue() -> Vec<Experiment> {
    ALL.clone()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn every_text_of_the_catalogue_is_that_of_an_experiment() {
        let texts = texts().expect("TOML");
        assert!(texts.iter().all(
            |(
                _,
                Text {
                    title,
                    claim,
                    method,
                    ..
                },
            )| { [title, claim, method].iter().all(|text| !text.is_empty()) }
        ));
        for word in PREFACE.words.keys() {
            assert!(
                !format!("{texts:?}").contains(&format!("{{{word}}}")),
                "{word}"
            );
        }
        for (id, _) in RUNS {
            assert!(texts.iter().any(|(known, _)| known == id), "{id}");
        }
        let ids: Vec<&str> = texts.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(
            [ids[0], ids[13], ids[24], ids[33], ids[41]],
            ["C1", "T1", "A1", "M1", "M9"]
        );
    }

    /// The Rust sources of a folder, as one text.
    fn sources(folder: &Path) -> String {
        let entries = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        let text = |path: PathBuf| {
            if path.is_dir() {
                sources(&path)
            } else if path.extension().is_none_or(|ending| ending != "rs") {
                String::new()
            } else {
                fs::read_to_string(path).expect("text")
            }
        };
        entries.map(text).collect()
    }

    #[test]
    fn what_is_proven_has_a_test() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let whole = sources(&source);
        let is_test = |test: &str, indent: &str| {
            let test = test.rsplit("::").next().unwrap_or_default();
            whole.contains(&format!("\n{indent}#[test]\n{indent}fn {test}() {{"))
        };
        for (_, text) in texts().expect("TOML") {
            for [.., test] in text.proven.iter().chain(&text.disproven) {
                assert!(is_test(test, "    ") || is_test(test, ""), "{test}");
            }
        }
    }
}
