//! Words and sentences.

/// Whether a name is among some with a blank between.
pub fn is_one_of(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Wraps a text between words if the width is known, its first line and the others indented each in its own
/// way.
pub fn fill(text: &str, columns: Option<usize>, first: &str, others: &str) -> String {
    let Some(columns) = columns else {
        return format!("{first}{text}");
    };
    // Names of files and moves are no words that a hyphen divides.
    let options = textwrap::Options::new(columns).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options.initial_indent(first).subsequent_indent(others))
}

/// The known word that is nearest to `typed`, if it is near enough for a slip of the finger.
pub fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    let distance = |word: &str| strsim::osa_distance(&typed, &word.to_ascii_lowercase());
    known
        .map(|word| (distance(word), word))
        .min()
        .filter(|&(distance, word)| distance <= 1 + word.len() / 5 && distance < word.len())
        .map(|(_, word)| word)
}
