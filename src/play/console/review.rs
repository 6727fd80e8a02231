//! Reports of the console. `review` is a look back at the game: our own alpha-beta finds the cost
//! of each of the user's moves, like `kashan blunders`, and the report gives reasons and better
//! moves in words. `explain` is the genetic search's view of the position on the board.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use chess::Color;
use shakmaty::Color as Side;
use shakmaty::san::SanPlus;

use super::commands::unquoted;
use super::keep;
use super::{Activity, Console};
use crate::arena::suite::blunders::{Case, Finding, NamedGame, Report, Thinker, games, judge};
use crate::arena::suite::summary::Summary;
use crate::arena::suite::{
    Bands, DECIDED, Fault, Grade, Question, Sample, ThinkError, Thinking, ThoughtLine,
};
use crate::engine::front::uci::game;
use crate::engine::{Backend, JudgedMove, Settings, Told, backend};
use crate::play::explain::{self, HTML_MARK, Limit, USUAL_BRANCHES, USUAL_NODES};
use crate::rules::pgn;
use crate::rules::position::{moves::coordinate, notation::numbered};
use crate::rules::score::Score;
use crate::search::clock::TimeSource;
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, Searcher};
use crate::util::display::{counted, fill};
use crate::util::files::{self, OutputFile};
use crate::util::input;

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
const BANDS: Bands = Bands::BY_CHANCES;
/// The range of White's chances, in percent, in which nobody stands better.
const LEVEL: std::ops::RangeInclusive<f64> = 42.0..=58.0;

impl Console {
    /// Looks back at the user's moves, and writes the game with comments if a file is named.
    pub(super) fn review(&mut self, text: &str) {
        let path = unquoted(text);
        let pgn = self.pgn();
        let path = (!path.is_empty()).then(|| path.to_owned());
        if let Some(path) = path
            .as_ref()
            .filter(|path| input::ending(Path::new(path)).as_deref() != Some("pgn"))
        {
            return self.say(format!(
                "\"{path}\" does not end in .pgn: the game is added to a PGN file."
            ));
        }
        let games = games::read(Path::new("game"), pgn.as_bytes()).0;
        let moves = self.engine.game.moves().len();
        if moves > LONGEST {
            return self.say(format!(
                "The game has {moves} half-moves; a look back is for {LONGEST} at most."
            ));
        }
        // Where the makers of the moves are unknown both sides are the user's.
        let user = self
            .kashan
            .filter(|_| !self.is_mixed)
            .map(|side| side == Color::Black);
        let cases = games.first().map(|game| Case::of_game(0, game, &[], false));
        let (Some(game), Some(Ok(cases))) = (games.into_iter().next(), cases) else {
            return self.say("There is no game to look back at.");
        };
        if cases.is_empty() {
            return self.say("There is no move yet: there is nothing to look back at.");
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
            let task = Task {
                game: &game,
                cases: &cases,
                user: user.map(|is_white| if is_white { Side::White } else { Side::Black }),
                path: path.as_deref(),
                time,
            };
            look_back(&task, stop)
        };
        self.engine.aside(Box::new(work));
        self.activity = Activity::Review;
    }

    /// Reports the result of the review.
    pub(super) fn looked_back(&mut self, told: Told) {
        self.scores.extend(&told.values);
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

/// A game to look back at.
struct Task<'t> {
    game: &'t NamedGame,
    cases: &'t [Case],
    /// The user's side, if there is one only.
    user: Option<Side>,
    /// The file for the game with comments.
    path: Option<&'t str>,
    time: Duration,
}

/// Judges the moves within the time, and returns the report.
fn look_back(task: &Task<'_>, stop: &AtomicBool) -> Told {
    let &Task {
        game, cases, time, ..
    } = task;
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
    let mut reference = Reference::new(question);
    let findings = cases.iter().map(|case| {
        if stop.load(Relaxed) {
            Err(Fault::Stopped)
        } else if start.elapsed() > time {
            // What a question costs beside thinking may be more than the time that it has.
            Ok(None)
        } else {
            judge(case, None, &mut reference)
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
    let mut told = Told {
        judge: JUDGE,
        judged: report.rows().filter_map(judged).collect(),
        accuracy: [Side::White, Side::Black].map(|side| summary_of(&report, side).accuracy),
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
    told.turning_point = turning_point(&told.values);
    told.text = in_words(&report, task.user);
    if let Some(ply) = told.turning_point
        && let Some(case) = cases.get(ply)
        && let Some((position, mv)) = game.pgn.positions().nth(ply)
    {
        let san = SanPlus::from_move(position, mv.mv).to_string();
        told.text += &format!("\nThe turning point was {}.", line(case, &[san]));
    }
    told.missing = report.missing();
    if told.missing > 0 {
        let missing = counted(told.missing, "move");
        told.text += &format!(" There was no time for the last {missing}.");
    }
    told.text += &format!(
        "\nJudged by {JUDGE}; ?!, ? and ?? lose 5, 10 and 15 percentage points of the winning chances."
    );
    told.pgn = games::write(game, &of_plies, &BANDS, &format!("Kashan, by {JUDGE}"));
    if let Some(path) = task.path {
        told.text += &format!(
            "\n{}",
            keep::added(path, &told.pgn, "The game with comments")
        );
    }
    told
}

/// Returns the summary of a side's moves.
fn summary_of(report: &Report<'_>, side: Side) -> Summary {
    let of_side = report.rows().filter(|(case, _)| case.turn == side);
    Summary::new(of_side.filter_map(|(_, finding)| finding?.sample(&BANDS)))
}

/// Returns the judgement of a move for the list of moves.
fn judged((case, finding): (&Case, Option<&Finding>)) -> Option<JudgedMove> {
    let finding = finding?;
    let sample = finding.sample(&BANDS)?;
    let mut judged = JudgedMove {
        ply: case.place?.ply,
        sign: sample.grade.sign(),
        loss: sample.loss.chances,
        ..JudgedMove::default()
    };
    if let Finding::Judged { best, .. } = finding
        && sample.grade > Grade::Fine
    {
        judged.text = at_length(&(case, sample, finding));
        judged.better = cut(&best.line).to_vec();
    }
    Some(judged)
}

/// Returns the half-move after which the side that stands better at the end did so for the rest of
/// the game, if it did not from the beginning. `values` are White's, after so many half-moves.
fn turning_point(values: &BTreeMap<usize, Score>) -> Option<usize> {
    let chances = |value: &Score| value.winning_chances();
    let last = values.values().next_back().map(chances)?;
    if LEVEL.contains(&last) {
        return None;
    }
    let is_ahead = |chances: f64| !LEVEL.contains(&chances) && (chances > 50.0) == (last > 50.0);
    let before = values
        .iter()
        .rev()
        .find(|(_, value)| !is_ahead(chances(value)))?;
    Some(*before.0)
}

/// The worst mistakes at length, then the others, then both sides in numbers. Mistakes are the
/// user's, if the user had one side.
fn in_words(report: &Report<'_>, user: Option<Side>) -> String {
    let judged = report
        .rows()
        .filter(|(case, _)| user.is_none_or(|user| case.turn == user))
        .filter_map(|(case, finding)| Some((case, finding?.sample(&BANDS)?, finding?)));
    let mut mistakes: Vec<(&Case, Sample, &Finding)> = judged
        .filter(|(_, sample, _)| sample.grade >= Grade::Mistake)
        .collect();
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
    let sides = [Side::White, Side::Black].map(|side| {
        let summary = summary_of(report, side);
        let player = match user {
            Some(user) if user == side => " (you)",
            Some(_) => " (Kashan)",
            None => "",
        };
        let accuracy = summary.accuracy.map_or(String::new(), |percent| {
            format!("accuracy {percent:.0} %; ")
        });
        format!(
            "{}{player}: {accuracy}in {} {}, {} and {}.",
            side.fold_wb("White", "Black"),
            counted(summary.moves, "move"),
            counted(summary.blunders.map_or(0, |rate| rate.count), "blunder"),
            counted(summary.mistakes, "mistake"),
            counted(summary.inaccuracies, "inaccurate move"),
        )
    });
    text + &sides.join("\n")
}

fn at_length(&(case, sample, finding): &(&Case, Sample, &Finding)) -> String {
    let Finding::Judged { played, best } = finding else {
        return String::new();
    };
    let before = game_state(best.score);
    let after = game_state(played.score);
    let cost = if before == after {
        format!(
            "costs {:.0} points of the winning chances",
            sample.loss.chances
        )
    } else {
        format!("turns {before} into {after}")
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
    let reason = reason.unwrap_or_else(|| format!("loses {:.0} %", sample.loss.chances));
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

/// The name of the judge.
const JUDGE: &str = "Kashan's own alpha-beta";

/// Our alpha-beta as the judge.
struct Reference {
    search: Box<dyn Searcher>,
    /// For a question.
    time: Duration,
}

impl Reference {
    fn new(time: Duration) -> Reference {
        let mut settings = Settings::default();
        settings.engine.backend = Backend::AlphaBeta;
        settings.engine.hash = 16;
        Reference {
            search: backend::build(&settings),
            time,
        }
    }
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
    fn the_turning_point_is_where_the_lead_changed_for_good() {
        let of = |values: &[i32]| {
            turning_point(
                &(0..)
                    .zip(values.iter().map(|&value| Score(value)))
                    .collect(),
            )
        };
        assert_eq!(of(&[20, 20, 300, -10, -400, -500]), Some(3));
        assert_eq!(of(&[400, 400, 500]), None, "it was won from the beginning");
        assert_eq!(of(&[0, 500, 0, 20]), None, "nobody is ahead at the end");
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn a_long_game_takes_longer_and_moves_without_time_are_counted() {
        assert_eq!(
            [1, 40, 1000, LONGEST].map(time_for),
            [19, 19, 30, 36].map(Duration::from_secs)
        );
        let games = games::read(Path::new("game"), b"1. f3 e5 2. g4 Qh4# 0-1\n").0;
        let cases = Case::of_game(0, &games[0], &[], false).expect("cases");
        let task = Task {
            game: &games[0],
            cases: &cases,
            user: None,
            path: None,
            time: Duration::ZERO,
        };
        let told = look_back(&task, &AtomicBool::new(false)).text;
        assert!(
            told.contains("in 0 moves") && told.contains("no time for the last 4 moves"),
            "{told}"
        );
    }
}
