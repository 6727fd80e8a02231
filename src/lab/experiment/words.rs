//! Numbers and lists as reports write them.

/// `12.3 %`; of nothing `-`.
pub fn percent(part: usize, of: usize) -> String {
    match of {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / of as f64),
    }
}

/// A whole number with its sign, or infinity.
pub fn signed(number: f64) -> String {
    match number {
        number if number == f64::INFINITY => "+∞".to_owned(),
        number if number == f64::NEG_INFINITY => "-∞".to_owned(),
        // Negative zero is zero.
        number => format!("{:+.0}", number.round() + 0.0),
    }
}

/// A thing of a list for each of its items, with commas or the like between.
pub fn listed<T, S: Into<String>>(
    items: impl IntoIterator<Item = T>,
    between: &str,
    text: impl Fn(T) -> S,
) -> String {
    items
        .into_iter()
        .map(|item| text(item).into())
        .collect::<Vec<String>>()
        .join(between)
}
