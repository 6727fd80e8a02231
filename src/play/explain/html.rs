//! An explanation as one web page that needs nothing else (style, script, pieces and plots are in it), and as
//! a graph in the language of Graphviz.

use std::fmt::Write as _;

use askama::Template;
use chess::Color;
use serde::Serialize;

use super::Explanation;
use super::excerpt::{Excerpt, Node};
use super::text::{counted, kinds, limit, shares, summary};
use crate::search::genetic::Statistics;
use crate::search::genetic::history::Snapshot;
use crate::util::display::{LineChart, Point, Series, Spread};

/// Colours, and the look of the board. They and the board itself are the same wherever a board is on a page.
pub const BOARD_STYLE: &str = include_str!("board.css");
/// The function that draws it.
pub const BOARD_SCRIPT: &str = include_str!("board.js");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The six pieces as symbols `p`, `n`, `b`, `r`, `q`, `k`.
pub const PIECES: &str = include_str!("pieces.svg");
/// Rows of the table of the development.
const STAGES: usize = 16;
/// The column of [`Explanation::stages`] that is a word.
const MOVE: usize = 8;
/// The best branch is open at first, down to this level.
const OPEN_LEVELS: usize = 3;

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    explanation: &'a Explanation,
    fen: String,
    side: &'static str,
    summary: Vec<String>,
    limit: String,
    settings: String,
    tree: Subtree<'a>,
    plots: [String; 2],
    stages: Vec<[String; 10]>,
    /// What the columns of children are called.
    kinds: [&'static str; 3],
    /// How many children of each kind there were in all, as a sentence after another.
    in_all: String,
    /// [`Fact`]s of all nodes, as JSON.
    data: String,
    flipped: bool,
}

/// A node and all below it: something to open if there is anything below.
#[derive(Template)]
#[template(path = "node.html")]
struct Subtree<'a> {
    excerpt: &'a Excerpt,
    node: &'a Node,
    place: usize,
}

impl<'a> Subtree<'a> {
    fn of(excerpt: &'a Excerpt, place: usize) -> Self {
        let node = &excerpt.nodes[place];
        Subtree { excerpt, node, place }
    }

    fn children(&self) -> impl Iterator<Item = Subtree<'a>> {
        let excerpt = self.excerpt;
        let children = self.node.children.iter();
        children.map(move |&child| Subtree::of(excerpt, child))
    }
}

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
        let facts: Vec<Fact> = (0..self.tree.nodes.len()).map(|place| self.fact(place)).collect();
        // Numbers and plain strings always serialise. A "<" must not end the script.
        let data = serde_json::to_string(&facts).unwrap_or_default().replace('<', "\\u003c");
        let kinds = kinds(&self.statistics);
        let in_all = shares(&Statistics::default(), &self.statistics).map_or(String::new(), |shares| {
            let all = [0, 1, 2].map(|kind| format!("{} {:.1} %", kinds[kind].to_lowercase(), shares[kind]));
            format!(" In the whole search: {}.", all.join(", "))
        });
        // Inside a page the name space goes without saying, and nothing in the page then looks like a
        // reference.
        let plots = [shares_chart(&self.snapshots), value_chart(&self.snapshots)]
            .map(|chart| chart.to_svg().replace(" xmlns=\"http://www.w3.org/2000/svg\"", ""));
        let black = self.root.side_to_move() == Color::Black;
        let page = Page {
            explanation: self,
            fen: self.root.to_fen(),
            side: if black { "Black" } else { "White" },
            summary: summary(self).split_off(1),
            limit: limit(self.limit),
            settings: self.settings_in_words(),
            tree: Subtree::of(&self.tree, 0),
            plots,
            stages: self.stages(STAGES),
            kinds,
            in_all,
            data,
            flipped: black,
        };
        page.render().expect("writing to a string cannot fail")
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
            s: node.mv.map_or(String::new(), |mv| format!("{}{}", mv.get_source(), mv.get_dest())),
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
        parts.push(format!("its branch has fitness {}, K {}", tree.fitness(place), node.k));
    }
    parts.extend(node.origin.map(|origin| format!("born {origin}")));
    match node.ended {
        Some(ended) => parts.push(ended.to_owned()),
        None => parts.push(format!("{} from here on", counted(node.size, "node"))),
    }
    parts.join(" · ")
}

fn shares_chart(snapshots: &[Snapshot]) -> LineChart {
    let series = |name: &str, index: usize| {
        let points = snapshots.windows(2).filter_map(|pair| {
            let shares = shares(&pair[0].statistics, &pair[1].statistics)?;
            Some(point(&pair[1], shares[index]))
        });
        Series::new(name, Spread::None, points)
    };
    let titles = ["The children", "thousand positions visited", "percent"];
    let kinds = snapshots.last().map(|last| kinds(&last.statistics)).unwrap_or_default();
    LineChart::new(titles, [0, 1, 2].map(|kind| series(&kinds[kind].to_lowercase(), kind)).into())
}

/// Mates are left out: they lie beyond every scale.
fn value_chart(snapshots: &[Snapshot]) -> LineChart {
    let values = snapshots.iter().filter(|snapshot| !snapshot.value.is_mate());
    let points = values.map(|snapshot| point(snapshot, f64::from(snapshot.value.0) / 100.0));
    let titles = ["Value of the best branch", "thousand positions visited", "pawns, White's view"];
    LineChart::new(titles, vec![Series::new("value", Spread::None, points)])
}

fn point(snapshot: &Snapshot, y: f64) -> Point {
    Point::exact(snapshot.nodes as f64 / 1000.0, y)
}

impl Explanation {
    /// The fittest branches and all moves of the root, for `dot -Tsvg`. Best moves are bold; a branch's end
    /// is the greener, the fitter it is.
    pub fn to_dot(&self) -> String {
        let tree = &self.tree;
        let title =
            format!("{}\n{}, H = {}; values are White's", self.root.to_fen(), limit(self.limit), tree.height);
        let mut text = format!(
            "digraph kashan {{\n  rankdir=LR; ranksep=0.4; nodesep=0.12; labelloc=t; fontname=\"Helvetica\"; label={};\n  \
             node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#999999\", fontname=\"Helvetica\", fontsize=11];\n  \
             edge [color=\"#999999\", arrowhead=none];\n",
            quoted(&title)
        );
        let drawn = |place: usize| tree.nodes[place].is_fit || tree.nodes[place].level <= 1;
        for (place, node) in tree.nodes.iter().enumerate().filter(|&(place, _)| drawn(place)) {
            let shown: Vec<usize> = node.children.iter().copied().filter(|&child| drawn(child)).collect();
            let label = quoted(&label(tree, place, shown.len() as u64));
            let _ = writeln!(text, "  n{place} [label={label}{}];", colour(node));
            for &child in &shown {
                let weight = match tree.nodes[child].is_best {
                    true => " [penwidth=3, color=\"#333333\", weight=8]",
                    false => "",
                };
                let _ = writeln!(text, "  n{place} -> n{child}{weight};");
            }
        }
        text.push_str("}\n");
        text
    }
}

/// Move and value, fitness, and how much is not drawn. `drawn` children are.
fn label(tree: &Excerpt, place: usize, drawn: u64) -> String {
    let node = &tree.nodes[place];
    let value = node.value.map_or(String::new(), |value| value.to_string());
    let name = match node.mv {
        None => "root".to_owned(),
        Some(_) => format!("{} {}", node.number(), node.san),
    };
    let mut label = format!("{name}  {value}");
    if node.value.is_some() {
        let _ = write!(label, "\nfitness {}, K {}", tree.fitness(place), node.k);
    }
    let rest = node.children.len() as u64 + node.hidden_children - drawn;
    if let Some(ended) = node.ended {
        let _ = write!(label, "\n{ended}");
    } else if rest > 0 {
        let other = if drawn > 0 { "other move" } else { "move" };
        let _ = write!(label, "\n+ {}", counted(rest, other));
    }
    label
}

/// Ends of branches from green (K = 0) to nearly white.
fn colour(node: &Node) -> String {
    if !node.is_end {
        return String::new();
    }
    // Weaker by a third with every level, so that the first few are told apart in trees of any height.
    let strength = 0.6 * 0.67f64.powi(node.k.min(100) as i32);
    format!(", fillcolor=\"0.38 {strength:.3} 0.93\"")
}

/// A string in quotation marks.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
