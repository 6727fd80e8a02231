//! What is different between two sets of settings, in words.

use serde_json::Value;

/// One sentence for each value that differs: `limits: was 10+0.1, is 5+0.1`. Members of lists are counted from 1.
pub fn differences(was: &Value, is: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(String::new(), Some(was), Some(is), &mut found);
    found
}

fn compare(name: String, was: Option<&Value>, is: Option<&Value>, found: &mut Vec<String>) {
    let inner = |key: &dyn std::fmt::Display| match name.as_str() {
        "" => key.to_string(),
        name => format!("{name}.{key}"),
    };
    match (was, is) {
        (Some(Value::Object(was)), Some(Value::Object(is))) => {
            let new = is.keys().filter(|&key| !was.contains_key(key));
            for key in was.keys().chain(new) {
                compare(inner(key), was.get(key), is.get(key), found);
            }
        }
        (Some(Value::Array(was)), Some(Value::Array(is))) => {
            for index in 0..was.len().max(is.len()) {
                compare(inner(&(index + 1)), was.get(index), is.get(index), found);
            }
        }
        _ if was != is => found.push(format!("{name}: was {}, is {}", shown(was), shown(is))),
        _ => {}
    }
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_difference_is_named() {
        let was = json!({"seed": 1, "engines": [{"name": "A", "options": []}, {"name": "B"}], "sprt": null});
        assert!(differences(&was, &was).is_empty());
        let is =
            json!({"seed": 2, "engines": [{"name": "A", "options": [["Hash", "1"]]}], "sprt": {"elo0": 0.0}});
        assert_eq!(
            differences(&was, &is),
            [
                "engines.1.options.1: was nothing, is [\"Hash\",\"1\"]",
                "engines.2: was {\"name\":\"B\"}, is nothing",
                "seed: was 1, is 2",
                "sprt: was nothing, is {\"elo0\":0.0}",
            ]
        );
    }
}
