//! Offers of engines: the options of both protocols and values for them, and the features of xboard
//! engines.

use super::program::ALL_OPTIONS;
use crate::rules::protocol::uci::{OptionOffer, OptionType};
use crate::rules::protocol::xboard::{Feature, FeatureValue};
use crate::util::display::{is_one_of, nearest};

/// The option of the given name, in any case; if there is none, the one whose name has other
/// blanks (`MoveOverhead`, `Move Overhead`).
pub fn named<'o>(options: &'o [OptionOffer], name: &str) -> Option<&'o OptionOffer> {
    let mut nearly = None;
    for option in options {
        if option.name.eq_ignore_ascii_case(name) {
            return Some(option);
        }
        let bare = option.name.replace(' ', "");
        if nearly.is_none() && bare.eq_ignore_ascii_case(&name.replace(' ', "")) {
            nearly = Some(option);
        }
    }
    nearly
}

/// The value to send for `value`: `true` or `false` for a check, a choice in the engine's own
/// letters, nothing for a button. Most engines ignore a misfit silently, so the arena checks
/// values.
///
/// # Errors
/// Fails on a misfit; the text names the option and the fitting values.
pub fn fit(option: &OptionOffer, value: &str) -> Result<Option<String>, String> {
    let expected = |what: String| Err(format!("option {}: \"{value}\" is not {what}", option.name));
    match &option.kind {
        OptionType::Button => match value {
            "" => Ok(None),
            _ => expected("needed: it is a button".to_owned()),
        },
        OptionType::Check { .. } => match value {
            "true" | "1" => Ok(Some("true".to_owned())),
            "false" | "0" => Ok(Some("false".to_owned())),
            _ => expected("true or false".to_owned()),
        },
        OptionType::Spin { min, max, .. } => {
            let min = min.unwrap_or(i64::MIN);
            let max = max.unwrap_or(i64::MAX);
            match value.trim().parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(Some(number.to_string())),
                _ => expected(format!("a whole number from {min} to {max}")),
            }
        }
        OptionType::Combo { choices, .. } => {
            for choice in choices {
                if choice.eq_ignore_ascii_case(value) {
                    return Ok(Some(choice.clone()));
                }
            }
            expected(format!("one of {}", choices.join(", ")))
        }
        OptionType::Text { .. } => Ok(Some(value.to_owned())),
    }
}

/// The complaint about an option missing in an engine of the given name, which has `more` words
/// that serve as options.
pub fn unknown_option(
    name: &str,
    options: &[OptionOffer],
    more: &[&str],
    own_name: Option<&str>,
) -> String {
    let mut known: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    known.extend(more);
    let mut text = format!("it has no option \"{name}\"");
    if known.is_empty() {
        return text + ", nor any other";
    }
    if let Some(meant) = nearest(name, known.iter().copied()) {
        text += &format!(" (did you mean {meant}?)");
    }
    text += &format!("; it has {}", known.join(", "));
    if own_name.is_some_and(|name| name.starts_with("Kashan ")) {
        text += &format!(" (it declares all that it has when it is started with {ALL_OPTIONS})");
    }
    text
}

/// Features of every engine unless declared otherwise.
const GIVEN: [&str; 7] = [
    "time", "draw", "reuse", "colors", "sigint", "sigterm", "analyze",
];

/// Features with a meaning for us, or without influence on anything here: those with a text, and
/// those with on or off.
const TEXT_FEATURES: &str = "variants myname option";
const SWITCHES: &str = "ping setboard san usermove time draw reuse colors name nps memory smp done sigint sigterm \
                        analyze playother pause debug exclude";

/// An xboard engine's declarations about itself.
#[derive(Debug, Default)]
pub struct Features {
    /// The features in the order of declaration.
    pub said: Vec<Feature>,
    pub options: Vec<OptionOffer>,
}

impl Features {
    /// Takes a feature; returns false for a meaningless one.
    pub fn take(&mut self, feature: &Feature) -> bool {
        self.said.push(feature.clone());
        let name = feature.name.as_str();
        match &feature.value {
            FeatureValue::Number(_) => is_one_of(SWITCHES, name),
            FeatureValue::Text(text) => {
                if name == "option" {
                    self.options.push(declared(text));
                }
                is_one_of(SWITCHES, name) || is_one_of(TEXT_FEATURES, name)
            }
        }
    }

    /// Returns true if a feature is on. The last declaration counts.
    pub fn has(&self, name: &str) -> bool {
        match self.said.iter().rfind(|feature| feature.name == name) {
            Some(feature) => feature.value != FeatureValue::Number(0),
            None => GIVEN.contains(&name),
        }
    }

    /// The text of a feature.
    pub fn text(&self, name: &str) -> Option<&str> {
        for feature in self.said.iter().rev() {
            if let FeatureValue::Text(text) = &feature.value
                && feature.name == name
            {
                return Some(text);
            }
        }
        None
    }

    /// Returns true if the engine declares a variant.
    pub fn plays(&self, variant: &str) -> bool {
        let variants = self.text("variants").unwrap_or_default();
        variants.split(',').any(|one| one.trim() == variant)
    }

    /// Returns true after `done=0`: the engine wants more time, up to an hour.
    pub fn wants_time(&self) -> bool {
        self.said
            .iter()
            .any(|feature| feature.name == "done" && feature.value == FeatureValue::Number(0))
    }
}

/// Reads the declaration of an option, `NAME -KIND VALUE ...`; the name may have blanks. An unknown
/// kind takes any text.
fn declared(option: &str) -> OptionOffer {
    let (name, declaration) = option.split_once(" -").unwrap_or((option, ""));
    let (kind, values) = declaration.split_once(' ').unwrap_or((declaration, ""));
    let [name, kind, values] = [name, kind, values].map(str::trim);
    let numbers: Vec<i64> = values
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let kind = match (kind, &numbers[..]) {
        ("check", _) => OptionType::Check {
            default: numbers == [1],
        },
        ("button" | "save" | "reset", _) => OptionType::Button,
        ("spin" | "slider", &[default, min, max]) => OptionType::Spin {
            default,
            min: Some(min),
            max: Some(max),
        },
        ("combo", _) => {
            let mut default = String::new();
            let mut choices = Vec::new();
            for choice in values.split("///") {
                // The current choice has a star.
                let name = choice.trim().trim_start_matches('*').to_owned();
                if name != choice.trim() {
                    default = name.clone();
                }
                choices.push(name);
            }
            OptionType::Combo { default, choices }
        }
        _ => OptionType::Text {
            default: values.to_owned(),
        },
    };
    OptionOffer {
        name: name.to_owned(),
        kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_any_case_and_with_other_blanks() {
        let offer = |name: &str| OptionOffer {
            name: name.to_owned(),
            kind: OptionType::Button,
        };
        let options = ["Move Overhead", "Clear Hash", "ClearHash"].map(offer);
        let found = |name: &str| named(&options, name).map(|option| option.name.as_str());
        assert_eq!(found("MoveOverhead"), Some("Move Overhead"));
        assert_eq!(found("move overhead"), Some("Move Overhead"));
        assert_eq!(found("clearhash"), Some("ClearHash"));
        assert_eq!(found("Overhead"), None);
    }

    #[test]
    fn values_are_sent_as_the_engine_writes_them_or_refused() {
        let offer = |kind: &OptionType| OptionOffer {
            name: "Skill".to_owned(),
            kind: kind.clone(),
        };
        let fit = |kind: &OptionType, value: &str| fit(&offer(kind), value);
        let check = OptionType::Check { default: false };
        let spin = OptionType::Spin {
            default: 0,
            min: Some(-1),
            max: Some(20),
        };
        let choices = vec!["Solid".to_owned(), "Very Risky".to_owned()];
        let combo = OptionType::Combo {
            default: "Solid".to_owned(),
            choices,
        };
        for (value, sent) in [("1", "true"), ("0", "false"), ("false", "false")] {
            assert_eq!(fit(&check, value), Ok(Some(sent.to_owned())));
        }
        assert_eq!(fit(&spin, " 20 "), Ok(Some("20".to_owned())));
        assert_eq!(fit(&combo, "very risky"), Ok(Some("Very Risky".to_owned())));
        assert_eq!(fit(&OptionType::Button, ""), Ok(None));
        assert_eq!(
            fit(
                &OptionType::Text {
                    default: "a".to_owned()
                },
                ""
            ),
            Ok(Some(String::new()))
        );
        let button = OptionType::Button;
        for (kind, value) in [
            (&spin, "21"),
            (&spin, "much"),
            (&combo, "Solid Risky"),
            (&check, "yes"),
            (&button, "now"),
        ] {
            let error = fit(kind, value).expect_err(value);
            assert!(error.contains("Skill") && error.contains(value), "{error}");
        }
    }

    #[test]
    fn options_are_read_with_their_kinds() {
        let kind = |text: &str| declared(text).kind;
        let text = |default: &str| OptionType::Text {
            default: default.to_owned(),
        };
        assert_eq!(declared("Book File -file a b.bin").name, "Book File");
        assert_eq!(kind("Book File -file a b.bin"), text("a b.bin"));
        assert_eq!(
            kind("Resign -check 0"),
            OptionType::Check { default: false }
        );
        assert_eq!(kind("Clear Hash -button"), OptionType::Button);
        assert_eq!(
            kind("Level -spin 3 -1 9"),
            OptionType::Spin {
                default: 3,
                min: Some(-1),
                max: Some(9)
            }
        );
        assert_eq!(kind("Level -spin 3"), text("3"));
        let choices = ["Solid", "Very Risky"].map(str::to_owned).to_vec();
        let default = choices[1].clone();
        assert_eq!(
            kind("Style -combo Solid /// *Very Risky"),
            OptionType::Combo { default, choices }
        );
    }
}
