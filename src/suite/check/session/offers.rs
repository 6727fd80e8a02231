//! The options and tables that an engine offers.

use super::Session;
use crate::arena::Protocol;
use crate::arena::client::offer::declaration;
use crate::protocol::uci::OptionType;
use crate::protocol::xboard::{Command, FeatureValue};

/// The default of an option, as it is set; nothing for what does something, or is a text.
pub fn settings(session: &Session) -> Vec<String> {
    let is_uci = session.protocol == Protocol::Uci;
    let setting = |name: &str, value: String| match is_uci {
        true => format!("setoption name {name} value {value}"),
        false => Command::Option { name: name.to_owned(), value: Some(value) }.to_string(),
    };
    let options = session.known.options.iter();
    let settings = options.filter_map(|option| match &option.kind {
        OptionType::Check { default } if is_uci => Some(setting(&option.name, default.to_string())),
        OptionType::Check { default } => Some(setting(&option.name, u8::from(*default).to_string())),
        OptionType::Spin { default, .. } => Some(setting(&option.name, default.to_string())),
        OptionType::Combo { default, .. } if !default.is_empty() => {
            Some(setting(&option.name, default.clone()))
        }
        _ => None,
    });
    settings.collect()
}

/// What xboard engines say in the features of a name, those with a text.
fn texts<'s>(session: &'s Session, name: &'s str) -> impl Iterator<Item = &'s str> {
    session.features.iter().filter(move |feature| feature.name == name).filter_map(|feature| {
        match &feature.value {
            FeatureValue::Text(text) => Some(text.as_str()),
            FeatureValue::Number(_) => None,
        }
    })
}

/// A path that is none for each type of endgame tables.
pub fn tables(session: &Session) -> Vec<String> {
    let types = texts(session, "egt").flat_map(|types| types.split(','));
    types.map(|name| format!("egtpath {} no-such-folder", name.trim())).collect()
}

/// The options of an xboard engine: names, types, and what follows.
pub fn declared(session: &Session) -> Vec<[&str; 3]> {
    texts(session, "option").map(declaration).collect()
}
