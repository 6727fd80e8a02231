//! `explain`: what the genetic search sees in the position on the board.

use std::path::Path;

use super::Console;
use crate::explain::{DOT_MARK, Explanation, HTML_MARK, Limit, Task, USUAL_BRANCHES, USUAL_NODES, explain};
use crate::files::Output;

impl Console {
    /// Prints the explanation, or writes it to a file whose ending says the form. It takes a fraction of a
    /// second.
    pub(super) fn explain(&mut self, path: &str) {
        let form = match form(path) {
            Ok(form) => form,
            Err(text) => return self.say(text),
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
        let Some(form) = form else {
            return self.print(&explanation.to_text());
        };
        let (text, mark) = form(&explanation);
        self.say(
            written(path, &text, mark).map_or_else(|fault| fault, |()| format!("The search is in {path}.")),
        );
    }
}

/// The text and its mark.
type Form = fn(&Explanation) -> (String, &'static str);

/// The form that a file's ending asks for; none without a file.
fn form(path: &str) -> Result<Option<Form>, &'static str> {
    let ending = Path::new(path).extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_deref().and_then(|ending| ending.to_str()) {
        _ if path.is_empty() => Ok(None),
        Some("html" | "htm") => Ok(Some(|explanation| (explanation.to_html(), HTML_MARK))),
        Some("dot" | "gv") => Ok(Some(|explanation| (explanation.to_dot(), DOT_MARK))),
        _ => Err("Type \"explain\", or \"explain FILE\" with a file that ends in .html or .dot."),
    }
}

/// Writes a report to a file, or says in a sentence why it cannot.
pub(super) fn written(path: &str, text: &str, mark: &str) -> Result<(), String> {
    let written = Output::report(Path::new(path), mark).write(text.as_bytes());
    written.map_err(|error| error.to_string().replacen("cannot", "Cannot", 1) + ".")
}
