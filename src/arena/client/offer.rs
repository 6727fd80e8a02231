//! Options that engines offer. Most engines ignore a value that does not fit and say nothing, so the arena
//! checks it.

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// In the engine's own letters.
    pub name: String,
    pub kind: Kind,
}

/// What fits an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`, as UCI has it; 1 or 0 in the xboard protocol.
    Check,
    /// A whole number, both ends included.
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    Text,
}

impl Offer {
    /// The value to send for `value`: `true` or `false` for a check, a choice in the engine's own letters,
    /// nothing for a button.
    ///
    /// # Errors
    /// It does not fit; the text names the option and says what does.
    pub fn fit(&self, value: &str) -> Result<Option<String>, String> {
        let expected = |what: String| Err(format!("option {}: \"{value}\" is not {what}", self.name));
        match &self.kind {
            Kind::Button => match value {
                "" => Ok(None),
                _ => expected("needed: it is a button".to_owned()),
            },
            Kind::Check => match value {
                "true" | "1" => Ok(Some("true".to_owned())),
                "false" | "0" => Ok(Some("false".to_owned())),
                _ => expected("true or false".to_owned()),
            },
            &Kind::Spin { min, max } => match value.trim().parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(Some(number.to_string())),
                _ => expected(format!("a whole number from {min} to {max}")),
            },
            Kind::Combo(choices) => match choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                Some(choice) => Ok(Some(choice.clone())),
                None => expected(format!("one of {}", choices.join(", "))),
            },
            Kind::Text => Ok(Some(value.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sent_as_the_engine_writes_them_or_refused() {
        let fit = |kind, value: &str| {
            let name = "Skill".to_owned();
            Offer { name, kind }.fit(value)
        };
        let spin = Kind::Spin { min: -1, max: 20 };
        let combo = Kind::Combo(vec!["Solid".to_owned(), "Very Risky".to_owned()]);
        assert_eq!(fit(Kind::Check, "1"), Ok(Some("true".to_owned())));
        assert_eq!(fit(spin.clone(), " 20 "), Ok(Some("20".to_owned())));
        assert_eq!(fit(combo.clone(), "very risky"), Ok(Some("Very Risky".to_owned())));
        assert_eq!(fit(Kind::Button, ""), Ok(None));
        assert_eq!(fit(Kind::Text, ""), Ok(Some(String::new())));
        for (kind, value) in
            [(spin, "21"), (combo, "Solid Risky"), (Kind::Check, "yes"), (Kind::Button, "now")]
        {
            let error = fit(kind, value).expect_err(value);
            assert!(error.contains("Skill") && error.contains(value), "{error}");
        }
    }
}
