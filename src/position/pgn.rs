//! Writing a game as PGN: the seven tag roster, the moves in standard algebraic notation, the result.

use std::fmt;

use chess::{ChessMove, Color};

use super::Position;

/// No line of a PGN in export format is longer than this.
const LINE_LENGTH: usize = 79;

/// A game to be written; its [`Display`](fmt::Display) is the PGN text, an empty line at the end.
#[derive(Clone, Debug)]
pub struct PgnGame {
    pub event: String,
    pub site: String,
    /// `YYYY.MM.DD`, with question marks for what is not known.
    pub date: String,
    pub round: String,
    pub white: String,
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Where the game began. `SetUp` and `FEN` tags are written if that is not the usual start.
    pub start: Position,
    pub moves: Vec<ChessMove>,
    /// Why the game ended, as a comment before the result.
    pub comment: Option<String>,
}

impl Default for PgnGame {
    fn default() -> Self {
        let unknown = || "?".to_owned();
        PgnGame {
            event: unknown(),
            site: unknown(),
            date: "????.??.??".to_owned(),
            round: unknown(),
            white: unknown(),
            black: unknown(),
            result: "*".to_owned(),
            start: Position::default(),
            moves: Vec::new(),
            comment: None,
        }
    }
}

impl PgnGame {
    /// The words of the move text: move numbers, moves, the comment, the result.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::with_capacity(self.moves.len() * 3 / 2 + 4);
        let mut number = self.start.fullmove_number();
        let mut side = self.start.side_to_move();
        for (index, san) in self.start.san_line(&self.moves).into_iter().enumerate() {
            if side == Color::White {
                words.push(format!("{number}."));
            } else if index == 0 {
                words.push(format!("{number}..."));
            }
            words.push(san);
            number += u32::from(side == Color::Black);
            side = !side;
        }
        if let Some(comment) = &self.comment {
            // A comment cannot hold a closing brace, and there is no way to escape one.
            let comment = format!("{{{}}}", comment.replace(['{', '}'], ""));
            words.extend(comment.split_whitespace().map(str::to_owned));
        }
        words.push(self.result.clone());
        words
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let roster = [
            ("Event", &self.event),
            ("Site", &self.site),
            ("Date", &self.date),
            ("Round", &self.round),
            ("White", &self.white),
            ("Black", &self.black),
            ("Result", &self.result),
        ];
        for (name, value) in roster {
            write_tag(f, name, value)?;
        }
        let fen = self.start.to_fen();
        if fen != Position::default().to_fen() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &fen)?;
        }
        writeln!(f)?;
        let mut column = 0;
        for word in self.words() {
            if column > 0 && column + 1 + word.len() > LINE_LENGTH {
                writeln!(f)?;
                column = 0;
            }
            if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{word}")?;
            column += word.len();
        }
        writeln!(f, "\n")
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value
        .replace(|c: char| c.is_control(), " ")
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(start: Position, moves: &[&str]) -> PgnGame {
        let mut position = start.clone();
        let moves = moves
            .iter()
            .map(|text| {
                let mv = position.parse_move(text).unwrap();
                position.play(mv).unwrap();
                mv
            })
            .collect();
        PgnGame {
            start,
            moves,
            ..PgnGame::default()
        }
    }

    #[test]
    fn seven_tags_then_moves_then_result() {
        let mut game = played(Position::default(), &["f3", "e5", "g4", "Qh4"]);
        game.white = "A \"quoted\" name".to_owned();
        game.result = "0-1".to_owned();
        game.comment = Some("Black mates".to_owned());
        let text = game.to_string();
        assert!(text.starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"));
        assert!(text.contains("[White \"A \\\"quoted\\\" name\"]"));
        assert!(text.ends_with("[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# {Black mates} 0-1\n\n"));
    }

    #[test]
    fn a_set_up_position_is_in_the_tags_and_black_may_begin() {
        let fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 30";
        let text = played(Position::from_fen(fen).unwrap(), &["e1=Q+", "Kb2"]).to_string();
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")));
        assert!(text.ends_with("\n30... e1=Q+ 31. Kb2 *\n\n"));
    }

    #[test]
    fn lines_are_short() {
        let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let moves: Vec<&str> = cycle.into_iter().cycle().take(200).collect();
        let text = played(Position::default(), &moves).to_string();
        assert!(text.lines().count() > 15);
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
    }
}
