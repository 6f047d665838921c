//! Numbers and names of topics, and why documents are where they are.

use crate::support::Workspace;
use serde_json::{Value, json};

/// Four texts in files of one folder: three about space, one about medicine.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for n in 0..3 {
        let text = "The rocket put the satellite into orbit. The spacecraft left the orbit of the moon, and \
                    the astronauts saw the telescope from their spacecraft.";
        workspace.write(&format!("space-{n}.txt"), format!("{text} Launch {n} of the rocket."));
    }
    workspace.write(
        "ward.txt",
        "The patient has a fever. The doctor gave the patient an antibiotic against the infection.",
    );
    workspace
}

fn fit(workspace: &Workspace, flags: &str) -> Value {
    workspace.run(&format!("fit {flags} --topics 2 --json -q")).success().json()
}

#[test]
fn the_largest_topic_is_number_one_whatever_the_order_of_the_files() {
    let workspace = workspace();
    let few_first = fit(&workspace, "ward.txt space-0.txt space-1.txt space-2.txt");
    let many_first = fit(&workspace, "space-0.txt space-1.txt space-2.txt ward.txt");
    for fitted in [&few_first, &many_first] {
        let weights: Vec<f64> = fitted["topics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|topic| topic["weight"].as_f64().unwrap())
            .collect();
        assert!(weights[0] > weights[1], "{weights:?}");
        for document in fitted["documents"].as_array().unwrap() {
            let is_space = document["id"].as_str().unwrap().starts_with("space");
            let first = document["topics"][0].as_f64().unwrap();
            assert_eq!(first > 0.5, is_space, "{document}");
        }
    }
    assert_eq!(few_first["topics"][0]["name"], many_first["topics"][0]["name"]);
}

#[test]
fn further_documents_find_topics_that_are_in_another_order_than_the_files() {
    let workspace = workspace();
    fit(&workspace, "ward.txt space-0.txt space-1.txt space-2.txt --out topics");
    workspace.write("pill.txt", "The doctor treats an infection and a fever of the patient.");
    workspace.write(
        "moon.txt",
        "A satellite in the orbit of the moon, and the rocket of the astronauts.",
    );
    let line = "infer pill.txt moon.txt --topic-model topics --json";
    let inferred = workspace.run(line).success().json();
    let first = |n: usize| inferred["documents"][n]["topics"][0].as_f64().unwrap();
    assert!(first(0) < 0.5 && first(1) > 0.5, "{inferred}");
}

#[test]
fn a_name_is_the_same_in_every_output() {
    let workspace = workspace();
    let line = "fit space-0.txt space-1.txt ward.txt --topics 2 --name 2=Hospitals";
    let all = "--csv-topics t.csv --csv-proportions p.csv --report r.html --out topics";
    let text = workspace.run(&format!("{line} {all}")).success().out;
    assert!(text.contains("Hospitals: "), "{text}");
    let json = workspace.run(&format!("{line} --json")).success().json();
    assert_eq!(json["topics"][1]["name"], "Hospitals");
    assert_eq!(json["topics"][1]["number"], 2);
    assert!(json["topics"][0]["name"].as_str().unwrap().split(", ").count() > 1);
    for file in ["t.csv", "p.csv", "r.html"] {
        let file = String::from_utf8(workspace.read(file)).unwrap();
        assert!(file.contains("Hospitals"), "{file}");
    }
    let name = |directory: &str| {
        let line = format!("inspect {directory} --json");
        workspace.run(&line).success().json()["topics"][1]["name"].clone()
    };
    assert_eq!(name("topics"), "Hospitals");
    workspace.run("name topics 1=Space 2=Wards").success();
    assert_eq!(name("topics"), "Wards");
    let inferred = workspace.run("infer ward.txt --topic-model topics --json").success().json();
    assert_eq!(inferred["topics"][0]["name"], "Space");
    // An empty name takes a name away.
    workspace.run("name topics 2=").success();
    assert_eq!(
        name("topics"),
        json["topics"][1]["terms"].as_array().map_or(json!(null), |terms| {
            let terms: Vec<&str> =
                terms.iter().take(3).map(|term| term["term"].as_str().unwrap()).collect();
            json!(terms.join(", "))
        })
    );
}

#[test]
fn a_topic_that_is_not_there_has_no_name() {
    let workspace = workspace();
    let line = "fit space-0.txt ward.txt --topics 2 --name 3=Other";
    let message = workspace.run(line).refusal();
    assert!(message.contains("topic 3: is no topic: there are 2"), "{message}");
    let message = workspace.run("fit space-0.txt --name Other").usage_error();
    assert!(message.contains("it must be a topic's number, from 1, and a name"), "{message}");
}

#[test]
fn the_words_and_sentences_that_decided_are_told() {
    let workspace = workspace();
    let line = "fit space-0.txt space-1.txt ward.txt --topics 2 --explain ward.txt";
    let explained = workspace.run(&format!("{line} --json")).success().json();
    let ward = &explained["explanations"][0];
    assert_eq!(ward["document"], "ward.txt");
    let reasons = &ward["topics"][0];
    assert!(reasons["share"].as_f64().unwrap() > 0.5);
    let words: Vec<&str> = reasons["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word["term"].as_str().unwrap())
        .collect();
    assert!(words.contains(&"patient") && !words.contains(&"rocket"), "{words:?}");
    let text = workspace.run(line).success().out;
    let (_, why) = text.split_once("Why ward.txt is where it is").unwrap();
    assert!(why.contains("patient ×2") && why.contains("antibiotic"), "{why}");
    let message = workspace.run("fit space-0.txt ward.txt --explain wrd.txt").refusal();
    assert!(message.contains("document \"wrd.txt\": is not there; did you mean \"ward.txt\"?"));
}

#[test]
fn of_more_than_twenty_documents_the_typical_ones_are_shown() {
    let workspace = workspace();
    let mut table = "text\n".to_owned();
    for n in 0..11 {
        table += &format!("\"Rocket {n} flew into orbit around the moon.\"\n");
        table += &format!("\"Patient {n} has a fever and an infection.\"\n");
    }
    workspace.write("rows.csv", table);
    let line = "fit rows.csv --topics 2";
    let answer = workspace.run(line).success();
    assert!(answer.out.contains("The most typical of 22 documents"), "{}", answer.out);
    assert!(answer.out.lines().count() < 30, "{}", answer.out);
    assert!(answer.err.contains("--all shows every document"), "{}", answer.err);
    // Rows are numbered from 1, and called by their first words.
    let all = workspace.run(&format!("{line} --all")).success().out;
    assert!(all.contains("  1 Rocket 0 flew into orbit around the moon. ("), "{all}");
    assert!(all.contains("  22 Patient 10 has a fever and an infection. ("), "{all}");
}

#[test]
fn a_document_whose_id_is_a_number_is_called_by_its_first_words_wherever_it_is_named() {
    let workspace = Workspace::new();
    workspace.write(
        "rows.csv",
        "text\n\"Rockets.\nThe rocket put the satellite into orbit around the moon.\"\n\
         \"Wards.\nThe doctor gave the patient an antibiotic against the infection.\"\n",
    );
    let line = "fit rows.csv --topics 2 --sentences 1 --explain 1";
    let text = workspace.run(&format!("{line} --report r.html")).success().out;
    for caption in ["(1 Rockets., ", "(2 Wards., ", "Why 1 Rockets. is where it is"] {
        assert!(text.contains(caption), "{text}");
    }
    let page = String::from_utf8(workspace.read("r.html")).unwrap();
    assert!(page.contains("<footer>1 Rockets., ") && page.contains("<footer>2 Wards., "));
    // A sentence that is the document's beginning is not said twice.
    workspace.write("one.csv", "text\nThe rocket put the satellite into orbit around the moon.\n");
    let one = workspace.run("fit one.csv --topics 1 --sentences 1").success().out;
    assert!(one.contains("around the moon.\n      (1, "), "{one}");
    // Programs find a document by its identifier.
    let json = workspace.run(&format!("{line} --json")).success().json();
    let mut quoted: Vec<&Value> =
        [0, 1].map(|k| &json["topics"][k]["sentences"][0]["document"]).to_vec();
    quoted.sort_by_key(|id| id.to_string());
    assert_eq!(quoted, [&json!("1"), &json!("2")]);
    assert_eq!(json["explanations"][0]["document"], "1");
}
