//! Text tables, for terminals and for Markdown.

use comfy_table::{CellAlignment, presets};

/// Where a table will be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Columns with spaces between, a line under the head.
    #[default]
    Terminal,
    /// As GitHub and others read it.
    Markdown,
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
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and no rows yet.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, Align)>) -> Table {
        Table {
            columns: columns.into_iter().map(|(title, align)| (title.into(), align)).collect(),
            rows: Vec::new(),
        }
    }

    /// The same with the head on one line, a bar between columns and, as in Markdown's own rule, a colon
    /// behind those that are aligned to the right: `Engine | Elo:`.
    pub fn headed(head: &str) -> Table {
        Table::new(head.split('|').map(|title| match title.trim().strip_suffix(':') {
            Some(title) => (title, Align::Right),
            None => (title.trim(), Align::Left),
        }))
    }

    /// With these rows added.
    pub fn with_rows<R: IntoIterator<Item = String>>(mut self, rows: impl IntoIterator<Item = R>) -> Table {
        rows.into_iter().for_each(|row| {
            self.row(row);
        });
        self
    }

    /// Adds a row; what is missing at its end stays empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) -> &mut Table {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// The table as text, every line ended.
    pub fn render(&self, format: Format) -> String {
        let clean = |text: &str| match format {
            Format::Terminal => one_line(text),
            Format::Markdown => one_line(text).replace('|', "\\|"),
        };
        let mut table = comfy_table::Table::new();
        table.load_preset(match format {
            Format::Terminal => presets::NOTHING,
            Format::Markdown => presets::ASCII_MARKDOWN,
        });
        table.set_header(self.columns.iter().map(|(title, _)| clean(title)));
        for row in &self.rows {
            let missing = self.columns.len().saturating_sub(row.len());
            table.add_row(
                row.iter().map(|cell| clean(cell)).chain(std::iter::repeat_n(String::new(), missing)),
            );
        }
        for (column, (_, align)) in table.column_iter_mut().zip(&self.columns) {
            column.set_cell_alignment(match align {
                Align::Left => CellAlignment::Left,
                Align::Right => CellAlignment::Right,
            });
            if format == Format::Terminal {
                column.set_padding((0, 2));
            }
        }
        let widths: Vec<usize> = table.column_max_content_widths().into_iter().map(usize::from).collect();
        let mut lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        match format {
            Format::Terminal => {
                let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                lines.insert(1, rule.join("  "));
            }
            // comfy-table's own rule says nothing of alignment.
            Format::Markdown => {
                let rule = widths.iter().zip(&self.columns).map(|(width, (_, align))| match align {
                    Align::Left => "-".repeat(width + 2),
                    Align::Right => "-".repeat(width + 1) + ":",
                });
                lines[1] = format!("|{}|", rule.collect::<Vec<_>>().join("|"));
            }
        }
        lines.join("\n") + "\n"
    }
}

/// A text from outside that stays where it is put: a line break, an escape sequence, or a letter that turns
/// the direction of what follows would spoil a table or a line.
pub fn one_line(text: &str) -> String {
    text.chars().filter(|&c| !is_invisible(c)).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text of several lines, in which no letter commands the terminal: what was in a file may be in it.
pub fn harmless(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t'), "\u{fffd}")
}

/// Marks that have no shape, but change where other letters stand (Unicode's bidirectional algorithm), or
/// make two names look the same. Those that join letters are part of words.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::headed("Engine | Elo:");
        table.row(["Kashan", "+12"]).row(["a|b\nc", "-1234"]).row(["Zürich"]);
        table
    }

    #[test]
    fn terminals_get_aligned_columns() {
        assert_eq!(
            table().render(Format::Terminal),
            "Engine    Elo\n\
             ------  -----\n\
             Kashan    +12\n\
             a|b c   -1234\n\
             Zürich\n"
        );
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
    fn no_letter_commands_the_terminal() {
        assert_eq!(harmless("a\tb\nc \u{1b}[2J\r\u{7}\u{9b}31m\u{7f}é"), "a\tb\nc �[2J���31m�é");
    }

    #[test]
    fn markdown_gets_bars_and_colons() {
        assert_eq!(
            table().render(Format::Markdown),
            "| Engine |   Elo |\n\
             |--------|------:|\n\
             | Kashan |   +12 |\n\
             | a\\|b c |  -1234 |\n"
                .replace("|  -1234", "| -1234")
                + "| Zürich |       |\n"
        );
    }
}
