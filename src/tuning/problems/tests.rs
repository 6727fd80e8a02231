use super::*;
use crate::evaluation::WeightSet;
use crate::suite::ProblemList;

fn collection(text: &str) -> ProblemList {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my.epd");
    std::fs::write(&path, text).expect("written");
    ProblemList::read(&[path]).expect("a file")
}

fn problems(text: &str) -> Problems {
    let collection = collection(text);
    assert!(collection.left_out.is_empty(), "{:?}", collection.left_out);
    Problems::new(&collection.problems, Evaluation::Factors, 4).expect("positions")
}

const CHOICE: Choice = Choice { count: 96, held_out: 0.2, split: 1, seed: 1 };

fn defaults() -> Vec<i32> {
    WeightSet::of(Evaluation::Factors).row().to_vec()
}

#[test]
fn problems_are_solved_by_the_move_or_by_the_mate() {
    // A rook is won at once; a mate in two by several moves (ladder); the losing capture is to be avoided.
    let problems = problems(
        "4k3/8/8/3r4/8/8/8/3RK3 w - - bm Rxd5;\n\
         7k/8/8/8/8/8/R7/1R2K3 w - - dm 2;\n\
         4k3/8/2p5/3p4/8/8/8/3QK3 w - - am Qxd5;\n\
         4k3/8/8/3r4/8/8/8/3RK3 w - - bm Kf2;\n",
    );
    let answers: Vec<bool> = (0..4).map(|problem| problems.solves(&defaults(), problem)).collect();
    assert_eq!(answers, [true, true, true, false]);
    assert_eq!(problems.searches(), 4);
    let margins: Vec<i64> = (0..4).map(|problem| problems.margin(&defaults(), problem)).collect();
    assert!(margins[0] > 900_000 && margins[1] == 1_000_000 && margins[3] < 100_000, "{margins:?}");
}

/// White can take a rook or a knight. In both lines White keeps a rook; what is left of Black differs, and so
/// does what there is to attack.
#[test]
fn involved_weights_are_those_that_differ_where_the_lines_end() {
    let problems = problems("7k/8/8/8/n6r/8/8/K6R w - - bm Rxh4;\n");
    let table = Evaluation::Factors.table();
    let names = |which| -> Vec<&str> {
        let involved = problems.involved(&defaults(), 0, which);
        involved.into_iter().map(|weight| table[weight].name.as_str()).collect()
    };
    let deciding = names(Involved::Deciding);
    assert!(deciding.contains(&"rook"), "{deciding:?}");
    for never in ["pawn", "bishop", "queen", "pawn_passed", "queen_mobility"] {
        assert!(!deciding.contains(&never), "{deciding:?}");
    }
    let present = names(Involved::Present);
    assert!(present.contains(&"knight") && !present.contains(&"rook"), "one rook each: {present:?}");
    assert_eq!(names(Involved::All).len(), 23);
}

#[test]
fn sets_are_halves_and_nothing_held_out_is_learned_from() {
    let sets = CHOICE.draw(&[("tactical", 100), ("positional", 200)]).expect("enough");
    let tactical = |set: &[usize]| set.iter().filter(|&&problem| problem < 100).count();
    assert_eq!((sets.training.len(), tactical(&sets.training)), (96, 48));
    assert_eq!((sets.held_out.len(), tactical(&sets.held_out)), (60, 20));
    let mut all = [sets.training.clone(), sets.held_out.clone()].concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 156, "no problem twice");
    // Another seed learns from others and judges by the same.
    let other = Choice { seed: 2, ..CHOICE }.draw(&[("tactical", 100), ("positional", 200)]).expect("enough");
    assert_eq!(other.held_out, sets.held_out);
    assert_ne!(other.training, sets.training);
    let one_kind = CHOICE.draw(&[("tactical", 0), ("positional", 150)]).expect("enough");
    assert_eq!(one_kind.training.len(), 96);
}

#[test]
fn too_few_problems_are_told_with_the_numbers() {
    let error = CHOICE.draw(&[("tactical", 50), ("positional", 100)]).expect_err("too few").to_string();
    let expected = "48 tactical problems are needed to learn from, and 10 of 50 are held out: 40 are left";
    assert_eq!(error, expected);
    assert!(CHOICE.draw(&[("tactical", 0)]).is_err());
    assert!(Choice { count: 7, ..CHOICE }.draw(&[("a", 50), ("b", 50)]).is_err());
}
