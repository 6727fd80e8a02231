//! `feature NAME=VALUE ...`: what an engine can do.

use std::fmt;

use crate::options::{OptionKind, OptionSpec};

/// The value of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeatureValue {
    Number(i64),
    Text(String),
}

/// One `NAME=VALUE` of a feature command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    pub name: String,
    pub value: FeatureValue,
}

impl Feature {
    fn text(name: &str, value: impl Into<String>) -> Feature {
        Feature { name: name.to_owned(), value: FeatureValue::Text(value.into()) }
    }

    /// `option="NAME -spin 3 1 9"` and its siblings, with the option's current value.
    pub fn option(spec: &OptionSpec, value: &str) -> Feature {
        let name = spec.name;
        let declaration = match &spec.kind {
            OptionKind::Check { .. } => format!("{name} -check {value}"),
            OptionKind::Spin { min, max, .. } => format!("{name} -spin {value} {min} {max}"),
            OptionKind::Combo { choices, .. } => {
                let choices: Vec<String> = choices
                    .iter()
                    .map(|choice| match choice.eq_ignore_ascii_case(value) {
                        true => format!("*{choice}"),
                        false => (*choice).to_owned(),
                    })
                    .collect();
                format!("{name} -combo {}", choices.join(" /// "))
            }
            OptionKind::Text { .. } => format!("{name} -string {value}"),
            OptionKind::File { .. } => format!("{name} -file {value}"),
            OptionKind::Path { .. } => format!("{name} -path {value}"),
        };
        Feature::text("option", declaration)
    }

    /// Reads everything after the word `feature`. What cannot be read is left out.
    pub fn parse_all(mut text: &str) -> Vec<Feature> {
        let mut features = Vec::new();
        while let Some((name, rest)) = text.trim_start().split_once('=') {
            // Stray words before a feature are skipped with it.
            let name = name.split_whitespace().last().unwrap_or("");
            let value = if let Some(rest) = rest.strip_prefix('"') {
                let (value, rest) = rest.split_once('"').unwrap_or((rest, ""));
                text = rest;
                FeatureValue::Text(value.to_owned())
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                text = &rest[end..];
                match rest[..end].parse() {
                    Ok(number) => FeatureValue::Number(number),
                    Err(_) => FeatureValue::Text(rest[..end].to_owned()),
                }
            };
            if !name.is_empty() {
                features.push(Feature { name: name.to_owned(), value });
            }
        }
        features
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            FeatureValue::Number(number) => write!(f, "{}={number}", self.name),
            // There is no way to write a quotation mark inside the value.
            FeatureValue::Text(text) => write!(f, "{}=\"{}\"", self.name, text.replace('"', "'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_and_written() {
        let text = "ping=1 myname=\"A name with blanks\" option=\"Levels -spin 2 1 2\" done=0";
        let features = Feature::parse_all(text);
        assert_eq!(features.len(), 4);
        assert_eq!(features[1], Feature::text("myname", "A name with blanks"));
        let written: Vec<String> = features.iter().map(Feature::to_string).collect();
        assert_eq!(written.join(" "), text);
        let done = Feature { name: "done".to_owned(), value: FeatureValue::Number(1) };
        assert_eq!(Feature::parse_all("stray done=1"), [done]);
        assert_eq!(Feature::parse_all("open=\"no end"), [Feature::text("open", "no end")]);
    }

    #[test]
    fn option_declarations_carry_the_current_value() {
        let spec = |kind| OptionSpec { name: "Name", kind, about: "" };
        let shown = |kind, value: &str| Feature::option(&spec(kind), value).to_string();
        let spin = OptionKind::Spin { default: 1, min: 0, max: 9 };
        assert_eq!(shown(spin, "7"), "option=\"Name -spin 7 0 9\"");
        assert_eq!(shown(OptionKind::Check { default: true }, "0"), "option=\"Name -check 0\"");
        let combo = OptionKind::Combo { default: "a", choices: &["a", "b", "c"] };
        assert_eq!(shown(combo, "b"), "option=\"Name -combo a /// *b /// c\"");
        assert_eq!(shown(OptionKind::File { default: "" }, ""), "option=\"Name -file \"");
        assert_eq!(shown(OptionKind::Path { default: "" }, "/a"), "option=\"Name -path /a\"");
        assert_eq!(shown(OptionKind::Text { default: "" }, "x"), "option=\"Name -string x\"");
    }
}
