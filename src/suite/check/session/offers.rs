//! The options and tables that an engine offers.

use super::Session;
use crate::arena::Protocol;
use crate::protocol::xboard::FeatureValue;
use crate::protocol::{uci, xboard};

/// The default of an option, as it is set; nothing for what does something, or is a text.
pub fn settings(session: &Session) -> Vec<String> {
    match session.protocol {
        Protocol::Uci => session
            .options
            .iter()
            .filter_map(|option| {
                let value = match &option.kind {
                    uci::OptionType::Check { default } => default.to_string(),
                    uci::OptionType::Spin { default, .. } => default.to_string(),
                    uci::OptionType::Combo { default, .. } => default.clone(),
                    _ => return None,
                };
                Some(format!("setoption name {} value {value}", option.name))
            })
            .collect(),
        Protocol::Xboard => declared(session)
            .into_iter()
            .filter_map(|(name, kind, values)| {
                let value = match kind.as_str() {
                    "check" | "spin" | "slider" => values.split_whitespace().next()?.to_owned(),
                    "combo" => {
                        values.split("///").map(str::trim).find_map(|one| one.strip_prefix('*'))?.to_owned()
                    }
                    _ => return None,
                };
                Some(xboard::Command::Option { name, value: Some(value) }.to_string())
            })
            .collect(),
    }
}

/// A path that is none for each type of endgame tables.
pub fn tables(session: &Session) -> Vec<String> {
    let types = session.features.iter().filter(|feature| feature.name == "egt");
    let types = types.filter_map(|feature| match &feature.value {
        FeatureValue::Text(types) => Some(types.split(',')),
        FeatureValue::Number(_) => None,
    });
    types.flatten().map(|name| format!("egtpath {} no-such-folder", name.trim())).collect()
}

/// The options of an xboard engine: names, types, and what follows.
pub fn declared(session: &Session) -> Vec<(String, String, String)> {
    let options = session.features.iter().filter(|feature| feature.name == "option");
    let parts = |text: &str| {
        let (name, rest) = text.split_once(" -").unwrap_or((text, ""));
        let (kind, values) = rest.split_once(' ').unwrap_or((rest, ""));
        (name.trim().to_owned(), kind.trim().to_owned(), values.trim().to_owned())
    };
    options
        .filter_map(|feature| match &feature.value {
            FeatureValue::Text(text) => Some(parts(text)),
            FeatureValue::Number(_) => None,
        })
        .collect()
}
