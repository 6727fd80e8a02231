//! What is to be judged, from files.

use anyhow::{anyhow, ensure};

use super::Arguments;
use crate::cli::common;
use crate::input;
use crate::suite::PositionList;
use crate::suite::blunders::{Case, Game, games, paper};

/// Everything there is to judge.
pub struct Input {
    pub cases: Vec<Case>,
    /// Those of the PGN files, in order.
    pub games: Vec<Game>,
    /// Lines and games that could not be read.
    pub problems: Vec<String>,
    /// No file was named.
    pub is_example: bool,
}

impl Input {
    /// Reads the files, and names what is wrong with them.
    ///
    /// # Errors
    /// Files that cannot be read, nothing to judge, options that do not fit; with `--strict` any line or game
    /// that cannot be read.
    pub fn read(arguments: &Arguments) -> anyhow::Result<Input> {
        let (mut list, mut games, mut problems) = (PositionList::default(), Vec::new(), Vec::new());
        for path in &arguments.files {
            let bytes =
                input::read(path).map_err(|cause| anyhow!("cannot read {}: {cause}", path.display()))?;
            if input::ending(path).as_deref() == Some("pgn") {
                let (mut read, errors) = games::read(path, &bytes);
                if arguments.files.len() > 1 {
                    for game in &mut read {
                        game.name = format!("{}:{}", path.display(), game.name);
                    }
                }
                games.extend(read);
                problems.extend(errors);
            } else {
                list.add(path, &bytes);
            }
        }
        if arguments.files.is_empty() {
            list = paper::our_positions();
        }
        problems.extend(list.malformed.iter().cloned());
        common::first_warnings(&problems).for_each(|line| eprintln!("kashan: {line}"));
        ensure!(
            !arguments.strict || problems.is_empty(),
            "{} of the lines and games cannot be read, and --strict was asked for",
            problems.len()
        );
        ensure!(
            arguments.pgn.is_none() || (!games.is_empty() && arguments.engine.is_none()),
            "--pgn marks the moves of games: it needs .pgn files, and no --engine that moves in the players' place"
        );
        let mut cases: Vec<Case> = list.positions.iter().map(Case::of_position).collect::<Result<_, _>>()?;
        for (index, game) in games.iter().enumerate() {
            cases.extend(Case::of_game(index, game, &arguments.players, arguments.engine.is_some())?);
        }
        let input = Input { cases, games, problems, is_example: arguments.files.is_empty() };
        input.check_players(&arguments.players)?;
        ensure!(!input.cases.is_empty(), "there is nothing to judge");
        Ok(input)
    }

    /// A name that nobody has is a mistake of typing.
    fn check_players(&self, players: &[String]) -> anyhow::Result<()> {
        let plays = |wanted: &str| {
            let names = self.games.iter().flat_map(|game| [game.tag("White"), game.tag("Black")]);
            names.into_iter().any(|name| name == wanted)
        };
        match players.iter().find(|player| !plays(player)) {
            Some(player) => anyhow::bail!("nobody called \"{player}\" plays in these games"),
            None => Ok(()),
        }
    }

    /// Whether there are positions in which nobody has moved yet.
    pub fn wants_engine(&self) -> bool {
        self.cases.iter().any(|case| case.played.is_none())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chess::EMPTY;

    use super::*;
    use crate::position::Position;
    use crate::position::moves::captures_and_promotions;
    use crate::search::exchange;
    use crate::suite::Phase;

    /// The set is what its head says, as far as it can be seen without a search.
    #[test]
    fn our_set_has_29_quiet_middlegames() {
        let list = paper::our_positions();
        assert!(list.malformed.is_empty(), "{:?}", list.malformed);
        assert_eq!(list.positions.len(), 29);
        let mut seen = HashSet::new();
        let mut black = 0;
        for entry in &list.positions {
            let position = Position::from_fen(&entry.fen).expect("a position");
            assert!((15..=30).contains(&position.fullmove_number()), "{}", entry.fen);
            assert_eq!(*position.board().checkers(), EMPTY, "{}", entry.fen);
            assert_eq!(Phase::of(&position.to_shakmaty()), Phase::Middlegame, "{}", entry.fen);
            let captures = captures_and_promotions(position.board());
            let wins = captures.iter().any(|&mv| exchange::at_least(position.board(), mv, 1));
            assert!(!wins, "{}", entry.fen);
            assert!(seen.insert(position.key()), "twice: {}", entry.fen);
            black += u32::from(position.side_to_move() == chess::Color::Black);
        }
        assert!((14..=15).contains(&black), "both colours: {black} of Black");
    }
}
