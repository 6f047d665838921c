//! `handful inspect`: what a directory holds.

use crate::support::{Workspace, read_tensors};

#[test]
fn a_model_is_described_by_its_card() {
    let workspace = Workspace::with_model();
    let shown = workspace.run("inspect model").success();
    let card = String::from_utf8(workspace.read("model/README.md")).unwrap();
    assert!(shown.out.starts_with(&card), "{}", shown.out);
    for part in ["| topics | 3 |", "| EM steps | 3 |", "32 terms", "iwata", "## Validated on"] {
        assert!(shown.out.contains(part), "{part} is not in {}", shown.out);
    }
    assert_eq!(shown.err, "");
}

#[test]
fn a_model_as_json_is_its_configuration_with_its_sizes() {
    let workspace = Workspace::with_model();
    let mut shown = workspace.run("inspect model --json").success().json();
    let tensors = read_tensors(&workspace, "model/model.safetensors");
    let weights: usize = tensors.values().map(|(_, values)| values.len()).sum();
    let object = shown.as_object_mut().unwrap();
    assert_eq!(object.remove("terms").unwrap(), 32);
    assert_eq!(object.remove("weights").unwrap(), weights);
    let mut config: serde_json::Value =
        serde_json::from_slice(&workspace.read("model/config.json")).unwrap();
    // They are of the files, not of the model.
    for checksum in ["checksums", "crc32"] {
        assert!(config.as_object_mut().unwrap().remove(checksum).is_some(), "{checksum}");
    }
    assert_eq!(shown, config);
}

#[test]
fn a_topic_model_is_shown_as_when_it_was_fitted() {
    let workspace = Workspace::with_model();
    let fit = "fit a.txt b.txt --model model --top 4";
    let printed = workspace.run(&format!("{fit} --out topics")).success();
    assert_eq!(workspace.run("inspect topics --top 4").success().out, printed.out);
    let json = workspace.run(&format!("{fit} --json")).success();
    assert_eq!(workspace.run("inspect topics --top 4 --json").success().out, json.out);
}

#[test]
fn what_is_neither_is_refused() {
    let workspace = Workspace::with_model();
    workspace.write("other/config.json", r#"{"architectures": ["elsewhere"]}"#);
    for name in ["corpora", "a.txt", "nowhere", "other"] {
        let message = workspace.run(&format!("inspect {name}")).refusal();
        assert!(message.starts_with(&format!("{name}: is no model directory")), "{message}");
        assert!(message.contains("handful train"), "{message}");
    }
}

#[test]
fn a_directory_that_was_being_replaced_when_the_process_was_killed_is_named() {
    let workspace = Workspace::with_model();
    let old = ".model.0123456789abcdef.handful-old";
    std::fs::rename(workspace.path("model"), workspace.path(old)).unwrap();
    for line in ["inspect model", "fit a.txt --model model"] {
        let message = workspace.run(line).refusal();
        assert!(message.contains(&format!("interrupted; it is now {old}")), "{message}");
    }
    std::fs::rename(workspace.path(old), workspace.path("model")).unwrap();
    workspace.run("fit a.txt --model model").success();
}
