//! The libraries name settings; flags and commands are the command's own.

mod sources;

use sources::{before_tests, rust_files};
use std::path::Path;

/// The commands of `handful`.
const COMMANDS: [&str; 7] = ["fit", "infer", "train", "evaluate", "compare", "compact", "inspect"];

/// The string literals of code, without their quotes; a line that goes on with `\` is joined. Comments
/// are skipped.
fn literals(code: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(['"', '\'', '/', 'r']) {
        let after_name = rest[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        rest = &rest[start..];
        let hashes = rest[1..].len() - rest[1..].trim_start_matches('#').len();
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with('r') && !after_name && rest[1 + hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let (literal, after) = rest[hashes + 2..].split_once(&end).unwrap();
            literals.push(literal.to_owned());
            rest = after;
        } else if rest.starts_with('"') {
            let (literal, after) = quoted(&rest[1..]);
            literals.push(literal);
            rest = after;
        } else if rest.starts_with(r"'\") {
            // A character such as '\'' or '\u{feff}'.
            rest = rest[3..].split_once('\'').unwrap().1;
        } else if rest.starts_with('\'') && rest.chars().nth(2) == Some('\'') {
            let mut characters = rest.chars();
            characters.nth(2);
            rest = characters.as_str();
        } else {
            rest = &rest[1..];
        }
    }
    literals
}

/// What stands before the closing quote, and what comes after it.
fn quoted(text: &str) -> (String, &str) {
    let mut literal = String::new();
    let mut rest = text;
    loop {
        let end = rest.find(['"', '\\']).expect("a literal is closed");
        literal.push_str(&rest[..end]);
        if rest[end..].starts_with('"') {
            return (literal, &rest[end + 1..]);
        }
        let escaped = &rest[end + 1..];
        rest = match escaped.strip_prefix('\n') {
            Some(next_line) => next_line.trim_start(),
            None => {
                let character = escaped.chars().next().expect("something is escaped");
                literal.push(character);
                &escaped[character.len_utf8()..]
            }
        };
    }
}

/// Whether words name a flag (`--force`) or a command (`handful fit`).
fn names_the_command_line(words: &str) -> bool {
    let is_flag = |(at, _)| {
        let after: &str = &words[at + 2..];
        after.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let is_command = |(at, name): (usize, &str)| {
        let after = &words[at + name.len()..];
        COMMANDS.iter().any(|command| after.starts_with(command))
    };
    words.match_indices("--").any(is_flag) || words.match_indices("handful ").any(is_command)
}

#[test]
fn literals_are_found_between_comments_characters_and_escapes() {
    let code = r####"
        // "no"
        let a = ("one", '"', 'x', '\'', '\u{feff}', "two \"and\" \
                 more", b"bytes"); /// it's "no"
        fn f<'a>(x: &'a str) { r"raw\" ; r#"a "quoted" word"# ; for"####
        .replace("for", "r = 1 / 2; \"last\"");
    let expected = ["one", "two \"and\" more", "bytes", "raw\\", "a \"quoted\" word", "last"];
    assert_eq!(literals(&code), expected);
    for words in ["lower --topics", "see `handful fit`", "handful train wrote"] {
        assert!(names_the_command_line(words), "{words}");
    }
    for words in ["-", "a -- b", "---", "the prior `handful` fits", "handful-model"] {
        assert!(!names_the_command_line(words), "{words}");
    }
}

#[test]
fn libraries_name_no_flag_and_no_command() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for library in ["handful", "handful-lab"] {
        rust_files(&crates.join(library).join("src"), &mut files);
    }
    // A style sheet has names that look like flags.
    files.retain(|file| !file.ends_with("palette.rs"));
    let (mut read, mut wrong) = (0, Vec::new());
    for file in &files {
        for literal in literals(&before_tests(file)) {
            read += 1;
            if names_the_command_line(&literal) {
                wrong.push(format!("{}: {literal:?}", file.display()));
            }
        }
    }
    assert!(read > 700, "only {read} literals were found: the test reads the wrong files");
    assert!(wrong.is_empty(), "name the setting, in backticks, instead:\n{}", wrong.join("\n"));
}
