//! Queries of a library: cases and their answers, the moves played in a position, the details of a
//! game.

use std::fmt;

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, Color};
use shakmaty::Outcome;

use super::{CHUNK, Filter, KnownMove, Library, RetrievedCase};
use crate::engine::library::case::{Action, ActionKey, Case, GameId, Keying, Planes};
use crate::engine::library::file::LibraryError;
use crate::engine::library::format::{
    self, CaseRecord, GameRecord, Name, PositionRecord, ReactionRecord,
};
use crate::engine::library::retain::OwnGame;
use crate::engine::library::similarity::Measure;
use crate::rules::position::notation::excerpt;
use crate::rules::position::{MoveList, Position, legal_moves, moves};
use crate::util::display::one_line;

impl Library {
    /// The first filter: how many cases an action has, own ones included. Nothing is read.
    pub fn case_count(&self, action: ActionKey) -> u64 {
        let own = self.own_cases();
        let in_memory = [&self.replayed, &own.by_action];
        let in_memory = in_memory.iter().filter_map(|cases| cases.get(&action));
        in_memory.map(|cases| cases.len() as u64).sum::<u64>()
            + self
                .action(action)
                .map_or(0, |(record, _)| u64::from(record.cases.get()))
    }

    /// Returns the cases of an action with boards that pass both filters, in the order of the file,
    /// own ones last. Cases with reactions that are not legal here are included, without moves.
    pub fn similar(
        &self,
        board: &Board,
        action: Action,
        filter: &Filter,
    ) -> Result<Vec<RetrievedCase>, LibraryError> {
        let mut measure = Measure::new(filter.similarity, Planes::of(board), filter.degree);
        let answers = Answers::new(board, filter.keying);
        let mut found = Vec::new();
        self.for_each_like(
            action,
            filter.keying,
            |planes| measure.of(planes),
            |case, similarity| {
                found.push(RetrievedCase {
                    similarity,
                    moves: answers.to(&case),
                    case,
                })
            },
        )?;
        Ok(found)
    }

    /// Returns the number of cases of an action, own ones included. Reads the file only if squares
    /// count, too.
    pub fn count_of(&self, action: Action, keying: Keying) -> Result<u64, LibraryError> {
        if keying == Keying::San {
            return Ok(self.case_count(action.key));
        }
        let mut count = 0;
        self.for_each_case(action, keying, |_| count += 1)?;
        Ok(count)
    }

    /// Goes through the cases of an action, own ones last.
    pub fn for_each_case(
        &self,
        action: Action,
        keying: Keying,
        mut visit: impl FnMut(&Case),
    ) -> Result<(), LibraryError> {
        self.for_each_like(action, keying, |_| Some(()), |case, ()| visit(&case))
    }

    /// Visits the cases of an action whose boards pass `measure`, own ones last. Most cases do not
    /// pass; only their boards are read.
    fn for_each_like<T>(
        &self,
        action: Action,
        keying: Keying,
        mut measure: impl FnMut(Planes) -> Option<T>,
        mut visit: impl FnMut(Case, T),
    ) -> Result<(), LibraryError> {
        let is_wanted = |source: u8| keying == Keying::San || source == action.source;
        if let Some((record, first)) = self.action(action.key) {
            let count = record.cases.get() as usize;
            let mut buffer = vec![CaseRecord::default(); count.min(CHUNK)];
            for done in (0..count).step_by(CHUNK) {
                let records = &mut buffer[..CHUNK.min(count - done)];
                self.file.read(Name::Cases, first + done as u64, records)?;
                for record in records {
                    if is_wanted(record.source())
                        && let Some(measured) = measure(record.planes())
                    {
                        visit(record.case(), measured);
                    }
                }
            }
        }
        for in_memory in [&self.replayed, &self.own_cases().by_action] {
            let cases = in_memory.get(&action.key).into_iter().flatten();
            for case in cases.filter(|case| is_wanted(case.source)) {
                if let Some(measured) = measure(case.planes) {
                    visit(*case, measured);
                }
            }
        }
        Ok(())
    }

    /// Returns the reactions to an action in the games of the library, with their counts, by key: a
    /// table in memory. Own cases are not counted.
    pub fn reactions(&self, action: ActionKey) -> &[ReactionRecord] {
        let begin = self
            .reactions
            .partition_point(|record| record.action < action);
        let length = self.reactions[begin..].partition_point(|record| record.action == action);
        &self.reactions[begin..begin + length]
    }

    /// Returns the legal moves of the library's games in exactly this position, most games first,
    /// by the position's Polyglot key. Only positions of at least two games are known. A game
    /// without a result counts as a draw; own cases are not counted.
    pub fn moves(&self, position: &Position) -> Result<Vec<KnownMove>, LibraryError> {
        let key = position.polyglot_key();
        let mut known = Vec::new();
        for number in self.first_position(key)?..self.count(Name::Positions) {
            let record = self.position(number)?;
            if record.key.get() != key {
                break;
            }
            let mv = record.mv.chess_move(Color::White);
            if moves::is_legal(position.board(), mv) {
                known.push(KnownMove {
                    mv,
                    games: record.games.get(),
                    half_points: record.half_points.get(),
                    year: known_number(record.year.get()),
                    elo: known_number(record.elo.get()),
                });
            }
        }
        known.sort_by_key(|known| (std::cmp::Reverse(known.games), known.mv.to_string()));
        Ok(known)
    }

    /// Returns the number of the first position with a key not below `key`, by binary search in the
    /// file.
    fn first_position(&self, key: u64) -> Result<u64, LibraryError> {
        let mut low = 0;
        let mut high = self.count(Name::Positions);
        while low < high {
            let middle = low.midpoint(high);
            if self.position(middle)?.key.get() < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn position(&self, number: u64) -> Result<PositionRecord, LibraryError> {
        let mut record = PositionRecord::default();
        self.file
            .read(Name::Positions, number, std::slice::from_mut(&mut record))?;
        Ok(record)
    }

    /// Returns the continuation of a case's game: its reaction and the next moves, at most `plies`
    /// half-moves, as moves of a game in which `reactor` reacts. They need not be legal elsewhere:
    /// make them while they are.
    pub fn continuation(
        &self,
        case: &Case,
        reactor: Color,
        plies: usize,
    ) -> Result<Vec<ChessMove>, LibraryError> {
        let moves = match case.game {
            GameId::Library(number) => {
                let game = self.record(number)?;
                let left = usize::from(game.plies.get().saturating_sub(case.ply)).min(plies);
                self.read_moves(u64::from(game.moves.get()) + u64::from(case.ply), left)?
            }
            GameId::Own(number) => {
                let own = self.own_cases();
                let game = own.own.games.get(number as usize);
                let moves = game
                    .map(|game| game.moves_from(case.ply))
                    .unwrap_or_default();
                moves.into_iter().take(plies).collect()
            }
        };
        // The moves are those of the board as it was.
        let side = if case.actor == reactor {
            Color::Black
        } else {
            Color::White
        };
        Ok(moves.into_iter().map(|mv| mv.chess_move(side)).collect())
    }

    /// Returns the players and the event of a game.
    pub fn game(&self, game: GameId) -> Result<GameInfo, LibraryError> {
        Ok(match game {
            GameId::Library(number) => {
                let [white, black, event, _] = self.names_of(number)?;
                // They may be of anybody's file, and are put into lines.
                let [white, black, event] =
                    [white, black, event].map(|name| excerpt(&one_line(&name)));
                GameInfo {
                    white,
                    black,
                    event,
                    record: self.record(number)?,
                    is_own: false,
                }
            }
            GameId::Own(number) => {
                let own = self.own_cases();
                GameInfo::of_own(
                    own.own
                        .games
                        .get(number as usize)
                        .unwrap_or(&OwnGame::default()),
                )
            }
        })
    }
}

/// Returns a number of a record, or `None` for 0 (unknown).
fn known_number(number: u16) -> Option<u16> {
    (number > 0).then_some(number)
}

/// Legal moves here by their parts in common with moves elsewhere, to find a case's reaction.
struct Answers {
    /// The moves, sorted by target, the lowest part of the key.
    moves: Vec<(Action, ChessMove)>,
    /// The index of the first move of each target. The last entry is the end.
    begins: [u8; 65],
    keying: Keying,
}

impl Answers {
    /// Lists the moves of the side to move.
    pub fn new(board: &Board, keying: Keying) -> Answers {
        let moves: MoveList = legal_moves(board);
        let mut moves: Vec<_> = moves
            .into_iter()
            .map(|mv| (Action::of(board, mv), mv))
            .collect();
        // The order of legal moves stays among those to one square.
        moves.sort_by_key(|(action, _)| action.key.target());
        let begins = std::array::from_fn(|target| {
            moves.partition_point(|(action, _)| usize::from(action.key.target()) < target) as u8
        });
        Answers {
            moves,
            begins,
            keying,
        }
    }

    /// Returns the legal moves equal to the reaction of a case, in either colour.
    pub fn to(&self, case: &Case) -> ArrayVec<ChessMove, 8> {
        let reaction = case.reaction_action();
        let fits = |action: &Action| match self.keying {
            Keying::San => action.key == reaction.key,
            Keying::Squares => *action == reaction,
        };
        let target = usize::from(reaction.key.target());
        let moves =
            &self.moves[usize::from(self.begins[target])..usize::from(self.begins[target + 1])];
        // No more than eight queens can go to one square.
        moves
            .iter()
            .filter(|(action, _)| fits(action))
            .map(|(_, mv)| *mv)
            .take(8)
            .collect()
    }
}

/// The players, event and record of a case's game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The players; empty if unknown.
    pub white: String,
    pub black: String,
    pub event: String,
    /// Date, ratings, result and length.
    pub record: GameRecord,
    /// True for a game of this engine, from the file beside the library.
    pub is_own: bool,
}

impl GameInfo {
    /// A game of the file beside the library.
    pub fn of_own(game: &OwnGame) -> GameInfo {
        let name = |is_ours: bool| if is_ours { "Kashan" } else { "" }.to_owned();
        let plies = game
            .pairs
            .keys()
            .next_back()
            .map_or(0, |&last| last.saturating_add(1));
        let white = name(!game.as_black);
        let black = name(game.as_black);
        let event = String::new();
        GameInfo {
            white,
            black,
            event,
            record: GameRecord {
                plies: plies.into(),
                ..game.record
            },
            is_own: true,
        }
    }

    /// Returns the year, if known.
    pub fn year(&self) -> Option<u16> {
        known_number(self.record.year.get())
    }

    /// Returns the result.
    pub fn result(&self) -> Outcome {
        format::result(self.record.result)
    }
}

/// Formats `Ivanchuk,V (2751) - Mamedyarov,S (2760), Amber Blindfold 2008, 0-1`, with the known
/// parts.
impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |(name, elo): (&str, u16)| {
            let name = if name.is_empty() { "?" } else { name };
            if elo == 0 {
                name.to_owned()
            } else {
                format!("{name} ({elo})")
            }
        };
        match (self.white.as_str(), self.black.as_str()) {
            ("", "") => write!(f, "a game")?,
            (white, black) => {
                let white = player((white, self.record.white_elo.get()));
                let black = player((black, self.record.black_elo.get()));
                write!(f, "{white} - {black}")?;
            }
        }
        match (self.event.as_str(), self.year()) {
            ("", None) => {}
            ("", Some(year)) => write!(f, ", {year}")?,
            (event, Some(year)) if !event.contains(&year.to_string()) => {
                write!(f, ", {event} {year}")?
            }
            (event, _) => write!(f, ", {event}")?,
        }
        match self.result() {
            Outcome::Unknown => Ok(()),
            Outcome::Known(outcome) => write!(f, ", {outcome}"),
        }
    }
}
