//! An explanation as one web page that needs nothing else: style, script, pieces and plots are in it.

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
