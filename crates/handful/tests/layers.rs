//! The folders of the library are layers: none imports from a layer above its own.

mod sources;

use sources::{before_tests, rust_files};
use std::path::Path;

/// From the bottom to the top. Folders of one layer do not import each other.
const LAYERS: [&[&str]; 18] = [
    &["error", "random", "attendance"],
    &["text"],
    &["reading"],
    &["corpus"],
    &["numeric"],
    &["nn", "linear_algebra", "clustering"],
    &["storage"],
    &["em"],
    &["lda"],
    &["prior"],
    &["evaluate"],
    &["train"],
    &["topic_model"],
    &["model_dir"],
    &["fit"],
    &["model"],
    &["views", "groups"],
    // What the crate's root itself offers.
    &["Error", "ErrorKind", "Result"],
];

/// The layer of a folder; names that the root re-exports from the bottom belong to the bottom.
fn layer_of(name: &str) -> usize {
    let layer = LAYERS.iter().position(|layer| layer.contains(&name));
    let layer = layer.unwrap_or_else(|| panic!("`{name}` has no place among the layers"));
    if layer == LAYERS.len() - 1 { 0 } else { layer }
}

/// The code of a file without its comments and its tests: tests may look at the whole house.
fn code(path: &Path) -> String {
    let text = before_tests(path);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The names after every `crate::`.
fn imported(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::").skip(1).flat_map(|after| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        match after.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
                names.map(|name| name.split("::").next().unwrap_or_default()).collect::<Vec<_>>()
            }
            None => vec![after.split(|c| !is_name(c)).next().unwrap_or_default()],
        }
    })
}

#[test]
fn no_folder_imports_one_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut imports = 0;
    let mut wrong = Vec::new();
    for file in &files {
        let place = file.strip_prefix(&source).unwrap();
        let folder = place.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if folder == "lib" {
            continue;
        }
        let code = code(file);
        for name in imported(&code).filter(|name| *name != folder) {
            imports += 1;
            let (from, to) = (layer_of(folder), layer_of(name));
            // The bottom layer offers `Error` to everybody, itself included.
            let is_below =
                to < from || (from == 0 && ["Error", "ErrorKind", "Result"].contains(&name));
            if !is_below {
                wrong.push(format!("{} imports crate::{name}", place.display()));
            }
        }
    }
    assert!(imports > 300, "only {imports} imports were found: the test reads the wrong files");
    assert!(wrong.is_empty(), "imports from a layer above, or beside:\n{}", wrong.join("\n"));
}
