//! Tables and figures from a stored results file.
//!
//! The perplexities in it are so round that means, standard errors and p-values can be computed by
//! hand: iwata's are 100, 110, 120, 130 (mean 115, standard error √(500/12) = 6.45); nn-e's differ
//! from them by 1, −1, 2, 0, so that t = 0.5/√(5/12) = 0.775 with 3 degrees of freedom, and
//! p = 1 − 2/π (√0.2/1.2 + atan √0.2) = 0.495; smoothed's differ by 20, 21, 19, 22, t = 31.8. The means
//! of the two targets differ by 0 and 1, so that t = 1 with 1 degree of freedom, and p = 0.5; smoothed's
//! by 20.5 twice. Both tasks of an experiment have its perplexity.

use handful_lab::results::ResultsFolder;
use handful_lab::tables::Report;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/results")
}

fn report(named: &[String]) -> Report {
    Report::new(&ResultsFolder::open(&fixture()).unwrap(), named).unwrap()
}

fn file(report: &Report, name: &str) -> String {
    let found = report.files.iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("no {name}")).1.clone()
}

#[test]
fn the_tables_are_those_of_the_stored_results() {
    let report = report(&[]);
    assert_eq!(report.markdown, fs::read_to_string(fixture().join("tables.md")).unwrap());
    let names: Vec<&str> = report.files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "perplexity.csv",
            "perplexity-by-target.csv",
            "time.csv",
            "topics.csv",
            "perplexity-by-em-steps.csv",
            "perplexity-by-em-steps.svg"
        ]
    );
}

#[test]
fn csv_has_the_numbers_in_full() {
    let report = report(&[]);
    let rows = |name: &str| -> Vec<Vec<String>> {
        let text = file(&report, name);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
        reader.records().map(|record| row(record.unwrap())).collect()
    };
    let perplexity = rows("perplexity.csv");
    assert_eq!(
        perplexity.iter().map(|row| &*row[0]).collect::<Vec<_>>(),
        ["iwata", "nn-e", "smoothed"]
    );
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    assert!((number(&perplexity[0][2]) - (500f64 / 12.0).sqrt()).abs() < 1e-12);
    let root = 0.2f64.sqrt();
    let p = 1.0 - 2.0 / std::f64::consts::PI * (root / 1.2 + root.atan());
    assert!((number(&perplexity[1][4]) - p).abs() < 1e-9, "{p}");
    assert_eq!(perplexity[2][5], "false");
    let by_target = rows("perplexity-by-target.csv");
    assert_eq!(by_target[3][..3], ["b, too", "iwata", "125"]);
    assert_eq!(rows("perplexity-by-em-steps.csv")[0], ["0", "iwata", "210", "10", "2"]);
    assert_eq!(rows("topics.csv").len(), 3 * 5);
}

#[test]
fn topics_are_shown_of_the_targets_that_are_named() {
    let shown = report(&["b, too".to_owned()]).markdown;
    assert!(shown.contains("b, too, by `iwata`") && !shown.contains("a|b, by"), "{shown}");
    let folder = ResultsFolder::open(&fixture()).unwrap();
    let error = Report::new(&folder, &["b, two".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("did you mean `b, too`?"), "{error}");
}

#[test]
fn the_figure_puts_points_and_bars_where_the_values_are() {
    let svg = file(&report(&[]), "perplexity-by-em-steps.svg");
    // The axis goes from 50 to 250 over the 278 units between 322 and 44, 1.39 a perplexity.
    for part in [
        ">50</text>",
        ">250</text>",
        // 210 at the first of six places, 28 from the edge at 78.
        "<circle cx=\"106.0\" cy=\"99.6\"",
        // 110 ± 11 at the last, 28 from the edge at 540.
        "<circle cx=\"512.0\" cy=\"238.6\"",
        "<line x1=\"512.0\" y1=\"253.9\" x2=\"512.0\" y2=\"223.3\"",
        ">number of EM steps T</text>",
        ">perplexity of held-out words (± standard error)</text>",
        ">iwata</text>",
    ] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    for tick in [0, 1, 2, 5, 10, 20] {
        assert!(svg.contains(&format!("text-anchor=\"middle\">{tick}</text>")), "{tick}");
    }
    // Six points and one in the legend.
    assert_eq!(svg.matches("<circle").count(), 7);
    assert_eq!(svg.matches("<polyline").count(), 1);
}

/// The stored results with what is shown of topics in some lines: of iwata's, coherences 0.1, 0.2,
/// 0.3, 0.4 (mean 0.25, standard error √(0.05/12) = 0.0645) in the order of target and repeat, and of
/// nn-e's, which has none on the last.
fn with_topics_shown() -> ResultsFolder {
    changed(|line| {
        let is_second = line["target"] == "b, too";
        let number = 1 + 2 * u32::from(is_second) + line["repeat"].as_u64().unwrap() as u32;
        let is_there = match line["method"].as_str().unwrap() {
            "iwata" => line["em_steps"] == 10 && line["target"] != "c",
            "nn-e" => line["target"] != "c" && number < 4,
            _ => false,
        };
        if is_there {
            let terms = |coherence: Option<f64>| json!({"coherence": coherence, "diversity": 0.75, "common": 0.05});
            line["topics_shown"] = json!({
                "topics": number,
                "shared": 1,
                "by_probability": terms(Some(0.1 * f64::from(number))),
                "by_relevance": terms(None),
            });
        }
    })
}

/// The stored results with something changed in their lines.
fn changed(change: impl Fn(&mut Value)) -> ResultsFolder {
    let directory = tempfile::tempdir().unwrap();
    let copy = |name: &str| fs::read_to_string(fixture().join(name)).unwrap();
    fs::write(directory.path().join("settings.json"), copy("settings.json")).unwrap();
    let mut lines = String::new();
    for line in copy("results.jsonl").lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        change(&mut line);
        lines += &format!("{line}\n");
    }
    fs::write(directory.path().join("results.jsonl"), lines).unwrap();
    ResultsFolder::open(directory.path()).unwrap()
}

/// The stored results, those of one method under the name of Handful's own prior.
fn with_own(method: &str) -> ResultsFolder {
    changed(|line| {
        if line["method"] == method {
            line["method"] = json!("handful");
            for size in ["topics", "em_steps"] {
                line[size] = line[size].as_u64().unwrap_or(10).into();
            }
        }
    })
}

#[test]
fn the_own_prior_is_held_against_every_other_method_and_the_best_of_them() {
    let report = Report::new(&with_own("iwata"), &[]).unwrap();
    // ln of the ratios is -0.0100, 0.0091, -0.0165 and 0.
    let ratio = (100.0f64 / 101.0 * 110.0 / 109.0 * 120.0 / 122.0).powf(0.25);
    // By target -0.00043 and -0.00826: t = 1.111 with 1 degree of freedom, p = 1 − 2/π atan t.
    let first = (100.0f64 / 101.0 * 110.0 / 109.0).ln() / 2.0;
    let second = (120.0f64 / 122.0).ln() / 2.0;
    let t = (first + second) / (first - second);
    let p = 1.0 - 2.0 / std::f64::consts::PI * t.abs().atan();
    let lower = 100.0 * (1.0 - ratio);
    let row = format!("\n| nn-e | {ratio:.3} ± 0.006 | {lower:.1}% | {p:.3} |\n");
    assert!(report.markdown.contains(&row), "{row} is not in {}", report.markdown);
    // Two tasks a repeat, of 50 words each: on the second target the log-likelihoods differ by
    // 50 ln(122/120) twice and by 0 twice, so that t = √3 with three degrees of freedom, and
    // p = 1/2 − 1/π, twice that for two targets. The first target's is 0.945.
    let p = 2.0 * (0.5 - 1.0 / std::f64::consts::PI);
    let (best, own) = ((122.0f64 * 130.0).sqrt(), (120.0f64 * 130.0).sqrt());
    let row = format!(
        "\n| b, too | nn-e | {best:.1} | {own:.1} | {:.3} | {p:.3} | level |\n",
        own / best
    );
    assert!(report.markdown.contains(&row), "{row} is not in {}", report.markdown);
    let csv = file(&report, "rivals.csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[1].starts_with("a|b,nn-e,") && rows[1].ends_with(",level"), "{csv}");
    let p_value: f64 = rows[1].split(',').nth(4).unwrap().parse().unwrap();
    assert!((p_value - 0.945).abs() < 1e-3, "{p_value}");
}

#[test]
fn a_difference_that_many_tasks_agree_on_is_called_one() {
    // Of the perplexities 120, 131 and 139, 152 all tasks are worse than iwata's by about as much.
    let worse = Report::new(&with_own("smoothed"), &[]).unwrap().markdown;
    let sentence = "`handful` is better on 0 targets, worse on 2 targets.";
    assert!(worse.contains(sentence), "{worse}");
    assert!(!report(&[]).markdown.contains("against the others"));
}

#[test]
fn topics_are_measured_on_the_experiments_that_all_methods_have_measured() {
    let folder = with_topics_shown();
    let report = Report::new(&folder, &[]).unwrap();
    // Three experiments: coherence 0.2 ± 0.1/√3, topics 2 ± 1/√3.
    let expected = "over 3 experiments on 2 targets. Left out: 1 that not every method has.";
    assert!(report.markdown.contains(expected), "{}", report.markdown);
    for method in ["iwata", "nn-e"] {
        let row = format!(
            "\n| {method} | 2.00 ± 0.58 | 1.00 ± 0.00 | 0.200 ± 0.058 | 0.750 ± 0.000 | 0.050 ± \
             0.000 |  | 0.750 ± 0.000 | 0.050 ± 0.000 |  |  |  |\n"
        );
        assert!(report.markdown.contains(&row), "{row} is not in {}", report.markdown);
    }
    assert!(report.markdown.contains("iwata-a0"), "topics are shown in words, too");
    let csv = file(&report, "topics-shown.csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0].iter().take(4).collect::<Vec<_>>(), ["iwata", "probability", "2", "1"]);
    assert!((rows[0][5].parse::<f64>().unwrap() - 0.1 / 3f64.sqrt()).abs() < 1e-12);
    assert_eq!((&rows[1][1], &rows[1][4]), ("relevance", ""));
    assert_eq!((&rows[2][1], &rows[2][6]), ("telling", ""), "older results do not have it");
}

#[test]
fn probabilities_are_held_against_what_came() {
    // Of the words that iwata and nn-e give a tenth, half come on the first target and none on the other.
    let folder = changed(|line| {
        if line["topics"] == 10 && line["em_steps"] == 10 {
            let came = if line["target"] == "a|b" { 0.05 } else { 0.0 };
            line["calibration"] = json!({
                "predicted": [0.1, 0.2, 0.3, 0.4],
                "observed": [came, 0.3 - came, 0.3, 0.4],
            });
        }
    });
    let report = Report::new(&folder, &[]).unwrap();
    // Off by 0.05 twice and by 0.1 twice.
    let row =
        "| iwata | 0.075 ± 0.014 | 0.100, 0.025 | 0.200, 0.275 | 0.300, 0.300 | 0.400, 0.400 |\n";
    assert!(report.markdown.contains(row), "{}", report.markdown);
    let csv = file(&report, "calibration.csv");
    assert!(csv.contains("\niwata,0.0001,0.3,0.3,4\n"), "{csv}");
    assert!(!self::report(&[]).markdown.contains("Calibration"), "nothing of it is stored");
}

#[test]
fn a_sweep_shows_what_became_of_the_topics() {
    // T topics with T EM steps; on one of the two targets none is shared, on the other all are.
    let folder = changed(|line| {
        if line["method"] == "iwata" {
            let topics = line["em_steps"].clone();
            let shared = if line["target"] == "b, too" { topics.clone() } else { json!(0) };
            let terms = json!({"coherence": 0.25, "diversity": 0.75, "common": 0.05});
            line["topics_shown"] = json!({
                "topics": topics,
                "shared": shared,
                "by_probability": terms,
                "by_relevance": terms,
                "by_telling": terms,
            });
        }
    });
    let of_topics = Report::new(&folder, &[]).unwrap();
    let markdown = &of_topics.markdown;
    for row in ["\n| 20 | 20.00 ± 0.00 | 0.250 ± 0.000 |\n", "\n| 20 | 10.00 ± 10.00 |\n"] {
        assert!(markdown.contains(row), "{row} is not in {markdown}");
    }
    let csv = file(&of_topics, "shared-topics-by-em-steps.csv");
    assert!(csv.starts_with("em_steps,method,shared_topics,standard_error,experiments\n"), "{csv}");
    assert!(csv.ends_with("\n20,iwata,10,10,2\n"), "{csv}");
    let svg = file(&of_topics, "shared-topics-by-em-steps.svg");
    assert!(svg.contains("topics of two documents or more"), "{svg}");
    assert!(!report(&[]).markdown.contains("Topics that count"), "nothing of it is stored");
}
