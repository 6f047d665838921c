//! Many small groups of documents, each fitted by itself: what a table of clients, products or survey
//! questions holds. The results are rows, not fits, each of which would take a megabyte.
//!
//! ```
//! # #[cfg(feature = "pretrained")] {
//! use handful::groups::fit_groups;
//! use handful::{FitSettings, Model};
//! use std::ops::ControlFlow;
//!
//! let groups = [vec!["The hive has a queen.", "Bees make honey."], vec!["The dough rises."]];
//! let settings = FitSettings::default();
//! let fitted = fit_groups(&Model::pretrained()?, &groups, &settings, 10, &|_| ControlFlow::Continue(()))?;
//! assert_eq!(fitted[1].documents.len(), 1);
//! # }
//! # Ok::<(), handful::Error>(())
//! ```

mod fit;
mod rows;

pub use fit::fit_groups;
pub use rows::{DocumentRow, GroupRows, TopicRow};
