//! Topic models from a handful of documents.
//!
//! Give Handful three texts: it tells what they are about, which words make each topic, and how each
//! text mixes them.
//!
//! ```
//! # #[cfg(all(feature = "pretrained", feature = "report"))] {
//! # let texts = ["Bees fly back to the hive.", "Bread dough rises.", "The hive has a queen bee."];
//! # let folder = tempfile::tempdir().unwrap();
//! # let (topics, report) = (folder.path().join("topics"), folder.path().join("report.html"));
//! use handful::{FitSettings, Model};
//!
//! let model = Model::pretrained()?; // or Model::open(directory)
//! let fit = model.fit(&texts, &FitSettings::default())?;
//! for topic in fit.topics() {
//!     println!("{:3.0}%  {}", 100.0 * topic.share, topic.terms(8).join(" "));
//! }
//! let more = fit.infer(&["another text"])?; // also after Fit::open(directory)
//! fit.save(&topics)?;
//! fit.report()?.write(&report)?;
//! # assert_eq!(more.documents().len(), 1);
//! # }
//! # Ok::<(), handful::Error>(())
//! ```
//!
//! Neural networks, trained once on many corpora, read the few documents and give Dirichlet priors; a
//! few EM steps turn priors and documents into topics. The networks were trained by pushing the error
//! on held-out words back through the EM steps (Iwata, "Few-shot Learning for Topic Modeling").
//!
//! - [`Model`] is a trained model. It never changes: one model serves fits from many threads at once.
//! - [`Fit`] is a result: topics, documents, where each word belongs. [`views`] are ways to look at it:
//!   JSON, text, tables, a page.
//! - [`groups`] fits many small groups of documents at once.
//! - [`Training`] and [`Model::train`] make a model of your own corpora, which [`reading`] reads.
//! - [`Error`] has a [kind](Error::kind) for programs, and a place, a problem and a remedy for people.
//!
//! # Features
//!
//! - `pretrained` (default): the built-in model, 6.5 MB.
//! - `report` (default): the HTML page, [`Fit::report`].
//! - `segmentation` (default): dictionaries for Chinese, Japanese, Thai and other scripts without spaces,
//!   2.4 MB. Without it they are cut into single characters.
//!
//! # Train a model
//!
//! ```
//! use handful::reading::{Content, RawDocument};
//! use handful::{FitSettings, Model, Training};
//! use std::ops::ControlFlow;
//!
//! // Six corpora, each about two of three things.
//! let things = ["bee hive honey", "bread flour oven", "sail wind boat"];
//! let corpora = (0..6).flat_map(|c| {
//!     (0..8).map(move |n| RawDocument {
//!         corpus: Some(format!("corpus {c}")),
//!         id: n.to_string(),
//!         content: Content::Text(format!("{} ", things[(c + n % 2) % 3]).repeat(4)),
//!     })
//! });
//! let training = Training::default().with_max_steps(20).with_validation_corpora(1);
//! let model = Model::train(corpora, &training, &mut |_| ControlFlow::Continue(()))?;
//! let fit = model.fit(&["bee honey", "wind boat"], &FitSettings::default().with_topics(2))?;
//! assert_eq!(fit.topics().len(), 2);
//! # Ok::<(), handful::Error>(())
//! ```

mod attendance;
mod clustering;
mod corpus;
mod em;
mod error;
mod evaluate;
pub mod fit;
pub mod groups;
mod lda;
mod linear_algebra;
pub mod model;
mod model_dir;
mod nn;
mod numeric;
mod prior;
mod random;
pub mod reading;
mod storage;
pub mod text;
mod topic_model;
mod train;
pub mod views;

pub use error::{Error, ErrorKind, Result};
pub use fit::{Fit, FitSettings, FittedDocument, IntoDocument, Progress, Topic, Topics};
pub use model::{Model, TrainProgress, Training};

/// The insides, for the laboratory, the command and the benchmarks of this workspace. Nothing here is
/// promised to stay.
#[doc(hidden)]
pub mod internals {
    macro_rules! folders {
        ($($folder:ident),* $(,)?) => {$(
            #[doc = concat!("`", stringify!($folder), "`")]
            pub mod $folder {
                pub use crate::$folder::*;
            }
        )*};
    }
    folders! {
        clustering, corpus, em, error, evaluate, lda, linear_algebra, model_dir, nn, numeric, prior, random,
        storage, topic_model, train,
    }
}
