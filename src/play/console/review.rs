//! Reports of the console. `review` is a look back at the game: our own alpha-beta finds the cost
//! of each of the user's moves, like `kashan blunders`, and the report gives reasons and better
//! moves in words. `explain` is the genetic search's view of the position on the board.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

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
    Bands, DECIDED, Fault, Grade, Loss, Question, Sample, ThinkError, Thinking, ThoughtLine,
};
use crate::engine::front::uci::game;
use crate::engine::{Backend, JudgedMove, Settings, Told, backend};
use crate::play::explain::{self, HTML_MARK, Limit, USUAL_BRANCHES, USUAL_NODES};
use crate::rules::pgn;
use crate::rules::position::{moves::coordinate, notation::numbered};
use crate::rules::score::Score;
use crate::search::clock::TimeSource;
use crate::search::{Clock, Limits, Searcher};
use crate::util::display::{counted, fill};
use crate::util::files::{self, OutputFile};
use crate::util::input;

/// The positions of a question to the judge; a move takes one to three questions. Time ends none:
/// the same game always gets the same marks.
const NODES: u64 = 100_000;
/// The half-moves of the longest game whose questions have all of these; those of longer games
/// share them, down to the least.
const FULLY_JUDGED: u64 = 100;
const LEAST_NODES: u64 = 10_000;
/// Half-moves of the longest game for a look back.
const LONGEST: usize = 1_200;
/// Half-moves on show of a line: at least so many, and up to the last capture or promotion, which
/// the reason counts; at most so many.
const SHOWN: usize = 6;
const MOST_SHOWN: usize = 16;
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
        let moves = counted(cases.len(), "move");
        self.say(format!("Looking back at {moves}."));
        self.review_file = path;
        let progress = Arc::<AtomicU32>::default();
        self.progress = Arc::clone(&progress);
        let work = move |stop: &AtomicBool| {
            let task = Task {
                game: &game,
                cases: &cases,
                user: user.map(|is_white| if is_white { Side::White } else { Side::Black }),
                progress: &progress,
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
        if let Some(path) = self.review_file.take()
            && !told.pgn.is_empty()
        {
            self.say(keep::added(&path, &told.pgn, "The game with comments"));
        }
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

/// Returns the positions of a question about a game of so many half-moves.
fn nodes_for(moves: usize) -> u64 {
    (NODES * FULLY_JUDGED / (moves as u64).max(1)).clamp(LEAST_NODES, NODES)
}

/// A game to look back at.
struct Task<'t> {
    game: &'t NamedGame,
    cases: &'t [Case],
    /// The user's side, if there is one only.
    user: Option<Side>,
    /// The moves judged so far, in percent.
    progress: &'t AtomicU32,
}

/// Judges the moves until it is stopped, and returns the report.
fn look_back(task: &Task<'_>, stop: &AtomicBool) -> Told {
    let &Task { game, cases, .. } = task;
    let mut reference = Reference::new(nodes_for(cases.len()));
    let mut findings = vec![None; cases.len()];
    for (index, case) in cases.iter().enumerate() {
        if stop.load(Relaxed) {
            break;
        }
        match judge(case, None, &mut reference) {
            Ok(finding) => findings[index] = Some(finding),
            Err(error) => {
                return Told {
                    text: format!("The look back ended early: {}.", error.fault),
                    ..Told::default()
                };
            }
        }
        task.progress
            .store((100 * (index + 1) / cases.len()) as u32, Relaxed);
    }
    let report = Report {
        cases,
        findings: &findings,
        bands: &BANDS,
    };
    let mut told = Told {
        judge: JUDGE,
        judged: report.rows().filter_map(judged).collect(),
        ..Told::default()
    };
    let mut of_plies = vec![None; game.pgn.moves.len()];
    for (case, finding) in report.rows() {
        let Some(place) = case.place else { continue };
        of_plies[place.ply] = finding;
        if let Some(Finding::Judged { played, best }) = finding {
            // The value behind a move is the one that the move is judged by.
            let white = |score: Score| case.turn.fold_wb(score, -score);
            told.values.entry(place.ply).or_insert(white(best.score));
            told.values.insert(place.ply + 1, white(played.score));
        }
    }
    told.turning_point = turning_point(&told.values);
    let white_begins = cases.first().is_none_or(|case| case.turn == Side::White);
    told.accuracy = accuracy(&chances(&told.values), white_begins);
    told.text = in_words(&report, task.user, told.accuracy);
    if let Some(ply) = told.turning_point
        && let Some(case) = cases.get(ply)
        && let Some((position, mv)) = game.pgn.positions().nth(ply)
    {
        let san = SanPlus::from_move(position, mv.mv).to_string();
        told.text += &format!("\nThe turning point was {}.", line(case, &[san]));
    }
    told.missing = report.unjudged().not_judged;
    if told.missing > 0 {
        let missing = counted(told.missing, "move");
        told.text += &format!(" The last {missing} were not judged: it was stopped.");
    }
    told.text += &format!(
        "\nJudged by {JUDGE}; ?!, ? and ?? lose 5, 10 and 15 percentage points of the winning chances."
    );
    told.pgn = games::write(game, &of_plies, &BANDS, &format!("Kashan, by {JUDGE}"));
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

/// Returns White's winning chances before the first move and after each; where no value is known
/// they are as before.
fn chances(values: &BTreeMap<usize, Score>) -> Vec<f64> {
    let Some((&last, _)) = values.last_key_value() else {
        return Vec::new();
    };
    let mut chances = Vec::with_capacity(last + 1);
    for ply in 0..=last {
        let known = values.get(&ply).map(|value| value.winning_chances());
        let before = chances.last().copied().unwrap_or(50.0);
        chances.push(known.unwrap_or(before));
    }
    chances
}

/// Returns the accuracy of White's and Black's moves by lichess's method
/// (<https://lichess.org/page/accuracy>), from White's winning chances before the first move and
/// after each: the mean of two means of the moves' accuracies. The first one counts a move by how
/// much the chances moved around it, the second one, the harmonic, by how bad it was.
fn accuracy(chances: &[f64], white_begins: bool) -> [Option<f64>; 2] {
    let moves = chances.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8);
    let mut weights = [0.0; 2];
    let mut weighted = [0.0; 2];
    let mut inverse = [0.0; 2];
    let mut count = [0.0; 2];
    for ply in 0..moves {
        let is_white = (ply % 2 == 0) == white_begins;
        let side = usize::from(!is_white);
        let gain = chances[ply + 1] - chances[ply];
        let loss = Loss {
            centipawns: 0,
            chances: if is_white { -gain } else { gain }.max(0.0),
        };
        let end = (ply + 2).max(window).min(chances.len());
        let weight = deviation(&chances[end.saturating_sub(window)..end]).clamp(0.5, 12.0);
        weights[side] += weight;
        weighted[side] += weight * loss.accuracy();
        inverse[side] += 1.0 / loss.accuracy().max(1.0);
        count[side] += 1.0;
    }
    [0, 1].map(|side| {
        let mean = weighted[side] / weights[side];
        let harmonic = count[side] / inverse[side];
        (count[side] > 0.0).then_some((mean + harmonic) / 2.0)
    })
}

/// Returns the standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / count).sqrt()
}

/// The worst mistakes at length, then the others, then both sides in numbers. Mistakes are the
/// user's, if the user had one side.
fn in_words(report: &Report<'_>, user: Option<Side>, accuracy: [Option<f64>; 2]) -> String {
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
    let sides = [(Side::White, accuracy[0]), (Side::Black, accuracy[1])].map(|(side, accuracy)| {
        let summary = summary_of(report, side);
        let player = match user {
            Some(user) if user == side => " (you)",
            Some(_) => " (Kashan)",
            None => "",
        };
        let accuracy = accuracy.map_or(String::new(), |percent| {
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

/// Returns the part of a line that is on show.
fn cut(line: &[String]) -> &[String] {
    let last_gain = line.iter().rposition(|san| san.contains(['x', '=']));
    let wanted = last_gain.map_or(0, |index| index + 1);
    &line[..wanted.clamp(SHOWN, MOST_SHOWN).min(line.len())]
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
    nodes: u64,
}

impl Reference {
    fn new(nodes: u64) -> Reference {
        let mut settings = Settings::default();
        settings.engine.backend = Backend::AlphaBeta;
        settings.engine.hash = 16;
        Reference {
            search: backend::build(&settings),
            nodes,
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
            ..Limits::of_nodes(self.nodes)
        };
        let clock = Clock::start(TimeSource::Wall, None);
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
    fn lines_are_shown_up_to_the_last_capture() {
        let shown = |line: &str| {
            let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
            cut(&line).len()
        };
        assert_eq!(shown("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"), 6);
        assert_eq!(shown("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O"), 8);
        assert_eq!(shown("e4 e5"), 2);
        let long = ["Nf3"; 20].join(" ") + " Nxe5";
        assert_eq!(shown(&long), 16);
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
    fn a_long_game_has_fewer_positions_a_question_and_a_stop_keeps_what_was_judged() {
        assert_eq!(
            [1, 100, 200, LONGEST].map(nodes_for),
            [100_000, 100_000, 50_000, 10_000]
        );
        let games = games::read(Path::new("game"), b"1. f3 e5 2. g4 Qh4# 0-1\n").0;
        let cases = Case::of_game(0, &games[0], &[], false).expect("cases");
        let progress = AtomicU32::new(0);
        let task = Task {
            game: &games[0],
            cases: &cases,
            user: None,
            progress: &progress,
        };
        let told = look_back(&task, &AtomicBool::new(true)).text;
        assert!(
            told.contains("in 0 moves") && told.contains("The last 4 moves were not judged"),
            "{told}"
        );
        let first = look_back(&task, &AtomicBool::new(false));
        let again = look_back(&task, &AtomicBool::new(false));
        assert_eq!((first.text, first.pgn), (again.text, again.pgn));
        assert_eq!((first.missing, progress.load(Relaxed)), (0, 100));
    }

    #[test]
    fn accuracy_counts_bad_moves_more_than_a_mean_does() {
        let even = accuracy(&[50.0; 9], true).map(|side| side.expect("moves").round());
        assert_eq!(even, [100.0, 100.0]);
        assert_eq!(accuracy(&[50.0], true), [None, None]);
        // Black's second move loses thirty points, all others none.
        let chances = [50.0, 50.0, 50.0, 50.0, 80.0, 80.0, 80.0];
        let [white, black] = accuracy(&chances, true).map(|side| side.expect("moves"));
        let lost = Loss {
            centipawns: 0,
            chances: 30.0,
        };
        let mean = (100.0 + lost.accuracy() + 100.0) / 3.0;
        assert!(
            white > 99.0 && black < mean - 10.0,
            "{white} {black} {mean}"
        );
        let turned = accuracy(&chances.map(|chances| 100.0 - chances), false);
        assert_eq!(turned, [Some(black), Some(white)]);
    }
}
