//! Flags of comparisons whose tasks mix documents of unseen corpora.

use clap::{ArgGroup, Args};
use handful::{Error, Result};
use handful_lab::blends::SUBJECTS;
use handful_lab::groups::TaskShape;
use handful_lab::number::DOCUMENTS;
use handful_lab::telling::SHAPES;
use std::path::PathBuf;

/// What only --groups, --blends, --number and --telling have.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("unseen").args(["groups", "blends", "telling"]))]
#[command(group = ArgGroup::new("shaped").args(["groups", "telling"]))]
#[command(group = ArgGroup::new("counted").args(["number"]))]
#[command(group = ArgGroup::new("passages").args(["blends", "number", "telling"]))]
pub struct UnseenFlags {
    /// Number of corpora in a task, which is also its number of topics [default: 3; with --blends
    /// 2,3,4, each a setting of its own; with --telling 3, and 5 in a setting of its own]
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "unseen")]
    corpora_per_task: Vec<usize>,
    /// Number of documents that a task of --groups or --telling has from each of its corpora [default:
    /// 2; with --telling 2 of each of 3 corpora, and 6 of each of 5]
    #[arg(long, value_name = "N", requires = "shaped")]
    documents_per_corpus: Option<usize>,
    /// Number of documents in a task of --number [default: 6,12,24, each a setting of its own]
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "counted")]
    documents_per_task: Vec<usize>,
    /// Vectors of the documents, as JSON lines with `corpus`, `id` and `vector`, for the methods of
    /// --groups that group what they are given
    #[arg(long, value_name = "FILE", requires = "groups")]
    pub document_vectors: Option<PathBuf>,
    /// Vectors of the passages in DIR/tasks.jsonl.gz, as JSON lines with `task`, `document`, `passage`
    /// and `vector`, for the methods of --blends, --number and --telling that group what they are given
    #[arg(long, value_name = "FILE", requires = "passages")]
    pub passage_vectors: Option<PathBuf>,
}

impl UnseenFlags {
    /// The shape of the tasks of --groups, or of --telling where one is named. They have one shape.
    pub fn task_shape(&self) -> Result<TaskShape> {
        let usual = TaskShape::default();
        let corpora = match self.corpora_per_task[..] {
            [] => usual.corpora,
            [corpora] => corpora,
            _ => {
                let problem = "--groups and --telling have one number of corpora in a task";
                return Err(Error::bad_setting("--corpora-per-task", problem, "name one"));
            }
        };
        let documents_of_each = self.documents_per_corpus.unwrap_or(usual.documents_of_each);
        Ok(TaskShape { corpora, documents_of_each })
    }

    /// The shapes of the tasks of --telling.
    pub fn task_shapes(&self) -> Result<Vec<TaskShape>> {
        match (&self.corpora_per_task[..], self.documents_per_corpus) {
            ([], None) => Ok(SHAPES.to_vec()),
            _ => Ok(vec![self.task_shape()?]),
        }
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
