//! The lines of a folder of results.

use super::Workspace;
use serde_json::{Value, json};

/// The experiments of a comparison's folder, in the order of their lines.
pub fn records(workspace: &Workspace, folder: &str) -> Vec<Value> {
    lines(workspace, &format!("{folder}/results.jsonl"))
}

/// The experiments of a comparison's folder without what the clock said, sorted.
pub fn outcomes(workspace: &Workspace, folder: &str) -> Vec<String> {
    timeless(records(workspace, folder))
}

/// The lines of a file of experiments.
pub fn lines(workspace: &Workspace, file: &str) -> Vec<Value> {
    let text = String::from_utf8(workspace.read(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Experiments without what the clock said and without their checksums, sorted.
pub fn timeless(records: Vec<Value>) -> Vec<String> {
    let timeless = |mut record: Value| {
        record["crc32"] = json!(null);
        for key in ["train_seconds", "fit_seconds"] {
            assert!(record[key].as_f64().is_some_and(|seconds| seconds >= 0.0), "{record}");
            record[key] = json!(null);
        }
        record.to_string()
    };
    let mut outcomes: Vec<String> = records.into_iter().map(timeless).collect();
    outcomes.sort();
    outcomes
}
