//! Reports of the console. `review` is a look back at the game: our own alpha-beta (or Stockfish on
//! request) finds the cost of each of the user's moves, like `kashan blunders`, and the report
//! gives reasons and better moves in words. `explain` is the genetic search's view of the position
//! on the board.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::anyhow;

use super::board::Pieces;
use super::commands::unquoted;
use super::keep::{self, HUMAN};
use super::{Activity, Console, Face, graph};
use crate::arena::client::ClientError;
use crate::arena::suite::blunders::{Case, Finding, NamedGame, Report, Thinker, games, judge};
use crate::arena::suite::{
    Analyst, Bands, DECIDED, Fault, Grade, Question, Sample, ThinkError, Thinking, ThoughtLine,
};
use crate::arena::{EngineLimits, EngineSpec, Protocol, Time};
use crate::engine::front::uci::game;
use crate::engine::{Backend, Settings, Told, backend};
use crate::play::explain::{self, HTML_MARK, Limit, USUAL_BRANCHES, USUAL_NODES};
use crate::rules::pgn;
use crate::rules::position::{moves::coordinate, notation::numbered};
use crate::rules::score::Score;
use crate::search::clock::TimeSource;
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, Searcher};
use crate::util::display::{counted, fill, nearest};
use crate::util::files::{self, OutputFile};
use crate::util::input;
use crate::util::jobs::StopSignal;

/// The most nodes of a question to the judge; a move takes one to three questions. On a slow
/// machine time ends a question.
const NODES: u64 = 100_000;
/// The least total time for judging moves; each move of a long game adds to the time.
const TIME: Duration = Duration::from_secs(19);
const TIME_OF_A_MOVE: Duration = Duration::from_millis(30);
/// Half-moves of the longest game for a look back.
const LONGEST: usize = 1_200;
/// The time held back: questions take a little longer than planned.
const RESERVE: Duration = Duration::from_secs(1);
/// Half-moves on show of a better line.
const SHOWN: usize = 6;
/// The number of mistakes with a full description.
const WORST: usize = 3;
const BANDS: Bands = Bands {
    inaccuracy: Some(50),
    mistake: Some(100),
    blunder: 150,
};
/// Columns and rows of the graph among lines.
const GRAPH: (usize, usize) = (50, 6);

impl Console {
    /// Looks back at the user's moves, with Stockfish if the first word says so, and writes the
    /// game with comments if a file is named.
    pub(super) fn review(&mut self, text: &str) {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let by_stockfish = first.eq_ignore_ascii_case("stockfish");
        let path = unquoted(if by_stockfish { rest.trim() } else { text });
        let pgn = self.pgn();
        let path = (!path.is_empty()).then(|| path.to_owned());
        if let Some(path) = path
            .as_ref()
            .filter(|path| input::ending(Path::new(path)).as_deref() != Some("pgn"))
        {
            let meant = nearest(path, ["stockfish"].into_iter());
            return self.say(match meant {
                Some(meant) => format!("Did you mean \"review {meant}\"?"),
                None => {
                    format!("\"{path}\" does not end in .pgn: the game is added to a PGN file.")
                }
            });
        }
        let games = games::read(Path::new("game"), pgn.as_bytes()).0;
        let moves = self.engine.game.moves().len();
        if moves > LONGEST {
            return self.say(format!(
                "The game has {moves} half-moves; a look back is for {LONGEST} at most."
            ));
        }
        // Where it does not say who made which moves both sides are looked at.
        let players = if self.is_mixed {
            Vec::new()
        } else {
            vec![HUMAN.to_owned()]
        };
        let cases = games
            .first()
            .map(|game| Case::of_game(0, game, &players, false));
        let (Some(game), Some(Ok(cases))) = (games.into_iter().next(), cases) else {
            return self.say("There is no game to look back at.");
        };
        if cases.is_empty() {
            return self.say("You have not moved yet: there is nothing to look back at.");
        }
        if let Some(path) = &path
            && let Err(error) = files::check(&[], [OutputFile::with_own_rules(Path::new(path))])
                .and_then(|()| {
                    pgn::only_games(Path::new(path))
                        .map_err(|error| anyhow!("cannot write {path}: {error}"))
                })
        {
            return self.say(refused(&error));
        }
        let time = time_for(cases.len());
        let moves = counted(cases.len(), "move");
        let most = time.as_secs() + 1;
        self.say(format!(
            "Looking back at {moves}, which takes {most} s at most."
        ));
        let work = move |stop: &AtomicBool| {
            look_back(&game, &cases, by_stockfish, path.as_deref(), time, stop)
        };
        self.engine.aside(Box::new(work));
        self.activity = Activity::Review;
    }

    /// Reports the result of the review.
    pub(super) fn looked_back(&mut self, told: Told) {
        self.scores.extend(&told.values);
        let scores: Vec<Score> = self.scores.values().copied().collect();
        if !matches!(self.face, Face::Page { .. }) && !told.values.is_empty() {
            let (top, (width, height)) = (graph::top(&scores), GRAPH);
            let rows = graph::rows(
                &scores,
                top,
                width,
                height,
                self.look.pieces == Pieces::Unicode,
            );
            let pawns = counted(top as usize, "pawn");
            self.print(&format!(
                "The game, up is good for White, {pawns} at the top:\n"
            ));
            rows.iter()
                .for_each(|row| self.print(&format!("{}\n", row.trim_end())));
        }
        told.text.lines().for_each(|line| self.say(line));
        self.reviewed = Some(told);
    }

    /// Prints the explanation, or writes a web page of it. Takes a fraction of a second.
    pub(super) fn explain(&mut self, path: &str) {
        let path = Path::new(unquoted(path));
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let is_page = ending == "html" || ending == "htm";
        let is_text = path.as_os_str().is_empty();
        if !is_page && !is_text {
            return self
                .say("Type \"explain\", or \"explain FILE\" with a file that ends in .html.");
        }
        let task = explain::ExplainTask {
            root: self.engine.position().clone(),
            settings: self.engine.settings().clone(),
            limit: Limit::Nodes(USUAL_NODES),
            branches: USUAL_BRANCHES,
        };
        let explanation = match explain::explain(&task) {
            Ok(explanation) => explanation,
            Err(error) => return self.say(format!("There is {error}.")),
        };
        if is_text {
            return self.print_tables(&explanation.to_text());
        }
        let written = OutputFile::report(path, HTML_MARK).write(explanation.to_html().as_bytes());
        self.say(match written {
            Ok(()) => format!("The search is in {}.", path.display()),
            Err(error) => refused(&error),
        });
    }

    /// Prints a text with tables. The rule below the head of a table is cut, all else is wrapped.
    fn print_tables(&mut self, text: &str) {
        let columns = self.columns();
        let mut fitting = String::new();
        for line in text.lines() {
            let is_rule = line.trim_matches(['-', ' ']).is_empty();
            match columns {
                Some(columns) if is_rule => fitting.extend(line.chars().take(columns)),
                columns => fitting += &fill(line, columns, "", "      "),
            }
            fitting.push('\n');
        }
        self.print(&fitting);
    }
}

/// Returns the reason of a failure to write a file, as a sentence.
fn refused(error: &anyhow::Error) -> String {
    error.to_string().replacen("cannot", "Cannot", 1) + "."
}

/// Returns the time for a look back at so many moves.
fn time_for(moves: usize) -> Duration {
    TIME_OF_A_MOVE
        .saturating_mul(u32::try_from(moves).unwrap_or(u32::MAX))
        .max(TIME)
}

/// Judges the moves within the time, and returns the report.
fn look_back(
    game: &NamedGame,
    cases: &[Case],
    by_stockfish: bool,
    path: Option<&str>,
    time: Duration,
    stop: &AtomicBool,
) -> Told {
    let early = |why: &dyn ToString| {
        let text = format!("The look back ended early: {}.", why.to_string());
        Told {
            text,
            ..Told::default()
        }
    };
    let start = Instant::now();
    let question = time.saturating_sub(RESERVE)
        / (3 * u32::try_from(cases.len()).unwrap_or(u32::MAX / 3).max(1));
    let (name, mut reference) = match judge_of(by_stockfish, question) {
        Ok(named) => named,
        Err(error) => return early(&error),
    };
    let findings = cases.iter().map(|case| {
        if stop.load(Relaxed) {
            Err(Fault::Stopped)
        } else if start.elapsed() > time {
            // What a question costs beside thinking may be more than the time that it has.
            Ok(None)
        } else {
            judge(case, None, &mut *reference)
                .map(Some)
                .map_err(|error| error.fault)
        }
    });
    let findings = match findings.collect::<Result<Vec<_>, _>>() {
        Ok(findings) => findings,
        Err(fault) => return early(&fault),
    };
    let report = Report {
        cases,
        findings: &findings,
        bands: &BANDS,
    };
    let left = match report.missing() {
        0 => String::new(),
        missing => format!(
            " There was no time for the last {}.",
            counted(missing, "move")
        ),
    };
    let text = format!("{}{left} Judged by {name}.", in_words(&report));
    let mut told = Told {
        text,
        ..Told::default()
    };
    let mut of_plies = vec![None; game.pgn.moves.len()];
    for (case, finding) in report.rows() {
        let Some(place) = case.place else { continue };
        of_plies[place.ply] = finding;
        if let Some(Finding::Judged { played, best }) = finding {
            let white = |score: Score| case.turn.fold_wb(score, -score);
            told.values.extend([
                (place.ply, white(best.score)),
                (place.ply + 1, white(played.score)),
            ]);
        }
    }
    told.pgn = games::write(game, &of_plies, &BANDS, &format!("Kashan, by {name}"));
    if let Some(path) = path {
        told.text += &format!(
            "\n{}",
            keep::added(path, &told.pgn, "The game with comments")
        );
    }
    told
}

/// Returns the name of the judge, and the judge.
fn judge_of(
    by_stockfish: bool,
    question: Duration,
) -> Result<(&'static str, Box<dyn Thinker>), ClientError> {
    if by_stockfish {
        return Ok(("Stockfish", Box::new(stockfish(question)?)));
    }
    let mut settings = Settings::default();
    settings.engine.backend = Backend::AlphaBeta;
    settings.engine.hash = 16;
    let reference = Reference {
        search: backend::build(&settings),
        time: question,
    };
    Ok(("Kashan's own alpha-beta", Box::new(reference)))
}

/// Starts Stockfish, with the same time for a question as our own search.
fn stockfish(time: Duration) -> Result<Analyst, ClientError> {
    let spec = EngineSpec {
        protocol: Some(Protocol::Uci),
        ..EngineSpec::new("Stockfish", "stockfish")
    };
    let limits = EngineLimits {
        time: Some(Time::PerMove(time)),
        nodes: Some(NODES),
        ..EngineLimits::default()
    };
    Analyst::start(&spec, limits, &StopSignal::default())
}

/// The worst mistakes at length, then the others, then all in numbers.
fn in_words(report: &Report<'_>) -> String {
    let judged = report
        .rows()
        .filter_map(|(case, finding)| Some((case, finding?.sample(&BANDS)?, finding?)));
    let mut mistakes: Vec<(&Case, Sample, &Finding)> = judged
        .filter(|(_, sample, _)| sample.grade >= Grade::Mistake)
        .collect();
    // What changes the result of the game is worse than as many pawns in a game that is decided.
    mistakes.sort_by(|a, b| b.1.loss.chances.total_cmp(&a.1.loss.chances));
    let (worst, others) = mistakes.split_at(mistakes.len().min(WORST));
    let mut text = String::new();
    for (number, mistake) in worst.iter().enumerate() {
        text += &format!("{}) {}\n", number + 1, at_length(mistake));
    }
    if !others.is_empty() {
        let mut brief: Vec<_> = others.iter().collect();
        brief.sort_by_key(|(case, _, _)| case.place.map(|place| place.ply));
        let brief: Vec<String> = brief.into_iter().map(in_brief).collect();
        text += &format!("Besides: {}.\n", brief.join("; "));
    }
    let summary = report.summary();
    let blunders = summary.blunders.map_or(0, |rate| rate.count);
    text += &format!(
        "In {}: {}, {} and {}",
        counted(summary.moves, "move"),
        counted(blunders, "blunder"),
        counted(summary.mistakes, "mistake"),
        counted(summary.inaccuracies, "inaccurate move"),
    );
    if let Some(mean) = summary.mean {
        text += &format!("; a move lost {mean:.2} pawns on average");
    }
    text + "."
}

fn at_length(&(case, sample, finding): &(&Case, Sample, &Finding)) -> String {
    let Finding::Judged { played, best } = finding else {
        return String::new();
    };
    let before = game_state(best.score);
    let after = game_state(played.score);
    let cost = if before != after {
        format!("turns {before} into {after}")
    } else if best.score.is_mate() || played.score.is_mate() {
        // So many pawns are only what a mate counts.
        format!("leaves {after}")
    } else {
        format!("costs {:.1} pawns", sample.loss.pawns())
    };
    let reason = case
        .reason(finding)
        .map_or(String::new(), |reason| format!("{reason}; it "));
    let of_white = |score: Score| case.turn.fold_wb(score, -score);
    let mut text = format!(
        "{}{} {reason}{cost} ({} instead of {}).",
        line(case, &played.line[..1]),
        sample.grade.sign(),
        value(of_white(played.score)),
        value(of_white(best.score))
    );
    if played.line.len() > 1 {
        text += &format!(" What may come is {}.", line(case, cut(&played.line)));
    }
    let better = line(case, cut(&best.line));
    let mate = best.score.mate_moves();
    text + &match mate {
        Some(moves @ 1..) => format!(" Better was {better}, for mate in {moves}."),
        _ => format!(" Better was {better}, for {before}."),
    }
}

fn in_brief(&(case, sample, finding): &(&Case, Sample, &Finding)) -> String {
    let Finding::Judged { played, best } = finding else {
        return String::new();
    };
    let is_mate = best.score.is_mate() || played.score.is_mate();
    let reason = case.reason(finding).filter(|_| is_mate);
    let reason = reason.unwrap_or_else(|| format!("loses {:.1}", sample.loss.pawns()));
    let played = line(case, &played.line[..1]) + sample.grade.sign();
    format!("{played} {reason}, better was {}", best.san)
}

fn cut(line: &[String]) -> &[String] {
    &line[..line.len().min(SHOWN)]
}

/// Moves from the case's position on, with their numbers.
fn line(case: &Case, moves: &[String]) -> String {
    let number = case
        .fen
        .split_whitespace()
        .nth(5)
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    numbered(moves, number, case.turn.is_black())
}

/// A score as the cost of a move is counted: beyond so many pawns a game is decided.
fn value(score: Score) -> String {
    match score.0 / DECIDED {
        // Mates are far beyond.
        _ if score.is_mate() => score.to_string(),
        0 => score.to_string(),
        1.. => format!("{} and more", Score(DECIDED)),
        _ => format!("{} and less", Score(-DECIDED)),
    }
}

/// Returns the state of a game for the side of the score.
fn game_state(score: Score) -> &'static str {
    match score.0 {
        500.. => "a won game",
        150..500 => "a much better game",
        50..150 => "a better game",
        -49..50 => "an even game",
        -149..-49 => "a worse game",
        -499..-149 => "a much worse game",
        _ => "a lost game",
    }
}

/// Our alpha-beta as the judge.
struct Reference {
    search: Box<dyn Searcher>,
    time: Duration,
}

impl Thinker for Reference {
    fn think(&mut self, question: &Question) -> Result<Thinking, ThinkError> {
        let error = |fault| ThinkError::new("kashan", &question.fen, fault);
        let unreadable = |reason: &dyn ToString| error(Fault::Question(reason.to_string()));
        let game =
            game(Some(&question.fen), &question.moves).map_err(|reason| unreadable(&reason))?;
        let root = game.position();
        let allowed = |mv: &str| {
            question.search_moves.is_empty() || question.search_moves.iter().any(|only| only == mv)
        };
        let excluded = root
            .legal_moves()
            .into_iter()
            .filter(|&mv| !allowed(&coordinate(mv)))
            .collect();
        let limits = Limits {
            excluded,
            ..Limits::of_nodes(NODES)
        };
        let budget = Budget {
            soft: self.time,
            hard: self.time,
        };
        let clock = Clock::start(TimeSource::Wall, Some(budget));
        let report = self.search.search(root, &limits, &clock, &mut ());
        let best = report
            .best_move()
            .ok_or_else(|| unreadable(&"there is no legal move"))?;
        let time = clock.elapsed(report.nodes);
        Ok(Thinking {
            best: coordinate(best),
            san: root.san(best),
            lines: vec![ThoughtLine {
                at: time,
                score: report.score,
                exact: true,
                depth: Some(report.depth),
                nodes: Some(report.nodes),
                said: None,
                pv: report.variation.iter().copied().map(coordinate).collect(),
            }],
            time,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_far_as_they_count() {
        let shown = [117, 2_252, -1_600, Score::mate_in(3).0].map(|score| value(Score(score)));
        assert_eq!(shown, ["+1.17", "+15.00 and more", "-15.00 and less", "#2"]);
    }

    #[test]
    fn a_long_game_takes_longer_and_moves_without_time_are_counted() {
        assert_eq!(
            [1, 40, 1000, LONGEST].map(time_for),
            [19, 19, 30, 36].map(Duration::from_secs)
        );
        let games = games::read(Path::new("game"), b"1. f3 e5 2. g4 Qh4# 0-1\n").0;
        let cases = Case::of_game(0, &games[0], &[], false).expect("cases");
        let told = look_back(
            &games[0],
            &cases,
            false,
            None,
            Duration::ZERO,
            &AtomicBool::new(false),
        )
        .text;
        assert!(
            told.contains("In 0 moves") && told.contains("no time for the last 4 moves"),
            "{told}"
        );
    }
}
