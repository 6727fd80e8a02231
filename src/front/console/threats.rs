//! The command `threats`: which men are attacked, which are defended, and by whom.

use std::cmp::Reverse;

use anstyle::{Ansi256Color, Style};
use chess::{Color, Piece, Square};

use super::board::{self, Mark};
use super::{Console, Face, name};
use crate::evaluation::threats::{Contact, contacts};

const HANGING: Mark = Mark { sign: '!', ground: Ansi256Color(160) };
const CONTESTED: Mark = Mark { sign: '*', ground: Ansi256Color(172) };
const DEFENDED: Mark = Mark { sign: '+', ground: Ansi256Color(67) };

impl Console {
    pub(super) fn show_threats(&mut self) {
        let contacts = contacts(self.engine.position().board());
        let mark = |square| contacts.iter().find(|man| man.square == square).and_then(mark);
        // The whole screen has a board of its own.
        if !matches!(self.face, Face::Screen { .. }) {
            let beside = Default::default();
            let board = board::draw(self.engine.position(), self.seat(), self.look, &beside, mark);
            let legend = self.legend();
            self.print(&format!("{board}{legend}\n"));
        }
        for color in [Color::White, Color::Black] {
            let lines = in_words(&contacts, color);
            self.say(
                format!("{}: {}", name(color), if lines.is_empty() { "no man is attacked." } else { "" })
                    .trim_end(),
            );
            lines.iter().for_each(|line| self.say(format!("  {line}")));
        }
    }

    fn legend(&self) -> String {
        let shown = |mark: Mark, text: &str| match self.look.colors {
            true => {
                let style = Style::new().bg_color(Some(mark.ground.into()));
                format!("{style}   {style:#} {text}")
            }
            false => format!("{} {text}", mark.sign),
        };
        format!(
            "  {}   {}   {}\n",
            shown(HANGING, "attacked, not defended"),
            shown(CONTESTED, "attacked and defended"),
            shown(DEFENDED, "defended")
        )
    }
}

fn mark(man: &Contact) -> Option<Mark> {
    match (man.attackers.is_empty(), man.defenders.is_empty()) {
        (false, true) => Some(HANGING),
        (false, false) => Some(CONTESTED),
        (true, false) => Some(DEFENDED),
        (true, true) => None,
    }
}

/// A sentence for each attacked man of a side, the king first, then those that nobody defends, the dearest
/// first.
fn in_words(contacts: &[Contact], color: Color) -> Vec<String> {
    let mut attacked: Vec<&Contact> =
        contacts.iter().filter(|man| man.color == color && !man.attackers.is_empty()).collect();
    attacked.sort_by_key(|man| (man.piece != Piece::King, !man.defenders.is_empty(), Reverse(man.piece)));
    attacked.into_iter().map(sentence).collect()
}

fn sentence(man: &Contact) -> String {
    let whom = named((man.piece, man.square));
    let by = listed(&man.attackers);
    if man.piece == Piece::King {
        return format!("{whom} is in check from {by}.");
    }
    match man.defenders.is_empty() {
        true => format!("{whom} is attacked by {by}, and nobody defends it."),
        false => format!("{whom} is attacked by {by}, and defended by {}.", listed(&man.defenders)),
    }
}

/// `the knight on e5`
fn named((piece, square): (Piece, Square)) -> String {
    let names = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    format!("the {} on {square}", names[piece.to_index()])
}

/// `the pawn on d6, the rook on e8 and the king on f6`
fn listed(men: &[(Piece, Square)]) -> String {
    let names: Vec<String> = men.iter().copied().map(named).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nobody".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn men_are_named_with_those_that_touch_them() {
        let position = Position::from_fen("r3k3/2N5/8/3p4/4P3/3P4/8/4K3 b - - 0 1").expect("a position");
        let contacts = contacts(position.board());
        let black = [
            "the king on e8 is in check from the knight on c7.",
            "the rook on a8 is attacked by the knight on c7, and nobody defends it.",
            "the pawn on d5 is attacked by the pawn on e4 and the knight on c7, and nobody defends it.",
        ];
        assert_eq!(in_words(&contacts, Color::Black), black);
    }
}
