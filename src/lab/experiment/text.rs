//! The text of an experiment: everything in a report but the findings.

use std::fmt::Display;

use serde::Deserialize;
use serde_json::json;

use super::claims::depths::Claim;
use super::{Conclusion, Laboratory, Part};

/// The replacements of words in braces.
pub type Words<'w> = &'w [(&'w str, &'w dyn Display)];

/// Replaces words in braces, one after the other.
pub fn filled<W: Display, M: AsRef<str>>(
    text: &str,
    words: impl IntoIterator<Item = (W, M)>,
) -> String {
    words
        .into_iter()
        .fold(text.to_owned(), |text, (word, means)| {
            text.replace(&format!("{{{word}}}"), means.as_ref())
        })
}

/// The text of an experiment in `catalogue.toml`. A run replaces each word in braces, for example
/// `{games}`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Text {
    pub title: String,
    /// The paper's statement, or the quantity to measure, in a sentence or two.
    pub claim: String,
    /// The place in the paper; empty without one.
    pub source: String,
    /// The paper's opponent, if unobtainable; empty if there is none.
    pub stand_in_for: String,
    /// Statements with one possible outcome, because they are arithmetic: the statement, the
    /// observation, and the unit test as proof.
    pub(super) proven: Vec<[String; 3]>,
    /// Statements of the same kind that do not hold.
    pub(super) disproven: Vec<[String; 3]>,
    /// The special conditions of the experiment: `preset`, `opponents`, `evolution`.
    pub(super) heeds: Vec<String>,
    /// The method: engines, limits, openings, in a paragraph of Markdown.
    pub(super) method: String,
    /// The text for `{conditions}` in a run with clocks, and in one without.
    pub(super) with_clocks: String,
    pub(super) without_clocks: String,
    /// A remark on the findings.
    pub remark: String,
    /// Claims about opponents of fixed depth.
    pub(super) depths: Vec<Claim>,
}

impl Text {
    /// Returns true if a run heeds a special condition: `preset`, `opponents`, `evolution`.
    pub fn heeds(&self, condition: &str) -> bool {
        self.heeds.iter().any(|heeded| heeded == condition)
    }

    /// Returns the conclusion of a run; its verdict follows from its parts and from the proven
    /// statements. `words` are the replacements of words in braces.
    pub fn conclude(
        &self,
        laboratory: &Laboratory,
        words: Words<'_>,
        parts: Vec<Part>,
        data: impl serde::Serialize,
    ) -> Conclusion {
        let conditions = if laboratory.conditions.are_reproducible() {
            &self.without_clocks
        } else {
            &self.with_clocks
        };
        let preset = laboratory.conditions.preset.into_str();
        let of_all: [(&str, &dyn Display); 2] = [("conditions", conditions), ("preset", &preset)];
        let words = of_all.into_iter().chain(words.iter().copied());
        let words = words.map(|(word, means)| (word, means.to_string()));
        let method = filled(&self.method, words);
        debug_assert!(!method.contains('{'), "{method}");
        let mut all = Vec::new();
        for (statements, holds) in [(&self.proven, true), (&self.disproven, false)] {
            for [statement, seen, test] in statements {
                let evidence = format!("{seen} (`cargo test {test}`)");
                all.push(Part::exact(statement, holds, evidence));
            }
        }
        all.extend(parts);
        Conclusion::new(method, all, json!(data))
    }
}
