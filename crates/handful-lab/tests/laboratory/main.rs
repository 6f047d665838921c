//! The laboratory on small corpora.

mod lda_protocol;
mod methods;
mod report;
mod support;
