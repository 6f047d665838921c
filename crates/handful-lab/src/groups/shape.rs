//! How many corpora and documents a task has.

use crate::{Settings, unseen};
use handful::Result;
use handful::internals::error::{MOST, expect_within};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The shape of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskShape {
    /// The number of corpora in a task, which is also K.
    pub corpora: usize,
    /// The number of documents that a task has from each of its corpora.
    pub documents_of_each: usize,
}

impl fmt::Display for TaskShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K={} N={}", self.corpora, self.documents())
    }
}

impl Default for TaskShape {
    fn default() -> Self {
        Self { corpora: 3, documents_of_each: 2 }
    }
}

/// The least number of corpora held out in each repeat.
const LEAST_HELD_OUT: usize = 6;

impl TaskShape {
    /// Refuses shapes of which there is nothing to tell apart or to put together.
    pub fn check(&self) -> Result<()> {
        expect_within("corpora_per_task", self.corpora, 2, MOST)?;
        expect_within("documents_per_corpus", self.documents_of_each, 1, MOST)
    }

    /// The shape that settings were made for (`settle`).
    pub fn of(settings: &Settings) -> Self {
        let training = &settings.training;
        let corpora = training.topics;
        Self { corpora, documents_of_each: training.episode.support_size / corpora.max(1) }
    }

    /// Makes K the number of corpora in a task, and N, also that of training, its number of documents.
    pub(super) fn settle(&self, settings: &mut Settings) {
        settings.training.topics = self.corpora;
        settings.training.episode.support_size = self.documents();
    }

    /// The number of documents in a task, which is also N.
    pub fn documents(&self) -> usize {
        self.corpora.saturating_mul(self.documents_of_each)
    }

    /// The number of corpora held out in each repeat: more than a task has, so that tasks differ.
    pub fn held_out(&self) -> usize {
        LEAST_HELD_OUT.max(self.corpora.saturating_add(1))
    }

    /// The number of validation corpora where there are `corpora` corpora in all: as many as were
    /// `asked` for, or none if they leave nothing to train on.
    pub fn validation(&self, corpora: usize, asked: usize) -> usize {
        unseen::validation(corpora, self.held_out(), asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_corpora_are_held_out_than_a_task_has() {
        for (corpora, held_out) in [(2, 6), (3, 6), (5, 6), (6, 7), (20, 21)] {
            assert_eq!(TaskShape { corpora, documents_of_each: 4 }.held_out(), held_out);
        }
    }

    #[test]
    fn settings_remember_the_shape() {
        let shape = TaskShape { corpora: 5, documents_of_each: 200 };
        let mut settings = Settings::default();
        shape.settle(&mut settings);
        assert_eq!((settings.training.topics, settings.training.episode.support_size), (5, 1000));
        assert_eq!(TaskShape::of(&settings), shape);
    }

    #[test]
    fn shapes_with_nothing_to_group_are_refused() {
        let shape = |corpora, documents_of_each| TaskShape { corpora, documents_of_each }.check();
        assert!(shape(2, 1).is_ok() && shape(1, 2).is_err() && shape(2, 0).is_err());
    }
}
