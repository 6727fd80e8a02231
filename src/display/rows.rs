//! Tables of rows that programs get as JSON as well.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Table, grouped};

impl Table {
    /// A table of rows as the data have them. `columns` has the title of each column, as in
    /// [`Table::headed`], and in braces the key of its value with the form in which it is written:
    ///
    /// ```text
    /// Search {backend} | Moves: {summary.moves} | Mean: {summary.mean:2} | {rate.rate%} | 95 % {rate~%}
    /// ```
    ///
    /// `:2` is a number with two decimals, `:+2` the same with its sign, `,` a large one with commas, `%` a
    /// part as a percentage and `%0` a whole one, and `~` the interval of an object. What is not known is a
    /// hyphen, or with `?` at the end nothing.
    pub fn of_rows<R: Serialize>(columns: &str, rows: impl IntoIterator<Item = R>) -> Table {
        let columns: Vec<(&str, String, &str)> = columns.split('|').map(column).collect();
        let titles: Vec<&str> = columns.iter().map(|(title, ..)| *title).collect();
        Table::headed(&titles.join(" | ")).with_rows(rows.into_iter().map(|row| {
            let row = json!(row);
            let cell = |(_, key, form): &(&str, String, &str)| {
                let (form, unknown) = form.strip_suffix('?').map_or((*form, "-"), |form| (form, ""));
                let value = row.pointer(key).filter(|value| !value.is_null());
                value.map_or(unknown.to_owned(), |value| written(value, form))
            };
            columns.iter().map(cell).collect::<Vec<String>>()
        }))
    }
}

/// The title of a column, the key of its values as a JSON pointer, and their form.
fn column(text: &str) -> (&str, String, &str) {
    let (title, rest) = text.split_once('{').unwrap_or((text, ""));
    let rest = rest.trim_end().trim_end_matches('}');
    let (key, form) = rest.split_at(rest.find([':', '%', '~', ',', '?']).unwrap_or(rest.len()));
    (title.trim(), format!("/{}", key.replace('.', "/")), form)
}

fn written(value: &Value, form: &str) -> String {
    match (value, form.strip_prefix('~')) {
        (Value::Object(_), Some(form)) => {
            let end =
                |keys: [&str; 2]| keys.iter().find_map(|key| value.get(key)).map(|end| written(end, form));
            let [low, high] = [["low", "lower"], ["high", "upper"]].map(|keys| end(keys).unwrap_or_default());
            format!("{} to {high}", low.trim_end_matches(" %"))
        }
        (Value::Null, _) => "-".to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(items), _) => {
            items.iter().map(|item| written(item, form)).collect::<Vec<_>>().join(" ")
        }
        (Value::Number(number), _) => match (number.as_f64(), form.strip_prefix(':')) {
            (Some(part), _) if form == "%" => format!("{:.1} %", 100.0 * part),
            (Some(part), _) if form == "%0" => format!("{:.0} %", 100.0 * part),
            (Some(whole), _) if form == "," => grouped(whole as u64),
            (Some(number), Some(form)) => match form.strip_prefix('+') {
                Some(decimals) => format!("{number:+.*}", decimals.parse().unwrap_or(0)),
                None => format!("{number:.*}", form.parse().unwrap_or(0)),
            },
            _ => number.to_string(),
        },
        (other, _) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Format;

    #[test]
    fn columns_are_keys_of_the_rows() {
        let row = json!({ "name": "one", "of": 7, "mean": 1.256, "none": null, "rate": { "rate": 0.5, "lower": 0.25, "upper": 0.755 },
            "pairs": [1, 2] });
        let columns = "Name {name} | Of: {of} | Mean: {mean:2} | {rate.rate%} | 95 % {rate~%} | {none} | {missing:1} | Pairs {pairs}";
        let text = Table::of_rows(columns, [row]).render(Format::Markdown);
        let last = text.lines().last().expect("a row");
        let cells: Vec<&str> = last.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells, ["one", "7", "1.26", "50.0 %", "25.0 to 75.5 %", "-", "-", "1 2"]);
        assert!(text.starts_with("| Name |"), "{text}");
    }
}
