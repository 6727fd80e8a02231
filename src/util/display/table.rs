//! Text tables, for terminals and for Markdown.

use console::measure_text_width;

use super::columns;
use super::wrap::wrapped;

/// The place where a table is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Columns with spaces between, a line under the head.
    #[default]
    Terminal,
    /// Markdown in GitHub's form.
    Markdown,
}

/// A table with a head.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    title: String,
    /// Words stand left, numbers right.
    is_right: bool,
    cells: Vec<String>,
}

impl Table {
    /// A table without rows, its head on one line: a bar between columns and, as in Markdown's own
    /// rule, a colon behind right-aligned ones: `Engine | Elo:`.
    pub fn headed(head: &str) -> Table {
        let mut columns = Vec::new();
        for title in head.split('|').map(str::trim) {
            columns.push(Column {
                title: title.trim_end_matches(':').to_owned(),
                is_right: title.ends_with(':'),
                cells: Vec::new(),
            });
        }
        Table { columns }
    }

    /// With these rows added.
    pub fn with_rows<R: IntoIterator<Item = String>>(
        mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Table {
        for row in rows {
            self.row(row);
        }
        self
    }

    /// Adds a row; missing cells at its end stay empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) -> &mut Table {
        let mut cells = cells.into_iter().map(Into::into);
        for column in &mut self.columns {
            column.cells.push(cells.next().unwrap_or_default());
        }
        self
    }

    /// The table as text, every line ended. Where lines were longer than the terminal, or else 80
    /// letters, columns with nothing in them are left out, and titles are broken.
    pub fn render(&self, format: Format) -> String {
        let text = match format {
            Format::Terminal => self.for_terminal(columns().unwrap_or(USUAL_ROOM)),
            Format::Markdown => self.markdown(),
        };
        text.replace(TIED, " ")
    }

    fn for_terminal(&self, room: usize) -> String {
        let mut columns: Vec<Shown> = self.columns.iter().map(Shown::of).collect();
        let total: usize = columns.iter().map(|column| column.width() + GAP).sum();
        if total > room + GAP {
            columns.retain(|column| column.cells.is_empty() || column.body > 0);
            columns.iter_mut().for_each(Shown::break_title);
        }
        let heights = columns.iter().map(|column| column.title.len());
        let mut text = String::new();
        for line in 0..heights.max().unwrap_or(0) {
            text += &padded(&columns, |column| {
                column.title.get(line).cloned().unwrap_or_default()
            });
        }
        text += &padded(&columns, |column| "-".repeat(column.width()));
        for row in 0..self.rows() {
            text += &padded(&columns, |column| column.cells[row].clone());
        }
        text
    }

    fn markdown(&self) -> String {
        let mut lines = vec!["|".to_owned(); 2 + self.rows()];
        for column in &self.columns {
            lines[1] += if column.is_right { " --: |" } else { " --- |" };
            lines[0] += &markdown_cell(&column.title);
            for (line, cell) in lines[2..].iter_mut().zip(&column.cells) {
                *line += &markdown_cell(cell);
            }
        }
        lines.join("\n") + "\n"
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

fn markdown_cell(text: &str) -> String {
    format!(" {} |", one_line(text).replace('|', "\\|"))
}

/// A column for a terminal.
struct Shown {
    is_right: bool,
    /// The lines of the title.
    title: Vec<String>,
    cells: Vec<String>,
    /// The width of the cells.
    body: usize,
}

impl Shown {
    fn of(column: &Column) -> Shown {
        let cells: Vec<String> = column.cells.iter().map(|cell| one_line(cell)).collect();
        Shown {
            is_right: column.is_right,
            title: vec![one_line(&column.title)],
            body: widest(&cells),
            cells,
        }
    }

    fn width(&self) -> usize {
        self.body.max(widest(&self.title))
    }

    /// Breaks the title between words where it is wider than the cells.
    fn break_title(&mut self) {
        let broken = wrapped(&self.title.concat(), self.body.max(1), "", "");
        self.title = broken.lines().map(str::to_owned).collect();
    }
}

fn widest(lines: &[String]) -> usize {
    lines
        .iter()
        .map(|line| measure_text_width(line))
        .max()
        .unwrap_or(0)
}

/// A line of the table, with blanks around the text of each column.
fn padded(columns: &[Shown], text: impl Fn(&Shown) -> String) -> String {
    let mut line = String::new();
    for column in columns {
        let text = text(column);
        let blanks = " ".repeat(column.width() - measure_text_width(&text));
        line += &if column.is_right {
            blanks + &text
        } else {
            text + &blanks
        };
        line += &" ".repeat(GAP);
    }
    line.trim_end().to_owned() + "\n"
}

/// The blanks between columns.
const GAP: usize = 2;
/// The room of a line without a terminal.
const USUAL_ROOM: usize = 80;
/// A blank without a line break, to keep a title together.
pub const TIED: char = '\u{a0}';

/// A text from outside on one line: a line break, an escape sequence, or a letter that turns the
/// direction of text would spoil a table or a line.
pub fn one_line(text: &str) -> String {
    text.replace(is_invisible, "")
        .replace(char::is_control, " ")
}

/// A text of several lines without commands for the terminal: it may quote a file.
pub fn harmless(text: &str) -> String {
    text.replace(
        |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t'),
        "\u{fffd}",
    )
}

/// A quotation from a file, as by [`harmless`], with long lines cut.
pub fn quotable(text: &str) -> String {
    let mut quoted = String::new();
    for line in text.split('\n') {
        match line.char_indices().nth(LONGEST_QUOTE) {
            Some((end, _)) => quoted += &format!("{} ...\n", &line[..end]),
            None => quoted += &format!("{line}\n"),
        }
    }
    quoted.pop();
    harmless(&quoted)
}

/// Letters of a line.
const LONGEST_QUOTE: usize = 500;

/// Marks without a shape that move other letters (Unicode's bidirectional algorithm), or make two
/// names look the same. Joiners of letters are part of words.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::headed("Engine | Elo:");
        table
            .row(["Kashan", "+12"])
            .row(["a|b\nc", "-1234"])
            .row(["Zürich"]);
        table
    }

    #[test]
    fn terminals_get_aligned_columns() {
        let expected = "Engine    Elo\n\
                        ------  -----\n\
                        Kashan    +12\n\
                        a|b c   -1234\n\
                        Zürich\n";
        assert_eq!(table().render(Format::Terminal), expected);
    }

    #[test]
    fn titles_are_broken_to_fit_and_empty_columns_left_out() {
        let mut table =
            Table::headed("Player | Stronger than next: | Note | Pairs 0\u{a0}½\u{a0}1");
        table.row(["a name of several words", "1.0%", "", "1 2 3"]);
        let at = |room| table.for_terminal(room).replace(TIED, " ");
        assert!(
            at(80).contains("Stronger than next  Note  Pairs 0 ½ 1\n"),
            "{}",
            at(80)
        );
        let expected = "Player                   Stronger  Pairs\n\
                        \x20                            than  0 ½ 1\n\
                        \x20                            next\n\
                        -----------------------  --------  -----\n\
                        a name of several words      1.0%  1 2 3\n";
        assert_eq!(at(45), expected);
        assert!(table.render(Format::Markdown).contains("Note"));
    }

    #[test]
    fn letters_that_move_others_are_left_out() {
        let mut table = Table::headed("Engine | Elo:");
        table.row(["evil\u{202e}\u{feff}ssehc", "+12"]);
        assert!(table.render(Format::Terminal).contains("evilssehc  +12"));
        // Persian needs the one that keeps letters apart.
        assert_eq!(one_line("می\u{200c}رود\u{200f}"), "می\u{200c}رود");
    }

    #[test]
    fn markdown_gets_bars_and_colons() {
        let expected = "| Engine | Elo |\n\
                        | --- | --: |\n\
                        | Kashan | +12 |\n\
                        | a\\|b c | -1234 |\n\
                        | Zürich |  |\n";
        assert_eq!(table().render(Format::Markdown), expected);
    }
}
