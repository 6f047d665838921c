//! What `--json` prints is what `docs/fit.schema.json` says.

use crate::support::Workspace;
use jsonschema::Validator;
use serde_json::{Value, json};

fn schema() -> Validator {
    let schema = include_str!("../../../../docs/fit.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

fn assert_valid(schema: &Validator, value: &Value, line: &str) {
    let errors: Vec<String> = schema
        .iter_errors(value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{line}: {errors:?}");
}

#[test]
fn every_json_of_a_fit_follows_the_schema() {
    let (schema, workspace) = (schema(), Workspace::with_model());
    workspace.write("counts.jsonl", "{\"id\": \"c\", \"counts\": {\"water\": 2, \"zzyx\": 1}}\n");
    workspace
        .write("de.txt", "Die Bienen fliegen im Mai aus dem Stock, und die Königin fliegt mit.");
    workspace.write("en.txt", "The bees leave the hive in May, and the queen goes with them.");
    for line in [
        "fit de.txt en.txt --json",
        "fit a.txt b.txt c.txt --json",
        "fit a.txt b.txt c.txt --json --topics 2 --sentences 2 --words --ignore-words water",
        "fit a.txt --json --relevance 0.3 --top 0 --until-converged",
        "fit counts.jsonl --json --words --topics 3",
        "fit a.txt b.txt --model model --json",
        "fit a.txt b.txt --topics 5 --json",
        "fit a.txt b.txt --topics 2 --out topics --json",
        "infer --topic-model topics c.txt --json",
        "inspect topics --json",
        "lda a.txt b.txt c.txt --topics 3 --sweeps 20 --out lda --json --words --sentences 1",
        "lda counts.jsonl --topics 1 --sweeps 5 --optimise-every 0 --json",
        "infer --topic-model lda c.txt --json",
    ] {
        assert_valid(&schema, &workspace.run(line).success().json(), line);
    }
}

#[test]
fn the_schema_refuses_what_is_no_fit() {
    let (schema, workspace) = (schema(), Workspace::with_model());
    let fit = workspace.run("fit a.txt b.txt --topics 2 --json").success().json();
    assert!(schema.is_valid(&fit));
    let damages: [fn(&mut Value); 7] = [
        |fit| drop(fit.as_object_mut().unwrap().remove("version")),
        |fit| fit["version"] = json!(2),
        |fit| fit["topics"][0]["weight"] = json!("0.5"),
        |fit| fit["documents"][0]["topics"][1] = json!(1.5),
        |fit| fit["topics"][0]["terms"][0] = json!({"term": "water"}),
        |fit| fit["tree"]["joins"][0]["nodes"] = json!([0]),
        |fit| drop(fit["tree"].as_object_mut().unwrap().remove("topics")),
    ];
    for (i, damage) in damages.into_iter().enumerate() {
        let mut damaged = fit.clone();
        damage(&mut damaged);
        assert!(!schema.is_valid(&damaged), "damage {i}");
    }
}
