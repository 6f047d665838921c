//! Documents and corpora that cannot be used: one sentence, and nothing half-written.

use crate::support::{TINY, Workspace, documents, text};
use serde_json::json;
use std::fs;

/// What is in each of the files that [`refused`] is about.
fn spoiled() -> Workspace {
    let workspace = Workspace::with_model();
    fs::create_dir(workspace.path("empty")).unwrap();
    fs::create_dir_all(workspace.path("hollow/corpus")).unwrap();
    workspace.write("images/photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0".as_slice());
    workspace.write("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj".as_slice());
    workspace.write("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0".as_slice());
    workspace
        .write("letter.docx", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml".as_slice());
    workspace.write("cut.txt.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\xff".as_slice());
    workspace.write("whole.json", r#"[{"text": "anchor"}]"#);
    let line = |text: &str| json!({"corpus": "a", "text": text}).to_string();
    workspace.write("third.jsonl", format!("{}\n\n{{\"text\": \n", line("anchor tide")));
    workspace.write("array.jsonl", "[1, 2]\n");
    workspace.write("number.jsonl", r#"{"corpus": "a", "text": 7}"#);
    workspace.write("nothing.jsonl", "\n\n");
    workspace.write("lost.jsonl", r#"{"corpus": "a", "body": "anchor"}"#);
    workspace.write("homeless.jsonl", r#"{"text": "anchor"}"#);
    workspace.write("negative.jsonl", r#"{"corpus": "a", "counts": {"anchor": -1}}"#);
    workspace.write("half.jsonl", r#"{"corpus": "a", "counts": {"anchor": 0.5}}"#);
    workspace.write("both.jsonl", r#"{"corpus": "a", "text": "b", "counts": {"anchor": 1}}"#);
    workspace.write("columns.csv", "corpus,body\na,anchor\n");
    workspace.write("homeless.csv", "text\nanchor\n");
    workspace.write("ragged.csv", "corpus,text\na,anchor\na,tide,wave\n");
    workspace.write("quote.csv", "corpus,text\na,\"anchor\n");
    workspace.write("header.csv", "corpus,text\n");
    workspace.write("empty.csv", "");
    workspace
}

/// Each of the inputs is refused by `command`, with a sentence that has the given parts.
fn refused(workspace: &Workspace, command: &str, cases: &[(&str, &[&str])]) {
    let before = workspace.names(".");
    for (input, parts) in cases {
        let message = workspace.run(&command.replace("INPUT", input)).refusal();
        let first = input.split_whitespace().next().unwrap();
        assert!(message.contains(first), "{first} is not in {message}");
        assert!(message.contains("; "), "{message} has no remedy");
        for part in *parts {
            assert!(message.contains(part), "{input}: {part} is not in {message}");
        }
        assert_eq!(workspace.names("."), before, "{input}");
    }
}

#[test]
fn training_names_what_is_wrong_with_its_corpora() {
    refused(
        &spoiled(),
        &format!("train INPUT --prior iwata -o new -q {TINY}"),
        &[
            ("nowhere", &["there is no such file or folder"]),
            ("empty", &["holds no corpora", "subfolder"]),
            ("hollow", &["holds no corpora"]),
            ("a.txt", &["plain text", "--format"]),
            ("paper.pdf", &["PDF"]),
            ("third.jsonl", &["third.jsonl, line 3: is no valid JSON"]),
            ("array.jsonl", &["array.jsonl, line 1: is no JSON object"]),
            ("number.jsonl", &["line 1", "\"text\" is no string"]),
            ("nothing.jsonl", &["holds no documents"]),
            ("lost.jsonl", &["line 1", "corpus, body", "--text-column"]),
            ("homeless.jsonl", &["line 1", "--corpus-column"]),
            ("negative.jsonl", &["line 1", "\"anchor\", -1, is negative"]),
            ("half.jsonl", &["line 1", "\"anchor\", 0.5,"]),
            ("both.jsonl", &["line 1", "has both"]),
            ("columns.csv", &["has no column \"text\"", "corpus, body", "--text-column"]),
            ("homeless.csv", &["has no column \"corpus\"", "--corpus-column"]),
            ("ragged.csv", &["line 3"]),
            ("quote.csv", &["line 2", "never closed"]),
            ("header.csv", &["no documents"]),
            ("empty.csv", &["no documents"]),
            ("whole.json", &["JSON lines"]),
        ],
    );
}

#[test]
fn fitting_names_what_is_wrong_with_its_documents() {
    refused(
        &spoiled(),
        "fit a.txt INPUT --model model --out new",
        &[
            ("nowhere.txt", &["there is no such file or folder"]),
            ("empty", &["holds no files"]),
            ("images", &["photo.png"]),
            ("paper.pdf", &["PDF", "text"]),
            ("photo.png", &["PNG"]),
            ("letter.docx", &["text"]),
            ("cut.txt.gz", &[]),
            ("third.jsonl", &["third.jsonl, line 3: is no valid JSON"]),
            ("columns.csv", &["has no column \"text\"", "--text-column"]),
            ("whole.json", &["JSON lines"]),
            ("columns.csv --text-column body --id-column name", &["\"name\"", "--id-column"]),
        ],
    );
}

#[test]
fn standard_input_is_named_too() {
    let workspace = Workspace::with_model();
    let line = "fit - --format jsonl --model model";
    let message = workspace.run_with_input(line, "{}\n").refusal();
    assert!(message.starts_with("standard input, line 1: "), "{message}");
    let message = workspace.run_with_input("fit - - --model model", "anchor").refusal();
    assert!(message.contains("only once"), "{message}");
}

#[test]
fn corpora_without_a_common_word_are_refused_by_the_filter_to_loosen() {
    let workspace = Workspace::new();
    for (name, words) in [("a", "anchor tide wave"), ("b", "flour salt spoon")] {
        workspace.write(&format!("corpora/{name}/1.txt"), words);
    }
    let train = |flags: &str| {
        workspace
            .run(&format!("train corpora --prior iwata -o model -q --validation-corpora 1 {flags}"))
            .refusal()
    };
    assert!(train("--min-document-words 1").contains("lower --min-documents"));
    assert!(train("--min-documents 1").contains("lower --min-document-words"));
    assert!(train("--min-length 20").contains("--min-length"));
    assert_eq!(workspace.names("."), ["corpora"]);
}

#[test]
fn text_is_refused_by_a_model_of_counts() {
    let workspace = Workspace::new();
    let mut lines = String::new();
    for document in documents() {
        let counts = crate::support::counts(&document.text);
        lines += &format!("{}\n", json!({"corpus": document.corpus, "counts": counts}));
    }
    workspace.write("data.jsonl", lines);
    workspace.run(&format!("train data.jsonl --prior iwata -o model -q {TINY}")).success();
    workspace.write("a.txt", text(1));
    workspace.write("corpora/elm/a.txt", text(1));
    for line in ["fit a.txt --model model --out new", "evaluate corpora --model model --target elm"]
    {
        let message = workspace.run(line).refusal();
        assert!(message.starts_with("document a.txt: is text"), "{message}");
        assert!(message.contains("counts"), "{message}");
    }
    assert!(!workspace.exists("new"));
}

#[test]
fn text_and_counts_do_not_mix_in_training() {
    let workspace = Workspace::with_corpora();
    workspace.write("corpora/elm/counts.jsonl", r#"{"id": "x", "counts": {"anchor": 3}}"#);
    let message =
        workspace.run(&format!("train corpora --prior iwata -o model -q {TINY}")).refusal();
    assert!(message.contains("36 of 37 are text, the others counts"), "{message}");
    assert_eq!(workspace.names("."), ["corpora"]);
}

#[test]
fn inputs_of_the_same_name_cannot_be_told_apart() {
    let workspace = Workspace::with_corpora();
    workspace.copy("corpora/elm", "more/corpora/elm");
    let message = workspace
        .run(&format!("train corpora more/corpora --prior iwata -o model {TINY}"))
        .refusal();
    assert!(message.starts_with("more/corpora: "), "{message}");
}

#[test]
fn a_corpus_without_usable_documents_is_left_out_with_a_warning() {
    let workspace = Workspace::with_corpora();
    workspace.write("corpora/short/1.txt", "anchor");
    fs::create_dir(workspace.path("corpora/void")).unwrap();
    let answer =
        workspace.run(&format!("train corpora --prior iwata -o model {TINY} --json")).success();
    assert!(answer.err.contains("warning: short: "), "{}", answer.err);
    assert!(answer.err.contains("void: has no documents"), "{}", answer.err);
    assert!(!answer.out.contains("short") && !answer.out.contains("void"), "{}", answer.out);
}
