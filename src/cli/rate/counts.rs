//! What counts of results say of two players, without their games.

use std::fmt::Write as _;

use anyhow::bail;
use serde_json::json;

use crate::arena::report;
use crate::arena::statistics::{MatchScore, Outcomes, Pentanomial, Sprt};
use crate::cli::contest::sprt_in_words;

/// The results of the first of two players: wins, draws and losses, or how many game pairs were worth 0, ½,
/// 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug)]
pub struct Counts(Outcomes);

impl Counts {
    /// Three counts or five.
    ///
    /// # Errors
    /// Another number of counts, more games than can be counted, none at all.
    pub fn new(counts: &[u32]) -> anyhow::Result<Counts> {
        let games = counts.iter().map(|&count| u64::from(count)).sum::<u64>() * 2;
        match *counts {
            _ if games > u64::from(u32::MAX) / 4 => bail!("--counts: more games than anybody has played"),
            _ if games == 0 => bail!("--counts: no games"),
            [wins, draws, losses] => Ok(Counts(MatchScore { wins, draws, losses }.into())),
            [a, b, c, d, e] => Ok(Counts(Pentanomial([a, b, c, d, e]).into())),
            _ => bail!(
                "--counts takes three counts (wins, draws, losses) or five (pairs worth 0, ½, 1, 1½ and 2 \
                 points), not {}",
                counts.len()
            ),
        }
    }

    /// A sentence each: the score, the difference, who is stronger, and the test's verdict.
    pub fn text(self, sprt: Option<&Sprt>) -> String {
        let outcomes = self.0;
        let mut text = report::meaning(["A", "B"], &outcomes) + "\n";
        if let Some(elo) = outcomes.normalized_elo() {
            let _ = writeln!(text, "Normalised Elo: {elo}.");
        }
        if let Some(sprt) = sprt {
            let status = sprt.status(self.0);
            let _ = writeln!(text, "{}", sprt_in_words(sprt, &status, status.decision));
        }
        text
    }

    /// The same for programs.
    pub fn json(self, sprt: Option<&Sprt>) -> String {
        let outcomes = self.0;
        let report = json!({
            "games": outcomes.games(),
            "points": outcomes.points(),
            "pairs": outcomes.pairs,
            "singles": outcomes.singles,
            "elo": outcomes.elo(),
            "normalized_elo": outcomes.normalized_elo(),
            "superiority": outcomes.superiority(),
            "sprt_test": sprt,
            "sprt": sprt.map(|sprt| sprt.status(self.0)),
        });
        format!("{report:#}\n")
    }
}
