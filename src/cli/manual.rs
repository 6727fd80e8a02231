//! `kashan help`: the manual, whose chapters are those of the book in `book/src`, wrapped to the
//! width of the terminal.

use anyhow::bail;
use clap::{Args, Command, CommandFactory as _};

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

/// A chapter of the manual.
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
            text: include_str!(concat!("../../book/src/", $name, ".md")),
        }),*]
    };
}

/// The list of contents, as mdBook has it: a title for each part, and a link for each chapter.
const SUMMARY: &str = include_str!("../../book/src/SUMMARY.md");

/// The chapters, in the order of the list of contents.
const TOPICS: &[Topic] = topics![
    "introduction" or "intro" or "kashan" or "manual",
    "console" or "terminal" or "play",
    "programs" or "xboard" or "winboard" or "install-xboard" or "uci" or "lichess" or "lichess-bot",
    "options" or "option" or "settings",
    "book" or "books" or "openings",
    "genetic" or "search" or "algorithm",
    "explain",
    "develop" or "development" or "change" or "contributing",
    "papers" or "players" or "presets" or "marcarelli" or "hesham" or "coello" or "dehghani",
    "action" or "actions" or "retain",
    "library" or "libraries" or "klib" or "cases",
    "threats" or "threat" or "minimax",
    "experiment" or "experiments" or "claims" or "paper",
    "match" or "sprt",
    "tournament" or "tournaments",
    "machines" or "openbench" or "part" or "parts" or "slurm" or "parallel" or "cluster",
    "rate" or "elo" or "ratings",
    "blunders" or "blunder",
    "solve" or "suites" or "suite" or "epd",
    "check" or "compliance" or "protocol",
    "tuning" or "tune" or "weights" or "evaluation",
    "bench" or "eval",
    "release-notes" or "news" or "changes",
];

impl Topic {
    fn find(word: &str) -> Option<&'static Topic> {
        let word = word.to_lowercase();
        TOPICS
            .iter()
            .find(|topic| topic.name == word || topic.aliases.contains(&word.as_str()))
    }

    /// Returns the text, with the parts that the program itself knows better.
    fn markdown(&self) -> String {
        let mut text = without_links(&joined(self.text));
        if self.name == "options" {
            text.extend(Settings::table().iter().map(item));
        }
        let name = self.name;
        if CommandLine::command().find_subcommand(name).is_some() {
            text += &format!("\n`kashan {name} --help` lists all its options.\n");
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
        [first, word, ..] if Topic::find(word).is_some() && !is_part(first, word) => {
            bail!("topics are shown one at a time: kashan help {word}")
        }
        _ => command_help(&words),
    }
}

/// Returns true if a command has a part of this name: `kashan tune play`.
fn is_part(command: &str, part: &str) -> bool {
    let line = CommandLine::command();
    let command = line.find_subcommand(command);
    command.is_some_and(|command| command.find_subcommand(part).is_some())
}

/// The list of contents, and how to get at the rest.
fn contents() -> String {
    let mut text =
        String::from("# The manual of Kashan\n\n`kashan help TOPIC` shows one of these:\n");
    for line in SUMMARY.lines().skip(1) {
        match chapter(line) {
            Some((title, name)) => text.push_str(&format!("* **{name}**: {title}\n")),
            None => text.push_str(&format!("{line}\n")),
        }
    }
    text.push_str(
        "\n`kashan --help` lists the commands, `kashan COMMAND --help` the options of one.\n",
    );
    text
}

/// Returns the title and the name of the chapter in a line of the list of contents.
fn chapter(line: &str) -> Option<(&str, &str)> {
    let link = line.strip_prefix("- [")?.strip_suffix(".md)")?;
    link.split_once("](")
}

/// Prints the output of `kashan COMMAND --help`.
fn command_help(words: &[&str]) -> anyhow::Result<()> {
    let mut command = CommandLine::command();
    command.build();
    let mut found = &mut command;
    for word in words {
        if found.find_subcommand(word).is_none() {
            return unknown(word, found);
        }
        found = found.find_subcommand_mut(word).expect("it is there");
    }
    print(&found.render_long_help().to_string())
}

fn unknown(word: &str, command: &Command) -> anyhow::Result<()> {
    let topics = TOPICS
        .iter()
        .flat_map(|topic| topic.aliases.iter().chain([&topic.name]))
        .copied();
    let commands = command.get_subcommands().map(Command::get_name);
    match nearest(word, topics.chain(commands)) {
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

/// Returns the beginning of a list item, with the blanks around: `* `, `3. ` or `   * `.
fn marker(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let (mark, rest) = text.split_once(' ')?;
    (mark == "*" || is_number(mark)).then(|| &line[..line.len() - rest.len()])
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

/// Markdown with every paragraph and every item of a list on a line of its own.
fn joined(markdown: &str) -> String {
    let mut text = String::new();
    let mut flows = false;
    let mut is_fenced = false;
    for line in markdown.lines() {
        is_fenced ^= line.starts_with("```");
        // Behind a line of prose four blanks are no code, but a line of an inner item.
        let goes_on = flows && line.starts_with("    ");
        let is_prose = !is_fenced && (goes_on || !stands_alone(line)) && !line.is_empty();
        if flows && is_prose && marker(line).is_none() {
            text.pop();
            text.push(' ');
            text += line.trim_start();
        } else {
            text += line;
        }
        text.push('\n');
        flows = is_prose;
    }
    text
}

/// Markdown without its pictures, and with the words of links to other chapters in place of the
/// links. Those to the web stay.
fn without_links(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some((before, link)) = rest.split_once('[') {
        let parts = link
            .split_once("](")
            .and_then(|(words, rest)| Some((words, rest.split_once(')')?)));
        match parts {
            Some((_, (_, behind))) if before.ends_with('!') => {
                text += before.trim_end_matches('!');
                rest = behind.trim_start_matches('\n');
            }
            Some((words, (target, behind))) if is_chapter(target) && !words.contains('[') => {
                text += before;
                text += words;
                rest = behind;
            }
            _ => {
                text += before;
                text.push('[');
                rest = link;
            }
        }
    }
    text + rest
}

/// Returns true for the file of a chapter, or a place in it.
fn is_chapter(target: &str) -> bool {
    target
        .split('#')
        .next()
        .is_some_and(|file| file.ends_with(".md") && !file.contains("://"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use clap::error::ErrorKind;
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::arena::spec::split_command;

    const README: &str = include_str!("../../README.md");

    /// The documents for users: name and text.
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
            .map(|line| match line.trim_start().split_once(" #") {
                Some((command, _)) => command.trim_end(),
                None => line.trim_start(),
            })
    }

    /// Returns the commands of Kashan in a line of a shell: the line itself, or words in it that
    /// are command lines for another program (`xboard -fcp "kashan --strength 1400"`).
    fn commands(line: &str) -> Vec<Vec<String>> {
        let is_ours = |line: &str| line == "kashan" || line.starts_with("kashan ");
        if is_ours(line) {
            return vec![split_command(line).expect(line)];
        }
        let words = split_command(line).unwrap_or_default();
        // A shell replaces its variables ($SLURM_ARRAY_TASK_ID).
        let inner = words
            .iter()
            .filter(|word| is_ours(word) && !word.contains('$'));
        inner.map(|word| split_command(word).expect(line)).collect()
    }

    #[test]
    fn every_command_that_is_printed_is_understood() {
        let mut count = 0;
        for (name, text) in documents() {
            for words in examples(text).flat_map(commands) {
                let line = words.join(" ");
                CommandLine::try_parse_from(words)
                    .unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
                count += 1;
            }
        }
        assert!(count > 60, "{count} commands");
    }

    /// The code between backticks, paragraph by paragraph, without examples.
    fn spans(text: &str) -> Vec<String> {
        let text = joined(text);
        let prose = text
            .lines()
            .filter(|line| !line.starts_with("    ") && !line.starts_with("```"));
        prose
            .flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned))
            .collect()
    }

    /// A command in a sentence may leave out what it needs, and name what takes its place (FILE).
    /// Release notes name what is gone.
    #[test]
    fn every_command_in_a_sentence_is_there() {
        let mut count = 0;
        for (name, text) in documents().filter(|(name, _)| *name != "release-notes") {
            for line in spans(text) {
                let is_whole = line.starts_with("kashan ") && !line.contains("...");
                let is_help = line.starts_with("kashan help ");
                let names_others = line.contains("FILE") || line.contains("COMMAND");
                if !is_whole || is_help || names_others {
                    continue;
                }
                let words = split_command(&line).expect(&line);
                if let Err(error) = CommandLine::try_parse_from(words) {
                    let lacks = [
                        ErrorKind::MissingRequiredArgument,
                        ErrorKind::MissingSubcommand,
                        ErrorKind::DisplayHelp,
                        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
                    ];
                    assert!(lacks.contains(&error.kind()), "{name}: {line}: {error}");
                }
                count += 1;
            }
        }
        assert!(count > 40, "{count} commands");
    }

    #[test]
    fn every_topic_that_is_mentioned_is_there() {
        for (name, text) in documents() {
            for topic in spans(text)
                .iter()
                .filter_map(|span| span.strip_prefix("kashan help "))
            {
                assert!(
                    topic == "TOPIC" || Topic::find(topic).is_some(),
                    "{name} mentions {topic}"
                );
            }
        }
    }

    /// The links of a text: name and target.
    fn links(text: &str) -> Vec<(String, String)> {
        let text = text.replace('\n', " ");
        let parts: Vec<&str> = text.split("](").collect();
        let pairs = parts.windows(2).map(|pair| {
            let name = pair[0].rsplit('[').next().unwrap_or_default();
            let target = pair[1].split(')').next().unwrap_or_default();
            (name.to_owned(), target.to_owned())
        });
        pairs.collect()
    }

    #[test]
    fn every_link_of_a_chapter_leads_to_a_chapter_or_a_picture() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
        let mut count = 0;
        for topic in TOPICS {
            for (name, target) in links(topic.text) {
                if target.starts_with("https://") {
                    continue;
                }
                // The pictures are not part of the package.
                let is_picture = target.starts_with("pictures/");
                let is_there = folder.join(&target).exists() || is_picture && !in_repository();
                assert!(is_there, "{}: {target}", topic.name);
                let chapter = target.strip_suffix(".md");
                let is_known = TOPICS.iter().any(|topic| Some(topic.name) == chapter);
                assert!(is_known || is_picture, "{}: {target}", topic.name);
                // The command that is the name of a link shows the same chapter.
                if let Some(word) = name.strip_prefix("`kashan help ") {
                    let meant = Topic::find(word.trim_end_matches('`')).map(|topic| topic.name);
                    assert_eq!(meant, chapter, "{}: {name}", topic.name);
                }
                count += 1;
            }
        }
        assert!(count > 40, "{count} links");
    }

    /// Returns true if the tests run in the repository, and not in the package.
    fn in_repository() -> bool {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("book/book.toml")
            .exists()
    }

    #[test]
    fn the_list_of_contents_has_every_chapter_with_its_title() {
        let listed: Vec<(&str, &str)> = SUMMARY.lines().filter_map(chapter).collect();
        let title = |topic: &Topic| topic.text.lines().next().expect("a title");
        assert_eq!(listed.len(), TOPICS.len());
        for ((title_listed, name), topic) in listed.into_iter().zip(TOPICS) {
            assert_eq!(name, topic.name);
            assert_eq!(format!("# {title_listed}"), title(topic), "{name}");
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|name| name.to_str());
            let is_chapter = path.extension().is_some_and(|ending| ending == "md");
            let is_known = TOPICS.iter().any(|topic| Some(topic.name) == name);
            assert!(
                is_known || !is_chapter || name == Some("SUMMARY"),
                "{}",
                path.display()
            );
        }
    }

    /// The options of a command and of the commands below it.
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
                let flag = word.split([' ', '=', '\n']).next().unwrap_or(word);
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
    fn links_to_chapters_are_shown_as_their_words() {
        for (markdown, shown) in [
            (
                "see [`kashan help book`](book.md), and [tuning](tuning.md#spsa).",
                "see `kashan help book`, and tuning.",
            ),
            (
                "![The board](pictures/web.png)\n\nKashan [is](a)",
                "Kashan [is](a)",
            ),
            (
                "[OpenBench](https://example.org/x.md) [+N] [a [b](c.md)",
                "[OpenBench](https://example.org/x.md) [+N] [a b",
            ),
        ] {
            assert_eq!(without_links(markdown), shown);
        }
        for topic in TOPICS {
            assert!(!topic.markdown().contains(".md)"), "{}", topic.name);
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
                    let is_word = !line.trim_start_matches("* ").trim().contains(' ');
                    let fits = line.chars().count() <= width || is_word;
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
        let text = "# Title\n\nOne\ntwo.\n\n* a\n  b\n* c\n1. d\n`e`\nf\n   * g\n     h\n\n    x\n    y\n\n```\np\nq\n```\n";
        let expected = "# Title\n\nOne two.\n\n* a b\n* c\n1. d `e` f\n   * g h\n\n    x\n    y\n\n```\np\nq\n```\n";
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
