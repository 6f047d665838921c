//! What a prior starts from, and what is heard of it meanwhile.

use std::ops::ControlFlow;

/// The terms that a prior starts with.
#[derive(Clone, Copy, Debug)]
pub struct KnownTerms<'a> {
    /// J
    pub count: usize,
    /// Vectors that were learned elsewhere.
    pub vectors: Option<&'a TermVectors>,
}

impl From<usize> for KnownTerms<'_> {
    fn from(count: usize) -> Self {
        Self { count, vectors: None }
    }
}

/// Vectors of some of the terms, learned elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct TermVectors {
    /// The number of entries of a vector.
    pub dimension: usize,
    /// The vector of each term, where there is one.
    pub rows: Vec<Option<Vec<f32>>>,
}

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
