//! What an xboard engine says about itself.

use crate::protocol::xboard::{Feature, FeatureValue};

/// An option that the engine offers.
#[derive(Debug)]
pub struct Choice {
    /// In the engine's own letters.
    pub name: String,
    /// Whether it is on or off, which is 1 or 0 here and `true` or `false` in UCI.
    pub is_check: bool,
}

/// What the engine said about itself; the defaults are the protocol's.
#[derive(Debug)]
pub struct Features {
    pub ping: bool,
    pub setboard: bool,
    pub san: bool,
    pub usermove: bool,
    pub time: bool,
    pub draw: bool,
    pub reuse: bool,
    pub colors: bool,
    pub name: bool,
    pub nps: bool,
    pub memory: bool,
    pub smp: bool,
    pub variants: Option<String>,
    pub own_name: Option<String>,
    pub options: Vec<Choice>,
    /// `done=0` was said: it wants more time, up to an hour.
    pub wants_time: bool,
    pub done: bool,
}

impl Default for Features {
    fn default() -> Self {
        Features {
            ping: false,
            setboard: false,
            san: false,
            usermove: false,
            time: true,
            draw: true,
            reuse: true,
            colors: true,
            name: false,
            nps: false,
            memory: false,
            smp: false,
            variants: None,
            own_name: None,
            options: Vec::new(),
            wants_time: false,
            done: false,
        }
    }
}

impl Features {
    /// Takes a feature; `false` if it means nothing to us.
    pub fn set(&mut self, feature: &Feature) -> bool {
        let on = !matches!(feature.value, FeatureValue::Number(0));
        match (feature.name.as_str(), &feature.value) {
            ("ping", _) => self.ping = on,
            ("setboard", _) => self.setboard = on,
            ("san", _) => self.san = on,
            ("usermove", _) => self.usermove = on,
            ("time", _) => self.time = on,
            ("draw", _) => self.draw = on,
            ("reuse", _) => self.reuse = on,
            ("colors", _) => self.colors = on,
            ("name", _) => self.name = on,
            ("nps", _) => self.nps = on,
            ("memory", _) => self.memory = on,
            ("smp", _) => self.smp = on,
            ("variants", FeatureValue::Text(variants)) => self.variants = Some(variants.clone()),
            ("myname", FeatureValue::Text(name)) => self.own_name = Some(name.clone()),
            ("option", FeatureValue::Text(option)) => {
                // NAME -kind VALUE ...; the name may have blanks.
                let (name, kind) = option.split_once(" -").unwrap_or((option, ""));
                self.options.push(Choice {
                    name: name.trim().to_owned(),
                    is_check: kind.starts_with("check"),
                });
            }
            ("done", _) => {
                self.done = on;
                self.wants_time |= !on;
            }
            // Nothing that we do depends on these.
            ("sigint" | "sigterm" | "analyze" | "playother" | "pause" | "debug" | "exclude", _) => {}
            _ => return false,
        }
        true
    }
}
