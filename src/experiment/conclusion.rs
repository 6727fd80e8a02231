//! What came out of an experiment.

use serde::Serialize;
use serde_json::{Value, json};

use super::laboratory::Contest;
use super::verdict::{ClaimVerdict, Part};
use super::{Conditions, Experiment, rows};
use crate::display::Table;

/// A table, figure or paragraph of the report.
#[derive(Clone, Debug)]
pub enum Exhibit {
    Table {
        caption: String,
        table: Table,
    },
    /// `name` becomes part of the file's name: letters, digits and hyphens.
    Figure {
        name: String,
        caption: String,
        svg: String,
    },
    /// A paragraph of Markdown.
    Text(String),
}

/// The result of an experiment.
#[derive(Clone, Debug)]
pub struct Conclusion {
    pub verdict: ClaimVerdict,
    pub parts: Vec<Part>,
    /// How it was done, for people: engines, limits, openings, in a paragraph of Markdown.
    pub method: String,
    /// All numbers, for programs.
    pub data: Value,
    /// In the order in which they are to be seen.
    pub exhibits: Vec<Exhibit>,
}

impl Conclusion {
    /// A conclusion whose verdict follows from its parts.
    pub fn new(method: impl Into<String>, parts: Vec<Part>, data: impl Serialize) -> Conclusion {
        Conclusion {
            verdict: ClaimVerdict::of_all(parts.iter().map(|part| &part.verdict)),
            parts,
            method: method.into(),
            data: json!(data),
            exhibits: Vec::new(),
        }
    }

    /// What could not be tried, and why.
    pub fn not_run(statement: &str, why: &str, evidence: &str) -> Conclusion {
        let part = Part::new(statement, ClaimVerdict::NotRun(why.to_owned()), evidence);
        Conclusion::new("Nothing was done.", vec![part], Value::Null)
    }

    /// A conclusion from matches, each of which says what is claimed of it. `head` names what distinguishes
    /// them in a table with this caption.
    pub fn of_matches(method: String, caption: &str, head: &str, contests: &[Contest]) -> Conclusion {
        let parts = contests.iter().map(Contest::part).collect();
        Conclusion::new(method, parts, contests).with_matches(caption, head, contests)
    }

    /// Adds a table.
    pub fn with_table(mut self, caption: impl Into<String>, table: Table) -> Conclusion {
        let caption = caption.into();
        self.exhibits.push(Exhibit::Table { caption, table });
        self
    }

    /// Adds a table of rows, whose columns are those of `rows::table`.
    pub fn with_rows<R: Serialize>(
        self,
        caption: impl Into<String>,
        columns: &str,
        rows: impl IntoIterator<Item = R>,
    ) -> Conclusion {
        self.with_table(caption, rows::table(columns, rows))
    }

    /// Adds a table of matches, and says how their games ended.
    pub fn with_matches<'c>(
        self,
        caption: impl Into<String>,
        head: &str,
        contests: impl IntoIterator<Item = &'c Contest> + Clone,
    ) -> Conclusion {
        let endings = Contest::endings_in_words(contests.clone());
        self.with_table(caption, Contest::table(head, contests)).with_text(endings)
    }

    /// Adds a figure.
    pub fn with_figure(mut self, name: &str, caption: impl Into<String>, svg: String) -> Conclusion {
        self.exhibits.push(Exhibit::Figure { name: name.to_owned(), caption: caption.into(), svg });
        self
    }

    /// Adds a paragraph.
    pub fn with_text(mut self, text: impl Into<String>) -> Conclusion {
        self.exhibits.push(Exhibit::Text(text.into()));
        self
    }

    /// Everything but the pictures, for programs.
    pub fn to_json(&self, experiment: &Experiment, conditions: &Conditions) -> Value {
        json!({
            "id": experiment.id,
            "title": experiment.text.title,
            "claim": experiment.text.claim,
            "source": experiment.text.source,
            "program": super::report::program(),
            "conditions": conditions,
            "verdict": self.verdict,
            "parts": self.parts,
            "data": self.data,
        })
    }
}
