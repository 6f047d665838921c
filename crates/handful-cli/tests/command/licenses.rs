//! `handful licenses`: what the program is made of.

use crate::support::Workspace;
use std::path::Path;
use std::process::Command;

#[test]
fn every_crate_and_all_data_are_listed() {
    let workspace = Workspace::new();
    let text = workspace.run("licenses").success().out;
    for part in ["  serde ", "  icu_segmenter_data ", "scikit-learn", "Stopwords ISO", "CC BY-SA"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let listed = workspace.run("licenses --json").success().json();
    let crates = listed["crates"].as_array().unwrap();
    assert!(crates.len() > 50);
    // Nothing may be inside that one could not give on with the program.
    let allowed =
        ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Unicode-3.0", "Zlib", "Unlicense"];
    for one in crates {
        let license = one["license"].as_str().unwrap();
        assert!(allowed.iter().any(|name| license.contains(name)), "{one}");
    }
}

/// The file is what cargo says today: `crates/handful-cli/list-licenses` writes it anew.
#[cfg(unix)]
#[test]
fn the_list_is_that_of_the_lock_file() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = Workspace::new();
    let list = workspace.path("licenses.txt");
    let output = Command::new(package.join("list-licenses"))
        .arg(&list)
        .env("CARGO", env!("CARGO"))
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    // Cargo may lack the packages of other systems where it cannot fetch them.
    if !output.status.success() {
        assert!(std::env::var_os("CI").is_none(), "{output:?}");
        return eprintln!("skipped: {}", String::from_utf8_lossy(&output.stderr));
    }
    let kept = std::fs::read_to_string(package.join("src/licenses.txt")).unwrap();
    assert_eq!(String::from_utf8(workspace.read("licenses.txt")).unwrap(), kept);
}
