//! Many groups of documents: their results on the way to a file.
//!
//! Results are appended to a journal beside the file as groups are finished. When all are there, the file
//! is written from the journal, whole, and the journal removed. So a run that was killed goes on where it
//! was, and gives the bytes of a run that was not.

mod csv;
mod journal;
mod output;
#[cfg(feature = "parquet")]
mod parquet;

pub use journal::{Identity, Journal};
pub use output::GroupOutput;

use handful::groups::{DocumentRow, GroupRows, TopicRow};
use handful::reading::RawDocument;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A group of documents.
#[derive(Debug)]
pub struct Group {
    pub name: String,
    pub documents: Vec<RawDocument>,
}

impl AsRef<[RawDocument]> for Group {
    fn as_ref(&self) -> &[RawDocument] {
        &self.documents
    }
}

/// Puts documents into their groups, in the order in which these come first.
pub fn grouped(documents: Vec<RawDocument>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for mut document in documents {
        let name = document.corpus.take().unwrap_or_default();
        let place = *places.entry(name).or_insert_with_key(|name| {
            groups.push(Group { name: name.clone(), documents: Vec::new() });
            groups.len() - 1
        });
        groups[place].documents.push(document);
    }
    groups
}

/// The results of a group: a line of the journal, and of a file of JSON lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupResult {
    pub group: String,
    pub topics: Vec<TopicRow>,
    pub documents: Vec<DocumentRow>,
    pub warnings: Vec<String>,
    pub error: Option<String>,
}

impl GroupResult {
    pub fn new(group: String, rows: GroupRows) -> Self {
        let GroupRows { topics, documents, warnings, error, .. } = rows;
        Self { group, topics, documents, warnings, error }
    }
}
