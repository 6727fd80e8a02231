//! The one table of options, as each protocol announces it.

use crate::engine::Settings;
use crate::options;
use crate::rules::protocol::uci::{OptionOffer, OptionType};
use crate::rules::protocol::xboard::Feature;
use crate::util::display::is_one_of;
use crate::util::options;
use crate::util::options::{OptionGroup as _, OptionKind, OptionSpec};

options! {
    /// Options for GUIs of the Universal Chess Interface only: in the xboard protocol these are
    /// commands, or nothing.
    pub struct UciOptions {
        /// Permission of the GUI to think on the opponent's time. No other effect.
        ponder: check(false) = "Ponder",
        /// Wish of the GUI for the engine's thoughts, rather than a move: the book is off then.
        analyse: check(false) = "UCI_AnalyseMode",
        /// Shows chances to win, draw and lose beside each score, in thousandths.
        show_wdl: check(false) = "UCI_ShowWDL",
    }
}

/// Options without meaning in the Universal Chess Interface, where a GUI knows no resignation and
/// no draw offer of an engine.
const ONLY_XBOARD: &str = "Resign ResignThreshold ResignMoves OfferDraws DrawThreshold DrawMoves";

/// The button for emptying the tables; see `Engine::set_option`.
const CLEAR_HASH: &str = "Clear Hash";

/// The options for players. Front ends show every declared option in a dialog, so no others are
/// declared unless all options are asked for; all can be set.
const FOR_PLAYERS: &str = "Backend Preset Evaluation OwnBook BookFile SyzygyPath MultiPV MoveOverhead Seed \
    UCI_LimitStrength UCI_Elo";

/// The options for players in the Universal Chess Interface alone: the xboard protocol has commands
/// for them.
const FOR_PLAYERS_OF_UCI: &str = "Hash Threads";

/// Returns a `feature option=...` for each option of the players, or for all, with its current
/// value, in the order of the table.
pub fn xboard_options(settings: &Settings, all: bool) -> Vec<Feature> {
    let mut features = Vec::new();
    for spec in Settings::table() {
        if all || is_one_of(FOR_PLAYERS, spec.name) {
            let value = settings.get(spec.name).unwrap_or_default();
            features.push(Feature::option(&spec, &value));
        }
    }
    features
}

/// Returns an `option` for each option of the players, or for all with a meaning to a GUI, with its
/// current value: options of the protocol first, then the order of the table.
pub fn uci_options(own: &UciOptions, settings: &Settings, all: bool) -> Vec<OptionOffer> {
    let mut offers = Vec::new();
    for spec in own.specs() {
        offers.push(offer(&spec, own.get(spec.name)));
    }
    offers.push(OptionOffer {
        name: CLEAR_HASH.to_owned(),
        kind: OptionType::Button,
    });
    for spec in Settings::table() {
        let is_declared = if all {
            !is_one_of(ONLY_XBOARD, spec.name)
        } else {
            is_one_of(FOR_PLAYERS, spec.name) || is_one_of(FOR_PLAYERS_OF_UCI, spec.name)
        };
        if is_declared {
            offers.push(offer(&spec, settings.get(spec.name)));
        }
    }
    offers
}

fn offer(spec: &OptionSpec, value: Option<String>) -> OptionOffer {
    let value = value.unwrap_or_default();
    let kind = match &spec.kind {
        OptionKind::Check { default } => OptionType::Check {
            default: options::parse_check(&value).unwrap_or(*default),
        },
        &OptionKind::Spin { default, min, max } => OptionType::Spin {
            default: value.parse().unwrap_or(default),
            min: Some(min),
            max: Some(max),
        },
        OptionKind::Combo { choices, .. } => OptionType::Combo {
            default: value,
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
        },
        // Files and folders have no type of their own.
        OptionKind::File { .. } | OptionKind::Path { .. } => OptionType::Text { default: value },
    };
    // Programs look for this name with a blank.
    let name = spec.name.replace("MoveOverhead", "Move Overhead");
    OptionOffer { name, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_among_all_options() {
        for spec in UciOptions::default().specs() {
            assert_eq!(Settings::default().get(spec.name), None, "{}", spec.name);
        }
        for name in [ONLY_XBOARD, FOR_PLAYERS, FOR_PLAYERS_OF_UCI]
            .iter()
            .flat_map(|names| names.split(' '))
        {
            assert!(Settings::default().get(name).is_some(), "{name}");
        }
    }

    #[test]
    fn offers_show_current_values() {
        let settings =
            Settings::with([("OwnBook", "0"), ("Backend", "minimax")]).expect("values that fit");
        let lines: Vec<String> = uci_options(&UciOptions::default(), &settings, false)
            .iter()
            .map(ToString::to_string)
            .collect();
        for line in [
            "option name MultiPV type spin default 1 min 1 max 218",
            "option name Ponder type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name Clear Hash type button",
            "option name Move Overhead type spin default 20 min 0 max 5000",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1500 min 800 max 2800",
            "option name OwnBook type check default false",
            "option name BookFile type string default <empty>",
            "option name Backend type combo default minimax var genetic var alphabeta var minimax var action",
        ] {
            assert!(
                lines.iter().any(|known| known == line),
                "{line} in {lines:#?}"
            );
        }
    }
}
