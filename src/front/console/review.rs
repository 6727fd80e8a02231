//! `review`: a look back at the game. Our own alpha-beta says of each of the user's moves what it cost, as
//! `kashan blunders` does it, and what was better is told in words.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::Console;
use super::explain::written;
use crate::display::counted;
use crate::engine::{Backend, Game, Settings, backend};
use crate::position::{Position, moves::coordinate};
use crate::score::Score;
use crate::search::clock::TimeSource;
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, Searcher};
use crate::suite::blunders::{Case, Finding, Game as Played, Report, Thinker, annotate, games, judge};
use crate::suite::{Bands, Fault, Grade, Sample, Task, ThinkError, Thinking, ThoughtLine};

/// What a question to the judge may cost; a move takes one to three. On a slow machine time ends it.
const NODES: u64 = 100_000;
/// Of all questions together.
const TIME: Duration = Duration::from_secs(18);
/// Half-moves that are shown of what might have been.
const SHOWN: usize = 6;
/// So many mistakes are told at length.
const WORST: usize = 3;
const BANDS: Bands = Bands { inaccuracy: Some(50), mistake: Some(100), blunder: 150 };
const ANNOTATOR: &str = "Kashan, by its own alpha-beta";
const MARK: &str = "[Annotator \"Kashan, by ";

impl Console {
    /// Looks back at the user's moves, and writes the game with comments if a file is named.
    pub(super) fn review(&mut self, path: &str) {
        let pgn = self.pgn().to_string();
        let path = (!path.is_empty()).then(|| path.to_owned());
        let games = games::read(Path::new("game"), pgn.as_bytes()).0;
        let cases = games.first().map(|game| Case::of_game(0, game, &["Human".to_owned()], false));
        let (Some(game), Some(Ok(cases))) = (games.into_iter().next(), cases) else {
            return self.say("There is no game to look back at.");
        };
        if cases.is_empty() {
            return self.say("You have not moved yet: there is nothing to look back at.");
        }
        let moves = counted(cases.len(), "move");
        self.say(format!("Looking back at your {moves}, which takes {} s at most.", TIME.as_secs() + 2));
        self.aside(Box::new(move |stop| look_back(&game, &cases, path.as_deref(), stop)));
    }
}

/// What there is to say about the moves.
fn look_back(game: &Played, cases: &[Case], path: Option<&str>, stop: &AtomicBool) -> String {
    let mut settings = Settings::default();
    (settings.engine.backend, settings.engine.hash) = (Backend::AlphaBeta, 16);
    let time = TIME / (3 * u32::try_from(cases.len()).unwrap_or(u32::MAX / 3).max(1));
    let mut reference = Reference { search: backend::build(&settings), time, stop };
    let findings: Result<Vec<_>, _> =
        cases.iter().map(|case| judge(case, None, &mut reference).map(Some)).collect();
    let findings = match findings {
        Ok(findings) => findings,
        Err(error) => return format!("The look back ended early: {}.", error.fault),
    };
    let report = Report { cases, findings: &findings, bands: &BANDS };
    let mut text = in_words(&report);
    if let Some(path) = path {
        let mut of_plies = vec![None; game.pgn.moves.len()];
        for (case, finding) in report.rows() {
            case.place.into_iter().for_each(|place| of_plies[place.ply] = finding);
        }
        let pgn = annotate::write(game, &of_plies, &BANDS, ANNOTATOR);
        text += &format!("\n{}", written(path, &pgn, MARK, "The game with comments"));
    }
    text
}

/// The worst mistakes at length, then the others, then all in numbers.
fn in_words(report: &Report<'_>) -> String {
    let judged = report.rows().filter_map(|(case, finding)| Some((case, finding?.sample(&BANDS)?, finding?)));
    let mut mistakes: Vec<(&Case, Sample, &Finding)> =
        judged.filter(|(_, sample, _)| sample.grade >= Grade::Mistake).collect();
    // What changes the result of the game is worse than as many pawns in a game that is decided.
    mistakes.sort_by(|a, b| b.1.loss.chances.total_cmp(&a.1.loss.chances));
    let (worst, others) = mistakes.split_at(mistakes.len().min(WORST));
    let mut text = String::new();
    for (number, mistake) in worst.iter().enumerate() {
        text += &format!("{}. {}\n", number + 1, at_length(mistake));
    }
    if !others.is_empty() {
        let mut others: Vec<_> = others.to_vec();
        others.sort_by_key(|(case, _, _)| case.place.map(|place| place.ply));
        let brief: Vec<String> = others.iter().map(in_brief).collect();
        text += &format!("Besides: {}.\n", brief.join("; "));
    }
    let summary = report.summary();
    let blunders = summary.blunders.map_or(0, |rate| rate.count);
    text += &format!(
        "In {}: {}, {} and {}",
        counted(summary.moves, "move"),
        counted(blunders, "blunder"),
        counted(summary.mistakes, "mistake"),
        match summary.inaccuracies {
            1 => "1 inaccuracy".to_owned(),
            number => format!("{number} inaccuracies"),
        },
    );
    if let Some(mean) = summary.mean {
        text += &format!("; a move lost {mean:.2} pawns on average");
    }
    text + ". Judged by Kashan's own alpha-beta."
}

fn at_length(&(case, sample, finding): &(&Case, Sample, &Finding)) -> String {
    let Finding::Judged { played, best } = finding else { return String::new() };
    let (before, after) = (game_state(best.score()), game_state(played.score()));
    let cost = match before == after {
        true => format!("loses {:.1} pawns", sample.loss.pawns()),
        false => format!("turns {before} into {after}"),
    };
    let mut text = format!(
        "{}{} {cost} ({} instead of {}).",
        line(case, &played.line[..1]),
        sample.grade.sign(),
        played.score(),
        best.score()
    );
    if played.line.len() > 1 {
        text += &format!(" What may come is {}.", line(case, cut(&played.line)));
    }
    text + &format!(" Better was {}, and you have {}.", line(case, cut(&best.line)), game_state(best.score()))
}

fn in_brief(&(case, sample, finding): &(&Case, Sample, &Finding)) -> String {
    let Finding::Judged { played, best } = finding else { return String::new() };
    let played = line(case, &played.line[..1]) + sample.grade.sign();
    format!("{played} loses {:.1}, better was {}", sample.loss.pawns(), best.san)
}

fn cut(line: &[String]) -> &[String] {
    &line[..line.len().min(SHOWN)]
}

/// Moves from the case's position on, with their numbers.
fn line(case: &Case, moves: &[String]) -> String {
    let number = case.fen.split_whitespace().nth(5).and_then(|text| text.parse().ok()).unwrap_or(1);
    let first = usize::from(case.turn.is_black());
    let words = moves.iter().zip(first..).map(|(san, half)| match half {
        _ if half % 2 == 0 => format!("{}. {san}", number + half / 2),
        1 if first == 1 => format!("{number}... {san}"),
        _ => san.clone(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What a game is for the side of the score.
fn game_state(score: Score) -> String {
    if let Some(moves) = score.mate_moves() {
        let moves_to_mate = counted(moves.unsigned_abs(), "move");
        return format!("{} mate in {moves_to_mate}", if moves > 0 { "a forced" } else { "a game lost by" });
    }
    match score.0 {
        500.. => "a won game",
        150..500 => "a much better game",
        50..150 => "a better game",
        -49..50 => "an even game",
        -149..-49 => "a worse game",
        -499..-149 => "a much worse game",
        _ => "a lost game",
    }
    .to_owned()
}

/// Our alpha-beta as the one who judges.
struct Reference<'s> {
    search: Box<dyn Searcher>,
    time: Duration,
    stop: &'s AtomicBool,
}

impl Thinker for Reference<'_> {
    fn think(&mut self, task: &Task) -> Result<Thinking, ThinkError> {
        let error = |fault| ThinkError { engine: "kashan".to_owned(), position: task.fen.clone(), fault };
        if self.stop.load(Relaxed) {
            return Err(error(Fault::Stopped));
        }
        let unreadable = |reason: &dyn ToString| error(Fault::Task(reason.to_string()));
        let start = Position::from_fen(&task.fen).map_err(|reason| unreadable(&reason))?;
        let mut game = Game::new(start);
        for text in &task.moves {
            let mv = game.position().parse_move(text);
            mv.and_then(|mv| game.play(mv)).map_err(|reason| unreadable(&reason))?;
        }
        let root = game.position();
        let allowed =
            |mv: &str| task.search_moves.is_empty() || task.search_moves.iter().any(|only| only == mv);
        let excluded = root.legal_moves().into_iter().filter(|&mv| !allowed(&coordinate(mv))).collect();
        let limits = Limits { nodes: Some(NODES), excluded, ..Limits::default() };
        let budget = Budget { soft: self.time, hard: self.time };
        let clock = Clock::start(TimeSource::Wall, Some(budget));
        let report = self.search.search(root, &limits, &clock, &mut ());
        let best = report.best_move().ok_or_else(|| unreadable(&"there is no legal move"))?;
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
