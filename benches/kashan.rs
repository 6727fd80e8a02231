//! Speed of the parts and of the searches: `cargo bench`.
//!
//! Look-ups are timed in the library that Kashan carries, or in that of the variable
//! `KASHAN_LIBRARY`.

use std::hint::black_box;
use std::path::Path;

use chess::{Board, BoardStatus, ChessMove, Color};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kashan::engine::library::{Action, Filter, Library, Similarity};
use kashan::engine::{Backend, Settings, backend};
use kashan::eval::interpretations::PowerChain;
use kashan::eval::winglet::Winglet;
use kashan::eval::{Evaluation, Evaluator, Power, Threats, WeightSet};
use kashan::rules::position::{Line, Position, legal_moves};
use kashan::rules::score::Score;
use kashan::search::genetic::params::InnerValue;
use kashan::search::genetic::selection::fittest;
use kashan::search::genetic::tree::{NodeId, ReservationTree};
use kashan::search::{Clock, Limits};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use strum::VariantArray as _;

const MIDDLEGAME: &str = "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPPQ2PP/R4RK1 w - - 0 12";

fn middlegame() -> Position {
    Position::from_fen(MIDDLEGAME).expect("the middlegame is legal")
}

/// Positions of random games.
fn positions(count: usize) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut positions = Vec::with_capacity(count);
    let mut position = Position::default();
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmove_clock() > 90 {
            position = Position::default();
            continue;
        }
        let mv = moves[random.random_range(0..moves.len())];
        position.play(mv).expect("generated moves are legal");
        if position.board().status() == BoardStatus::Ongoing {
            positions.push(position.clone());
        }
    }
    positions
}

fn position(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("position");
    let root = middlegame();
    group.throughput(Throughput::Elements(root.perft(3)));
    group.bench_function("perft 3", |bencher| {
        bencher.iter(|| black_box(&root).perft(3))
    });
    let positions = positions(1000);
    group.throughput(Throughput::Elements(1000));
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .map(|position| legal_moves(position.board()).len())
                .sum::<usize>()
        });
    });
    let mv = legal_moves(root.board())[0];
    group.throughput(Throughput::Elements(1));
    group.bench_function("make and unmake", |bencher| {
        let mut line = Line::new(&root);
        bencher.iter(|| {
            line.make(black_box(mv));
            line.unmake();
        });
    });
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    let positions = positions(1000);
    group.throughput(Throughput::Elements(1000));
    let mut measure = |name: &str, evaluation: &dyn Fn(&Board) -> Score| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                positions
                    .iter()
                    .map(|position| evaluation(position.board()).0)
                    .sum::<i32>()
            });
        });
    };
    let winglet = Winglet::default();
    measure("winglet", &|board| winglet.evaluate(board));
    let threats = Threats::default();
    measure("threats", &|board| threats.evaluate(board));
    for &chain in PowerChain::VARIANTS {
        let power = Power::new(WeightSet::of(Evaluation::Power).row(), chain);
        measure(&format!("power, {}", chain.into_str()), &|board| {
            power.evaluate(board)
        });
    }
    group.finish();
}

/// A tree of `branches` random branches of six moves out of 30, and the path of the last.
fn grow(tree: &mut ReservationTree, branches: usize) -> Vec<NodeId> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut path = Vec::new();
    for _ in 0..branches {
        path.clear();
        path.push(tree.root());
        for level in 1..=6 {
            let square = |number: usize| chess::ALL_SQUARES[number];
            let gene = ChessMove::new(square(0), square(random.random_range(1..31)), None);
            let parent = path[level - 1];
            let node = tree
                .child(parent, gene)
                .unwrap_or_else(|| tree.insert(parent, level, gene));
            path.push(node);
        }
        tree.set_own(path[6], 6, Score(random.random_range(-300..300)), false);
        tree.back_up(&path);
    }
    path
}

fn tree(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reservation tree");
    let mut full = ReservationTree::with_capacity(1_000_000);
    full.clear(true, InnerValue::Changed);
    let path = grow(&mut full, 100_000);
    group.throughput(Throughput::Elements(10_000));
    group.bench_function("insert 10,000 branches", |bencher| {
        let mut tree = ReservationTree::with_capacity(100_000);
        bencher.iter(|| {
            tree.clear(true, InnerValue::Changed);
            grow(&mut tree, 10_000)
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("back up a value that changes", |bencher| {
        let mut value = 0;
        bencher.iter(|| {
            value = (value + 37) % 600;
            full.set_own(path[6], 6, Score(value - 300), false);
            full.back_up(&path);
        });
    });
    group.bench_function("select the 64 fittest", |bencher| {
        let mut parents = Vec::new();
        bencher.iter(|| fittest(&full, 64, &mut parents));
    });
    group.bench_function("cull", |bencher| {
        let mut small = ReservationTree::with_capacity(130_000);
        small.clear(true, InnerValue::Changed);
        grow(&mut small, 25_000);
        bencher.iter_batched_ref(
            || small.clone(),
            |tree| tree.cull(|| true),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

/// A Breyer variation of the Ruy Lopez: each move, and the position after it.
fn breyer() -> Vec<(Action, Position)> {
    const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 \
         Ng3 g6 a4 c5 d5 c4 Bg5 h6 Be3 Nc5 Qd2 Kh7";
    let mut position = Position::default();
    let play = |text: &str| {
        let mv = position.parse_move(text).expect("the line is legal");
        let action = Action::of(position.board(), mv);
        position.play(mv).expect("it was read from here");
        (action, position.clone())
    };
    MOVES.split_whitespace().map(play).collect()
}

fn library(criterion: &mut Criterion) {
    let name = std::env::var("KASHAN_LIBRARY").unwrap_or_else(|_| Library::BUILT_IN.to_owned());
    let library =
        Library::open(Path::new(&name)).unwrap_or_else(|error| panic!("KASHAN_LIBRARY: {error}"));
    let line = breyer();
    let mut group = criterion.benchmark_group("library");
    group.bench_function("open", |bencher| {
        bencher.iter(|| Library::open(Path::new(&name)))
    });
    let cases: u64 = line
        .iter()
        .map(|(action, _)| library.case_count(*action) as u64)
        .sum();
    group.throughput(Throughput::Elements(cases));
    for similarity in [Similarity::Placement, Similarity::Tokens] {
        let filter = Filter {
            similarity,
            degree: 40,
        };
        group.bench_function(format!("cases by {}", similarity.into_str()), |bencher| {
            bencher.iter(|| {
                let found = line.iter().map(|(action, position)| {
                    library.similar(position.board(), *action, &filter).len()
                });
                found.sum::<usize>()
            });
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    let root = middlegame();
    assert_eq!(root.side_to_move(), Color::White);
    let limits = Limits::of_nodes(200_000);
    for &backend in Backend::VARIANTS {
        let mut settings = Settings::default();
        settings
            .set("Backend", backend.into_str())
            .expect("every backend is a choice");
        settings
            .set("Evaluation", "paper")
            .expect("every evaluation is a choice");
        settings
            .set("MinMaxDepth", "20")
            .expect("in range: the node limit is to end it");
        let mut searcher = backend::build(&settings);
        group.throughput(Throughput::Elements(200_000));
        group.bench_function(backend.into_str(), |bencher| {
            bencher.iter(|| {
                searcher.new_game();
                searcher.search(&root, &limits, &Clock::unlimited(), &mut ())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, position, evaluation, tree, library, search);
criterion_main!(benches);
