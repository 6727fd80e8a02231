use super::*;
use crate::jobs::StopRequest;
use crate::tuning::Stopped;
use crate::tuning::testing::Synthetic;

fn cma(quiz: &Synthetic, fitness: Fitness) -> Cma {
    let start = quiz.table.iter().map(|spec| i32::midpoint(spec.min, spec.max)).collect();
    Cma { fitness, searches: 60_000, start, step: 0.2, seed: 1, free: (0..8).collect() }
}

fn run(cma: &Cma, quiz: &Synthetic, ledger: &mut Ledger) -> anyhow::Result<Found> {
    cma.run(&quiz.table, &quiz.all(), quiz, ledger, &mut |_| {})
}

#[test]
fn known_weights_are_recovered() {
    let quiz = Synthetic::new(8, 60);
    let margin = cma(&quiz, Fitness::Margin);
    let found = run(&margin, &quiz, &mut Ledger::default()).expect("nothing stops it");
    let (before, after) = (quiz.distance(&margin.start), quiz.distance(&found.weights));
    assert!(after < 0.02 && after < before / 5.0, "{before} {after}");
    assert!(found.fitness > found.first && found.curve.is_sorted());
    let by_count = run(&cma(&quiz, Fitness::Solved), &quiz, &mut Ledger::default()).expect("a result");
    assert!(by_count.fitness > by_count.first, "{} {}", by_count.first, by_count.fitness);
}

#[test]
fn only_weights_that_are_free_change_and_the_searches_are_kept_to() {
    let quiz = Synthetic::new(8, 60);
    let some = Cma { free: vec![1, 4], searches: 6_000, ..cma(&quiz, Fitness::Margin) };
    let found = run(&some, &quiz, &mut Ledger::default()).expect("a result");
    let changed: Vec<usize> = (0..8).filter(|&weight| found.weights[weight] != some.start[weight]).collect();
    assert_eq!(changed, [1, 4]);
    // 120 searches each; the last generation is finished.
    assert!((50..=60).contains(&found.curve.len()), "{}", found.curve.len());
}

#[test]
fn a_run_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let settings = serde_json::json!({ "seed": 1 });
    let mut stops = 0;
    let found = loop {
        let stop = StopRequest::default();
        let mut quiz = Synthetic::new(8, 60);
        quiz.stop_after = Some((5_000, stop.clone()));
        let (mut ledger, _) = Ledger::open(Some(&path), &settings, &stop).expect("a journal");
        match run(&Cma { searches: 24_000, ..cma(&quiz, Fitness::Solved) }, &quiz, &mut ledger) {
            Ok(found) => break found,
            Err(error) => assert!(error.is::<Stopped>(), "{error}"),
        }
        stops += 1;
    };
    let quiz = Synthetic::new(8, 60);
    let whole = run(&Cma { searches: 24_000, ..cma(&quiz, Fitness::Solved) }, &quiz, &mut Ledger::default());
    assert_eq!(found, whole.expect("nothing stops it"));
    assert!(stops > 2, "{stops}");
}
