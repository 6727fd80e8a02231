//! Text tables, for terminals and for Markdown.

use unicode_width::UnicodeWidthStr as _;

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

impl Format {
    /// Markdown if wanted, else for a terminal.
    pub fn markdown_if(is_wanted: bool) -> Format {
        if is_wanted {
            Format::Markdown
        } else {
            Format::Terminal
        }
    }
}

/// Words stand left, numbers right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A table with a head.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    title: String,
    align: Align,
    cells: Vec<String>,
}

impl Column {
    /// The width of the cells.
    fn body(&self) -> usize {
        self.cells.iter().map(|cell| width(cell)).max().unwrap_or(0)
    }

    fn width(&self) -> usize {
        self.body().max(width(&self.title))
    }
}

impl Table {
    /// A table with these columns and no rows yet.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, Align)>) -> Table {
        let column = |(title, align): (S, Align)| Column {
            title: title.into(),
            align,
            cells: Vec::new(),
        };
        Table {
            columns: columns.into_iter().map(column).collect(),
        }
    }

    /// The same with the head on one line, a bar between columns and, as in Markdown's own rule, a
    /// colon behind right-aligned ones: `Engine | Elo:`.
    pub fn headed(head: &str) -> Table {
        Table::new(
            head.split('|')
                .map(|title| match title.trim().strip_suffix(':') {
                    Some(title) => (title, Align::Right),
                    None => (title.trim(), Align::Left),
                }),
        )
    }

    /// With these rows added.
    pub fn with_rows<R: IntoIterator<Item = String>>(
        mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Table {
        rows.into_iter().for_each(|row| {
            self.row(row);
        });
        self
    }

    /// Adds a row; missing cells at its end stay empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) -> &mut Table {
        let mut cells = cells.into_iter();
        for column in &mut self.columns {
            column
                .cells
                .push(cells.next().map_or(String::new(), Into::into));
        }
        self
    }

    /// The table as text, every line ended. Where lines were longer than the terminal, or else 80
    /// letters, columns with nothing in them are left out, and titles are broken; for a terminal
    /// cells are, too.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Terminal => self.fitted(columns()).lines(format),
            Format::Markdown => self.lines(format),
        }
    }

    /// The table with lines that fit, if possible: otherwise empty columns are left out, and long
    /// texts are broken.
    fn fitted(&self, terminal: Option<usize>) -> Table {
        let room = terminal.unwrap_or(USUAL_ROOM);
        let mut columns = self.columns.clone();
        for text in columns
            .iter_mut()
            .flat_map(|column| column.cells.iter_mut().chain([&mut column.title]))
        {
            *text = one_line(text);
        }
        let total = |columns: &[Column]| {
            columns.iter().map(Column::width).sum::<usize>() + GAP * columns.len().saturating_sub(1)
        };
        if total(&columns) > room {
            columns.retain(|column| column.cells.is_empty() || column.body() > 0);
            for column in &mut columns {
                column.title = broken(&column.title, column.body(), false);
            }
        }
        while terminal.is_some()
            && let Some(overflow @ 1..) = total(&columns).checked_sub(room)
            && let Some(widest) = columns
                .iter_mut()
                .filter(|column| column.align == Align::Left && column.width() > NARROWEST)
                .max_by_key(|column| column.width())
        {
            let width = widest.width().saturating_sub(overflow).max(NARROWEST);
            for text in widest.cells.iter_mut().chain([&mut widest.title]) {
                *text = broken(&text.replace('\n', " "), width, true);
            }
        }
        Table { columns }
    }

    /// The table in lines; cells for terminals may be broken.
    fn lines(&self, format: Format) -> String {
        let clean = |text: &str| match format {
            Format::Terminal => text.replace(TIED, " "),
            Format::Markdown => one_line(text).replace(TIED, " ").replace('|', "\\|"),
        };
        let columns = self.columns.iter();
        let shown: Vec<Shown> = columns.map(|column| Shown::of(column, clean)).collect();
        let mut text = shown_row(&shown, format, |column| &column.title);
        let rule = |column: &Shown| match (format, column.align) {
            (Format::Terminal, _) => "-".repeat(column.width),
            (Format::Markdown, Align::Left) => "-".repeat(column.width + 2),
            (Format::Markdown, Align::Right) => "-".repeat(column.width + 1) + ":",
        };
        let rules: Vec<String> = shown.iter().map(rule).collect();
        text += &match format {
            Format::Terminal => rules.join(&" ".repeat(GAP)) + "\n",
            Format::Markdown => format!("|{}|\n", rules.join("|")),
        };
        let rows = shown
            .iter()
            .map(|column| column.cells.len())
            .max()
            .unwrap_or(0);
        for row in 0..rows {
            text += &shown_row(&shown, format, |column| &column.cells[row]);
        }
        text
    }
}

/// A column for display: cells in lines.
struct Shown {
    align: Align,
    width: usize,
    title: Vec<String>,
    cells: Vec<Vec<String>>,
}

impl Shown {
    fn of(column: &Column, clean: impl Fn(&str) -> String) -> Shown {
        let lines = |text: &String| {
            clean(text)
                .lines()
                .map(str::to_owned)
                .collect::<Vec<String>>()
        };
        let title = lines(&column.title);
        let cells: Vec<Vec<String>> = column.cells.iter().map(lines).collect();
        let width = cells
            .iter()
            .chain([&title])
            .flatten()
            .map(|line| line.width())
            .max()
            .unwrap_or(0);
        Shown {
            align: column.align,
            width,
            title,
            cells,
        }
    }
}

/// A row of the table, in as many lines as its longest cell has.
fn shown_row<'s>(
    columns: &'s [Shown],
    format: Format,
    cell: impl Fn(&'s Shown) -> &'s Vec<String>,
) -> String {
    let height = columns
        .iter()
        .map(|column| cell(column).len())
        .max()
        .unwrap_or(0)
        .max(1);
    let mut text = String::new();
    for line in 0..height {
        let padded = columns.iter().map(|column| {
            let words = cell(column).get(line).map_or("", String::as_str);
            let blanks = " ".repeat(column.width - words.width());
            match column.align {
                Align::Left => format!("{words}{blanks}"),
                Align::Right => format!("{blanks}{words}"),
            }
        });
        let cells: Vec<String> = padded.collect();
        match format {
            Format::Terminal => text += cells.join(&" ".repeat(GAP)).trim_end(),
            Format::Markdown => text += &format!("| {} |", cells.join(" | ")),
        }
        text.push('\n');
    }
    text
}

/// The blanks between columns.
const GAP: usize = 2;
/// The room of a line without a terminal.
const USUAL_ROOM: usize = 80;
/// Columns of words become no narrower for others.
const NARROWEST: usize = 10;
/// A blank without a line break, to keep a title together.
pub const TIED: char = '\u{a0}';

/// The width of a text of some lines.
fn width(text: &str) -> usize {
    text.lines().map(|line| line.width()).max().unwrap_or(0)
}

/// A text in lines of so many letters; longer words are broken, too, or not.
fn broken(text: &str, width: usize, breaks_words: bool) -> String {
    wrapped(text, width.max(1), "", "", breaks_words)
}

/// A text from outside on one line: a line break, an escape sequence, or a letter that turns the
/// direction of text would spoil a table or a line.
pub fn one_line(text: &str) -> String {
    text.chars()
        .filter(|&c| !is_invisible(c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
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
    let cut = |line: &str| match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_owned(),
    };
    harmless(&text.split('\n').map(cut).collect::<Vec<_>>().join("\n"))
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
    fn lines_are_broken_to_fit() {
        let mut table =
            Table::headed("Player | Stronger than next: | Note | Pairs 0\u{a0}½\u{a0}1");
        table.row(["a name of several words", "1.0%", "", "1 2 3"]);
        let at = |columns| table.fitted(columns).lines(Format::Terminal);
        assert!(
            at(Some(80)).contains("Stronger than next  Note  Pairs 0 ½ 1\n"),
            "{}",
            at(Some(80))
        );
        let expected = "Player                   Stronger  Pairs\n\
                        \x20                            than  0 ½ 1\n\
                        \x20                            next\n\
                        -----------------------  --------  -----\n\
                        a name of several words      1.0%  1 2 3\n";
        assert_eq!(at(Some(45)), expected);
        assert!(
            at(Some(30)).lines().all(|line| line.width() <= 30),
            "{}",
            at(Some(30))
        );
        assert!(
            at(Some(30)).contains("\nseveral words\n"),
            "{}",
            at(Some(30))
        );
        // A word that is too long for a line by itself.
        let mut wide = Table::headed("Player | Games:");
        wide.row([format!("x {}", "y".repeat(62)), "100".to_owned()]);
        let text = wide.fitted(Some(60)).lines(Format::Terminal);
        assert!(text.lines().all(|line| line.width() <= 60), "{text}");
        // Nobody looks at it: names stay whole.
        let mut long = table.clone();
        long.row(["name ".repeat(30), "2.0%".to_owned()]);
        assert!(
            long.fitted(None)
                .lines(Format::Terminal)
                .contains(&"name ".repeat(30))
        );
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
        let expected = "| Engine |   Elo |\n\
                        |--------|------:|\n\
                        | Kashan |   +12 |\n\
                        | a\\|b c | -1234 |\n\
                        | Zürich |       |\n";
        assert_eq!(table().render(Format::Markdown), expected);
    }
}
