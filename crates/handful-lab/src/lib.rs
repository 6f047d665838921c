//! The paper's laboratory: every method on the same tasks, and what comes of it.
//!
//! ```text
//! corpora ─ Comparison ─▶ Experiment (target, repeat: roles of corpora, tasks)
//!                              │
//!           Method ─ Recipe ───┴─ learn ─▶ Learned ─ each task ─▶ Record ─▶ results.jsonl
//!                                                                               │
//!                                            Markdown, CSV and SVG ◀─ Report ◀──┘
//! ```
//!
//! Mixed handfuls ([`groups`]) and one model for every use ([`range`]) are other kinds of experiments,
//! planned, run and kept in the same way ([`Protocol`]).
//!
//! Nine of the methods are configurations of one design ([`methods::PriorAndEm`]). Experiments run
//! side by side, each on one thread, so that CPU seconds compare and their number changes nothing.

pub mod clustering;
mod comparison;
mod cpu_clock;
pub mod figure;
pub mod groups;
mod material;
mod measure;
pub mod methods;
mod plan;
mod protocol;
pub mod range;
mod request;
pub mod results;
mod run;
pub mod statistics;
pub mod tables;
mod topics_shown;

pub use comparison::{Comparison, Experiment, Settings};
pub use cpu_clock::CpuClock;
pub use material::Material;
pub use plan::Plan;
pub use protocol::{ExperimentKey, KeyOf, Line, OccasionOf, Protocol};
pub use request::{Request, Study, Sweep};
pub use run::{Event, run};
pub use topics_shown::{COMMON_TERMS, LEAST_SHARE, TERMS_SHOWN, TermsShown, TopicsShown};
