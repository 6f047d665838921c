//! Flags of comparisons whose tasks mix documents of unseen corpora.

use clap::{ArgGroup, Args};
use handful::{Error, Result};
use handful_lab::blends::SUBJECTS;
use handful_lab::groups::TaskShape;
use handful_lab::number::DOCUMENTS;
use std::path::PathBuf;

/// What only --groups, --blends and --number have.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("unseen").args(["groups", "blends"]))]
#[command(group = ArgGroup::new("passages").args(["blends", "number"]))]
pub struct UnseenFlags {
    /// Number of corpora in a task, which is also its number of topics [default: 3; with --blends
    /// 2,3,4, each a setting of its own]
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "unseen")]
    corpora_per_task: Vec<usize>,
    /// Number of documents that a task of --groups has from each of its corpora
    #[arg(long, value_name = "N", requires = "groups", default_value_t = TaskShape::default().documents_of_each)]
    documents_per_corpus: usize,
    /// Number of documents in a task of --number [default: 6,12,24, each a setting of its own]
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "number")]
    documents_per_task: Vec<usize>,
    /// Vectors of the documents, as JSON lines with `corpus`, `id` and `vector`, for the methods of
    /// --groups that group what they are given
    #[arg(long, value_name = "FILE", requires = "groups")]
    pub document_vectors: Option<PathBuf>,
    /// Vectors of the passages in DIR/tasks.jsonl.gz, as JSON lines with `task`, `document`, `passage`
    /// and `vector`, for the methods of --blends and --number that group what they are given
    #[arg(long, value_name = "FILE", requires = "passages")]
    pub passage_vectors: Option<PathBuf>,
}

impl UnseenFlags {
    /// The shape of the tasks of --groups. They have one shape.
    pub fn task_shape(&self) -> Result<TaskShape> {
        let corpora = match self.corpora_per_task[..] {
            [] => TaskShape::default().corpora,
            [corpora] => corpora,
            _ => {
                let problem = "--groups has one number of corpora in a task";
                return Err(Error::bad_setting("--corpora-per-task", problem, "name one"));
            }
        };
        Ok(TaskShape { corpora, documents_of_each: self.documents_per_corpus })
    }

    /// The numbers of subjects of --blends.
    pub fn subjects(&self) -> Vec<usize> {
        named_or(&self.corpora_per_task, &SUBJECTS)
    }

    /// The numbers of documents of --number.
    pub fn documents(&self) -> Vec<usize> {
        named_or(&self.documents_per_task, &DOCUMENTS)
    }
}

/// The numbers that were named, or the usual ones; each once.
fn named_or(named: &[usize], usual: &[usize]) -> Vec<usize> {
    let mut numbers = if named.is_empty() { usual.to_vec() } else { named.to_vec() };
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
