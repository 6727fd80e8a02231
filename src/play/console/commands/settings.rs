//! Commands for Kashan's play and for the display.

use std::fmt::Display;

use super::unquoted;
use crate::engine::{Settings, strength_options};
use crate::play::console::{Console, notation};
use crate::util::display::{counted, fill, harmless, joined};
use crate::util::options::{OptionSpec, parse_check};

impl Console {
    pub fn choose_pieces(&mut self, text: &str) {
        match text.parse() {
            Ok(pieces) => {
                self.look.pieces = pieces;
                self.show_board();
            }
            Err(_) => self.say("Type \"pieces unicode\" or \"pieces letters\"."),
        }
    }

    /// Sets the level; without one, shows the present level.
    pub fn level(&mut self, text: &str) {
        match notation::level(text) {
            Some(control) => {
                self.clocks.set_control(control);
                self.keep_settings();
            }
            None if text.is_empty() => {}
            None => {
                return self.say(format!(
                    "\"{text}\" is no level. Examples: 2s (a move), 5 (minutes), 5+3 (and seconds a move), 40/5 (moves in minutes)."
                ));
            }
        }
        self.say(format!(
            "The level is {}.",
            notation::describe_level(self.clocks.control())
        ));
    }

    /// Sets `strength ELO | max`. Without a value, shows the present strength.
    pub fn strength(&mut self, text: &str) {
        if !text.is_empty() {
            for (name, value) in strength_options(text) {
                if let Err(error) = self.engine.set_option(&name, &value) {
                    return self.say(format!("{error}. Type a rating, or \"strength max\"."));
                }
            }
            self.keep_settings();
        }
        self.say(match self.engine.settings().limited_to() {
            Some(elo) => format!("Kashan plays at {elo} Elo."),
            None => "Kashan plays as well as it can; \"strength 1400\" lets it play at 1400 Elo."
                .to_owned(),
        });
    }

    pub fn depth(&mut self, text: &str) {
        self.depth_limit = match text.parse() {
            Ok(depth) if depth > 0 => Some(depth),
            _ if text == "off" => None,
            _ => return self.say("Type \"depth N\" with a number from 1, or \"depth off\"."),
        };
        self.say(match self.depth_limit {
            Some(depth) => {
                let depth = counted(depth, "half-move");
                format!("Kashan thinks at most {depth} deep.")
            }
            None => "The depth is not limited.".to_owned(),
        });
    }

    pub fn backend(&mut self, name: &str) {
        if name.is_empty() {
            let backend = self.value_of("Backend");
            return self.say(format!("The backend is {backend}."));
        }
        self.set_option("Backend", name);
    }

    pub fn thinking(&mut self, text: &str) {
        let Some(show) = parse_check(text) else {
            return self.say("Type \"thinking on\" or \"thinking off\".");
        };
        self.show_thinking = show;
        self.say(if show {
            "Thinking is shown."
        } else {
            "Thinking is hidden."
        });
    }

    /// Lists the names of all options by groups, or the options of a group with their values.
    pub fn list_options(&mut self, group: &str) {
        let groups = Settings::table_by_groups();
        if group.is_empty() {
            return self.list_groups(&groups);
        }
        let mut named = groups.iter();
        let Some((_, specs)) = named.find(|(name, _)| name.eq_ignore_ascii_case(group)) else {
            let names: Vec<String> = groups.iter().map(|(name, _)| name.to_string()).collect();
            let names = joined(&names);
            return self.say(format!(
                "No group of options is called \"{group}\": there are {names}."
            ));
        };
        let mut text = String::new();
        for spec in specs {
            let value = self.value_of(spec.name);
            let about = fill(spec.about.trim(), self.columns(), "      ", "      ");
            let head = format!("{} = {value}  ({})", spec.name, spec.range());
            let head = fill(&head, self.columns(), "  ", "      ");
            text.push_str(&format!("{head}\n{about}\n"));
        }
        self.print(&harmless(&text));
    }

    fn list_groups(&mut self, groups: &[(&str, Vec<OptionSpec>)]) {
        let mut text = String::new();
        for (name, specs) in groups {
            let mut line = format!("{name}: ");
            for spec in specs {
                let value = self.value_of(spec.name);
                line += spec.name;
                if value != spec.default_text() {
                    line += &format!(" = {value}");
                }
                line += ", ";
            }
            let line = line.trim_end_matches([',', ' ']);
            text += &fill(line, self.columns(), "  ", "      ");
            text.push('\n');
        }
        self.print(&harmless(&text));
        self.say(
            "Values are shown where they are not the default. \"options GROUP\" shows a group with \
             values and meanings, \"set NAME\" one option.",
        );
    }

    /// `set NAME VALUE`, with or without an equals sign. Without a value, shows the option.
    pub fn set(&mut self, text: &str) {
        match text.split_once(|c: char| c == '=' || c.is_whitespace()) {
            Some((name, value)) => {
                let value = value.trim().trim_start_matches('=').trim();
                self.set_option(name.trim(), unquoted(value));
            }
            None if !text.is_empty() => self.show_option(text),
            None => self.say("Type \"set NAME VALUE\"; \"options\" lists the names."),
        }
    }

    fn value_of(&self, option: &str) -> String {
        self.engine.settings().get(option).unwrap_or_default()
    }

    fn show_option(&mut self, name: &str) {
        let Some(spec) = spec(name) else {
            let unknown = capitalised(Settings::unknown(name));
            return self.say(format!("{unknown}; \"options\" lists the names."));
        };
        let value = shown(self.value_of(spec.name));
        let default = shown(spec.default_text());
        self.say(format!(
            "{} is {value} ({}; {default} by default).",
            spec.name,
            spec.range()
        ));
        self.say(spec.about.trim());
    }

    fn set_option(&mut self, name: &str, value: &str) {
        if let Err(error) = self.engine.set_option(name, value) {
            return self.say(format!("{}.", capitalised(error)));
        }
        self.keep_settings();
        let value = shown(self.value_of(name));
        self.say(format!("{name} is {value}."));
        if name.eq_ignore_ascii_case("SyzygyPath")
            && let Some(tables) = self.engine.tables()
        {
            self.say(format!("It has {tables}."));
        }
    }
}

fn shown(mut value: String) -> String {
    if value.is_empty() {
        value += "empty";
    }
    value
}

/// Returns an error with a capital letter, as sentences of the terminal begin.
fn capitalised(error: impl Display) -> String {
    error.to_string().replacen("no option", "No option", 1)
}

/// An option by its name, in any case.
pub(super) fn spec(name: &str) -> Option<OptionSpec> {
    Settings::table()
        .into_iter()
        .find(|spec| spec.name.eq_ignore_ascii_case(name))
}
