//! What is said of an experiment: everything in a report but what was found.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Deserialize;
use serde_json::json;

use super::claims::depths::Claim;
use super::{Conclusion, Laboratory, Part};

/// What stands for words in braces.
pub type Words<'w> = &'w [(&'w str, &'w dyn Display)];

/// A text with what words in braces mean, one after the other.
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

/// What `catalogue.toml` says of an experiment. Where it has a word in braces, as `{games}`, a run
/// says what stands there.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Text {
    pub title: String,
    /// What the paper says, or what is to be measured, in a sentence or two.
    pub claim: String,
    /// Where the paper says it; empty if it does not.
    pub source: String,
    /// The program that the paper played against and that cannot be had; empty if there is none.
    pub stand_in_for: String,
    /// Statements that cannot come out otherwise from one run to the next, because they are
    /// arithmetic: what is stated, what was seen, and the unit test that proves it.
    pub(super) proven: Vec<[String; 3]>,
    /// The same of statements that do not hold.
    pub(super) disproven: Vec<[String; 3]>,
    /// What it heeds of the conditions that not all heed: `preset`, `opponents`, `evolution`.
    pub(super) heeds: Vec<String>,
    /// How it is done: engines, limits, openings, in a paragraph of Markdown.
    pub(super) method: String,
    /// What stands for `{conditions}` in a run with clocks, and in one without.
    pub(super) with_clocks: String,
    pub(super) without_clocks: String,
    /// What is to be known of what was found.
    pub remark: String,
    /// What is said of opponents of fixed depth.
    pub(super) depths: Vec<Claim>,
    /// By name: the caption, and the titles of the chart and of its axes.
    pub(super) figures: BTreeMap<String, Vec<String>>,
}

impl Text {
    /// Whether a run heeds a condition that not all heed: `preset`, `opponents`, `evolution`.
    pub fn heeds(&self, condition: &str) -> bool {
        self.heeds.iter().any(|heeded| heeded == condition)
    }

    /// The conclusion of a run, whose verdict follows from its parts and those that are proven.
    /// `words` are what stands in the braces.
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
        let words: Vec<_> = words
            .map(|(word, means)| (word.to_owned(), means.to_string()))
            .collect();
        let text = self.filled(&words);
        let parts = text.proven_parts().chain(parts).collect();
        Conclusion {
            data: json!(data),
            ..Conclusion::new(text, parts)
        }
    }

    fn filled(&self, words: &[(String, String)]) -> Text {
        let fill = |text: &mut String| {
            *text = filled(text, words.iter().map(|(word, means)| (word, means)))
        };
        let mut text = self.clone();
        fill(&mut text.method);
        text.figures.values_mut().flatten().for_each(fill);
        let is_filled = |text: &String| !text.contains('{');
        debug_assert!(
            is_filled(&text.method) && text.figures.values().flatten().all(is_filled),
            "{text:?}"
        );
        text
    }

    fn proven_parts(&self) -> impl Iterator<Item = Part> {
        let proven = self.proven.iter().map(|proven| (proven, true));
        proven
            .chain(self.disproven.iter().map(|proven| (proven, false)))
            .map(|(proven, holds)| {
                let [statement, seen, test] = proven;
                Part::exact(statement, holds, format!("{seen} (`cargo test {test}`)"))
            })
    }
}
