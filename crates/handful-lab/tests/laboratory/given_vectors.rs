//! Vectors of documents from a file.

use crate::support::settings;
use flate2::Compression;
use flate2::write::GzEncoder;
use handful::internals::corpus::{Corpus, WordCounts};
use handful::text::Vocabulary;
use handful_lab::groups::{
    GivenVectors, GroupsFolder, GroupsRecord, MixedHandfuls, TaskShape, grouping_method,
};
use handful_lab::{Plan, Settings, run};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

/// Seven corpora of three documents with the same words: only vectors tell them apart.
fn corpora() -> Vec<Corpus> {
    let corpus = |c: usize| {
        let mut documents = WordCounts::new();
        (0..3).for_each(|_| documents.push_row([(0, 2), (1, 1)]));
        let ids = (0..3).map(|n| format!("d{n}")).collect();
        Corpus { name: format!("c{c}"), ids, documents }
    };
    (0..7).map(corpus).collect()
}

fn vocabulary() -> Vocabulary {
    Vocabulary::from_terms(vec!["one".into(), "two".into()]).unwrap()
}

/// A line for each document: near the axis of its corpus, and of any length.
fn lines() -> Vec<String> {
    let line = |i: usize| {
        let (c, n) = (i / 3, i % 3);
        let mut vector = [0.01 * n as f64; 7];
        vector[c] = 1.0;
        vector.iter_mut().for_each(|x| *x *= (1 + n) as f64);
        format!("{{\"corpus\": \"c{c}\", \"id\": \"d{n}\", \"vector\": {vector:?}}}")
    };
    (0..21).map(line).collect()
}

fn written(content: &[u8]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("vectors.jsonl");
    fs::write(&path, content).unwrap();
    (directory, path)
}

fn read(lines: &[String]) -> handful::Result<GivenVectors> {
    let (_directory, path) = written(lines.join("\n").as_bytes());
    GivenVectors::read(&path, &corpora().iter().collect::<Vec<_>>())
}

fn refusal(lines: &[String]) -> String {
    let message = read(lines).unwrap_err().to_string();
    message.split_once("vectors.jsonl").unwrap().1.to_owned()
}

#[test]
fn k_means_and_ward_group_the_vectors_that_are_given() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let shape = TaskShape { corpora: 4, documents_of_each: 3 };
    let mixed = MixedHandfuls::new(settings(), shape, &corpora, &vocabulary).unwrap();
    let mixed = mixed.with_vectors(read(&lines()).unwrap());
    let ids = ["k-means-given", "k-means-given-tfidf", "ward-given", "ward-given-tfidf", "k-means"];
    let methods: Vec<_> = ids.iter().map(|id| grouping_method(id).unwrap()).collect();
    let directory = tempfile::tempdir().unwrap();
    let mut folder = GroupsFolder::for_protocol(&directory.path().join("groups"), &mixed).unwrap();
    let plan = Plan::new::<GroupsRecord>(mixed.wanted(&methods, 2).unwrap(), &[]);
    assert_eq!(run(&mixed, &plan, 2, &mut folder, &mut |_| ()).unwrap(), 0);
    assert_eq!(folder.records.len(), 2 * ids.len());
    for record in &folder.records {
        let is_given = record.key.method != "k-means";
        assert_eq!(record.course.given.is_some(), is_given, "{}", record.key);
        assert_eq!(record.ari == Some(1.0), is_given, "{}: {:?}", record.key, record.ari);
    }
}

#[test]
fn only_documents_that_are_asked_need_a_vector() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let shape = TaskShape { corpora: 3, documents_of_each: 1 };
    let settings = Settings { tasks: 2, ..settings() };
    let mixed = MixedHandfuls::new(settings, shape, &corpora, &vocabulary).unwrap();
    let draw = mixed.draw(0).unwrap();
    let asked: Vec<usize> = draw
        .tasks
        .iter()
        .flat_map(|task| task.classes.iter().zip(&task.documents))
        .map(|(&class, &n)| 3 * draw.held_out[class].name[1..].parse::<usize>().unwrap() + n)
        .collect();
    let all = lines();
    let given: Vec<String> = asked.iter().map(|&i| all[i].clone()).collect();
    let ward = [grouping_method("ward-given").unwrap()];
    let wanted = |lines: &[String], repeats: usize| {
        mixed.clone().with_vectors(read(lines).unwrap()).wanted(&ward, repeats).map(|_| ())
    };
    wanted(&given, 1).unwrap();
    let message = wanted(&given, 40).unwrap_err().to_string();
    assert!(message.contains("has no vector of the document "), "{message}");
    let without: Vec<String> =
        given.iter().filter(|line| **line != all[asked[0]]).cloned().collect();
    let message = wanted(&without, 1).unwrap_err().to_string();
    let (corpus, id) = (asked[0] / 3, asked[0] % 3);
    let expected = format!("has no vector of the document d{id} of the corpus c{corpus};");
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn a_file_may_be_gzipped_and_have_more_lines_and_numbers_for_ids() {
    let mut lines = lines();
    let plain = read(&lines).unwrap();
    lines.insert(3, String::new());
    lines.push("{\"corpus\": \"else\", \"id\": 7, \"vector\": [1, 2, 3, 4, 5, 6, 7]}".to_owned());
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(lines.join("\r\n").as_bytes()).unwrap();
    let (_directory, path) = written(&gzip.finish().unwrap());
    let mut corpora = corpora();
    let all: Vec<&Corpus> = corpora.iter().collect();
    let zipped = GivenVectors::read(&path, &all).unwrap();
    assert_eq!((zipped.given, zipped.warning), (plain.given, None));
    let mut numbered = corpora.remove(0);
    (numbered.name, numbered.ids) = ("else".to_owned(), vec!["7".to_owned()]);
    assert!(GivenVectors::read(&path, &[&numbered]).is_ok());
}

#[test]
fn of_several_vectors_of_a_document_the_first_counts_and_a_sentence_says_so() {
    let mut lines = lines();
    let plain = read(&lines).unwrap();
    lines.push(lines[4].clone());
    assert_eq!(read(&lines).unwrap().warning, None, "the vectors are equal");
    lines.push(lines[4].replace("[0.02", "[0.5"));
    let repeated = read(&lines).unwrap();
    assert_eq!(repeated.given, plain.given);
    let warning = repeated.warning.unwrap();
    let expected = "1 line repeats a corpus and an id with another vector, such as d1 of c1; the first \
                    vector is used";
    assert!(warning.ends_with(expected), "{warning}");
}

#[test]
fn other_vectors_are_known_by_their_checksum() {
    let mut lines = lines();
    let before = read(&lines).unwrap().given;
    lines[4] = lines[4].replace("[0.02", "[0.5");
    assert_ne!(read(&lines).unwrap().given, before);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    let with = |line: &str| {
        let mut lines = lines();
        lines[2] = line.to_owned();
        refusal(&lines)
    };
    for (line, expected) in [
        ("{", ", line 3: is no vector of a document (EOF while parsing"),
        (
            "{\"corpus\": \"c0\", \"id\": \"d2\"}",
            ", line 3: is no vector of a document (missing field",
        ),
        (
            "{\"corpus\": \"c0\", \"id\": \"d2\", \"vector\": [1, \"x\"]}",
            ", line 3: is no vector of a",
        ),
        (
            "{\"corpus\": \"c0\", \"id\": \"d2\", \"vector\": []}",
            ", line 3: has a vector without numbers;",
        ),
        (
            "{\"corpus\": \"c0\", \"id\": \"d2\", \"vector\": [1]}",
            ", line 3: has a vector of 1 numbers, and those before have 7;",
        ),
    ] {
        let message = with(line);
        assert!(message.starts_with(expected), "{message}");
    }
    assert!(refusal(&[]).starts_with(": has no vectors;"));
    let corpora = corpora();
    let nowhere = PathBuf::from("nowhere.jsonl");
    assert!(GivenVectors::read(&nowhere, &[&corpora[0]]).is_err());
}
