//! `kashan library show`: answers of players to a move.

use std::cmp::Reverse;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use chess::{ChessMove, Color};
use clap::Args;
use serde::Serialize;

use super::super::{common, position_or_moves, print, print_json};
use crate::engine::library::{Action, Case, Filter, GameInfo, Library, RetrievedCase, Similarity};
use crate::rules::position::Position;
use crate::rules::position::notation::numbered;
use crate::util::display::{Format, Table, cells, counted, grouped};

/// Show the answers of players to a move, on similar boards.
///
/// The move is the last of those that lead to the position, or --last. Cases are taken from both
/// colours; their games follow, the most similar first, with the moves played then.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A library, or built-in for Kashan's own.
    #[arg(value_name = "LIBRARY")]
    library: PathBuf,
    /// The position: a FEN, or moves from the start of the game (e4 e5 Nf3, or e2e4 e7e5 g1f3).
    #[arg(value_name = "FEN or MOVES")]
    position: Vec<String>,
    /// The move before the position, like hxg6, Nf3 or O-O.
    #[arg(long, value_name = "MOVE")]
    last: Option<String>,
    /// Least similarity of a board, from 0 (all cases of the move) to 1 (the same board).
    #[arg(long, value_name = "SIMILARITY", default_value = "0.4", value_parser = degree)]
    degree: u32,
    /// Features to compare: tokens (pieces, and the squares in their reach, attack and defence) or
    /// placement (pieces on squares).
    #[arg(long, value_name = "NAME", default_value = "tokens", value_parser = common::one_of::<Similarity>())]
    similarity: Similarity,
    /// The number of games to list.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 8)]
    games: usize,
    /// Write JSON, for programs.
    #[arg(long)]
    json: bool,
}

/// Percent, from a number between 0 and 1.
fn degree(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(degree @ 0.0..=1.0) => Ok((100.0 * degree).round() as u32),
        _ => Err("it is a number from 0 to 1".to_owned()),
    }
}

/// Half-moves of a game on show, from a case on.
const SHOWN: usize = 8;
/// The number of answers in the list for people; the rest is counted.
const LISTED: usize = 12;

/// The facts on a position.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Answer {
    library: String,
    fen: String,
    /// The move before the position, if known.
    last: Option<String>,
    /// The number of cases of the last move.
    cases: usize,
    /// The number of cases with similar boards.
    similar: usize,
    degree: f64,
    reactions: Vec<ReactionRow>,
    games: Vec<GameRow>,
}

/// A legal move, with the cases of this answer.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ReactionRow {
    #[serde(rename = "move")]
    mv: String,
    cases: usize,
    /// The share of all similar cases.
    share: f64,
    /// The score of the players with this answer, over all games with a result.
    score: Option<f64>,
    similarity: f32,
}

/// A similar case.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct GameRow {
    similarity: f32,
    #[serde(rename = "move")]
    mv: String,
    is_legal_here: bool,
    /// The other side had the board.
    is_mirrored: bool,
    is_own: bool,
    game: String,
    move_number: usize,
    /// The moves from the reaction on.
    continuation: String,
    fen: String,
}

/// Looks up and prints.
///
/// # Errors
/// The library cannot be read, or the position or the move not be understood.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let library = Library::open(&arguments.library)?;
    let (position, before) = position_or_moves(&arguments.position.join(" "))?;
    let last = last_action(arguments, &position, before)?;
    let answer = answer(&library, &position, last, arguments)?;
    match arguments.json {
        true => print_json(&answer),
        false => print(&text(&answer, position.side_to_move())),
    }
}

/// Returns the move before the position, if known.
fn last_action(
    arguments: &Arguments,
    position: &Position,
    before: Option<(Position, ChessMove)>,
) -> anyhow::Result<Option<Action>> {
    let played = before.map(|(before, mv)| Action::of(before.board(), mv));
    let Some(text) = &arguments.last else {
        return Ok(played);
    };
    let actor = !position.side_to_move();
    let last = Action::parse(text, actor)?;
    if let Some(played) = played
        && played != last
    {
        bail!("the last of the moves is {}, not {text}", played.san(actor));
    }
    Ok(Some(last))
}

fn answer(
    library: &Library,
    position: &Position,
    last: Option<Action>,
    arguments: &Arguments,
) -> anyhow::Result<Answer> {
    let filter = Filter {
        similarity: arguments.similarity,
        degree: arguments.degree,
    };
    let mut found = match last {
        Some(last) => library.similar(position.board(), last, &filter),
        None => Vec::new(),
    };
    found.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    let reactor = position.side_to_move();
    let mut games = Vec::new();
    for found in found.iter().take(arguments.games) {
        games.push(game_row(library, found, reactor)?);
    }
    Ok(Answer {
        library: library.path().display().to_string(),
        fen: position.to_fen(),
        last: last.map(|last| last.san(!reactor).to_string()),
        cases: last.map_or(0, |last| library.case_count(last)),
        similar: found.len(),
        degree: f64::from(arguments.degree) / 100.0,
        reactions: reactions(library, position, &found),
        games,
    })
}

/// Returns the legal moves among the answers, the most frequent first.
fn reactions(library: &Library, position: &Position, found: &[RetrievedCase]) -> Vec<ReactionRow> {
    let mut rows = Vec::new();
    for mv in position.legal_moves() {
        let with_move: Vec<&RetrievedCase> = found
            .iter()
            .filter(|found| found.moves.contains(&mv))
            .collect();
        let Some(most_similar) = with_move.first() else {
            continue;
        };
        let mut points = Vec::new();
        for found in &with_move {
            points.extend(points_of_reactor(
                &found.case,
                &library.game(found.case.game),
            ));
        }
        let score = points.iter().sum::<f64>() / points.len() as f64;
        rows.push(ReactionRow {
            mv: position.san(mv),
            cases: with_move.len(),
            share: with_move.len() as f64 / found.len() as f64,
            score: (!points.is_empty()).then_some(score),
            similarity: most_similar.similarity,
        });
    }
    rows.sort_by_key(|row| Reverse(row.cases));
    rows
}

/// Returns the points of the answering player; none for an unknown result.
fn points_of_reactor(case: &Case, game: &GameInfo) -> Option<f64> {
    let outcome = game.result().known()?;
    let reactor_is_white = case.actor == Color::Black;
    Some(match outcome.winner() {
        None => 0.5,
        Some(winner) if winner.is_white() == reactor_is_white => 1.0,
        Some(_) => 0.0,
    })
}

fn game_row(library: &Library, found: &RetrievedCase, reactor: Color) -> anyhow::Result<GameRow> {
    let case = &found.case;
    let game = library.game(case.game);
    let fen = case.planes.fen(case.actor);
    let there = Position::from_fen(&fen).context("the library has a board that is no position")?;
    let line = there.san_line(&library.continuation(case, !case.actor, SHOWN));
    let move_number = library.move_number(case);
    Ok(GameRow {
        similarity: found.similarity,
        mv: line.first().cloned().unwrap_or_default(),
        is_legal_here: !found.moves.is_empty(),
        is_mirrored: case.actor == reactor,
        is_own: game.is_own,
        game: game.to_string(),
        move_number,
        continuation: numbered(&line, move_number, case.actor == Color::White),
        fen: there.to_fen(),
    })
}

fn text(answer: &Answer, side: Color) -> String {
    let last = match &answer.last {
        Some(last) => answers_to(last, answer),
        None => "Which move led here is not known: --last MOVE says it, and what others answered is shown.".to_owned(),
    };
    let mut text = format!("{}\n\n{last}\n", answer.fen);
    if !answer.reactions.is_empty() {
        let table = table(&answer.reactions);
        text +=
            &format!("\n{side:?} can answer like them (score: their points with it):\n\n{table}");
    } else if answer.similar > 0 {
        text.push_str("None of their answers is legal here.\n");
    }
    if !answer.games.is_empty() {
        text.push_str("\nThe most similar boards, and how those games went on:\n");
    }
    text.extend(answer.games.iter().map(GameRow::text));
    text
}

/// The number of answers to the last move, in a sentence.
fn answers_to(last: &str, answer: &Answer) -> String {
    let cases = counted(grouped(answer.cases as u64), "case");
    let known = format!("Answers to {last}: {cases} in {}", answer.library);
    let similar = grouped(answer.similar as u64);
    match answer.degree {
        _ if answer.cases == 0 => format!("{known}. Nobody played that move there."),
        0.0 => format!("{known}."),
        degree => format!("{known}, {similar} with a similarity of {degree} or more."),
    }
}

fn table(reactions: &[ReactionRow]) -> String {
    let mut table = Table::headed("Move | Cases: | Share: | Score: | Most similar:");
    for row in reactions.iter().take(LISTED) {
        table.row(cells![
            row.mv,
            grouped(row.cases as u64),
            whole_percent(row.share),
            row.score.map(whole_percent).unwrap_or_default(),
            format!("{:.2}", row.similarity)
        ]);
    }
    let mut text = table.render(Format::Terminal);
    if reactions.len() > LISTED {
        let more = reactions.len() - LISTED;
        text += &format!("... and {more} more that came less often (--json has all)\n");
    }
    text
}

impl GameRow {
    fn text(&self) -> String {
        let mut text = format!("\n  {:.2}  {}", self.similarity, self.game);
        let mut remarks = Vec::new();
        for (is_so, remark) in [
            (self.is_mirrored, "with the colours changed"),
            (self.is_own, "an own game"),
            (!self.is_legal_here, "not legal here"),
        ] {
            if is_so {
                remarks.push(remark);
            }
        }
        if !remarks.is_empty() {
            text += &format!(" ({})", remarks.join(", "));
        }
        text + &format!("\n        {}\n", self.continuation)
    }
}

/// `25 %` of a quarter.
fn whole_percent(part: f64) -> String {
    format!("{:.0} %", 100.0 * part)
}
