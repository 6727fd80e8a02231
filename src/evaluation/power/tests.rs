use super::*;
use crate::evaluation::attacks;
use crate::evaluation::factors::tests::GOLDEN;
use crate::evaluation::testing::random_positions;
use crate::position::Position;

/// The game Pasman - Adams, London 1984, after 21.hxg6 and four answers, in the paper's figures 2 to 6.
const FIGURES: [&str; 5] = [
    "2rqr1k1/p4p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 21",
    "2rqr1k1/p4p2/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 0 22",
    "2rqr1k1/p6p/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 0 22",
    "2r1r1k1/p2q1p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 1 22",
    "2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22",
];

fn board(fen: &str) -> Board {
    *Position::from_fen(fen).expect(fen).board()
}

/// Material without squares, as the golden values have it.
fn material_only(chain: PowerChain) -> Power {
    let row = PowerWeights::DEFAULT.to_row();
    let row: Vec<i32> = row.iter().enumerate().map(|(n, &weight)| if n < 6 { weight } else { 0 }).collect();
    Power::with_weights(PowerWeights::from_row(&row))
        .read_as(&Readings { power_chain: chain, ..Readings::default() })
}

fn with(chain: PowerChain) -> Power {
    Power::default().read_as(&Readings { power_chain: chain, ..Readings::default() })
}

fn values(evaluation: &Power) -> [i32; 12] {
    GOLDEN.map(|(fen, _)| evaluation.evaluate(&board(fen)).0)
}

#[test]
fn equals_the_golden_values() {
    let material = material_only(PowerChain::Direct);
    assert_eq!(values(&material), [0, -1500, -900, -200, 300, 400, -2400, 0, 300, 1200, -100, 100]);
    let squares = [0, -1392, -890, -248, 411, 303, -2356, 1, 265, 1428, -173, 60];
    assert_eq!(values(&Power::default()), squares);
    assert_eq!(FIGURES.map(|fen| material.evaluate(&board(fen)).0), [-900, -1200, -1100, -1500, -2400]);
}

/// The power of a man as its own side sees it.
fn power_of(evaluation: &Power, contacts: &Contacts, name: &str) -> i32 {
    let man = contacts.men.iter().find(|man| explain::man(man.color, man.piece, man.square) == name);
    let man = man.expect(name);
    let white = evaluation.power(contacts, man);
    if man.color == Color::White { white } else { -white }
}

#[test]
fn figure_6_by_hand() {
    let board = board(FIGURES[4]);
    let contacts = Contacts::of(&board);
    let direct = material_only(PowerChain::Direct);
    for (name, power) in
        [("pg6", -100), ("ph7", 100), ("Nh4", -300), ("nf5", 200), ("bf6", 1200), ("qd8", 2200)]
    {
        assert_eq!(power_of(&direct, &contacts, name), power, "{name}");
    }
    let side = |color| {
        let men = contacts.men.iter().filter(|man| man.color == color);
        men.map(|man| direct.power(&contacts, man)).sum::<i32>()
    };
    assert_eq!((side(Color::White), side(Color::Black)), (5800, -8200));
}

/// Table 1, with its two errors of print set right: the bishop on f6 defends the queen, and f5 and f6 attack
/// the knight on h4.
#[test]
fn table_1_follows_the_chain_of_a_pawn() {
    let board = board(FIGURES[4]);
    let contacts = Contacts::of(&board);
    let pawn = contacts.men.iter().find(|man| man.square == 46).expect("the pawn on g6");
    let chain = contacts.chain(pawn);
    assert_eq!(count(chain), 12);
    let frequency = |man: &Man, defends: bool| {
        let touched = Squares(man.touches & chain);
        touched.filter(|&square| (contacts.color(square) == man.color) == defends).count()
    };
    let frequencies = |defends| {
        let all = contacts.men.iter().map(|man| (attacks::square(man.square), frequency(man, defends)));
        let mut all: Vec<_> =
            all.filter(|man| man.1 > 0).map(|(at, count)| format!("{at} {count}")).collect();
        all.sort();
        all.join(", ")
    };
    assert_eq!(frequencies(true), "c8 1, d3 1, d8 3, e6 1, e8 3, f6 1, g6 1, g8 1, h7 1");
    assert_eq!(frequencies(false), "e4 1, f5 1, f6 1, h4 2");
    assert_eq!(power_of(&material_only(PowerChain::Chain), &contacts, "pg6"), 4600);
    assert_eq!(power_of(&material_only(PowerChain::Signed), &contacts, "pg6"), 4000);
}

#[test]
fn contacts_are_the_sum_of_all_men_and_of_all_weights() {
    for &chain in <PowerChain as strum::VariantArray>::VARIANTS {
        let evaluation = with(chain);
        for board in random_positions(2, 60).iter().map(Position::board) {
            let contacts = Contacts::of(board);
            let men: i32 = contacts.men.iter().map(|man| evaluation.power(&contacts, man)).sum();
            let value = evaluation.evaluate(board).0;
            assert_eq!(men / evaluation.scale(), value, "{chain:?} {board}");
            let terms: f64 = evaluation.explain(board).terms.iter().map(|term| term.value).sum();
            assert!((terms - f64::from(value)).abs() < 1.0, "{chain:?} {board}: {terms}, {value}");
            let table = evaluation.men(board).expect("a table").rows;
            let shown = table.iter().filter_map(|row| row.last()?.parse::<i32>().ok());
            assert_eq!((table.len(), shown.sum::<i32>()), (contacts.men.len(), men));
        }
    }
}

#[test]
fn chains_are_settled_by_following_contacts_until_nothing_is_new() {
    for board in random_positions(2, 60).iter().map(Position::board) {
        let contacts = Contacts::of(board);
        for man in &contacts.men {
            let mut chain = 1 << man.square;
            loop {
                let leads = contacts.men.iter().filter(|other| other.touches & chain != 0);
                let more = leads.fold(chain, |chain, other| chain | 1 << other.square);
                if more == chain {
                    break;
                }
                chain = more;
            }
            assert_eq!(contacts.chain(man), chain, "{board}");
        }
    }
}
