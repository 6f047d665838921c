//! What is heard of a prior while it gets its first weights.

use std::ops::ControlFlow;

/// How far a prior's start is, before each piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Starting {
    /// What is being done.
    pub part: StartPart,
    /// Pieces of this part that are done.
    pub done: usize,
    /// All pieces of this part.
    pub of: usize,
}

/// A part of a prior's start that takes a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPart {
    /// Vectors of words, by decomposing the documents.
    WordVectors,
    /// Themes, by sampling.
    Themes,
}

/// Hears how far a start is, and says whether to go on.
pub type StartObserver<'a> = dyn FnMut(Starting) -> ControlFlow<()> + 'a;

impl StartPart {
    /// Does the pieces of this part, one after the other; broken off where the observer says so.
    pub(super) fn work(
        self,
        pieces: usize,
        observer: &mut StartObserver<'_>,
        mut piece: impl FnMut(),
    ) -> ControlFlow<()> {
        for done in 0..pieces {
            observer(Starting { part: self, done, of: pieces })?;
            piece();
        }
        ControlFlow::Continue(())
    }
}
