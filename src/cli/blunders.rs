//! `kashan blunders`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use shakmaty::Move;

use super::{common, print, print_json};
use crate::arena::suite::blunders::report::{Unjudged, blunder_summary, blunder_table};
use crate::arena::suite::blunders::run::{self, Bench, JudgeEvent, Terms};
use crate::arena::suite::blunders::{Case, NamedGame, Report, games};
use crate::arena::suite::{Bands, Grade, Measure, PositionList};
use crate::arena::{EngineLimits, EngineSpec, Protocol};
use crate::util::display::{Format, counted};
use crate::util::files::{self, OutputFile};
use crate::util::input;
use crate::util::jobs::StopRequest;
use crate::util::system;

/// Find blunders: the cost of moves by the judgement of a stronger engine.
///
/// FILEs are lists of positions (EPD or FEN, one a line), in which an engine chooses a move, or
/// games (.pgn), whose moves are judged. A blunder is a move that loses more than 15 percentage
/// points of the winning chances by the reference's values. `--threshold 1.5` is the
/// paper's rule, in pawns.
#[derive(Debug, Args)]
pub struct Arguments {
    /// EPD or FEN lists, and PGN files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The engine under test: a command with its arguments, or kashan:genetic, kashan:alphabeta,
    /// kashan:minimax, kashan:action. For games: it moves in the players' place [default:
    /// kashan:genetic, for games none]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// An option of the engine; can be given more than once.
    #[arg(long, value_name = "NAME=VALUE", value_parser = common::option)]
    option: Vec<(String, String)>,
    /// The engine's protocol [default: found out]
    #[arg(long, value_name = "PROTOCOL", value_parser = common::one_of::<Protocol>())]
    protocol: Option<Protocol>,
    /// Limits of the engine for a position: 1/move, depth=5, nodes=20000, ...
    #[arg(long, value_name = "LIMITS", value_parser = common::lone_limits, default_value = "1/move")]
    tc: EngineLimits,
    /// The judging engine, in UCI [default: stockfish, or without it kashan:alphabeta]
    #[arg(long, value_name = "ENGINE")]
    reference: Option<String>,
    /// An option of the reference; can be given more than once.
    #[arg(long, value_name = "NAME=VALUE", value_parser = common::option)]
    reference_option: Vec<(String, String)>,
    /// Limits of the reference for each of its searches, one to three for a position.
    #[arg(long, value_name = "LIMITS", value_parser = common::lone_limits, default_value = "nodes=500000")]
    reference_limits: EngineLimits,
    /// Look only at this player's moves in games; can be given more than once.
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// Pawns of loss for a blunder, instead of grades by winning chances (the paper: 1.5).
    #[arg(long, value_name = "PAWNS", value_parser = pawns)]
    threshold: Option<i32>,
    /// The number of positions judged at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = common::at_least_one())]
    concurrency: usize,
    /// Keep a journal here: the same command continues from the journal.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write the games here with ??, ? and ?! and the better lines. A file with other games is left
    /// alone.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Show all moves of games, not only inaccuracies, mistakes and blunders.
    #[arg(long)]
    all: bool,
    /// Stop with an error if any line or game cannot be read. Otherwise they are named and left
    /// out.
    #[arg(long)]
    strict: bool,
    /// Write one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// Runs the check.
///
/// # Errors
/// Mistakes on the command line, unreadable or unwritable files, engines that do not start, and
/// positions without a judgement.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bands = match arguments.threshold {
        Some(blunder) => Bands {
            blunder,
            ..Bands::default()
        },
        None => Bands::BY_CHANCES,
    };
    let journal = arguments.journal.as_deref();
    let pgn = arguments.pgn.as_deref();
    let marked = pgn.map(|path| OutputFile::report(path, PGN_MARK));
    let outputs = marked
        .into_iter()
        .chain(journal.map(OutputFile::with_own_rules));
    files::check(&arguments.files, outputs)?;
    let input = Input::read(arguments)?;
    if let Some(path) = pgn {
        only_these(path, &input.games)?;
    }
    let terms = terms(arguments, &input)?;
    let count = input.cases.len();
    let bar = common::progress_bar(count, "positions");
    // What was judged is shown, and is in the journal.
    let stop = common::stopped_at_once(&bar);
    if !arguments.json {
        introduce(&terms, &input);
    }
    let mut blunders = 0;
    let judged = run::run(
        &terms,
        &input.cases,
        journal,
        arguments.concurrency,
        &|| Bench::start(&terms, &stop),
        &StopRequest::from(&stop),
        &mut |event| show(&event, &bar, &bands, &mut blunders),
    );
    bar.finish_and_clear();
    let findings = judged?;
    let report = Report {
        cases: &input.cases,
        findings: &findings,
        bands: &bands,
    };
    let written = marked.map(|marked| {
        only_these(marked.path, &input.games)?;
        marked.write(annotated(&terms, &input, &report).as_bytes())
    });
    if arguments.json {
        print_json(&json(&terms, &input, &report))?;
    } else {
        print(&tables(&terms, &input, &report, arguments.all))?;
    }
    // The answer took long: it is shown also where the games cannot be written.
    written.transpose()?;
    let unjudged = report.unjudged();
    let judged = count - unjudged.not_judged;
    ensure!(
        judged == count,
        common::unfinished(judged, count, "were judged", "judges", journal)
    );
    for (count, what) in not_counted(&unjudged) {
        ensure!(count == 0, "{} {what}", counted(count, "position"));
    }
    Ok(())
}

/// Returns the numbers of positions that an engine left without an answer, and the reasons.
fn not_counted(unjudged: &Unjudged) -> [(usize, &'static str); 3] {
    [
        (
            unjudged.without_move,
            "without a legal move from the engine, not counted",
        ),
        (
            unjudged.not_given,
            "that the engine cannot be given, not counted",
        ),
        (
            unjudged.without_value,
            "without a value by the reference, not counted: let it think longer",
        ),
    ]
}

fn terms(arguments: &Arguments, input: &Input) -> anyhow::Result<Terms> {
    // There may be positions in which nobody has moved yet.
    let has_positions = input.cases.iter().any(|case| case.played.is_none());
    let engine = match arguments.engine.as_deref() {
        None if has_positions => Some("kashan:genetic"),
        named => named,
    };
    ensure!(
        engine.is_some() || arguments.option.is_empty() && arguments.protocol.is_none(),
        "--option and --protocol are of an engine that moves, and here all moves are those of games: name one \
         with --engine"
    );
    let engine = engine
        .map(|line| common::engine_spec(line, &arguments.option, arguments.protocol))
        .transpose()?;
    Ok(Terms {
        engine,
        limits: arguments.tc,
        reference: reference_or_stockfish(arguments)?,
        reference_limits: arguments.reference_limits,
    })
}

/// Returns the named reference, or Stockfish; without Stockfish our own alpha-beta, with a message.
/// The reference speaks UCI.
fn reference_or_stockfish(arguments: &Arguments) -> anyhow::Result<EngineSpec> {
    let line = match arguments.reference.as_deref() {
        Some(line) => line,
        None if system::has_program("stockfish") => "stockfish",
        None => {
            common::tell(
                "kashan: there is no program \"stockfish\" on the PATH: Kashan's own alpha-beta judges the moves, if not \
                 as well. Stockfish is at https://stockfishchess.org/download/ (\"kashan help blunders\" has more ways \
                 to get it); --reference names its path, or another UCI engine",
            );
            "kashan:alphabeta"
        }
    };
    common::engine_spec(line, &arguments.reference_option, Some(Protocol::Uci))
}

/// Everything there is to judge, from files.
struct Input {
    cases: Vec<Case>,
    /// The games of the PGN files, in order.
    games: Vec<NamedGame>,
    /// Unreadable lines and games.
    problems: Vec<String>,
}

impl Input {
    /// Reads the files, and names their faults.
    ///
    /// # Errors
    /// Unreadable files, nothing to judge, options that do not fit; with `--strict` any unreadable
    /// line or game.
    fn read(arguments: &Arguments) -> anyhow::Result<Input> {
        let mut list = PositionList::default();
        let mut games = Vec::new();
        let mut problems = Vec::new();
        for path in &arguments.files {
            let bytes = input::read(path)
                .map_err(|cause| anyhow!("cannot read {}: {cause}", path.display()))?;
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
        problems.extend(list.malformed);
        common::tell_left_out(
            &problems,
            if games.is_empty() { "line" } else { "game" },
            arguments.strict,
        )?;
        ensure!(
            arguments.pgn.is_none() || (!games.is_empty() && arguments.engine.is_none()),
            "--pgn marks the moves of games: it needs .pgn files, and no --engine that moves in the players' place"
        );
        let mut cases = Vec::new();
        for position in &list.positions {
            cases.push(Case::of_position(position)?);
        }
        for (index, game) in games.iter().enumerate() {
            cases.extend(Case::of_game(
                index,
                game,
                &arguments.players,
                arguments.engine.is_some(),
            )?);
        }
        // A name that nobody has is a mistake of typing.
        for name in &arguments.players {
            let plays = |game: &NamedGame| {
                ["White", "Black"]
                    .map(|side| game.tag(side))
                    .contains(&&**name)
            };
            ensure!(
                games.iter().any(plays),
                "nobody called \"{name}\" plays in these games"
            );
        }
        ensure!(!cases.is_empty(), "there is nothing to judge");
        Ok(Input {
            cases,
            games,
            problems,
        })
    }
}

/// Pawns as centipawns.
fn pawns(text: &str) -> Result<i32, String> {
    match text.trim().parse::<f64>() {
        Ok(pawns) if (0.0..=100.0).contains(&pawns) => Ok((pawns * 100.0).round() as i32),
        _ => Err("pawns are a number from 0 to 100".to_owned()),
    }
}

/// Shows an event, and counts the blunders.
fn show(event: &JudgeEvent<'_>, bar: &ProgressBar, bands: &Bands, blunders: &mut u32) {
    match event {
        JudgeEvent::Note(text) => common::warn(bar, text),
        JudgeEvent::Begins { done } => {
            if *done > 0 {
                common::warn(bar, &format!("{done} were judged before"));
            }
            common::begin_at(bar, *done);
        }
        JudgeEvent::Found { finding, .. } => {
            let sample = finding.sample(bands);
            *blunders += u32::from(sample.is_some_and(|sample| sample.grade == Grade::Blunder));
            bar.set_message(counted(*blunders, "blunder"));
            bar.inc(1);
        }
    }
}

/// Names the judge and the judged, on standard error: standard output has the answer only.
fn introduce(terms: &Terms, input: &Input) {
    let whose = match &terms.engine {
        Some(engine) => format!("of {} ({} a position)", engine.name, terms.limits),
        None => format!("of {}", counted(input.games.len(), "game")),
    };
    let moves = counted(input.cases.len(), "move");
    common::tell(&format!(
        "kashan: {moves} {whose}, judged by {}",
        judge(terms)
    ));
}

/// `stockfish (nodes=500000 a search)`
fn judge(terms: &Terms) -> String {
    format!(
        "{} ({} a search)",
        terms.reference.name, terms.reference_limits
    )
}

/// The mark among the tags of every annotated game.
const PGN_MARK: &str = "[Annotator \"Kashan, by ";

/// Refuses a file with other games than the ones to write.
fn only_these(path: &Path, games: &[NamedGame]) -> anyhow::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let content = input::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (there, unreadable) = games::read(path, &content);
    let known: HashSet<_> = games.iter().map(players_and_moves).collect();
    let other = there
        .iter()
        .find(|game| !known.contains(&players_and_moves(game)))
        .map(|game| &game.name);
    if let Some(other) = other.or(unreadable.first()) {
        bail!(
            "{} has games that are none of those judged here, and they would be lost: name another file, or move this \
             one away (game {other})",
            path.display()
        );
    }
    Ok(())
}

/// Returns the players and the moves: equal only for copies of a game.
fn players_and_moves(game: &NamedGame) -> ([&str; 2], Vec<Move>) {
    let moves = game.pgn.moves.iter().map(|one| one.mv).collect();
    ([game.tag("White"), game.tag("Black")], moves)
}

/// Returns all games; games without a judgement are unchanged.
fn annotated(terms: &Terms, input: &Input, report: &Report<'_>) -> String {
    let mut text = String::new();
    for (index, game) in input.games.iter().enumerate() {
        let mut findings = vec![None; game.pgn.moves.len()];
        for (case, finding) in report.rows() {
            if let Some(place) = case.place
                && place.game == index
            {
                findings[place.ply] = finding;
            }
        }
        text += &games::write(game, &findings, report.bands, &judge(terms));
    }
    text
}

fn json(terms: &Terms, input: &Input, report: &Report<'_>) -> Value {
    let mut value = report.json();
    value["engine"] = json!(terms.engine);
    value["limits"] = json!(terms.engine.as_ref().map(|_| terms.limits));
    value["reference"] = json!(terms.reference);
    value["reference_limits"] = json!(terms.reference_limits);
    value["problems"] = json!(input.problems);
    value
}

fn tables(terms: &Terms, input: &Input, report: &Report<'_>, all: bool) -> String {
    let mut rows = vec![("all".to_owned(), report.summary())];
    let phases = report.phases();
    if phases.len() > 1 {
        rows.extend(phases);
    }
    let players = report.players();
    if players.len() > 1 {
        rows.extend(players);
    }
    let mut text = format!(
        "{}\n{}",
        blunder_table(report, all).render(Format::Terminal),
        blunder_summary(&rows, report.bands).render(Format::Terminal)
    );
    let unjudged = report.unjudged();
    let forced = (unjudged.forced, "with one legal move only, not counted");
    let missing = (unjudged.not_judged, "not judged");
    let not_counted = not_counted(&unjudged);
    for (count, what) in [forced].into_iter().chain(not_counted).chain([missing]) {
        if count > 0 {
            text += &format!("\n{} {what}.\n", counted(count, "position"));
        }
    }
    if !input.problems.is_empty() {
        text += &format!(
            "\n{} of the lines and games could not be read.\n",
            input.problems.len()
        );
    }
    let limit = f64::from(report.bands.blunder);
    let blunder = match report.bands.measure {
        Measure::Chances => format!("{limit} percentage points of the winning chances"),
        Measure::Centipawns => format!("{} pawns", limit / 100.0),
    };
    text + &format!(
        "\nValues are from White's point of view, losses in pawns. A blunder loses more than {blunder} by the judgement of {}.\n",
        judge(terms)
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chess::EMPTY;

    use super::*;
    use crate::arena::suite::Phase;
    use crate::arena::suite::blunders::paper;
    use crate::rules::position::Position;
    use crate::rules::position::moves::captures_and_promotions;
    use crate::search::exchange;

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
            assert!(
                (15..=30).contains(&position.fullmove_number()),
                "{}",
                entry.fen
            );
            assert_eq!(*position.board().checkers(), EMPTY, "{}", entry.fen);
            assert_eq!(
                Phase::of(&position.to_shakmaty()),
                Phase::Middlegame,
                "{}",
                entry.fen
            );
            let captures = captures_and_promotions(position.board());
            assert!(
                !captures
                    .iter()
                    .any(|&mv| exchange::at_least(position.board(), mv, 1)),
                "{}",
                entry.fen
            );
            assert!(seen.insert(position.key()), "twice: {}", entry.fen);
            black += u32::from(position.side_to_move() == chess::Color::Black);
        }
        assert!((14..=15).contains(&black), "both colours: {black} of Black");
    }

    #[test]
    fn limits_in_pawns_are_read() {
        assert_eq!(["1.5", " 0.29 "].map(pawns), [Ok(150), Ok(29)]);
        let read = ["", "x", "-1", "NaN", "101", "inf"].map(pawns);
        assert!(read.iter().all(Result::is_err), "{read:?}");
    }
}
