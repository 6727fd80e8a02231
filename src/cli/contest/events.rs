//! What a program gets to read: one JSON object a line on standard output.
//!
//! `{"event":"begins"}`, `{"event":"game-begins"}`, `{"event":"game"}` with the whole record, `{"event":"note"}`, and last
//! `{"event":"result"}` as [`Standings::json`] makes it.

use serde_json::{Value, json};

use super::Standings;
use super::screen::Screen;
use crate::arena::tournament::{Course, Observer};
use crate::arena::{GamePlan, GameRecord};
use crate::cli::print;

/// Tells a program what happens.
#[derive(Debug)]
pub struct Events<'s> {
    screen: &'s Screen,
    engines: Vec<String>,
}

impl<'s> Events<'s> {
    pub fn new(screen: &'s Screen) -> Self {
        Events {
            screen,
            engines: Vec::new(),
        }
    }

    fn tell(&self, event: &Value) {
        self.screen.line(&event.to_string());
    }
}

impl Observer for Events<'_> {
    fn note(&mut self, text: &str) {
        self.screen.warn(text);
        self.tell(&json!({"event": "note", "text": text}));
    }

    fn begins(&mut self, course: &Course<'_>) {
        self.screen.begins(course);
        let tournament = course.tournament();
        self.engines = tournament
            .terms()
            .engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect();
        self.tell(&json!({
            "event": "begins",
            "settings": tournament.settings(),
            "games": tournament.games(),
            "played": course.records().len(),
        }));
    }

    fn game_begins(&mut self, plan: &GamePlan) {
        self.tell(&json!({
            "event": "game-begins",
            "number": plan.number,
            "round": plan.round,
            "white": self.engines[plan.white],
            "black": self.engines[plan.black],
        }));
    }

    fn game_ended(&mut self, record: &GameRecord, course: &Course<'_>) {
        self.screen.game_ended(course);
        self.tell(&json!({
            "event": "game",
            "played": course.records().len(),
            "sprt": course.sprt(),
            "record": record,
        }));
    }
}

/// The last line.
///
/// # Errors
/// Nobody reads it.
pub fn result(standings: &Standings) -> anyhow::Result<()> {
    let mut event = standings.json();
    event["event"] = "result".into();
    print(&format!("{event}\n"))
}
