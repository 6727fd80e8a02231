//! Queries of a library: cases and their answers, and the details of a game.

use std::fmt;

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, Color};
use shakmaty::Outcome;

use super::{Filter, Games, Library, RetrievedCase};
use crate::engine::library::case::{Action, Case, GameId, Planes};
use crate::engine::library::format::{Contents, GameRecord};
use crate::engine::library::similarity::Measure;
use crate::rules::position::legal_moves;
use crate::rules::position::notation::excerpt;
use crate::util::display::one_line;

impl Library {
    /// The first filter: the number of cases of an action, own ones included.
    pub fn case_count(&self, action: Action) -> usize {
        self.cases_of(action, &self.own()).count()
    }

    /// Returns the cases of an action with boards that pass both filters, in the order of the
    /// games, own ones last. Cases with reactions that are not legal here are included, without
    /// moves.
    pub fn similar(&self, board: &Board, action: Action, filter: &Filter) -> Vec<RetrievedCase> {
        let mut measure = Measure::new(filter.similarity, Planes::of(board), filter.degree);
        let answers = Answers::new(board);
        let mut found = Vec::new();
        for case in self.cases_of(action, &self.own()) {
            if let Some(similarity) = measure.of(case.planes) {
                found.push(RetrievedCase {
                    similarity,
                    moves: answers.to(case),
                    case: *case,
                });
            }
        }
        found
    }

    /// Goes through the cases of an action, own ones last.
    fn cases_of<'l>(&'l self, action: Action, own: &'l Games) -> impl Iterator<Item = &'l Case> {
        [&self.games, own]
            .into_iter()
            .filter_map(move |games| games.cases.get(&action))
            .flatten()
    }

    /// Returns the continuation of a case's game: its reaction and the next moves, at most `plies`
    /// half-moves, as moves of a game in which `reactor` reacts. They need not be legal elsewhere:
    /// make them while they are.
    pub fn continuation(&self, case: &Case, reactor: Color, plies: usize) -> Vec<ChessMove> {
        let moves = self.look_up(case.game, |contents, game| {
            contents.moves_of(game)[usize::from(case.ply)..].to_vec()
        });
        // The moves are those of the board as it was.
        let side = chess::ALL_COLORS[usize::from(case.actor == reactor)];
        let moves = moves.unwrap_or_default().into_iter().take(plies);
        moves.map(|mv| mv.chess_move(side)).collect()
    }

    /// Returns the players and the event of a game.
    pub fn game(&self, game: GameId) -> GameInfo {
        let info = self.look_up(game, |contents, &record| {
            // They may be of anybody's file, and are put into lines.
            let shown = |name| excerpt(&one_line(contents.name(name)));
            GameInfo {
                white: shown(record.white),
                black: shown(record.black),
                event: shown(record.event),
                record,
                is_own: matches!(game, GameId::Own(_)),
            }
        });
        info.unwrap_or_default()
    }

    /// Returns the number of the full move of a case's reaction.
    pub fn move_number(&self, case: &Case) -> usize {
        let first = self.look_up(case.game, Contents::first_position).flatten();
        let first = first.unwrap_or_default();
        let black_begins = usize::from(first.side_to_move() == Color::Black);
        first.fullmove_number() as usize + (usize::from(case.ply) + black_begins) / 2
    }

    /// Looks at a game in its file; `None` for an own game of a file that was replaced.
    fn look_up<T>(&self, game: GameId, look: impl Fn(&Contents, &GameRecord) -> T) -> Option<T> {
        let own = self.own();
        let (contents, number) = match game {
            GameId::Library(number) => (&self.games.contents, number),
            GameId::Own(number) => (&own.contents, number),
        };
        let game = contents.games.get(number as usize)?;
        Some(look(contents, game))
    }
}

/// Legal moves here by their parts in common with moves elsewhere, to find a case's reaction.
struct Answers {
    /// The moves, sorted by target, the lowest part of the key.
    moves: Vec<(Action, ChessMove)>,
    /// The index of the first move of each target. The last entry is the end.
    begins: [u8; 65],
}

impl Answers {
    /// Lists the moves of the side to move.
    pub fn new(board: &Board) -> Answers {
        let moves = legal_moves(board).into_iter();
        let mut moves: Vec<_> = moves.map(|mv| (Action::of(board, mv), mv)).collect();
        // The order of legal moves stays among those to one square.
        moves.sort_by_key(|(action, _)| action.target());
        let begins = std::array::from_fn(|target| {
            moves.partition_point(|(action, _)| usize::from(action.target()) < target) as u8
        });
        Answers { moves, begins }
    }

    /// Returns the legal moves equal to the reaction of a case, in either colour.
    pub fn to(&self, case: &Case) -> ArrayVec<ChessMove, 8> {
        let reaction = case.reaction_action();
        let target = usize::from(reaction.target());
        let begin = usize::from(self.begins[target]);
        let end = usize::from(self.begins[target + 1]);
        let mut answers = ArrayVec::new();
        for (action, mv) in &self.moves[begin..end] {
            // No more than eight queens can go to one square.
            if *action == reaction && !answers.is_full() {
                answers.push(*mv);
            }
        }
        answers
    }
}

/// The players, event and record of a case's game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    /// The players; empty if unknown.
    pub white: String,
    pub black: String,
    pub event: String,
    /// Year, ratings, result and length.
    pub record: GameRecord,
    /// True for a game of this engine, from the file beside the library.
    pub is_own: bool,
}

impl GameInfo {
    /// Returns the year, if known.
    pub fn year(&self) -> Option<u16> {
        Some(self.record.year).filter(|&year| year > 0)
    }

    /// Returns the result.
    pub fn result(&self) -> Outcome {
        self.record.result.map_or(Outcome::Unknown, Outcome::Known)
    }
}

/// Formats `Ivanchuk,V (2751) - Mamedyarov,S (2760), Amber Blindfold 2008, 0-1`, with the known
/// parts.
impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |name: &str, elo: u16| match (name, elo) {
            ("", 0) => "?".to_owned(),
            ("", elo) => format!("? ({elo})"),
            (name, 0) => name.to_owned(),
            (name, elo) => format!("{name} ({elo})"),
        };
        let [white, black] = self.record.elo;
        match (player(&self.white, white), player(&self.black, black)) {
            _ if self.white.is_empty() && self.black.is_empty() => write!(f, "a game")?,
            (white, black) => write!(f, "{white} - {black}")?,
        }
        match (self.event.as_str(), self.year()) {
            ("", None) => {}
            ("", Some(year)) => write!(f, ", {year}")?,
            (event, Some(year)) if !event.contains(&year.to_string()) => {
                write!(f, ", {event} {year}")?
            }
            (event, _) => write!(f, ", {event}")?,
        }
        match self.record.result {
            None => Ok(()),
            Some(outcome) => write!(f, ", {outcome}"),
        }
    }
}
