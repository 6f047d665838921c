//! `handful fit --group-column` fits every group by itself, and a run that is killed goes on.

use crate::support::Workspace;
use serde_json::{Value, json};
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const SENTENCES: [&str; 4] = [
    "The bees left the hive in May and the queen went with them.",
    "A hive needs forty pounds of honey to last through the winter.",
    "Knead flour, water and yeast and let the dough rise overnight.",
    "Bread is baked in a hot oven until the crust is brown.",
];

/// Rows of `clients` clients, three texts each, one client after the other and then again.
fn rows(clients: usize) -> Vec<(String, String, &'static str)> {
    let row = |place: usize, client: usize| {
        let text = SENTENCES[(client + place) % SENTENCES.len()];
        (format!("client {client}"), format!("{client}-{place}"), text)
    };
    (0..3).flat_map(|place| (0..clients).map(move |client| row(place, client))).collect()
}

fn csv(clients: usize) -> String {
    let rows = rows(clients);
    let lines = rows.iter().map(|(client, key, text)| format!("{client},{key},\"{text}\"\n"));
    format!("client,key,answer\n{}", lines.collect::<String>())
}

const FLAGS: &str = "--group-column client --text-column answer --id-column key --topics 2";

fn lines(workspace: &Workspace, name: &str) -> Vec<Value> {
    let text = String::from_utf8(workspace.read(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Proportions as they were computed, however many digits are written.
fn shares(array: &Value) -> Vec<f32> {
    array.as_array().unwrap().iter().map(|share| share.as_f64().unwrap() as f32).collect()
}

#[test]
fn every_group_has_the_numbers_of_its_fit_alone() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(5));
    let said = workspace.run(&format!("fit all.csv {FLAGS} --out results.jsonl")).success();
    assert!(said.err.contains("10 topics of 15 documents in 5 groups"), "{said:?}");
    assert!(!workspace.exists("results.jsonl.part"));
    let results = lines(&workspace, "results.jsonl");
    let names: Vec<_> = results.iter().map(|one| one["group"].as_str().unwrap()).collect();
    assert_eq!(names, ["client 0", "client 1", "client 2", "client 3", "client 4"]);
    for result in &results {
        let own = rows(5).into_iter().filter(|(client, ..)| result["group"] == client.as_str());
        let own = own.map(|(_, id, text)| json!({"id": id, "text": text}).to_string() + "\n");
        workspace.write("alone.jsonl", own.collect::<String>());
        let alone = workspace.run("fit alone.jsonl --topics 2 --json").success().json();
        for (document, alone) in result["documents"]
            .as_array()
            .unwrap()
            .iter()
            .zip(alone["documents"].as_array().unwrap())
        {
            assert_eq!(document["document"], alone["id"]);
            assert_eq!(shares(&document["proportions"]), shares(&alone["topics"]));
            assert_eq!(document["words"], alone["words"]);
        }
        for (topic, alone) in
            result["topics"].as_array().unwrap().iter().zip(alone["topics"].as_array().unwrap())
        {
            assert_eq!(topic["share"], alone["weight"]);
            let terms: Vec<_> = alone["terms"]
                .as_array()
                .unwrap()
                .iter()
                .map(|term| term["term"].clone())
                .collect();
            assert_eq!(topic["terms"], json!(terms));
        }
    }
}

#[test]
fn formats_and_threads_change_no_result() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(5));
    let json = rows(5).into_iter().map(|(client, key, answer)| {
        json!({"client": client, "key": key, "answer": answer}).to_string() + "\n"
    });
    workspace.write("all.jsonl", json.collect::<String>());
    workspace.run(&format!("fit all.csv {FLAGS} --out a.jsonl --threads 1")).success();
    workspace.run(&format!("fit all.jsonl {FLAGS} --out b.jsonl --threads 3 -q")).success();
    assert_eq!(workspace.read("a.jsonl"), workspace.read("b.jsonl"));
    let said = workspace.run(&format!("fit all.csv {FLAGS} --out c.csv --json")).success().json();
    assert_eq!((&said["groups"], &said["documents"]), (&json!(5), &json!(15)));
    let table = String::from_utf8(workspace.read("c.csv")).unwrap();
    // A row for each topic of each document, and the header.
    assert_eq!(table.lines().count(), 1 + 15 * 2);
    let first = &lines(&workspace, "a.jsonl")[0];
    let row: Vec<&str> = table.lines().nth(1).unwrap().splitn(8, ',').collect();
    assert_eq!(row[0], "client 0");
    assert_eq!(row[1], first["documents"][0]["document"]);
    assert_eq!(
        row[6].parse::<f64>().unwrap() as f32,
        first["documents"][0]["proportions"][0].as_f64().unwrap() as f32
    );
}

/// Starts a run and waits until some of its groups are in the journal.
fn begun(workspace: &Workspace, line: &str, journal: &str) -> Child {
    let child = workspace.process(line).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    let has_results = || {
        let text = fs::read_to_string(workspace.path(journal)).unwrap_or_default();
        text.lines().count() > 1
    };
    while !has_results() {
        assert!(start.elapsed() < Duration::from_secs(100), "nothing was written down");
        sleep(Duration::from_millis(5));
    }
    child
}

#[test]
#[cfg(unix)]
fn a_killed_run_goes_on_and_gives_the_same_bytes() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(130));
    let endings: &[&str] =
        if cfg!(feature = "parquet") { &["jsonl", "parquet"] } else { &["jsonl"] };
    for ending in endings {
        let line = |out: &str| format!("fit all.csv {FLAGS} --out {out}.{ending}");
        workspace.run(&line("whole")).success();
        let part = format!("killed.{ending}.part");
        let mut child = begun(&workspace, &line("killed"), &part);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            !workspace.exists(&format!("killed.{ending}")),
            "it was finished before it was killed"
        );
        // A kill may leave half a line.
        let mut journal = workspace.read(&part);
        let finished = journal.iter().filter(|&&byte| byte == b'\n').count() - 1;
        journal.extend(b"{\"group\": \"cli");
        workspace.write(&part, journal);
        let said = workspace.run(&line("killed")).success();
        assert!(said.err.contains(&format!("goes on after {finished} of 130 groups")), "{said:?}");
        let name = |out: &str| format!("{out}.{ending}");
        assert_eq!(workspace.read(&name("killed")), workspace.read(&name("whole")));
        assert!(!workspace.exists(&part));
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_says_how_to_go_on() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(130));
    let line = format!("fit all.csv {FLAGS} --out results.csv");
    let child = begun(&workspace, &line, "results.csv.part");
    let status =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("of 130 groups; run the same command to go on from there"), "{said}");
    workspace.run(&line).success();
}

#[test]
#[cfg(unix)]
fn a_journal_of_another_run_is_refused_and_replaced_by_force() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(130));
    let line = format!("fit all.csv {FLAGS} --out results.jsonl");
    let mut child = begun(&workspace, &line, "results.jsonl.part");
    child.kill().unwrap();
    child.wait().unwrap();
    let refused = workspace.run(&format!("{line} --seed 2")).refusal();
    assert!(
        refused.starts_with(
            "results.jsonl.part: is left of a run that was stopped, and seed was 1 and is now 2; "
        ),
        "{refused}"
    );
    workspace.write("all.csv", csv(3));
    let refused = workspace.run(&line).refusal();
    assert!(refused.contains("groups was 130 and is now 3"), "{refused}");
    workspace.run(&format!("{line} --force")).success();
    assert_eq!(lines(&workspace, "results.jsonl").len(), 3);
    let refused = workspace.run(&line).refusal();
    assert!(refused.contains("results.jsonl: exists already"), "{refused}");
}

#[test]
#[cfg(unix)]
fn a_damaged_journal_gets_into_no_result() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(130));
    let line = |out: &str| format!("fit all.csv {FLAGS} --out {out}.jsonl");
    workspace.run(&line("whole")).success();
    let mut child = begun(&workspace, &line("killed"), "killed.jsonl.part");
    child.kill().unwrap();
    child.wait().unwrap();
    let journal = String::from_utf8(workspace.read("killed.jsonl.part")).unwrap();
    let second = journal.lines().nth(1).unwrap();
    let damages = [
        // Another number that is as good as the one that was there.
        (
            journal.replacen("\"words\":", "\"words\":1", 1),
            "line 2: does not agree with its checksum",
        ),
        (journal.replacen(second, "{}", 1), "line 2: is no result of a group"),
        (
            format!("{journal}{}", format!("{second}\n").repeat(130)),
            "is one more than the 130 groups",
        ),
    ];
    for (damaged, expected) in damages {
        assert_ne!(damaged, journal);
        workspace.write("killed.jsonl.part", damaged);
        let message = workspace.run(&line("killed")).refusal();
        assert!(message.starts_with("killed.jsonl.part, line "), "{message}");
        assert!(message.contains(expected), "{message}");
        assert!(message.ends_with("use --force to start afresh"), "{message}");
    }
    workspace.run(&format!("{} --force", line("killed"))).success();
    assert_eq!(workspace.read("killed.jsonl"), workspace.read("whole.jsonl"));
}

#[test]
fn bad_input_is_named_before_any_work() {
    let workspace = Workspace::new();
    workspace.write("all.csv", csv(2));
    workspace.write("gap.csv", "client,text\na,one\n,two\n");
    workspace.write("a.txt", "one");
    let refused = |line: &str| workspace.run(line).refusal();
    assert_eq!(
        refused("fit all.csv --text-column answer --group-column customer --out r.jsonl"),
        "all.csv: has no column \"customer\", but the columns client, key, answer; \
         name the column of the group with --group-column"
    );
    assert!(
        refused("fit gap.csv --group-column client --out r.jsonl")
            .starts_with("gap.csv, line 3: \"client\" is missing or empty")
    );
    assert!(
        refused("fit a.txt --group-column client --out r.jsonl").contains("does not name a group")
    );
    assert!(
        refused(&format!("fit all.csv {FLAGS} --out results"))
            .contains("name a .parquet, .jsonl or .csv file")
    );
    workspace.run("fit all.csv --group-column client").usage_error();
    workspace.run(&format!("fit all.csv {FLAGS} --out r.jsonl --report r.html")).usage_error();
    workspace.write("bad.parquet", "PAR1 but no more");
    if cfg!(feature = "parquet") {
        let said = refused("fit bad.parquet --group-column client --out r.jsonl");
        assert!(said.starts_with("bad.parquet: cannot be read as Parquet"), "{said}");
    }
    assert_eq!(workspace.names("."), ["a.txt", "all.csv", "bad.parquet", "gap.csv"]);
}
