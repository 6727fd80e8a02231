//! The agreement of a front end and the engine: features, options, memory, and the root moves to be
//! considered.

use std::path::Path;

use super::{Activity, Mode, XboardFront};
use crate::engine::front::NAME;
use crate::engine::front::options::xboard_options;
use crate::engine::{Engine, MOST_THREADS};
use crate::rules::protocol::xboard::{Feature, Reply};

/// The format of the endgame tables, by its name in the protocol.
const TABLE_FORMAT: &str = "syzygy";

/// The default folder of xboard for tables of this format.
const XBOARDS_TABLES: &str = "/EGT/Syzygy";

impl XboardFront {
    /// Handles `accepted` and `rejected`. A front end that rejects `sigint=0` goes on sending
    /// SIGINT before its commands.
    pub(super) fn feature_answered(&mut self, feature: &str, accepted: bool) {
        match feature {
            "debug" => self.debug = accepted,
            "sigint" => self.is_interrupted = !accepted,
            _ => {}
        }
    }

    /// `protover`, and our features: only what works is declared. Any version from 2 on is answered
    /// with the same features: the protocol grows by features, not by versions.
    pub(super) fn announce(&mut self, version: u32) {
        if version < 2 {
            return;
        }
        self.is_interrupted = false;
        for features in [
            // An hour instead of two seconds, should the machine be slow.
            "done=0",
            "ping=1 setboard=1",
            "usermove=1 san=0 time=1 draw=1 reuse=1 analyze=1 colors=0 sigint=0 sigterm=0 playother=1",
            "pause=1 nps=1 memory=1 smp=1 exclude=1 debug=1",
            &format!("variants=\"normal\" egt=\"{TABLE_FORMAT}\""),
            &format!("myname=\"{NAME}\""),
        ] {
            self.say(Reply::Features(Feature::parse_all(features)));
        }
        for option in xboard_options(self.engine.settings(), self.declares_all) {
            self.say(Reply::Features(vec![option]));
        }
        self.say(Reply::Features(Feature::parse_all("done=1")));
    }

    /// Changes the engine. A search in the background makes way and begins again; one for an own
    /// move is finished first.
    pub(super) fn configure<T>(&mut self, change: impl FnOnce(&mut Engine) -> T) -> T {
        let background = matches!(
            self.activity,
            Activity::Guess | Activity::Ponder { .. } | Activity::Analysis { .. }
        );
        if background {
            self.cancel();
        }
        let result = change(&mut self.engine);
        if background {
            self.start_background();
        }
        result
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        // A check box without a value would be a button; we have none, so it is as good as an empty
        // text.
        let value = value.unwrap_or("");
        if let Err(error) = self.configure(|engine| engine.set_option(name, value)) {
            // Not in the log: xboard reads it, and takes "No such file" in it for the end of the
            // engine.
            self.error(&error.to_string(), line);
        }
    }

    /// Handles `egtpath`. Tables in other formats are not read, and were not asked for. Without a
    /// folder of the user xboard names its own: a missing one is passed over in silence. A match
    /// without a window waits for ever after an error: other missing tables are reported in a
    /// comment. Nothing is logged: xboard reads the log as well, and takes "No such file" there for
    /// the end of the engine.
    pub(super) fn set_tables(&mut self, kind: &str, path: &str) {
        let is_nobodys = path == XBOARDS_TABLES && !Path::new(path).exists();
        if kind.eq_ignore_ascii_case(TABLE_FORMAT)
            && !is_nobodys
            && let Err(error) = self.configure(|engine| engine.set_option("SyzygyPath", path))
        {
            self.comment(error.to_string());
        }
    }

    /// `cores`: so many threads at most.
    pub(super) fn set_cores(&mut self, cores: u32, line: &str) {
        if cores == 0 {
            return self.error("a search needs one core at least", line);
        }
        // A front end says the same before each game.
        if i64::from(cores).min(MOST_THREADS) != self.engine.settings().engine.threads {
            self.configure(|engine| engine.set_threads(cores));
        }
        if i64::from(cores) > MOST_THREADS {
            self.comment(format!("{MOST_THREADS} threads search at most"));
        }
    }

    /// `exclude` and `include`: a move, or `all` of them.
    pub(super) fn exclude(&mut self, text: &str, is_excluded: bool, line: &str) {
        let position = self.engine.position();
        let moves = match (text, position.parse_move(text)) {
            ("all", _) => position.legal_moves().to_vec(),
            (_, Ok(mv)) => vec![mv],
            (_, Err(_)) => return self.error("illegal move", line),
        };
        self.excluded.retain(|mv| !moves.contains(mv));
        if is_excluded {
            self.excluded.extend(moves);
        }
        self.restart_analysis();
    }

    pub(super) fn restart_analysis(&mut self) {
        if self.mode == Mode::Analyze {
            self.start_background();
        }
    }
}
