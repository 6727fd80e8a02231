//! The result of an experiment.

use std::fmt::Display;

use serde_json::{Value, json};

use super::laboratory::PlayedMatch;
use super::verdict::{ClaimVerdict, Part};
use super::{Conditions, Experiment, Text};
use crate::util::display::{BarChart, BarRow, Format, LineChart, Mark, Series, Table};

/// A figure of the report, or a text or table between figures.
#[derive(Clone, Debug)]
pub enum Exhibit {
    /// `name` becomes part of the file's name: letters, digits and hyphens.
    Figure {
        name: String,
        caption: String,
        svg: String,
    },
    /// A paragraph or a table of Markdown.
    Text(String),
}

/// The result of an experiment.
#[derive(Clone, Debug)]
pub struct Conclusion {
    pub verdict: ClaimVerdict,
    pub parts: Vec<Part>,
    /// The numbers, for programs.
    pub data: Value,
    /// The exhibits in the order of their display.
    pub exhibits: Vec<Exhibit>,
    /// The catalogue's text, with the method.
    pub(super) text: Text,
}

impl Conclusion {
    /// Makes a conclusion; its verdict follows from its parts.
    pub(super) fn new(text: Text, parts: Vec<Part>) -> Conclusion {
        let verdict = ClaimVerdict::of_all(parts.iter().map(|part| &part.verdict));
        Conclusion {
            verdict,
            parts,
            data: Value::Null,
            exhibits: Vec::new(),
            text,
        }
    }

    /// Makes a conclusion of a trial that was not run, with the reason.
    pub fn not_run(statement: &str, why: &str, evidence: &str) -> Conclusion {
        let part = Part::new(statement, ClaimVerdict::NotRun(why.to_owned()), evidence);
        let text = Text {
            method: "Nothing was done.".to_owned(),
            ..Text::default()
        };
        Conclusion::new(text, vec![part])
    }

    /// Adds a table.
    pub fn with_table(self, caption: impl Display, table: Table) -> Conclusion {
        self.with_text(format!(
            "{caption}:\n\n{}",
            table.render(Format::Markdown).trim_end()
        ))
    }

    /// Adds a table of rows under a head in the form of [`Table::headed`].
    pub fn with_rows<R: IntoIterator<Item = String>>(
        self,
        caption: impl Display,
        head: &str,
        rows: impl IntoIterator<Item = R>,
    ) -> Conclusion {
        self.with_table(caption, Table::headed(head).with_rows(rows))
    }

    /// Adds a table of matches, and the endings of their games. `head` names the difference between
    /// the matches.
    pub fn with_matches<'c>(
        self,
        caption: &str,
        head: &str,
        played_matches: impl IntoIterator<Item = &'c PlayedMatch> + Clone,
    ) -> Conclusion {
        let endings = PlayedMatch::endings_in_words(played_matches.clone());
        self.with_table(caption, PlayedMatch::table(head, played_matches))
            .with_text(endings)
    }

    /// Adds the figure of this name in the catalogue, with lines; `reference` is one to compare
    /// with.
    pub fn with_lines(
        self,
        name: &str,
        reference: Option<f64>,
        series: impl IntoIterator<Item = Series>,
    ) -> Conclusion {
        let [title, x_title, y_title] = self.titles(name);
        let chart = LineChart {
            title,
            x_title,
            y_title,
            reference,
            series: series.into_iter().collect(),
        };
        self.with_figure(name, chart.to_svg())
    }

    /// Adds the figure of this name in the catalogue, with bars or dots.
    pub fn with_bars(
        self,
        name: &str,
        mark: Mark,
        rows: impl IntoIterator<Item = BarRow>,
    ) -> Conclusion {
        let [title, x_title, _] = self.titles(name);
        let chart = BarChart {
            title,
            x_title,
            mark,
            rows: rows.into_iter().collect(),
        };
        self.with_figure(name, chart.to_svg())
    }

    fn titles(&self, figure: &str) -> [String; 3] {
        let texts = &self.text.figures[figure];
        [1, 2, 3].map(|title| texts.get(title).cloned().unwrap_or_default())
    }

    fn with_figure(mut self, name: &str, svg: String) -> Conclusion {
        let caption = self.text.figures[name][0].clone();
        self.exhibits.push(Exhibit::Figure {
            name: name.to_owned(),
            caption,
            svg,
        });
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
            "in_words": super::report::verdict_in_words(experiment, &self.verdict, &json!(conditions), &self.data),
            "parts": self.parts,
            "data": self.data,
        })
    }
}
