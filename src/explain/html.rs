//! An explanation as one web page that needs nothing else: style, script, pieces and plots are in it.

use std::fmt::Write as _;

use chess::Color;
use serde::Serialize;

use super::development::{Children, Stage, thinned};
use super::words::{counted, grouped, limit, moves, summary};
use super::{Excerpt, Explanation};
use crate::display::{LineChart, Point, Series, Spread};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The six pieces as symbols `p`, `n`, `b`, `r`, `q`, `k`.
const PIECES: &str = include_str!("pieces.svg");
/// Rows of the table of the development.
const STAGES: usize = 16;
/// The column of [`Stage::cells`] that is a word.
const MOVE: usize = 8;
/// The best branch is open at first, down to this level.
const OPEN_LEVELS: usize = 3;

/// What the script knows of a node beyond what is written on the page.
#[derive(Serialize)]
struct Fact {
    /// Index of the parent, -1 for the root.
    p: i64,
    /// Move with its number where one is due.
    m: String,
    /// From and to, as `e2e4`.
    s: String,
    /// FEN after it.
    f: String,
    /// Value, own value, and what else there is to say.
    t: String,
}

impl Explanation {
    /// A page of at most some hundreds of kilobytes, to be opened from disk or put on any server.
    pub fn to_html(&self) -> String {
        let fen = self.root.to_fen();
        let title = format!("Kashan: a search of {fen}");
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n{PIECES}",
            escaped(&title)
        );
        self.head(&mut page, &fen);
        self.tree_section(&mut page);
        self.branch_section(&mut page);
        self.development_section(&mut page);
        let facts: Vec<Fact> = (0..self.tree.nodes.len()).map(|place| self.fact(place)).collect();
        // Numbers and plain strings always serialise. A "<" must not end the script.
        let data = serde_json::to_string(&facts)
            .unwrap_or_default()
            .replace('<', "\\u003c");
        let flipped = self.root.side_to_move() == Color::Black;
        let _ = write!(
            page,
            "</main>\n<script>\nconst NODES = {data};\nconst FLIPPED = {flipped};\n{SCRIPT}</script>\n</body>\n</html>\n"
        );
        page
    }

    fn head(&self, page: &mut String, fen: &str) {
        let best = self.best.as_deref().unwrap_or("no move");
        let side = match self.root.side_to_move() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let _ = write!(
            page,
            "<main>\n<header>\n<h1>{side} plays {} <span class=\"value\">{}</span></h1>\n<p class=\"fen\">{}</p>\n",
            escaped(best),
            self.value,
            escaped(fen)
        );
        for sentence in summary(self).iter().skip(1) {
            let _ = writeln!(page, "<p>{}</p>", escaped(sentence));
        }
        let _ = writeln!(
            page,
            "<p class=\"quiet\">Kashan's genetic search, {}; {}. Every value is from White's point of view, in pawns; # is a mate.</p>\n</header>",
            escaped(&limit(self.limit)),
            escaped(&self.settings_in_words())
        );
    }

    fn tree_section(&self, page: &mut String) {
        let _ = write!(
            page,
            "<section class=\"columns\">\n<div>\n<h2>The reservation tree</h2>\n\
             <p>Open a move to see what was tried after it. Bold moves give the move before them its value. A value that stops climbing at \
             level K has fitness H &minus; K + 1; the best branch has K&nbsp;=&nbsp;0.</p>\n\
             <p class=\"buttons\"><button id=\"best\">Open the best branch</button> <button id=\"close\">Close all</button></p>\n\
             <div class=\"line title\"><span class=\"move\">Move</span><span>Value</span><span>Fitness</span><span>K</span><span>Nodes</span></div>\n\
             <div id=\"tree\">\n"
        );
        tree(&self.tree, 0, page);
        let _ = write!(
            page,
            "</div>\n</div>\n<aside>\n<svg id=\"board\" class=\"board\" viewBox=\"-14 -2 344 338\" role=\"img\" aria-label=\"board\"></svg>\n\
             <p id=\"path\"></p>\n<p id=\"about\"></p>\n<p id=\"fen\" class=\"fen\">{}</p>\n</aside>\n</section>\n",
            escaped(&self.root.to_fen())
        );
    }

    fn branch_section(&self, page: &mut String) {
        page.push_str(
            "<section>\n<h2>The fittest branches</h2>\n<div class=\"wide\"><table>\n\
             <tr><th>#</th><th>Fitness</th><th>K</th><th>Value</th><th class=\"words\">Moves</th></tr>\n",
        );
        for (index, branch) in self.branches.iter().enumerate() {
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"words\"><a href=\"#n{}\">{}</a></td></tr>",
                index + 1,
                branch.fitness,
                branch.k,
                branch.value,
                branch.leaf,
                escaped(&moves(&self.tree, branch.leaf))
            );
        }
        page.push_str("</table></div>\n</section>\n");
    }

    fn development_section(&self, page: &mut String) {
        page.push_str("<section>\n<h2>How the population developed</h2>\n<div class=\"plots\">\n");
        for chart in [shares_chart(&self.stages), value_chart(&self.stages)] {
            // Inside a page the name space goes without saying, and nothing in the page then looks like a reference.
            let svg = chart
                .to_svg()
                .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
            let _ = writeln!(page, "<figure>{svg}</figure>");
        }
        page.push_str(
            "</div>\n<div class=\"wide\"><table>\n<tr><th>Generation</th><th>Positions</th><th>Branches</th><th>New %</th><th>Duplicate %</th>\
             <th>Illegal %</th><th>H</th><th>P</th><th class=\"words\">Move</th><th>Value</th></tr>\n",
        );
        for stage in thinned(&self.stages, STAGES) {
            page.push_str("<tr>");
            for (column, cell) in stage.cells().iter().enumerate() {
                let class = if column == MOVE { " class=\"words\"" } else { "" };
                let _ = write!(page, "<td{class}>{}</td>", escaped(cell));
            }
            page.push_str("</tr>\n");
        }
        let in_all = Children::of(&self.statistics).shares().map_or(String::new(), |[new, duplicate, illegal]| {
            format!(" In the whole search {new:.1} % were new, {duplicate:.1} % duplicate, {illegal:.1} % illegal or too long.")
        });
        let _ = write!(
            page,
            "</table></div>\n<p class=\"quiet\">Percent of the children since the line before.{in_all} H is the height of the tree, P the number of \
             branches that breed; P doubles when hardly any child is new.</p>\n</section>\n"
        );
    }

    fn fact(&self, place: usize) -> Fact {
        let node = &self.tree.nodes[place];
        let number = match node.mv {
            Some(_) if node.white_moved || node.level == 1 => format!("{} ", node.number()),
            _ => String::new(),
        };
        Fact {
            p: node.parent.map_or(-1, |parent| parent as i64),
            m: match node.mv {
                Some(_) => format!("{number}{}", node.san),
                None => "Root".to_owned(),
            },
            s: node.mv.map_or(String::new(), |mv| {
                format!("{}{}", mv.get_source(), mv.get_dest())
            }),
            f: node.position.to_fen(),
            t: about(&self.tree, place),
        }
    }
}

/// What is said below the board.
fn about(tree: &Excerpt, place: usize) -> String {
    let node = &tree.nodes[place];
    let mut parts = vec![format!("Level {}", node.level)];
    if let Some(value) = node.value {
        parts.push(format!("value {value}"));
    }
    if let Some(own) = node.own {
        parts.push(format!("own value {own}"));
    }
    if node.value.is_some() {
        parts.push(format!(
            "its branch has fitness {}, K {}",
            tree.fitness(place),
            node.k
        ));
    }
    match node.ended {
        Some(ended) => parts.push(ended.to_owned()),
        None => parts.push(format!("{} from here on", counted(node.size, "node"))),
    }
    parts.join(" · ")
}

/// A node and all below it: something to open if there is anything below.
fn tree(excerpt: &Excerpt, place: usize, page: &mut String) {
    let node = &excerpt.nodes[place];
    let line = line(excerpt, place);
    if node.children.is_empty() && node.hidden_children == 0 {
        let _ = writeln!(
            page,
            "<div id=\"n{place}\" class=\"leaf\" tabindex=\"0\">{line}</div>"
        );
        return;
    }
    let open = if node.k == 0 && node.level < OPEN_LEVELS {
        " open"
    } else {
        ""
    };
    let _ = writeln!(page, "<details id=\"n{place}\"{open}><summary>{line}</summary>");
    for &child in &node.children {
        tree(excerpt, child, page);
    }
    if node.hidden_children > 0 {
        let _ = writeln!(
            page,
            "<div class=\"rest\">{} with {} not shown</div>",
            counted(node.hidden_children, "more move"),
            counted(node.hidden_nodes, "node")
        );
    }
    page.push_str("</details>\n");
}

fn line(excerpt: &Excerpt, place: usize) -> String {
    let node = &excerpt.nodes[place];
    let name = match node.mv {
        None => "Root".to_owned(),
        Some(_) => format!("<small>{}</small> {}", node.number(), escaped(&node.san)),
    };
    let class = if node.is_best { "move best" } else { "move" };
    let value = node.value.map_or(String::new(), |value| value.to_string());
    let (fitness, k) = match node.value {
        Some(_) => (excerpt.fitness(place).to_string(), node.k.to_string()),
        None => Default::default(),
    };
    let ended = node
        .ended
        .map_or(String::new(), |ended| format!(" <em>{ended}</em>"));
    format!(
        "<span class=\"{class}\">{name}{ended}</span><span>{value}</span><span>{fitness}</span><span>{k}</span><span>{}</span>",
        grouped(node.size)
    )
}

fn shares_chart(stages: &[Stage]) -> LineChart {
    let series = |name: &str, index: usize| Series {
        name: name.to_owned(),
        points: stages
            .iter()
            .filter_map(|stage| Some(point(stage, stage.children.shares()?[index])))
            .collect(),
        spread: Spread::None,
    };
    LineChart {
        title: "What became of the children".to_owned(),
        x_title: "thousand positions visited".to_owned(),
        y_title: "percent".to_owned(),
        reference: None,
        series: vec![series("new", 0), series("duplicate", 1), series("illegal", 2)],
    }
}

/// Mates are left out: they lie beyond every scale.
fn value_chart(stages: &[Stage]) -> LineChart {
    let values = stages.iter().filter(|stage| !stage.value.is_mate());
    LineChart {
        title: "Value of the best branch".to_owned(),
        x_title: "thousand positions visited".to_owned(),
        y_title: "pawns, White's view".to_owned(),
        reference: None,
        series: vec![Series {
            name: "value".to_owned(),
            points: values
                .map(|stage| point(stage, f64::from(stage.value.0) / 100.0))
                .collect(),
            spread: Spread::None,
        }],
    }
}

fn point(stage: &Stage, y: f64) -> Point {
    Point {
        x: stage.nodes as f64 / 1000.0,
        y,
        low: y,
        high: y,
    }
}

/// Text that means nothing else in HTML, quoted attributes included.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
