//! Options, presets and what they set.

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
