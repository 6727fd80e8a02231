//! Every option that a front end can set, of the engine and of its searches, in one table.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use anyhow::ensure;
use thiserror::Error;

use super::library::{LibraryOptions, LibraryUse};
use crate::evaluation::{Evaluation, Readings, WeightSet, WeightsFile};
use crate::library::Library;
use crate::options::{OptionError, OptionGroup, OptionSpec};
use crate::search::action::{ActionOptions, Preset as ActionPreset};
use crate::search::alphabeta::{AlphaBetaOptions, Preset as AlphaBetaPreset};
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::minimax::{MinMaxOptions, Preset as MinMaxPreset};
use crate::{choice, options};

/// The most threads that can be asked for.
pub const MOST_THREADS: i64 = 256;

choice! {
    /// Which search plays.
    Backend {
        /// The genetic search of Dehghani & Babamir 2017.
        Genetic = "genetic",
        /// Principal variation search with everything modern, for comparison.
        AlphaBeta = "alphabeta",
        /// Plain Min-Max, the paper's first opponent.
        MiniMax = "minimax",
        /// Alpha-beta over what others answered, of Hesham, Abu-Elnasr & Elmougy 2021.
        Action = "action",
    }
}

options! {
    /// Options that do not belong to one search.
    pub struct EngineOptions {
        /// Which search plays: genetic, alphabeta, minimax, or action, which chooses among what others
        /// answered to the opponent's move (LibraryFile).
        backend: combo(Backend::Genetic) = "Backend",
        /// Sets all options of the genetic search at once: strong plays best, with branches whose ends are
        /// valued by small alpha-beta searches; paper is the search as published but for Selection, Mutants,
        /// MutationMove, OwnValue, Population and PopulationGrows, where other values than the text's play
        /// better; letter is the paper to the letter, so it also sets Evaluation to paper.
        preset: combo(Preset::Strong) = "Preset",
        /// Sets all options of the Min-Max search at once: plain has their defaults; threats is the program
        /// of Marcarelli 2010, so it also sets Backend to minimax and Evaluation to threats, with its options
        /// as they usually are.
        minmax_preset: combo(MinMaxPreset::Plain) = "MinMaxPreset",
        /// Sets all options of the backend action and of its library's filters at once: plain has their
        /// defaults; paper is the player of Hesham and others 2021, so it also sets Backend to action,
        /// Evaluation to power and PowerChain to direct, and it keeps its moves as cases (Retain) where
        /// LibraryFile names a file.
        action_preset: combo(ActionPreset::Plain) = "ActionPreset",
        /// Sets all options of the alpha-beta search at once: full has their defaults; factors is the player
        /// of Vazquez-Fernandez and Coello 2013, so it also sets Backend to alphabeta and Evaluation to
        /// factors, with the weights that they print.
        alphabeta_preset: combo(AlphaBetaPreset::Full) = "AlphaBetaPreset",
        /// What values positions: Winglet's evaluation with the paper's material (paper), Winglet's own
        /// (winglet), Kashan's own, which knows much more (kashan), that of Vazquez-Fernandez and Coello with
        /// 23 weights (factors), that of Hesham and others, by the defenders and attackers of each man
        /// (power), or that of Marcarelli, by whether each man is threatened or defended (threats).
        evaluation: combo(Evaluation::Kashan) = "Evaluation",
        /// A file of weights, as kashan tune writes it, in place of those that the evaluation has; it also
        /// sets Evaluation to what it was made for. Empty for the weights that are built in.
        weights_file: file("") = "WeightsFile",
        /// Whether moves are taken from the opening book while it lasts.
        own_book: check(true) = "OwnBook",
        /// A Polyglot book to use in place of the built-in one; empty for the built-in one.
        book_file: file("") = "BookFile",
        /// The folder of Syzygy endgame tables, or several with a colon (Windows: semicolon) between them;
        /// empty for none. Where the tables know the position on the board, only moves that keep its result
        /// are played.
        syzygy_path: path("") = "SyzygyPath",
        /// Memory for trees and tables, in megabytes; of a table no more than seven eighths of what the
        /// machine has free. The xboard command memory sets the same.
        hash: spin(64, 1, 65536) = "Hash",
        /// Threads that search, for alpha-beta and the genetic search. Together they have the memory of Hash.
        /// The xboard command cores sets the same.
        threads: spin(1, 1, MOST_THREADS) = "Threads",
        /// How many best lines are shown, each with another first move. More than one costs strength, because
        /// all of them are searched; not with the presets paper and letter, which have them anyway. In xboard
        /// and in the console analysis alone shows them.
        lines: spin(1, 1, 218) = "MultiPV",
        /// Milliseconds that a move may lose between the engine and the referee's clock. Once the front end's
        /// clock has shown that moves usually lose less, later ones are planned to. What is kept on the clock
        /// besides is at least five times as much (an eighth of a full clock at most), and up to two seconds
        /// when it shows that a move lost more.
        move_overhead: spin(20, 0, 5000) = "MoveOverhead",
        /// The seed of all randomness; 0 for a different one each time.
        seed: spin(1, 0, 4294967295) = "Seed",
        /// Whether Kashan plays its games no better than UCI_Elo says, whatever search and evaluation the
        /// other options choose. Analysis and hints are as good as ever.
        limit_strength: check(false) = "UCI_LimitStrength",
        /// The strength of UCI_LimitStrength, in Elo as Stockfish's option of this name counts it.
        elo: spin(1500, 800, 2800) = "UCI_Elo",
        /// Whether lost games are resigned.
        resign: check(false) = "Resign",
        /// Centipawns: a game is lost when the own score is this far below zero...
        resign_threshold: spin(900, 100, 30000) = "ResignThreshold",
        /// ... on this many own moves in a row.
        resign_moves: spin(4, 1, 100) = "ResignMoves",
        /// Whether draws are offered in even games. Offers of the opponent are always considered.
        offer_draw: check(false) = "OfferDraws",
        /// Centipawns: a game is even when the own score is this near to zero. An opponent's offer is also
        /// accepted at once when the own score is further below zero.
        draw_threshold: spin(10, 0, 1000) = "DrawThreshold",
        /// On so many own moves in a row the game must have been even before a draw is offered or accepted.
        draw_moves: spin(8, 1, 100) = "DrawMoves",
    }
}

/// The options that a strength in a person's words stands for, a rating or `max`, with their values. A rating
/// that is none is refused when they are set.
pub fn strength_options(text: &str) -> Vec<(String, String)> {
    let limited = |on: &str| ("UCI_LimitStrength".to_owned(), on.to_owned());
    match text.trim() {
        text if text.eq_ignore_ascii_case("max") => vec![limited("0")],
        elo => vec![("UCI_Elo".to_owned(), elo.to_owned()), limited("1")],
    }
}

/// Why an option could not be set. The text names the option or the file.
#[derive(Debug, Error)]
pub enum SettingError {
    /// There is no such option, or the value does not fit.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// What it names cannot be used: a book, tables, weights, a library.
    #[error(transparent)]
    Named(#[from] anyhow::Error),
}

/// The current value of every option.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub engine: EngineOptions,
    pub readings: Readings,
    /// What was read from the option `WeightsFile`.
    from_file: Option<WeightSet>,
    pub genetic: GeneticOptions,
    pub alphabeta: AlphaBetaOptions,
    pub minimax: MinMaxOptions,
    pub action: ActionOptions,
    pub library: LibraryOptions,
    /// What was opened for the option `LibraryFile`.
    opened: Option<Opened>,
}

static BUILT_IN: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(Library::built_in()));

/// An open library; equal only to itself.
#[derive(Clone, Debug)]
struct Opened(Arc<Library>);

impl PartialEq for Opened {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for Settings {
    fn default() -> Self {
        let engine = EngineOptions::default();
        Settings {
            genetic: engine.preset.options(),
            engine,
            readings: Readings::default(),
            from_file: None,
            alphabeta: AlphaBetaOptions::default(),
            minimax: MinMaxOptions::default(),
            action: ActionOptions::default(),
            library: LibraryOptions::default(),
            opened: None,
        }
    }
}

impl Settings {
    /// Every option with kind, default, range and meaning: those of the engine, of its evaluations, then of
    /// each search.
    pub fn table() -> Vec<OptionSpec> {
        let defaults = Settings::default();
        // What a front end shows as the default, and may well send, is what the default preset has.
        let as_preset = |spec: OptionSpec| match defaults.get(spec.name) {
            Some(value) => spec.with_default(&value),
            None => spec,
        };
        defaults.groups().into_iter().flat_map(OptionGroup::specs).map(as_preset).collect()
    }

    /// The searches that heed an option, by its name in any case, if it is one that not all of them heed.
    pub fn searches_with(name: &str) -> Option<&'static [Backend]> {
        use Backend::{Action, AlphaBeta, Genetic, MiniMax};
        let is_of = |group: &dyn OptionGroup, preset: &str| {
            name.eq_ignore_ascii_case(preset) || group.get_by_name(name).is_some()
        };
        let Settings { genetic, alphabeta, minimax, action, .. } = &Settings::default();
        match () {
            () if is_of(genetic, "Preset") => Some(&[Genetic]),
            // The others search with it, too.
            () if is_of(alphabeta, "AlphaBetaPreset") => Some(&[AlphaBeta, Genetic, Action]),
            () if is_of(minimax, "MinMaxPreset") => Some(&[MiniMax]),
            () if is_of(action, "ActionPreset") => Some(&[Action]),
            () => None,
        }
    }

    fn groups(&self) -> [&dyn OptionGroup; 7] {
        let Settings { engine, readings, genetic, alphabeta, minimax, action, library, .. } = self;
        [engine, readings, genetic, alphabeta, minimax, action, library]
    }

    fn groups_mut(&mut self) -> [&mut dyn OptionGroup; 7] {
        let Settings { engine, readings, genetic, alphabeta, minimax, action, library, .. } = self;
        [engine, readings, genetic, alphabeta, minimax, action, library]
    }

    /// The defaults, with these options set one after the other.
    ///
    /// # Errors
    /// As [`Settings::set`].
    pub fn with<N: AsRef<str>, V: AsRef<str>>(
        options: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Settings, SettingError> {
        let mut settings = Settings::default();
        options.into_iter().try_for_each(|(name, value)| settings.set(name.as_ref(), value.as_ref()))?;
        Ok(settings)
    }

    /// Sets an option by its protocol name, in any case.
    ///
    /// # Errors
    /// An unknown name, a value that does not fit, a file of weights or a library that cannot be read;
    /// nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let mut changed = self.clone();
        let set = changed.groups_mut().into_iter().map(|group| group.set_by_name(name, value));
        let known = set.into_iter().find(|result| !matches!(result, Err(OptionError::Unknown(_))));
        known.unwrap_or_else(|| Err(OptionError::Unknown(name.to_owned())))?;
        match name.to_ascii_lowercase().as_str() {
            "preset" => changed.apply_preset(),
            "minmaxpreset" => changed.apply_minmax_preset(),
            "actionpreset" => changed.apply_action_preset(),
            "alphabetapreset" => changed.apply_alphabeta_preset(),
            "weightsfile" => changed.read_weights()?,
            "libraryfile" => changed.open_library()?,
            _ => {}
        }
        changed.check_evaluation()?;
        *self = changed;
        Ok(())
    }

    fn apply_preset(&mut self) {
        self.genetic = self.engine.preset.options();
        if self.engine.preset == Preset::Letter {
            self.engine.evaluation = Evaluation::Paper;
        }
    }

    fn apply_minmax_preset(&mut self) {
        self.minimax = self.engine.minmax_preset.options();
        if self.engine.minmax_preset == MinMaxPreset::Threats {
            self.engine.backend = Backend::MiniMax;
            self.engine.evaluation = Evaluation::Threats;
            let Readings { power_chain, .. } = self.readings;
            self.readings = Readings { power_chain, ..Readings::default() };
        }
    }

    /// The library stays the one that it is; filters as in section 3.3, own cases as in section 3.5.
    fn apply_action_preset(&mut self) {
        let is_paper = self.engine.action_preset == ActionPreset::Paper;
        self.action = self.engine.action_preset.options();
        let LibraryOptions { file, usage, .. } = self.library.clone();
        self.library = LibraryOptions { file, usage, retain: is_paper, ..LibraryOptions::default() };
        if is_paper {
            self.library.usage = LibraryUse::Off;
            self.engine.backend = Backend::Action;
            self.engine.evaluation = Evaluation::Power;
            self.readings.power_chain = Readings::default().power_chain;
        }
    }

    fn apply_alphabeta_preset(&mut self) {
        self.alphabeta = self.engine.alphabeta_preset.options();
        if self.engine.alphabeta_preset == AlphaBetaPreset::Factors {
            self.engine.backend = Backend::AlphaBeta;
            self.engine.evaluation = Evaluation::Factors;
        }
    }

    /// Reads the file again if it is set again: it may have changed.
    fn read_weights(&mut self) -> anyhow::Result<()> {
        self.from_file = match self.engine.weights_file.as_str() {
            "" => None,
            path => Some(WeightsFile::load(Path::new(path))?.weights),
        };
        if let Some(weights) = &self.from_file {
            self.engine.evaluation = weights.evaluation();
        }
        Ok(())
    }

    /// Opens the file again if it is set again: another one may be there.
    fn open_library(&mut self) -> anyhow::Result<()> {
        self.opened = match self.library.file.as_str() {
            "" | Library::BUILT_IN => None,
            path => Some(Opened(Arc::new(Library::open(Path::new(path))?))),
        };
        Ok(())
    }

    /// The rating that games are played at, if it is limited.
    pub fn limited_to(&self) -> Option<i64> {
        self.engine.limit_strength.then_some(self.engine.elo)
    }

    /// The library of actions, if there is one. The built-in one is unpacked when it is first asked for.
    pub fn library(&self) -> Option<&Arc<Library>> {
        match self.library.file.as_str() {
            Library::BUILT_IN => Some(&BUILT_IN),
            _ => self.library_of_file(),
        }
    }

    /// The library of actions, if the user named a file.
    pub fn library_of_file(&self) -> Option<&Arc<Library>> {
        self.opened.as_ref().map(|Opened(library)| library)
    }

    fn check_evaluation(&self) -> anyhow::Result<()> {
        let asked = self.engine.evaluation;
        if let Some(weights) = &self.from_file {
            ensure!(
                weights.evaluation() == asked,
                "option Evaluation: the weights of {} are for {}, not for {}; empty WeightsFile first",
                self.engine.weights_file,
                weights.evaluation().into_str(),
                asked.into_str()
            );
        }
        Ok(())
    }

    /// The evaluation's weights: those of the file, if there is one, else those that are built in.
    pub fn weights(&self) -> WeightSet {
        let weights = self.from_file.clone().unwrap_or_else(|| WeightSet::of(self.engine.evaluation));
        weights.read_as(self.readings.clone())
    }

    /// The current value of an option as text.
    pub fn get(&self, name: &str) -> Option<String> {
        self.groups().into_iter().find_map(|group| group.get_by_name(name))
    }

    /// Whether a searcher made for `self` can go on with `other`: nothing that its search depends on differs.
    /// Memory can be changed in a searcher that exists.
    pub fn same_search(&self, other: &Settings) -> bool {
        let (engine, others) = (&self.engine, &other.engine);
        engine.backend == others.backend
            && engine.evaluation == others.evaluation
            && self.readings == other.readings
            && self.from_file == other.from_file
            && self.library.file == other.library.file
            && self.opened == other.opened
            && self.library.usage == other.library.usage
            && self.library.filter() == other.library.filter()
            && match engine.backend {
                // Its local searches have the options of alpha-beta.
                Backend::Genetic => {
                    engine.seed == others.seed
                        && self.genetic == other.genetic
                        && self.alphabeta == other.alphabeta
                }
                Backend::AlphaBeta => self.alphabeta == other.alphabeta,
                Backend::MiniMax => self.minimax == other.minimax,
                Backend::Action => self.action == other.action && self.alphabeta == other.alphabeta,
            }
    }
}

#[cfg(test)]
mod tests;
