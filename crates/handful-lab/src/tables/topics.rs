//! The paper's last table: topics in words.

use super::Grid;
use crate::methods::METHODS;
use crate::results::{Key, Record, ResultsFolder};
use handful::Result;
use handful::internals::train::expect_known;
use std::collections::BTreeSet;

/// The topics of the first task of the first repeat.
pub(super) struct TopicsTable {
    /// The topics of some targets, from the first method that has topics.
    pub(super) markdown: String,
    /// The topics of all targets and methods.
    pub(super) csv: Grid,
}

/// Returns the topics of the `named` targets, or of the first `most` if none is named.
pub(super) fn topics(folder: &ResultsFolder, named: &[String], most: usize) -> Result<TopicsTable> {
    let training = &folder.identity.settings.training;
    let size = (training.topics, training.em_steps);
    let records: Vec<&Record> = folder.records.iter().collect();
    let targets: BTreeSet<&str> = records.iter().map(|record| &*record.key.target).collect();
    let known: Vec<&str> = targets.iter().copied().collect();
    named.iter().try_for_each(|name| expect_known("target", name, &known))?;
    let shown: Vec<&str> = match named {
        [] => known.iter().copied().take(most).collect(),
        named => named.iter().map(String::as_str).collect(),
    };
    let mut csv = Grid::new(&["target", "method", "topic", "terms"]);
    let mut markdown = String::new();
    for target in known.iter().copied() {
        let mut is_shown = shown.contains(&target);
        for method in &METHODS {
            let record = folder.record(&Key::new(method, target, 0, size));
            let Some(record) = record.filter(|record| !record.top_terms.is_empty()) else {
                continue;
            };
            let terms: Vec<String> = record.top_terms.iter().map(|topic| topic.join(" ")).collect();
            for (topic, terms) in (1..).zip(&terms) {
                csv.rows.push(vec![
                    target.to_owned(),
                    method.id.to_owned(),
                    topic.to_string(),
                    terms.clone(),
                ]);
            }
            if std::mem::take(&mut is_shown) {
                markdown += &format!("\n{target}, by `{}`:\n\n", method.id);
                for (topic, terms) in (1..).zip(&terms) {
                    markdown += &format!("{topic}. {terms}\n");
                }
            }
        }
    }
    if !markdown.is_empty() {
        let about = "The likeliest terms of the three topics with the most words, in the first \
                     task of the first repeat.";
        markdown = format!("\n{about}\n{markdown}");
    }
    Ok(TopicsTable { markdown, csv })
}
