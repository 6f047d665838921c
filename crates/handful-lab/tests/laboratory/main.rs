//! The laboratory on small corpora.

mod groups;
mod lda;
mod methods;
mod range;
mod range_report;
mod report;
mod support;
