//! `handful compare`: results, tables and figures.

use crate::support::{TINY, Workspace, outcomes, records};
use serde_json::json;
use std::collections::BTreeMap;

#[test]
fn each_experiment_is_a_line_and_the_tables_are_printed() {
    let workspace = Workspace::with_corpora();
    let line = format!(
        "compare corpora --out out -q {TINY} --tasks 5 --methods iwata,nn-f,smoothed --repeats 2 \
         --targets elm --targets yew"
    );
    let answer = workspace.run(&line).success();
    assert_eq!(answer.err, "");
    let records = records(&workspace, "out");
    assert_eq!(records.len(), 3 * 2 * 2);
    for record in &records {
        assert!(["elm", "yew"].contains(&record["target"].as_str().unwrap()), "{record}");
        assert_eq!(record["tasks"], 5);
        let is_trained = record["method"] != "smoothed";
        assert_eq!(record["topics"], if is_trained { json!(3) } else { json!(null) });
        assert_eq!(record["em_steps"], if is_trained { json!(3) } else { json!(null) });
        assert_eq!(record.get("steps").is_some(), is_trained, "{record}");
        assert_eq!(record.get("topics_shown").is_some(), is_trained, "{record}");
        assert_eq!(record.get("calibration").is_some(), is_trained, "{record}");
        let number = |key: &str| record[key].as_f64().unwrap();
        let perplexity = (-number("log_likelihood") / number("query_words")).exp();
        assert!((number("perplexity") - perplexity).abs() < 1e-9 * perplexity);
    }
    assert_eq!(answer.out.as_bytes(), workspace.read("out/tables.md"));
    for part in ["| iwata | Ours | ", "| nn-f | NN-F | ", "| smoothed |", "over 4 experiments on 2"]
    {
        assert!(answer.out.contains(part), "{part} is not in {}", answer.out);
    }
    assert_eq!(
        workspace.names("out"),
        [
            "calibration.csv",
            "perplexity-by-target.csv",
            "perplexity.csv",
            "results.jsonl",
            "settings.json",
            "tables.md",
            "tasks.jsonl.gz",
            "time.csv",
            "topics-shown.csv",
            "topics.csv"
        ]
    );
    let table = workspace.run("compare --table out").success();
    assert_eq!((table.out, table.err.as_str()), (answer.out, ""));
}

#[test]
fn tables_can_be_asked_for_as_json_and_for_named_targets() {
    let workspace = Workspace::with_corpora();
    let line = format!("compare corpora --out out -q {TINY} --tasks 2 --methods iwata,dir --json");
    let scores = workspace.run(&line).success().json();
    assert_eq!(scores["methods"][1]["method"], "dir");
    assert_eq!(scores["methods"][0]["experiments"], 6);
    let table = workspace.run("compare --table out --targets rowan").success().out;
    assert!(table.contains("\nrowan, by `iwata`:"), "{table}");
    assert!(!table.contains("\nalder, by"), "{table}");
}

#[test]
fn the_number_of_threads_changes_no_number() {
    let workspace = Workspace::with_corpora();
    for threads in [1, 2] {
        let line = format!("compare corpora --out {threads} -q {TINY} --tasks 3 --targets elm");
        workspace.run(&format!("{line} --threads {threads}")).success();
    }
    assert_eq!(outcomes(&workspace, "1"), outcomes(&workspace, "2"));
    assert_eq!(workspace.read("1/tasks.jsonl.gz"), workspace.read("2/tasks.jsonl.gz"));
    workspace.run(&format!("compare corpora --out 3 -q {TINY} --tasks 3 --seed 3")).success();
    assert_ne!(outcomes(&workspace, "1"), outcomes(&workspace, "3"));
}

#[test]
fn sweeps_join_the_other_results_as_figures() {
    let workspace = Workspace::with_corpora();
    let line = format!("compare corpora --out out -q {TINY} --tasks 2 --targets elm --targets yew");
    workspace.run(&format!("{line} --methods iwata,dir-e")).success();
    let first = outcomes(&workspace, "out");
    let answer = workspace.run(&format!("{line} --sweep em-steps")).success();
    // T = 0, 1, 2, 5, 10 and 20, none of which is that of the settings.
    assert_eq!(records(&workspace, "out").len(), first.len() + 6 * 2);
    assert!(answer.out.contains("## Perplexity by number of EM steps T"), "{}", answer.out);
    assert!(workspace.exists("out/perplexity-by-em-steps.svg"));
    workspace.run(&format!("{line} --sweep topics --methods iwata,dir-e")).success();
    let svg = String::from_utf8(workspace.read("out/perplexity-by-topics.svg")).unwrap();
    assert_eq!(svg.matches("<polyline").count(), 2);
    let after = outcomes(&workspace, "out");
    assert!(first.iter().all(|record| after.contains(record)));
}

#[test]
fn each_of_two_sweeps_has_the_methods_of_its_own_figure() {
    let workspace = Workspace::with_corpora();
    let line = format!("compare corpora --out out -q {TINY} --tasks 2 --targets elm");
    workspace.run(&format!("{line} --sweep em-steps --sweep topics")).success();
    let mut tried = [BTreeMap::new(), BTreeMap::new()];
    for record in records(&workspace, "out") {
        // The settings' K is no value of the sweep of topics, nor their T one of the other.
        let of_topics = usize::from(record["topics"] != 3);
        *tried[of_topics].entry(record["method"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let expected = |methods: &[&str]| methods.iter().map(|&id| (id.to_owned(), 6)).collect();
    assert_eq!(tried, [expected(&["iwata"]), expected(&["iwata", "lda-ind", "lda-all"])]);
}

#[test]
fn progress_counts_experiments_and_tells_the_time_left() {
    let workspace = Workspace::with_corpora();
    let line = format!("compare corpora --out out {TINY} --tasks 2 --targets elm");
    let answer = workspace.run(&format!("{line} --methods dir,dir-f")).success();
    let lines: Vec<&str> = answer.err.lines().collect();
    assert_eq!(lines.len(), 2, "{answer:?}");
    assert!(lines[0].starts_with("experiment 1/2, dir on elm, repeat 0, K=3, T=0: perplexity "));
    assert!(lines.iter().all(|line| line.ends_with(" left")), "{answer:?}");
    let answer = workspace.run(&format!("{line} --methods dir,dir-f,smoothed")).success();
    assert!(answer.err.starts_with("2 of 3 experiments are there already\n"), "{answer:?}");
    assert_eq!(answer.err.lines().count(), 2, "{answer:?}");
}

#[test]
fn the_papers_protocol_trains_and_measures_as_the_paper_says() {
    let workspace = Workspace::with_corpora();
    let shape = "--topics 3 --em-steps 3 --hidden 8 --min-documents 1 --min-document-words 1";
    let line = format!(
        "compare corpora --protocol paper --out out -q {shape} --max-steps 40 --methods iwata,dir \
         --targets elm"
    );
    workspace.run(&line).success();
    let records = records(&workspace, "out");
    assert_eq!(records.len(), 2 * 10);
    for record in &records {
        assert_eq!((&record["tasks"], &record["steps"]), (&json!(1), &json!(40)));
        assert_eq!(record["learning_rate"], 1e-3, "{record}");
    }
    let settings: serde_json::Value =
        serde_json::from_slice(&workspace.read("out/settings.json")).unwrap();
    let settings = &settings["settings"];
    let training = &settings["training"];
    assert_eq!((&settings["mean"], &training["loss"]), (&json!("documents"), &json!("sum")));
    assert_eq!(training["adam"]["clip_norm"], json!(null));
    // What a flag says comes before the protocol.
    let other =
        "compare corpora --protocol paper --out other -q --loss mean --clip-norm 2 --repeats 1";
    workspace
        .run(&format!("{other} {shape} --max-steps 2 --methods dir --targets elm --tasks 2"))
        .success();
    let settings: serde_json::Value =
        serde_json::from_slice(&workspace.read("other/settings.json")).unwrap();
    let training = &settings["settings"]["training"];
    assert_eq!((&training["loss"], &training["adam"]["clip_norm"]), (&json!("mean"), &json!(2.0)));
    // The table ranks by the mean of documents.
    let mean = |method: &str| {
        let of = records.iter().filter(|record| record["method"] == method);
        of.map(|record| record["mean_of_documents"].as_f64().unwrap()).sum::<f64>() / 10.0
    };
    let table = workspace.run("compare --table out").success().out;
    for method in ["iwata", "dir"] {
        let row = table.lines().find(|line| line.starts_with(&format!("| {method} |"))).unwrap();
        assert!(row.contains(&format!("{:.1} ±", mean(method))), "{row}");
    }
}
