//! Every option that a front end can set, of the engine and of its searches, in one table.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::library::{LibraryOptions, LibraryUse};
use crate::book::BookError;
use crate::evaluation::{Evaluation, Readings, WeightSet, WeightsError, WeightsFile};
use crate::library::{Library, LibraryError};
use crate::options::{OptionError, OptionGroup, OptionSpec};
use crate::search::action::{ActionOptions, Preset as ActionPreset};
use crate::search::alphabeta::{AlphaBetaOptions, Preset as AlphaBetaPreset};
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::minimax::{MinMaxOptions, Preset as MinMaxPreset};
use crate::tablebase::TablebaseError;
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
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Tables(#[from] TablebaseError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The two options contradict each other.
    #[error(
        "option Evaluation: the weights of {file} are for {evaluation}, not for {asked}; \
         empty WeightsFile first"
    )]
    Evaluation { file: String, evaluation: &'static str, asked: &'static str },
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

    fn groups(&self) -> [&dyn OptionGroup; 7] {
        let Settings { engine, readings, genetic, alphabeta, minimax, action, library, .. } = self;
        [engine, readings, genetic, alphabeta, minimax, action, library]
    }

    fn groups_mut(&mut self) -> [&mut dyn OptionGroup; 7] {
        let Settings { engine, readings, genetic, alphabeta, minimax, action, library, .. } = self;
        [engine, readings, genetic, alphabeta, minimax, action, library]
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
    fn read_weights(&mut self) -> Result<(), WeightsError> {
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
    fn open_library(&mut self) -> Result<(), LibraryError> {
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

    fn check_evaluation(&self) -> Result<(), SettingError> {
        match &self.from_file {
            Some(weights) if weights.evaluation() != self.engine.evaluation => {
                Err(SettingError::Evaluation {
                    file: self.engine.weights_file.clone(),
                    evaluation: weights.evaluation().into_str(),
                    asked: self.engine.evaluation.into_str(),
                })
            }
            _ => Ok(()),
        }
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
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_single_words() {
        let mut names: Vec<String> =
            Settings::table().iter().map(|spec| spec.name.to_ascii_lowercase()).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "two options share a name");
    }

    #[test]
    fn a_preset_sets_the_options_of_the_genetic_search() {
        let mut settings = Settings::default();
        assert_eq!(settings.genetic, Preset::Strong.options());
        settings.set("Levels", "1").unwrap();
        assert!(!settings.same_search(&Settings::default()));
        settings.set("preset", "strong").unwrap();
        assert!(settings.same_search(&Settings::default()));
        settings.set("preset", "paper").unwrap();
        assert_eq!(settings.genetic, Preset::Paper.options());
    }

    #[test]
    fn the_paper_to_the_letter_differs_from_the_preset_paper_in_seven_options() {
        let mut paper = Settings::default();
        paper.set("Preset", "paper").unwrap();
        let mut settings = Settings::default();
        settings.set("Preset", "letter").unwrap();
        let different: Vec<(&str, String)> = GeneticOptions::table()
            .iter()
            .filter_map(|spec| Some((spec.name, settings.get(spec.name)?)))
            .filter(|(name, value)| paper.get(name).as_ref() != Some(value))
            .collect();
        let expected = [
            ("Population", "64"),
            ("PopulationGrows", "0"),
            ("Selection", "fittest"),
            ("MutationMove", "uniform"),
            ("Mutants", "1"),
            ("QuiescenceWindow", "0"),
            ("OwnValue", "kept"),
        ];
        assert_eq!(different, expected.map(|(name, value)| (name, value.to_owned())));
        // Section 5. Afterwards the evaluation is the user's again.
        assert_eq!(settings.get("Evaluation").as_deref(), Some("paper"));
        for (name, value) in [("Evaluation", "kashan"), ("Preset", "strong")] {
            settings.set(name, value).unwrap();
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn one_word_makes_the_threat_program() {
        let mut settings = Settings::default();
        settings.set("ThreatStatus", "net").expect("a choice");
        settings.set("minmaxpreset", "Threats").expect("a choice");
        for (name, value) in [
            ("Backend", "minimax"),
            ("Evaluation", "threats"),
            ("MinMaxDepth", "4"),
            ("MinMaxQuiescence", "0"),
            ("MinMaxPruning", "last"),
            ("ThreatStatus", "attacked"),
        ] {
            assert_eq!(settings.get(name).as_deref(), Some(value), "{name}");
        }
        // Back to the search of before; what plays and what values positions is the user's.
        settings.set("MinMaxPreset", "plain").expect("a choice");
        assert_eq!(settings.minimax, MinMaxOptions::default());
        assert_eq!(settings.engine.backend, Backend::MiniMax);
        let error = settings.set("ThreatStatus", "scared").expect_err("no such status").to_string();
        assert!(error.contains("one of attacked, undefended, net"), "{error}");
    }

    #[test]
    fn one_word_makes_the_player_of_each_other_paper() {
        let of = |name: &str, value: &str| {
            let mut settings = Settings::default();
            for (name, value) in
                [("Similarity", "placement"), ("SimilarityDegree", "70"), ("ReviseMargin", "50"), ("PVS", "0")]
            {
                settings.set(name, value).expect("a choice");
            }
            settings.set(name, value).expect("a choice");
            settings
        };
        let shows = |settings: &Settings, expected: &[(&str, &str)]| {
            for (name, value) in expected {
                assert_eq!(settings.get(name).as_deref(), Some(*value), "{name}");
            }
        };
        let mut action = of("actionpreset", "Paper");
        let of_action = [("Backend", "action"), ("Evaluation", "power"), ("PowerChain", "direct")];
        let of_library =
            [("Similarity", "tokens"), ("SimilarityDegree", "40"), ("ActionKey", "san"), ("Retain", "1")];
        let of_search = [("Revise", "0"), ("ActionDepth", "4"), ("EmptyList", "all"), ("LibraryUse", "off")];
        shows(&action, &[of_action.as_slice(), &of_library, &of_search].concat());
        shows(&action, &[("PVS", "0"), ("LibraryFile", "built-in")]);
        action.set("ActionPreset", "plain").expect("a choice");
        shows(&action, &[("Revise", "1"), ("Retain", "0"), ("Backend", "action")]);
        let mut factors = of("AlphaBetaPreset", "factors");
        shows(&factors, &[("Backend", "alphabeta"), ("Evaluation", "factors"), ("AlphaBetaDepth", "4")]);
        shows(&factors, &[("PVS", "0"), ("NullMove", "0"), ("TranspositionTable", "1")]);
        factors.set("AlphaBetaPreset", "full").expect("a choice");
        assert_eq!(factors.alphabeta, AlphaBetaOptions::default());
        // Weights for another evaluation contradict it, and nothing is changed then.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.toml");
        std::fs::write(&path, "evaluation = \"winglet\"\n[weights]\nqueen = 950\n").expect("written");
        let mut other = of("WeightsFile", path.to_str().expect("text"));
        for (name, value) in [("ActionPreset", "paper"), ("AlphaBetaPreset", "factors")] {
            let before = other.clone();
            let error = other.set(name, value).expect_err("weights of another").to_string();
            assert!(error.contains("w.toml are for winglet"), "{error}");
            assert_eq!(other, before);
        }
    }

    #[test]
    fn readings_change_the_weights_in_use() {
        let mut settings = Settings::default();
        settings.set("Evaluation", "threats").expect("a choice");
        let before = settings.clone();
        settings.set("ThreatCentre", "four").expect("a choice");
        assert!(!settings.same_search(&before));
        assert_ne!(settings.weights(), before.weights());
    }

    #[test]
    fn defaults_are_accepted_and_read_back() {
        let mut settings = Settings::default();
        for spec in Settings::table() {
            settings.set(spec.name, &spec.default_text()).unwrap();
            assert_eq!(settings.get(spec.name), Some(spec.default_text()), "{}", spec.name);
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn a_file_of_weights_sets_the_evaluation_and_a_bad_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let good = file("good.toml", "evaluation = \"winglet\"\n[weights]\nqueen = 950\n");
        let bad = file("bad.toml", "evaluation = \"paper\"\n[weights]\nqueen = 2001\n");

        let mut settings = Settings::default();
        settings.set("WeightsFile", &good).unwrap();
        assert_eq!(settings.get("Evaluation").as_deref(), Some("winglet"));
        assert_ne!(settings.weights(), WeightSet::of(Evaluation::Winglet));
        assert!(!settings.same_search(&Settings::default()));

        let before = settings.clone();
        let error = settings.set("WeightsFile", &bad).unwrap_err().to_string();
        assert!(error.contains("bad.toml, line 3: weights.queen: 2001"), "{error}");
        let error = settings.set("Evaluation", "paper").unwrap_err().to_string();
        assert!(error.contains("good.toml are for winglet, not for paper"), "{error}");
        assert_eq!(settings, before);

        // What a graphical interface sends that sends everything.
        settings.set("Evaluation", "winglet").unwrap();
        file("good.toml", "evaluation = \"winglet\"\n[weights]\nqueen = 960\n");
        settings.set("weightsfile", &good).unwrap();
        assert!(!settings.same_search(&before), "the file is read again");
        settings.set("WeightsFile", "").unwrap();
        assert_eq!(settings.weights(), WeightSet::of(Evaluation::Winglet));
        settings.set("Evaluation", "kashan").unwrap();
        assert!(settings.same_search(&Settings::default()));
    }
}
