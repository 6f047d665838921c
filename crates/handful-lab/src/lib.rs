//! The paper's laboratory: runs every method on the same tasks and reports the results.
//!
//! ```text
//! corpora ─ Comparison ─▶ Experiment (target, repeat: roles of corpora, tasks)
//!                              │
//!           Method ─ Recipe ───┴─ learn ─▶ Learned ─ each task ─▶ Record ─▶ results.jsonl
//!                                                                               │
//!                                            Markdown, CSV and SVG ◀─ Report ◀──┘
//! ```
//!
//! Mixed handfuls ([`groups`]), documents of several subjects ([`blends`]), the number of topics
//! ([`number`]), terms that tell topics ([`telling`]) and one model for every use ([`range`]) are other
//! kinds of experiments. They are planned, run and stored in the same way ([`Protocol`]).
//!
//! Most of the methods are configurations of one design ([`methods::PriorAndEm`]). Experiments run
//! in parallel, each on one thread, so that CPU seconds are comparable and the number of threads
//! does not affect the results.

mod assignment;
pub mod blends;
mod calibration;
pub mod clustering;
mod comparison;
mod cpu_clock;
pub mod figure;
mod finished_model;
mod given;
pub mod groups;
mod inner_steps;
mod lda_sampling;
mod material;
mod measure;
pub mod methods;
pub mod number;
mod passage_vectors;
mod plan;
mod prose;
mod protocol;
pub mod range;
mod request;
pub mod results;
mod run;
mod setting_key;
mod sitting;
pub mod statistics;
pub mod tables;
pub mod telling;
mod topics_shown;
mod unseen;
mod unseen_by_setting;
mod vector_lines;

pub use calibration::{Calibration, LEAST_PROBABILITIES};
pub use comparison::{Comparison, Experiment, PAPER_REPEATS, Settings};
pub use cpu_clock::CpuClock;
pub use finished_model::FinishedModel;
pub use given::{Given, GivenKind};
pub use inner_steps::InnerSteps;
pub use lda_sampling::LdaSampling;
pub use material::Material;
pub use passage_vectors::PassageVectors;
pub use plan::Plan;
pub use prose::{Prose, Reader};
pub use protocol::{ExperimentKey, KeyOf, Line, OccasionOf, Protocol};
pub use request::{Request, Study, Sweep};
pub use run::{Event, run};
pub use setting_key::{Setting, SettingKey};
pub use topics_shown::{COMMON_TERMS, LEAST_SHARE, TERMS_SHOWN, TermsShown, TopicsShown};
pub use unseen::Needs;
