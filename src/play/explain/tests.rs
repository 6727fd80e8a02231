//! Explanations show the tree's content: legal, complete, and the same every time.

use std::collections::{HashMap, HashSet};

use super::*;

/// A quiet opening, Black to move in a middlegame, promotions on both sides, a mate, a single legal
/// move.
const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8",
    "8/1P4k1/8/8/8/8/1p4K1/8 b - - 0 60",
    "6k1/5ppp/8/8/8/8/r4PPP/1R1R2K1 w - - 4 30",
    "7k/8/8/8/8/1r6/r7/K7 w - - 0 50",
];

fn explained(fen: &str, nodes: u64) -> Explanation {
    explained_by("strong", fen, nodes)
}

fn explained_by(preset: &str, fen: &str, nodes: u64) -> Explanation {
    let task = task(fen, &[("Preset", preset)], nodes);
    explain(&task, &Clock::unlimited()).expect(fen)
}

fn task(fen: &str, options: &[(&str, &str)], nodes: u64) -> ExplainTask {
    let settings = Settings::with(options.iter().copied()).expect("values that fit");
    let root = Position::from_fen(fen).expect(fen);
    ExplainTask {
        root,
        settings,
        limit: Limit::Nodes(nodes),
        branches: USUAL_BRANCHES,
    }
}

/// Text and page have a bar for every move of the root, and together the bars are nearly all
/// positions.
#[test]
fn every_root_move_has_a_bar_and_together_they_are_the_effort() {
    for (fen, preset) in POSITIONS
        .iter()
        .flat_map(|fen| ["strong", "paper"].map(|preset| (fen, preset)))
    {
        let explanation = explained_by(preset, fen, 20_000);
        let legal = explanation.root.legal_moves().len();
        let efforts = &explanation.efforts;
        assert_eq!(efforts.len(), legal, "{fen}");
        let positions: u64 = efforts.iter().map(|effort| effort.positions).sum();
        let rest = explanation.nodes - positions;
        assert!(
            rest * 50 <= explanation.nodes + 200,
            "{fen}, {preset}: {rest} of {}",
            explanation.nodes
        );
        assert_eq!(Some(&efforts[0].san), explanation.best.as_ref());
        assert_eq!(efforts[0].positions, explanation.statistics.best_nodes);
        assert_eq!(
            explanation.to_html().matches("<td class=\"bar\">").count(),
            legal
        );
        let text = explanation.to_text();
        let table = text
            .split("Effort")
            .nth(1)
            .and_then(|rest| rest.split("The tree").next())
            .unwrap();
        for effort in efforts {
            let percent = text::percent(&explanation, effort.positions);
            let row = table
                .lines()
                .find(|line| line.split_whitespace().next() == Some(&effort.san))
                .unwrap();
            assert!(row.contains(&format!("{percent:.1}")), "{row}");
            assert_eq!(
                row.matches('█').count(),
                (percent / 2.0).round() as usize,
                "{row}"
            );
        }
    }
}

/// The excerpt accounts for every node and every value; its branches come by fitness, and the first
/// of them is played.
#[test]
fn an_excerpt_is_whole_and_in_order() {
    for fen in POSITIONS {
        let explanation = explained(fen, 30_000);
        let tree = &explanation.tree;
        let branches = &explanation.branches;
        assert!(
            branches
                .windows(2)
                .all(|pair| tree.fitness(pair[0]) >= tree.fitness(pair[1])),
            "{fen}"
        );
        let best = &tree.nodes[branches[0]];
        assert_eq!((best.k, best.value), (0, tree.nodes[0].value), "{fen}");
        let mut first = best;
        while first.level > 1 {
            first = &tree.nodes[first.parent.expect("below the root")];
        }
        assert_eq!(Some(&first.san), explanation.best.as_ref());
        let leaves: HashSet<&usize> = branches.iter().collect();
        assert_eq!(leaves.len(), branches.len(), "no branch twice");
        let nodes = &tree.nodes;
        assert_eq!(nodes[0].size, explanation.statistics.tree_nodes, "{fen}");
        for (index, node) in nodes.iter().enumerate() {
            let below: u64 = node.children.iter().map(|&child| nodes[child].size).sum();
            assert_eq!(
                node.size,
                1 + below + node.hidden_nodes,
                "{fen}: {}",
                node.san
            );
            for (rank, &child) in node.children.iter().enumerate() {
                let child = &nodes[child];
                assert_eq!(child.parent, Some(index));
                let mut after = node.position.clone();
                after
                    .play(after.parse_move(&child.san).expect("legal"))
                    .expect("legal");
                assert_eq!(child.position.to_fen(), after.to_fen());
                if child.is_best {
                    assert_eq!((rank, child.k), (0, node.k), "{fen}");
                    // What died has no value, whatever stands below it.
                    assert!(
                        node.value.is_none() || child.value == node.value,
                        "{fen}: {}",
                        node.san
                    );
                } else {
                    assert_eq!(child.k, child.level, "its value stops here");
                }
            }
            // What died has no value.
            if node.is_end && node.value.is_some() {
                assert_eq!(node.value, node.own);
            }
        }
    }
}

#[test]
fn mates_and_values_are_told_from_whites_side() {
    let mate = explained("6k1/5ppp/8/8/8/8/r4PPP/1R1R2K1 w - - 4 30", 20_000);
    assert!(
        mate.value.is_mate() && mate.value > Score::DRAW,
        "{:?}",
        mate.value
    );
    let text = mate.to_text();
    assert!(text.contains("#1") && text.contains("checkmate"), "{text}");
    // Black, to move, is a queen up.
    let black = explained("3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", 5_000);
    assert!(black.value < Score(-500), "{:?}", black.value);
    assert!(
        black
            .snapshots
            .iter()
            .all(|stage| stage.value < Score(-500))
    );
    assert!(black.tree.nodes[black.branches[0]].value < Some(Score(-500)));
}

#[test]
fn pages_are_whole_also_of_a_search_that_was_cut_short() {
    for (nodes, fen) in [1, 2, 10, 50, 200, 20_000]
        .into_iter()
        .flat_map(|n| POSITIONS.map(|fen| (n, fen)))
    {
        let explanation = explained(fen, nodes);
        let best = explanation.best.clone().expect("a move");
        let text = explanation.to_text();
        assert!(text.contains(&format!("The move is {best}")), "{text}");
        let reason = format!("Why {best}? Kashan expects ");
        assert!(nodes < 200 || text.contains(&reason), "{text}");
        check_html(&explanation);
    }
}

#[test]
fn options_that_matter_are_named() {
    let mut task = task(
        POSITIONS[0],
        &[("Levels", "1"), ("Seed", "0"), ("MinMaxDepth", "2")],
        2_000,
    );
    task.branches = 3;
    let explain = |task: &ExplainTask| explain(task, &Clock::unlimited()).unwrap();
    let explanation = explain(&task);
    let names: Vec<&str> = explanation.settings.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["Seed", "Evaluation", "Levels"]);
    assert_eq!(explanation.branches.len(), 3);
    let seed = &explanation.settings[0].1;
    assert_ne!(seed, "0", "the seed that was taken");
    task.settings.set("Seed", seed).unwrap();
    assert_eq!(explain(&task).to_text(), explanation.to_text());
}

#[test]
fn a_stopped_search_is_explained_as_far_as_it_came() {
    for preset in ["strong", "paper"] {
        let task = task(POSITIONS[0], &[("Preset", preset)], u64::MAX);
        let clock = Clock::unlimited();
        clock.stop();
        let explanation = explain(&task, &clock).expect("an explanation");
        assert_eq!(explanation.efforts.len(), 20, "{preset}");
        assert!(explanation.to_text().contains("The move is "), "{preset}");
        assert!(explanation.to_html().contains("</html>"), "{preset}");
    }
}

#[test]
fn memory_is_what_the_search_can_fill() {
    let mut settings = Settings::default();
    assert_eq!(
        megabytes(&settings, Limit::Nodes(1)),
        64,
        "the table of leaf searches is that of play"
    );
    settings.set("Preset", "paper").unwrap();
    let limits = [
        Limit::Nodes(1),
        Limit::Nodes(u64::MAX),
        Limit::Time(Duration::from_secs(1)),
    ];
    assert_eq!(limits.map(|limit| megabytes(&settings, limit)), [1, 64, 64]);
    let needed = megabytes(&settings, Limit::Nodes(200_000));
    assert!(ReservationTree::capacity_of(needed) > 200_000 && needed < 6);
}

/// Tags close, ids are unique, links lead to ids, and nothing comes from outside.
fn check_html(explanation: &Explanation) {
    let page = explanation.to_html();
    assert!(page.len() < 700_000, "{} bytes", page.len());
    for outside in [
        "http", "src=", "url(", "@import", "<link", "fetch(", "import(",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    let script = page.find("<script>").expect("a script");
    let (body, script) = page.split_at(script);
    assert_eq!(
        script.matches("</script>").count(),
        1,
        "data do not end the script"
    );
    let mut open = Vec::new();
    let mut ids = HashSet::new();
    let mut links = Vec::new();
    for tag in body.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag
            .split(|c: char| c.is_whitespace() || c == '/')
            .find(|word| !word.is_empty())
            .unwrap_or("");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{explanation:?}");
        } else if !tag.ends_with('/') && !matches!(name, "!DOCTYPE" | "meta") {
            open.push(name);
        }
        for (attribute, value) in attributes(tag) {
            match attribute {
                "id" => assert!(ids.insert(value), "{value} twice"),
                "href" => links.push(value.strip_prefix('#').expect("a link inside the page")),
                _ => {}
            }
        }
    }
    assert_eq!(open, ["html", "body"], "the rest closes after the script");
    assert!(links.iter().all(|link| ids.contains(link)), "{links:?}");
    assert_eq!(links.len(), explanation.branches.len());
    let nodes = explanation.tree.nodes.len();
    assert!((0..nodes).all(|index| ids.contains(format!("n{index}").as_str())));
    let (_, data) = script.split_once("const NODES = ").expect("data");
    let (data, _) = data.split_once(";\n").expect("data end");
    let data: Vec<HashMap<String, serde_json::Value>> = serde_json::from_str(data).expect("JSON");
    assert_eq!(data.len(), nodes);
}

/// `name="value"` pairs of a tag.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut parts = tag.split('"');
    std::iter::from_fn(move || {
        let name = parts.next()?.trim().trim_end_matches('=');
        let value = parts.next()?;
        Some((
            name.rsplit(char::is_whitespace).next().unwrap_or(name),
            value,
        ))
    })
}
