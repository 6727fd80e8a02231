//! The strength behind results: pure functions of results, without input or output.
//!
//! | question | answer |
//! |---|---|
//! | how many points, and how much Elo? | [`MatchScore`], [`Pentanomial`], [`Outcomes`] |
//! | is the stronger side decided? | [`Outcomes::superiority`], [`Sprt`] |
//! | how did each two players score? | [`Results`], [`CrossTable`] |
//! | how strong is everybody? | [`RatingList`] |
//!
//! # Elo and its interval
//!
//! A player who is `D` Elo better scores `s = 1 / (1 + 10^(-D/400))` a game on average
//! ([`expected_score`]); so a score `s` is explained by `D = 400 log10(s / (1 - s))`
//! ([`elo_difference`]; Elo, *The Rating of Chessplayers*, 1978, with the logistic curve of today's
//! lists).
//!
//! The two games of a pair (the same opening, colours reversed) are not independent, so the unit is
//! the pair, or a game without a partner. The mean score lies in the interval with a probability of
//! 95 % after the results seen, if before them one pair had been half won and half lost
//! (`Posterior`); the interval's ends are turned into Elo. The likelihood of superiority is the
//! probability of a mean above ½. For hundreds of games the interval equals other programs',
//! `s ± 1.96 σ / √games` with the *trinomial* or *pentanomial* variance `σ²` per game
//! ([`Outcomes::variance`]), to a hundredth of its width. For a handful ours holds the truth at
//! least as often as it claims, theirs do not (`benches/results/coverage.md`): so few pairs have
//! too few different results for any rule to be exact. Fewer than ten pairs are never called a
//! decision: [`Outcomes::judgement`] is the rule, here, in lists and in experiments.
//!
//! *Normalised Elo* is `(s - ½) / σ` times `800 / ln 10` (Van den Bergh, [Normalized
//! Elo](https://www.cantate.be/Fishtest/normalized_elo.pdf)): its error, `1.96 · 800 / ln 10 /
//! √games`, depends on nothing but the number of games.
//!
//! # The sequential test
//!
//! [`Sprt`] compares two differences, `elo0` and `elo1`. The generalised log likelihood ratio is
//! `LLR = Σ n_i ln (p1_i / p0_i)`, where `n_i` counts the results of kind `i`, and `p0` and `p1`
//! are the distributions most likely to give them among those with the difference `elo0` and
//! `elo1`. Under a given mean they are `p_i = n_i / (n (1 + x (a_i - s)))`
//! ([support_MLE_multinomial.pdf](https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf),
//! proposition 1.1), under a given normalised difference the limit of such steps (Van den Bergh,
//! [Comments on normalized Elo](https://www.cantate.be/Fishtest/normalized_elo_practical.pdf),
//! section 4.1). Results never seen count as 0.001, as in fishtest's `LLRcalc.py`. The test ends
//! with H1 at `ln((1 - β) / α)`, with H0 at `ln(β / (1 - α))` (Wald, *Sequential Tests of
//! Statistical Hypotheses*, 1945).
//!
//! # The rating list
//!
//! [`RatingList`] maximises `Σ points · ln E + (games - points) · ln (1 - E)` over all ratings, `E`
//! the expected score of the difference (Bradley and Terry, *Rank Analysis of Incomplete Block
//! Designs*, 1952, a draw being half a win and half a loss, as in Ordo): everybody's expected
//! points are those scored. The maximum exists if everybody is linked with everybody by a chain of
//! points taken (Ford, *Solution of a Ranking Problem from Binary Comparisons*, 1957). Linked
//! players are rated by their games with each other alone; others, such as one who won every game,
//! have no rating ([`RatingList::not_rated`]). A prior links everybody by games drawn with a player
//! in the middle, if chosen ([`Anchors::prior_games`]).
//!
//! Intervals are `1.96 √(φ C_ii)`: `C` is the inverse of the Fisher information, and the dispersion
//! `φ` is the variation of the results in proportion to games without draws, a pair being one
//! result, with one more assumed half won and half lost (quasi-likelihood: McCullagh and Nelder,
//! *Generalized Linear Models*, 1989, section 4.5); the games of a prior are taken to vary as games
//! without draws do. Without anchors the interval is the one of the distance from the mean of the
//! linked; two players' intervals may overlap and the order be certain all the same, see
//! [`Rating::superiority`].

mod elo;
mod rating;
mod results;
mod score;
mod sprt;
#[cfg(test)]
mod tests;

pub use elo::{Estimate, Z95, elo_difference, expected_score};
pub use rating::{Anchors, Rating, RatingList};
pub use results::{CrossRow, CrossTable, Encounter, Results};
pub use score::{Judgement, MatchScore, Outcomes, Pentanomial};
pub use sprt::{Decision, EloModel, Sprt, SprtStatus};
