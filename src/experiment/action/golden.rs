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
    use super::*;

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
