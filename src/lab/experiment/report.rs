//! Findings as files: data as JSON, tables as Markdown, and one report with all of them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ClaimVerdict, Conclusion, Conditions, EvolutionSize, Experiment, PREFACE, Scale, Text,
    catalogue,
};
use crate::arena::EngineSpec;
use crate::util::display::{Format, TIED, Table, fill};
use crate::util::files::{self, OutputFile};
use crate::util::input;

/// Returns the identity of the program: version and commit.
pub fn program() -> Value {
    json!({ "name": "Kashan", "version": env!("CARGO_PKG_VERSION"), "commit": env!("KASHAN_COMMIT") })
}

/// Writes the results of one experiment into a folder: `c12.json` and `c12.md`.
pub fn write(
    folder: &Path,
    experiment: &Experiment,
    conditions: &Conditions,
    conclusion: &Conclusion,
) -> anyhow::Result<()> {
    let stem = experiment.id.to_lowercase();
    let mut json = serde_json::to_string_pretty(&conclusion.to_json(experiment, conditions))?;
    json.push('\n');
    let text = section(experiment, conditions, conclusion) + &rule();
    put(folder, &format!("{stem}.md"), &text, &heading(experiment))?;
    // After the text: whoever is killed in between leaves no finding without one.
    put(folder, &format!("{stem}.json"), &json, JSON_MARK)
}

/// Returns the one rule of all verdicts, at the end of each finding.
fn rule() -> String {
    format!("\n{}", wrapped(PREFACE.words["rule"].trim()))
}

/// Returns a verdict as a cell of a table, with the important facts of the run: `stand-in: refuted,
/// quick run`.
pub fn verdict_in_words(
    experiment: &Experiment,
    conditions: &Conditions,
    conclusion: &Conclusion,
) -> String {
    let mut words = conclusion.verdict.to_string();
    // Where nothing was done, nothing was done quickly, and unit tests have no size.
    if matches!(conclusion.verdict, ClaimVerdict::NotRun(_)) || conclusion.data.is_null() {
        return words;
    }
    if is_by_stand_ins(&experiment.text, &conditions.opponents) {
        words.insert_str(0, "stand-in: ");
    }
    if conditions.scale == Scale::Quick {
        words.push_str(", quick run");
    }
    let is_small = conditions.evolution.is_some_and(EvolutionSize::is_small);
    if experiment.text.heeds("evolution") && is_small {
        words.push_str(", small evolutions");
    }
    words
}

/// Returns true if others play for the paper's opponent.
fn is_by_stand_ins(text: &Text, opponents: &[EngineSpec]) -> bool {
    let missing = text.stand_in_for.to_lowercase();
    let is_it = |engine: &EngineSpec| {
        let words = format!("{} {} {:?}", engine.name, engine.command, engine.arguments);
        words.to_lowercase().contains(&missing)
    };
    let are_named = text.heeds("opponents") && !opponents.is_empty();
    let plays_itself = are_named && opponents.iter().all(is_it);
    !missing.is_empty() && !plays_itself
}

/// Checks, before hours of work, that findings can be written into a folder.
///
/// # Errors
/// A foreign file there that would be lost; a finding that is damaged or of another experiment, so
/// that no report could be made.
pub fn check(folder: &Path, experiments: &[Experiment]) -> anyhow::Result<()> {
    files::check(&[], [OutputFile::report(&folder.join(REPORT), TITLE)])?;
    for experiment in experiments {
        let stem = experiment.id.to_lowercase();
        for (ending, mark) in [("json", JSON_MARK), ("md", &heading(experiment))] {
            let path = folder.join(format!("{stem}.{ending}"));
            files::check(&[], [OutputFile::report(&path, mark)])?;
        }
    }
    // The report has those of other runs, too.
    for experiment in catalogue() {
        Finding::read(folder, &experiment)?;
    }
    Ok(())
}

/// The finding of one experiment, read for the report.
#[derive(Deserialize)]
struct Finding {
    id: String,
    verdict: ClaimVerdict,
    /// The verdict with the important facts of the run; missing in findings of 0.2.0.
    in_words: Option<String>,
    #[serde(skip)]
    section: String,
}

impl Finding {
    /// `None` if there is none in the folder.
    fn read(folder: &Path, experiment: &Experiment) -> anyhow::Result<Option<Finding>> {
        let stem = experiment.id.to_lowercase();
        let Some(json) = get(folder, &format!("{stem}.json"))? else {
            return Ok(None);
        };
        let mut finding: Finding = serde_json::from_str(&json).with_context(|| {
            let folder = folder.display();
            format!("{folder}/{stem}.json is no finding that can be read: move it away")
        })?;
        ensure!(
            finding.id == experiment.id,
            "{stem}.json: it is a finding of experiment \"{}\", not of {}: move it away",
            finding.id,
            experiment.id
        );
        finding.section = get(folder, &format!("{stem}.md"))?
            .with_context(|| format!("there is {stem}.json, but no {stem}.md beside it"))?;
        ensure!(
            finding.section.starts_with(&heading(experiment)),
            "{stem}.md: it does not begin with \"{}\", as the finding of {stem}.json does",
            heading(experiment).trim_end()
        );
        Ok(Some(finding))
    }
}

/// Begins every finding's data.
const JSON_MARK: &str = "{\n  \"claim\": \"";

/// Begins every finding's text.
fn heading(experiment: &Experiment) -> String {
    format!("# {}: ", experiment.id)
}

/// Makes `report.md` of all findings in a folder, new or old: a table of the verdicts, then all
/// findings. `commits` are the commits of the programs that did the work.
///
/// # Errors
/// Unreadable or unwritable files, or files in another form than [`write()`] gives them.
pub fn compile(folder: &Path, commits: &[String]) -> anyhow::Result<PathBuf> {
    let mut table = Table::headed(" | Experiment | Verdict");
    let mut sections = String::new();
    let rule = rule();
    for experiment in catalogue() {
        let Some(finding) = Finding::read(folder, &experiment)? else {
            continue;
        };
        let words = finding.in_words.unwrap_or(finding.verdict.to_string());
        table.row([experiment.id, &experiment.text.title, &words]);
        // One level lower: the report has a heading of its own, and says the rule once.
        sections += &format!("#{}\n", finding.section.replace(&rule, ""));
    }
    let commits = match commits {
        [commit] => format!("commit {commit}"),
        _ => format!("commits {}", commits.join(", ")),
    };
    let words = &PREFACE.words;
    let text = format!(
        "{TITLE}\n\n{}, put to the test by `kashan experiment`, {commits}.\n\n{}\n{}\n{rule}\n{sections}",
        words["papers"],
        table.render(Format::Markdown),
        words["true_of_all"]
    );
    put(folder, REPORT, &wrapped(&text), TITLE)?;
    Ok(folder.join(REPORT))
}

/// The report's name.
const REPORT: &str = "report.md";
const TITLE: &str = "# The paper's experiments";

fn put(folder: &Path, name: &str, text: &str, mark: &str) -> anyhow::Result<()> {
    OutputFile::report(&folder.join(name), mark).write(text.as_bytes())
}

/// `None` if there is no such file.
pub(super) fn get(folder: &Path, name: &str) -> anyhow::Result<Option<String>> {
    let path = folder.join(name);
    let content =
        files::content(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(content.map(input::decoded))
}

/// Everything about one experiment as Markdown.
fn section(experiment: &Experiment, conditions: &Conditions, conclusion: &Conclusion) -> String {
    let Text {
        title,
        claim,
        source,
        ..
    } = &experiment.text;
    let mut text = format!("{}{title}\n\n> {claim}", heading(experiment));
    if !source.is_empty() {
        text += &format!(" ({source})");
    }
    let words = verdict_in_words(experiment, conditions, conclusion);
    text += &format!("\n\n**{}.**\n\n", capitalised(&words));
    for part in &conclusion.parts {
        text += &format!(
            "* {}: **{}**: {}\n",
            part.statement, part.verdict, part.evidence
        );
    }
    text += &format!("\n{}\n\n", conclusion.method);
    for paragraph in &conclusion.paragraphs {
        text += &format!("{paragraph}\n\n");
    }
    text += &format!(
        "*Kashan {}, commit {}; {}. Time controls are in seconds.*\n",
        env!("CARGO_PKG_VERSION"),
        env!("KASHAN_COMMIT"),
        conditions.in_words()
    );
    wrapped(&text)
}

/// The longest line of a paragraph, in characters.
const WIDTH: usize = 120;

/// Breaks paragraphs, quotations and items of lists into lines. Tables, headings, pictures and code
/// stay as they are.
fn wrapped(markdown: &str) -> String {
    let mut text = String::new();
    for line in markdown.lines() {
        if line.starts_with(['|', '#', '!']) || line.starts_with("    ") {
            text += line;
        } else {
            text += &paragraph(line);
        }
        text.push('\n');
    }
    text
}

fn paragraph(line: &str) -> String {
    let indent = match line.get(..2) {
        Some("* ") => "  ",
        Some("> ") => "> ",
        _ => "",
    };
    // A sign at the beginning of a line would begin a list.
    let tied = line
        .replace(" - ", &format!("{TIED}- "))
        .replace(" + ", &format!("{TIED}+ "));
    fill(&tied, Some(WIDTH), "", indent).replace(TIED, " ")
}

fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::lab::experiment::Part;

    #[test]
    fn committed_findings_are_known_as_ours() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/results");
        check(&committed, &catalogue()).expect("the pages are ours");
        // Each line of the data is what an experiment wrote into a file of its own.
        let data = crate::util::input::read(&committed.join("findings.json.gz")).expect("data");
        let mut count = 0;
        for line in String::from_utf8(data).expect("text").lines() {
            let finding: Value = serde_json::from_str(line).expect("JSON");
            let id = finding["id"].as_str().expect("an experiment");
            let catalogue = catalogue();
            // Questions of ours that are no longer asked keep their pages.
            if ["A10", "M10", "T12", "ablation"].contains(&id) {
                continue;
            }
            let experiment = catalogue.iter().find(|known| known.id == id).expect(id);
            let folder = tempfile::tempdir().expect("a folder");
            let file = |ending: &str| format!("{}.{ending}", id.to_lowercase());
            fs::write(folder.path().join(file("json")), line).expect("it can be written");
            fs::copy(committed.join(file("md")), folder.path().join(file("md"))).expect("a page");
            let read = Finding::read(folder.path(), experiment).expect("it can be read");
            assert!(read.is_some(), "{id}");
            count += 1;
        }
        assert_eq!(count, 48, "findings");
    }

    /// A conclusion of one part with this verdict.
    fn concluded(verdict: ClaimVerdict, data: Value) -> Conclusion {
        let part = Part::new("It is so", verdict, "seen");
        Conclusion::new("By looking.".to_owned(), vec![part], data)
    }

    #[test]
    fn a_cell_says_what_has_to_be_known_of_the_run() {
        let catalogue = catalogue();
        let words = |id: &str, verdict: ClaimVerdict, conditions: &Conditions| {
            let experiment = catalogue
                .iter()
                .find(|experiment| experiment.id == id)
                .expect(id);
            verdict_in_words(experiment, conditions, &concluded(verdict, json!([])))
        };
        let full = Conditions::default();
        let quick = Conditions {
            scale: super::super::Scale::Quick,
            ..full.clone()
        };
        assert_eq!(words("C12", ClaimVerdict::Refuted, &full), "refuted");
        assert_eq!(
            words("C12", ClaimVerdict::Refuted, &quick),
            "refuted, quick run"
        );
        assert_eq!(
            words("C11", ClaimVerdict::Measured, &full),
            "stand-in: measured"
        );
        let not_run = ClaimVerdict::NotRun("no Stockfish".to_owned());
        assert_eq!(words("T3", not_run, &quick), "not run: no Stockfish");
        let evolution = "12,20,32".parse().ok();
        let small = Conditions {
            evolution,
            ..full.clone()
        };
        let open = || ClaimVerdict::NotDecided("320 games".to_owned());
        assert_eq!(
            words("T3", open(), &small),
            "stand-in: not decided by 320 games, small evolutions"
        );
        assert_eq!(words("C9", open(), &small), "not decided by 320 games");
        let ufim = crate::arena::EngineSpec::new("wine", "wine UFIM802.exe");
        let named = Conditions {
            opponents: vec![ufim],
            ..full
        };
        assert_eq!(words("C11", ClaimVerdict::Measured, &named), "measured");
        assert_eq!(
            words("A2", ClaimVerdict::RefutedInPart, &named),
            "stand-in: refuted in part"
        );
        // Unit tests have no size.
        let experiment = &catalogue[0];
        let proven = concluded(ClaimVerdict::Confirmed, Value::Null);
        let cell = verdict_in_words(experiment, &quick, &proven);
        assert_eq!(cell, "confirmed");
    }

    #[test]
    fn paragraphs_are_broken_and_tables_are_not() {
        let row = format!("| {} |", "cell ".repeat(40));
        let item = format!("* {}: H - K + 1", "word ".repeat(23).trim());
        let quotation = format!("> {}", "said ".repeat(30).trim());
        let text = wrapped(&format!("# Title\n\n{item}\n{row}\n\n{quotation}\n"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[2].ends_with("word:") && lines[2].len() <= WIDTH,
            "{text}"
        );
        assert_eq!((lines[3], lines[4]), ("  H - K + 1", &*row));
        assert!(
            lines[6].len() <= WIDTH && lines[7].starts_with("> said"),
            "{text}"
        );
        assert_eq!(wrapped(&text), text);
    }

    #[test]
    fn the_report_has_everything_that_was_ever_written_into_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let conditions = Conditions::default();
        let put_down = |index: usize, verdict: ClaimVerdict| {
            let conclusion = concluded(verdict, json!([]));
            write(folder.path(), &catalogue()[index], &conditions, &conclusion).expect("written");
        };
        let report = |commits: &[&str]| {
            let commits: Vec<String> = commits.iter().map(|&commit| commit.to_owned()).collect();
            let path = compile(folder.path(), &commits).expect("compiled");
            fs::read_to_string(path).expect("there")
        };
        put_down(1, ClaimVerdict::Confirmed);
        assert!(report(&["a1"]).contains("`kashan experiment`, commit a1."));
        let single = fs::read_to_string(folder.path().join("c2.md")).expect("there");
        assert!(single.contains("*How verdicts are given.*"), "{single}");
        put_down(0, ClaimVerdict::NotDecided("8 games".to_owned()));
        let both = report(&["a1", "b2"]);
        assert!(both.contains("commits a1, b2."), "{both}");
        assert_eq!(
            both.matches("*How verdicts are given.*").count(),
            1,
            "{both}"
        );
        // What it wrote it writes anew.
        put_down(0, ClaimVerdict::Confirmed);
        check(folder.path(), &catalogue()).expect("all is of ours");
        // What cannot be in the report shows before the work, whichever experiments are chosen.
        let path = folder.path().join("c2.json");
        let known = fs::read_to_string(&path).expect("there");
        for (content, reason) in [
            (
                &known[..known.len() / 2],
                "c2.json is no finding that can be read: move it away: EOF",
            ),
            ("of somebody else", "move it away: expected value"),
            (
                &*known.replace("\"id\": \"C2\"", "\"id\": \"C8\""),
                "of experiment \"C8\", not of C2",
            ),
            (
                &*known.replace("\"verdict\": \"confirmed\"", "\"verdict\": 5"),
                "c2.json is no finding that can be read: move it away: expected value",
            ),
        ] {
            fs::write(&path, content).expect("written");
            for error in [
                check(folder.path(), &catalogue()[..1]).expect_err(reason),
                compile(folder.path(), &[]).expect_err(reason),
            ] {
                assert!(format!("{error:#}").contains(reason), "{error:#}");
            }
        }
        fs::write(&path, known).expect("written");
        let text = folder.path().join("c2.md");
        fs::write(&text, "# C3: something else\n").expect("written");
        let error = check(folder.path(), &catalogue()[..1])
            .expect_err("another text")
            .to_string();
        assert!(
            error.starts_with("c2.md: it does not begin with \"# C2:\""),
            "{error}"
        );
        fs::remove_file(&text).expect("there");
        let error = check(folder.path(), &catalogue()[..1])
            .expect_err("no text")
            .to_string();
        assert!(error.contains("no c2.md beside it"), "{error}");
    }
}
