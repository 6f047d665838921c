//! Episodic training (Algorithm 3): draws an episode, predicts its query from its support, and
//! propagates the error back through the EM layers and the prior.

mod average;
mod checkpoint;
mod corpora;
mod early_stopping;
mod new_words;
mod pass;
mod run;
mod settings;
mod start;
mod trainer;

pub use checkpoint::CheckpointPlan;
pub use corpora::{TrainingCorpora, ValidationChoice, expect_known};
pub use early_stopping::{EarlyStopping, Validation};
pub use new_words::learn_new_words;
pub use pass::EpisodePass;
pub use run::{Outcome, Progress, Trained, train};
pub use settings::{LossKind, TrainSettings, VectorsIdentity};
pub use trainer::{Trainer, validation_tasks};
