//! Results as a plain table: a row for each topic of each document.

use super::GroupResult;
use handful::groups::{DocumentRow, TopicRow};
use std::io::{self, Write};

const COLUMNS: [&str; 11] = [
    "group",
    "document",
    "words",
    "unknown_words",
    "background",
    "topic",
    "proportion",
    "name",
    "share",
    "terms",
    "error",
];

/// Writes the rows of all groups. A group without topics has one row, which says why.
pub fn write(
    results: impl Iterator<Item = io::Result<GroupResult>>,
    file: impl Write,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(file);
    table.write_record(COLUMNS)?;
    for result in results {
        let result = result?;
        for document in &result.documents {
            for (topic, proportion) in result.topics.iter().zip(&document.proportions) {
                table.write_record(row(&result.group, document, topic, *proportion))?;
            }
        }
        if let Some(error) = &result.error {
            let mut row = vec![result.group.as_str()];
            row.resize(COLUMNS.len() - 1, "");
            row.push(error);
            table.write_record(row)?;
        }
    }
    table.flush()
}

fn row(group: &str, document: &DocumentRow, topic: &TopicRow, proportion: f32) -> [String; 11] {
    [
        group.to_owned(),
        document.document.clone(),
        document.words.to_string(),
        document.unknown_words.to_string(),
        document.background.map(|share| share.to_string()).unwrap_or_default(),
        topic.topic.to_string(),
        proportion.to_string(),
        topic.name.clone(),
        topic.share.to_string(),
        topic.terms.join(", "),
        String::new(),
    ]
}
