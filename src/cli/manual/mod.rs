//! `kashan help`: the manual, a file of Markdown for each topic, wrapped to the width of the
//! terminal.

use anyhow::bail;
use clap::{Args, CommandFactory as _};

use super::{CommandLine, print};
use crate::engine::Settings;
use crate::util::display::{self, fill, nearest};
use crate::util::options::{OptionKind, OptionSpec};

/// Show the manual: topics with examples, and the options of a command.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A topic, or a command.
    #[arg(value_name = "TOPIC")]
    words: Vec<String>,
}

/// A page of the manual.
struct Topic {
    name: &'static str,
    /// Other likely names of the topic.
    aliases: &'static [&'static str],
    /// Markdown; the first line is the title.
    text: &'static str,
}

macro_rules! topics {
    ($($name:literal $(or $alias:literal)*),* $(,)?) => {
        &[$(Topic {
            name: $name,
            aliases: &[$($alias),*],
            text: include_str!(concat!("topics/", $name, ".md")),
        }),*]
    };
}

/// The manual, in the order of its list of contents.
const TOPICS: &[Topic] = topics![
    "console" or "terminal" or "play",
    "xboard" or "winboard" or "install-xboard",
    "uci",
    "options" or "option" or "settings",
    "genetic" or "search" or "algorithm",
    "explain",
    "threats" or "threat" or "minimax",
    "action" or "actions" or "retain",
    "papers" or "players" or "presets" or "marcarelli" or "hesham" or "coello" or "dehghani",
    "match" or "sprt",
    "tournament" or "tournaments",
    "rate" or "elo" or "ratings",
    "blunders" or "blunder",
    "solve" or "suites" or "suite" or "epd",
    "check" or "compliance" or "protocol",
    "tuning" or "tune" or "weights" or "evaluation",
    "experiment" or "experiments" or "claims" or "paper",
    "book" or "books" or "openings",
    "library" or "libraries" or "klib" or "cases",
    "bench" or "perft" or "eval",
    "machines" or "openbench" or "part" or "parts" or "slurm" or "parallel" or "cluster",
    "release-notes" or "news" or "changes",
];

impl Topic {
    fn find(word: &str) -> Option<&'static Topic> {
        let word = word.to_lowercase();
        TOPICS
            .iter()
            .find(|topic| topic.name == word || topic.aliases.contains(&word.as_str()))
    }

    fn title(&self) -> &str {
        self.text
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("# ")
    }

    /// Returns the text, with the parts that the program itself knows better.
    fn markdown(&self) -> String {
        let mut text = joined(self.text);
        if self.name == "options" {
            Settings::table()
                .iter()
                .for_each(|spec| text.push_str(&item(spec)));
        }
        if CommandLine::command().find_subcommand(self.name).is_some() {
            text.push_str(&format!(
                "\n`kashan {} --help` lists all its options.\n",
                self.name
            ));
        }
        text
    }
}

/// Prints a topic, the help of a command, or the list of both.
///
/// # Errors
/// An unknown topic or command; the text names the probable one.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    match words[..] {
        [] => show(&contents()),
        [word] if let Some(topic) = Topic::find(word) => show(&topic.markdown()),
        [_, word, ..] if Topic::find(word).is_some() => {
            bail!("\"{word}\" is a topic of its own: one at a time")
        }
        _ => command_help(&words),
    }
}

/// The list of topics, and how to get at the rest.
fn contents() -> String {
    let mut text =
        String::from("# The manual of Kashan\n\n`kashan help TOPIC` shows one of these:\n\n");
    for topic in TOPICS {
        text.push_str(&format!("* **{}**: {}\n", topic.name, topic.title()));
    }
    text.push_str(
        "\n`kashan --help` lists the commands, `kashan COMMAND --help` the options of one.\n",
    );
    text
}

/// Prints the output of `kashan COMMAND --help`.
fn command_help(words: &[&str]) -> anyhow::Result<()> {
    let mut command = CommandLine::command();
    command.build();
    let mut found = &mut command;
    for word in words {
        let known: Vec<String> = found
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect();
        found = match found.find_subcommand_mut(word) {
            Some(command) => command,
            None => return unknown(word, &known),
        };
    }
    print(&found.render_long_help().to_string())
}

fn unknown(word: &str, commands: &[String]) -> anyhow::Result<()> {
    let topics = TOPICS
        .iter()
        .flat_map(|topic| topic.aliases.iter().chain([&topic.name]))
        .copied();
    let known = topics.chain(commands.iter().map(String::as_str));
    match nearest(word, known) {
        Some(name) => bail!("there is no topic \"{word}\"; did you mean {name}?"),
        None => bail!("there is no topic \"{word}\"; \"kashan help\" lists them"),
    }
}

/// Prints Markdown, as wide as the terminal, up to a readable width.
fn show(markdown: &str) -> anyhow::Result<()> {
    const WIDEST: usize = 110;
    const USUAL: usize = 80;
    let width = display::columns().map_or(USUAL, |columns| columns.clamp(20, WIDEST));
    print(&wrapped(markdown, width))
}

/// Wraps paragraphs and the items of lists. Code keeps its width, to be copied.
fn wrapped(markdown: &str, width: usize) -> String {
    let mut text = String::new();
    let mut is_fenced = false;
    for line in markdown.lines() {
        is_fenced ^= line.starts_with("```");
        if is_fenced || stands_alone(line) {
            text += line;
        } else {
            let indent = " ".repeat(marker(line).map_or(0, str::len));
            text += &fill(line, Some(width), "", &indent);
        }
        text.push('\n');
    }
    text
}

/// Returns true for a line of code or of a table, and for a title.
fn stands_alone(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with("```") || line.starts_with(['#', '|'])
}

/// Returns the beginning of a list item, with the blank behind: `* ` or `3. `.
fn marker(line: &str) -> Option<&str> {
    let (mark, _) = line.split_once(' ')?;
    (mark == "*" || is_number(mark)).then(|| &line[..=mark.len()])
}

/// Returns true if a word numbers an item: `3.`
fn is_number(word: &str) -> bool {
    word.strip_suffix('.')
        .is_some_and(|number| number.parse::<u8>().is_ok())
}

/// An option of the engine, as an item of a list.
fn item(spec: &OptionSpec) -> String {
    let default = spec.default_text();
    let range = spec.range();
    let value = match &spec.kind {
        OptionKind::Path { .. } | OptionKind::File { default: "" } => range,
        OptionKind::File { .. } => format!("{default}; or {range}"),
        OptionKind::Combo { .. } => format!("{default}; of {range}"),
        OptionKind::Check { .. } | OptionKind::Spin { .. } => format!("{default}; {range}"),
    };
    format!("* **{}** ({value}): {}\n", spec.name, spec.about)
}

/// Markdown with every paragraph and every item of a list on a line of its own, and without
/// comments.
fn joined(markdown: &str) -> String {
    let mut text = String::new();
    let mut flows = false;
    let mut is_fenced = false;
    let mut is_comment = false;
    for line in markdown.lines() {
        is_comment |= line.starts_with("<!--");
        if is_comment {
            is_comment = !line.ends_with("-->");
            continue;
        }
        is_fenced ^= line.starts_with("```");
        let is_prose = !is_fenced && !stands_alone(line) && !line.is_empty();
        if flows && is_prose && marker(line).is_none() {
            text.push(' ');
            text += line.trim_start();
        } else {
            text.push('\n');
            text += line;
        }
        flows = is_prose;
    }
    text.trim_start().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::arena::spec::split_command;

    const README: &str = include_str!("../../../README.md");

    /// All that users read: name and text.
    fn documents() -> impl Iterator<Item = (&'static str, &'static str)> {
        TOPICS
            .iter()
            .map(|topic| (topic.name, topic.text))
            .chain([("README", README)])
    }

    /// The lines of indented examples.
    fn examples(text: &str) -> impl Iterator<Item = &str> {
        text.lines()
            .filter_map(|line| line.strip_prefix("    "))
            .map(|line| match line.split_once(" #") {
                Some((command, _)) => command.trim_end(),
                None => line,
            })
    }

    #[test]
    fn every_command_that_is_printed_is_understood() {
        let mut count = 0;
        for (name, text) in documents() {
            for line in
                examples(text).filter(|line| *line == "kashan" || line.starts_with("kashan "))
            {
                let words = split_command(line).expect(line);
                CommandLine::try_parse_from(words)
                    .unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
                count += 1;
            }
        }
        assert!(count > 30, "{count} commands");
    }

    #[test]
    fn every_topic_that_is_mentioned_is_there() {
        for (name, text) in documents() {
            for rest in text.split("`kashan help ").skip(1) {
                let topic = rest.split('`').next().unwrap_or_default();
                assert!(
                    topic == "TOPIC" || Topic::find(topic).is_some(),
                    "{name} mentions {topic}"
                );
            }
        }
    }

    /// All options of a command, and of the commands below it.
    fn flags(command: &clap::Command) -> Vec<&str> {
        let own = command.get_arguments().filter_map(clap::Arg::get_long);
        own.chain(command.get_subcommands().flat_map(flags))
            .collect()
    }

    #[test]
    fn every_option_of_the_program_that_is_mentioned_is_there() {
        let command = CommandLine::command();
        // clap adds it later.
        let flags = [flags(&command), vec!["help"]].concat();
        let mut count = 0;
        for topic in TOPICS {
            for word in topic
                .text
                .split('`')
                .filter_map(|word| word.strip_prefix("--"))
            {
                let flag = word.split([' ', '=']).next().unwrap_or(word);
                assert!(flags.contains(&flag), "{}: --{flag}", topic.name);
                count += 1;
            }
        }
        assert!(count > 30, "{count} options");
    }

    #[test]
    fn the_manual_has_one_page_a_name() {
        let mut names = HashSet::new();
        for topic in TOPICS {
            let mut own = topic.aliases.iter().chain([&topic.name]);
            assert!(own.all(|name| names.insert(*name)), "{} twice", topic.name);
            assert!(topic.text.starts_with("# "), "{}", topic.name);
        }
    }

    #[test]
    fn no_word_is_lost_at_any_width() {
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        for topic in TOPICS {
            let markdown = topic.markdown();
            for width in [50, 80, 140] {
                let text = wrapped(&markdown, width);
                assert_eq!(
                    letters(&text),
                    letters(&markdown),
                    "{} at {width}",
                    topic.name
                );
                // Examples are as long as they are: nobody could copy them otherwise.
                let mut is_fenced = false;
                for line in text.lines() {
                    is_fenced ^= line.starts_with("```");
                    let is_prose = !is_fenced && !stands_alone(line);
                    let fits = line.chars().count() <= width;
                    assert!(fits || !is_prose, "{} at {width}: {line}", topic.name);
                }
                for line in markdown.lines().filter(|line| line.starts_with("    ")) {
                    assert!(
                        text.lines().any(|shown| shown == line),
                        "{} at {width}: {line}",
                        topic.name
                    );
                }
            }
        }
    }

    #[test]
    fn paragraphs_are_joined_and_code_is_not() {
        let text = "# Title\n\nOne\ntwo.\n\n* a\n  b\n* c\n1. d\n`e`\nf\n\n    x\n    y\n\n<!-- not\nseen -->\n```\np\nq\n```\n";
        let expected =
            "# Title\n\nOne two.\n\n* a b\n* c\n1. d `e` f\n\n    x\n    y\n\n```\np\nq\n```\n";
        assert_eq!(joined(text), expected);
    }

    #[test]
    fn what_is_not_there_is_guessed() {
        let error = |words: &[&str]| {
            let arguments = Arguments {
                words: words.iter().map(|&word| word.to_owned()).collect(),
            };
            run(&arguments).expect_err("no such topic").to_string()
        };
        assert!(error(&["complianse"]).contains("did you mean compliance?"));
        assert!(error(&["xyzzy"]).contains("\"kashan help\" lists them"));
        assert!(error(&["book", "biuld"]).contains("biuld"));
    }

    #[test]
    fn the_readme_can_be_read_to_its_end() {
        let lines = README.lines().count();
        assert!(lines <= 120, "{lines} lines");
    }
}
