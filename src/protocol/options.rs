//! The one table of options, as each protocol announces it.

use crate::engine::Settings;

use super::xboard::Feature;

/// A `feature option=...` for each option, with its current value, in the order of the table.
pub fn xboard_options(settings: &Settings) -> Vec<Feature> {
    Settings::table()
        .iter()
        .map(|spec| {
            let value = settings.get(spec.name).unwrap_or_else(|| spec.default_text());
            Feature::option(spec, &value)
        })
        .collect()
}
