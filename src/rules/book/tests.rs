use super::*;

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a legal position")
}

fn square(name: &str) -> u16 {
    name.parse::<chess::Square>().expect("a square").to_index() as u16
}

/// An entry as a book would have it: squares, promotion (0 to 7), weight.
fn entry(fen: &str, from: &str, to: &str, promotion: u16, weight: u16) -> BookEntry {
    let mv = promotion << 12 | square(from) << 6 | square(to);
    BookEntry {
        key: position(fen).polyglot_key(),
        mv,
        weight,
        learn: 0,
    }
}

fn book(entries: &[BookEntry]) -> Book {
    Book::from_bytes(
        &entries
            .iter()
            .copied()
            .flat_map(BookEntry::to_bytes)
            .collect::<Vec<_>>(),
    )
}

/// The moves of a position with their weights: `e2e4 3, d2d4 1`.
pub fn listed(book: &Book, fen: &str) -> String {
    let moves = book.moves(&position(fen)).into_iter();
    moves
        .map(|known| format!("{} {}", known.mv, known.weight))
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn an_entry_is_sixteen_big_endian_bytes() {
    // The example of the format's description: e2e4 from the start, here with weight 0x0102 and
    // learn 3.
    let bytes = *b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x01\x02\x00\x00\x00\x03";
    let entry = BookEntry::from_bytes(&bytes);
    assert_eq!(
        entry,
        BookEntry {
            key: 0x463b_9618_1691_fc9c,
            mv: 0x031c,
            weight: 0x0102,
            learn: 3
        }
    );
    assert_eq!(entry.to_bytes(), bytes);
    assert_eq!(listed(&book(&[entry]), START), "e2e4 258");
}

#[test]
fn castling_is_understood_in_both_spellings() {
    let white = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let black = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    let rooks = book(&[
        entry(white, "e1", "h1", 0, 4),
        entry(white, "e1", "a1", 0, 3),
        entry(black, "e8", "h8", 0, 2),
        entry(black, "e8", "a8", 0, 1),
    ]);
    assert_eq!(listed(&rooks, white), "e1g1 4, e1c1 3");
    assert_eq!(listed(&rooks, black), "e8g8 2, e8c8 1");
    let both = book(&[
        entry(white, "e1", "g1", 0, 5),
        entry(white, "e1", "h1", 0, 4),
    ]);
    assert_eq!(listed(&both, white), "e1g1 9", "one move, both weights");
    // A king that takes a rook is no castling, nor is a rook that goes the same way.
    let taking = "4k3/8/8/8/8/8/4q3/4K2R w K - 0 1";
    let entries = [
        entry(taking, "e1", "e2", 0, 1),
        entry(taking, "h1", "e1", 0, 1),
    ];
    assert_eq!(listed(&book(&entries), taking), "e1e2 1");
}

#[test]
fn promotions_and_en_passant() {
    let promoting = "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1";
    let entries = (0..8)
        .map(|piece| entry(promoting, "e7", "d8", piece, 10 - piece))
        .collect::<Vec<_>>();
    assert_eq!(
        listed(&book(&entries), promoting),
        "e7d8n 9, e7d8b 8, e7d8r 7, e7d8q 6"
    );
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let entries = [entry(en_passant, "e5", "d6", 0, 7)];
    assert_eq!(listed(&book(&entries), en_passant), "e5d6 7");
    assert!(
        listed(&book(&entries), "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1").is_empty(),
        "another position"
    );
}

#[test]
fn hostile_entries_are_passed_over() {
    let every_move = (0..=u16::MAX).map(|mv| BookEntry {
        mv,
        ..entry(START, "a1", "a1", 0, 1)
    });
    let book = book(&every_move.collect::<Vec<_>>());
    let start = Position::default();
    assert_eq!(
        book.moves(&start).len(),
        20,
        "all legal moves and nothing else"
    );
    // Each legal move is there without a promotion; those of e1 and a8 to h8 are no castling.
    let illegal = book.illegal_moves(&start);
    assert_eq!(illegal.len(), usize::from(u16::MAX) + 1 - 20);
    assert!(illegal.contains(&"e2e5".to_owned()) && illegal.contains(&"0x731c".to_owned()));
    for seed in 0..100 {
        assert!(
            start.is_legal(
                book.probe(&start, seed)
                    .expect("twenty moves to choose from")
            )
        );
    }
}

#[test]
fn unsorted_books_are_put_right_and_sorted_ones_kept() {
    let other = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let (start, end) = (
        entry(START, "e2", "e4", 0, 1),
        entry(other, "e1", "h1", 0, 1),
    );
    let mixed = book(&[start, end, entry(START, "d2", "d4", 0, 2)]);
    assert_eq!(listed(&mixed, START), "d2d4 2, e2e4 1");
    assert_eq!(listed(&mixed, other), "e1g1 1");
    assert_eq!(Book::from_bytes(BUILT_IN).to_bytes(), BUILT_IN);
}

#[test]
fn probing_follows_the_weights_and_the_seed() {
    let book = book(&[
        entry(START, "e2", "e4", 0, 3000),
        entry(START, "d2", "d4", 0, 1000),
        entry(START, "h2", "h4", 0, 0),
    ]);
    let start = Position::default();
    let mut times = std::collections::BTreeMap::new();
    for seed in 0..4000 {
        let mv = book.probe(&start, seed).expect("a book move");
        assert_eq!(book.probe(&start, seed), Some(mv), "same seed, same move");
        *times.entry(mv.to_string()).or_insert(0) += 1;
    }
    assert_eq!(times.len(), 2, "weight 0 is never chosen: {times:?}");
    assert!((2880..=3120).contains(&times["e2e4"]), "{times:?}");
    assert!(
        listed(&book, START).ends_with(", h2h4 0"),
        "but it is listed"
    );
    let silent = self::book(&[entry(START, "h2", "h4", 0, 0)]);
    assert_eq!(silent.probe(&start, 0), None);
    assert_eq!(
        silent.probe(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0),
        None
    );
}

#[test]
fn files_that_are_no_books_are_refused_by_name() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in [
        ("empty.bin", &b""[..]),
        ("torn.bin", &[0; 33]),
        ("good.bin", BUILT_IN),
    ] {
        std::fs::write(directory.path().join(name), content).expect("a writable directory");
    }
    let open =
        |name: &str| Book::open(directory.path().join(name)).map_err(|error| error.to_string());
    for (name, why) in [
        ("missing.bin", "cannot read book"),
        ("empty.bin", "is empty"),
        ("torn.bin", "33 bytes"),
        (".", ""),
    ] {
        let error = open(name).expect_err("not a book");
        assert!(error.contains(name) && error.contains(why), "{error}");
    }
    assert_eq!(open("good.bin"), Ok(Book::built_in()));
}

#[test]
fn every_entry_of_the_built_in_book_is_a_move_of_its_line() {
    // Walks the book from the start. Reaching every position and every entry also shows that
    // none is illegal.
    let book = Book::built_in();
    let mut seen = std::collections::BTreeSet::new();
    let mut moves = 0;
    let mut waiting = vec![Position::default()];
    while let Some(position) = waiting.pop() {
        let known = book.moves(&position);
        if known.is_empty() || !seen.insert(position.polyglot_key()) {
            continue;
        }
        moves += known.len();
        waiting.extend(known.iter().map(|book_move| {
            let mut next = position.clone();
            next.play(book_move.mv)
                .expect("only legal moves are listed");
            next
        }));
    }
    assert_eq!((seen.len(), moves), (book.positions(), book.len()));
    assert!(moves > 4000 && !book.is_empty());
}
