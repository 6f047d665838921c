//! Ways to look at a fit: JSON for programs, text for a terminal, tables, a page, and what other
//! programs take.

mod choice;
mod csv;
mod explanation;
mod gain;
mod language;
mod octis;
mod palette;
mod pyldavis;
#[cfg(feature = "report")]
mod report;
mod shown;
mod summary;
mod terminal;
mod words;

pub use crate::prior::PriorSettings;
pub use octis::Octis;
pub use palette::topic_colours;
pub use pyldavis::PyLdavis;
#[cfg(feature = "report")]
pub use report::Report;
pub use shown::Shown;
pub use summary::{
    ChoiceSummary, DocumentSummary, GainSummary, ModelSummary, NewWordSummary, OrderSummary,
    SCHEMA_VERSION, SentenceSummary, Summary, TermSummary, TopicSummary, WordSummary,
};
pub use terminal::MOST_DOCUMENTS;
