//! A6: the paper's example, computed again.

use chess::Color;
use serde::Serialize;

use super::libraries;
use crate::experiment::words::listed;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::library::{Action, ActionKey, Filter, Keying, Library, Similarity};
use crate::position::Position;

/// Fig. 2: the game after 21.hxg6.
const FIG_2: &str = "2rqr1k1/p4p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 21";

/// What the library is said to answer to 21.hxg6.
const REACTIONS: [&str; 3] = ["hxg6", "fxg6", "Qd7"];

/// A6: The action paper's example.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let answers = libraries(laboratory)?.into_iter().map(|shelf| {
        let library = Library::open(shelf.path.as_ref())?;
        Answers::of(&library, shelf.name)
    });
    let answers = answers.collect::<anyhow::Result<Vec<Answers>>>()?;
    let parts = answers.iter().map(Answers::part).collect();
    let data = serde_json::json!({ "answers": answers });
    Ok(text.conclude(laboratory, &[], parts, data).with_rows("answers", &answers))
}

/// What a library answers to 21.hxg6.
#[derive(Serialize)]
struct Answers {
    library: String,
    cases: u64,
    /// Moves that are legal in Fig. 2 with their numbers, the most frequent first.
    legal: Vec<(String, usize)>,
}

impl Answers {
    fn of(library: &Library, name: String) -> anyhow::Result<Answers> {
        let root = Position::from_fen(FIG_2)?;
        let key = ActionKey::parse("hxg6", Color::White)?;
        let filter = Filter { keying: Keying::San, similarity: Similarity::Placement, degree: 0 };
        let found = library.similar(root.board(), Action { key, source: 0 }, &filter)?;
        let mut moves: Vec<String> =
            found.iter().flat_map(|found| &found.moves).map(|&mv| root.san(mv).to_string()).collect();
        moves.sort();
        let mut legal: Vec<(String, usize)> =
            moves.chunk_by(|a, b| a == b).map(|same| (same[0].clone(), same.len())).collect();
        legal.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
        Ok(Answers { library: name, cases: library.case_count(key), legal })
    }

    /// The paper's library is not known: another one that lacks a reaction refutes nothing.
    fn part(&self) -> Part {
        let verdict = match REACTIONS.iter().all(|wanted| self.legal.iter().any(|(san, _)| san == wanted)) {
            _ if self.cases == 0 => ClaimVerdict::NotRun("the library does not know hxg6".to_owned()),
            true => ClaimVerdict::Confirmed,
            false => ClaimVerdict::NotDecided(format!("{} cases of another library", self.cases)),
        };
        let legal = listed(&self.legal, ", ", |(san, times)| format!("{san} {times}"));
        let statement = format!("hxg6 brings {}, {}", REACTIONS.join(", "), self.library);
        Part::new(statement, verdict, format!("{} cases, of which are legal here: {legal}", self.cases))
    }
}

#[cfg(test)]
mod tests {
    use chess::{Board, Square};

    use super::*;
    use crate::evaluation::power::PowerWeights;
    use crate::evaluation::threats::{Contact, contacts};
    use crate::evaluation::{Evaluator as _, Genome as _, Power, Tunable as _};

    /// The game after 21.hxg6 and four answers, Figs 2 to 6, and White's power less Black's by material
    /// alone, computed apart from this program.
    const FIGURES: [(&str, i32); 5] = [
        (FIG_2, -900),
        ("2rqr1k1/p4p2/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 0 22", -1200),
        ("2rqr1k1/p6p/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 0 22", -1100),
        ("2r1r1k1/p2q1p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 1 22", -1500),
        ("2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22", -2400),
    ];

    /// Table 1: how often each man of the chain defends and attacks men of it. As printed, but for two errors
    /// of print that its own last column contradicts: the row of the queen on d8 lacks the bishop on f6, and
    /// that of the knight on h4 has its attackers f5 and f6 among the defenders.
    const DEFENDERS: [(&str, usize); 9] =
        [("c8", 1), ("d3", 1), ("d8", 3), ("e6", 1), ("e8", 3), ("f6", 1), ("g6", 1), ("g8", 1), ("h7", 1)];
    const ATTACKERS: [(&str, usize); 4] = [("e4", 1), ("f5", 1), ("f6", 1), ("h4", 2)];

    /// Equation 2 without the values of squares.
    fn material_alone() -> Power {
        let row = PowerWeights::DEFAULT.to_row();
        let row: Vec<i32> =
            row.iter().enumerate().map(|(at, &weight)| if at < 6 { weight } else { 0 }).collect();
        Power::with_weights(PowerWeights::from_row(&row))
    }

    /// White's power less Black's, by counting contacts.
    fn by_contacts(board: &Board) -> i32 {
        let men = contacts(board);
        let touches = |man: &Contact| {
            let is_touched = |other: &&Contact| {
                let touching = if other.color == man.color { &other.defenders } else { &other.attackers };
                touching.contains(&(man.piece, man.square))
            };
            men.iter().filter(is_touched).count() as i32
        };
        men.iter()
            .map(|man| {
                let sign = if man.color == Color::White { 1 } else { -1 };
                sign * [100, 300, 300, 500, 900, 0][man.piece.to_index()] * (1 + touches(man))
            })
            .sum()
    }

    /// All men from which contacts lead to one man, with those that touch them.
    struct Chain {
        men: Vec<Contact>,
    }

    impl Chain {
        fn of(board: &Board, man: Square) -> Chain {
            let all = contacts(board);
            let mut squares = vec![man];
            let mut next = 0;
            while let Some(&square) = squares.get(next) {
                let touching = all.iter().filter(|man| man.square == square);
                for &(_, from) in touching.flat_map(|man| man.defenders.iter().chain(&man.attackers)) {
                    if !squares.contains(&from) {
                        squares.push(from);
                    }
                }
                next += 1;
            }
            Chain { men: all.into_iter().filter(|man| squares.contains(&man.square)).collect() }
        }

        /// How often each square's man defends, or attacks, men of the chain.
        fn frequencies(&self, defends: bool) -> Vec<(String, usize)> {
            let touching =
                |man: &Contact| if defends { man.defenders.clone() } else { man.attackers.clone() };
            let mut squares: Vec<String> =
                self.men.iter().flat_map(touching).map(|(_, square)| square.to_string()).collect();
            squares.sort();
            squares.chunk_by(|a, b| a == b).map(|same| (same[0].clone(), same.len())).collect()
        }
    }

    fn named(frequencies: &[(&str, usize)]) -> Vec<(String, usize)> {
        frequencies.iter().map(|&(square, times)| (square.to_owned(), times)).collect()
    }

    #[test]
    fn equation_2_has_the_values_computed_apart() {
        let power = material_alone();
        for (fen, expected) in FIGURES {
            let position = Position::from_fen(fen).expect(fen);
            assert_eq!(power.evaluate(position.board()).0, expected, "{fen}");
            assert_eq!(by_contacts(position.board()), expected, "{fen}");
        }
    }

    #[test]
    fn the_chain_is_as_printed() {
        let chain = Chain::of(Position::from_fen(FIGURES[4].0).expect("Fig. 6").board(), Square::G6);
        assert_eq!(chain.men.len(), 12);
        assert_eq!(chain.frequencies(true), named(&DEFENDERS));
        assert_eq!(chain.frequencies(false), named(&ATTACKERS));
    }

    #[test]
    fn a_library_that_lacks_a_reaction_refutes_nothing() {
        let verdict = |moves: &[&str]| {
            let legal = moves.iter().map(|&san| (san.to_owned(), 1)).collect();
            Answers { library: "one".to_owned(), cases: 3, legal }.part().verdict
        };
        assert_eq!(verdict(&["Qd7", "hxg6", "fxg6", "Kg7"]), ClaimVerdict::Confirmed);
        let lacking = verdict(&["hxg6", "fxg6", "Kg7"]);
        assert_eq!(lacking, ClaimVerdict::NotDecided("3 cases of another library".to_owned()));
    }
}
