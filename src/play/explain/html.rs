//! An explanation as one self-contained web page, with style, script and pieces.

use serde_json::{Value, json};

use super::Explanation;
use super::excerpt::Excerpt;
use super::text::{self, counted, kinds, limit, shares, summary};
use crate::search::genetic::Statistics;
use crate::search::genetic::tree::Origin;
use crate::util::display::grouped;

/// Colours, and the look of the board. They and the board itself are the same wherever a board is
/// on a page.
pub const BOARD_STYLE: &str = include_str!("board.css");
/// The script for drawing a board.
pub const BOARD_SCRIPT: &str = include_str!("board.js");
/// The script for drawing a tree of branches.
pub const TREE_SCRIPT: &str = include_str!("tree.js");
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The six pieces as symbols `p`, `n`, `b`, `r`, `q`, `k`.
pub const PIECES: &str = include_str!("pieces.svg");
/// Rows of the table of the development.
const STAGES: usize = 16;
/// The one column of [`Explanation::stages`] with a word.
const MOVE: usize = 8;
/// The best branch is open at first, down to this level.
const OPEN_LEVELS: usize = 3;

/// Fills the holes of a page: the text of a name replaces `{{ name }}`.
pub fn filled(page: &str, texts: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once("{{ ") {
        let (name, behind) = behind
            .split_once(" }}")
            .expect("a hole of our own page ends");
        let mut texts = texts.iter();
        let text = texts.find(|(known, _)| *known == name);
        filled += before;
        filled += &text.expect("a hole of our own page is known").1;
        rest = behind;
    }
    filled + rest
}

/// Escapes a text for a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl Explanation {
    /// A page of at most some hundreds of kilobytes, to be opened from disk or put on any server.
    pub fn to_html(&self) -> String {
        let facts = (0..self.tree.nodes.len()).map(|index| self.fact(index));
        // A "<" must not end the script.
        let data = Value::from_iter(facts).to_string().replace('<', "\\u003c");
        let side = ["White", "Black"][self.root.side_to_move().to_index()];
        let kinds = kinds(&self.statistics);
        let mut tree = String::new();
        self.add_node(&mut tree, 0);
        filled(
            PAGE,
            &[
                ("BOARD_STYLE", BOARD_STYLE.to_owned()),
                ("STYLE", STYLE.to_owned()),
                ("PIECES", PIECES.to_owned()),
                ("BOARD_SCRIPT", BOARD_SCRIPT.to_owned()),
                ("TREE_SCRIPT", TREE_SCRIPT.to_owned()),
                ("drawn", self.outline()),
                ("SCRIPT", SCRIPT.to_owned()),
                ("fen", escaped(&self.root.to_fen())),
                ("side", side.to_owned()),
                ("best", escaped(self.best.as_deref().unwrap_or("no move"))),
                ("value", self.value.to_string()),
                ("summary", self.sentences()),
                ("limit", limit(self.limit)),
                ("settings", escaped(&self.settings_in_words())),
                ("tree", tree),
                ("branches", self.rows_of_branches()),
                ("efforts", self.rows_of_efforts()),
                ("kinds", format!("<th>{} %</th>", kinds.join(" %</th><th>"))),
                ("stages", self.rows_of_stages()),
                ("in_all", self.kinds_in_all()),
                ("data", data),
            ],
        )
    }

    /// The nodes of the drawing, as its script wants them, each with its index in the tree behind.
    fn outline(&self) -> String {
        let outline = &self.tree.outline;
        let drawn = outline.iter().map(|&index| {
            let node = &self.tree.nodes[index];
            let parent = outline.iter().position(|&other| Some(other) == node.parent);
            json!([
                parent.map_or(-1, |parent| parent as i64),
                node.san,
                node.mv.map_or(String::new(), |mv| mv.to_string()),
                node.origin.unwrap_or(Origin::Initial).name(),
                text::value(&node.value),
                node.is_best && node.k == 0,
                index,
            ])
        });
        Value::from_iter(drawn).to_string()
    }

    fn sentences(&self) -> String {
        let mut text = String::new();
        for sentence in &summary(self)[1..] {
            text += &format!("<p>{}</p>\n", escaped(sentence));
        }
        text
    }

    /// Adds a node and all nodes below; a node with children can be opened.
    fn add_node(&self, page: &mut String, index: usize) {
        let node = &self.tree.nodes[index];
        let line = self.line(index);
        if node.is_leaf() {
            *page += &format!("<div id=\"n{index}\" class=\"leaf\" tabindex=\"0\">{line}</div>\n");
            return;
        }
        let is_open = node.k == 0 && node.level < OPEN_LEVELS;
        let open = if is_open { " open" } else { "" };
        *page += &format!("<details id=\"n{index}\"{open}><summary>{line}</summary>\n");
        for &child in &node.children {
            self.add_node(page, child);
        }
        if node.hidden_children > 0 {
            let moves = counted(node.hidden_children, "more move");
            let nodes = counted(node.hidden_nodes, "node");
            *page += &format!("<div class=\"rest\">{moves} with {nodes} not shown</div>\n");
        }
        *page += "</details>\n";
    }

    /// Returns the line of a node: move, value, fitness, K and nodes.
    fn line(&self, index: usize) -> String {
        let node = &self.tree.nodes[index];
        let best = if node.is_best { " best" } else { "" };
        let name = match node.mv {
            Some(_) => format!("<small>{}</small> {}", node.number(), escaped(&node.san)),
            None => "Root".to_owned(),
        };
        let ended = match node.ended {
            Some(ended) => format!(" <em>{ended}</em>"),
            None => String::new(),
        };
        let [value, fitness, k] = match node.value {
            Some(value) => [
                value.to_string(),
                self.tree.fitness(index).to_string(),
                node.k.to_string(),
            ],
            None => Default::default(),
        };
        let nodes = grouped(node.size);
        format!(
            "<span class=\"move{best}\">{name}{ended}</span><span>{value}</span><span>{fitness}</span>\
             <span>{k}</span><span>{nodes}</span>"
        )
    }

    fn rows_of_branches(&self) -> String {
        let mut rows = String::new();
        for ([number, fitness, k, value, moves], leaf) in
            self.branch_rows().into_iter().zip(&self.branches)
        {
            let link = format!("<a href=\"#n{leaf}\">{}</a>", escaped(&moves));
            rows += &row([number, fitness, k, value, link], ["", "", "", "", "words"]);
        }
        rows
    }

    fn rows_of_efforts(&self) -> String {
        let classes = ["words", "", "", "", "bar"];
        let mut rows = String::new();
        for [san, value, positions, share] in self.effort_rows() {
            let bar = format!("<div style=\"width: {share}%\"></div>");
            rows += &row([escaped(&san), value, positions, share, bar], classes);
        }
        rows
    }

    fn rows_of_stages(&self) -> String {
        let mut classes = [""; 10];
        classes[MOVE] = "words";
        let mut rows = String::new();
        for cells in self.stages(STAGES) {
            rows += &row(cells.map(|cell| escaped(&cell)), classes);
        }
        rows
    }

    /// The kinds of children in the whole search, as a sentence after another.
    fn kinds_in_all(&self) -> String {
        let kinds = kinds(&self.statistics);
        let Some(shares) = shares(&Statistics::default(), &self.statistics) else {
            return String::new();
        };
        let mut all = String::new();
        for (kind, share) in kinds.into_iter().zip(shares) {
            all += &format!(", {} {share:.1} %", kind.to_lowercase());
        }
        format!(" In the whole search: {}.", all.trim_start_matches(", "))
    }

    /// The script's facts on a node, beyond the text of the page.
    fn fact(&self, index: usize) -> Value {
        let node = &self.tree.nodes[index];
        let (name, squares) = match node.mv {
            Some(mv) => {
                let is_numbered = node.white_moved || node.level == 1;
                let number = if is_numbered {
                    node.number() + " "
                } else {
                    String::new()
                };
                let squares = format!("{}{}", mv.get_source(), mv.get_dest());
                (number + &node.san, squares)
            }
            None => ("Root".to_owned(), String::new()),
        };
        json!({
         // Index of the parent, -1 for the root.
         "p": node.parent.map_or(-1, |parent| parent as i64),
         // Move with its number where one is due.
         "m": name,
         // The squares from and to, as `e2e4`.
         "s": squares,
         // FEN after the move.
         "f": node.position.to_fen(),
         // Value, own value, and other facts.
         "t": about(&self.tree, index),
        })
    }
}

/// Returns the text below the board.
fn about(tree: &Excerpt, index: usize) -> String {
    let node = &tree.nodes[index];
    let mut parts = vec![format!("Level {}", node.level)];
    if let Some(value) = node.value {
        parts.push(format!("value {value}"));
    }
    if let Some(own) = node.own {
        parts.push(format!("own value {own}"));
    }
    if node.value.is_some() {
        let fitness = tree.fitness(index);
        parts.push(format!("its branch has fitness {fitness}, K {}", node.k));
    }
    if let Some(origin) = node.origin {
        parts.push(format!("born {}", origin.into_str()));
    }
    match node.ended {
        Some(ended) => parts.push(ended.to_owned()),
        None => parts.push(format!("{} from here on", counted(node.size, "node"))),
    }
    parts.join(" · ")
}

/// Returns a row of a table, with the classes of its cells.
fn row<const CELLS: usize>(cells: [String; CELLS], classes: [&str; CELLS]) -> String {
    let mut row = "<tr>".to_owned();
    for (cell, class) in cells.into_iter().zip(classes) {
        row += &format!("<td class=\"{class}\">{cell}</td>");
    }
    row + "</tr>\n"
}
