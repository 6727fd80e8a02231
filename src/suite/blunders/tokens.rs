//! What stands in a PGN game that is not PGN. A reader that is made for speed passes over it; a move that was lost that way would change the game.

use shakmaty::san::SanPlus;

/// The first thing in the text of a game, tags and moves, that is no PGN; `None` if all of it is. Variations are only counted.
pub fn nonsense(game: &str) -> Option<String> {
    let moves = match tags(game) {
        Ok(moves) => moves,
        Err(line) => return Some(format!("\"{line}\" is no tag")),
    };
    let mut rest = moves;
    let mut variations = 0_u32;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            ';' => end_of_line(rest),
            '%' if is_new_line(moves, rest) => end_of_line(rest),
            '(' | ')' => {
                let depth = match first {
                    '(' => Some(variations + 1),
                    _ => variations.checked_sub(1),
                };
                match depth {
                    Some(depth) => variations = depth,
                    None => return Some("a variation ends that never began".to_owned()),
                }
                1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let end = rest.find(|letter: char| letter.is_whitespace() || "{}();".contains(letter));
                // A brace that closes nothing is a token by itself.
                let end = end.unwrap_or(rest.len()).max(1);
                let token = &rest[..end];
                if variations == 0 && !is_known(token) {
                    return Some(format!("\"{token}\" is neither a move nor a result"));
                }
                end
            }
        };
        rest = &rest[length..];
    }
    (variations > 0).then(|| "a variation does not end".to_owned())
}

/// What follows the tags, or the first line among them that is none.
fn tags(game: &str) -> Result<&str, &str> {
    let mut rest = game;
    while rest.starts_with(['[', '%', '\n', '\r']) {
        let length = end_of_line(rest);
        let line = rest[..length].trim();
        let is_tag = line.ends_with(']') && line.matches('"').count() >= 2;
        if line.starts_with('[') && !is_tag {
            return Err(line);
        }
        rest = &rest[length..];
    }
    Ok(rest)
}

/// The length of the first line, its end included.
fn end_of_line(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

fn is_new_line(text: &str, rest: &str) -> bool {
    text[..text.len() - rest.len()]
        .chars()
        .next_back()
        .is_none_or(|before| before == '\n')
}

/// A result, or any of: move number, move, glyphs, one behind the other.
fn is_known(token: &str) -> bool {
    if ["1-0", "0-1", "1/2-1/2", "½-½", "*", "e.p."].contains(&token) {
        return true;
    }
    let number = token.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_castling = token.starts_with("0-0");
    let token = match is_castling {
        true => token,
        false => number.trim_start_matches('.'),
    };
    let (mv, glyph) = token.split_once('$').unwrap_or((token, "0"));
    let mv = mv.trim_end_matches(['!', '?']);
    let is_move = mv.is_empty() || SanPlus::from_ascii(mv.replace('0', "O").as_bytes()).is_ok();
    is_move && !glyph.is_empty() && glyph.bytes().all(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgn_is_known_as_it_is_written_everywhere() {
        for text in [
            "[White \"A\"]\n[Black \"B [c]\"]\n\n1. e4 e5 2.Nf3!? Nc6 $14 3...a6 {a (comment} (3. d4 nonsense ) 1-0\n",
            "1.e4 e5 ; nonsense\n% nonsense\n2. O-O-O 0-0+ 0-0-0 *",
            "1. e8=Q+ exd6 e.p. R1xa1# e4$1 Qh4xe1 ... 1/2-1/2",
            "",
            "[Event \"\u{e9}\"]\r\n\r\n1. d4\r\n½-½\r\n",
        ] {
            assert_eq!(nonsense(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_pgn_is_named() {
        for (text, name) in [
            ("1. e4 xyz e5 *", "\"xyz\""),
            ("1. d4 d5 2. Nf9 Nc3 *", "\"Nf9\""),
            ("1. e4 e5 (1... c5 2. Nf3 1-0", "does not end"),
            ("1. e4 ) e5 *", "never began"),
            ("1. e4 } e5 *", "\"}\""),
            ("1. e4 $x *", "\"$x\""),
            ("[Event \"a\" nonsense\n\n1. e4 *", "[Event \"a\" nonsense"),
            ("1. é4 *", "\"é4\""),
        ] {
            let said = nonsense(text);
            assert!(
                said.as_ref().is_some_and(|said| said.contains(name)),
                "{text}: {said:?}"
            );
        }
    }
}
