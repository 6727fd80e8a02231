//! What an xboard engine says about itself.

use crate::arena::client::offer::{Kind, Offer};
use crate::protocol::xboard::{Feature, FeatureValue};

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
    pub options: Vec<Offer>,
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
                self.options.push(offer(option));
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

/// Reads `NAME -KIND VALUE ...`; the name may have blanks. What is of no known kind takes any text.
fn offer(option: &str) -> Offer {
    let (name, declaration) = option.split_once(" -").unwrap_or((option, ""));
    let (kind, values) = declaration.split_once(' ').unwrap_or((declaration, ""));
    let kind = match kind.trim() {
        "check" => Kind::Check,
        "button" | "save" | "reset" => Kind::Button,
        "spin" | "slider" => {
            let numbers: Vec<i64> = values.split_whitespace().map_while(|word| word.parse().ok()).collect();
            match numbers[..] {
                [_, min, max] => Kind::Spin { min, max },
                _ => Kind::Text,
            }
        }
        "combo" => {
            // The current choice has a star.
            let choices = values.split("///").map(|choice| choice.trim().trim_start_matches('*').to_owned());
            Kind::Combo(choices.collect())
        }
        _ => Kind::Text,
    };
    Offer { name: name.trim().to_owned(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_their_kinds() {
        let kind = |text: &str| offer(text).kind;
        assert_eq!(offer("Book File -file a b.bin").name, "Book File");
        assert_eq!(kind("Book File -file a b.bin"), Kind::Text);
        assert_eq!(kind("Resign -check 0"), Kind::Check);
        assert_eq!(kind("Clear Hash -button"), Kind::Button);
        assert_eq!(kind("Level -spin 3 -1 9"), Kind::Spin { min: -1, max: 9 });
        assert_eq!(kind("Level -spin 3"), Kind::Text);
        let choices = ["Solid", "Very Risky"].map(str::to_owned).to_vec();
        assert_eq!(kind("Style -combo Solid /// *Very Risky"), Kind::Combo(choices));
    }
}
