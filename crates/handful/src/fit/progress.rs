//! How far long work is.

use crate::{Error, Result};
use std::ops::ControlFlow;

/// A part of work that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Numbers of topics are tried on held-out words.
    ChoosingTopics,
    /// Many documents are grouped: each is brought to the groups of a sample.
    Grouping,
    /// The topics are fitted.
    Fitting,
    /// A report is made, document by document.
    Reporting,
}

/// How far a part is, before each piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being done.
    pub part: Part,
    /// Pieces that are done.
    pub done: usize,
    /// All pieces.
    pub of: usize,
}

/// Hears how far work is, and says whether to go on.
pub type ProgressObserver<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

impl Part {
    /// Tells the observer; an error of kind interrupted if it ends the work.
    pub(crate) fn tell(
        self,
        done: usize,
        of: usize,
        observer: &mut ProgressObserver<'_>,
    ) -> Result<()> {
        match observer(Progress { part: self, done, of }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                let when = match self {
                    Self::ChoosingTopics => "while numbers of topics were tried",
                    Self::Grouping => "while documents were grouped",
                    Self::Fitting => "before the topics were fitted",
                    Self::Reporting => "while the report was made",
                };
                Err(Error::interrupted(when))
            }
        }
    }
}
