//! `handful compact`.

use crate::support::{TINY, Workspace};

/// A workspace with a model `own` of enough terms that their matrix is one of many rows, with a compact
/// form `small`, and with documents like `wide/one/0`.
pub fn with_compact_model() -> Workspace {
    let workspace = Workspace::with_model();
    let line: String = (0..1500).map(|n| format!("{} ", letters(n))).collect();
    for (corpus, texts) in [("one", 4), ("two", 4), ("three", 4), ("four", 4)] {
        (0..texts).for_each(|n| workspace.write(&format!("wide/{corpus}/{n}"), &line));
    }
    let flags = TINY.replace("--validation-corpora 2", "--validation-corpora 0");
    workspace.run(&format!("train wide -o own --themes 4 -q --min-documents 1 {flags}")).success();
    workspace.run("compact own -o small -q").success();
    workspace
}

#[test]
fn a_compact_model_is_a_model_like_any_other_and_smaller() {
    let workspace = with_compact_model();
    let size = |model: &str| workspace.read(&format!("{model}/model.safetensors")).len();
    assert!(size("small") * 3 < size("own"), "{} {}", size("small"), size("own"));
    assert!(workspace.run("inspect small").success().out.contains("rounded"));
    let fit = |model: &str| {
        let line = format!("fit wide/one/0 --model {model} --topics 2 --json");
        workspace.run(&line).success().json()
    };
    let (full, small) = (fit("own"), fit("small"));
    let share = |fit: &serde_json::Value| fit["documents"][0]["topics"][0].as_f64().unwrap();
    assert!((share(&full) - share(&small)).abs() < 0.02, "{full} {small}");
    // What is rounded stays as it is; what is said of it is on its card.
    workspace.write("about.md", "## Data\n\nWords of letters, free for all.\n");
    workspace.run("compact small -o again -q --about about.md").success();
    let card = String::from_utf8(workspace.read("again/README.md")).unwrap();
    assert!(
        card.contains("\n## Data\n\nWords of letters, free for all.\n\n## Trained on\n"),
        "{card}"
    );
    workspace.run("compact again -o kept -q").success();
    assert_eq!(workspace.read("again/README.md"), workspace.read("kept/README.md"));
    assert!(
        workspace.run("compact own -o new --about nowhere.md").refusal().contains("nowhere.md")
    );
    assert_eq!(
        workspace.read("small/model.safetensors"),
        workspace.read("again/model.safetensors")
    );
    let refusal = workspace.run("compact own -o small").refusal();
    assert!(refusal.contains("small: exists already"), "{refusal}");
    assert!(workspace.run("compact nowhere -o new").refusal().contains("nowhere"));
}

/// A word of letters for a number.
fn letters(mut number: usize) -> String {
    let mut word = String::from("w");
    for _ in 0..3 {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}
