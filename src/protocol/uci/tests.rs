use proptest::prelude::*;

/// Lines of good lines, words that mean something, and noise.
pub fn lines(good: &'static str, words: &'static str) -> impl Strategy<Value = String> {
    let part = prop_oneof![
        proptest::sample::select(good.split(" | ").collect::<Vec<_>>()).prop_map(str::to_owned),
        words,
        "[a-z]{1,9}",
        "-?[0-9]{1,25}",
        "\\PC{0,12}",
        any::<String>(),
    ];
    proptest::collection::vec(part, 0..6).prop_map(|parts| parts.join(" "))
}
