//! Options of the engine, each declared once: name, kind, default, range, meaning.
//!
//! The macro [`options!`](macro@crate::options) turns a declaration into a struct with typed
//! fields, its defaults, and a table for the announcements of every protocol.

use thiserror::Error;

/// The kind of an option, with its default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check { default: bool },
    /// A whole number from `min` to `max`.
    Spin { default: i64, min: i64, max: i64 },
    /// One of several words.
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
    },
    /// The name of a file; front ends may offer to browse. Empty means none.
    File { default: &'static str },
    /// The name of a folder, or of several; front ends may offer to browse. Empty means none.
    Path { default: &'static str },
}

/// An option for protocols and `--help`. Names and choices are single words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    pub name: &'static str,
    pub kind: OptionKind,
    /// One sentence or two; says the unit.
    pub about: &'static str,
}

/// The reason for refusing a value. The text names the option and the value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OptionError {
    /// With the name in quotation marks, and the name that may be meant.
    #[error("no option is called {0}")]
    Unknown(String),
    #[error("option {name}: \"{value}\" is not {expected}")]
    Value {
        name: &'static str,
        value: String,
        expected: String,
    },
}

impl OptionSpec {
    /// The default as text for [`parse_check`] and its siblings.
    pub fn default_text(&self) -> String {
        match self.kind {
            OptionKind::Check { default } => if default { "1" } else { "0" }.to_owned(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. }
            | OptionKind::File { default }
            | OptionKind::Path { default } => default.to_owned(),
        }
    }

    /// The possible values, in words.
    pub fn range(&self) -> String {
        match &self.kind {
            OptionKind::Check { .. } => "0 or 1".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
            OptionKind::Combo { choices, .. } => choices.join(", "),
            OptionKind::File { .. } => "a file".to_owned(),
            OptionKind::Path { .. } => "a folder".to_owned(),
        }
    }

    /// Checks `value` against the option's kind and range.
    ///
    /// # Errors
    /// [`OptionError::Value`] with the expected values.
    pub fn check(&self, value: &str) -> Result<(), OptionError> {
        let word = value.trim();
        let (fits, expected) = match &self.kind {
            OptionKind::Check { .. } => (
                parse_check(value).is_some(),
                "0 or 1 (or false or true)".to_owned(),
            ),
            OptionKind::Spin { min, max, .. } => (
                word.parse()
                    .is_ok_and(|number| (*min..=*max).contains(&number)),
                format!("a whole number from {}", self.range()),
            ),
            OptionKind::Combo { choices, .. } => (
                choices
                    .iter()
                    .any(|choice| choice.eq_ignore_ascii_case(word)),
                format!("one of {}", self.range()),
            ),
            OptionKind::File { .. } | OptionKind::Path { .. } => return Ok(()),
        };
        if fits {
            return Ok(());
        }
        Err(OptionError::Value {
            name: self.name,
            value: value.to_owned(),
            expected,
        })
    }
}

/// `1`, `true`, `on` and their opposites, as xboard, UCI and people write them.
pub fn parse_check(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "on" => Some(true),
        "0" | "false" | "off" => Some(false),
        _ => None,
    }
}

/// The options of one struct declared by [`options!`](macro@crate::options).
pub trait OptionGroup {
    /// Every option with name, kind, default, range and meaning, in the order of declaration. But
    /// for files and folders the default is the current value: a preset has defaults of its own.
    fn specs(&self) -> Vec<OptionSpec>;

    /// Sets an option by its protocol name, in any case.
    ///
    /// # Errors
    /// An unknown name or a wrong value; nothing is changed then.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// The current value of an option as text, by its protocol name in any case.
    fn get(&self, name: &str) -> Option<String>;
}

/// Declares an enum with variants for the words of a combo option; a word is read in any case.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[derive(strum::EnumString, strum::IntoStaticStr, strum::VariantArray, strum::VariantNames)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[strum(ascii_case_insensitive, const_into_str)]
        pub enum $name { $($(#[$variant_meta])* #[strum(serialize = $word)] #[serde(rename = $word)] $variant),+ }
    };
}

/// Declares a struct of options: field, kind, default, protocol name and meaning in one place.
///
/// ```
/// use kashan::util::options::OptionGroup as _;
///
/// kashan::options! {
///     /// Options of an example.
///     pub struct Example {
///         /// Whether to try.
///         try_hard: check(true) = "TryHard",
///         /// How often.
///         times: spin(3, 1, 9) = "Times",
///     }
/// }
/// let mut example = Example::default();
/// assert_eq!(example.times, 3);
/// example.set("times", "7").unwrap();
/// assert_eq!(example.times, 7);
/// assert!(example.set("Times", "10").is_err());
/// assert_eq!(example.specs()[0].name, "TryHard");
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[doc = $about:literal])+ $field:ident : $kind:ident $arguments:tt = $option:literal),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[doc = $about])+ pub $field: $crate::options!(@type $kind $arguments)),+ }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $crate::options!(@default $kind $arguments)),+ }
            }
        }

        impl $crate::util::options::OptionGroup for $name {
            fn specs(&self) -> Vec<$crate::util::options::OptionSpec> {
                vec![$($crate::util::options::OptionSpec {
                    name: $option,
                    kind: $crate::options!(@kind $kind $arguments (self.$field)),
                    about: concat!($($about),+).trim_ascii(),
                }),+]
            }

            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::util::options::OptionError> {
                use $crate::util::options::OptionError;
                let spec = self
                    .specs()
                    .into_iter()
                    .find(|spec| spec.name.eq_ignore_ascii_case(name))
                    .ok_or_else(|| OptionError::Unknown(format!("\"{name}\"")))?;
                spec.check(value)?;
                match spec.name {
                    // The check has already run.
                    $($option => if let Some(value) = $crate::options!(@read $kind value) { self.$field = value; })+
                    _ => {}
                }
                Ok(())
            }

            fn get(&self, name: &str) -> Option<String> {
                $(if name.eq_ignore_ascii_case($option) { return Some($crate::options!(@write $kind (self.$field))); })+
                None
            }
        }
    };
    (@type check $arguments:tt) => { bool };
    (@type spin $arguments:tt) => { i64 };
    (@type combo ($type:ident :: $default:ident)) => { $type };
    (@type $kind:ident ($default:expr)) => { String };
    (@read check $text:ident) => { $crate::util::options::parse_check($text) };
    (@read $kind:ident $text:ident) => { $text.trim().parse().ok() };
    (@write check ($value:expr)) => { if $value { "1" } else { "0" }.to_owned() };
    (@write combo ($value:expr)) => { $value.into_str().to_owned() };
    (@write $kind:ident ($value:expr)) => { $value.to_string() };
    (@default check ($default:expr)) => { $default };
    (@default spin ($default:expr, $min:expr, $max:expr)) => { $default };
    (@default combo ($type:ident :: $default:ident)) => { $type::$default };
    (@default $kind:ident ($default:expr)) => { String::from($default) };
    (@kind check ($default:expr) ($value:expr)) => { $crate::util::options::OptionKind::Check { default: $value } };
    (@kind spin ($default:expr, $min:expr, $max:expr) ($value:expr)) => {
        $crate::util::options::OptionKind::Spin { default: $value, min: $min, max: $max }
    };
    (@kind file ($default:expr) ($value:expr)) => { $crate::util::options::OptionKind::File { default: $default } };
    (@kind path ($default:expr) ($value:expr)) => { $crate::util::options::OptionKind::Path { default: $default } };
    (@kind combo ($type:ident :: $default:ident) ($value:expr)) => {
        $crate::util::options::OptionKind::Combo {
            default: $value.into_str(),
            choices: <$type as strum::VariantNames>::VARIANTS,
        }
    };
}
