//! `option`: what an engine lets a GUI set.

use std::fmt;

use super::text::{OneLine, Words, or_empty, unless_empty};

/// The five types of options, with default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    Check {
        default: bool,
    },
    /// A whole number. Engines do not always say between which bounds.
    Spin {
        default: i64,
        min: Option<i64>,
        max: Option<i64>,
    },
    Combo {
        default: String,
        choices: Vec<String>,
    },
    Button,
    /// `string`
    Text {
        default: String,
    },
}

/// One option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionOffer {
    /// May hold blanks; case does not matter.
    pub name: String,
    pub kind: OptionType,
}

/// What ends the words of a default or a choice.
fn is_keyword(word: &str) -> bool {
    matches!(word, "default" | "min" | "max" | "var")
}

impl OptionOffer {
    /// Reads what stands after the word `option`; `None` without a name or a type. What else is missing is
    /// made up: `false`, the least value, the first choice, an empty text.
    pub(super) fn parse(mut words: Words<'_>) -> Option<OptionOffer> {
        words.find(|&word| word == "name")?;
        let name = words.until(|word| word == "type").join(" ");
        words.next()?;
        let kind = match words.next()? {
            "button" => OptionType::Button,
            "check" => OptionType::Check {
                default: words.any(|word| word == "default")
                    && words.next().is_some_and(|word| word.eq_ignore_ascii_case("true")),
            },
            // A text is all that follows.
            "string" => OptionType::Text {
                default: match words.next() {
                    Some("default") => unless_empty(words.rest()),
                    _ => String::new(),
                },
            },
            "spin" => {
                let [mut default, mut min, mut max] = [None; 3];
                while let Some(word) = words.next() {
                    let place = match word {
                        "default" => &mut default,
                        "min" => &mut min,
                        "max" => &mut max,
                        _ => continue,
                    };
                    *place = words.peek().and_then(|number| number.parse().ok());
                }
                let default = default.or(min).unwrap_or(0);
                OptionType::Spin { default, min, max }
            }
            "combo" => {
                let (mut default, mut choices) = (None, Vec::new());
                while let Some(word) = words.next() {
                    match word {
                        "default" => default = Some(unless_empty(&words.until(is_keyword).join(" "))),
                        "var" => choices.push(unless_empty(&words.until(is_keyword).join(" "))),
                        _ => {}
                    }
                }
                OptionType::Combo {
                    default: default.or_else(|| choices.first().cloned()).unwrap_or_default(),
                    choices,
                }
            }
            _ => return None,
        };
        (!name.is_empty()).then_some(OptionOffer { name, kind })
    }
}

impl fmt::Display for OptionOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", OneLine(&self.name))?;
        match &self.kind {
            OptionType::Check { default } => write!(f, "check default {default}"),
            OptionType::Spin { default, min, max } => {
                write!(f, "spin default {default}")?;
                min.map_or(Ok(()), |min| write!(f, " min {min}"))?;
                max.map_or(Ok(()), |max| write!(f, " max {max}"))
            }
            OptionType::Combo { default, choices } => {
                write!(f, "combo default {}", or_empty(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", or_empty(choice)))
            }
            OptionType::Button => write!(f, "button"),
            OptionType::Text { default } => write!(f, "string default {}", or_empty(default)),
        }
    }
}
