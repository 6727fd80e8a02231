//! Command lines of cutechess-cli and fastchess, answered with the same in Kashan's words.

use std::ffi::OsString;

use anyhow::bail;

use crate::arena::config::StandardChess;

/// Options of these runners for engines and games; ours have two dashes.
const THEIRS: &str = "-engine -each -rounds -games -repeat -openings -pgnout -epdout -concurrency -sprt -draw \
    -resign -recover -variant -tournament -seeds -srand -event -site -maxmoves -tb -ratinginterval -scoreinterval \
    -outcomeinterval -noswap -use-affinity -config -debug -wait -reverse -autosaveinterval -log -output -report \
    -crc32 -strict -startup-ms -ucinewgame-ms -ping-ms -show-latency -randomseed -quick -testEnv -force-concurrency";

/// Options of theirs that are none of ours, also if they are written with two dashes.
const NEVER_OURS: &str = "engine rounds repeat pgnout epdout recover resign maxmoves noswap ratinginterval \
    scoreinterval use-affinity variant srand";

/// Options that are ours, too, unless what follows is in their form.
const OURS_TOO: [(&str, &str); 4] = [
    ("each", "tc="),
    ("openings", "file="),
    ("sprt", "elo"),
    ("draw", "move"),
];

/// Refuses a command line of another runner.
///
/// # Errors
/// A command line of another runner; the text has the same in our words.
pub fn answer_other_runners(line: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let words = line
        .into_iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    let words = with_one_dash(words.collect());
    let own = match words.first() {
        Some(first) if is_contest(first) => &words[1..],
        _ => &words[..],
    };
    if !is_begin_of_theirs(&words) || !own.iter().any(|word| is_theirs(word)) {
        return Ok(());
    }
    let theirs = Theirs::read(own);
    if let Some(variant) = theirs.value("-variant") {
        variant
            .parse::<StandardChess>()
            .map_err(anyhow::Error::msg)?;
    }
    let (ours, rest) = theirs.translated();
    let mut notes = String::new();
    if !rest.is_empty() {
        notes += &format!(
            "\nNothing here stands for: {} (see kashan match --help).",
            rest.join(", ")
        );
    }
    if theirs.resigns_alone() {
        notes += "\nWith --win both engines have to say who wins; there, the loser is enough.";
    }
    bail!("these are options of cutechess-cli and fastchess. Here it is:\n\n    {ours}\n{notes}")
}

/// The same words; their options that were written with two dashes have one. Nothing is changed
/// where all may be ours.
fn with_one_dash(words: Vec<String>) -> Vec<String> {
    let name = |word: &str| word.strip_prefix("--").map(str::to_owned);
    let command = words.first().map_or("", String::as_str);
    let is_match = is_contest(command);
    // A tournament of ours has rounds, too.
    let is_never_ours = |word: &String| {
        let is_theirs = |name: &str| NEVER_OURS.split_whitespace().any(|theirs| theirs == name);
        name(word)
            .is_some_and(|name| is_theirs(&name) && !(command == "tournament" && name == "rounds"))
    };
    if !is_match || !words.iter().any(is_never_ours) {
        return words;
    }
    let mut changed = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1).map_or("", String::as_str);
        let is_in_their_form = OURS_TOO
            .iter()
            .any(|(option, form)| name(word).as_deref() == Some(*option) && next.starts_with(form));
        match word.strip_prefix('-') {
            Some(one_dash) if is_never_ours(word) || is_in_their_form => {
                changed.push(one_dash.to_owned());
            }
            _ => changed.push(word.clone()),
        }
    }
    changed
}

fn is_contest(word: &str) -> bool {
    ["match", "tournament"].contains(&word)
}

/// Returns true if a command line may be one of theirs: other commands of ours may have such words
/// in the values of their options.
fn is_begin_of_theirs(words: &[String]) -> bool {
    let first = words.first().map_or("", String::as_str);
    is_theirs(first) || is_contest(first)
}

fn is_theirs(word: &str) -> bool {
    THEIRS.split_whitespace().any(|option| option == word)
}

/// A command line of theirs: options with their values, ours among them.
struct Theirs<'w> {
    /// The words before the first option.
    engines: Vec<&'w str>,
    options: Vec<(&'w str, Vec<&'w str>)>,
}

/// Our command line, word by word, and the words without a place in ours.
#[derive(Default)]
struct Ours {
    engines: Vec<String>,
    words: Vec<String>,
    rest: Vec<String>,
}

impl Ours {
    fn say(&mut self, option: &str, value: &str) {
        self.words.push(option.to_owned());
        if !value.is_empty() {
            self.words.push(quoted(value));
        }
    }
}

impl<'w> Theirs<'w> {
    fn read(words: &'w [String]) -> Theirs<'w> {
        let mut engines = Vec::new();
        let mut options: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in words {
            match options.last_mut() {
                _ if is_theirs(word) || word.starts_with("--") => options.push((word, Vec::new())),
                Some((_, values)) => values.push(word),
                None => engines.push(word.as_str()),
            }
        }
        Theirs { engines, options }
    }

    /// Returns true if the losing engine alone may end a game.
    fn resigns_alone(&self) -> bool {
        let resigns = |(name, values): &(&str, Vec<&str>)| {
            *name == "-resign" && !values.contains(&"twosided=true")
        };
        self.options.iter().any(resigns)
    }

    /// Returns the first value of an option.
    fn value(&self, option: &str) -> Option<&'w str> {
        let found = self.options.iter().find(|(name, _)| *name == option);
        found.and_then(|(_, values)| values.first().copied())
    }

    /// Returns the whole line in our words, and the words without a counterpart.
    fn translated(&self) -> (String, Vec<String>) {
        let mut ours = Ours {
            engines: self.engines.iter().map(|engine| quoted(engine)).collect(),
            ..Ours::default()
        };
        let engines = self.options.iter().filter(|(name, _)| *name == "-engine");
        let count = engines.clone().count();
        let is_match = count <= 2
            && self
                .value("-tournament")
                .is_none_or(|kind| kind == "round-robin");
        for ((_, values), number) in engines.zip(1..) {
            let line = engine_line(values);
            ours.engines
                .extend(Some(line).filter(|line| !line.is_empty()));
            settings(values, Some(number), is_match, &mut ours);
        }
        for (_, values) in self.options.iter().filter(|(name, _)| *name == "-each") {
            settings(values, None, is_match, &mut ours);
        }
        self.games(&mut ours);
        for (name, values) in &self.options {
            option(name, values, &mut ours);
        }
        if self.value("-tournament") == Some("gauntlet") {
            ours.words.push(
                self.value("-seeds")
                    .map_or("--gauntlet".to_owned(), |seeds| {
                        format!("--gauntlet={seeds}")
                    }),
            );
        }
        let command = if is_match { "match" } else { "tournament" };
        let words = [
            vec!["kashan".to_owned(), command.to_owned()],
            ours.engines,
            ours.words,
        ]
        .concat();
        (words.join(" "), ours.rest)
    }

    /// Translates the number of games: theirs are the games of a round, ours are all, in pairs.
    fn games(&self, ours: &mut Ours) {
        let number = |option| {
            self.value(option)
                .and_then(|value| value.parse::<u64>().ok())
        };
        let (rounds, games) = (number("-rounds"), number("-games"));
        if rounds.is_some() || games.is_some() {
            let all = rounds.unwrap_or(1).saturating_mul(games.unwrap_or(2));
            ours.say("--games", &all.next_multiple_of(2).to_string());
        }
    }
}

/// Returns the command of an engine with its arguments.
fn engine_line(values: &[&str]) -> String {
    let parts = ["cmd", "args", "arg"].map(|key| {
        let said = values
            .iter()
            .filter_map(|value| value.strip_prefix(key)?.strip_prefix('='));
        said.collect::<Vec<_>>()
    });
    let bare = bare_command(values);
    let words = bare.into_iter().chain(parts.concat());
    quoted(&words.collect::<Vec<_>>().join(" "))
}

/// Returns the command of an engine that is named without `cmd=`.
fn bare_command<'w>(values: &[&'w str]) -> Option<&'w str> {
    let first = values.first().copied()?;
    (!first.contains('=') && first != "ponder").then_some(first)
}

/// Translates the settings of one engine, or of each.
fn settings(values: &[&str], number: Option<usize>, is_match: bool, ours: &mut Ours) {
    let scope = number.map_or(String::new(), |number| format!("{number}:"));
    let mut limits = Vec::new();
    for value in values {
        let (key, text) = value.split_once('=').unwrap_or((value, ""));
        let mut each = |key: &str, text: &str| ours.say("--each", &format!("{scope}{key}={text}"));
        match (key, number) {
            ("cmd" | "arg" | "args", Some(_)) => {}
            (_, Some(_)) if bare_command(values) == Some(*value) => {}
            ("name", Some(number)) if is_match => ours.say(&format!("--name{number}"), text),
            ("name", _) => each("name", text),
            ("proto", Some(number)) if is_match => {
                ours.say(&format!("--protocol{number}"), protocol(text))
            }
            ("proto", _) => each("protocol", protocol(text)),
            ("dir", _) => each("directory", text),
            ("initstr", _) => each("startup", text),
            ("arg" | "args", None) => each("arguments", text),
            ("restart", _) if text == "on" => each("restart", "true"),
            ("restart", _) => {}
            ("ponder", None) => ours.say("--ponder", ""),
            ("ponder", _) => each("ponder", "true"),
            ("timemargin", _) => ours.say("--margin", text),
            ("tc", _) if text != "inf" => limits.insert(0, text.to_owned()),
            ("tc", _) => {}
            ("st", _) => limits.insert(0, format!("{text}/move")),
            ("depth" | "plies", _) => limits.push(format!("depth={text}")),
            ("nodes", _) => limits.push(format!("nodes={text}")),
            _ => match key.strip_prefix("option.") {
                Some(name) => ours.say("--option", &format!("{scope}{name}={text}")),
                None => ours.rest.push((*value).to_owned()),
            },
        }
    }
    if !limits.is_empty() {
        let limits = limits.join(",");
        match number {
            None => ours.say("--tc", &limits),
            Some(number) if is_match => ours.say(&format!("--tc{number}"), &limits),
            Some(_) => ours.say("--each", &format!("{scope}limits={limits}")),
        }
    }
}

fn protocol(name: &str) -> &str {
    if name == "uci" { "uci" } else { "xboard" }
}

/// Translates an option of another runner.
fn option(name: &str, values: &[&str], ours: &mut Ours) {
    let value = |key: &str| {
        values
            .iter()
            .find_map(|value| value.strip_prefix(key)?.strip_prefix('='))
    };
    let first = values.first().copied().unwrap_or_default();
    match name {
        "-concurrency" => ours.say("--concurrency", first),
        "-srand" | "-randomseed" => ours.say("--seed", first),
        "-maxmoves" => ours.say("--max-moves", first),
        "-tb" => ours.say("--tablebases", first),
        "-ratinginterval" | "-scoreinterval" => ours.say("--report-every", first),
        "-noswap" => ours.say("--no-swap", ""),
        "-use-affinity" => ours.say("--affinity", ""),
        "-strict" => ours.say("--strict", ""),
        "-pgnout" => {
            ours.say("--pgn", value("file").unwrap_or(first));
            if value("append").is_none_or(|append| append == "true") {
                ours.say("--append", "");
            }
            if ["nodes=true", "pv=true"]
                .iter()
                .any(|full| values.contains(full))
            {
                ours.say("--pgn-comments", "full");
            }
        }
        "-openings" => {
            value("file")
                .into_iter()
                .for_each(|file| ours.say("--openings", file));
            value("plies")
                .into_iter()
                .for_each(|plies| ours.say("--plies", plies));
            value("start")
                .into_iter()
                .for_each(|start| ours.say("--opening-start", start));
            if value("order").is_some_and(|order| order == "sequential") {
                ours.say("--in-order", "");
            }
        }
        "-draw" => {
            let part = |key| value(key).unwrap_or("1");
            let (from, moves, score) = (part("movenumber"), part("movecount"), part("score"));
            ours.say(
                "--draw",
                &format!("from_move={from},moves={moves},score={score}"),
            );
        }
        "-resign" => {
            let (moves, score) = (
                value("movecount").unwrap_or("3"),
                value("score").unwrap_or("500"),
            );
            ours.say("--win", &format!("moves={moves},score={score}"));
        }
        "-sprt" => {
            let (low, high) = (value("elo0").unwrap_or("0"), value("elo1").unwrap_or("5"));
            ours.words.push(format!("--sprt {low} {high}"));
            value("alpha")
                .into_iter()
                .for_each(|alpha| ours.say("--alpha", alpha));
            value("beta")
                .into_iter()
                .for_each(|beta| ours.say("--beta", beta));
            value("model")
                .filter(|model| *model == "logistic")
                .into_iter()
                .for_each(|model| ours.say("--elo-model", model));
        }
        "-log" => ours.say("--log", value("file").unwrap_or(first)),
        // Told already, or always so.
        "-engine" | "-each" | "-rounds" | "-games" | "-repeat" | "-recover" | "-variant"
        | "-tournament" | "-seeds" | "-force-concurrency" => {}
        ours_already if ours_already.starts_with("--") => {
            ours.words.push(name.to_owned());
            ours.words.extend(values.iter().map(|value| quoted(value)));
        }
        _ => ours.rest.push([&[name], values].concat().join(" ")),
    }
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:=+,%@".contains(letter);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::spec::split_command;

    fn answer(line: &str) -> Option<String> {
        let words = split_command(line)
            .expect("a command line")
            .into_iter()
            .map(OsString::from);
        answer_other_runners(words)
            .err()
            .map(|error| error.to_string())
    }

    #[test]
    fn their_command_lines_are_answered_with_ours() {
        for (theirs, ours) in [
            (
                "kashan match -engine cmd=./dev name=dev option.Hash=64 -engine cmd=./base name=base args=\"--uci -x\" \
                 -each tc=10+0.1 proto=uci -rounds 500 -games 2 -repeat -recover -concurrency 4 \
                 -openings file=uho.epd format=epd order=random -pgnout file=g.pgn -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
                "kashan match ./dev './base --uci -x' --name1 dev --option 1:Hash=64 --name2 base \
                 --each protocol=uci --tc 10+0.1 --games 1000 --concurrency 4 --openings uho.epd --pgn g.pgn --append \
                 --sprt 0 5 --alpha 0.05 --beta 0.05",
            ),
            (
                "kashan -engine cmd=A tc=40/60 -engine cmd=B st=1 -engine cmd=C nodes=5000 depth=9 \
                 -tournament gauntlet -rounds 3 -draw movenumber=40 movecount=8 score=10 -resign movecount=4 score=700",
                "kashan tournament A B C --each 1:limits=40/60 --each 2:limits=1/move \
                 --each 3:limits=nodes=5000,depth=9 --games 6 --draw from_move=40,moves=8,score=10 \
                 --win moves=4,score=700 --gauntlet",
            ),
            // Both ways of writing in one line: nothing of it is lost.
            (
                "kashan match ./A 'B -x' --tc 1+0.1 -rounds 3 --option Hash=4 -pgnout file=g.pgn append=false nodes=true",
                "kashan match ./A 'B -x' --games 6 --tc 1+0.1 --option Hash=4 --pgn g.pgn --pgn-comments full",
            ),
            (
                "kashan match --engine cmd=A --engine cmd=B --each tc=1+0.1 --rounds 2 --sprt elo0=0 elo1=4",
                "kashan match A B --tc 1+0.1 --games 4 --sprt 0 4",
            ),
            (
                "kashan match -engine ./a -engine ./b option.Hash=1 -games 2",
                "kashan match ./a ./b --option 2:Hash=1 --games 2",
            ),
            (
                "kashan match ./a ./b --rounds 4 --draw from_move=9",
                "kashan match ./a ./b --games 8 --draw from_move=9",
            ),
        ] {
            let answer = answer(theirs).expect("it is theirs");
            assert_eq!(
                answer.contains("both engines have to say who wins"),
                theirs.contains("-resign"),
            );
            let ours = ours.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(answer.contains(&format!("    {ours}\n")), "{answer}");
        }
        let unknown = answer("kashan match -engine cmd=A -engine cmd=B -wait 500 -each whitepov")
            .expect("theirs");
        assert!(
            unknown.contains("Nothing here stands for: whitepov, -wait 500"),
            "{unknown}"
        );
        let variant = answer("kashan match -engine cmd=A -engine cmd=B -variant fischerandom")
            .expect("theirs");
        assert!(
            variant.contains("for Chess960 use cutechess-cli or fastchess"),
            "{variant}"
        );
    }

    #[test]
    fn our_command_lines_are_let_through() {
        for line in [
            "kashan",
            "kashan match A B --games 4 --each 2:name=X --draw from_move=9 --sprt 0 5",
            "kashan solve a.epd --startup -engine",
            "kashan bench",
        ] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
