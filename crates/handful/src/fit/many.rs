//! Fits of more documents than can be compared each with each.

use super::progress::{Part, ProgressObserver};
use super::run::{Fitted, Read, fit_parts};
use crate::Result;
use crate::em::EmStop;
use crate::prior::FitPrior;
use crate::topic_model::{
    Assessment, Granularity, MOST_COMPARED, Sampling, SubjectChoice, TopicModel, group_many,
};

/// How many pieces a fit has, and how many of them are done when EM begins: passages and the prior.
const PIECES: usize = 100;
const BEFORE_EM: usize = 60;

/// Fits more documents than can be compared each with each; `None` for a prior that does not group
/// documents. `granularity` is `None` where the number of topics is given.
pub(super) fn fit(
    asked: FitPrior<'_>,
    read: Read<'_>,
    (granularity, stop, seed): (Option<Granularity>, EmStop, u64),
    observer: &mut ProgressObserver<'_>,
) -> Result<Option<Fitted>> {
    let (documents, sampling) = (read.0, Sampling::new(seed));
    let mut tell = |done, of| Part::Grouping.tell(done, of, observer);
    let (topics, groups, subjects) = match granularity {
        None => match group_many(asked, documents, sampling, &mut tell)? {
            None => return Ok(None),
            Some(groups) => (asked.topics, groups, None),
        },
        Some(how) => match SubjectChoice::of_many(asked, documents, how, sampling, &mut tell)? {
            None => return Ok(None),
            Some((topics, subjects)) => {
                (topics, subjects.numbers[topics - 1].groups.clone(), Some(subjects))
            }
        },
    };
    let mut tell = |done| Part::Fitting.tell(done, PIECES, observer);
    tell(0)?;
    let asked = asked.with_topics(topics).with_groups(&groups);
    let assessment = Assessment { subjects, ..Assessment::default() };
    let fitted = fit_parts(asked, read, |asked, parts| {
        tell(BEFORE_EM / 2)?;
        let (model, heads) = TopicModel::fit_observed(asked, parts, stop, &mut |done, of| {
            tell(BEFORE_EM + done * (PIECES - BEFORE_EM) / of)
        })?;
        Ok((model, heads, assessment))
    });
    fitted.map(Some)
}

/// Which method grouped the documents, in a sentence.
pub(super) fn said(documents: usize) -> String {
    format!(
        "more than {MOST_COMPARED} documents: {MOST_COMPARED} of the {documents} were compared each with \
         each to find the groups, and all were brought to the nearest group"
    )
}
