use std::collections::HashSet;

use clap::{CommandFactory as _, Parser as _};

use super::*;
use crate::arena::spec::split_command;

const README: &str = include_str!("../../../README.md");

/// All that users read: name and text.
fn documents() -> impl Iterator<Item = (&'static str, &'static str)> {
    TOPICS.iter().map(|topic| (topic.name, topic.text)).chain([("README", README)])
}

/// The lines of indented examples.
fn examples(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("    ")).map(|line| match line.split_once(" #") {
        Some((command, _)) => command.trim_end(),
        None => line,
    })
}

#[test]
fn every_command_that_is_printed_is_understood() {
    let mut count = 0;
    for (name, text) in documents() {
        for line in examples(text).filter(|line| *line == "kashan" || line.starts_with("kashan ")) {
            let words = split_command(line).expect(line);
            if let Err(error) = CommandLine::try_parse_from(words) {
                panic!("{name}: {line}: {error}");
            }
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
            assert!(topic == "TOPIC" || Topic::find(topic).is_some(), "{name} mentions {topic}");
        }
    }
}

/// All options of a command, and of the commands below it.
fn flags(command: &clap::Command) -> Vec<&str> {
    let own = command.get_arguments().filter_map(clap::Arg::get_long);
    own.chain(command.get_subcommands().flat_map(flags)).collect()
}

#[test]
fn every_option_of_the_program_that_is_mentioned_is_there() {
    let command = CommandLine::command();
    // clap adds it later.
    let flags = [flags(&command), vec!["help"]].concat();
    let mut count = 0;
    for topic in TOPICS {
        for word in topic.text.split('`').filter_map(|word| word.strip_prefix("--")) {
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
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    for topic in TOPICS {
        let markdown = topic.markdown();
        let all = letters(&markdown.replace("```toml", ""));
        let code = |text: &str| text.lines().filter(|line| line.starts_with("    ")).count();
        for width in [50, 80, 140] {
            let text = anstream::adapter::strip_str(&rendered(&markdown, width)).to_string();
            assert_eq!(letters(&text), all, "{} at {width}", topic.name);
            assert!(code(&text) >= code(&markdown), "{} at {width}", topic.name);
            // Examples are as long as they are: nobody could copy them otherwise.
            let is_prose = |line: &&str| !line.starts_with("  ");
            let widest = text.lines().filter(is_prose).map(|line| line.chars().count()).max();
            assert!(widest.is_some_and(|widest| widest <= width), "{} at {width}: {widest:?}", topic.name);
        }
    }
}

#[test]
fn paragraphs_are_joined_and_code_is_not() {
    let text =
        "# Title\n\nOne\ntwo.\n\n* a\n  b\n* c\n1. d\n\n    x\n    y\n\n<!-- not\nseen -->\n```\np\nq\n```\n";
    let expected = "# Title\n\nOne two.\n\n* a b\n* c\n1. d\n\n    x\n    y\n\n```\np\nq\n```\n";
    assert_eq!(joined(text), expected);
}

#[test]
fn what_is_not_there_is_guessed() {
    let error = |words: &[&str]| {
        let arguments = Arguments { words: words.iter().map(|&word| word.to_owned()).collect() };
        run(&arguments).expect_err("no such topic").to_string()
    };
    assert!(error(&["instal-xboard"]).ends_with("did you mean install-xboard?"));
    assert!(error(&["xyzzy"]).contains("\"kashan help\" lists them"));
    assert!(error(&["book", "biuld"]).contains("biuld"));
}

#[test]
fn the_readme_can_be_read_to_its_end() {
    assert!(README.lines().count() <= 200, "{} lines", README.lines().count());
}
