//! Inputs that never end, that are far larger than they seem, or that claim what they do not have: each is
//! refused in a sentence, within a little memory and time.

use crate::support::{Answer, Workspace, edit_config};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a command with so little memory that a foolish allocation ends it: the built-in model takes 100 MB
/// of addresses, and the rest is for small inputs.
fn run(workspace: &Workspace, line: &str) -> Answer {
    workspace.run_after("ulimit -v 700000", &format!("{line} --threads 1"))
}

/// `times` copies of a text, packed.
fn packed(text: &[u8], times: usize) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    (0..times).for_each(|_| packed.write_all(text).unwrap());
    packed.finish().unwrap()
}

#[test]
fn a_small_file_that_unpacks_to_a_huge_one_is_refused() {
    let workspace = Workspace::new();
    let text = b"words and more words ".repeat(50_000);
    workspace.write("bomb.txt.gz", packed(&text, 100));
    assert!(workspace.read("bomb.txt.gz").len() < 1_000_000);
    let message = run(&workspace, "fit bomb.txt.gz --max-input-size 50M").refusal();
    let expected = "bomb.txt.gz: goes beyond the 50 MiB that all documents may have together, \
                    unpacked; give fewer, or raise --max-input-size if there is memory for several \
                    times as much";
    assert_eq!(message, expected);
    // In a folder, and among words to leave out.
    workspace.write("folder/a.txt.gz", packed(&text, 100));
    run(&workspace, "fit folder --max-input-size 50M").refusal();
    workspace.write("a.txt", "bee hive honey");
    let message = run(&workspace, "fit a.txt --ignore-words @bomb.txt.gz").refusal();
    assert!(message.contains("goes beyond the 64 MiB that a list of words may have"), "{message}");
}

/// Parquet with one text in many rows, which takes hardly more room than the text itself.
#[cfg(feature = "parquet")]
fn parquet(text: &str, rows: usize) -> Vec<u8> {
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    let schema = parse_message_type("message m { required binary text (STRING); }").unwrap();
    let mut file = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut file, schema.into(), Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let texts = vec![ByteArray::from(text); rows];
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

#[test]
#[cfg(feature = "parquet")]
fn a_small_parquet_file_that_unpacks_to_a_huge_one_is_refused() {
    let workspace = Workspace::new();
    // Five gigabytes.
    workspace.write("bomb.parquet", parquet(&"words and more words ".repeat(5_000), 50_000));
    assert!(workspace.read("bomb.parquet").len() < 1_000_000);
    let message = run(&workspace, "fit bomb.parquet --max-input-size 50M").refusal();
    assert!(
        message.starts_with("bomb.parquet: goes beyond the 50 MiB that all documents may have")
    );
    // Rows without a word take room, too.
    workspace.write("empty.parquet", parquet("", 2_000_000));
    assert!(workspace.read("empty.parquet").len() < 10_000);
    let message = run(&workspace, "fit empty.parquet --max-input-size 50M").refusal();
    assert!(message.starts_with("empty.parquet: goes beyond the 50 MiB"), "{message}");
    // Files share the limit.
    workspace.write("a/1.parquet", parquet("bees fly home", 50));
    workspace.write("a/2.parquet", parquet("bread and oven", 50));
    run(&workspace, "fit a/1.parquet --max-input-size 8K").success();
    let message = run(&workspace, "fit a --max-input-size 8K").refusal();
    assert!(message.starts_with("a/2.parquet: goes beyond the 8 KiB"), "{message}");
}

#[test]
fn inputs_share_a_limit_that_can_be_raised() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "bees fly home ".repeat(100));
    workspace.write("b.txt", "bread and oven ".repeat(100));
    run(&workspace, "fit a.txt --max-input-size 2K").success();
    let message = run(&workspace, "fit a.txt b.txt --max-input-size 2K").refusal();
    assert!(message.starts_with("b.txt: goes beyond the 2 KiB "), "{message}");
    run(&workspace, "fit a.txt b.txt --max-input-size 3000").success();
    for wrong in ["0", "-1", "2Q", "99999999999T", ""] {
        let answer = workspace.run_args(&["fit", "a.txt", &format!("--max-input-size={wrong}")]);
        assert!(answer.usage_error().contains("such as 500M or 8G"), "{wrong}");
    }
}

#[test]
fn a_device_is_refused_at_once() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "bee hive honey");
    for line in ["fit /dev/zero", "fit a.txt --stop-words /dev/zero", "train /dev/random -o m"] {
        let message = run(&workspace, line).refusal();
        assert!(message.contains("is a device, not a file; give a file, or - for"), "{message}");
    }
    // Nothing is a document without words.
    run(&workspace, "fit /dev/null a.txt").success();
}

#[test]
fn standard_input_that_never_ends_is_refused() {
    let workspace = Workspace::new();
    // Zeros are known for no text by the first of them; words only by their number.
    let message = workspace.run_after("exec </dev/zero; ulimit -v 700000", "fit - --threads 1");
    assert!(message.refusal().contains("is binary (it has NUL bytes), not text"));
    let mut words = Command::new("yes").arg("words").stdout(Stdio::piped()).spawn().unwrap();
    let output = workspace
        .process("fit - --max-input-size 10M")
        .stdin(words.stdout.take().unwrap())
        .output()
        .unwrap();
    words.wait().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("handful: standard input: goes beyond the 10 MiB that"), "{said}");
}

/// Runs a line of Bash with `$HANDFUL`.
fn bash(workspace: &Workspace, line: &str) -> Option<std::process::Output> {
    let program = workspace.process("").get_program().to_owned();
    let mut shell = Command::new("bash");
    let shell = shell.args(["-c", line]).current_dir(workspace.path("")).env("HANDFUL", program);
    shell.output().ok()
}

#[test]
fn what_a_program_writes_into_a_pipe_is_a_document() {
    let workspace = Workspace::new();
    let line = "$HANDFUL fit <(echo bees fly home; sleep 0.2; echo honey) <(true) --json -q";
    let Some(output) = bash(&workspace, line) else {
        return eprintln!("skipped: there is no bash");
    };
    let fit: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fit["documents"].as_array().unwrap().len(), 2);
    assert_eq!(fit["documents"][0]["words"], 4);
    assert_eq!(fit["documents"][1]["words"], 0);
}

#[test]
fn a_named_pipe_is_read_once_somebody_writes_and_not_waited_for_in_vain() {
    let workspace = Workspace::new();
    let made = Command::new("mkfifo").arg(workspace.path("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let script = "(sleep 0.5; printf 'bees fly '; sleep 0.5; printf 'home') > pipe &
                  $HANDFUL fit pipe --json -q";
    if let Some(output) = bash(&workspace, script) {
        let fit: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(fit["documents"][0]["words"], 3);
    }
    let start = Instant::now();
    let message = workspace.run("fit pipe").refusal();
    let expected = "pipe: is a pipe that nobody wrote to for 10 seconds; start the program that \
                    writes to it first";
    assert_eq!(message, expected);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn documents_that_claim_more_than_they_have_are_refused_in_little_memory() {
    let workspace = Workspace::new();
    let deep = format!("{{\"text\": {}1{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    workspace.write("deep.jsonl", deep);
    workspace.write("counts.jsonl", "{\"counts\": {\"bee\": 4000000000, \"hive\": 4294967295}}\n");
    workspace.write("number.jsonl", "{\"counts\": {\"bee\": 1e300}}\n");
    workspace.write("columns.csv", format!("{}text\n", "a,".repeat(1_000_000)));
    workspace.write("rows.csv", format!("text\n{}", "a\n".repeat(300_000)));
    workspace.write("nested.html", "<div>".repeat(300_000));
    workspace.write("attributes.html", format!("<p {}>", "a=1 ".repeat(300_000)));
    workspace.write("entities.html", "&#x10ffff;&nbsp;".repeat(100_000));
    workspace.write("word.txt", "a".repeat(5_000_000));
    workspace.write("mail.txt", format!("From: a\n{}", "> ".repeat(1_000_000)));
    run(&workspace, "fit deep.jsonl").refusal();
    run(&workspace, "fit number.jsonl").refusal();
    run(&workspace, "fit columns.csv").refusal();
    for file in
        ["counts.jsonl", "nested.html", "attributes.html", "entities.html", "word.txt", "mail.txt"]
    {
        run(&workspace, &format!("fit {file} --json -q")).success();
    }
    run(&workspace, "evaluate rows.csv --target a").refusal();
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_that_claims_more_than_it_has_is_refused_in_little_memory() {
    let workspace = Workspace::new();
    let inputs = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus/parquet_documents");
    for (name, expected) in [
        ("a_dictionary_of_a_billion", "a dictionary of 270549123 entries in 21 bytes"),
        ("skips_past_the_end", "it ends before its pages do"),
    ] {
        // The first byte is for the fuzz target.
        workspace.write("a.parquet", &std::fs::read(inputs.join(name)).unwrap()[1..]);
        let message = run(&workspace, "fit a.parquet").refusal();
        assert!(message.contains(expected), "{message}");
    }
}

/// A header of safetensors with these words after its length.
fn header(words: &str) -> Vec<u8> {
    [&(words.len() as u64).to_le_bytes()[..], words.as_bytes()].concat()
}

#[test]
fn tensors_that_claim_more_than_their_file_has_are_refused_in_little_memory() {
    let workspace = Workspace::with_model();
    let huge = u64::MAX;
    for bytes in [
        header(r#"{"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}}"#),
        header(r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#),
        header(&format!(r#"{{"a":{{"dtype":"U8","shape":[0,{huge}],"data_offsets":[0,0]}}}}"#)),
        [&huge.to_le_bytes()[..], b"{}"].concat(),
        [&(1u64 << 40).to_le_bytes()[..], b"{}"].concat(),
        header(&"[".repeat(1_000_000)),
    ] {
        workspace.write("model/model.safetensors", bytes);
        let message = run(&workspace, "fit a.txt --model model").refusal();
        assert!(message.starts_with("model/model.safetensors: "), "{message}");
    }
}

#[test]
fn a_configuration_out_of_range_is_refused_by_name_before_any_work() {
    let workspace = Workspace::with_corpora();
    let brief = "--hidden 8 --themes 4 --topics 2 --max-steps 2 --validation-corpora 1";
    workspace.run(&format!("train corpora -o model -q {brief}")).success();
    workspace.write("a.txt", "anchor tide wave");
    workspace.run("fit a.txt --model model --out topics -q").success();
    let numbers = |directory: &str, edits: &[(&str, serde_json::Value, &str)]| {
        let whole = workspace.read(&format!("{directory}/config.json"));
        for (place, value, said) in edits {
            edit_config(&workspace, directory, |config| {
                *config.pointer_mut(place).unwrap() = value.clone();
            });
            for line in [
                format!("inspect {directory}"),
                match directory {
                    "model" => "fit a.txt --model model".to_owned(),
                    _ => "infer a.txt --topic-model topics".to_owned(),
                },
            ] {
                let start = Instant::now();
                let message = run(&workspace, &line).refusal();
                assert!(message.contains(said), "{place}: {message}");
                assert!(start.elapsed() < Duration::from_secs(20), "{place}");
            }
            workspace.write(&format!("{directory}/config.json"), &whole);
        }
    };
    numbers(
        "model",
        &[
            ("/em_steps", json!(1_000_000_000), "em_steps is 1000000000; it must be at most 65536"),
            ("/topics", json!(1_000_000_000), "topics is 1000000000"),
            ("/topics", json!(0), "topics is 0"),
            ("/prior/dimension", json!(65_536), "has shape"),
            ("/prior/dimension", json!(1_000_000), "dimension is 1000000"),
            ("/prior/hidden", json!(65_536), "has shape"),
            ("/prior/hidden", json!(0), "hidden is 0"),
            ("/prior/themes", json!(65_536), "has shape"),
            ("/prior/word_dropout", json!(1.5), "word_dropout is 1.5"),
            ("/prior/input_dropout", json!(-1), "input_dropout is -1"),
            ("/text/min_length", json!(0), "min_length is 0"),
            ("/text/max_document_share", json!(7), "max_document_share is 7"),
            ("/new_words/novelty", json!(1e300), "new_words"),
        ],
    );
    let endless = json!({"converged": {"tolerance": 0.0, "most_steps": 1_000_000_000}});
    let backwards = json!({"converged": {"tolerance": -1.0, "most_steps": 10}});
    numbers(
        "topics",
        &[
            ("/em_stop", json!({"steps": 1_000_000_000}), "em_steps is 1000000000"),
            ("/em_stop", endless, "most_steps is 1000000000"),
            ("/em_stop", backwards, "tolerance is -1"),
            ("/em_steps", json!(1_000_000_000), "em_steps is 1000000000"),
            ("/documents", json!(1_000_000_000_000_000_000u64), "1000000000000000000"),
            ("/topics", json!(60_000), "60000"),
            ("/background", json!(false), "says no background"),
            ("/weights/0", json!(2.0), "not from 0 to 1"),
        ],
    );
}

#[test]
fn a_directory_of_pipes_and_devices_is_refused_and_not_waited_for() {
    let workspace = Workspace::with_model();
    for name in ["config.json", "vocabulary.txt", "model.safetensors"] {
        workspace.copy("model", "other");
        let file = workspace.path(&format!("other/{name}"));
        std::fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        let message = run(&workspace, "fit a.txt --model other").refusal();
        assert!(message.starts_with("other"), "{message}");
        std::fs::remove_file(&file).unwrap();
    }
}
