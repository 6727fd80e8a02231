//! Values for options that engines offer. Most engines ignore a value that does not fit and say nothing, so
//! the arena checks it.

use crate::protocol::uci::{OptionOffer, OptionType};

/// The option of that name, in any case.
pub fn named<'o>(options: &'o [OptionOffer], name: &str) -> Option<&'o OptionOffer> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The value to send for `value`: `true` or `false` for a check, a choice in the engine's own letters,
/// nothing for a button.
///
/// # Errors
/// It does not fit; the text names the option and says what does.
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
            let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            match value.trim().parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(Some(number.to_string())),
                _ => expected(format!("a whole number from {min} to {max}")),
            }
        }
        OptionType::Combo { choices, .. } => {
            match choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                Some(choice) => Ok(Some(choice.clone())),
                None => expected(format!("one of {}", choices.join(", "))),
            }
        }
        OptionType::Text { .. } => Ok(Some(value.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sent_as_the_engine_writes_them_or_refused() {
        let fit = |kind: &OptionType, value: &str| {
            fit(&OptionOffer { name: "Skill".to_owned(), kind: kind.clone() }, value)
        };
        let check = OptionType::Check { default: false };
        let spin = OptionType::Spin { default: 0, min: Some(-1), max: Some(20) };
        let choices = vec!["Solid".to_owned(), "Very Risky".to_owned()];
        let combo = OptionType::Combo { default: "Solid".to_owned(), choices };
        for (value, sent) in [("1", "true"), ("0", "false"), ("false", "false")] {
            assert_eq!(fit(&check, value), Ok(Some(sent.to_owned())));
        }
        assert_eq!(fit(&spin, " 20 "), Ok(Some("20".to_owned())));
        assert_eq!(fit(&combo, "very risky"), Ok(Some("Very Risky".to_owned())));
        assert_eq!(fit(&OptionType::Button, ""), Ok(None));
        assert_eq!(fit(&OptionType::Text { default: "a".to_owned() }, ""), Ok(Some(String::new())));
        for (kind, value) in [
            (&spin, "21"),
            (&spin, "much"),
            (&combo, "Solid Risky"),
            (&check, "yes"),
            (&OptionType::Button, "now"),
        ] {
            let error = fit(kind, value).expect_err(value);
            assert!(error.contains("Skill") && error.contains(value), "{error}");
        }
    }
}
