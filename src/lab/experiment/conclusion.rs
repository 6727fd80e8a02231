//! The result of an experiment.

use serde_json::{Value, json};

use super::laboratory::PlayedMatch;
use super::report::{program, verdict_in_words};
use super::verdict::{ClaimVerdict, Part};
use super::{Conditions, Experiment};

/// The result of an experiment.
#[derive(Clone, Debug)]
pub struct Conclusion {
    pub verdict: ClaimVerdict,
    pub parts: Vec<Part>,
    /// The numbers, for programs; `null` where unit tests prove everything.
    pub data: Value,
    /// The method: engines, limits, openings, in a paragraph of Markdown.
    pub(super) method: String,
    /// Paragraphs and tables of Markdown, in the order of the report.
    pub(super) paragraphs: Vec<String>,
}

impl Conclusion {
    /// Makes a conclusion; its verdict follows from its parts.
    pub(super) fn new(method: String, parts: Vec<Part>, data: Value) -> Conclusion {
        Conclusion {
            verdict: ClaimVerdict::of_all(parts.iter().map(|part| &part.verdict)),
            parts,
            data,
            method,
            paragraphs: Vec::new(),
        }
    }

    /// Makes a conclusion of a trial that was not run, with the reason.
    pub fn not_run(statement: &str, why: &str, evidence: &str) -> Conclusion {
        let part = Part::new(statement, ClaimVerdict::NotRun(why.to_owned()), evidence);
        Conclusion::new("Nothing was done.".to_owned(), vec![part], Value::Null)
    }

    /// Adds the endings of the games of matches.
    pub fn with_endings(self, played_matches: &[PlayedMatch]) -> Conclusion {
        self.with_text(PlayedMatch::endings_in_words(played_matches))
    }

    /// Adds a paragraph.
    pub fn with_text(mut self, text: impl Into<String>) -> Conclusion {
        self.paragraphs.push(text.into());
        self
    }

    /// Returns the finding, for programs.
    pub fn to_json(&self, experiment: &Experiment, conditions: &Conditions) -> Value {
        json!({
            "id": experiment.id,
            "title": experiment.text.title,
            "claim": experiment.text.claim,
            "source": experiment.text.source,
            "program": program(),
            "conditions": conditions,
            "verdict": self.verdict,
            "in_words": verdict_in_words(experiment, conditions, self),
            "parts": self.parts,
            "data": self.data,
        })
    }
}
