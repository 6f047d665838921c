//! Compares the settings a file was made with to the current ones.

use serde_json::Value;

/// Describes the first of `entries` in which two objects differ. Returns `None` if they agree.
///
/// The entry `data` is a checksum, so the description does not print its values.
pub fn difference(entries: &[&str], theirs: &Value, ours: &Value) -> Option<String> {
    entries.iter().find_map(|&key| of_values(key, theirs.get(key), ours.get(key)))
}

fn of_values(key: &str, theirs: Option<&Value>, ours: Option<&Value>) -> Option<String> {
    if theirs == ours {
        return None;
    }
    if key == "data" {
        return Some("the documents differ".to_owned());
    }
    let entries = (theirs.and_then(Value::as_object), ours.and_then(Value::as_object));
    if let (Some(theirs), Some(ours)) = entries {
        let mut keys = ours.keys().chain(theirs.keys());
        return keys.find_map(|key| of_values(key, theirs.get(key), ours.get(key)));
    }
    // Files leave out settings that have their usual value.
    let said = |value: Option<&Value>| value.map_or("as usual".to_owned(), Value::to_string);
    Some(format!("{key} was {} and is now {}", said(theirs), said(ours)))
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

    #[test]
    fn a_setting_that_one_side_leaves_out_is_named_too() {
        let (given, usual) = (json!({"run": {"a": 1, "b": true}}), json!({"run": {"a": 1}}));
        let named = |theirs, ours| difference(&["run"], theirs, ours).unwrap();
        assert_eq!(named(&given, &usual), "b was true and is now as usual");
        assert_eq!(named(&usual, &given), "b was as usual and is now true");
    }
}
