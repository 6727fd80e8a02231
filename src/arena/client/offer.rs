//! Offers of engines: the options of both protocols and values for them, and the features of xboard
//! engines.

use super::program::ALL_OPTIONS;
use crate::rules::protocol::uci::{OptionOffer, OptionType};
use crate::rules::protocol::xboard::{Feature, FeatureValue};
use crate::util::display::{is_one_of, nearest};

/// The option of the given name, in any case; if there is none, the one whose name has other
/// blanks (`MoveOverhead`, `Move Overhead`).
pub fn named<'o>(options: &'o [OptionOffer], name: &str) -> Option<&'o OptionOffer> {
    let same = options
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name));
    let wanted = without_blanks(name);
    same.or_else(|| {
        options
            .iter()
            .find(|option| without_blanks(&option.name).eq_ignore_ascii_case(&wanted))
    })
}

fn without_blanks(name: &str) -> String {
    name.replace(' ', "")
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
            match choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
            {
                Some(choice) => Ok(Some(choice.clone())),
                None => expected(format!("one of {}", choices.join(", "))),
            }
        }
        OptionType::Text { .. } => Ok(Some(value.to_owned())),
    }
}

/// The complaint about an option missing in an engine of the given name.
pub fn unknown_option(name: &str, known: &[String], own_name: Option<&str>) -> String {
    let ours = format!(" (it declares all that it has when it is started with {ALL_OPTIONS})");
    let hint = if own_name.is_some_and(|name| name.starts_with("Kashan ")) {
        &ours
    } else {
        ""
    };
    match known {
        [] => format!("it has no option \"{name}\", nor any other"),
        known => {
            let meant = nearest(name, known.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |meant| format!(" (did you mean {meant}?)"));
            format!(
                "it has no option \"{name}\"{meant}; it has {}{hint}",
                known.join(", ")
            )
        }
    }
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
                self.options
                    .extend((name == "option").then(|| declared(text)));
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
        self.said
            .iter()
            .rev()
            .find_map(|feature| match &feature.value {
                FeatureValue::Text(text) if feature.name == name => Some(text.as_str()),
                _ => None,
            })
    }

    /// Returns true if the engine declares a variant.
    pub fn plays(&self, variant: &str) -> bool {
        self.text("variants")
            .is_some_and(|list| list.split(',').any(|one| one.trim() == variant))
    }

    /// Returns true after `done=0`: the engine wants more time, up to an hour.
    pub fn wants_time(&self) -> bool {
        self.said
            .iter()
            .any(|feature| feature.name == "done" && feature.value == FeatureValue::Number(0))
    }
}

/// The parts of `NAME -KIND VALUE ...`; the name may have blanks.
fn declaration(option: &str) -> [&str; 3] {
    let (name, declaration) = option.split_once(" -").unwrap_or((option, ""));
    let (kind, values) = declaration.split_once(' ').unwrap_or((declaration, ""));
    [name, kind, values].map(str::trim)
}

/// Reads the declaration of an option. An unknown kind takes any text.
fn declared(option: &str) -> OptionOffer {
    let [name, kind, values] = declaration(option);
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
            // The current choice has a star.
            let choices = || values.split("///").map(str::trim);
            OptionType::Combo {
                default: choices()
                    .find_map(|choice| choice.strip_prefix('*'))
                    .unwrap_or_default()
                    .to_owned(),
                choices: choices()
                    .map(|choice| choice.trim_start_matches('*').to_owned())
                    .collect(),
            }
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
