//! A folder of its own for each test, the command in it, and what the command answered.

mod answer;
mod corpora;
mod model_files;
mod results;
mod workspace;

pub use answer::Answer;
pub use corpora::{Document, counts, documents, random, text};
pub use model_files::{edit_config, edit_tensors, read_tensors};
pub use results::{lines, outcomes, records, timeless};
pub use workspace::{TINY, Workspace};
