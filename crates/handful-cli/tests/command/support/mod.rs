//! A folder of its own for each test, the command in it, and what the command answered.

mod answer;
mod browser;
mod corpora;
mod model_files;
mod results;
mod tools;
mod workspace;

pub use answer::Answer;
pub use browser::Browser;
pub use corpora::{Document, counts, documents, random, text};
pub use model_files::{edit_config, edit_tensors, forget_checksums, read_tensors};
pub use results::{lines, outcomes, records, timeless};
pub use tools::{is_there, python};
pub use workspace::{BRIEF, TINY, Workspace};
