//! Topic models from a handful of documents.
//!
//! Neural networks, trained once on many corpora, read a few documents and give Dirichlet priors;
//! a few EM steps turn priors and documents into topics. The networks are trained by pushing the
//! error on held-out words back through the EM steps (Iwata, "Few-shot Learning for Topic
//! Modeling").
//!
//! ```text
//! fit     text ─ Tokenizer ─ Vocabulary ─▶ WordCounts ─ Prior ─▶ Dirichlet α, β ─ EM ─▶ TopicModel
//! train   corpora ─ EpisodeSampler ─▶ Episode(support, query) ─ Prior ─ EM ─▶ loss on the query
//!                                                  ▲                             │
//!                                                  └── Adam ◀── gradient ◀───────┘
//! ```
//!
//! # Example
//!
//! Train on a few corpora, given here as word counts, and find the topics of new documents:
//!
//! ```
//! use handful::corpus::{Corpus, WordCounts};
//! use handful::em::EmStop;
//! use handful::topic_model::TopicModel;
//! use handful::train::{Outcome, TrainSettings, TrainingCorpora, ValidationChoice, train};
//! use std::ops::ControlFlow;
//!
//! // Twelve corpora over six terms: a document speaks of terms 0-2 or of terms 3-5.
//! let corpora: Vec<Corpus> = (0..12)
//!     .map(|c| {
//!         let mut documents = WordCounts::new();
//!         for n in 0..8 {
//!             let first = 3 * ((c + n) % 2);
//!             documents.push_row((first..first + 3).map(|term| (term, 1)));
//!         }
//!         let ids = (0..8).map(|n| n.to_string()).collect();
//!         Corpus { name: format!("corpus {c}"), ids, documents }
//!     })
//!     .collect();
//! let settings = TrainSettings { topics: 2, max_steps: 400, ..TrainSettings::default() };
//! let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(2), settings.seed)?;
//! let outcome = train(&roles, 6, &settings, None, &mut |_| ControlFlow::Continue(()))?;
//! let Outcome::Finished(trained) = outcome else { unreachable!("nobody stopped it") };
//!
//! let mut documents = WordCounts::new();
//! documents.push_row([(0, 1), (1, 1)]);
//! documents.push_row([(4, 1), (5, 1)]);
//! let model = TopicModel::fit(&trained.prior, &documents, EmStop::Steps(settings.em_steps));
//! // Term 2 goes with terms 0 and 1, which the first document has.
//! let probability = |n: usize, term: usize| -> f32 {
//!     (0..2).map(|k| model.proportions_of(n)[k] * model.probability(k, term)).sum()
//! };
//! assert!(probability(0, 2) > 3.0 * probability(1, 2));
//! # Ok::<(), handful::Error>(())
//! ```
//!
//! Text is read by [`reading`] and cut into terms by [`text`]; [`model_dir`] keeps trained models
//! and fitted topic models as directories.

mod attendance;
#[doc(hidden)]
pub mod corpus;
#[doc(hidden)]
pub mod em;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod evaluate;
mod fit;
#[doc(hidden)]
pub mod lda;
#[doc(hidden)]
pub mod linear_algebra;
mod model;
#[doc(hidden)]
pub mod model_dir;
#[doc(hidden)]
pub mod nn;
#[doc(hidden)]
pub mod numeric;
#[doc(hidden)]
pub mod prior;
#[doc(hidden)]
pub mod random;
pub mod reading;
#[doc(hidden)]
pub mod storage;
pub mod text;
#[doc(hidden)]
pub mod topic_model;
#[doc(hidden)]
pub mod train;
pub mod views;

pub use error::{Error, ErrorKind, Result};
pub use fit::{
    CheckedFitSettings, Fit, FitSettings, FittedDocument, IntoContent, IntoDocument, Part,
    PlacedNewWord, Progress, ProgressObserver, Quote, Topic, TopicTerm, Topics, WordPlace,
};
pub use model::{CheckedTraining, Model, Prepared, TrainProgress, Training};
