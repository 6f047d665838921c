//! The lines of a folder of results.

use super::Workspace;
use serde_json::{Value, json};

/// The experiments of a folder, in the order of their lines.
pub fn records(workspace: &Workspace, folder: &str) -> Vec<Value> {
    let text = String::from_utf8(workspace.read(&format!("{folder}/results.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The experiments of a folder without what the clock said, sorted.
pub fn outcomes(workspace: &Workspace, folder: &str) -> Vec<String> {
    let timeless = |mut record: Value| {
        for key in ["train_seconds", "fit_seconds"] {
            assert!(record[key].as_f64().is_some_and(|seconds| seconds >= 0.0), "{record}");
            record[key] = json!(null);
        }
        record.to_string()
    };
    let mut outcomes: Vec<String> = records(workspace, folder).into_iter().map(timeless).collect();
    outcomes.sort();
    outcomes
}
