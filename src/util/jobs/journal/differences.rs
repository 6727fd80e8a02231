//! The differences between two sets of settings, in words.

use serde_json::{Map, Value};

use crate::util::display::excerpt;

/// The settings for the choice of openings. If any of them changes, the openings do as well,
/// without a sentence of their own.
const CHOICE_OF_OPENINGS: [&str; 4] = ["schedule", "rounds", "challengers", "seed"];

/// One sentence for each different value: `limits: was 10+0.1, is 5+0.1`. Engines are counted from
/// 1 and named, options are named: `engine 2 (B), option Hash: was 16, is 32`.
pub fn differences(was: &Value, is: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", Some(was), Some(is), &mut found);
    let chooses = |sentence: &String| {
        let place = sentence.split(": was ").next().unwrap_or_default();
        let is_of_openings = place.starts_with("openings.") && place != "openings.content";
        // Not something of an engine: that stands behind a comma.
        let is_other_engine = place.starts_with("engine ") && !place.contains("), ");
        is_of_openings || is_other_engine || CHOICE_OF_OPENINGS.contains(&place)
    };
    if found.iter().any(chooses) {
        found.retain(|sentence| !sentence.starts_with("openings.content:"));
    }
    found
}

/// The kind of work with such settings.
pub fn work(settings: &Value) -> String {
    match settings.get("work").and_then(Value::as_str) {
        Some(command) => format!("kashan {command}"),
        None if settings.get("schedule").is_some() => "a match or tournament".to_owned(),
        None => "an experiment".to_owned(),
    }
}

/// The number of differences told at most: with more, something else is wrong.
const TOLD: usize = 8;

/// Differences in one line.
pub fn listed(differences: &[String]) -> String {
    match differences.get(TOLD..) {
        None | Some([]) => differences.join("; "),
        Some(more) => format!(
            "{}; and {} more",
            differences[..TOLD].join("; "),
            more.len()
        ),
    }
}

/// Compares two values. `place` is empty or ends with the separator before the names of its
/// members.
fn compare(place: &str, was: Option<&Value>, is: Option<&Value>, found: &mut Vec<String>) {
    let name = place.trim_end_matches(['.', ',', ' ']);
    match (was, is) {
        (Some(Value::Object(was)), Some(Value::Object(is))) => {
            for key in keys(was, is) {
                compare(&format!("{place}{key}."), was.get(key), is.get(key), found);
            }
        }
        (Some(Value::Array(was)), Some(Value::Array(is))) => {
            if let (Some(was), Some(is)) = (pairs(was), pairs(is)) {
                // One of the list of options.
                let option = place.trim_end_matches(['.', 's']);
                for key in keys(&was, &is) {
                    let place = format!("{option} {key}, ");
                    compare(&place, was.get(key), is.get(key), found);
                }
                return;
            }
            for index in 0..was.len().max(is.len()) {
                let was = was.get(index);
                let is = is.get(index);
                compare(&member(name, index + 1, was.or(is)), was, is, found);
            }
        }
        _ if was != is => {
            found.push(format!("{name}: was {}, is {}", shown(was), shown(is)));
        }
        _ => {}
    }
}

/// The place of a member of a list, with the member's name, if any: `engine 2 (B), `.
fn member(list: &str, number: usize, value: Option<&Value>) -> String {
    match value.and_then(|value| value.get("name")?.as_str()) {
        Some(name) => format!("{} {number} ({name}), ", list.trim_end_matches('s')),
        None => format!("{list}.{number}."),
    }
}

/// The keys of both, those of the first in front.
fn keys<'m>(
    was: &'m Map<String, Value>,
    is: &'m Map<String, Value>,
) -> impl Iterator<Item = &'m String> {
    let new = is.keys().filter(|&key| !was.contains_key(key));
    was.keys().chain(new)
}

/// A list of options, each with its name and its value; `None` for another list, or one with a
/// repeated name.
fn pairs(list: &[Value]) -> Option<Map<String, Value>> {
    let mut pairs = Map::new();
    for pair in list {
        let [Value::String(name), value] = pair.as_array()?.as_slice() else {
            return None;
        };
        pairs.insert(name.clone(), value.clone());
    }
    (pairs.len() == list.len()).then_some(pairs)
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) => text.clone(),
        // A whole engine or rule: what is in it is in the file that describes it.
        Some(other) => excerpt(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_difference_is_named() {
        let was = json!({
            "seed": 1,
            "engines": [
                {"name": "A", "options": []},
                {"name": "B", "options": [["Hash", "1"], ["Ponder", "true"]], "limits": "1+1"},
                {"name": "C"},
            ],
            "tries": [1, 2],
            "sprt": null,
        });
        assert!(differences(&was, &was).is_empty());
        let is = json!({
            "seed": 2,
            "engines": [
                {"name": "A", "options": [["Hash", "1"]]},
                {"name": "B", "options": [["Ponder", "true"], ["Hash", "2"]], "limits": "2+2"},
            ],
            "tries": [1, 3],
            "sprt": {"elo0": 0.0},
        });
        let mut found = differences(&was, &is);
        found.sort();
        let expected = [
            "engine 1 (A), option Hash: was nothing, is 1",
            "engine 2 (B), limits: was 1+1, is 2+2",
            "engine 2 (B), option Hash: was 1, is 2",
            "engine 3 (C): was {\"name\":\"C\"}, is nothing",
            "seed: was 1, is 2",
            "sprt: was nothing, is {\"elo0\":0.0}",
            "tries.2: was 2, is 3",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_follows_from_another_difference_is_not_said() {
        let settings = |rounds: u32, plies: u32, content: &str| json!({"rounds": rounds, "openings": {"plies": plies, "content": content}});
        let was = settings(2, 8, "1");
        assert_eq!(
            differences(&was, &settings(3, 8, "2")),
            ["rounds: was 2, is 3"]
        );
        assert_eq!(
            differences(&was, &settings(2, 6, "2")),
            ["openings.plies: was 8, is 6"]
        );
        assert_eq!(
            differences(&was, &settings(2, 8, "2")),
            ["openings.content: was 1, is 2"]
        );
        let settings = |engines: &[&str], content: u32| {
            let engines: Value = engines
                .iter()
                .map(|name| json!({"name": name, "limits": "1+1"}))
                .collect();
            json!({"engines": engines, "openings": {"content": content}})
        };
        let fourth = differences(
            &settings(&["A", "B", "C"], 1),
            &settings(&["A", "B", "C", "D"], 2),
        );
        assert_eq!(fourth.len(), 1, "{fourth:?}");
        assert!(
            fourth[0].starts_with("engine 4 (D): was nothing, is "),
            "{fourth:?}"
        );
        // The name of an engine does not choose openings.
        let renamed = differences(&settings(&["A", "B"], 1), &settings(&["A", "X"], 2));
        assert_eq!(
            renamed,
            [
                "engine 2 (B), name: was B, is X",
                "openings.content: was 1, is 2"
            ]
        );
    }
}
