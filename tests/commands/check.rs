//! `kashan check`: our own engine keeps both protocols, and whoever breaks a rule fails at that
//! rule.

use crate::common::programs::TestFolder;
use serde_json::Value;

const KASHAN: &str = env!("CARGO_BIN_EXE_kashan");

/// The names of the checks that failed and of those that passed.
fn check(place: &TestFolder, engine: &str, more: &str) -> (bool, Vec<String>, Vec<String>) {
    let slack = if more.contains("--slack") {
        ""
    } else {
        "--slack 10"
    };
    let (fine, text, errors) = place.run(&format!(
        "check '{engine}' --json --concurrency 4 {slack} {more}"
    ));
    let report: Value =
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("no report: {errors}"));
    let checks = || {
        report["protocols"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|one| one["checks"].as_array())
    };
    let named = |result: &str| {
        let all = checks()
            .flatten()
            .filter(|check| check["outcome"]["result"] == result);
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        all.map(|check| {
            (word(&check["id"]) + " " + &word(&check["outcome"]["fault"]))
                .trim()
                .to_owned()
        })
        .collect()
    };
    (fine, named("failed"), named("passed"))
}

/// With a second of slack, in one of three tries: other tests run at the same time.
fn keeps(protocol: &str, at_least: usize) {
    let place = TestFolder::new();
    let mut faults = Vec::new();
    for _ in 0..3 {
        let (fine, failed, passed) =
            check(&place, KASHAN, &format!("--protocol {protocol} --slack 1"));
        if fine && failed.is_empty() {
            assert!(passed.len() >= at_least, "{passed:?}");
            // Whichever of them ended first, they are told in the order of the protocol's text.
            let listed = place.prints(&format!("check --list --protocol {protocol}"));
            let places: Vec<_> = passed
                .iter()
                .map(|id| listed.find(&format!("\n  {id} ")))
                .collect();
            assert!(places.is_sorted() && !places.contains(&None), "{passed:?}");
            return;
        }
        faults.push(failed);
    }
    panic!("three times, by tries: {faults:#?}");
}

#[test]
fn our_engine_keeps_the_xboard_protocol() {
    keeps("xboard", 84);
}

#[test]
fn our_engine_keeps_uci() {
    keeps("uci", 71);
}

/// Not only before the time that a new search would have is over: that is more than two seconds
/// here.
#[test]
fn a_ponder_hit_that_comes_late_is_answered_at_once() {
    for protocol in ["xboard", "uci"] {
        let more = format!("--protocol {protocol} --only ponder.late --slack 2");
        let (_, failed, passed) = check(&TestFolder::new(), KASHAN, &more);
        assert_eq!(
            (failed, passed),
            (vec![], vec!["ponder.late".to_owned()]),
            "{protocol}"
        );
    }
}

/// Our engine behind a filter that spoils what it says.
#[test]
#[cfg(unix)]
fn who_breaks_a_rule_fails_at_that_rule_only() {
    let place = TestFolder::new();
    for (protocol, script, only, broken) in [
        (
            "uci",
            "s/^bestmove e1g1/bestmove e1h1/",
            "move.",
            "move.castling its move e1h1",
        ),
        (
            "uci",
            "s/score mate -/score mate /",
            "info.mate",
            "info.mated",
        ),
        ("uci", "s/^id author/author/", "hand", "hand.id there is no"),
        (
            "xboard",
            "s/^pong 4711/pong 4712/",
            "ping.",
            "ping.number \"pong 3\" comes before",
        ),
        (
            "xboard",
            "s/^1\\/2-1\\/2/1-0/",
            "stalemate",
            "stalemate it claims",
        ),
        (
            "xboard",
            "s/^Illegal move/Sorry/",
            "illegal.after",
            "illegal.after it does not refuse",
        ),
        (
            "xboard",
            "s/^\\([0-9]*\\) 100001 /\\1 99999 /",
            "think.black",
            "think.black",
        ),
    ] {
        place.write("spoiled", format!("'{KASHAN}' | sed -u '{script}'\n"));
        let more = format!("--protocol {protocol} --only {only}");
        let (fine, failed, _) = check(&place, "sh spoiled", &more);
        assert!(
            !fine && failed.len() == 1 && failed[0].starts_with(broken),
            "{script}: {failed:#?}"
        );
    }
}

/// An engine that dies in each check is started again for the next; one that says nothing is no
/// engine.
#[test]
#[cfg(unix)]
fn engines_that_die_or_say_nothing_are_named() {
    let place = TestFolder::new();
    place.write("dies", "echo uciok; exit 3\n");
    let (fine, failed, passed) = check(&place, "sh dies", "--protocol uci --only quit");
    assert!(
        !fine && failed.len() == 2 && passed == ["hand.quit"],
        "{failed:?} {passed:?}"
    );
    assert!(
        failed.iter().all(|fault| fault.contains("ended")),
        "{failed:?}"
    );
    assert!(
        place
            .fails("check 'sleep 60' --only quit")
            .contains("neither")
    );
    assert!(
        place
            .fails(&format!("check '{KASHAN}' --only no-such-check"))
            .contains("--list")
    );
}
