//! Options, presets and what they set.

use std::collections::HashSet;

use tempfile::TempDir;

use super::*;

#[test]
fn names_are_unique_single_words() {
    let mut names = HashSet::new();
    for spec in Settings::table() {
        let name = spec.name.to_ascii_lowercase();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
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
    assert_eq!(with(&[("preset", "paper")]).genetic, Preset::Paper.options());
}

#[test]
fn the_paper_to_the_letter_differs_from_the_preset_paper_in_seven_options() {
    let [paper, mut letter] = ["paper", "letter"].map(|preset| with(&[("Preset", preset)]));
    let names = GeneticOptions::table().into_iter().map(|spec| spec.name);
    let different = names.filter(|name| paper.get(name) != letter.get(name)).count();
    shows(&letter, &[("Population", "64"), ("PopulationGrows", "0"), ("Selection", "fittest")]);
    shows(&letter, &[("MutationMove", "uniform"), ("Mutants", "1"), ("QuiescenceWindow", "0")]);
    shows(&letter, &[("OwnValue", "kept")]);
    assert_eq!(different, 7);
    // Section 5. Afterwards the evaluation is the user's again.
    shows(&letter, &[("Evaluation", "paper")]);
    for (name, value) in [("Evaluation", "kashan"), ("Preset", "strong")] {
        letter.set(name, value).unwrap();
    }
    assert_eq!(letter, Settings::default());
}

#[test]
fn one_word_makes_the_threat_program() {
    let mut settings = with(&[("ThreatStatus", "net"), ("minmaxpreset", "Threats")]);
    shows(&settings, &[("Backend", "minimax"), ("Evaluation", "threats"), ("ThreatStatus", "attacked")]);
    shows(&settings, &[("MinMaxDepth", "4"), ("MinMaxQuiescence", "0"), ("MinMaxPruning", "last")]);
    // Back to the search of before; what plays and what values positions is the user's.
    settings.set("MinMaxPreset", "plain").expect("a choice");
    assert_eq!(settings.minimax, MinMaxOptions::default());
    assert_eq!(settings.engine.backend, Backend::MiniMax);
    let error = settings.set("ThreatStatus", "scared").expect_err("no such status").to_string();
    assert!(error.contains("one of attacked, undefended, net"), "{error}");
}

#[test]
fn one_word_makes_the_player_of_each_other_paper() {
    let before =
        [("Similarity", "placement"), ("SimilarityDegree", "70"), ("ReviseMargin", "50"), ("PVS", "0")];
    let of = |name: &str, value: &str| with(&[&before[..], &[(name, value)]].concat());
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
    let weights = file(&folder, "w.toml", "evaluation = \"winglet\"\n[weights]\nqueen = 950\n");
    let mut other = of("WeightsFile", &weights);
    for (name, value) in [("ActionPreset", "paper"), ("AlphaBetaPreset", "factors")] {
        let before = other.clone();
        let error = other.set(name, value).expect_err("weights of another").to_string();
        assert!(error.contains("w.toml are for winglet"), "{error}");
        assert_eq!(other, before);
    }
}

#[test]
fn readings_change_the_weights_in_use() {
    let [sixteen, four] =
        ["sixteen", "four"].map(|centre| with(&[("Evaluation", "threats"), ("ThreatCentre", centre)]));
    assert!(!four.same_search(&sixteen));
    assert_ne!(four.weights(), sixteen.weights());
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
    let good = file(&folder, "good.toml", "evaluation = \"winglet\"\n[weights]\nqueen = 950\n");
    let bad = file(&folder, "bad.toml", "evaluation = \"paper\"\n[weights]\nqueen = 2001\n");

    let mut settings = with(&[("WeightsFile", good.as_str())]);
    shows(&settings, &[("Evaluation", "winglet")]);
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
    file(&folder, "good.toml", "evaluation = \"winglet\"\n[weights]\nqueen = 960\n");
    settings.set("weightsfile", &good).unwrap();
    assert!(!settings.same_search(&before), "the file is read again");
    settings.set("WeightsFile", "").unwrap();
    assert_eq!(settings.weights(), WeightSet::of(Evaluation::Winglet));
    settings.set("Evaluation", "kashan").unwrap();
    assert!(settings.same_search(&Settings::default()));
}
