//! `kashan book`: build opening books and look into them.

use std::path::PathBuf;

use clap::Subcommand;

use super::{position_or_moves, print};
use crate::lab::making::BookBuilder;
use crate::rules::book::{Book, BookMove};
use crate::rules::pgn;
use crate::rules::position::{Position, moves};
use crate::util::display::{Format, Table, cells, counted};
use crate::util::files::{self, OutputFile, Replaces};

/// Build a Polyglot opening book, or show its moves.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build a Polyglot book from the main lines of PGN games.
    ///
    /// Each game counts 1 for each of its moves, in the position of the move. The book is written
    /// only if every game can be read and every move is legal, and never over an existing file.
    Build {
        /// PGN files, or directories with .pgn files.
        #[arg(required = true, value_name = "PGN")]
        pgn: Vec<PathBuf>,
        /// File for the book.
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
        /// Take this many half-moves of each game.
        #[arg(long, value_name = "N", default_value_t = 40)]
        max_plies: usize,
    },
    /// List the book moves of a position with their weights.
    Show {
        /// Polyglot book to look into, instead of Kashan's own.
        #[arg(long, short, value_name = "FILE")]
        book: Option<PathBuf>,
        /// The position: a FEN, or moves from the start of the game (e4 e5 Nf3, or e2e4 e7e5 g1f3).
        #[arg(value_name = "FEN or MOVES")]
        position: Vec<String>,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Unreadable or unwritable files, illegal games and positions.
pub fn run(command: Command) -> anyhow::Result<()> {
    let text = match command {
        Command::Build {
            pgn,
            output,
            max_plies,
        } => {
            let mut builder = BookBuilder::new(max_plies);
            let inputs = pgn::files(&pgn)?;
            // Nothing in a book says who made it.
            let file = OutputFile {
                path: &output,
                replaces: Replaces::Nothing,
            };
            files::check(&inputs, [file])?;
            inputs
                .iter()
                .try_for_each(|input| builder.add_file(input))?;
            let games = builder.games;
            let book = builder.finish();
            file.write(&book.to_bytes())?;
            format!(
                "{}: {} in {}, from {}\n",
                output.display(),
                counted(book.len(), "move"),
                counted(book.positions(), "position"),
                counted(games, "game"),
            )
        }
        Command::Show { book, position } => {
            let book = match book {
                Some(path) => Book::open(path)?,
                None => Book::built_in(),
            };
            let position = position_or_moves(&position.join(" "))?.0;
            let mut text = table(&position, &book.moves(&position));
            for mv in book.illegal_moves(&position) {
                text += &format!("{mv} is in the book, but is not legal here\n");
            }
            text
        }
    };
    print(&text)
}

fn table(position: &Position, book_moves: &[BookMove]) -> String {
    if book_moves.is_empty() {
        return "not in the book\n".to_owned();
    }
    let total: u64 = book_moves
        .iter()
        .map(|book_move| u64::from(book_move.weight))
        .sum();
    let mut table = Table::headed("Move | Coord. | Weight: | Share:");
    for &BookMove { mv, weight } in book_moves {
        let share = 100.0 * f64::from(weight) / total.max(1) as f64;
        table.row(cells![
            position.san(mv),
            moves::coordinate(mv),
            weight,
            format!("{share:.1}%")
        ]);
    }
    table.render(Format::Terminal)
}
