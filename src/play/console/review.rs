//! Reports of the console. `review` is a look back at the game: our own alpha-beta finds the cost
//! of each of the user's moves, like `kashan blunders`, and the report gives reasons and better
//! moves in words. `explain` is the genetic search's view of the position on the board.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
use crate::play::explain::{self, Limit, USUAL_BRANCHES, USUAL_NODES};
use crate::rules::pgn;
use crate::rules::position::{moves::coordinate, notation::numbered};
use crate::rules::score::Score;
use crate::search::clock::TimeSource;
use crate::search::{Clock, Limits, Searcher};
use crate::util::display::{counted, fill, harmless};
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
        let path = Some(unquoted(text)).filter(|path| !path.is_empty());
        if let Some(path) = path
            && input::ending(Path::new(path)).as_deref() != Some("pgn")
        {
            return self.say(format!(
                "\"{path}\" does not end in .pgn: the game is added to a PGN file."
            ));
        }
        let games = games::read(Path::new("game"), self.pgn().as_bytes()).0;
        let moves = self.engine.game.moves().len();
        if moves > LONGEST {
            return self.say(format!(
                "The game has {moves} half-moves; a look back is for {LONGEST} at most."
            ));
        }
        // Where the makers of the moves are unknown both sides are the user's.
        let user = match self.kashan.filter(|_| !self.is_mixed) {
            Some(Color::White) => Some(Side::Black),
            Some(Color::Black) => Some(Side::White),
            None => None,
        };
        let Some(game) = games.into_iter().next() else {
            return self.say("There is no game to look back at.");
        };
        let Ok(cases) = Case::of_game(0, &game, &[], false) else {
            return self.say("There is no game to look back at.");
        };
        if cases.is_empty() {
            return self.say("There is no move yet: there is nothing to look back at.");
        }
        if let Some(path) = path {
            if let Err(error) = files::check(&[], [OutputFile::with_own_rules(Path::new(path))]) {
                return self.say(error.to_string().replacen("cannot", "Cannot", 1) + ".");
            }
            if let Err(error) = pgn::only_games(Path::new(path)) {
                return self.say(format!("Cannot write {path}: {error}."));
            }
        }
        let moves = counted(cases.len(), "move");
        self.say(format!("Looking back at {moves}."));
        self.review_file = path.map(str::to_owned);
        let progress = Arc::<AtomicU32>::default();
        self.progress = Arc::clone(&progress);
        self.engine.aside(Box::new(move |clock| {
            look_back(&game, &cases, user, &progress, clock)
        }));
        self.activity = Activity::Review;
    }

    /// Reports the result of the review.
    pub(super) fn looked_back(&mut self, told: Told) {
        self.scores.extend(&told.values);
        self.print_tables(&told.text);
        if let Some(path) = self.review_file.take()
            && !told.pgn.is_empty()
        {
            self.say(keep::added(&path, &told.pgn, "The game with comments"));
        }
        self.reviewed = Some(told);
    }

    /// Prints the explanation.
    pub(super) fn explain(&mut self) {
        let task = explain::ExplainTask {
            root: self.engine.position().clone(),
            settings: self.engine.settings().clone(),
            limit: Limit::Nodes(USUAL_NODES),
            branches: USUAL_BRANCHES,
        };
        self.say(format!("A search of {USUAL_NODES} positions:"));
        self.engine.aside(Box::new(move |clock| {
            let text = match explain::explain(&task, clock) {
                Err(error) => format!("There is {error}."),
                Ok(explanation) => explanation.to_text(),
            };
            Told {
                text,
                ..Told::default()
            }
        }));
        self.activity = Activity::Explanation;
    }

    /// Prints a text with tables. The rule below the head of a table is cut, all else is wrapped.
    pub(super) fn print_tables(&mut self, text: &str) {
        let columns = self.columns();
        let mut fitting = String::new();
        for line in harmless(text).lines() {
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

/// Returns the positions of a question about a game of so many half-moves.
fn nodes_for(moves: usize) -> u64 {
    (NODES * FULLY_JUDGED / (moves as u64).max(1)).clamp(LEAST_NODES, NODES)
}

/// Judges the moves of a game until it is stopped, and returns the report. `user` is the user's
/// side, if there is one only; `progress` gets the moves judged so far, in percent.
fn look_back(
    game: &NamedGame,
    cases: &[Case],
    user: Option<Side>,
    progress: &AtomicU32,
    clock: &Clock,
) -> Told {
    let mut reference = Reference::new(nodes_for(cases.len()));
    let mut findings = vec![None; cases.len()];
    for (index, case) in cases.iter().enumerate() {
        if clock.must_stop(0) {
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
        progress.store((100 * (index + 1) / cases.len()) as u32, Relaxed);
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
            let [best, played] = of_white(case, [best.score, played.score]);
            told.values.entry(place.ply).or_insert(best);
            told.values.insert(place.ply + 1, played);
        }
    }
    told.turning_point = turning_point(&told.values);
    let white_begins = cases.first().is_none_or(|case| case.turn == Side::White);
    told.accuracy = accuracy(&chances(&told.values), white_begins);
    told.text = in_words(&report, user, told.accuracy);
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
    told.pgn = games::write(game, &of_plies, &BANDS, JUDGE);
    told
}

/// Returns scores of the side to move from White's point of view.
fn of_white(case: &Case, scores: [Score; 2]) -> [Score; 2] {
    scores.map(|score| case.turn.fold_wb(score, -score))
}

/// Returns the judgement of a move for the list of moves.
fn judged((case, finding): (&Case, Option<&Finding>)) -> Option<JudgedMove> {
    let finding = finding?;
    let sample = finding.sample(&BANDS)?;
    let (text, better) = match finding {
        Finding::Judged { best, .. } if sample.grade > Grade::Fine => {
            let text = at_length(&(case, sample, finding));
            (text, cut(&best.line).to_vec())
        }
        _ => Default::default(),
    };
    Some(JudgedMove {
        ply: case.place?.ply,
        sign: sample.grade.sign(),
        loss: sample.loss.chances,
        text,
        better,
    })
}

/// Returns the half-move after which the side that stands better at the end did so for the rest of
/// the game, if it did not from the beginning. `values` are White's, after so many half-moves.
fn turning_point(values: &BTreeMap<usize, Score>) -> Option<usize> {
    let last = values.last_key_value()?.1.winning_chances();
    if LEVEL.contains(&last) {
        return None;
    }
    for (&ply, value) in values.iter().rev() {
        let chances = value.winning_chances();
        if LEVEL.contains(&chances) || (chances > 50.0) != (last > 50.0) {
            return Some(ply);
        }
    }
    None
}

/// Returns White's winning chances before the first move and after each; where no value is known
/// they are as before.
fn chances(values: &BTreeMap<usize, Score>) -> Vec<f64> {
    let mut chances = Vec::new();
    for (&ply, value) in values {
        let before = chances.last().copied().unwrap_or(50.0);
        chances.resize(ply, before);
        chances.push(value.winning_chances());
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
    let mut mistakes: Vec<(&Case, Sample, &Finding)> = Vec::new();
    let mut samples = [Vec::new(), Vec::new()];
    for (case, finding) in report.rows() {
        if let Some(finding) = finding
            && let Some(sample) = finding.sample(&BANDS)
        {
            samples[case.turn.fold_wb(0, 1)].push(sample);
            if sample.grade >= Grade::Mistake && user.is_none_or(|user| case.turn == user) {
                mistakes.push((case, sample, finding));
            }
        }
    }
    mistakes.sort_by(|a, b| b.1.loss.chances.total_cmp(&a.1.loss.chances));
    let (worst, others) = mistakes.split_at(mistakes.len().min(WORST));
    let mut text = String::new();
    for (number, mistake) in worst.iter().enumerate() {
        text += &format!("{}) {}\n", number + 1, at_length(mistake));
    }
    if !others.is_empty() {
        let mut others = others.to_vec();
        others.sort_by_key(|(case, _, _)| case.place.map(|place| place.ply));
        let brief: Vec<String> = others.iter().map(in_brief).collect();
        text += &format!("Besides: {}.\n", brief.join("; "));
    }
    for (side, samples) in [Side::White, Side::Black].into_iter().zip(samples) {
        let summary = Summary::new(samples);
        let player = match user {
            Some(user) if user == side => " (you)",
            Some(_) => " (Kashan)",
            None => "",
        };
        let accuracy = match accuracy[side.fold_wb(0, 1)] {
            Some(percent) => format!("accuracy {percent:.0} %; "),
            None => String::new(),
        };
        text += &format!(
            "{}{player}: {accuracy}in {} {}, {} and {}.\n",
            side.fold_wb("White", "Black"),
            counted(summary.moves, "move"),
            counted(summary.blunders.map_or(0, |rate| rate.count), "blunder"),
            counted(summary.mistakes, "mistake"),
            counted(summary.inaccuracies, "inaccurate move"),
        );
    }
    text.trim_end().to_owned()
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
    let reason = match case.reason(finding) {
        Some(reason) => format!("{reason}; it "),
        None => String::new(),
    };
    let [played_value, best_value] = of_white(case, [played.score, best.score]).map(value);
    let mut text = format!(
        "{}{} {reason}{cost} ({played_value} instead of {best_value}).",
        line(case, &played.line[..1]),
        sample.grade.sign(),
    );
    if played.line.len() > 1 {
        text += &format!(" What may come is {}.", line(case, cut(&played.line)));
    }
    let goal = match best.score.mate_moves() {
        Some(moves @ 1..) => format!("mate in {moves}"),
        _ => before.to_owned(),
    };
    text + &format!(" Better was {}, for {goal}.", line(case, cut(&best.line)))
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
    let wanted = last_gain.unwrap_or(0) + 1;
    &line[..wanted.clamp(SHOWN, MOST_SHOWN).min(line.len())]
}

/// Moves from the case's position on, with their numbers.
fn line(case: &Case, moves: &[String]) -> String {
    let number = case.fen.split_whitespace().nth(5).unwrap_or_default();
    numbered(moves, number.parse().unwrap_or(1), case.turn.is_black())
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
        let unreadable = |reason| ThinkError::new("kashan", &question.fen, Fault::Question(reason));
        let game = game(Some(&question.fen), &question.moves).map_err(unreadable)?;
        let root = game.position();
        let mut limits = Limits::of_nodes(self.nodes);
        for mv in root.legal_moves() {
            if !question.search_moves.is_empty() && !question.search_moves.contains(&coordinate(mv))
            {
                limits.excluded.push(mv);
            }
        }
        let clock = Clock::start(TimeSource::Wall, None);
        let report = self.search.search(root, &limits, &clock, &mut ());
        let Some(best) = report.best_move() else {
            return Err(unreadable("there is no legal move".to_owned()));
        };
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
        let clock = Clock::unlimited();
        let look_back = || look_back(&games[0], &cases, None, &progress, &clock);
        let [first, again] = [look_back(), look_back()];
        assert_eq!((first.text, first.pgn), (again.text, again.pgn));
        assert_eq!((first.missing, progress.load(Relaxed)), (0, 100));
        clock.stop();
        let told = look_back().text;
        assert!(
            told.contains("in 0 moves") && told.contains("The last 4 moves were not judged"),
            "{told}"
        );
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
