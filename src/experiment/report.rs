//! Findings as files: data as JSON, tables as Markdown, figures as SVG, and one report with all of them.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{Conditions, Exhibit, Experiment, Finding, Scale};
use crate::arena::files;
use crate::display::{Align, Format, Table};

/// Which program this is: version and commit.
pub fn program() -> Value {
    json!({ "name": "Kashan", "version": env!("CARGO_PKG_VERSION"), "commit": env!("KASHAN_COMMIT") })
}

/// Writes what came out of one experiment into a folder: `c12.json`, `c12.md` and `c12-NAME.svg` for each figure.
///
/// # Errors
/// Files that cannot be written.
pub fn write(
    folder: &Path,
    experiment: &Experiment,
    conditions: &Conditions,
    finding: &Finding,
) -> anyhow::Result<()> {
    let stem = experiment.id.to_lowercase();
    let write = |name: String, text: &str| {
        let path = folder.join(name);
        files::replace(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    };
    let mut json = serde_json::to_string_pretty(&finding.to_json(experiment, conditions))?;
    json.push('\n');
    write(format!("{stem}.json"), &json)?;
    write(format!("{stem}.md"), &section(experiment, finding, 1))?;
    for exhibit in &finding.exhibits {
        if let Exhibit::Figure { name, svg, .. } = exhibit {
            write(format!("{stem}-{name}.svg"), svg)?;
        }
    }
    Ok(())
}

/// Everything about one experiment as Markdown, with headings from that level on.
pub fn section(experiment: &Experiment, finding: &Finding, level: usize) -> String {
    let stem = experiment.id.to_lowercase();
    let mut text = String::new();
    let heading = "#".repeat(level);
    let _ = writeln!(text, "{heading} {}: {}\n", experiment.id, experiment.title);
    let source = match experiment.source {
        "" => String::new(),
        source => format!(" ({source})"),
    };
    let _ = writeln!(text, "> {}{source}\n", experiment.claim);
    let _ = writeln!(text, "**{}.**\n", capitalised(&finding.verdict.in_words()));
    if !finding.parts.is_empty() {
        let mut table = Table::new([
            ("Statement", Align::Left),
            ("Verdict", Align::Left),
            ("What was seen", Align::Left),
        ]);
        for part in &finding.parts {
            table.row([
                part.statement.clone(),
                part.verdict.in_words(),
                part.evidence.clone(),
            ]);
        }
        let _ = writeln!(text, "{}", table.render(Format::Markdown));
    }
    let _ = writeln!(text, "{}\n", finding.method);
    for exhibit in &finding.exhibits {
        let _ = match exhibit {
            Exhibit::Table { caption, table } => {
                writeln!(text, "{caption}:\n\n{}", table.render(Format::Markdown))
            }
            Exhibit::Figure { name, caption, .. } => {
                writeln!(text, "![{caption}]({stem}-{name}.svg)\n\n{caption}\n")
            }
            Exhibit::Text(paragraph) => writeln!(text, "{paragraph}\n"),
        };
    }
    text
}

/// The report: what was found in a table, then everything. `begun_by` is the commit that the journals were begun with.
pub fn report(conditions: &Conditions, begun_by: &str, findings: &[(Experiment, Finding)]) -> String {
    let mut text = String::from("# The paper's experiments\n\n");
    let program = program();
    let part = |name: &str| program[name].as_str().unwrap_or_default().to_owned();
    let scale = match conditions.scale {
        Scale::Quick => "quick run, which shows what is asked rather than what the answer is",
        Scale::Full => "full run",
    };
    let _ = writeln!(
        text,
        "Dehghani & Babamir, *A GA based method for search-space reduction of chess game-tree*, Applied Intelligence 2017, put to the test by \
         `kashan experiment`, version {}, commit {}, seed {}, {scale}.\n",
        part("version"),
        part("commit"),
        conditions.seed
    );
    if begun_by != part("commit") {
        let _ = writeln!(text, "Part of the work was done before, by commit {begun_by}.\n");
    }
    if let Some(nodes) = conditions.nodes {
        let _ = writeln!(
            text,
            "Every search has {nodes} nodes instead of time: the same command gives the same report.\n"
        );
    }
    let mut table = Table::new([
        ("", Align::Left),
        ("Experiment", Align::Left),
        ("Verdict", Align::Left),
    ]);
    for (experiment, finding) in findings {
        table.row([experiment.id, experiment.title, &finding.verdict.in_words()]);
    }
    let _ = writeln!(text, "{}", table.render(Format::Markdown));
    text.push_str(
        "Values are in pawns unless said otherwise. Intervals are 95 % intervals; those of matches are taken from game pairs, and a claim is only \
         called confirmed or refuted if the whole interval is on one side.\n\n",
    );
    for (experiment, finding) in findings {
        text.push_str(&section(experiment, finding, 2));
    }
    text
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
