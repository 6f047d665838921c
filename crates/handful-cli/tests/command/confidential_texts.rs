//! With `--no-text`, nothing that is printed or written has a sentence of the documents, or lists the words
//! of one.

use crate::support::Workspace;

const BEES: &str =
    "Yesterday Wilhelmina told the physician everything. Her bees make honey in the hive.";
const BREAD: &str =
    "Nobody knows about the bakery loan. Bread rises in the oven with flour and yeast.";

/// Words in a row, which only their sentence has.
const SENTENCES: [&str; 4] =
    ["told the physician", "bees make honey", "about the bakery", "in the oven"];

fn with_texts() -> Workspace {
    let workspace = Workspace::new();
    let line = |id: usize, text: &str| serde_json::json!({"id": id, "text": text}).to_string();
    workspace.write("a.jsonl", format!("{}\n{}\n", line(1, BEES), line(2, BREAD)));
    workspace
}

const FILES: &str = "--out topics --report report.html --csv-topics topics.csv --csv-proportions \
                     documents.csv --pyldavis vis.json --octis octis.json";

/// All that a run printed and wrote, by its name.
fn all_output(workspace: &Workspace, flags: &str) -> Vec<(String, String)> {
    let answer = workspace.run(&format!("fit a.jsonl {flags} {FILES} --force")).success();
    let mut names = vec!["report.html", "topics.csv", "documents.csv", "vis.json", "octis.json"];
    let in_topics = workspace.names("topics");
    let in_topics: Vec<String> = in_topics.iter().map(|name| format!("topics/{name}")).collect();
    names.extend(in_topics.iter().map(String::as_str));
    let written = |name: &str| String::from_utf8_lossy(&workspace.read(name)).into_owned();
    let files = names.into_iter().map(|name| (name.to_owned(), written(name)));
    files.chain([("standard output".to_owned(), answer.out)]).collect()
}

#[test]
fn no_output_has_a_sentence_of_the_documents() {
    let workspace = with_texts();
    for flags in ["--no-text", "--no-text --json", "--no-text --explain 1", "--no-text -v"] {
        for (name, text) in all_output(&workspace, flags) {
            for sentence in SENTENCES {
                assert!(!text.contains(sentence), "{flags}: {name} has “{sentence}”");
            }
            assert!(!text.contains("Yesterday"), "{flags}: {name} has a word that is no term");
        }
    }
    // Otherwise the page and the titles do have them, so that the test can tell.
    let usual = all_output(&workspace, "--sentences 2");
    let has = |name: &str, part: &str| {
        usual.iter().any(|(file, text)| file == name && text.contains(part))
    };
    assert!(has("report.html", "Yesterday") && has("standard output", "bees make honey"));
}

#[test]
fn topics_and_proportions_are_the_same_without_texts() {
    let workspace = with_texts();
    let with = all_output(&workspace, "--seed 3");
    let without = all_output(&workspace, "--seed 3 --no-text");
    let same = ["topics.csv", "documents.csv", "vis.json", "octis.json"];
    for ((name, one), (_, other)) in with.iter().zip(&without) {
        if same.contains(&&**name) || name.starts_with("topics/") {
            assert_eq!(one, other, "{name}");
        }
    }
    let page = &without.iter().find(|(name, _)| name == "report.html").unwrap().1;
    assert!(page.contains("id=\"topics\"") && !page.contains("id=\"words\""));
}

#[test]
fn what_asks_for_texts_contradicts_it() {
    let workspace = with_texts();
    for flags in ["--sentences 2", "--words --json"] {
        let said = workspace.run(&format!("fit a.jsonl --no-text {flags}")).usage_error();
        assert!(said.contains("cannot be used with"), "{said}");
    }
}
