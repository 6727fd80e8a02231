//! The material to judge: a game; a position, the phase of its game, and the move played there if
//! known.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position as _};

use crate::arena::referee::{Played, Referee};
use crate::arena::suite::{Question, SuitePosition};
use crate::rules::pgn;
use crate::rules::position::notation::write_fen;
use crate::util::jobs::fnv;

/// A game with its name.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The name: the game's number in its file, from 1, with unreadable games counted.
    pub name: String,
    pub pgn: pgn::PgnGame,
}

impl NamedGame {
    /// The value of a tag; `?` if missing.
    pub fn tag(&self, name: &str) -> &str {
        self.pgn.tags.get(name).unwrap_or("?")
    }

    /// The player of a colour.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black"))
    }
}

/// A case's place in the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePly {
    /// Index of the game.
    pub game: usize,
    /// Half-moves before the case.
    pub ply: usize,
}

/// A position with one move to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// For tables: the `id` of an EPD line, or the move's number.
    pub name: String,
    /// The engines' question: the start and the moves from there, to show repetitions.
    pub question: Question,
    /// The position itself.
    pub fen: String,
    pub turn: Color,
    pub phase: Phase,
    /// The only legal move, if there is one only: nothing can be judged.
    pub forced: Option<Played>,
    /// The game's move to judge, in coordinates; `None` if the engine under test is to choose one.
    pub played: Option<String>,
    pub place: Option<GamePly>,
    /// The player's name, in games.
    pub player: Option<String>,
}

impl Case {
    fn new(name: String, question: Question, referee: &Referee) -> Case {
        Case {
            name,
            question,
            fen: referee.fen(),
            turn: referee.turn(),
            phase: Phase::of(referee.position()),
            forced: match referee.position().legal_moves().as_slice() {
                [only] => Some(referee.written(*only)),
                _ => None,
            },
            played: None,
            place: None,
            player: None,
        }
    }

    /// A position of a list.
    ///
    /// # Errors
    /// Fails if the position is none; a list's reader has checked this already.
    pub fn of_position(position: &SuitePosition) -> anyhow::Result<Case> {
        Ok(Case::new(
            position.name(),
            Question::new(&position.fen),
            &Referee::at(&position.fen)?,
        ))
    }

    /// Every move of a game by one of `players`, or by either side if the list is empty. The judged
    /// move is the game's, or, with `choose`, the choice of an engine.
    ///
    /// # Errors
    /// Fails if the game's start is no position; a game's reader has checked this already.
    pub fn of_game(
        index: usize,
        game: &NamedGame,
        players: &[String],
        choose: bool,
    ) -> anyhow::Result<Vec<Case>> {
        let start = write_fen(&game.pgn.start);
        let mut referee = Referee::at(&start)?;
        let mut cases = Vec::new();
        for (ply, mv) in game.pgn.moves.iter().enumerate() {
            let player = game.player(referee.turn());
            if players.is_empty() || players.iter().any(|wanted| wanted == player) {
                let number = referee.position().fullmoves();
                let dots = referee.turn().fold_wb(".", "...");
                let question = Question {
                    fen: start.clone(),
                    moves: referee.coordinates(0),
                    ..Question::default()
                };
                cases.push(Case {
                    played: (!choose).then(|| referee.written(mv.mv).uci),
                    place: Some(GamePly { game: index, ply }),
                    player: Some(player.to_owned()),
                    ..Case::new(format!("{}:{number}{dots}", game.name), question, &referee)
                });
            }
            referee.play(mv.mv);
        }
        Ok(cases)
    }
}

/// Opening, middlegame or endgame.
///
/// Minor pieces count 1, rooks 2, queens 4, of both sides together; 24 at the start. The opening
/// lasts until more than two points are gone (a pair of minor pieces), the endgame begins at 10
/// (two rooks and a minor piece on each side). The weights are the usual ones for mixing middlegame
/// and endgame evaluations ("tapered eval", Fruit 2.1); the limits are ours.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phase of a position.
    pub fn of(position: &Chess) -> Phase {
        let board = position.board();
        let minors = (board.knights() | board.bishops()).count();
        match minors + 2 * board.rooks().count() + 4 * board.queens().count() {
            22.. => Phase::Opening,
            11..=21 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}

/// The cases in a journal: their number and a checksum of everything decisive, so the journal is
/// never continued with others.
pub fn fingerprint(cases: &[Case]) -> Value {
    let mut text = String::new();
    for Case {
        question, played, ..
    } in cases
    {
        text = text + &question.fen + "\0";
        for mv in &question.moves {
            text = text + mv + "\0";
        }
        text = text + played.as_deref().unwrap_or("?") + "\0";
    }
    let checksum = fnv(text.bytes());
    json!({ "count": cases.len(), "checksum": format!("{checksum:016x}") })
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::arena::suite::tests::{cases, game};

    const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n";

    fn of_players(players: &[&str], choose: bool) -> Vec<Case> {
        let players: Vec<String> = players.iter().map(|&name| name.to_owned()).collect();
        Case::of_game(0, &game(GAME), &players, choose).expect("cases")
    }

    #[test]
    fn moves_of_the_players_asked_for_become_cases() {
        let all = cases(GAME);
        let names: Vec<&str> = all.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["1:1.", "1:1...", "1:2.", "1:2..."]);
        let black = of_players(&["B"], false);
        assert_eq!(black.len(), 2);
        assert_eq!(black[1].played.as_deref(), Some("b8c6"));
        assert_eq!(black[1].question.moves, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(black[1].place, Some(GamePly { game: 0, ply: 3 }));
        assert!(black[1].fen.contains(" b KQkq"), "{}", black[1].fen);
        let chosen = of_players(&["A"], true);
        assert!(
            chosen
                .iter()
                .all(|case| case.played.is_none() && case.player.as_deref() == Some("A"))
        );
        assert!(of_players(&["C"], false).is_empty());
    }

    #[test]
    fn other_cases_have_another_fingerprint() {
        let all = cases(GAME);
        let chosen = of_players(&[], true);
        assert_eq!(fingerprint(&all), fingerprint(&all.clone()));
        assert_ne!(fingerprint(&all), fingerprint(&chosen));
        assert_ne!(fingerprint(&all), fingerprint(&all[1..]));
    }

    #[test]
    fn material_decides() {
        for (fen, phase) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Phase::Opening,
            ),
            // A pair of knights less, then one more bishop.
            (
                "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
                Phase::Opening,
            ),
            (
                "r1bqk1nr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
                Phase::Middlegame,
            ),
            // Queens and a rook each: 12. Two rooks and a knight each: 10.
            ("3qr1k1/8/8/8/8/8/8/3QR1K1 w - - 0 1", Phase::Middlegame),
            ("2nrr1k1/8/8/8/8/8/8/2NRR1K1 w - - 0 1", Phase::Endgame),
            ("6k1/8/8/8/8/8/4P3/6K1 w - - 0 1", Phase::Endgame),
        ] {
            let fen: Fen = fen.parse().expect("a FEN");
            let position: Chess = fen
                .into_position(CastlingMode::Standard)
                .expect("a position");
            assert_eq!(Phase::of(&position), phase);
        }
    }
}
