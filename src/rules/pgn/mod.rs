//! Portable Game Notation: the only place that reads and writes games.
//!
//! [`Reader`] cuts a stream of any size into the texts of its games, each with its number and line,
//! and keeps only one of them. [`PgnGame::read`] plays such a text: tags, start, and the main line
//! with its comments. A fault of a game names the move or the word, so no game gets lost
//! silently. [`Movetext`] and [`tag_pair`] write.
//!
//! The format is described in the "Portable Game Notation Specification and Implementation Guide"
//! (1994), the *PGN standard* of the comments.
//!
//! ```
//! use kashan::rules::pgn::{PgnGame, Reader, Rules};
//!
//! let text = "[White \"A\"]\n\n1. e4 e5 {of course} 2. Nf3 1-0\n";
//! let mut games = Reader::new(text.as_bytes());
//! let text = games.next_game()?.expect("there is a game");
//! let game = PgnGame::read(&text, &Rules::default()).expect("all moves are legal");
//! assert_eq!((text.line, game.tags.get("White")), (1, Some("A")));
//! assert_eq!((game.moves.len(), game.moves[1].comments[0].as_str()), (3, "of course"));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod epd;
mod game;
mod reader;
mod text;
mod write;

pub use game::{GameMove, PgnGame, Rules, Strict};
pub use reader::{GameText, Reader, begins_as_games, files};
pub use text::san;
pub use write::{Movetext, gap, only_games, only_plain, tag_pair};

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::ops::ControlFlow;

    use pgn_reader::{RawComment, RawTag, SanPlus, Skip, Visitor};
    use proptest::prelude::*;
    use shakmaty::{Outcome, Position as _};

    use super::*;
    use crate::rules::position::Position;

    const STRICT: Rules = Rules {
        strict: Strict::All,
        plies: usize::MAX,
    };

    fn texts(pgn: impl AsRef<[u8]>) -> Vec<GameText> {
        // A small buffer, so that everything comes in pieces.
        let mut reader = Reader::new(BufReader::with_capacity(7, pgn.as_ref()));
        std::iter::from_fn(|| reader.next_game().expect("memory")).collect()
    }

    fn read(pgn: &str, rules: &Rules) -> Vec<Result<PgnGame, String>> {
        texts(pgn)
            .iter()
            .map(|text| PgnGame::read(text, rules).map_err(|fault| fault.to_string()))
            .collect()
    }

    fn one(pgn: &str) -> Result<PgnGame, String> {
        let mut games = read(pgn, &STRICT);
        assert_eq!(games.len(), 1, "{pgn}");
        games.remove(0)
    }

    fn sans(game: &PgnGame) -> Vec<String> {
        let san =
            |(position, mv): (_, &game::GameMove)| SanPlus::from_move(position, mv.mv).to_string();
        game.positions().map(san).collect()
    }

    #[test]
    fn games_are_found_with_their_lines() {
        let pgn = "\u{feff}\r\n; a comment before\r\n% and an escape\r\n[Event \"1\"]\r\n\r\n1. e4 {over\r\n\r\n[Event \"lines\"]\r\n} e5 *\r\n\r\n\
                   {between games}\n\n1. d4 *\n[Event \"3\"]\n\n[White \"A\"]\n1. c4 ; rest { of line\n% escape {\nc5 *\n\n\n[Event \"no moves\"]\n\n[Event \"5\"]\n1. f4";
        let texts = texts(pgn);
        let first_line = |text: &GameText| {
            text.text
                .trim()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let found = texts
            .iter()
            .map(|text| format!("{} {} {}", text.number, text.line, first_line(text)));
        let expected = "1 4 [Event \"1\"]; 2 13 1. d4 *; 3 14 [Event \"3\"]; 4 22 [Event \"no moves\"]; 5 24 [Event \"5\"]";
        assert_eq!(found.collect::<Vec<_>>().join("; "), expected);
        assert!(texts.iter().all(|text| text.torn.is_none()));
        let moves = texts
            .iter()
            .map(|text| PgnGame::read(text, &STRICT).expect("good").moves.len());
        assert_eq!(moves.collect::<Vec<_>>(), [2, 1, 2, 0, 1]);
    }

    #[test]
    fn tags_may_have_comments_between_them_and_go_on_in_the_next_line() {
        let pgn = "[White \"A name that\ngoes on\"]\n{a comment\n[Event \"x\"]\nover lines} ; and more\n[Black \"B\"]\n; the last\n\n\
                   {before} 1. e4 {after} *\n\n[Event \"next\"\n]\n[White \"C\n1. d4 *\n";
        let found = texts(pgn);
        assert_eq!(
            found.iter().map(|text| text.line).collect::<Vec<_>>(),
            [1, 11]
        );
        let game = PgnGame::read(&found[0], &STRICT).expect("good");
        assert_eq!(
            (game.tags.get("White"), game.tags.get("Black")),
            (Some("A name that goes on"), Some("B"))
        );
        assert_eq!(
            game.comments,
            [
                "a comment [Event \"x\"] over lines",
                "and more",
                "the last",
                "before"
            ]
        );
        assert_eq!(game.moves[0].comments, ["after"]);
        // A tag without an end takes nothing along.
        let next = PgnGame::read(&found[1], &Rules::default()).expect("moves");
        assert_eq!(
            (
                next.tags.get("Event"),
                next.tags.get("White"),
                next.moves.len()
            ),
            (Some("next"), None, 1)
        );
        assert!(
            PgnGame::read(&found[1], &STRICT)
                .expect_err("no tag")
                .to_string()
                .contains("\"[White \"C\"")
        );
    }

    #[test]
    fn marks_between_games_and_other_ends_of_lines_are_passed_over() {
        let one = "[White \"A\"]\n\n1. e4 *\n";
        for pgn in [
            format!("{one}\n\u{feff}{one}\x1a"),
            format!("{one}\n\0\0\0{one}\n\x1a\0"),
            format!("{one}\n{one}").replace('\n', "\r\r\n"),
        ] {
            let found = texts(&pgn);
            let moves = found
                .iter()
                .map(|text| PgnGame::read(text, &STRICT).expect(&pgn).moves.len());
            assert_eq!(moves.collect::<Vec<_>>(), [1, 1], "{pgn:?}");
        }
        let old = format!("{one}\n{one}").replace('\n', "\r");
        let mut reader = Reader::new(old.as_bytes());
        assert_eq!(
            std::iter::from_fn(|| reader.next_game().expect("memory")).count(),
            2
        );
    }

    #[test]
    fn a_word_that_is_no_move_is_named_and_not_the_next_one() {
        let text = &texts("1. e4 e5 2. Sf3 Nc6 3. Bb5 *")[0];
        let fault = |strict| {
            PgnGame::read(text, &Rules { strict, ..STRICT })
                .expect_err("not legal")
                .to_string()
        };
        assert_eq!(
            fault(Strict::Words),
            "\"Sf3\" at move 2 is neither a move nor a result"
        );
        let played = fault(Strict::Played);
        assert!(
            played.starts_with("\"Sf3\" at move 2 is")
                && played.ends_with("move 2. Nc6 is not legal"),
            "{played}"
        );
    }

    /// Otherwise the result of one game would be that of others.
    #[test]
    fn a_tag_for_the_second_time_behind_an_empty_line_begins_a_game() {
        let pgn = "[White \"A\"][Black \"B\"]\n[Result \"1-0\"]\n\n[white \"C\"]\n[Black \"D\"]\n\n[Result \"*\"]\n\n1. e4 *\n\n\
                   [White \"E\"]\n\n[White \"A\"]";
        let found = texts(pgn);
        let games: Vec<_> = found
            .iter()
            .map(|text| PgnGame::read(text, &STRICT).expect("good"))
            .collect();
        let players: Vec<_> = games.iter().map(|game| game.tags.get("White")).collect();
        assert_eq!(players, ["A", "C", "E", "A"].map(Some));
        let others: Vec<_> = games
            .iter()
            .map(|game| (game.tags.get("Result"), game.moves.len()))
            .collect();
        assert_eq!(
            others,
            [(Some("1-0"), 0), (Some("*"), 1), (None, 0), (None, 0)]
        );
        assert_eq!(
            found.iter().map(|text| text.line).collect::<Vec<_>>(),
            [1, 4, 11, 13]
        );
        // Without an empty line, or with a name in a value, they are of one game.
        for one_game in [
            "[White \"A\"]\n[White \"B\"]\n1. e4 *",
            "[Annotator \"[White\"]\n\n[White \"B\"]\n\n1. e4 *",
        ] {
            assert_eq!(texts(one_game).len(), 1, "{one_game}");
        }
    }

    #[test]
    fn a_tag_behind_a_result_begins_a_game_in_the_same_line() {
        let line = "[White \"A\"] 1. e4 {[not here] 1-0 [nor here]} 1-0 [White \"B\"] 1. d4 * [White \"C\"] 1. c4 1/2-1/2\n";
        let texts = texts(line.to_owned() + "\n[White \"D\"]\n\n1. f4 0-1\n");
        let lines: Vec<(u32, u64)> = texts.iter().map(|text| (text.number, text.line)).collect();
        assert_eq!(lines, [(1, 1), (2, 1), (3, 1), (4, 3)]);
        assert_eq!(texts[1].text.trim(), "[White \"B\"] 1. d4 *");
    }

    #[test]
    fn everything_of_a_game_is_kept() {
        let pgn = "[White \"A \\\"B\\\" \\\\ [c]\"] [Black \"Réti\"]\n[white \"second\"]\n[Result\"1-0\"]\n\n{before}\n1.e4!? $14 {first\nline} {second} \
                   e5 2. (2... nonsense (z9)) Nf3 ; rest ( of line\n% nonsense\n2... Nc6 ?! 1–0";
        let game = one(pgn).expect("a game");
        let tags: Vec<String> = game
            .tags
            .0
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        assert_eq!(
            tags,
            [
                "White: A \"B\" \\ [c]",
                "Black: Réti",
                "white: second",
                "Result: 1-0"
            ]
        );
        assert_eq!(game.tags.get("WHITE"), Some("A \"B\" \\ [c]"));
        assert_eq!(sans(&game), ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(game.comments, ["before"]);
        assert_eq!(game.moves[0].comments, ["first line", "second"]);
        assert_eq!(game.moves[2].comments, ["rest ( of line"]);
        assert_eq!(
            game.result.map(|result| result.to_string()).as_deref(),
            Some("1-0")
        );
        assert_eq!(game.end.fullmoves().get(), 3);
    }

    #[test]
    fn moves_are_read_as_they_are_written_everywhere() {
        for (fen, moves, expected) in [
            (
                "r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "1. 0-0 O-O-O",
                "O-O O-O-O",
            ),
            (
                "r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "1.0–0–0 Rxa7 2 Rd2 *",
                "O-O-O Rxa7 Rd2",
            ),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1. a8Q 1/2-1/2", "a8=Q"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=N!!! $0 ½-½", "a8=N"),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "1. exd6 e.p.! ... Kd7",
                "exd6 Kd7",
            ),
            (
                "7k/8/8/8/8/8/4R1R1/K7 w - - 0 41",
                "41. Re2f2+ 41...Kh7",
                "Ref2 Kh7",
            ),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "1. e5xd6e.p.! Ke8-d8 2.d7 N",
                "exd6 Kd8 d7",
            ),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "1. exd6ep +- Kd7 =",
                "exd6 Kd7",
            ),
            (
                "7k/8/5n2/8/4P3/8/8/4KN2 b - - 0 1",
                "1... ♞f6-e4 ± 2. ♘e3 Nd2!? ∞",
                "Nxe4 Ne3 Nd2",
            ),
            (
                "7k/8/5n2/8/4P3/8/8/4KN2 b - - 0 1",
                "1... Nf6:e4 2. Nf1-g3 e4g3",
                "Nxe4 Ng3 Nxg3",
            ),
            (
                "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "1. e1g1 e8c8 2. a7a8q+ Kd7",
                "O-O O-O-O a8=Q+ Kd7",
            ),
        ] {
            let game = one(&format!("[FEN \"{fen}\"]\n\n{moves}\n")).expect(moves);
            assert_eq!(sans(&game).join(" "), expected);
        }
    }

    #[test]
    fn what_is_no_pgn_is_named_where_it_matters() {
        for (pgn, name) in [
            ("1. e4 xyz e5 *", "\"xyz\" at move 1"),
            ("1. d4 d5 2. Nf9 Nc3 *", "\"Nf9\" at move 2"),
            ("1. e4 e5 (1... c5 2. Nf3 1-0", "does not end"),
            ("1. e4 ) e5 *", "never began"),
            ("1. e4 } e5 *", "\"}\""),
            ("1. e4 $x *", "\"$x\""),
            ("1. é4 *", "\"é4\""),
            (
                "[Event \"a\" nonsense\n\n1. e4 *",
                "\"[Event \"a\" nonsense\" is no tag",
            ),
            ("2. e4 *", "begins with move 2"),
        ] {
            let text = &texts(pgn)[0];
            let fault = PgnGame::read(text, &STRICT).expect_err(pgn).to_string();
            assert!(fault.contains(name), "{pgn}: {fault}");
            assert!(PgnGame::read(text, &Rules::default()).is_ok(), "{pgn}");
        }
        for (pgn, name) in [
            ("1. e4 Ke5 *", "move 1... Ke5 is not legal"),
            (
                "1. e4 1-0 e5 *",
                "the moves go on after the result, at 1... e5",
            ),
            ("1. e4 1-0 1-0", "ends twice"),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "8/8"),
            (
                "[FEN \"nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1\"]\n\n*",
                "Chess960",
            ),
            ("[Variant \"Atomic\"]\n\n*", "Atomic"),
            ("[Variant \"Chess960\"]\n\n*", "Chess960"),
            (
                "[FEN \"3k4/8/8/8/8/8/R3K2R/8 w - - 0 1\"]\n\n1. Nf2 *",
                "is not legal",
            ),
            (
                "[FEN \"3k4/8/8/8/4K3/8/8/R6R w - - 0 1\"]\n\n1. Rd1 *",
                "fits more than one",
            ),
            ("1. e4 {and then", "a comment has no end"),
        ] {
            for rules in [STRICT, Rules::default()] {
                let fault = PgnGame::read(&texts(pgn)[0], &rules)
                    .expect_err(pgn)
                    .to_string();
                assert!(fault.contains(name), "{pgn}: {fault}");
            }
        }
        let long = format!("1. e4 {} *", "x".repeat(100_000));
        let fault = PgnGame::read(&texts(&long)[0], &STRICT)
            .expect_err("no move")
            .to_string();
        assert!(fault.len() < 200 && fault.contains("xxx"), "{fault}");
    }

    /// The rest of a game that is cut after some moves does not matter; the text of one that does
    /// not end is not kept.
    #[test]
    fn memory_is_bounded() {
        let rules = Rules { plies: 2, ..STRICT };
        assert_eq!(
            read("1. e4 e5 nonsense Kh9 *", &rules)
                .remove(0)
                .expect("two moves")
                .moves
                .len(),
            2
        );
        let endless = "x".repeat(3 << 24) + " 1. e4 *\n\n1. d4 *\n";
        let texts = texts(&endless);
        assert_eq!(texts.len(), 2);
        assert!(texts[0].text.len() <= 1 << 24);
        let fault = PgnGame::read(&texts[0], &Rules::default())
            .expect_err("endless")
            .to_string();
        assert_eq!(fault, "no game is that long");
        assert_eq!(texts[1].line, 3);
        let source = std::io::BufReader::with_capacity(1 << 20, std::io::repeat(0));
        let error = Reader::new(source)
            .next_game()
            .expect_err("no end")
            .to_string();
        assert!(
            error.contains("no end of a game in 128 megabytes"),
            "{error}"
        );
    }

    #[test]
    fn text_that_is_not_utf_8_is_latin() {
        let game = PgnGame::read(&texts(b"[White \"M\xfcller\"]\n\n1. e4 *\n")[0], &STRICT)
            .expect("a game");
        assert_eq!(game.tags.get("White"), Some("Müller"));
    }

    /// Games with tags, comments, variations and glyphs, as another library reads them: moves,
    /// results and the first comment.
    struct Other;

    impl Visitor for Other {
        type Tags = Vec<String>;
        type Movetext = Vec<String>;
        type Output = Vec<String>;

        fn begin_tags(&mut self) -> ControlFlow<Vec<String>, Vec<String>> {
            ControlFlow::Continue(Vec::new())
        }
        fn tag(
            &mut self,
            all: &mut Vec<String>,
            name: &[u8],
            value: RawTag<'_>,
        ) -> ControlFlow<Vec<String>> {
            all.push(format!(
                "{} {}",
                String::from_utf8_lossy(name),
                value.decode_utf8_lossy()
            ));
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, all: Vec<String>) -> ControlFlow<Vec<String>, Vec<String>> {
            ControlFlow::Continue(all)
        }
        fn san(&mut self, all: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
            all.push(san.to_string());
            ControlFlow::Continue(())
        }
        fn comment(
            &mut self,
            all: &mut Vec<String>,
            comment: RawComment<'_>,
        ) -> ControlFlow<Vec<String>> {
            let text = String::from_utf8_lossy(comment.as_bytes());
            all.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            ControlFlow::Continue(())
        }
        fn outcome(&mut self, all: &mut Vec<String>, outcome: Outcome) -> ControlFlow<Vec<String>> {
            all.push(outcome.to_string());
            ControlFlow::Continue(())
        }
        fn begin_variation(&mut self, _: &mut Vec<String>) -> ControlFlow<Vec<String>, Skip> {
            ControlFlow::Continue(Skip(true))
        }
        fn end_game(&mut self, all: Vec<String>) -> Vec<String> {
            all
        }
    }

    /// The same of ours.
    fn ours(text: &GameText) -> Vec<String> {
        let game = PgnGame::read(text, &STRICT).expect("a good game");
        let mut all: Vec<_> = game
            .tags
            .0
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        for (san, mv) in sans(&game).into_iter().zip(&game.moves) {
            all.push(san);
            all.extend(mv.comments.clone());
        }
        all.extend(game.result.map(|result| result.to_string()));
        all
    }

    proptest! {
        #[test]
        fn games_are_read_as_another_library_reads_them(choices in prop::collection::vec((any::<u8>(), 0_u8..6), 1..60), ends in prop::bool::ANY) {
            let mut position = Position::default();
            let mut moves = Movetext::new(1, shakmaty::Color::White);
            for (choice, extra) in choices {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[usize::from(choice) % legal.len()];
                moves.mv(&position.san(mv));
                match extra {
                    0 => moves.comment("a (comment) [x] ; 1. e4"),
                    1 => moves.variation([position.san(mv).as_str(), "zz"]),
                    2 => moves.word("$5"),
                    _ => {}
                }
                position.play(mv).expect("legal");
            }
            let game = tag_pair("White", "A \"b\" \\ c") + &tag_pair("Round", "1") + "\n" + &moves.finish(if ends { "*" } else { "0-1" });
            let pgn = game.repeat(2).replace('\n', if ends { "\n" } else { "\r\n" });
            let theirs: Vec<Vec<String>> = pgn_reader::Reader::new(pgn.as_bytes())
                .read_games(&mut Other)
                .collect::<Result<_, _>>()
                .expect("memory");
            prop_assert_eq!(texts(&pgn).iter().map(ours).collect::<Vec<_>>(), theirs);
            prop_assert!(pgn.lines().all(|line| line.chars().count() < 80));
        }
    }

    #[test]
    fn numbers_stand_where_they_are_needed_and_comments_behind_the_moves() {
        let mut moves = Movetext::new(1, shakmaty::Color::White);
        ["f3", "e5", "g4", "Qh4#"]
            .iter()
            .for_each(|san| moves.mv(san));
        moves.comment("Black mates");
        assert_eq!(
            moves.finish("0-1"),
            "1. f3 e5 2. g4 Qh4# {Black mates} 0-1\n\n"
        );
        let mut moves = Movetext::new(30, shakmaty::Color::Black);
        ["e1=Q+", "Kb2"].iter().for_each(|san| moves.mv(san));
        moves.comment("");
        assert_eq!(moves.finish("*"), "30... e1=Q+ 31. Kb2 *\n\n");
        // Lines are as long as they can be, counted in characters.
        let [long, shorter] = [40, 34].map(|length| "é".repeat(length));
        let mut moves = Movetext::new(1, shakmaty::Color::White);
        [&long, &shorter]
            .iter()
            .for_each(|comment| moves.comment(comment));
        assert_eq!(
            moves.finish("*"),
            format!("{{{long}}} {{{shorter}}}\n*\n\n")
        );
    }
}
