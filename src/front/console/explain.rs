//! `explain`: what the genetic search sees in the position on the board.

use std::path::Path;

use super::Console;
use crate::explain::{DOT_MARK, Explanation, HTML_MARK, Limit, Task, USUAL_BRANCHES, USUAL_NODES, explain};
use crate::files::Output;

impl Console {
    /// Prints the explanation, or writes it to a file whose ending says the form. It takes a fraction of a
    /// second.
    pub(super) fn explain(&mut self, path: &str) {
        let ending = Path::new(path).extension().unwrap_or_default().to_ascii_lowercase();
        // The text, and the mark of such files.
        let form: fn(&Explanation) -> (String, &'static str) = match ending.to_str() {
            _ if path.is_empty() => |explanation| (explanation.to_text(), ""),
            Some("html" | "htm") => |explanation| (explanation.to_html(), HTML_MARK),
            Some("dot" | "gv") => |explanation| (explanation.to_dot(), DOT_MARK),
            _ => {
                return self
                    .say("Type \"explain\", or \"explain FILE\" with a file that ends in .html or .dot.");
            }
        };
        let task = Task {
            root: self.engine.position().clone(),
            settings: self.engine.settings().clone(),
            limit: Limit::Nodes(USUAL_NODES),
            branches: USUAL_BRANCHES,
        };
        let explanation = match explain(&task) {
            Ok(explanation) => explanation,
            Err(error) => return self.say(format!("There is {error}.")),
        };
        let (text, mark) = form(&explanation);
        if path.is_empty() {
            return self.print(&text);
        }
        self.say(written(path, &text, mark, "The search"));
    }
}

/// Writes a report to a file. Gives back a sentence: where `what` is, or why it cannot be written.
pub(super) fn written(path: &str, text: &str, mark: &str, what: &str) -> String {
    match Output::report(Path::new(path), mark).write(text.as_bytes()) {
        Ok(()) => format!("{what} is in {path}."),
        Err(error) => error.to_string().replacen("cannot", "Cannot", 1) + ".",
    }
}
