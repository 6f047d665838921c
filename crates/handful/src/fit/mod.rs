//! From documents to a fit: texts in, topics out.
//!
//! ```text
//! RawDocument ─ Tokenizer, Vocabulary ─▶ WordCounts ─ held-out words choose K ─ passages, Prior, EM ─▶ Fit
//! ```

mod documents;
mod explanation;
mod fitted;
mod infer;
mod language;
mod lda;
mod many;
mod progress;
mod run;
mod saved;
mod settings;
mod topic;

pub(crate) use documents::into_documents;
pub use documents::{IntoContent, IntoDocument};
pub use explanation::{DecidingWord, Explanation, TopicReasons};
#[cfg(feature = "report")]
pub(crate) use fitted::Source;
pub use fitted::{Fit, FittedDocument, PlacedNewWord, Quote, WordPlace};
pub use progress::{Part, Progress, ProgressObserver};
pub(crate) use run::fit_documents;
pub use settings::{CheckedFitSettings, FitSettings, Topics};

pub use crate::clustering::Join;
pub use crate::em::{EmStop, Inference};
pub use crate::model_dir::FileContents;
pub use crate::topic_model::{
    Assessment, DocumentTree, Gain, Granularity, GranularityCuts, Halves, LikelyNumber,
    SubjectChoice, Tried,
};
pub use topic::{Topic, TopicTerm};
