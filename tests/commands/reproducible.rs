//! One thread and a limit of nodes: the same games are searched the same way, whatever was searched before.

use kashan::engine::backend;
use kashan::engine::settings::Settings;
use kashan::position::Position;
use kashan::search::{Clock, Limits, Score};

use super::mates::SEARCHES;

/// The first moves of two games, in which both sides are this search: its moves, values and node counts.
fn two_games(searcher: &mut dyn kashan::search::Searcher) -> Vec<(String, Score, u64)> {
    let limits = Limits { nodes: Some(1_500), ..Limits::default() };
    let mut all = Vec::new();
    for opening in [&["e2e4", "c7c5"][..], &["d2d4", "g8f6", "c2c4"]] {
        searcher.new_game();
        let mut position = Position::default();
        for mv in opening {
            position.play(position.parse_move(mv).expect("a move")).expect("legal");
        }
        // What a search keeps for the next move of its game counts, too.
        for _ in 0..8 {
            let report = searcher.search(&position, &limits, &Clock::unlimited(), &mut ());
            let mv = report.best_move().expect("the game goes on");
            all.push((mv.to_string(), report.score, report.nodes));
            position.play(mv).expect("legal");
        }
    }
    all
}

#[test]
fn the_same_two_games_are_searched_twice_with_the_same_node_counts() {
    for options in SEARCHES {
        let options = [&[("Hash", "4")][..], options].concat();
        let settings = Settings::with(options.iter().copied()).expect("there are such options");
        let mut searcher = backend::build(&settings);
        let first = two_games(searcher.as_mut());
        assert_eq!(two_games(searcher.as_mut()), first, "{options:?}: again");
        assert_eq!(two_games(backend::build(&settings).as_mut()), first, "{options:?}: anew");
    }
}
