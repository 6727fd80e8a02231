//! Drawing the whole screen.

use chess::{Color, Square};
use ratatui::Frame;
use ratatui::layout::{Position as Cell, Rect};
use ratatui::style::{Color as Paint, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::layout::{self, BoardPlace, LEAST, Places};
use super::{KEYS, Page, State, graph};
use crate::engine::{Running, Thought};
use crate::play::console::board::{self, Pieces, filled, piece_sign};
use crate::play::console::face::cut;
use crate::play::console::{Activity, Console, notation};
use crate::rules::position::piece_at;
use crate::search::{Births, Generation, RootMove};
use crate::util::display::grouped;

const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
const CHOSEN: Paint = Paint::Indexed(172);
const CURSOR: Paint = Paint::Indexed(67);

/// Draws everything, and remembers where the board is.
pub fn draw(frame: &mut Frame, console: &Console, state: &mut State) {
    let area = frame.area();
    if let Some(page) = &state.page {
        return draw_page(frame, area, page);
    }
    let Some(places) = layout::places(area, console.seat()) else {
        state.board = None;
        let text = format!(
            "The window is too small: it has {} columns and {} rows, and {} and {} are needed. \
             Control-C twice leaves.",
            area.width, area.height, LEAST.0, LEAST.1
        );
        let lines = textwrap::fill(&text, usize::from(area.width.max(1)));
        return frame.render_widget(Paragraph::new(lines), area);
    };
    state.board = Some(places.board);
    state.room = usize::from(places.messages.height);
    draw_board(frame, &places, console, state);
    draw_moves(frame, places.moves, console);
    draw_graph(frame, places.graph, console, state.unicode);
    draw_search(frame, places.search, console, state);
    draw_bottom(frame, &places, console, state);
}

/// A text over the whole screen.
fn draw_page(frame: &mut Frame, area: Rect, page: &Page) {
    frame.render_widget(Clear, area);
    let rows = usize::from(area.height.saturating_sub(2).max(1));
    let shown = page.lines.iter().skip(page.top).take(rows);
    let mut lines: Vec<Line> = shown.map(|line| Line::from(line.as_str())).collect();
    lines.resize(rows + 1, Line::default());
    let end = (page.top + rows).min(page.lines.len());
    let foot =
        format!("Lines {} to {end} of {}. Page down, page up; Esc closes.", page.top + 1, page.lines.len());
    lines.push(Line::styled(foot, TITLE));
    frame.render_widget(Paragraph::new(lines), area);
}

fn draw_board(frame: &mut Frame, places: &Places, console: &Console, state: &State) {
    let seat = console.seat();
    for (side, place) in [(!seat, places.upper_player), (seat, places.lower_player)] {
        let to_move = console.ending.is_none() && console.engine.game.side_to_move() == side;
        let mark = if to_move { "> " } else { "  " };
        let text = format!("{mark}{}  {}", console.player(side), console.captured(side));
        let style = if to_move { TITLE } else { Style::new() };
        frame.render_widget(Line::styled(text, style), place);
    }
    for square in chess::ALL_SQUARES {
        draw_square(frame, &places.board, square, console, state);
    }
    for index in 0..8 {
        let corner =
            |file, rank| Square::make_square(chess::Rank::from_index(rank), chess::File::from_index(file));
        let rank = places.board.place_of(corner(0, index));
        let middle = rank.y + (rank.height - 1) / 2;
        let label = (index + 1).to_string();
        frame.buffer_mut().set_string(places.upper_player.x + 1, middle, label, Style::new());
        let file = places.board.place_of(corner(index, 0));
        let label = char::from(b'a' + index as u8).to_string();
        frame.buffer_mut().set_string(file.x + (file.width - 1) / 2, places.files.y, label, Style::new());
    }
}

fn draw_square(frame: &mut Frame, board: &BoardPlace, square: Square, console: &Console, state: &State) {
    let position = console.engine.position();
    let look = console.look;
    let piece = piece_at(position.board(), square);
    let is_last = board::is_marked(square, console.engine.game.moves().last().copied());
    let is_target = state.chosen.is_some_and(|from| {
        position.legal_moves().iter().any(|mv| mv.get_source() == from && mv.get_dest() == square)
    });
    let is_dark = board::ground(square) == board::DARK;
    let mut style = Style::new().add_modifier(Modifier::BOLD);
    if look.colors {
        let ground = match () {
            () if state.chosen == Some(square) => CHOSEN,
            () if state.cursor == Some(square) => CURSOR,
            () if is_last => Paint::Indexed(board::LAST_MOVE.0),
            () => Paint::Indexed(board::ground(square).0),
        };
        let is_white = piece.is_some_and(|(_, side)| side == Color::White);
        let ink = if is_white { board::WHITE_PIECE } else { board::BLACK_PIECE };
        style = style.bg(ground).fg(Paint::Indexed(ink.0));
    } else if state.chosen == Some(square) || state.cursor == Some(square) {
        style = style.add_modifier(Modifier::REVERSED);
    } else if is_last {
        style = style.add_modifier(Modifier::UNDERLINED);
    }
    let sign = match piece {
        Some((piece, _)) if look.colors && look.pieces == Pieces::Unicode => filled(piece),
        Some((piece, side)) => piece_sign(piece, side, look.pieces),
        None if is_target && state.unicode => '•',
        None if is_target => '*',
        None if !look.colors && is_dark => '.',
        None => ' ',
    };
    let place = board.place_of(square);
    frame.buffer_mut().set_style(place, style);
    let (column, row) = (place.x + (place.width - 1) / 2, place.y + (place.height - 1) / 2);
    frame.buffer_mut().set_string(column, row, sign.to_string(), style);
    if piece.is_some() && is_target {
        // A piece that can be taken.
        frame.buffer_mut().set_string(column + 1, row, "x", style);
    }
}

/// Pairs of moves in columns, the last ones if there is no room for all.
fn draw_moves(frame: &mut Frame, area: Rect, console: &Console) {
    const COLUMN: usize = 19;

    let game = &console.engine.game;
    let mut pairs: Vec<String> = Vec::new();
    for (index, &mv) in game.moves().iter().enumerate() {
        let Some(before) = game.position_before(index) else {
            break;
        };
        let san = before.san(mv);
        match (before.side_to_move(), pairs.last_mut()) {
            (Color::Black, Some(pair)) => *pair = format!("{pair:<11} {san}"),
            (Color::Black, None) => {
                pairs.push(format!("{:>3}. {:<6} {san}", before.fullmove_number(), "..."))
            }
            (Color::White, _) => pairs.push(format!("{:>3}. {san:<6}", before.fullmove_number())),
        }
    }
    let title = match &console.ending {
        Some(ending) => format!("Moves: {} ({})", ending.result, ending.reason),
        None => "Moves".to_owned(),
    };
    let rows = usize::from(area.height.saturating_sub(1)).max(1);
    let columns = (usize::from(area.width) / COLUMN).max(1);
    // Whole columns go away at the beginning.
    let surplus = pairs.len().saturating_sub(rows * columns).div_ceil(rows) * rows;
    let shown = &pairs[surplus.min(pairs.len())..];
    let mut lines = vec![Line::styled(title, TITLE)];
    for row in 0..rows.min(shown.len()) {
        let cells = shown.iter().skip(row).step_by(rows).map(|pair| format!("{pair:<COLUMN$}"));
        lines.push(Line::from(cells.collect::<String>()));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

fn draw_graph(frame: &mut Frame, area: Rect, console: &Console, unicode: bool) {
    let scores: Vec<_> = console.scores.values().copied().collect();
    let last = scores.last().map_or(String::new(), |score| format!(": {score}"));
    let mut lines = vec![Line::styled(format!("Evaluation for White{last}"), TITLE)];
    let height = usize::from(area.height.saturating_sub(1));
    let top = graph::top(&scores);
    let rows = graph::rows(&scores, top, usize::from(area.width.saturating_sub(4)), height, unicode);
    let last_row = rows.len() - 1;
    for (index, row) in rows.into_iter().enumerate() {
        let label = match index {
            0 => format!("{top:>+3} "),
            _ if index == last_row => format!("{:>+3} ", -top),
            _ => " ".repeat(4),
        };
        let ink = if index <= last_row / 2 { Paint::Indexed(108) } else { Paint::Indexed(136) };
        let style = if console.look.colors { Style::new().fg(ink) } else { Style::new() };
        lines.push(Line::from(vec![Span::raw(label), Span::styled(row, style)]));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// The search at work, or what the last one came to.
fn draw_search(frame: &mut Frame, area: Rect, console: &Console, state: &State) {
    let backend = console.engine.settings().get("Backend").unwrap_or_default();
    let what = match console.activity {
        Activity::Idle => "last search",
        Activity::Move => "thinking",
        Activity::Hint => "looking for a hint",
        Activity::Analysis => "analysing; Return stops",
        Activity::Review => "looking back; Control-C stops",
    };
    let mut lines = vec![Line::styled(format!("Search ({backend}): {what}"), TITLE)];
    let width = usize::from(area.width);
    if let Some(seen) = &console.seen {
        if let Some(generation) = &seen.generation {
            lines.extend(generation_lines(generation));
        } else if let Some(thought) = &seen.thought {
            lines.push(Line::from(format!(
                "Depth {} of at most {}, {}, {:.1} s, {}/s",
                thought.depth,
                thought.selective_depth,
                nodes(thought.nodes),
                thought.time.as_secs_f64(),
                nodes(thought.speed(thought.time)),
            )));
        }
        if let Some(thought) = &seen.thought {
            lines.extend(variation(seen, thought, width));
        }
        lines.extend(seen.alternatives.values().flat_map(|thought| variation(seen, thought, width)));
        if seen.generation.is_some() {
            let room = usize::from(area.height).saturating_sub(lines.len());
            lines.extend(bars(seen, width, room, state.unicode, console.look.colors));
        }
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// The paper's numbers.
fn generation_lines(generation: &Generation) -> [Line<'static>; 2] {
    let Births { crossovers, mutations, growths } = generation.births;
    [
        Line::from(format!(
            "Generation {}   H {}   P {}",
            generation.number, generation.height, generation.population
        )),
        Line::from(format!(
            "Births {}   {}   {:.1} s",
            grouped(crossovers + mutations + growths),
            nodes(generation.nodes),
            generation.time.as_secs_f64()
        )),
    ]
}

/// The best line, or another; for the searches that show nothing else on as many rows as it takes.
fn variation(seen: &Running, thought: &Thought, width: usize) -> Vec<Line<'static>> {
    let text = format!("{} {}", thought.score, seen.root.san_line(&thought.variation).join(" "));
    match seen.generation {
        Some(_) => vec![Line::from(cut(&text, width).to_owned())],
        None => textwrap::wrap(&text, width).iter().map(|line| Line::from(line.to_string())).collect(),
    }
}

/// A bar for each root move: the one to play, then those with the most nodes.
fn bars(seen: &Running, width: usize, room: usize, unicode: bool, colors: bool) -> Vec<Line<'static>> {
    const MOVE: usize = 8;
    const NUMBERS: usize = 14;

    let efforts = seen.efforts();
    let most = efforts.iter().map(|(root_move, _)| root_move.nodes).max().unwrap_or(0).max(1);
    let columns = width.saturating_sub(MOVE + NUMBERS).max(1);
    let line = |(root_move, percent): &(RootMove, f64)| {
        let eighths = (root_move.nodes as f64 / most as f64 * columns as f64 * 8.0).round() as usize;
        let bar = bar(eighths, unicode);
        let (mark, ink) = match seen.best() == Some(root_move.mv) {
            true => ('>', board::LAST_MOVE),
            false => (' ', board::LIGHT),
        };
        let style = if colors { Style::new().fg(Paint::Indexed(ink.0)) } else { Style::new() };
        let value = root_move.value.map_or(String::new(), |value| value.to_string());
        Line::from(vec![
            Span::raw(format!("{mark}{:<7}", seen.root.san(root_move.mv))),
            Span::styled(format!("{bar:<columns$}"), style),
            Span::raw(format!("{percent:>4.0} % {value:>7}")),
        ])
    };
    efforts.iter().take(room).map(line).collect()
}

/// A bar of so many eighths of a column.
fn bar(eighths: usize, unicode: bool) -> String {
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    if unicode { "█".repeat(eighths / 8) + rest } else { "#".repeat(eighths.div_ceil(8)) }
}

/// `512 N`, `340 kN`, `1.2 MN`
fn nodes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} N"),
        1_000..1_000_000 => format!("{} kN", count / 1_000),
        _ => format!("{:.1} MN", count as f64 / 1e6),
    }
}

/// Messages, the line that is typed, and the keys.
fn draw_bottom(frame: &mut Frame, places: &Places, console: &Console, state: &State) {
    let from = state.messages.len().saturating_sub(state.room);
    let messages: Vec<Line> = state.messages[from..].iter().map(|text| Line::from(text.as_str())).collect();
    frame.render_widget(Paragraph::new(messages), places.messages);
    let prompt = console.prompt_text();
    let room = usize::from(places.input.width).saturating_sub(prompt.len() + 1);
    let (typed, cursor) = console.editor.visible(room);
    let column = places.input.x + (prompt.len() + cursor) as u16;
    frame.render_widget(Line::from(vec![Span::styled(prompt, TITLE), Span::raw(typed)]), places.input);
    frame.set_cursor_position(Cell::new(column, places.input.y));
    let keys = KEYS.iter().map(|(key, word, ..)| format!("F{key} {word}"));
    let keys: Vec<String> = std::iter::once("F1 Help".to_owned()).chain(keys).collect();
    let room = usize::from(places.keys.width);
    let level = notation::describe_level(console.clocks.control());
    let lines = [keys.join("  ") + "   " + &level, keys.join("  "), keys.join(" ")];
    let line = lines.iter().find(|line| line.len() <= room).unwrap_or(&lines[2]);
    let style = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Line::styled(cut(line, room).to_owned(), style), places.keys);
}
