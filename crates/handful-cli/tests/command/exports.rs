//! Files for other programs: CSV, pyLDAvis, OCTIS.

use crate::support::{TINY, Workspace, is_there, python, read_tensors};
use serde_json::Value;
use std::process::Command;

fn json(workspace: &Workspace, file: &str) -> Value {
    serde_json::from_slice(&workspace.read(file)).unwrap()
}

fn rows(workspace: &Workspace, file: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(workspace.read(file)).unwrap();
    text.lines().map(fields).collect()
}

/// The fields of a line, some of which are in quotes. None has a quote in it.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    for (i, part) in line.split('"').enumerate() {
        let mut pieces =
            if i % 2 == 1 { vec![part] } else { part.split(',').collect() }.into_iter();
        fields.last_mut().unwrap().push_str(pieces.next().unwrap());
        fields.extend(pieces.map(str::to_owned));
    }
    fields
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

fn matrix(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().flat_map(numbers).collect()
}

const FIT: &str = "fit a.txt b.txt c.txt --model";

fn with_background() -> Workspace {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora -o own --themes 8 -q {TINY}")).success();
    workspace
}

#[test]
fn tables_have_what_is_printed() {
    let workspace = with_background();
    for model in ["model", "own"] {
        let line =
            format!("{FIT} {model} --topics 3 --csv-topics t.csv --csv-proportions p.csv --top 5");
        let fitted = workspace.run(&format!("{line} --json --force")).success().json();
        let topics = rows(&workspace, "t.csv");
        assert_eq!(
            topics[0],
            ["topic", "name", "rank", "term", "probability", "relevance", "forms"]
        );
        assert_eq!(topics.len(), 1 + 3 * 5);
        for (i, row) in topics[1..].iter().enumerate() {
            let topic = &fitted["topics"][i / 5];
            let term = &topic["terms"][i % 5];
            assert_eq!(
                row[..4],
                [
                    (i / 5 + 1).to_string(),
                    topic["name"].as_str().unwrap().to_owned(),
                    (i % 5 + 1).to_string(),
                    term["term"].as_str().unwrap().to_owned()
                ]
            );
            assert_eq!(
                row[4].parse::<f32>().unwrap(),
                term["probability"].as_f64().unwrap() as f32
            );
        }
        let documents = rows(&workspace, "p.csv");
        let background = (model == "own").then(|| "background".to_owned());
        let columns = ["document", "words", "unknown"].map(str::to_owned).into_iter();
        let topics = (1..=3).map(|number| format!("topic_{number}"));
        let main = ["main_topic", "main_topic_name"].map(str::to_owned);
        let columns: Vec<String> =
            columns.chain(background.clone()).chain(topics).chain(main).collect();
        assert_eq!(documents[0], columns);
        for (row, document) in documents[1..].iter().zip(fitted["documents"].as_array().unwrap()) {
            assert_eq!(row[..3], [document["id"].as_str().unwrap(), "40", "0"]);
            let (shares, main) = row[3..].split_at(row.len() - 5);
            let shares: Vec<f32> = shares.iter().map(|share| share.parse().unwrap()).collect();
            let number: usize = main[0].parse().unwrap();
            assert_eq!(fitted["topics"][number - 1]["name"], *main[1]);
            let expected =
                background.iter().map(|_| document["background"].as_f64().unwrap() as f32);
            let expected: Vec<f32> = expected.chain(numbers(&document["topics"])).collect();
            assert_eq!(shares, expected);
        }
    }
}

#[test]
fn relevance_in_the_table_is_the_formulas() {
    let workspace = with_background();
    workspace
        .run(&format!("{FIT} own --topics 3 --csv-topics t.csv --relevance 0.3 --top 9 --out d"))
        .success();
    let tensors = read_tensors(&workspace, "d/topics.safetensors");
    let vocabulary = String::from_utf8(workspace.read("d/vocabulary.txt")).unwrap();
    let mut last = (String::new(), f64::INFINITY);
    for row in &rows(&workspace, "t.csv")[1..] {
        let [topic, _, _, term, _, shown, _] = &row[..] else { panic!("{row:?}") };
        let j = vocabulary.lines().position(|line| line == term).unwrap();
        let number: usize = topic.parse().unwrap();
        let terms = vocabulary.lines().count();
        let (phi, p) = (tensors["phi"].1[(number - 1) * terms + j], tensors["background.phi"].1[j]);
        let (phi, p) = (f64::from(phi), f64::from(p));
        let relevance = 0.3 * phi.ln() + 0.7 * (phi / p).ln();
        let shown: f64 = shown.parse().unwrap();
        assert!((shown - relevance).abs() < 1e-5, "{row:?} {relevance}");
        assert!(last.0 != *topic || last.1 >= shown, "{row:?}");
        last = (topic.clone(), shown);
    }
}

#[test]
fn arrays_for_pyldavis_are_the_topic_models() {
    let workspace = with_background();
    workspace.write("short.txt", "anchor anchor tide unheard");
    for model in ["model", "own"] {
        // Without --out the model is read in part only, and must give the same.
        let fit = format!("{FIT} {model} short.txt --topics 3 --force");
        workspace.run(&format!("{fit} --pyldavis l.json --octis o.json")).success();
        workspace.run(&format!("{fit} --out d")).success();
        let tensors = read_tensors(&workspace, "d/topics.safetensors");
        let (arrays, octis) = (json(&workspace, "l.json"), json(&workspace, "o.json"));
        let (theta, phi) = (&tensors["theta"].1, &tensors["phi"].1);
        assert_eq!(matrix(&arrays["topic_term_dists"]), *phi);
        assert_eq!(matrix(&arrays["doc_topic_dists"]), *theta);
        for row in ["topic_term_dists", "doc_topic_dists"].map(|name| &arrays[name]) {
            for row in row.as_array().unwrap() {
                assert!((numbers(row).iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
        // One word of the last is new, which only the default prior takes.
        let last = if model == "own" { 4.0 } else { 3.0 };
        let vocabulary = String::from_utf8(workspace.read("d/vocabulary.txt")).unwrap();
        let vocabulary: Vec<&str> = vocabulary.lines().collect();
        assert_eq!(arrays["vocab"], serde_json::json!(vocabulary));
        let words: Vec<String> = ["a.txt", "b.txt", "c.txt", "short.txt"]
            .iter()
            .flat_map(|name| {
                let text = String::from_utf8(workspace.read(name)).unwrap();
                text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        // A word is said as often by itself and inside phrases as the texts have it.
        let frequencies = numbers(&arrays["term_frequency"]);
        for word in vocabulary.iter().filter(|term| !term.contains(' ')) {
            let said = vocabulary.iter().zip(&frequencies).map(|(term, frequency)| {
                term.split(' ').filter(|part| part == word).count() as f32 * frequency
            });
            let expected = words.iter().filter(|other| other == word).count() as f32;
            assert_eq!(said.sum::<f32>(), expected, "{word}");
        }
        let lengths = numbers(&arrays["doc_lengths"]);
        assert_eq!(lengths.iter().sum::<f32>(), frequencies.iter().sum::<f32>());
        assert_eq!((lengths.len(), lengths[3]), (4, last));
        assert_eq!(matrix(&octis["topic-word-matrix"]), *phi);
        let of_topic = |k: usize| theta.iter().skip(k).step_by(3).copied();
        let turned: Vec<f32> = (0..3).flat_map(of_topic).collect();
        assert_eq!(matrix(&octis["topic-document-matrix"]), turned);
        let words = octis["topics"].as_array().unwrap().iter().map(|t| t.as_array().unwrap().len());
        // The default prior shows words of the documents alone.
        let least = if model == "own" { 5 } else { 10 };
        assert!(words.clone().all(|words| (least..=10).contains(&words)), "{words:?}");
    }
}

#[test]
fn a_single_topic_which_pyldavis_cannot_draw_is_written_with_a_warning() {
    let workspace = with_background();
    let answer = workspace.run(&format!("{FIT} own --topics 1 --pyldavis l.json")).success();
    assert!(answer.err.contains("pyLDAvis cannot draw a single topic"), "{answer:?}");
    assert_eq!(json(&workspace, "l.json")["topic_term_dists"].as_array().unwrap().len(), 1);
    let answer =
        workspace.run(&format!("{FIT} own --topics 2 --pyldavis l.json --force")).success();
    assert_eq!(answer.err, "");
}

#[test]
fn pyldavis_takes_what_is_written_for_it() {
    let python = python();
    let test = "pyldavis_takes_what_is_written_for_it";
    if !is_there(&python, &["-c", "import pyLDAvis"], test) {
        return;
    }
    let workspace = with_background();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/load_exports.py");
    for topics in [2, 4] {
        let line = format!("{FIT} own --topics {topics} --pyldavis l.json --octis o.json --force");
        let fitted = workspace.run(&format!("{line} --relevance 1 --json")).success().json();
        let mut command = Command::new(&python);
        command.arg(script).args([workspace.path("l.json"), workspace.path("o.json")]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let made: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(made["topics"].as_array().unwrap().len(), topics);
        // Both files speak of the same terms: words and phrases.
        let terms = json(&workspace, "l.json")["vocab"].as_array().unwrap().len();
        assert_eq!(made["octis"], serde_json::json!([topics, [topics, terms], [topics, 3]]));
        // Its own order by probability is ours.
        for (k, topic) in fitted["topics"].as_array().unwrap().iter().enumerate() {
            let ours: Vec<&Value> =
                topic["terms"].as_array().unwrap()[..5].iter().map(|term| &term["term"]).collect();
            let theirs = made["likeliest"][k.to_string()].as_array().unwrap();
            assert_eq!(theirs.iter().collect::<Vec<_>>(), ours, "topic {k}");
        }
    }
}

#[test]
fn a_spreadsheet_carries_out_nothing_that_a_table_says() {
    let workspace = Workspace::new();
    let ids = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1:A9)", "\t=1", "-5", "plain"];
    let line =
        |id: &&str| serde_json::json!({"id": id, "counts": {"=1+1": 9, "bee": 1}}).to_string();
    workspace.write("a.jsonl", ids.iter().map(line).collect::<Vec<_>>().join("\n"));
    let files = "--csv-topics t.csv --csv-proportions p.csv";
    workspace.run(&format!("fit a.jsonl --topics 1 {files}")).success();
    let documents = rows(&workspace, "p.csv");
    for (row, id) in documents[1..].iter().zip(ids) {
        let is_harmless = ["-5", "plain"].contains(&id);
        assert_eq!(row[0], if is_harmless { id.to_owned() } else { format!("'{id}") });
    }
    for row in documents.iter().chain(&rows(&workspace, "t.csv")) {
        for cell in row.iter().filter(|cell| cell.parse::<f64>().is_err()) {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t']), "{cell:?} in {row:?}");
        }
    }
}

#[test]
fn a_page_has_no_character_that_html_forbids() {
    let workspace = Workspace::new();
    let odd = "a\u{0}\u{1b}\u{9b}b";
    let line = serde_json::json!({"id": odd, "text": format!("bee {odd} hive. Honey {odd}.")});
    let counts = serde_json::json!({"id": "c", "counts": {odd: 2, "bee": 1}});
    workspace.write("a.jsonl", format!("{line}\n{counts}\n"));
    workspace.run("fit a.jsonl --report r.html -q").success();
    let page = String::from_utf8(workspace.read("r.html")).unwrap();
    let is_forbidden = |c: char| c.is_control() && !"\n\t".contains(c);
    assert!(!page.contains(is_forbidden));
    assert!(page.contains('\u{fffd}'));
}

#[test]
fn ids_that_do_not_tell_documents_apart_are_said_and_rows_stay_in_order() {
    let workspace = Workspace::new();
    let lines = [("a", "bees"), ("", "bread"), ("a", "oven"), ("b", "hive")];
    let line = |(id, text): &(&str, &str)| serde_json::json!({"id": id, "text": text}).to_string();
    workspace.write("a.jsonl", lines.iter().map(line).collect::<Vec<_>>().join("\n"));
    let answer = workspace.run("fit a.jsonl --topics 1 --csv-proportions p.csv").success();
    assert!(answer.err.contains("two documents have the id \"a\"; results list"), "{answer:?}");
    let ids: Vec<String> =
        rows(&workspace, "p.csv")[1..].iter().map(|row| row[0].clone()).collect();
    // The second has none, so it is called by its number, as a row of a table would be.
    assert_eq!(ids, ["a", "2", "a", "b"]);
}
