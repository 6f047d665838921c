//! The laboratory on small corpora.

mod blends;
mod finished_model;
mod given_vectors;
mod groups;
mod lda;
mod methods;
mod number;
mod range;
mod range_report;
mod report;
mod support;
mod telling;
