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
//! Nine of the methods are configurations of one design ([`methods::PriorAndEm`]). Experiments run
//! side by side, each on one thread, so that CPU seconds compare and their number changes nothing.

mod comparison;
mod cpu_clock;
pub mod figure;
pub mod methods;
mod plan;
pub mod results;
mod run;
pub mod statistics;
pub mod tables;

pub use comparison::{Comparison, Experiment, Settings};
pub use plan::{Plan, Request, Sweep};
pub use run::{Event, run};
