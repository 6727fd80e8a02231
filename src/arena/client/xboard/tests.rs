use shakmaty::ByColor;

use super::*;
use crate::arena::Opening;
use crate::arena::referee::Referee;

fn heard(engine: &mut Xboard, line: &str) -> (Option<DriverEvent>, String) {
    let mut out = Outbox::default();
    (engine.hear(line, &mut out), out.take())
}

#[test]
fn features_are_answered_and_nothing_counts_before_the_pong() {
    let mut engine = Xboard::default();
    let (_, said) = heard(
        &mut engine,
        "feature ping=1 fuzzy=2 myname=\"X 1.0\" done=1",
    );
    assert_eq!(
        said,
        "accepted ping\nrejected fuzzy\naccepted myname\naccepted done\n"
    );
    assert!(engine.is_greeted() && engine.own_name() == Some("X 1.0"));
    let mut out = Outbox::default();
    engine.ask_ready(&mut out);
    assert_eq!(out.take(), "ping 1\n");
    for line in ["move e2e4", "pong 0"] {
        assert!(heard(&mut engine, line).0.is_none() && !engine.is_ready());
    }
    assert_eq!(heard(&mut engine, "pong 1").0, None);
    assert!(engine.is_ready());
    assert!(matches!(
        heard(&mut engine, "move e2e4").0,
        Some(DriverEvent::Move { .. })
    ));
}

#[test]
fn thinking_lines_are_read_as_engines_write_them() {
    let mut engine = Xboard::default();
    for (line, exact, milliseconds) in [
        ("9 156 184 48000 Nf3 Nc6 Nc3 Nf6", true, 1840),
        ("9 156 184 48000 Nf3!", false, 1840),
        ("9 -20 184 48000 Nf3?", false, 1840),
        ("6 162 5 61123 (+) 1. Qg6 fxg6 2. Nxg6#", false, 50),
        ("6 30 5 61123 e4 ++", false, 50),
    ] {
        let Some(DriverEvent::Thinking(text)) = heard(&mut engine, line).0 else {
            panic!("{line}")
        };
        assert_eq!(text.exact, exact, "{line}");
        assert_eq!(
            text.time,
            Some(Duration::from_millis(milliseconds)),
            "{line}"
        );
        assert_eq!(
            text.score.0,
            line.split(' ')
                .nth(1)
                .map_or(0, |score| score.parse().unwrap())
        );
        assert!(line.ends_with(&text.variation));
    }
    for line in ["0 0 0 0 (Book) e2e4", "pong 3", ""] {
        assert_eq!(heard(&mut engine, line).0, None, "{line}");
    }
}

#[test]
fn a_matched_time_is_said_again_when_its_seconds_change() {
    let game = Referee::new(&Opening::default()).expect("the usual position");
    let clock = |limits: &str| SideClock::new(limits.parse().expect("limits"), Duration::ZERO, 0);
    let mut clocks = ByColor {
        white: clock("matched/0.05"),
        black: clock("60"),
    };
    let mut engine = Xboard::default();
    let mut said = |spent: u64| {
        clocks.white.opponent_spent(Duration::from_millis(spent));
        let mut out = Outbox::default();
        engine.turn(
            &Turn {
                referee: &game,
                clocks: &clocks,
            },
            &mut out,
        );
        out.take().lines().take(2).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(said(0), "level 1 0:01 0; time 5");
    assert_eq!(said(700), "time 70; otim 6000");
    assert_eq!(said(1700), "level 1 0:02 0; time 170");
    assert_eq!(said(10), "level 1 0:01 0; time 5");
}

#[test]
fn only_refusals_of_the_last_move_are_disputes() {
    let told = Played {
        uci: "e7e5".to_owned(),
        san: "e5".to_owned(),
    };
    let mut engine = Xboard {
        told: Some(told),
        ..Xboard::default()
    };
    for line in [
        "Error (unknown command): random",
        "Error: no book",
        "Error (unknown command):",
        "Illegal move: e2e4",
        "# Illegal move: e2e4",
        "# illegal move",
        "# thinking about e7e5",
    ] {
        assert!(heard(&mut engine, line).0.is_none() && engine.refused().is_none());
    }
    assert_eq!(heard(&mut engine, "Illegal move: sd 3").0, None);
    assert_eq!(engine.refused(), Some("Illegal move: sd 3"));
    for line in [
        "Illegal move (no king there): e7e5",
        "Illegal move:e7e5",
        "Illegal Move",
        "illegal move E7-E5",
        "Illegal move: e5",
        "illegal move (reason):e7e5",
        "Error: e7e5",
        "ERROR (not legal):e7e5",
        "Error (illegal move):",
        "# Illegal move: e7e5",
        "#error: usermove e7e5",
    ] {
        let event = heard(&mut engine, line).0;
        assert_eq!(event, Some(DriverEvent::Dispute(line.to_owned())), "{line}");
    }
}
