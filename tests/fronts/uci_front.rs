//! The engine's side of the Universal Chess Interface, line by line. What any engine can be asked
//! is asked by `kashan check`, which our own has to pass (`tests/commands/check.rs`): who it is,
//! clocks, pondering, what it thinks.

use crate::common::SEARCHES;
use crate::common::dialogue::{Speaker, fits};
use crate::common::rig::{Uci, uci};
use kashan::engine::Settings;
use kashan::rules::protocol::uci::{OptionOffer, OptionType, Reply};

/// The options that are offered.
fn offers(rig: &mut Uci) -> Vec<OptionOffer> {
    rig.say("uci");
    let offer = |line: &String| match line.parse() {
        Ok(Reply::Option(offer)) => Some(offer),
        _ => None,
    };
    rig.lines().iter().filter_map(offer).collect()
}

#[test]
fn every_option_takes_what_it_offers_in_any_writing() {
    let mut rig = uci();
    for offer in offers(&mut rig) {
        let values = match offer.kind {
            OptionType::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
            OptionType::Spin { default, min, max } => [Some(default), min, max]
                .into_iter()
                .flatten()
                .map(|value| value.to_string())
                .collect(),
            OptionType::Combo { choices, .. } => choices,
            OptionType::Text { default } => vec![default, "<empty>".to_owned()],
            OptionType::Button => {
                rig.say(&format!("setoption name {}", offer.name));
                continue;
            }
        };
        // The largest hash is more than this machine has; it is only a number until a search wants
        // it.
        for value in values.into_iter().filter(|_| offer.name != "Hash") {
            let name = &offer.name;
            for name in [name, &name.to_lowercase(), &name.to_uppercase()] {
                rig.say(&format!("setoption name {name} value {value}"));
            }
        }
    }
    rig.holds(
        "> setoption name Move Overhead value 77; setoption name  own  book  value TRUE\nquiet 0",
    );
    let settings = &rig.engine().settings().engine;
    assert_eq!((settings.move_overhead, settings.own_book), (77, true));
}

#[test]
fn what_cannot_be_set_is_named() {
    let mut rig = uci();
    let before = rig.engine().settings().clone();
    rig.holds(
        "> setoption name Nonsense value 3 < info string *Nonsense*
         > setoption name Threads value 0 < info string *Threads: \"0\"*
         > setoption name OwnBook value maybe < info string *OwnBook: \"maybe\"*
         > setoption name OwnBook < info string *OwnBook: \"\"*
         > setoption name BookFile value no such file < info string *no such file*
         > setoption name WeightsFile value no/such/weights.toml < info string *no/such/weights.toml*
         > setoption name Backend value stockfish < info string *Backend: \"stockfish\"*",
    );
    assert_eq!(*rig.engine().settings(), before);
}

dialogue! { uci: lines_that_mean_nothing_are_named_and_harm_nothing "
    > hello < info string unknown command: hello
    > setoption Hash 3 < info string setoption without the word name: setoption Hash 3
    > position e2e4 < info string position without startpos or fen: position e2e4
    > debug perhaps < info string debug is either on or off: debug perhaps
    > 
    >    
    # Words before a command are skipped.
    > joho isready < readyok" }

#[test]
fn positions_come_with_their_history() {
    let mut rig = uci();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(1000).collect();
    rig.call("shuffle", &moves.join(" ")).holds(
        "> position startpos moves $shuffle; go depth 1 < bestmove *
         position is * w KQkq - 1000 501; repetitions is 26",
    );
}

dialogue! { uci: a_position_that_is_none_gives_no_move(position, named) "
    > position $position < info string *$named*
    > go movetime 10 < info string no move without a legal position; bestmove (none)
    > position startpos; go movetime 10 < bestmove a2a3*
    > position $position < info string *$named*
    > ucinewgame; go movetime 10 < bestmove a2a3*" for [
    ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"), ("fen nonsense", "nonsense"),
    ("startpos moves e2e4 e7e5 e4e5", "move 3 of 3"), ("startpos moves e2e4 0000", "0000"),
] }

dialogue! { uci: where_the_game_is_over_there_is_no_move_and_the_score_says_why(fen, score) "
    > position fen $fen; go depth 3 < info depth 0 score $score; bestmove (none)
    > go infinite
    quiet 150
    > stop < bestmove (none)" for [
    ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
] }

dialogue! { uci: limits_reach_the_search "
    > go depth 4 nodes 500 < bestmove *
    depth is 4; nodes is 500; infinite is false
    > go depth 0 nodes 0 < bestmove *
    depth is 1; nodes is 1
    > go movetime 10 searchmoves d2d4 < bestmove d2d4*
    excluded is 19
    # What is illegal is named; if nothing is left every move may be played.
    > go movetime 10 searchmoves e2e5 xyz b1c3 b1c3 < info string *e2e5*; info string *xyz*; bestmove *
    excluded is 19
    > go movetime 10 searchmoves e2e5 < info string *e2e5*; bestmove *
    excluded is 0" }

#[test]
fn whatever_comes_while_it_thinks_each_go_has_one_answer_in_order() {
    let mut rig = uci();
    rig.holds(
        "searcher waits
         > position startpos moves d2d4; go infinite; position startpos moves e2e4; go infinite; isready
         > position startpos; ucinewgame; go movetime 50 < bestmove *; bestmove *; readyok; bestmove *
         quiet 150
         games is 1",
    );
    let searched: Vec<String> = rig
        .fake
        .searches()
        .into_iter()
        .map(|search| search.fen)
        .collect();
    let expected = ["*/3P4/* b *", "*/4P3/* b *", "*/8/* w KQkq - 0 1"];
    assert_eq!(searched.len(), expected.len());
    for (fen, pattern) in searched.iter().zip(expected) {
        assert!(fits(pattern, fen), "{searched:?}");
    }
}

dialogue! { uci: a_ponder_hit_changes_nothing_for_a_search_that_does_not_ponder "
    > go infinite; ponderhit
    quiet 150
    > stop < bestmove *" }

dialogue! { uci: stop_goes_to_the_search_that_was_asked_for_last "
    searcher waits
    > go infinite; go infinite; stop < bestmove *; bestmove *
    # Idle again: ready, and a new search is as any.
    > isready < readyok
    > go movetime 30 < bestmove *" }

dialogue! { uci: a_search_for_a_mate_ends_when_the_mate_is_found "
    # A mate in 3 is not what was asked for.
    searcher scores 31995
    > go mate 2
    quiet 150
    > stop < bestmove *
    > go mate 3 < bestmove *
    # Nor is being mated.
    searcher scores -31998
    > go mate 3
    quiet 150
    > stop < bestmove *" }

#[test]
fn every_search_finds_a_mate_that_is_asked_for() {
    // A queen is given, and a bishop mates.
    let two = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";
    let one = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    for (options, moves) in SEARCHES.into_iter().zip([2, 1, 1, 2, 2, 1]) {
        let mut rig = Uci::real().introduced();
        options
            .iter()
            .for_each(|(name, value)| rig.say(&format!("setoption name {name} value {value}")));
        rig.call("moves", &moves.to_string())
            .call("fen", if moves == 2 { two } else { one });
        rig.holds("> position fen $fen; go mate $moves");
        let lines = rig.hears(if moves == 2 {
            "bestmove d2h6*"
        } else {
            "bestmove a1a8*"
        });
        // Runners take the score of a move from the last line before it.
        let last = &lines[lines.len() - 2];
        assert!(
            last.contains(&format!(" score mate {moves} ")),
            "{options:?}: {lines:#?}"
        );
    }
}

/// Referees take the score of the last line for that of the move.
#[test]
fn the_last_line_has_the_score_of_the_move_and_none_where_there_was_no_time() {
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut rig = Uci::real().introduced();
        rig.call("backend", backend)
            .holds("> setoption name Backend value $backend; position startpos");
        let mut last = |nodes: u64| {
            rig.say(&format!("go nodes {nodes}"));
            let lines = rig.hears("bestmove *");
            match lines[lines.len() - 2].parse() {
                Ok(Reply::Info(info)) => info,
                _ => panic!("{backend}: {lines:#?}"),
            }
        };
        let first = last(1);
        assert_eq!(
            first.score.is_some(),
            first.depth > Some(0),
            "{backend}: {first}"
        );
        assert!(last(20_000).score.is_some(), "{backend}");
    }
    let mut rig = Uci::real().introduced();
    rig.say("go nodes 1");
    let lines = rig.hears("bestmove *");
    assert!(
        lines.iter().all(|line| !line.contains("score")),
        "{lines:#?}"
    );
}

dialogue! { uci: the_book_is_for_games "
    > setoption name OwnBook value true; go wtime 1000 btime 1000
    < info string *is a book move*; bestmove *
    searches is 0
    # Pondering on a book position waits all the same.
    > go ponder wtime 1000 btime 1000 < info string *is a book move*
    quiet 0
    > ponderhit < bestmove *
    searches is 0
    > go infinite; stop < bestmove *
    > go movetime 10 searchmoves a2a3 < bestmove *
    searches is 2
    > setoption name UCI_AnalyseMode value true; go movetime 10 < bestmove *
    searches is 3" }

#[test]
fn options_and_new_games_are_done_when_it_is_ready() {
    let mut rig = uci();
    rig.holds(
        "searchers is 1
         > setoption name Hash value 5; setoption name Backend value minimax; ucinewgame; isready
         quiet 0
         < readyok
         # The searcher is there before a clock runs.
         searchers is 2",
    );
    assert_eq!(rig.engine().settings().engine.hash, 5);
}

dialogue! { uci: options_set_while_it_thinks_hold_from_the_next_search_on "
    > go infinite
    quiet 150
    > setoption name Hash value 7; setoption name Backend value minimax; isready
    # Nobody waits for the search.
    < readyok
    > stop < bestmove *
    > go depth 1 < bestmove *
    megabytes is 7" }

dialogue! { uci: short_memory_is_told_once "
    searcher lacks memory
    > setoption name Hash value 60000; go depth 1 < info string *60000* 100 *; bestmove *
    > go depth 1 < bestmove *" }

dialogue! { uci: a_panic_in_the_search_costs_one_weak_move_and_nothing_else "
    searcher panics
    > go depth 3 searchmoves d2d4 < bestmove d2d4*
    > go depth 3 searchmoves d2d4 < bestmove d2d4*" }

dialogue! { uci: debugging_says_more "
    > debug on; setoption name Hash value 3; debug off; setoption name Hash value 4
    < info string Hash is now 3
    quiet 150" }

#[test]
fn the_options_are_those_of_the_table() {
    let offers = offers(&mut uci());
    // Some have blanks here, as other engines write them.
    let is_offered = |name: &str| {
        offers
            .iter()
            .any(|offer| offer.name.replace(' ', "") == name)
    };
    let table = Settings::table();
    let names = table.iter().map(|spec| spec.name);
    let hidden: Vec<&str> = names.filter(|name| !is_offered(name)).collect();
    // They would do nothing: UCI knows no resignation and no draw offer.
    assert_eq!(
        hidden,
        [
            "Resign",
            "ResignThreshold",
            "ResignMoves",
            "OfferDraws",
            "DrawThreshold",
            "DrawMoves"
        ]
    );
}
