//! A results folder: settings, tasks, and one line per experiment.

mod course;
mod folder;
mod prediction;
mod record;
mod tasks;

pub use course::Course;
pub(crate) use course::names;
pub use folder::{Folder, Identity, has_lines_of};
pub use prediction::Prediction;
pub use record::{Key, Record};
pub(crate) use tasks::{write_line, write_tasks};

/// The folder of a comparison.
pub type ResultsFolder = Folder<Record>;
