//! The claims of Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for playing
//! chess", Computers, Materials & Continua 69(1), 2021, the paper of the backend `action`: A1 and
//! so on.
//!
//! Rybka, the paper's opponent, is missing here: our own alpha-beta with all moves, the same
//! evaluation and the same limits stands in, because the claims compare exactly these.

pub(super) mod retrieval;
pub(super) mod shelf;

use super::laboratory::{Match, PlayedMatch, ours};
use super::words::{listed, percent};
use super::{ClaimVerdict, Conclusion, Conditions, Laboratory, Part, Text};
use crate::arena::statistics::Estimate;
use crate::arena::{EngineLimits, EngineSpec};
use crate::engine::library::Library;
use shelf::{Shelf, copied, libraries};

/// The depth in place of the paper's fixed but unnamed depth: the depth of the tuning paper, whose
/// experiments the paper repeats.
pub(super) const FOUR_PLIES: EngineLimits = EngineLimits {
    time: None,
    depth: Some(4),
    nodes: None,
};

/// The paper's player: nothing but the library's moves, chosen by alpha-beta.
fn player(
    conditions: &Conditions,
    name: &str,
    library: &str,
    options: &[(&str, &str)],
) -> EngineSpec {
    let fixed = [
        ("LibraryFile", library),
        ("ActionDepth", "0"),
        ("MoveOverhead", "5"),
    ];
    ours(conditions, name, "action", &[&fixed, options].concat())
}

/// A side of a match: the search of all moves, or of what the library answers, with both filters
/// and a degree in percent, or with 0 the first filter alone.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    All,
    Degree(u32),
}

impl Side {
    fn name(self) -> String {
        match self {
            Side::All => "All moves".to_owned(),
            Side::Degree(0) => "Filter 1".to_owned(),
            // `0.4` of 40 %.
            Side::Degree(degree) => format!("Degree {:.1}", f64::from(degree) / 100.0),
        }
    }

    /// The name in the journals.
    fn word(self) -> String {
        match self {
            Side::All => "all".to_owned(),
            Side::Degree(degree) => degree.to_string(),
        }
    }

    fn engine(self, conditions: &Conditions, shelf: &Shelf, option: (&str, &str)) -> EngineSpec {
        let degree = self.word();
        let options = [("SimilarityDegree", degree.as_str()), option];
        match self {
            Side::All => all_moves(conditions, &[option]),
            Side::Degree(_) => player(conditions, &self.name(), &shelf.path, &options),
        }
    }
}

/// The same alpha-beta search, of all moves.
fn all_moves(conditions: &Conditions, options: &[(&str, &str)]) -> EngineSpec {
    let options = [&[("MoveOverhead", "5")], options].concat();
    ours(conditions, &Side::All.name(), "alphabeta", &options)
}

/// Makes a match to measure between two sides, with an option of both.
fn filtered(
    laboratory: &Laboratory,
    shelf: &Shelf,
    limits: EngineLimits,
    option: (&str, &str),
    sides: [Side; 2],
) -> Match {
    let conditions = &laboratory.conditions;
    let engines = sides.map(|side| side.engine(conditions, shelf, option));
    let (_, with) = option;
    let [first, second] = sides.map(Side::name);
    let second = second.replace("All moves", "all moves");
    let what = format!("{first} against {second}, {}, {with}, {limits}", shelf.name);
    let [first, second] = sides.map(Side::word);
    let work = format!("a-{}-{with}-{first}-{second}", shelf.name);
    Match::new(work, what, engines, limits, conditions.games(10, 400))
}

/// Makes a match with the claim that the first side is stronger.
fn claimed(one: Match) -> Match {
    let claim = one.what.clone();
    one.claiming(claim)
}

/// A1: readings of equation 2 and of Algorithms 2 and 3.
pub fn power(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let conditions = &laboratory.conditions;
    let mut matches = Vec::new();
    for chain in ["direct", "chain", "signed"] {
        let power = [("Evaluation", "power"), ("PowerChain", chain)];
        let engines = [
            ("Power", &power[..]),
            ("Standard", &[("Evaluation", "paper")]),
        ]
        .map(|(name, options)| ours(conditions, name, "alphabeta", options));
        let games = conditions.games(10, 400);
        let one = Match::new(format!("a1-{chain}"), chain, engines, FOUR_PLIES, games);
        let claim = format!("Power is the better evaluation, PowerChain={chain}");
        matches.push(one.claiming(claim));
    }
    Ok(matches)
}

/// A2: the first filter against all moves, with each evaluation.
pub fn first_filter(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let by_time = laboratory.conditions.limits("0.02/move", "0.1/move");
    let sides = [Side::Degree(0), Side::All];
    let mut matches = Vec::new();
    for shelf in &libraries(laboratory)? {
        for evaluation in ["paper", "power"] {
            for limits in [FOUR_PLIES, by_time] {
                let option = ("Evaluation", evaluation);
                matches.push(claimed(filtered(laboratory, shelf, limits, option, sides)));
            }
        }
    }
    Ok(matches)
}

/// A3: both filters against one, and against all moves.
pub fn both_filters(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let option = ("Evaluation", "paper");
    let mut matches = Vec::new();
    for shelf in &libraries(laboratory)? {
        for opponent in [Side::Degree(0), Side::All] {
            for degree in [40, 50] {
                let sides = [Side::Degree(degree), opponent];
                matches.push(claimed(filtered(
                    laboratory, shelf, FOUR_PLIES, option, sides,
                )));
            }
        }
    }
    Ok(matches)
}

/// A4: two degrees against each other, and all degrees against all moves. What is done where no
/// case is so similar the paper does not say; only `first` explains 12-3-195.
pub(super) fn degree_matches(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let mut matches = Vec::new();
    for shelf in &libraries(laboratory)? {
        for empty in ["all", "first"] {
            let name = &shelf.name;
            let option = ("EmptyList", empty);
            let of = |sides| filtered(laboratory, shelf, FOUR_PLIES, option, sides);
            if empty == "all" {
                let alike = of([Side::Degree(40), Side::Degree(50)]);
                matches.push(alike.stating(format!("Degrees 0.4 and 0.5 are alike, {name}")));
            }
            for degree in [40, 50, 60, 70, 80] {
                let one = of([Side::Degree(degree), Side::All]);
                matches.push(one.stating(format!(
                    "0.4 or 0.5 is the best degree, {name}, EmptyList={empty}"
                )));
            }
        }
    }
    Ok(matches)
}

/// The bound for two alike players, in Elo: their difference is certainly no larger.
const ALIKE: f64 = 30.0;

/// A4: Similarity degrees 0.4 to 0.8.
pub fn degrees(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let played_matches = laboratory.play_all(degree_matches(laboratory)?)?;
    // Of each library two degrees against each other, and curves of all degrees against all moves.
    let alike = played_matches.chunk_by(|one, next| one.wanted.statement == next.wanted.statement);
    let mut parts = Vec::new();
    for curve in alike {
        let verdict = match curve {
            [direct] => ClaimVerdict::of_elo([-ALIKE, ALIKE], &direct.encounter),
            curve => best_is_first(curve, 2),
        };
        let evidence = match curve {
            [direct] => direct.in_words(),
            curve => listed(curve, "; ", |one| {
                format!("{}: {}", one.names()[0], one.in_words())
            }),
        };
        parts.push(Part::new(&curve[0].wanted.statement, verdict, evidence));
    }
    let games = played_matches[0].wanted.games;
    Ok(text
        .conclude(laboratory, &[("games", &games)], parts, &played_matches)
        .with_endings(&played_matches))
}

/// Decides if the best of the first `few` matches is better than all others, by their intervals.
fn best_is_first(curve: &[PlayedMatch], few: usize) -> ClaimVerdict {
    let mut intervals = Vec::new();
    for played_match in curve {
        intervals.extend(played_match.encounter.outcomes.elo());
    }
    let games = curve[0].encounter.score.games();
    if intervals.len() < curve.len() || games < 20 {
        return ClaimVerdict::NotDecided(format!("{games} games a degree, which are too few"));
    }
    let (first, others) = intervals.split_at(few);
    if has_the_best(first, others) {
        ClaimVerdict::Confirmed
    } else if has_the_best(others, first) {
        ClaimVerdict::Refuted
    } else {
        ClaimVerdict::NotDecided(format!("{games} games a degree"))
    }
}

/// Returns true if one of the first is certainly above all others.
fn has_the_best(first: &[Estimate], others: &[Estimate]) -> bool {
    first
        .iter()
        .any(|one| others.iter().all(|other| one.low > other.high))
}

/// A8: Own games as cases.
pub fn retaining(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let mut shelves = libraries(laboratory)?;
    // Own cases are kept beside a file.
    shelves.retain(|shelf| shelf.path != Library::BUILT_IN);
    if shelves.is_empty() {
        let why = "no library was named: --library FILE, as kashan library build makes it";
        return Ok(Conclusion::not_run(
            "The library grows",
            why,
            "nothing was played",
        ));
    }
    let games = laboratory.conditions.games(10, 400);
    let mut parts = Vec::new();
    let mut played_matches = Vec::new();
    for shelf in &shelves {
        for played in laboratory.conditions.pick([4, 10], [500, 2_000]) {
            let (played_match, own) = retained(laboratory, shelf, played, games)?;
            let of_all = format!("Own cases of all cases, {}", played_match.wanted.what);
            parts.extend([played_match.part(), Part::measured(of_all, own)]);
            played_matches.push(played_match);
        }
    }
    let conclusion = text.conclude(laboratory, &[("games", &games)], parts, &played_matches);
    Ok(conclusion.with_endings(&played_matches))
}

/// Plays `played` games with Retain, then the match; also returns the share of own cases, in words.
fn retained(
    laboratory: &Laboratory,
    shelf: &Shelf,
    played: u32,
    games: u32,
) -> anyhow::Result<(PlayedMatch, String)> {
    let work = format!("a8-{}-{played}", shelf.name);
    let what = format!("{} after {played} games", shelf.name);
    let grown = copied(laboratory, &shelf.path, &format!("{work}-grown"))?;
    let bare = copied(laboratory, &shelf.path, &format!("{work}-bare"))?;
    let conditions = &laboratory.conditions;
    let learner = player(conditions, "Learner", &grown, &[("Retain", "true")]);
    let learning = [learner, all_moves(conditions, &[])];
    let learns = format!("{work}-learns");
    laboratory.play(Match::new(learns, &what, learning, FOUR_PLIES, played))?;
    let engines = [("With own cases", &grown), ("Without", &bare)]
        .map(|(name, library)| player(conditions, name, library, &[]));
    let claim = format!("With its own cases it is the better player, {what}");
    let played_match =
        laboratory.play(Match::new(work, what, engines, FOUR_PLIES, games).claiming(claim))?;
    let library = Library::open(grown.as_ref())?;
    let (own, own_games) = library.own_counts();
    let all = own + library.actions().map(|(_, cases)| cases).sum::<usize>();
    let percent = percent(own, all);
    let own = format!("{own} of {all} ({percent}), from {own_games} games");
    Ok((played_match, own))
}

#[cfg(test)]
mod tests {
    //! A5: the printed numbers, computed again.

    use crate::arena::statistics::expected_score;

    /// Rybka's levels.
    const LEVELS: [f64; 4] = [2500.0, 2300.0, 2100.0, 1900.0];

    /// Wins, draws and losses against each level.
    type ResultRow = [[u32; 3]; 4];

    /// Tables 2 to 4: A with the standard and with the proposed evaluation, B, and C with degrees
    /// 0.4 to 0.8.
    const ROWS: [ResultRow; 8] = [
        [[0, 1, 199], [49, 13, 138], [71, 33, 96], [105, 44, 51]],
        [[18, 1, 181], [69, 43, 88], [98, 23, 79], [113, 31, 56]],
        [[37, 4, 159], [78, 36, 86], [117, 29, 54], [167, 9, 24]],
        [[38, 44, 118], [109, 46, 45], [127, 35, 38], [179, 15, 6]],
        [[42, 37, 121], [111, 46, 43], [124, 41, 35], [181, 13, 6]],
        [[30, 12, 158], [82, 23, 95], [109, 14, 77], [156, 20, 24]],
        [[18, 5, 177], [41, 13, 146], [74, 26, 100], [96, 11, 93]],
        [[0, 4, 196], [2, 1, 197], [8, 1, 191], [12, 3, 195]],
    ];

    /// The evolved player of the tuning paper against the same levels, and its rating there: what
    /// the ratings are anchored at.
    const ANCHOR: ResultRow = [[29, 40, 131], [77, 48, 75], [110, 30, 60], [166, 27, 7]];
    const ANCHORS_RATING: f64 = 2317.0;

    /// The most likely rating: at which the logistic curve expects the points of a row.
    fn rating(row: &ResultRow) -> f64 {
        let points: f64 = row
            .iter()
            .map(|&[wins, draws, _]| f64::from(wins) + f64::from(draws) / 2.0)
            .sum();
        let expected = |rating: f64| -> f64 {
            let games = row.iter().map(|score| f64::from(score.iter().sum::<u32>()));
            games
                .zip(LEVELS)
                .map(|(games, level)| games * expected_score(rating - level))
                .sum()
        };
        let mut low = 0.0;
        let mut high = 5000.0;
        while high - low > 0.01 {
            let middle = f64::midpoint(low, high);
            if expected(middle) < points {
                low = middle
            } else {
                high = middle
            }
        }
        low
    }

    #[test]
    fn ratings_are_those_of_the_games() {
        // A draw counts half; a score of one half against four levels is their middle.
        assert!((rating(&[[100, 0, 100]; 4]) - 2200.0).abs() < 1.0);
        let offset = ANCHORS_RATING - rating(&ANCHOR);
        let ratings = ROWS.map(|row| (rating(&row) + offset).round() as i32);
        assert_eq!(ratings, [2090, 2186, 2297, 2403, 2407, 2265, 2072, 1542]);
        let printed = [(1, 2167), (2, 2217), (3, 2483)];
        assert_eq!(
            printed.map(|(row, printed)| ratings[row].abs_diff(printed) <= 25),
            [true, false, false]
        );
    }

    #[test]
    fn not_every_level_played_200_games() {
        let games = ROWS.iter().flatten().map(|score| score.iter().sum::<u32>());
        assert_eq!(
            games.filter(|&games| games != 200).collect::<Vec<_>>(),
            [210]
        );
    }
}
