use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;

use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::arena::config::{Config, OutputFiles};
use crate::arena::pgn::Writer;
use crate::arena::statistics::Decision;
use crate::arena::{GameRecord, GameResult, Reason, Verdict};
use crate::util::jobs::{StopRequest, StopSignal};

/// The end of a game.
type Oracle = fn(&GamePlan) -> Verdict;

/// A game without engines: the result depends on the seed and the number of the game alone, the
/// time on nothing known. A slow player hears the signal to stop in the middle of the game.
fn fake_game(
    plan: &GamePlan,
    names: &[String],
    results: Oracle,
    slow: Option<&StopSignal>,
) -> GameRecord {
    let is_stopped = || slow.is_some_and(StopSignal::is_stopped);
    let turns = if slow.is_some() {
        plan.number * 7 % 5
    } else {
        0
    };
    (0..turns)
        .take_while(|_| !is_stopped())
        .for_each(|_| thread::sleep(Duration::from_micros(300)));
    let (verdict, reason) = match is_stopped() {
        true => (Verdict::Unfinished, Reason::Interrupted),
        false => (results(plan), Reason::Resignation),
    };
    GameRecord {
        number: plan.number,
        round: plan.round.clone(),
        pair: plan.pair,
        white: names[plan.engines.white].clone(),
        black: names[plan.engines.black].clone(),
        opening: plan.opening.clone(),
        result: GameResult {
            verdict,
            reason,
            detail: "as it was told".to_owned(),
        },
        limits: [plan.limits.white, plan.limits.black].map(|limits| limits.to_string()),
        ..GameRecord::default()
    }
}

fn tournament(head: &str, engines: usize) -> Tournament {
    let engines = "[[engines]]\ncommand = \"engine\"\n".repeat(engines);
    Config::parse(&format!("name = \"?\"\n{head}\n{engines}"))
        .expect(head)
        .tournament()
        .expect(head)
}

/// Any results, but always the same.
fn random_results(plan: &GamePlan) -> Verdict {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(plan.number));
    [Verdict::WhiteWins, Verdict::BlackWins, Verdict::Draw][random.random_range(0..3)]
}

/// Stops after some games, in one way or the other.
struct Stopper {
    stop: StopRequest,
    after: u32,
    now: bool,
    notes: Vec<String>,
}

impl Observer for Stopper {
    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    fn game_ended(&mut self, _: &GameRecord, _: &TournamentState<'_>) {
        self.after = self.after.saturating_sub(1);
        match (self.after, self.now) {
            (0, true) => self.stop.now(),
            (0, false) => self.stop.say(),
            _ => {}
        }
    }
}

/// The conditions of a tournament in a test.
struct Play<'a> {
    folder: Option<&'a Path>,
    concurrency: usize,
    results: Oracle,
    /// Stop after so many games, at once or after the running ones.
    stop_after: u32,
    now: bool,
}

const ALL: Play<'_> = Play {
    folder: None,
    concurrency: 3,
    results: random_results,
    stop_after: u32::MAX,
    now: false,
};

/// The state and the notes at the end.
type Played<'t> = anyhow::Result<(TournamentState<'t>, Ending, Vec<String>)>;

impl Play<'_> {
    fn run<'t>(&self, tournament: &'t Tournament) -> Played<'t> {
        let names: Vec<String> = tournament
            .config
            .engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect();
        let stop = StopRequest::default();
        let after = self.stop_after;
        let now = self.now;
        let notes = Vec::new();
        let mut observer = Stopper {
            stop: stop.clone(),
            after,
            now,
            notes,
        };
        let [journal, pgn] =
            ["t.journal", "t.pgn"].map(|name| self.folder.map(|folder| folder.join(name)));
        let output = OutputFiles {
            journal,
            pgn,
            keep_moves: true,
        };
        let players = |_| -> anyhow::Result<Player> {
            let (names, stop, results, slow) =
                (names.clone(), stop.signal().clone(), self.results, self.now);
            Ok(Box::new(move |plan| {
                Ok(fake_game(plan, &names, results, slow.then_some(&stop)))
            }))
        };
        let (state, ending) = run(
            tournament,
            &output,
            self.concurrency,
            &players,
            &stop,
            &mut observer,
        )?;
        Ok((state, ending, observer.notes))
    }

    fn records(&self, tournament: &Tournament) -> Vec<GameRecord> {
        let (state, ending, _) = self.run(tournament).expect("played");
        assert_eq!(ending, Ending::Complete);
        state.records().cloned().collect()
    }
}

/// Every game once, in order; pairs with both colours and one opening.
fn check_pairs(records: &[GameRecord], games: u32) {
    let numbers: Vec<u32> = records.iter().map(|record| record.number).collect();
    assert_eq!(numbers, (1..=games).collect::<Vec<_>>());
    for pair in records.chunks(2) {
        let [first, second] = pair else {
            panic!("half a pair")
        };
        assert_eq!((first.pair, &first.opening), (second.pair, &second.opening));
        assert_eq!((&first.white, &first.black), (&second.black, &second.white));
    }
}

fn check_pgn(folder: &Path, records: &[GameRecord]) {
    let pgn = fs::read_to_string(folder.join("t.pgn")).expect("a PGN file");
    assert_eq!(
        pgn,
        records
            .iter()
            .map(|record| Writer::default().write(record))
            .collect::<String>()
    );
}

#[test]
fn games_come_in_pairs_with_openings_of_their_own() {
    let records = ALL.records(&tournament("rounds = 3", 4));
    check_pairs(&records, 36);
    let openings: BTreeSet<_> = records.iter().map(|record| &record.opening.moves).collect();
    assert_eq!(openings.len(), 18);
    let rounds: Vec<&str> = records[10..14]
        .iter()
        .map(|record| &*record.round)
        .collect();
    assert_eq!(rounds, ["1.1", "1.2", "2.1", "2.2"]);
    let mut colours = BTreeMap::<&str, i32>::new();
    for record in &records {
        *colours.entry(&record.white).or_default() += 1;
        *colours.entry(&record.black).or_default() -= 1;
    }
    assert!(
        colours.values().all(|&difference| difference == 0),
        "{colours:?}"
    );
}

#[test]
fn engines_play_by_their_own_limits_with_either_colour() {
    let head = "limits = \"1+0.1\"\nrounds = 1\n[[engines]]\ncommand = \"a\"\nlimits = \"depth=3\"";
    let limits: Vec<_> = ALL
        .records(&tournament(head, 1))
        .into_iter()
        .map(|record| record.limits)
        .collect();
    assert_eq!(
        limits,
        [["depth=3", "1+0.1"], ["1+0.1", "depth=3"]].map(|limits| limits.map(str::to_owned))
    );
}

#[test]
fn a_test_ends_the_match_and_stays_decided() {
    let tournament = tournament("sprt = { elo0 = 0, elo1 = 50 }", 2);
    let folder = tempfile::tempdir().expect("a folder");
    // The first engine wins one game of each pair and draws the other.
    let play = Play {
        folder: Some(folder.path()),
        results: |plan| {
            if plan.number % 2 == 1 {
                Verdict::WhiteWins
            } else {
                Verdict::Draw
            }
        },
        ..ALL
    };
    let (state, ending, _) = play.run(&tournament).expect("played");
    assert_eq!(
        (ending, state.decision),
        (Ending::Decided, Some(Decision::AcceptH1))
    );
    assert!(state.is_complete());
    let games = state.records().len();
    assert!((4..400).contains(&games), "{games}");
    let (state, ending, _) = play.run(&tournament).expect("nothing left");
    assert_eq!((state.records().len(), ending), (games, Ending::Decided));
}

/// Games are in the journal before they are in the PGN, and come into the PGN in order: no kill
/// leaves one in the PGN alone, or one behind it.
fn only_games_of_the_journal(folder: &Path) {
    let journal = fs::read_to_string(folder.join("t.journal")).expect("there");
    let entries = journal
        .lines()
        .filter_map(|line| serde_json::from_str::<JournalEntry>(line).ok());
    let written = |entry| match entry {
        JournalEntry::Game(record) => Some(Writer::default().write(&record)),
        JournalEntry::Decided(_) => None,
    };
    let known: Vec<String> = entries.filter_map(written).collect();
    let pgn = fs::read_to_string(folder.join("t.pgn")).expect("there");
    let is_known = |game: &String| known.iter().any(|known| known.starts_with(game));
    let games = pgn.split_inclusive("\n\n").collect::<Vec<_>>();
    let kept: String = games
        .chunks(2)
        .map(<[&str]>::concat)
        .take_while(is_known)
        .collect();
    fs::write(folder.join("t.pgn"), kept).expect("written");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Stopped again and again, in both ways, and with the end of both files torn off as by a kill:
    /// in the end the same games from the same openings, each once.
    #[test]
    fn stopped_anywhere_the_tournament_is_finished_as_if_nothing_had_been(
        kind in prop::sample::select(vec!["round-robin", "gauntlet"]),
        stops in prop::collection::vec((1_u32..12, any::<bool>(), 0_u64..600, 0_u64..600), 1..6),
        concurrency in 1_usize..5,
    ) {
        let tournament = tournament(&format!("schedule = \"{kind}\"\nrounds = 3"), 5);
        let expected = ALL.records(&tournament);
        let folder = tempfile::tempdir().expect("a folder");
        let play = Play { folder: Some(folder.path()), concurrency, ..ALL };
        for (stop_after, now, torn_journal, torn_pgn) in stops {
            let (_, ending, _) = Play { stop_after, now, ..play }.run(&tournament).expect("continued");
            if ending == Ending::Complete {
                break;
            }
            for (name, torn) in [("t.journal", torn_journal), ("t.pgn", torn_pgn)] {
                let file = fs::OpenOptions::new().write(true).open(folder.path().join(name)).expect("there");
                file.set_len(file.metadata().expect("a length").len().saturating_sub(torn)).expect("torn");
            }
            only_games_of_the_journal(folder.path());
        }
        let records = play.records(&tournament);
        check_pairs(&records, tournament.games());
        check_pgn(folder.path(), &records);
        prop_assert_eq!(records, expected);
    }
}

#[test]
fn what_is_torn_is_told() {
    let tournament = tournament("rounds = 2", 2);
    let folder = tempfile::tempdir().expect("a folder");
    let play = Play {
        folder: Some(folder.path()),
        ..ALL
    };
    play.records(&tournament);
    let journal = folder.path().join("t.journal");
    let bytes = fs::read(&journal).expect("a journal");
    fs::write(&journal, &bytes[..bytes.len() - 5]).expect("torn");
    only_games_of_the_journal(folder.path());
    let (_, ending, notes) = play.run(&tournament).expect("continued");
    assert_eq!(ending, Ending::Complete);
    assert!(
        notes.len() == 1 && notes[0].contains("done again"),
        "{notes:?}"
    );
    assert_eq!(fs::read(&journal).expect("a journal").len(), bytes.len());
}

#[test]
fn another_tournament_is_not_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = Play {
        folder: Some(folder.path()),
        ..ALL
    };
    play.records(&tournament("rounds = 2", 2));
    for (head, engines, changed) in [
        (
            "rounds = 2\nlimits = \"1+1\"",
            2,
            "limits: was 10+0.1, is 1+1",
        ),
        (
            "rounds = 2\nopenings = { plies = 2 }",
            2,
            "openings.plies: was 8, is 2",
        ),
        ("rounds = 2", 3, "engine 3"),
        (
            "rounds = 2\nadjudication = { max_moves = 9 }",
            2,
            "adjudication.max_moves",
        ),
        ("rounds = 2\nsprt = { elo0 = 0, elo1 = 5 }", 2, "sprt"),
    ] {
        let error = play
            .run(&tournament(head, engines))
            .expect_err("refused")
            .to_string();
        assert!(error.contains(changed), "{head}: {error}");
        assert!(!error.contains("openings.content"), "{head}: {error}");
    }
}

#[test]
fn journals_that_do_not_fit_are_refused() {
    let tournament = tournament("rounds = 2", 2);
    let records = ALL.records(&tournament);
    let resume = |records: &[GameRecord]| {
        let mut state = TournamentState::new(&tournament, true);
        let mut entries = records
            .iter()
            .cloned()
            .map(|record| JournalEntry::Game(Box::new(record)));
        entries
            .try_for_each(|entry| state.learn(entry))
            .map(|()| state.records().len())
    };
    assert_eq!(resume(&records), Ok(4));
    let twice = resume(&[&records[..], &records[..1]].concat());
    assert_eq!(twice, Err("game 1 is in the journal twice".to_owned()));
    for number in [0, 5, u32::MAX] {
        let unplanned = format!("the journal has a game {number}, and this tournament has 4 games");
        assert_eq!(
            resume(&[GameRecord {
                number,
                ..records[0].clone()
            }]),
            Err(unplanned)
        );
    }
    let opening = records[2].opening.clone();
    let different = "game 2 of the journal has another opening than planned".to_owned();
    assert_eq!(
        resume(&[GameRecord {
            opening,
            ..records[1].clone()
        }]),
        Err(different)
    );
    let white = records[0].white.clone();
    let black = records[0].black.clone();
    assert!(
        resume(&[GameRecord {
            white,
            black,
            ..records[1].clone()
        }])
        .is_err()
    );
}

/// A failing or panicking player ends the tournament with its reason; the others' games are kept.
#[test]
fn failures_end_the_tournament_and_lose_nothing() {
    let tournament = tournament("rounds = 20", 2);
    let folder = tempfile::tempdir().expect("a folder");
    let play = Play {
        folder: Some(folder.path()),
        results: |plan| {
            if plan.number == 9 {
                panic!("on purpose")
            } else {
                Verdict::Draw
            }
        },
        ..ALL
    };
    assert_eq!(
        play.run(&tournament).expect_err("failed").to_string(),
        "the work on game 9 panicked"
    );
    let journal = fs::read_to_string(folder.path().join("t.journal")).expect("a journal");
    assert!(journal.contains("{\"game\":{\"number\":8,"));
    assert!(!journal.contains("{\"game\":{\"number\":9,"));
    check_pgn(
        folder.path(),
        &Play {
            results: random_results,
            ..play
        }
        .records(&tournament),
    );
}

/// An engine's weights, book or library are the same as long as the file's content is the same.
#[test]
fn settings_know_what_is_in_the_files_of_engines() {
    let (_folder, path) = crate::util::files::tests::in_a_folder("gm.klib");
    let settings = || {
        let names = [
            "LibraryFile",
            "EvalFileSmall",
            "LogFile",
            "\"Experience File\"",
        ];
        let options = names
            .map(|name| format!("{name} = {:?}", path.display()))
            .join(", ");
        tournament(
            &format!("[[engines]]\ncommand = \"other\"\noptions = {{ {options} }}"),
            1,
        )
        .settings()
    };
    assert_eq!(settings().get("files"), None, "there is no such file yet");
    fs::write(&path, "one library").expect("written");
    let before = settings();
    assert_eq!(
        before["files"]["other"]
            .as_object()
            .map(serde_json::Map::len),
        Some(2),
        "{before}"
    );
    assert_eq!(before, settings());
    fs::write(&path, "another one").expect("written");
    assert_ne!(before["files"], settings()["files"]);
}

/// The tournament of one of several machines.
fn of_part(part: &str) -> Tournament {
    let mut tournament = tournament("schedule = \"round-robin\"\nrounds = 3", 4);
    tournament.config.part = Some(part.parse().expect("a part"));
    tournament
}

#[test]
fn a_part_goes_on_where_it_was_stopped_and_not_in_the_journal_of_another() {
    assert_eq!(
        ALL.records(&of_part("19/19")),
        [],
        "a part that has nothing to do is complete"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let play = Play {
        folder: Some(folder.path()),
        ..ALL
    };
    let part = of_part("1/3");
    Play {
        stop_after: 2,
        concurrency: 1,
        ..play
    }
    .run(&part)
    .expect("begun");
    let records = play.records(&part);
    assert_eq!(records.len(), part.games() as usize);
    check_pgn(folder.path(), &records);
    // Its head is mended, and it still has games that the part does not play.
    let path = folder.path().join("t.journal");
    let text = fs::read_to_string(&path).expect("a journal");
    fs::write(&path, text.replace("\"part\":\"1/3\"", "\"part\":\"2/3\"")).expect("written");
    let error = play.run(&of_part("2/3")).expect_err("refused").to_string();
    assert!(error.contains("and this tournament has"), "{error}");
}
