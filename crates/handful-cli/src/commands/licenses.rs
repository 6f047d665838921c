//! `handful licenses`: what the program is made of, and on which terms.

use crate::args::CommonFlags;
use crate::output;
use handful::Model;
use serde_json::{Value, json};

/// Made by `list-licenses`: a crate a line.
const CRATES: &str = include_str!("../licenses.txt");

/// What else is inside: name, licence, where it comes from.
const DATA: [[&str; 3]; 4] = [
    [
        "318 English stop words",
        "BSD-3-Clause",
        "scikit-learn, after the Glasgow Information Retrieval Group",
    ],
    ["stop words of 57 other languages", "MIT", "Stopwords ISO, by the crate stop-words"],
    [
        "dictionaries of scripts without spaces",
        "Unicode-3.0",
        "ICU4X, by the crate icu_segmenter_data",
    ],
    ["profiles of languages", "MIT", "the crate whatlang"],
];

pub fn licenses(common: &CommonFlags) -> anyhow::Result<()> {
    let about = Model::pretrained()?.parts().config.about.clone().unwrap_or_default();
    if common.json {
        return output::print_json(&json!({
            "program": {"name": "handful", "license": env!("CARGO_PKG_LICENSE")},
            "crates": crates().map(as_json).collect::<Vec<_>>(),
            "data": DATA.map(|[name, license, source]| {
                json!({"name": name, "license": license, "source": source})
            }),
            "model": about,
        }));
    }
    let mut text = format!("Handful {}\n", env!("CARGO_PKG_LICENSE"));
    text += "\nRust packages that it is made of, some of them on some systems only\n\n";
    crates().for_each(|(name, license)| text += &format!("  {name}  {license}\n"));
    text += "\nData inside\n\n";
    for [name, license, source] in DATA {
        text += &format!("  {name}  {license} ({source})\n");
    }
    text += &format!("\nThe built-in model\n\n{}\n", data_of(&about));
    output::print(&text)
}

/// Names with versions, and licences.
fn crates() -> impl Iterator<Item = (&'static str, &'static str)> {
    CRATES.lines().filter_map(|line| line.split_once(": "))
}

fn as_json((name, license): (&str, &str)) -> Value {
    json!({"name": name, "license": license})
}

/// The section on data of a model's description.
fn data_of(about: &str) -> &str {
    let data = about.split_once("## Data").map_or(about, |(_, data)| data);
    data.split_once("\n## ").map_or(data, |(data, _)| data).trim()
}
