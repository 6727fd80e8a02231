//! Weights as files, in TOML:
//!
//! ```toml
//! evaluation = "paper"
//!
//! [weights]                                   # in centipawns; what is missing keeps its default
//! knight = 310
//! knight_tropism = [0, 4, 4, 1, 0, 0, 0, 0]
//!
//! [made]                                      # for people: how the weights came about
//! seed = 1
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

use anyhow::anyhow;
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::{Evaluation, WeightSet, WeightSpec};
use crate::util::display::one_line;
use crate::util::input;

/// The first line of the files written by a command.
pub fn mark(command: &str) -> String {
    let name: Vec<&str> = command.split_whitespace().take(3).collect();
    format!(
        "# Weights of an evaluation of Kashan, in centipawns, by {}.",
        one_line(&name.join(" "))
    )
}

/// More than any set of weights needs.
const MAX_BYTES: u64 = 1 << 20;

/// The content of a file of weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// The evaluation, and all its weights.
    pub weights: WeightSet,
    /// The history of the weights, for people; each writer has keys of its own.
    pub made: Table,
}

/// The file's layout.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    evaluation: Spanned<String>,
    #[serde(default)]
    weights: BTreeMap<Spanned<String>, Spanned<Value>>,
    #[serde(default)]
    made: Table,
}

/// A fault, and its place in the text.
struct Fault {
    at: Range<usize>,
    reason: String,
}

impl WeightsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Refuses a file that cannot be read, is no TOML, names no evaluation of ours, has a weight
    /// unknown to its evaluation, too few or too many numbers for one, or a number out of range.
    /// The text names the file and, where there is one, line and field.
    pub fn load(path: &Path) -> anyhow::Result<WeightsFile> {
        let unreadable =
            |cause: io::Error| anyhow!("cannot read weights {}: {cause}", path.display());
        let mut content = Vec::new();
        input::check_no_pipe(path).map_err(unreadable)?;
        let file = input::open(path).map_err(unreadable)?;
        file.take(MAX_BYTES)
            .read_to_end(&mut content)
            .map_err(unreadable)?;
        input::cut_byte_order_mark(&mut content);
        let text = input::decoded(content);
        parse(&text).map_err(|Fault { at, reason }| {
            let line = text[..at.start].matches('\n').count() + 1;
            anyhow!(
                "weights {}, line {line}: {}",
                path.display(),
                one_line(&reason)
            )
        })
    }

    /// Its first line: see [`mark`].
    pub fn mark(&self) -> String {
        mark(
            self.made
                .get("command")
                .and_then(Value::as_str)
                .unwrap_or("kashan"),
        )
    }

    /// The file's text: every weight, to be independent of later changes of the defaults.
    pub fn to_text(&self) -> String {
        let evaluation = self.weights.evaluation();
        let units = f64::from(evaluation.per_centipawn());
        let name: &str = evaluation.into();
        let mut text = format!(
            "{}\nevaluation = {}\n\n[weights]\n",
            self.mark(),
            Value::from(name)
        );
        for (_, field, range) in evaluation.placed() {
            let single = range.len() == 1;
            let numbers = self.weights.row()[range]
                .iter()
                .map(|&weight| (f64::from(weight) / units).to_string());
            let numbers = numbers.collect::<Vec<_>>().join(", ");
            let _ = match single {
                true => writeln!(text, "{field} = {numbers}"),
                false => writeln!(text, "{field} = [{numbers}]"),
            };
        }
        if !self.made.is_empty() {
            let _ = write!(text, "\n[made]\n{}", self.made);
        }
        text
    }
}

fn parse(text: &str) -> Result<WeightsFile, Fault> {
    let document: Document = toml::from_str(text).map_err(|error| Fault {
        at: error.span().unwrap_or(0..0),
        reason: error.message().to_owned(),
    })?;
    let evaluation: Evaluation = document.evaluation.get_ref().parse().map_err(|_| Fault {
        at: document.evaluation.span(),
        reason: format!(
            "evaluation: \"{}\" is not one of {}",
            document.evaluation.get_ref(),
            <Evaluation as strum::VariantNames>::VARIANTS.join(", ")
        ),
    })?;
    if evaluation == Evaluation::Network {
        return Err(Fault {
            at: document.evaluation.span(),
            reason: "evaluation: \"network\" has no weights (kashan tune network makes networks)"
                .to_owned(),
        });
    }
    let table = evaluation.table();
    let mut row = WeightSet::of(evaluation).row().to_vec();
    for (name, value) in &document.weights {
        let Some((.., range)) = evaluation
            .placed()
            .find(|(_, field, _)| field == name.get_ref())
        else {
            let evaluation: &str = evaluation.into();
            let reason = format!(
                "weights.{}: evaluation {evaluation} has no such weight",
                name.get_ref()
            );
            return Err(Fault {
                at: name.span(),
                reason,
            });
        };
        let fault = |reason: String| Fault {
            at: value.span(),
            reason: format!("weights.{}: {reason}", name.get_ref()),
        };
        let numbers = match value.get_ref() {
            Value::Array(numbers) if range.len() > 1 => numbers.as_slice(),
            single => std::slice::from_ref(single),
        };
        if numbers.len() != range.len() {
            return Err(fault(format!(
                "{} numbers are needed, here are {}",
                range.len(),
                numbers.len()
            )));
        }
        for (index, number) in range.clone().zip(numbers) {
            row[index] =
                read_number(number, &table[index], evaluation.per_centipawn()).map_err(fault)?;
        }
    }
    Ok(WeightsFile {
        weights: WeightSet::with_row(evaluation, &row),
        made: document.made,
    })
}

/// A number of centipawns in units of the set.
fn read_number(value: &Value, spec: &WeightSpec, units: i32) -> Result<i32, String> {
    let centipawns = match *value {
        Value::Integer(number) => number as f64,
        Value::Float(number) => number,
        _ => return Err(format!("{value} is not a number")),
    };
    let exact = centipawns * f64::from(units);
    let scale = f64::from(units);
    let min = f64::from(spec.min);
    let max = f64::from(spec.max);
    if !(min..=max).contains(&exact) {
        return Err(format!(
            "{centipawns} is not from {} to {}",
            min / scale,
            max / scale
        ));
    }
    // A decimal fraction is seldom a binary one.
    match (exact - exact.round()).abs() < 1e-6 {
        true => Ok(exact.round() as i32),
        false if units == 1 => Err(format!("{centipawns} is not a whole number")),
        false => Err(format!("{centipawns} is not a multiple of {}", 1.0 / scale)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<WeightsFile, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("my.toml");
        std::fs::write(&path, text).expect("written");
        WeightsFile::load(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_missing_keeps_its_default() {
        let read = load(
            "evaluation = \"winglet\"\n[weights]\nknight = 310\nknight_tropism = [0,1,2,3,4,5,6,7]\n",
        );
        let table = Evaluation::Winglet.table();
        let place = |name: &str| table.iter().position(|spec| spec.name == name).expect(name);
        let mut expected = WeightSet::of(Evaluation::Winglet).row().to_vec();
        expected[place("knight")] = 310;
        let first = place("knight_tropism[0]");
        expected[first..first + 8].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(read.expect("a good file").weights.row(), expected);
        assert_eq!(
            load("evaluation = \"paper\"").expect("enough").weights,
            WeightSet::of(Evaluation::Paper)
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        for &evaluation in <Evaluation as strum::VariantArray>::VARIANTS {
            let table = evaluation.table();
            if table.is_empty() {
                continue;
            }
            let row: Vec<i32> = table
                .iter()
                .enumerate()
                .map(|(n, spec)| spec.min + n as i32)
                .collect();
            let weights = WeightSet::with_row(evaluation, &row);
            let made = Table::from_iter([("command".to_owned(), Value::from("say \"a\nb\""))]);
            let file = WeightsFile { weights, made };
            assert_eq!(load(&file.to_text()), Ok(file));
        }
    }

    #[test]
    fn faults_are_named_with_file_line_and_field() {
        let faults = [
            ("evaluation = ", "my.toml, line 1: "),
            ("[weights]\nknight = 300", "missing field `evaluation`"),
            (
                "evaluation = \"elephant\"",
                "line 1: evaluation: \"elephant\" is not one of paper, winglet",
            ),
            (
                "evaluation = \"paper\"\nspeed = 1",
                "my.toml, line 2: unknown field `speed`",
            ),
        ]
        .map(|(text, why)| (text.to_owned(), why));
        let of_weights = [
            (
                "pawn = 100\nknihgt = 300",
                "line 4: weights.knihgt: evaluation paper has no such weight",
            ),
            (
                "pawn = 9999",
                "line 3: weights.pawn: 9999 is not from 0 to 2000",
            ),
            ("pawn = nan", "weights.pawn: NaN is not from 0 to 2000"),
            ("pawn = 99.5", "weights.pawn: 99.5 is not a whole number"),
            ("pawn = \"one\"", "weights.pawn: \"one\" is not a number"),
            ("pawn = [1, 2]", "weights.pawn: [1, 2] is not a number"),
            (
                "\nqueen_tropism = [1, 2]",
                "line 4: weights.queen_tropism: 8 numbers are needed, here are 2",
            ),
            ("pawn = 1\npawn = 2", "my.toml, line 4: "),
        ];
        let of_weights = of_weights
            .map(|(text, why)| (format!("evaluation = \"paper\"\n[weights]\n{text}"), why));
        for (text, expected) in faults.into_iter().chain(of_weights) {
            let error = load(&text).expect_err(&text);
            assert!(
                error.contains(expected) && !error.contains('\n'),
                "{text}\n{error}"
            );
        }
        let missing = WeightsFile::load(Path::new("no/such.toml"))
            .expect_err("not there")
            .to_string();
        assert!(missing.contains("no/such.toml"), "{missing}");
    }
}
