//! A results folder: settings, tasks, and a line for each experiment.

mod folder;
mod record;
mod tasks;

pub use folder::{Identity, ResultsFolder};
pub use record::{Key, Record};
