//! The parts of a game's text: tag pairs (`[White "Réti, Richard"]`), then the words of its moves.

use std::borrow::Cow;

use shakmaty::san::SanPlus;
use shakmaty::{KnownOutcome, Outcome};

/// The tags of a game, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// The value of a tag, blanks around cut off; `None` if the tag is missing. The first of
    /// several counts.
    pub fn get(&self, name: &str) -> Option<&str> {
        let tag = self
            .0
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim())
    }

    /// Reads the tags at the beginning of a game's text. Also returns the first malformed tag line,
    /// and the text behind the tags.
    pub(super) fn read(text: &str) -> (Tags, Option<&str>, &str) {
        let (mut tags, mut malformed) = (Tags::default(), None);
        let mut rest = text.trim_start();
        while rest.starts_with(['[', '%']) {
            let line = rest.lines().next().unwrap_or_default();
            let after_line = &rest[line.len()..];
            rest = match tag(line) {
                Some((name, value, after)) => {
                    tags.0.push((name.to_owned(), value));
                    &rest[line.len() - after.len()..]
                }
                None => {
                    malformed = malformed.or(line.starts_with('[').then_some(line));
                    after_line
                }
            }
            .trim_start();
        }
        (tags, malformed, rest)
    }
}

/// The names of the tags in a line, in small letters.
pub(super) fn tag_names(line: &str) -> impl Iterator<Item = String> {
    Tags::read(line)
        .0
        .0
        .into_iter()
        .map(|(name, _)| name.to_ascii_lowercase())
}

/// The name and value of a tag, and the rest of its line.
fn tag(line: &str) -> Option<(&str, String, &str)> {
    let (name, quoted) = line.strip_prefix('[')?.split_once('"')?;
    let mut value = String::new();
    let mut letters = quoted.char_indices().peekable();
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => {
                let after = quoted[index + 1..].trim_start().strip_prefix(']')?;
                return Some((name.trim(), value, after.trim_start()));
            }
            '\\' => value.extend(
                letters
                    .next_if(|(_, next)| ['"', '\\'].contains(next))
                    .map_or(Some('\\'), |(_, next)| Some(next)),
            ),
            _ => value.push(letter),
        }
    }
    None
}

/// A token of the text behind the tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// `12.`, `12...`
    Number(&'t str),
    /// A word in the form of a move, legal or not.
    Move(SanPlus),
    /// The text inside the braces, or behind the semicolon.
    Comment(&'t str),
    /// `(`
    Open,
    /// `)`
    Close,
    Result(Outcome),
    /// Any other word.
    Unknown(&'t str),
}

/// Goes through the text of a game.
pub(super) struct Tokens<'t> {
    rest: &'t str,
    /// Nothing but blanks stands between the beginning of the line and `rest`.
    is_line_start: bool,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Tokens<'t> {
        Tokens {
            rest: text,
            is_line_start: true,
        }
    }

    /// Takes the text up to and including a letter, or all.
    fn take_past(&mut self, end: char) -> &'t str {
        let (taken, rest) = self.rest.split_once(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.is_line_start = end == '\n';
        taken
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Takes a word other than a comment or bracket, or the first part of one: `12.`, `Nf6`, `!?`
    /// of `12.Nf6!?`. Dots and glyphs (`!?`, `$5`) are passed over.
    fn take_word(&mut self) -> Option<Token<'t>> {
        let digits = length_of(self.rest, |letter| letter.is_ascii_digit());
        let dots = length_of(&self.rest[digits..], |letter| letter == '.');
        let end = length_of(self.rest, |letter| {
            !(letter.is_whitespace() || "{}();$!?".contains(letter))
        });
        let is_number = |after: &str| {
            after.is_empty()
                || after.starts_with(|letter: char| letter == '.' || letter.is_alphabetic())
        };
        if digits > 0 && is_number(&self.rest[digits..end]) {
            let number = self.take(digits + dots);
            return Some(Token::Number(number.trim_end_matches('.')));
        }
        if dots > 0 {
            self.take(dots);
            return None;
        }
        if self.rest.starts_with(['!', '?']) {
            self.take(length_of(self.rest, |letter| ['!', '?'].contains(&letter)));
            return None;
        }
        if self.rest.starts_with('$') {
            let digits = length_of(&self.rest[1..], |letter| letter.is_alphanumeric());
            let text = self.take(1 + digits);
            return text[1..]
                .parse::<u8>()
                .is_err()
                .then_some(Token::Unknown(text));
        }
        // A brace that closes nothing is a word by itself.
        let word = self.take(end.max(1));
        if word == "e.p." {
            return None;
        }
        Some(match (result(word), san(word)) {
            (Some(result), _) => Token::Result(result),
            (None, Some(san)) => Token::Move(san),
            (None, None) => Token::Unknown(word),
        })
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.is_line_start |= self.take(blank).contains('\n');
            let is_line_start = std::mem::take(&mut self.is_line_start);
            let first = self.rest.chars().next()?;
            let token = match first {
                '%' if is_line_start => {
                    self.take_past('\n');
                    None
                }
                ';' | '{' => {
                    self.take(1);
                    Some(Token::Comment(self.take_past(if first == '{' {
                        '}'
                    } else {
                        '\n'
                    })))
                }
                '(' | ')' => {
                    self.take(1);
                    Some(if first == '(' {
                        Token::Open
                    } else {
                        Token::Close
                    })
                }
                _ => self.take_word(),
            };
            if token.is_some() {
                return token;
            }
        }
    }
}

/// The number of bytes at the beginning of a text with all letters of a kind.
fn length_of(text: &str, is_of_kind: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !is_of_kind(letter))
        .unwrap_or(text.len())
}

fn result(word: &str) -> Option<Outcome> {
    match &*dashes(word) {
        "1/2" | "½-½" => Some(Outcome::Known(KnownOutcome::Draw)),
        word => word.parse().ok(),
    }
}

/// Standard algebraic notation, also in common spellings: `0-0`, `a8Q`.
pub fn san(word: &str) -> Option<SanPlus> {
    if let Ok(san) = SanPlus::from_ascii(word.as_bytes()) {
        return Some(san);
    }
    let mut word = dashes(word).replace('0', "O");
    let piece = word.trim_end_matches(['+', '#']).len();
    if word.starts_with(|letter: char| ('a'..='h').contains(&letter))
        && word[..piece].ends_with(['Q', 'R', 'B', 'N'])
    {
        word.insert(piece - 1, '=');
    }
    SanPlus::from_ascii(word.as_bytes()).ok()
}

/// The word with all its dashes as hyphens.
fn dashes(word: &str) -> Cow<'_, str> {
    match word.is_ascii() {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.replace(['–', '—'], "-")),
    }
}
