//! Every option of the engine and of its searches in one table. Each group of options is declared
//! beside its user: a new option is a line there, and every front end, `--option` and the manual
//! have it. An option of the engine or the library that changes a search is named in
//! [`Settings::same_search`], too; one that acts at once in `Engine::set_option`. The options for a
//! player's dialog are listed in `front/options.rs`.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use anyhow::{bail, ensure};
use chess::Board;

use super::advice::LibraryOptions;
use super::options::{Backend, EngineOptions};
use crate::engine::library::Library;
use crate::eval::{
    Evaluation, Evaluator as _, ForSearch, Interpretations, Network, NetworkEvaluator, WeightSet,
    WeightsFile,
};
use crate::rules::score::Score;
use crate::search::action::{ActionOptions, Preset as ActionPreset};
use crate::search::alphabeta::{AlphaBetaOptions, Preset as AlphaBetaPreset};
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::minimax::{MinMaxOptions, Preset as MinMaxPreset};
use crate::util::display::nearest;
use crate::util::options::{OptionError, OptionGroup, OptionSpec};

/// The current value of every option.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub engine: EngineOptions,
    pub interpretations: Interpretations,
    /// The weights from the option `WeightsFile`.
    from_file: Option<WeightSet>,
    /// The network from the option `NetworkFile`.
    network: Option<Arc<Network>>,
    pub genetic: GeneticOptions,
    pub alphabeta: AlphaBetaOptions,
    pub minimax: MinMaxOptions,
    pub action: ActionOptions,
    pub library: LibraryOptions,
    /// The open library of the option `LibraryFile`.
    opened: Option<Arc<Library>>,
}

static BUILT_IN: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(Library::built_in()));

impl Default for Settings {
    fn default() -> Self {
        let engine = EngineOptions::default();
        Settings {
            genetic: engine.preset.options(),
            engine,
            interpretations: Interpretations::default(),
            from_file: None,
            network: None,
            alphabeta: AlphaBetaOptions::default(),
            minimax: MinMaxOptions::default(),
            action: ActionOptions::default(),
            library: LibraryOptions::default(),
            opened: None,
        }
    }
}

impl Settings {
    /// Every option with kind, default, range and meaning: those of the engine, of its evaluations,
    /// then of each search.
    pub fn table() -> Vec<OptionSpec> {
        let groups = Settings::table_by_groups().into_iter();
        groups.flat_map(|(_, specs)| specs).collect()
    }

    /// Returns the searches that heed an option, by its name in any case; `None` for an option of
    /// all searches.
    pub fn searches_with(name: &str) -> Option<&'static [Backend]> {
        use Backend::{Action, AlphaBeta, Genetic, MiniMax};
        let settings = Settings::default();
        let searches: [(&dyn OptionGroup, &str, &'static [Backend]); 4] = [
            (&settings.genetic, "Preset", &[Genetic]),
            // The others search with it, too.
            (
                &settings.alphabeta,
                "AlphaBetaPreset",
                &[AlphaBeta, Genetic, Action],
            ),
            (&settings.minimax, "MinMaxPreset", &[MiniMax]),
            (&settings.action, "ActionPreset", &[Action]),
        ];
        for (group, preset, searches) in searches {
            if name.eq_ignore_ascii_case(preset) || group.get(name).is_some() {
                return Some(searches);
            }
        }
        None
    }

    /// The options by groups, each with its name.
    pub fn table_by_groups() -> Vec<(&'static str, Vec<OptionSpec>)> {
        let mut settings = Settings::default();
        let groups = settings.groups_mut();
        groups.map(|(name, group)| (name, group.specs())).into()
    }

    fn groups_mut(&mut self) -> [(&'static str, &mut dyn OptionGroup); 7] {
        [
            ("engine", &mut self.engine),
            ("evaluation", &mut self.interpretations),
            ("genetic", &mut self.genetic),
            ("alphabeta", &mut self.alphabeta),
            ("minimax", &mut self.minimax),
            ("action", &mut self.action),
            ("library", &mut self.library),
        ]
    }

    /// The defaults, with these options set one after the other.
    ///
    /// # Errors
    /// The same as those of [`Settings::set`], of the first option that fails.
    pub fn with<N: AsRef<str>, V: AsRef<str>>(
        options: impl IntoIterator<Item = (N, V)>,
    ) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        for (name, value) in options {
            settings.set(name.as_ref(), value.as_ref())?;
        }
        Ok(settings)
    }

    /// Returns the error about a name that no option has.
    pub fn unknown(name: &str) -> OptionError {
        let table = Settings::table();
        let near = nearest(name, table.iter().map(|spec| spec.name));
        let near = near.map_or(String::new(), |near| format!(" (did you mean {near}?)"));
        OptionError::Unknown(format!("\"{name}\"{near}"))
    }

    /// Sets an option by its protocol name, in any case and with or without blanks: other engines
    /// write "Move Overhead".
    ///
    /// # Errors
    /// An unknown name or a value that does not fit, as an [`OptionError`]; an unreadable file of
    /// weights or library. Nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let asked = name;
        let name: &str = &asked.split_whitespace().collect::<String>();
        let mut changed = self.clone();
        let groups = changed.groups_mut();
        match groups
            .into_iter()
            .find(|(_, group)| group.get(name).is_some())
        {
            Some((_, group)) => group.set(name, value)?,
            None => bail!(Settings::unknown(asked)),
        }
        let name = name.to_ascii_lowercase();
        // A program that is left takes its evaluation along, if that is still the one: in a dialog
        // the preset is all that was changed. Weights of a file keep theirs.
        let left = self.program(&name).map(|(evaluation, _)| evaluation);
        if left == Some(changed.engine.evaluation) && changed.from_file.is_none() {
            changed.engine.evaluation = EngineOptions::default().evaluation;
        }
        if let Some(program) = changed.program(&name) {
            (changed.engine.evaluation, changed.engine.backend) = program;
        }
        match name.as_str() {
            "preset" => changed.genetic = changed.engine.preset.options(),
            "minmaxpreset" => changed.apply_minmax_preset(),
            "actionpreset" => changed.apply_action_preset(),
            "alphabetapreset" => changed.alphabeta = changed.engine.alphabeta_preset.options(),
            "weightsfile" => changed.read_weights()?,
            "networkfile" => changed.read_network()?,
            "libraryfile" => changed.open_library()?,
            _ => {}
        }
        let evaluation = changed.engine.evaluation;
        if let Some(weights) = &changed.from_file {
            ensure!(
                weights.evaluation() == evaluation,
                "option {asked}: the weights of {} are for {}, not for {}; empty WeightsFile first",
                changed.engine.weights_file,
                weights.evaluation().into_str(),
                evaluation.into_str()
            );
        }
        ensure!(
            changed.network.is_none() || evaluation == Evaluation::Network,
            "option {asked}: {} is for network, not for {}; empty NetworkFile first",
            changed.engine.network_file,
            evaluation.into_str()
        );
        *self = changed;
        Ok(())
    }

    /// Returns the evaluation and the search of the paper's program behind the preset of this name
    /// (in small letters), if there is one. Every search of the paper to the letter has its
    /// evaluation.
    fn program(&self, preset: &str) -> Option<(Evaluation, Backend)> {
        let engine = &self.engine;
        let (is_program, evaluation, backend) = match preset {
            "preset" => (
                engine.preset == Preset::Letter,
                Evaluation::Paper,
                engine.backend,
            ),
            "minmaxpreset" => (
                engine.minmax_preset == MinMaxPreset::Threats,
                Evaluation::Threats,
                Backend::MiniMax,
            ),
            "actionpreset" => (
                engine.action_preset == ActionPreset::Paper,
                Evaluation::Power,
                Backend::Action,
            ),
            "alphabetapreset" => (
                engine.alphabeta_preset == AlphaBetaPreset::Factors,
                Evaluation::Factors,
                Backend::AlphaBeta,
            ),
            _ => return None,
        };
        is_program.then_some((evaluation, backend))
    }

    fn apply_minmax_preset(&mut self) {
        self.minimax = self.engine.minmax_preset.options();
        if self.engine.minmax_preset == MinMaxPreset::Threats {
            self.interpretations = Interpretations {
                power_chain: self.interpretations.power_chain,
                ..Interpretations::default()
            };
        }
    }

    /// Sets filters as in section 3.3 and own cases as in section 3.5; keeps the library.
    fn apply_action_preset(&mut self) {
        let is_paper = self.engine.action_preset == ActionPreset::Paper;
        self.action = ActionOptions::default();
        self.library = LibraryOptions {
            file: std::mem::take(&mut self.library.file),
            retain: is_paper,
            ..LibraryOptions::default()
        };
        if is_paper {
            self.interpretations.power_chain = Interpretations::default().power_chain;
        }
    }

    /// Reads the file anew each time the option is set: the file may have changed.
    fn read_weights(&mut self) -> anyhow::Result<()> {
        let before = self.from_file.take();
        if self.engine.weights_file.is_empty() {
            // A file that is left takes its evaluation along.
            if before.is_some() {
                self.engine.evaluation = EngineOptions::default().evaluation;
            }
            return Ok(());
        }
        let weights = WeightsFile::load(Path::new(&self.engine.weights_file))?.weights;
        self.engine.evaluation = weights.evaluation();
        self.from_file = Some(weights);
        Ok(())
    }

    /// Reads the file of the network anew each time the option is set, like
    /// [`Settings::read_weights`].
    fn read_network(&mut self) -> anyhow::Result<()> {
        self.network = match self.engine.network_file.as_str() {
            "" => None,
            path => Some(Arc::new(Network::load(Path::new(path))?)),
        };
        if self.network.is_some() {
            self.engine.evaluation = Evaluation::Network;
        }
        Ok(())
    }

    /// Opens the file anew each time the option is set: the file may have changed.
    fn open_library(&mut self) -> anyhow::Result<()> {
        self.opened = match self.library.file.as_str() {
            "" | Library::BUILT_IN => None,
            path => Some(Arc::new(Library::open(Path::new(path))?)),
        };
        Ok(())
    }

    /// Returns the rating for games, if the strength is limited.
    pub fn limited_to(&self) -> Option<i64> {
        self.engine.limit_strength.then_some(self.engine.elo)
    }

    /// Returns the library of actions, if there is one. The built-in library is unpacked at its
    /// first use.
    pub fn library(&self) -> Option<&Arc<Library>> {
        match self.library.file.as_str() {
            Library::BUILT_IN => Some(&BUILT_IN),
            _ => self.library_of_file(),
        }
    }

    /// The library of actions, if the user named a file.
    pub fn library_of_file(&self) -> Option<&Arc<Library>> {
        self.opened.as_ref()
    }

    /// Returns the evaluation's weights: from the file, if there is one, otherwise the built-in
    /// ones.
    pub fn weights(&self) -> WeightSet {
        let weights = match &self.from_file {
            Some(weights) => weights.clone(),
            None => WeightSet::of(self.engine.evaluation),
        };
        weights.interpreted(self.interpretations.clone())
    }

    /// Returns the network of the file, if there is one.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_deref()
    }

    /// Returns a new evaluator: with the network of the file, if there is one, otherwise with the
    /// weights.
    pub(crate) fn evaluator(&self) -> ForSearch {
        match &self.network {
            Some(network) => {
                ForSearch::Network(Box::new(NetworkEvaluator::new(Arc::clone(network))))
            }
            None => self.weights().evaluator(),
        }
    }

    /// Returns the static value of a board from White's point of view. Makes a new evaluator: too
    /// slow for a search.
    pub fn evaluate(&self, board: &Board) -> Score {
        self.evaluator().evaluate(board)
    }

    /// The current value of an option as text.
    pub fn get(&self, name: &str) -> Option<String> {
        let groups: [&dyn OptionGroup; 7] = [
            &self.engine,
            &self.interpretations,
            &self.genetic,
            &self.alphabeta,
            &self.minimax,
            &self.action,
            &self.library,
        ];
        groups.into_iter().find_map(|group| group.get(name))
    }

    /// Returns true if a searcher made for `self` also serves `other`: no setting of its search
    /// differs. A change of memory needs no new searcher.
    pub fn same_search(&self, other: &Settings) -> bool {
        let (engine, others) = (&self.engine, &other.engine);
        engine.backend == others.backend
            && engine.evaluation == others.evaluation
            && self.interpretations == other.interpretations
            && self.from_file == other.from_file
            && self.network == other.network
            && match engine.backend {
                // Its local searches have the options of alpha-beta.
                Backend::Genetic => {
                    engine.seed == others.seed
                        && self.genetic == other.genetic
                        && self.alphabeta == other.alphabeta
                }
                Backend::AlphaBeta => self.alphabeta == other.alphabeta,
                Backend::MiniMax => self.minimax == other.minimax,
                Backend::Action => {
                    self.action == other.action
                        && self.alphabeta == other.alphabeta
                        && self.library.file == other.library.file
                        && self.opened == other.opened
                        && self.library.filter() == other.library.filter()
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tempfile::TempDir;

    use super::*;
    use crate::eval::network;

    #[test]
    fn names_are_unique_single_words() {
        let mut names = HashSet::new();
        for spec in Settings::table() {
            let name = spec.name.to_ascii_lowercase();
            assert!(
                name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
                "{name}"
            );
            assert!(names.insert(name), "two options are called {}", spec.name);
        }
    }

    fn with(options: &[(&str, &str)]) -> Settings {
        Settings::with(options.iter().copied()).expect("values that fit")
    }

    fn shows(settings: &Settings, expected: &[(&str, &str)]) {
        for (name, value) in expected {
            assert_eq!(settings.get(name).as_deref(), Some(*value), "{name}");
        }
    }

    fn file(folder: &TempDir, name: &str, text: &str) -> String {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("text").to_owned()
    }

    #[test]
    fn a_preset_sets_the_options_of_the_genetic_search() {
        assert_eq!(Settings::default().genetic, Preset::Strong.options());
        assert!(!with(&[("Levels", "1")]).same_search(&Settings::default()));
        assert!(with(&[("Levels", "1"), ("preset", "strong")]).same_search(&Settings::default()));
        assert_eq!(
            with(&[("preset", "paper")]).genetic,
            Preset::Paper.options()
        );
    }

    #[test]
    fn the_paper_to_the_letter_differs_from_the_preset_paper_in_seven_options() {
        let [paper, mut letter] = ["paper", "letter"].map(|preset| with(&[("Preset", preset)]));
        let names = GeneticOptions::default()
            .specs()
            .into_iter()
            .map(|spec| spec.name);
        let different = names
            .filter(|name| paper.get(name) != letter.get(name))
            .count();
        shows(
            &letter,
            &[
                ("Population", "64"),
                ("PopulationGrows", "0"),
                ("Selection", "fittest"),
            ],
        );
        shows(
            &letter,
            &[
                ("MutationMove", "uniform"),
                ("Mutants", "1"),
                ("QuiescenceWindow", "0"),
            ],
        );
        // The evaluation is that of section 5.
        shows(&letter, &[("OwnValue", "kept"), ("Evaluation", "paper")]);
        assert_eq!(different, 7);
        // What it had set goes with it, and what the user has set since stays.
        letter.set("Preset", "strong").unwrap();
        assert_eq!(letter, Settings::default());
        let changes = [
            ("Preset", "letter"),
            ("Evaluation", "winglet"),
            ("Preset", "strong"),
        ];
        shows(&with(&changes), &[("Evaluation", "winglet")]);
    }

    #[test]
    fn one_word_makes_the_threat_program() {
        let mut settings = with(&[("ThreatStatus", "net"), ("minmaxpreset", "Threats")]);
        shows(
            &settings,
            &[
                ("Backend", "minimax"),
                ("Evaluation", "threats"),
                ("ThreatStatus", "attacked"),
            ],
        );
        shows(
            &settings,
            &[
                ("MinMaxDepth", "4"),
                ("MinMaxQuiescence", "0"),
                ("MinMaxPruning", "last"),
            ],
        );
        // Back to the search and the evaluation of before; what plays is the user's.
        settings.set("MinMaxPreset", "plain").expect("a choice");
        shows(
            &settings,
            &[("Backend", "minimax"), ("Evaluation", "network")],
        );
        assert_eq!(settings.minimax, MinMaxOptions::default());
        let error = settings
            .set("ThreatStatus", "scared")
            .expect_err("no such status")
            .to_string();
        assert!(
            error.contains("one of attacked, undefended, net"),
            "{error}"
        );
    }

    #[test]
    fn one_word_makes_the_player_of_each_other_paper() {
        let before = [
            ("Similarity", "placement"),
            ("SimilarityDegree", "70"),
            ("EmptyList", "first"),
            ("PVS", "0"),
        ];
        let of = |name: &str, value: &str| with(&[&before[..], &[(name, value)]].concat());
        let mut action = of("actionpreset", "Paper");
        let of_action = [
            ("Backend", "action"),
            ("Evaluation", "power"),
            ("PowerChain", "direct"),
        ];
        let of_library = [
            ("Similarity", "tokens"),
            ("SimilarityDegree", "40"),
            ("Retain", "1"),
        ];
        let of_search = [("ActionDepth", "4"), ("EmptyList", "all")];
        shows(
            &action,
            &[of_action.as_slice(), &of_library, &of_search].concat(),
        );
        shows(&action, &[("PVS", "0"), ("LibraryFile", "built-in")]);
        action.set("ActionPreset", "plain").expect("a choice");
        shows(
            &action,
            &[
                ("Retain", "0"),
                ("Backend", "action"),
                ("Evaluation", "network"),
            ],
        );
        let mut factors = of("AlphaBetaPreset", "factors");
        shows(
            &factors,
            &[
                ("Backend", "alphabeta"),
                ("Evaluation", "factors"),
                ("AlphaBetaDepth", "4"),
            ],
        );
        shows(
            &factors,
            &[("PVS", "0"), ("NullMove", "0"), ("TranspositionTable", "1")],
        );
        factors.set("AlphaBetaPreset", "full").expect("a choice");
        assert_eq!(factors.alphabeta, AlphaBetaOptions::default());
        // Weights for another evaluation contradict it, and nothing is changed then.
        let folder = tempfile::tempdir().expect("a folder");
        let weights = file(
            &folder,
            "w.toml",
            "evaluation = \"winglet\"\n[weights]\nqueen = 950\n",
        );
        let mut other = of("WeightsFile", &weights);
        for (name, value) in [("ActionPreset", "paper"), ("AlphaBetaPreset", "factors")] {
            let before = other.clone();
            let error = other
                .set(name, value)
                .expect_err("weights of another")
                .to_string();
            assert!(error.contains("w.toml are for winglet"), "{error}");
            assert_eq!(other, before);
        }
    }

    #[test]
    fn readings_change_the_weights_in_use() {
        let [sixteen, four] = ["sixteen", "four"]
            .map(|centre| with(&[("Evaluation", "threats"), ("ThreatCentre", centre)]));
        assert!(!four.same_search(&sixteen));
        assert_ne!(four.weights(), sixteen.weights());
    }

    #[test]
    fn defaults_are_accepted_and_read_back() {
        let mut settings = Settings::default();
        for spec in Settings::table() {
            settings.set(spec.name, &spec.default_text()).unwrap();
            assert_eq!(
                settings.get(spec.name),
                Some(spec.default_text()),
                "{}",
                spec.name
            );
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn a_file_of_a_network_takes_the_place_of_the_built_in_one_and_a_bad_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("good.nn");
        std::fs::write(&path, network::tests::by_chance().to_bytes()).expect("written");
        let mut settings = Settings::default();
        let before = settings.evaluate(&Board::default());
        settings
            .set("NetworkFile", path.to_str().expect("text"))
            .expect("a network");
        assert!(settings.network().is_some() && !settings.same_search(&Settings::default()));
        assert_ne!(settings.evaluate(&Board::default()), before);

        let bad = file(&folder, "bad.nn", "evaluation = \"paper\"");
        let known = settings.clone();
        let error = settings.set("NetworkFile", &bad).unwrap_err().to_string();
        assert!(
            error.contains("bad.nn is no network") && error.contains("something else"),
            "{error}"
        );
        assert_eq!(settings, known);
        let missing = settings.set("NetworkFile", "/none.nn").unwrap_err();
        let reason = missing.to_string();
        let reason = reason.strip_prefix("cannot read network /none.nn: ");
        assert!(reason.is_some_and(|reason| !reason.is_empty()), "{missing}");
        let error = settings.set("Evaluation", "paper").unwrap_err().to_string();
        assert!(
            error.contains("good.nn is for network, not for paper"),
            "{error}"
        );
        assert_eq!(settings, known);
        settings.set("networkfile", "").expect("none");
        assert!(settings.same_search(&Settings::default()));
    }

    #[test]
    fn a_file_of_weights_sets_the_evaluation_and_a_bad_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let good = file(
            &folder,
            "good.toml",
            "evaluation = \"winglet\"\n[weights]\nqueen = 950\n",
        );
        let bad = file(
            &folder,
            "bad.toml",
            "evaluation = \"paper\"\n[weights]\nqueen = 2001\n",
        );

        let mut settings = with(&[("WeightsFile", good.as_str())]);
        shows(&settings, &[("Evaluation", "winglet")]);
        assert_ne!(settings.weights(), WeightSet::of(Evaluation::Winglet));
        assert!(!settings.same_search(&Settings::default()));

        let before = settings.clone();
        let error = settings.set("WeightsFile", &bad).unwrap_err().to_string();
        assert!(
            error.contains("bad.toml, line 3: weights.queen: 2001"),
            "{error}"
        );
        let error = settings.set("Evaluation", "paper").unwrap_err().to_string();
        assert!(
            error.contains("good.toml are for winglet, not for paper"),
            "{error}"
        );
        assert_eq!(settings, before);

        // What a graphical interface sends that sends everything.
        settings.set("Evaluation", "winglet").unwrap();
        file(
            &folder,
            "good.toml",
            "evaluation = \"winglet\"\n[weights]\nqueen = 960\n",
        );
        settings.set("weightsfile", &good).unwrap();
        assert!(!settings.same_search(&before), "the file is read again");
        settings.set("WeightsFile", "").unwrap();
        shows(&settings, &[("Evaluation", "network")]);
        assert!(settings.same_search(&Settings::default()));
    }
}
