//! Tag pairs: `[White "Réti, Richard"]`.

/// The tags of a game, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// The value of a tag, blanks around it cut off; `None` if the tag is missing. The first counts if there
    /// are several.
    pub fn get(&self, name: &str) -> Option<&str> {
        let tag = self.0.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim())
    }

    /// Reads the tags at the beginning of a game's text. Also returns the first line that begins like a tag
    /// and is none, and the text behind the tags.
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
pub(super) fn names(line: &str) -> impl Iterator<Item = String> {
    Tags::read(line).0.0.into_iter().map(|(name, _)| name.to_ascii_lowercase())
}

/// A tag pair as a line; the value may be any text.
pub fn tag_pair(name: &str, value: &str) -> String {
    let value = value.replace(|c: char| c.is_control(), " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// The name and value of a tag, and what follows it in its line.
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
