//! The documents that come with the project, and what `examples/README.md` says of them.

use crate::support::Workspace;
use serde_json::Value;

const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/documents");

/// The most of a document's words that the model inside may not know.
const UNKNOWN: f64 = 0.25;

/// The documents of a collection by subject.
type Subjects = &'static [&'static [&'static str]];

const COLLECTIONS: [(&str, Subjects); 5] = [
    ("beekeeping", &[&["hive-in-winter.txt", "honey-harvest.txt", "planting-for-bees.txt"]]),
    (
        "cameras-and-boots",
        &[&["film-camera.txt", "small-camera.txt"], &["leather-boots.txt", "trail-shoes.txt"]],
    ),
    (
        "council-minutes",
        &[
            &["bus-lane.txt", "crossing.txt"],
            &["library-hours.txt", "school-places.txt", "school-roof.txt"],
        ],
    ),
    ("hospital-and-orbit", &[&["clinic.txt", "ward.txt"], &["launch.txt", "moon.txt"]]),
    (
        "letters",
        &[&["dog-at-the-lake.txt", "new-puppy.txt"], &["old-bicycle.txt", "ride-to-the-sea.txt"]],
    ),
];

/// The topic that a document has most of.
fn largest_topic(document: &Value) -> usize {
    let shares = document["topics"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap());
    let largest = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    largest.expect("there is a topic").0
}

#[test]
fn every_collection_is_described_here() {
    let names = Workspace::new().names(DOCUMENTS);
    assert_eq!(names, COLLECTIONS.map(|(name, _)| name));
}

/// A collection, fitted with the model inside.
fn fitted(name: &str) -> Value {
    let workspace = Workspace::new();
    workspace.copy(&format!("{DOCUMENTS}/{name}"), "documents");
    workspace.run("fit documents --json").success().json()
}

#[test]
fn each_collection_has_a_topic_for_each_of_its_subjects() {
    for (name, subjects) in COLLECTIONS {
        let fitted = fitted(name);
        let topics = fitted["topics"].as_array().unwrap().len();
        assert_eq!(topics, subjects.len(), "{name}: {}", fitted["choice"]);
        let documents = fitted["documents"].as_array().unwrap();
        assert_eq!(documents.len(), subjects.concat().len(), "{name}");
        let topic_of = |id: &&str| {
            let document = documents.iter().find(|document| document["id"] == *id);
            largest_topic(document.unwrap_or_else(|| panic!("{name} has no {id}")))
        };
        let mut found = Vec::new();
        for subject in subjects {
            let mut topics: Vec<usize> = subject.iter().map(topic_of).collect();
            topics.dedup();
            assert_eq!(topics.len(), 1, "{name}: {subject:?}");
            assert!(!found.contains(&topics), "{name}: {subject:?}");
            found.push(topics);
        }
    }
}

#[test]
fn the_model_knows_most_words_of_the_examples_and_the_topics_are_a_gain() {
    for (name, _) in COLLECTIONS {
        let fitted = fitted(name);
        for document in fitted["documents"].as_array().unwrap() {
            let count = |name: &str| document[name].as_f64().unwrap();
            assert!(count("words") > 10.0, "{name}: {document}");
            assert!(count("unknown_words") <= UNKNOWN * count("words"), "{name}: {document}");
        }
        assert!(fitted["gain"]["lower_by"].as_f64().unwrap() > 0.1, "{name}: {}", fitted["gain"]);
    }
}

#[test]
fn a_document_has_the_same_background_in_a_fit_and_in_infer_within_five_points() {
    for (name, _) in COLLECTIONS {
        let workspace = Workspace::new();
        workspace.copy(&format!("{DOCUMENTS}/{name}"), "documents");
        let fitted = workspace.run("fit documents --json --out topics").success().json();
        let line = "infer documents --topic-model topics --json";
        let inferred = workspace.run(line).success().json();
        let pairs = fitted["documents"].as_array().unwrap().iter();
        for (fitted, inferred) in pairs.zip(inferred["documents"].as_array().unwrap()) {
            let [one, other] = [fitted, inferred].map(|it| it["background"].as_f64().unwrap());
            assert!((one - other).abs() < 0.05, "{}: {one} {other}", fitted["id"]);
            // Some words of any document are usual, and many are not.
            assert!(one > 0.1 && one < 0.6, "{}: {one}", fitted["id"]);
        }
    }
}

#[test]
fn usual_words_are_the_backgrounds_and_words_of_the_subject_are_not() {
    let workspace = Workspace::new();
    workspace.copy(&format!("{DOCUMENTS}/council-minutes"), "documents");
    let fitted = workspace.run("fit documents --json --words").success().json();
    let words = fitted["documents"].as_array().unwrap().iter();
    let words = words.flat_map(|document| document["placed_words"].as_array().unwrap());
    let mut found = 0;
    for word in words {
        let background = word["background"].as_f64().unwrap();
        match word["term"].as_str().unwrap() {
            "said" | "year" | "come" | "need" | "used" => assert!(background > 0.5, "{word}"),
            "school" | "library" | "bus" | "crossing" | "pupils" => {
                assert!(background < 0.5, "{word}");
            }
            _ => continue,
        }
        found += 1;
    }
    assert!(found > 30, "{found}");
}

#[test]
fn every_quote_says_a_term_of_its_topic() {
    for (name, _) in COLLECTIONS {
        let workspace = Workspace::new();
        workspace.copy(&format!("{DOCUMENTS}/{name}"), "documents");
        let fitted = workspace.run("fit documents --json --sentences 3").success().json();
        for topic in fitted["topics"].as_array().unwrap() {
            let lines = topic["terms"].as_array().unwrap().iter();
            let forms = lines.clone().filter_map(|line| line["forms"].as_array()).flatten();
            let terms: Vec<&str> = lines
                .map(|line| &line["term"])
                .chain(forms)
                .map(|it| it.as_str().unwrap())
                .collect();
            for quote in topic["sentences"].as_array().unwrap() {
                let said = quote["text"].as_str().unwrap().to_lowercase();
                let words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
                let says = |term: &&str| term.split(' ').all(|word| words.contains(&word));
                assert!(terms.iter().any(says), "{name}: {quote} of {terms:?}");
            }
        }
    }
}
