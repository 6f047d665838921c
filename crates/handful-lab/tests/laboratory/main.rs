//! The laboratory on small corpora.

mod groups;
mod lda;
mod methods;
mod report;
mod support;
