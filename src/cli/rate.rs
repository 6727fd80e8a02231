//! `kashan rate`: ratings of players from the games of PGN files, or from counts of results.

use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::competition::{self, sprt_in_words};
use super::{common, print, print_json};
use crate::arena::archive::{Archive, Skipped};
use crate::arena::report;
use crate::arena::statistics::{
    Anchors, CrossTable, MatchScore, Outcomes, Pentanomial, RatingList, Sprt,
};
use crate::rules::pgn;
use crate::util::display::{Format, counted};
use crate::util::files;

/// Rate the players of PGN games: crosstable, rating list with intervals, results of each two.
///
/// Ratings are the most likely ones if a player who is D Elo better scores 1/(1+10^(-D/400)) on
/// average; players whom no chain of points won and lost connects with the others are named and not
/// rated. Game pairs (the same opening with colours reversed) are found where they can be, and make
/// the intervals narrower.
/// Games that are unfinished or cannot be read are named and left out.
///
/// With --counts, what bare counts of results say of two players: the Elo difference, and with
/// --sprt a test.
#[derive(Debug, Args)]
pub struct Arguments {
    /// PGN files, or directories with .pgn files; - is standard input.
    #[arg(required_unless_present = "counts", value_name = "PGN")]
    pgn: Vec<PathBuf>,
    /// Instead of games: how many A won, drew and lost against B; or, five counts, how many pairs
    /// of games were worth 0, ½, 1, 1½ and 2 points for A.
    #[arg(long, value_name = "COUNT", num_args = 3..=5, conflicts_with_all = ["pgn", "anchors", "prior", "strict"])]
    counts: Option<Vec<u32>>,
    #[command(flatten)]
    test: competition::Test,
    /// A player with a given rating; can be repeated. Without one, the mean of players linked by
    /// results is 0.
    #[arg(long = "anchor", value_name = "NAME=RATING", value_parser = parse_anchor)]
    anchors: Vec<(String, f64)>,
    /// Count so many drawn games of everybody with an average player, too: ratings from few games
    /// move towards the middle, everybody can be compared. Without, ratings are the most likely
    /// ones, and who cannot be compared is named without a rating.
    #[arg(long, value_name = "GAMES", default_value_t = 0.0)]
    prior: f64,
    /// Write one JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Stop with an error if any game is unfinished or cannot be read.
    #[arg(long)]
    strict: bool,
}

/// The most players in a crosstable: more do not fit on a line.
const CROSSTABLE_PLAYERS: usize = 20;

/// `NAME=RATING`; the name may have equals signs.
fn parse_anchor(text: &str) -> Result<(String, f64), String> {
    let (name, rating) = text
        .rsplit_once('=')
        .ok_or("write NAME=RATING, as in --anchor \"Fairy-Max=1900\"")?;
    match rating.trim().parse::<f64>() {
        // Beyond, the difference of two neighbours is lost in the rounding.
        Ok(rating) if rating.abs() <= 100_000.0 => Ok((name.trim().to_owned(), rating)),
        _ => Err(format!("'{rating}' is no rating")),
    }
}

/// Runs the subcommand.
///
/// # Errors
/// Unreadable or unwritable files, no finished games, anchors that did not play; with `--strict`
/// any uncounted game.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let sprt = arguments.test.sprt()?;
    if let Some(counts) = &arguments.counts {
        let outcomes = outcomes_of(counts)?;
        return if arguments.json {
            print_json(&counts_json(outcomes, sprt.as_ref()))
        } else {
            print(&counts_text(outcomes, sprt.as_ref()))
        };
    }
    ensure!(
        sprt.is_none(),
        "--sprt tests counts of results: --counts WINS DRAWS LOSSES"
    );
    let inputs = pgn::files(&arguments.pgn)?;
    files::check(&inputs, None)?;
    let mut archive = Archive::default();
    let bar = common::spinner("games read");
    for file in &inputs {
        archive.add_file(file, &|| bar.inc(1))?;
    }
    bar.finish_and_clear();
    if archive.duplicates > 0 {
        let duplicates = counted(archive.duplicates, "game");
        common::tell(&format!(
            "kashan: {duplicates} left out that stand in the files before"
        ));
    }
    common::tell_left_out(&archive.problems, "game", arguments.strict)?;
    common::tell_left_out(&archive.unread, "game", arguments.strict)?;
    let list = RatingList::estimate(&archive.results, &anchors(arguments)?)?;
    let table = CrossTable::new(&archive.results);
    if arguments.json {
        return print_json(&json_report(&archive, &table, &list));
    }
    print(&text_report(&archive, &table, &list))
}

fn anchors(arguments: &Arguments) -> anyhow::Result<Anchors> {
    let mut anchors = Anchors {
        prior_games: arguments.prior,
        ..Anchors::default()
    };
    for (name, rating) in &arguments.anchors {
        let before = anchors.ratings.insert(name.clone(), *rating);
        ensure!(
            before.is_none_or(|before| before == *rating),
            "two ratings given for anchor '{name}'"
        );
    }
    Ok(anchors)
}

/// Summarises the input, in one line.
fn summary(archive: &Archive) -> String {
    let mut pairs = 0;
    for encounter in archive.results.encounters().values() {
        pairs += encounter.outcomes.pairs.pairs();
    }
    let problems = archive.problems.iter();
    let unfinished = problems
        .filter(|problem| problem.what == Skipped::Unfinished)
        .count();
    let broken = archive.problems.len() - unfinished;
    let unread = archive.unread.len();
    let mut text = format!("{} rated", counted(archive.results.games().len(), "game"));
    if pairs > 0 {
        text += &format!(", {} in {}", 2 * pairs, counted(pairs, "pair"));
    }
    if unfinished + broken > 0 {
        text += &format!("; not counted: {unfinished} unfinished, {broken} broken");
    }
    if unread > 0 {
        text += &format!("; {unread} with words that are no moves");
    }
    if archive.duplicates > 0 {
        text += &format!("; {} left out", counted(archive.duplicates, "duplicate"));
    }
    text
}

fn text_report(archive: &Archive, table: &CrossTable, list: &RatingList) -> String {
    let mut text = format!("{}\n\n", summary(archive));
    let notes = report::rating_notes(list);
    if !list.ratings.is_empty() {
        text += &report::rating_table(list).render(Format::Terminal);
        text += if notes.is_empty() { "" } else { "\n" };
    }
    text += &notes;
    text += "\n";
    let players = table.rows.len();
    if players > CROSSTABLE_PLAYERS {
        text += &format!("No crosstable of {players} players; --json has everything.\n");
        return text;
    }
    if players > 2 {
        text += &report::crosstable(table).render(Format::Terminal);
        text += "\n";
    }
    text += &report::encounters(table);
    if let [first, second] = &*table.rows {
        let outcomes = archive
            .results
            .encounter(first.player, second.player)
            .outcomes;
        let meaning = report::meaning([&first.name, &second.name], &outcomes);
        text += &format!("\n{meaning}\n");
    }
    text
}

fn json_report(archive: &Archive, table: &CrossTable, list: &RatingList) -> Value {
    let players = archive.results.players();
    let mut encounters = Vec::new();
    for ((player, opponent), encounter) in archive.results.encounters() {
        let mut row = outcomes_json(&encounter.outcomes);
        row["player"] = json!(players[player]);
        row["opponent"] = json!(players[opponent]);
        row["score"] = json!(encounter.score);
        encounters.push(row);
    }
    json!({
        "games": archive.games,
        "rated": archive.results.games().len(),
        "duplicates": archive.duplicates,
        "problems": archive.problems,
        "unread": archive.unread,
        "ratings": list.ratings,
        "not_rated": list.not_rated,
        "standings": table.json(),
        "encounters": encounters,
    })
}

/// Returns the outcomes of counts, for two players without their games: wins, draws and losses of
/// the first, or the numbers of game pairs worth 0, ½, 1, 1½ and 2 points to the first.
///
/// # Errors
/// Another number of counts, more games than can be counted, none at all.
fn outcomes_of(counts: &[u32]) -> anyhow::Result<Outcomes> {
    let games = counts.iter().map(|&count| u64::from(count)).sum::<u64>() * 2;
    match *counts {
        _ if games > u64::from(u32::MAX) / 4 => {
            bail!("--counts: more games than anybody has played")
        }
        _ if games == 0 => bail!("--counts: no games"),
        [wins, draws, losses] => Ok(Outcomes {
            singles: MatchScore {
                wins,
                draws,
                losses,
            },
            ..Outcomes::default()
        }),
        [a, b, c, d, e] => Ok(Pentanomial([a, b, c, d, e]).into()),
        _ => bail!(
            "--counts takes three counts (wins, draws, losses) or five (pairs worth 0, ½, 1, 1½ and 2 \
             points), not {}",
            counts.len()
        ),
    }
}

/// Returns a sentence each: the score, the difference, the stronger player, and the test's verdict.
fn counts_text(outcomes: Outcomes, sprt: Option<&Sprt>) -> String {
    // Of pairs it is not known how many games were drawn.
    let score = Some(outcomes.singles).filter(|_| outcomes.pairs.pairs() == 0);
    let mut text = format!(
        "{}\n{}\n",
        report::meaning(["A", "B"], &outcomes),
        report::runners_words(&outcomes, score)
    );
    if let Some(sprt) = sprt {
        let status = sprt.status(outcomes);
        text += &sprt_in_words(sprt, &status, status.decision);
        text += "\n";
    }
    text
}

/// Returns score, difference and test as JSON, for programs.
fn counts_json(outcomes: Outcomes, sprt: Option<&Sprt>) -> Value {
    let mut report = outcomes_json(&outcomes);
    report["games"] = json!(outcomes.games());
    report["points"] = json!(outcomes.points());
    report["sprt_test"] = json!(sprt);
    report["sprt"] = json!(sprt.map(|sprt| sprt.status(outcomes)));
    report
}

/// Returns the difference between two players from the outcomes of one.
fn outcomes_json(outcomes: &Outcomes) -> Value {
    json!({
        "pairs": outcomes.pairs,
        "singles": outcomes.singles,
        "elo": outcomes.elo(),
        "normalized_elo": outcomes.normalized_elo(),
        "superiority": outcomes.superiority(),
    })
}
