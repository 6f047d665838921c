//! Tables and figures of a range of settings, from a stored file.
//!
//! Its perplexities are so round that the tables can be computed by hand. At K=10 `handful` has 100 on
//! one target and 200 on the other, `handful-for-all` 100 and 104.04 in the two repeats on the one and
//! 208.08 on the other: ratios of 1.02 and 1.02², whose geometric mean is 1.02^1.5 = 1.0301, with
//! a standard error of 1.0301 · ln 1.02 / 2 = 0.0102. One target has too few documents for N=10, and
//! one is not finished for K=1.

use handful_lab::range::{Axis, RangeFolder};
use handful_lab::tables::{RangeScore, Report};
use std::fs;
use std::path::{Path, PathBuf};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/range")
}

fn report() -> Report<RangeScore> {
    Report::of_range(&RangeFolder::open(&fixture()).unwrap()).unwrap()
}

fn file(name: &str) -> String {
    let report = report();
    let found = report.files.into_iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("no {name}")).1
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let text = file(name);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn the_tables_are_those_of_the_stored_results() {
    let report = report();
    assert_eq!(report.markdown, fs::read_to_string(fixture().join("tables.md")).unwrap());
    let names: Vec<&str> = report.files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "perplexity-by-topics.csv",
            "perplexity-by-topics.svg",
            "perplexity-by-documents.csv",
            "perplexity-by-documents.svg",
            "perplexity-by-length.csv",
            "perplexity-by-length.svg",
            "perplexity-by-target.csv"
        ]
    );
}

#[test]
fn csv_has_the_numbers_in_full() {
    let topics = rows("perplexity-by-topics.csv");
    assert_eq!(topics.len(), 6 * 3);
    let at_ten = topics.iter().find(|row| row[..2] == ["10", "handful-for-all"]).unwrap();
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    assert!((number(&at_ten[2]) - (100.0 + 104.04 + 2.0 * 208.08) / 4.0).abs() < 1e-9);
    assert!((number(&at_ten[5]) - 1.02f64.powf(1.5)).abs() < 1e-9);
    assert!((number(&at_ten[6]) - 1.02f64.powf(1.5) * 1.02f64.ln() / 2.0).abs() < 1e-9);
    assert_eq!((&*at_ten[4], &*at_ten[7]), ("4", "2"));
    let last = rows("perplexity-by-documents.csv").pop().unwrap();
    assert_eq!(last, ["10", "smoothed", "300", "", "1", "1.875", "", "1"]);
    // Without the model for one setting there is no ratio to it.
    let length = rows("perplexity-by-length.csv");
    assert_eq!(length[0], ["5", "handful-for-all", "300", "", "1", "", "", "1"]);
    let by_target = rows("perplexity-by-target.csv");
    assert_eq!(by_target.len(), 6 * 2 * 3 + (4 * 2 + 1) * 3 + 2 * 2);
    let first = ["topics", "1", "a|b", "handful-for-all", "126", "0", "2"];
    assert_eq!(by_target[0], first);
}

#[test]
fn scores_can_be_found_by_axis_value_and_method() {
    let report = report();
    let score = |axis, value, method| {
        let wanted =
            |score: &&RangeScore| (score.axis, score.value, score.method) == (axis, value, method);
        report.scores.iter().find(wanted)
    };
    let at_three = score(Axis::Documents, 3, "handful-for-all").unwrap();
    assert_eq!((at_three.perplexity.mean, at_three.perplexity.count), (152.0, 2));
    assert_eq!(score(Axis::Documents, 3, "handful").unwrap().ratio.unwrap().mean, 1.0);
    assert!(score(Axis::Documents, 20, "handful").is_none());
}

#[test]
fn figures_place_values_by_their_logarithms() {
    let svg = file("perplexity-by-documents.svg");
    // From 106 at N=1 to 512 at N=10, so that N=3 is at 106 + 406 log₁₀ 3 = 299.7; perplexity from 50
    // to 300 over the 278 units between 322 and 44. The second of three series is not shifted.
    for part in [
        "<circle cx=\"106.0\" cy=\"144.1\"",
        "<circle cx=\"299.7\" cy=\"210.8\"",
        "<circle cx=\"512.0\" cy=\"199.7\"",
        ">number of documents N</text>",
        ">perplexity of held-out words (± standard error)</text>",
        ">handful-for-all</text>",
    ] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    assert!(file("perplexity-by-length.svg").contains(">length of documents (words)</text>"));
}
