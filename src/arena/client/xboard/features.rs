//! What an xboard engine says about itself.

use crate::protocol::uci::{OptionOffer, OptionType};
use crate::protocol::xboard::{Feature, FeatureValue};

/// Features that every engine has unless it says otherwise.
const GIVEN: [&str; 7] = ["time", "draw", "reuse", "colors", "sigint", "sigterm", "analyze"];

/// All features that mean something to us, or on which nothing that we do depends: those with a text, and
/// those that are on or off.
const TEXTS: [&str; 3] = ["variants", "myname", "option"];
const SWITCHES: &str = "ping setboard san usermove time draw reuse colors name nps memory smp done sigint sigterm \
                        analyze playother pause debug exclude";

/// What the engine said about itself.
#[derive(Debug, Default)]
pub struct Features {
    said: Vec<Feature>,
    pub options: Vec<OptionOffer>,
}

impl Features {
    /// Takes a feature; `false` if it means nothing to us.
    pub fn take(&mut self, feature: &Feature) -> bool {
        let name = feature.name.as_str();
        match (&feature.value, TEXTS.contains(&name)) {
            (FeatureValue::Number(_), true) => return false,
            (FeatureValue::Text(option), _) if name == "option" => self.options.push(offer(option)),
            _ => {}
        }
        self.said.push(feature.clone());
        TEXTS.contains(&name) || SWITCHES.split(' ').any(|known| known == name)
    }

    /// Whether a feature is on. What was said last counts.
    pub fn has(&self, name: &str) -> bool {
        match self.said.iter().rfind(|feature| feature.name == name) {
            Some(feature) => feature.value != FeatureValue::Number(0),
            None => GIVEN.contains(&name),
        }
    }

    /// The value of a feature that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.said.iter().rev().find_map(|feature| match &feature.value {
            FeatureValue::Text(text) if feature.name == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// Whether it says that it plays a variant.
    pub fn plays(&self, variant: &str) -> bool {
        self.text("variants").is_some_and(|list| list.split(',').any(|one| one.trim() == variant))
    }

    /// Whether `done=0` was said: it wants more time, up to an hour.
    pub fn wants_time(&self) -> bool {
        self.said.iter().any(|feature| feature.name == "done" && feature.value == FeatureValue::Number(0))
    }
}

/// The parts of `NAME -KIND VALUE ...`; the name may have blanks.
pub fn declaration(option: &str) -> [&str; 3] {
    let (name, declaration) = option.split_once(" -").unwrap_or((option, ""));
    let (kind, values) = declaration.split_once(' ').unwrap_or((declaration, ""));
    [name, kind, values].map(str::trim)
}

/// Reads the declaration of an option. What is of no known kind takes any text.
fn offer(option: &str) -> OptionOffer {
    let [name, kind, values] = declaration(option);
    let numbers: Vec<i64> = values.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let kind = match (kind, &numbers[..]) {
        ("check", _) => OptionType::Check { default: numbers == [1] },
        ("button" | "save" | "reset", _) => OptionType::Button,
        ("spin" | "slider", &[default, min, max]) => {
            OptionType::Spin { default, min: Some(min), max: Some(max) }
        }
        ("combo", _) => {
            // The current choice has a star.
            let choices = || values.split("///").map(str::trim);
            OptionType::Combo {
                default: choices().find_map(|choice| choice.strip_prefix('*')).unwrap_or_default().to_owned(),
                choices: choices().map(|choice| choice.trim_start_matches('*').to_owned()).collect(),
            }
        }
        _ => OptionType::Text { default: values.to_owned() },
    };
    OptionOffer { name: name.to_owned(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_their_kinds() {
        let kind = |text: &str| offer(text).kind;
        let text = |default: &str| OptionType::Text { default: default.to_owned() };
        assert_eq!(offer("Book File -file a b.bin").name, "Book File");
        assert_eq!(kind("Book File -file a b.bin"), text("a b.bin"));
        assert_eq!(kind("Resign -check 0"), OptionType::Check { default: false });
        assert_eq!(kind("Clear Hash -button"), OptionType::Button);
        assert_eq!(kind("Level -spin 3 -1 9"), OptionType::Spin { default: 3, min: Some(-1), max: Some(9) });
        assert_eq!(kind("Level -spin 3"), text("3"));
        let choices = ["Solid", "Very Risky"].map(str::to_owned).to_vec();
        let default = choices[1].clone();
        assert_eq!(kind("Style -combo Solid /// *Very Risky"), OptionType::Combo { default, choices });
    }
}
