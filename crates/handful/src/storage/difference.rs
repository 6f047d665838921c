//! Compares the settings a file was made with to the current ones.

use serde_json::{Map, Value};

/// Describes the first of `entries` in which two objects differ. Returns `None` if they agree.
///
/// The entry `data` is a checksum, so the description does not print its values.
pub fn difference(entries: &[&str], theirs: &Value, ours: &Value) -> Option<String> {
    entries.iter().find_map(|&key| of_values(key, &theirs[key], &ours[key]))
}

fn of_values(key: &str, theirs: &Value, ours: &Value) -> Option<String> {
    if theirs == ours {
        return None;
    }
    if key == "data" {
        return Some("the documents differ".to_owned());
    }
    let inner = |ours: &Map<String, Value>| {
        ours.iter().find_map(|(key, ours)| of_values(key, &theirs[key], ours))
    };
    let entries = ours.as_object().filter(|_| theirs.is_object());
    Some(entries.and_then(inner).unwrap_or_else(|| format!("{key} was {theirs} and is now {ours}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named_by_its_innermost_entry() {
        let theirs = json!({"data": 1, "run": {"a": 1, "deep": {"b": [1], "c": 3}}});
        let ours = json!({"data": 2, "run": {"a": 1, "deep": {"b": [2], "c": 4}}});
        let named = |entries: &[&str]| difference(entries, &theirs, &ours);
        assert_eq!(named(&["run", "data"]).unwrap(), "b was [1] and is now [2]");
        assert_eq!(named(&["data", "run"]).unwrap(), "the documents differ");
        assert_eq!(difference(&["data", "run"], &ours, &ours), None);
    }
}
