//! The model that is inside, and the number of topics that documents support.

use crate::support::Workspace;
use serde_json::Value;

/// Four texts on two subjects.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for (name, text) in [
        (
            "launch",
            "The rocket left the launch pad and the engine burned for eight minutes until the satellite \
                    was in orbit. Mission control lost contact with the spacecraft over the ocean, but the shuttle crew \
                    repaired the telescope and the solar panels of the station.",
        ),
        (
            "moon",
            "The probe flew past the moon on its way to the planets. Its rocket engine put the spacecraft into \
                  orbit, where the telescope and the radio antenna sent pictures to the mission team, and a second launch \
                  of the shuttle carried a new satellite.",
        ),
        (
            "ward",
            "The patient came to the hospital with fever and pain. Doctors found an infection of the lung and gave \
                  antibiotics, and the treatment of the disease took three weeks. Blood tests showed that the symptoms \
                  came from bacteria and not from cancer.",
        ),
        (
            "clinic",
            "At the clinic the doctor treats patients with heart disease and high blood pressure. The drug lowers the \
                    risk of a stroke, but some patients stop the treatment when the symptoms, pain and fever, go away and \
                    the infection seems over.",
        ),
    ] {
        workspace.write(name, text);
    }
    workspace
}

#[test]
fn documents_have_topics_without_any_model_or_network() {
    let workspace = workspace();
    let fit = workspace.run("fit launch moon ward clinic --topics 2 --json").success().json();
    assert_eq!(fit["model"]["name"], "the model inside");
    let largest = |n: usize| {
        let shares = fit["documents"][n]["topics"].as_array().unwrap();
        usize::from(shares[1].as_f64() > shares[0].as_f64())
    };
    assert_eq!(largest(0), largest(1));
    assert_eq!(largest(2), largest(3));
    assert_ne!(largest(0), largest(2));
    let terms = |k: usize| {
        let terms = fit["topics"][k]["terms"].as_array().unwrap();
        terms.iter().map(|term| term["term"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (space, medicine) = (terms(largest(0)), terms(largest(2)));
    assert!(space.contains(&"orbit".to_owned()), "{space:?}");
    assert!(medicine.contains(&"infection".to_owned()), "{medicine:?}");
}

#[test]
fn the_model_inside_has_a_card() {
    let workspace = Workspace::new();
    let card = workspace.run("inspect").success().out;
    assert!(card.contains("handful") && card.contains("wikinews/aviation"), "{card}");
    let json = workspace.run("inspect --json").success().json();
    assert_eq!(json["compact"], true);
}

#[test]
fn the_number_of_topics_is_chosen_with_its_evidence() {
    let workspace = workspace();
    let fit = |flags: &str| {
        workspace.run(&format!("fit launch moon ward clinic {flags} --json")).success().json()
    };
    let chosen = fit("");
    let numbers = chosen["choice"]["numbers"].as_array().unwrap();
    let topics: Vec<u64> =
        numbers.iter().map(|number| number["topics"].as_u64().unwrap()).collect();
    assert_eq!(topics, [1, 2, 3, 4]);
    let probability = |number: &Value| number["probability"].as_f64().unwrap();
    assert!((numbers.iter().map(probability).sum::<f64>() - 1.0).abs() < 1e-9);
    // Two are on space flight, and two on medicine.
    assert_eq!(chosen["topics"].as_array().unwrap().len(), 2, "{chosen}");
    assert_eq!(numbers[1]["groups"], serde_json::json!([0, 0, 1, 1]));
    let sentence = chosen["choice"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("Four documents seem to speak of two subjects"), "{sentence}");
    let halves = &chosen["choice"]["halves"];
    assert_eq!(halves["drawn"], 10);
    assert!(halves["same"].as_u64().unwrap() >= 5, "{halves}");
    // The same for any number of threads, and where it is asked for by its name.
    assert_eq!(chosen, fit("--topics auto --threads 1"));
    let fixed = fit("--topics 3");
    assert_eq!((fixed["topics"].as_array().unwrap().len(), &fixed["choice"]), (3, &Value::Null));
    let shown =
        |flags: &str| workspace.run(&format!("fit launch moon ward clinic {flags}")).success().out;
    assert!(shown("").contains(sentence) && !shown("").contains("perplexity"), "{}", shown(""));
    let details = shown("-v");
    assert!(details.contains("probability of subjects by topics: 1: "), "{details}");
    assert!(details.contains("perplexity"), "{details}");
}

#[test]
fn documents_are_told_apart_as_finely_as_is_asked() {
    let workspace = workspace();
    let topics = |granularity: &str| {
        let line = format!("fit launch moon ward clinic --granularity {granularity} --json");
        workspace.run(&line).success().json()["topics"].as_array().unwrap().len()
    };
    let [coarse, medium, fine] = ["coarse", "medium", "fine"].map(topics);
    assert!(coarse < medium && medium < fine, "{coarse} {medium} {fine}");
}

#[test]
fn every_granularity_is_a_cut_of_one_tree() {
    let workspace = workspace();
    let fit = |granularity: &str| {
        let line = format!("fit launch moon ward clinic --granularity {granularity} --json");
        workspace.run(&line).success().json()
    };
    let names = ["coarse", "medium", "fine"];
    let fits = names.map(fit);
    for (fit, name) in fits.iter().zip(names) {
        let (tree, first) = (&fit["tree"], &fits[0]["tree"]);
        assert_eq!((&tree["joins"], &tree["cuts"]), (&first["joins"], &first["cuts"]), "{name}");
        let topics = fit["topics"].as_array().unwrap().len();
        assert_eq!(tree["cuts"][name], topics);
        // The topics start from what is left before the last joins.
        let joins = tree["joins"].as_array().unwrap();
        let mut groups: Vec<Vec<usize>> = (0..4).map(|n| vec![n]).collect();
        for join in &joins[..4 - topics] {
            let nodes = [0, 1].map(|i| join["nodes"][i].as_u64().unwrap() as usize);
            groups.push(nodes.into_iter().flat_map(|node| groups[node].clone()).collect());
        }
        let group_of = &fit["choice"]["numbers"][topics - 1]["groups"];
        for (k, node) in tree["topics"].as_array().unwrap().iter().enumerate() {
            let members = &groups[node.as_u64().unwrap() as usize];
            assert!(members.iter().all(|&n| group_of[n] == k), "{name}: {tree} {group_of}");
        }
    }
    assert_eq!(fits[0]["choice"]["numbers"], fits[2]["choice"]["numbers"]);
}

#[test]
fn a_given_number_of_topics_has_a_tree_through_the_main_topics() {
    let workspace = workspace();
    let line = "fit launch moon ward clinic --topics 2 --json";
    let tree = &workspace.run(line).success().json()["tree"];
    assert_eq!(tree["cuts"], Value::Null);
    let joined: Vec<&Value> =
        tree["joins"].as_array().unwrap().iter().map(|it| &it["nodes"]).collect();
    let [first, second] = [serde_json::json!([0, 1]), serde_json::json!([2, 3])];
    assert!(joined[..2].contains(&&first) && joined[..2].contains(&&second), "{tree}");
    // Four documents have no more topics than something is in, and a topic has a node if it is the main one
    // of a document.
    let line = "fit launch moon ward clinic --topics 50 --json";
    let many = workspace.run(line).success().json();
    let nodes = many["tree"]["topics"].as_array().unwrap();
    assert!(nodes.len() < 50 && nodes.len() == many["topics"].as_array().unwrap().len());
    assert!((1..=4).contains(&nodes.iter().filter(|node| !node.is_null()).count()), "{nodes:?}");
    let warning = format!("{} of 50 topics are given", nodes.len());
    assert!(many["warnings"][0].as_str().unwrap().starts_with(&warning), "{}", many["warnings"]);
}

#[test]
fn the_fit_is_held_against_a_smoothed_unigram() {
    let workspace = workspace();
    let fit = |line: &str| workspace.run(&format!("fit {line}")).success();
    let fitted = fit("launch moon ward clinic --json").json();
    let figure = |name: &str| fitted["gain"][name].as_f64().unwrap();
    let topics = fitted["topics"].as_array().unwrap().len();
    let expected = 1.0 - figure("perplexity") / figure("smoothed_unigram");
    assert!((figure("lower_by") - expected).abs() < 1e-12);
    assert!(figure("lower_by") > 0.2 && fitted["gain"]["clear"] == true, "{}", fitted["gain"]);
    // People see it on the terminal if they want figures, and in the report.
    let sentence = fitted["gain"]["sentence"].as_str().unwrap();
    assert!(fit("launch moon ward clinic -v --report report.html").out.contains(sentence));
    assert!(String::from_utf8(workspace.read("report.html")).unwrap().contains(sentence));
    // Whoever asks for this number of topics is told the same.
    let fixed = format!("launch moon ward clinic --topics {topics}");
    assert_eq!(fit(&format!("{fixed} --json")).json()["gain"], fitted["gain"]);
    assert!(fit(&format!("{fixed} -v --report report.html --force")).out.contains(sentence));
    assert!(String::from_utf8(workspace.read("report.html")).unwrap().contains(sentence));
}

#[test]
fn topics_of_mere_repetition_are_not_called_a_gain() {
    let workspace = workspace();
    // What stands a thousand times in a document is foretold by its frequencies.
    for name in ["launch", "ward"] {
        let text = String::from_utf8(workspace.read(name)).unwrap();
        workspace.write(name, text.repeat(1000));
    }
    let gain = &workspace.run("fit launch ward --json").success().json()["gain"];
    assert!(gain["lower_by"].as_f64().unwrap() < 0.02, "{gain}");
    let sentence = gain["sentence"].as_str().unwrap();
    assert!(sentence.ends_with("Take the topics with caution."), "{sentence}");
}

#[test]
fn without_a_known_word_there_is_one_topic_and_nothing_to_tell() {
    let workspace = Workspace::new();
    workspace.write("greek", "Καλημέρα κόσμε");
    let fit = workspace.run("fit greek --json -q").success().json();
    assert_eq!(fit["topics"].as_array().unwrap().len(), 1);
    assert_eq!((&fit["choice"]["tried"], &fit["gain"]), (&serde_json::json!([]), &Value::Null));
    let shown = workspace.run("fit greek -q").success().out;
    assert!(
        shown.contains("One document seems to speak of one subject") && !shown.contains("NaN"),
        "{shown}"
    );
}

#[test]
fn copies_of_one_document_support_one_topic() {
    let workspace = workspace();
    let fit = workspace.run("fit launch launch launch --json").success().json();
    assert_eq!(fit["topics"].as_array().unwrap().len(), 1);
}
