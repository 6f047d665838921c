//! The laboratory on small corpora.

mod lda;
mod methods;
mod report;
mod support;
