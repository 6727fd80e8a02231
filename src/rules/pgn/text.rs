//! The parts of a game's text: tag pairs (`[White "Réti, Richard"]`), then the words of its moves.

use std::borrow::Cow;

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{KnownOutcome, Outcome};

use crate::util::display::is_one_of;

/// The tags of a game, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// The value of a tag, blanks around cut off; `None` if the tag is missing. The first of
    /// several counts.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut tags = self.0.iter();
        let (_, value) = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        Some(value.trim())
    }
}

/// The beginning of a game's text.
#[derive(Debug, Default)]
pub(super) struct TagSection<'t> {
    pub tags: Tags,
    /// The first line that begins like a tag and is none.
    pub malformed: Option<&'t str>,
    /// Comments between the tags.
    pub comments: Vec<&'t str>,
    /// The text behind the tags.
    pub rest: &'t str,
}

impl<'t> TagSection<'t> {
    /// Reads the tags of a game's text.
    pub fn read(text: &'t str) -> TagSection<'t> {
        let mut head = TagSection {
            rest: text.trim_start(),
            ..TagSection::default()
        };
        loop {
            let rest = head.rest;
            let line = rest.lines().next().unwrap_or_default();
            let after = match rest.chars().next() {
                Some('[') => match lines_of_tag(rest).find_map(tag) {
                    Some((name, value, length)) => {
                        head.tags.0.push((name.to_owned(), value));
                        &rest[length..]
                    }
                    None => {
                        head.malformed = head.malformed.or(Some(line));
                        &rest[line.len()..]
                    }
                },
                Some('%') => &rest[line.len()..],
                Some('{' | ';') => {
                    let mut comments = Vec::new();
                    let after = behind_comments(rest, &mut comments);
                    if !after.starts_with('[') {
                        return head;
                    }
                    head.comments.append(&mut comments);
                    after
                }
                _ => return head,
            };
            head.rest = after.trim_start();
        }
    }
}

/// The first line of a tag, then the first two, and so on, as far as a tag may go.
fn lines_of_tag(text: &str) -> impl Iterator<Item = &str> {
    let mut length = 0;
    let lines = text.split_inclusive('\n').map_while(move |line| {
        let begin = line.trim_start();
        let is_first = length == 0;
        length += line.len();
        let belongs = is_first || !(begin.is_empty() || begin.starts_with('['));
        belongs.then(|| text[..length].trim_end_matches(['\r', '\n']))
    });
    lines.take(LONGEST_TAG)
}

/// The most lines of one tag.
const LONGEST_TAG: usize = 5;

/// The text behind comments, which are added to the list.
fn behind_comments<'t>(mut text: &'t str, comments: &mut Vec<&'t str>) -> &'t str {
    while let Some(first @ ('{' | ';')) = text.chars().next() {
        let end = if first == '{' { '}' } else { '\n' };
        let (comment, after) = text[1..].split_once(end).unwrap_or((&text[1..], ""));
        comments.push(comment);
        text = after.trim_start();
    }
    text
}

/// The names of the tags in a line, in small letters.
pub(super) fn tag_names(line: &str) -> impl Iterator<Item = String> {
    let tags = TagSection::read(line).tags.0.into_iter();
    tags.map(|(name, _)| name.to_ascii_lowercase())
}

/// The name and value of a tag, and the length of the tag in its line.
fn tag(line: &str) -> Option<(&str, String, usize)> {
    let (name, quoted) = line.strip_prefix('[')?.split_once('"')?;
    let mut value = String::new();
    let mut letters = quoted.char_indices().peekable();
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => {
                let after = quoted[index + 1..].trim_start().strip_prefix(']')?;
                return Some((name.trim(), value, line.len() - after.len()));
            }
            '\\' => match letters.next_if(|(_, next)| ['"', '\\'].contains(next)) {
                Some((_, next)) => value.push(next),
                None => value.push('\\'),
            },
            '\r' => {}
            '\n' => value.push(' '),
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
    /// A move by its squares of origin and target.
    Coordinates(UciMove),
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
    pub rest: &'t str,
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
        let end = length_of(self.rest, |letter| {
            !(letter.is_whitespace() || "{}();$!?".contains(letter))
        });
        let digits = length_of(self.rest, |letter| letter.is_ascii_digit());
        let after = self.rest[digits..end].chars().next();
        if digits > 0 && after.is_none_or(|letter| letter == '.' || letter.is_alphabetic()) {
            let number = self.take(digits);
            self.rest = self.rest.trim_start_matches('.');
            return Some(Token::Number(number));
        }
        for passed_over in [&['.'][..], &['!', '?']] {
            if self.rest.starts_with(passed_over) {
                self.rest = self.rest.trim_start_matches(passed_over);
                return None;
            }
        }
        if self.rest.starts_with('$') {
            let text = self.take(1 + length_of(&self.rest[1..], char::is_alphanumeric));
            let is_glyph = text[1..].parse::<u8>().is_ok();
            return (!is_glyph).then_some(Token::Unknown(text));
        }
        // A brace that closes nothing is a word by itself.
        let word = self.take(end.max(1));
        if is_remark(word) {
            return None;
        }
        Some(if let Some(result) = result(word) {
            Token::Result(result)
        } else if let Some(mv) = coordinates(word) {
            Token::Coordinates(mv)
        } else if let Some(san) = san(word) {
            Token::Move(san)
        } else {
            Token::Unknown(word)
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
                ';' => Some(Token::Comment(&self.take_past('\n')[1..])),
                '{' => Some(Token::Comment(&self.take_past('}')[1..])),
                '(' => {
                    self.take(1);
                    Some(Token::Open)
                }
                ')' => {
                    self.take(1);
                    Some(Token::Close)
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

/// Words that stand behind moves and say something of them: `e.p.`, `N` for a novelty, and
/// judgements made of signs (`+-`, `=`, `∞`).
fn is_remark(word: &str) -> bool {
    let is_sign = |letter: char| {
        "+-=/\\~<>|^±".contains(letter)
            || ('\u{2190}'..'\u{2654}').contains(&letter)
            || ('\u{2660}'..'\u{2bff}').contains(&letter)
    };
    is_one_of("e.p. e.p ep N TN D ch mate dbl", word)
        || (word != "--" && word.chars().all(is_sign) && result(word).is_none())
}

/// A move by its squares: `e2e4`, `e2-e4`, `e7e8q`, `e7xd8=Q+`.
fn coordinates(word: &str) -> Option<UciMove> {
    let mut plain = word.replace(['-', 'x', ':', '=', '+', '#', '–', '—'], "");
    if let Some(piece) = plain.get_mut(4..) {
        piece.make_ascii_lowercase();
    }
    match UciMove::from_ascii(plain.as_bytes()) {
        Ok(mv @ UciMove::Normal { .. }) => Some(mv),
        _ => None,
    }
}

/// Standard algebraic notation, also as it is often written: `0-0`, `a8Q`, `exd6e.p.`, `Ng1-f3`,
/// `♘f3`, `N:f3`.
pub fn san(word: &str) -> Option<SanPlus> {
    if let Ok(san) = SanPlus::from_ascii(word.as_bytes()) {
        return Some(san);
    }
    let word = with_letters(&dashes(word)).replace(':', "x");
    let body = word.trim_end_matches(['+', '#']);
    let marks = &word[body.len()..];
    let body = ["e.p.", "e.p", "ep"]
        .into_iter()
        .find_map(|mark| body.strip_suffix(mark))
        .unwrap_or(body);
    let mut body = match body.chars().next()? {
        'K' | 'Q' | 'R' | 'B' | 'N' => body.replace('-', ""),
        _ => body.replace('0', "O"),
    };
    let is_pawn = body.starts_with(|letter: char| ('a'..='h').contains(&letter));
    if is_pawn && body.ends_with(['Q', 'R', 'B', 'N']) && !body.contains('=') {
        body.insert(body.len() - 1, '=');
    }
    body.extend(marks.chars().next_back());
    SanPlus::from_ascii(body.as_bytes()).ok()
}

/// The word with letters in the place of figurines.
fn with_letters(word: &str) -> String {
    let letter = |figurine| match figurine {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        // The first is a pawn's, and no letter; the second wants the one before it as a picture or
        // as text.
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
        other => Some(other),
    };
    word.chars().filter_map(letter).collect()
}

/// The word with all its dashes as hyphens.
fn dashes(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.replace(['–', '—'], "-"))
}
