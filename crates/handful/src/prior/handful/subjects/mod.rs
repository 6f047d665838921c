//! How many subjects documents have.
//!
//! ```text
//! documents ─ RawViews ─ Likeness (products of each pair) ─ log odds that a pair is of one subject
//!                            └─ tree ─ cuts ─ CutFeatures ─▶ P(number of subjects)
//! ```
//!
//! Held-out words do not say what people mean: for them a topic for each document is best. In training
//! it is known which corpus a document is of, so both steps are learned from mixed documents of
//! known corpora.

pub(super) mod centres;
mod conditional_logit;
mod cut_features;
mod groups;
mod learning;
mod one_text;
mod views;

use super::Handful;
use crate::Result;
use crate::corpus::WordCounts;
use crate::numeric::Real;
use crate::prior::{NewTerms, SubjectCut, SubjectCuts};
use crate::storage::{Tensor, TensorSource};
use cut_features::{CUT_FEATURES, CutFeatures, relative_number};
use views::{Likeness, PAIR_FEATURES};

const DIRECTION_MEAN: &str = "subjects.direction_mean";
const THEME_MEAN: &str = "subjects.theme_mean";
const SAME_SUBJECT: &str = "subjects.same_subject";
const NUMBER: &str = "subjects.number";

/// What was learned about subjects.
#[derive(Clone, Debug)]
pub(super) struct Subjects<R> {
    /// The mean direction of documents: what all texts have.
    direction_mean: Vec<R>,
    /// The mean of the roots of documents' theme shares.
    theme_mean: Vec<R>,
    /// The weights of the features of a pair: the log odds that it is of one subject.
    same_subject: Vec<f64>,
    /// The weights of the features of a cut.
    number: Vec<f64>,
}

impl<R: Real> Subjects<R> {
    /// As a model file has it.
    pub(super) fn to_tensors(&self) -> impl Iterator<Item = (String, Tensor<R>)> {
        let numbers = |values: &[f64]| values.iter().map(|&x| R::of(x)).collect();
        let tensors = [
            (DIRECTION_MEAN, self.direction_mean.clone()),
            (THEME_MEAN, self.theme_mean.clone()),
            (SAME_SUBJECT, numbers(&self.same_subject)),
            (NUMBER, numbers(&self.number)),
        ];
        tensors.into_iter().map(|(name, values)| (name.to_owned(), Tensor::vector(&values)))
    }

    /// Reads it; `None` for a model that was trained before it was learned.
    pub(super) fn from_tensors(
        (dimension, themes): (usize, usize),
        tensors: &dyn TensorSource<R>,
    ) -> Result<Option<Self>> {
        if tensors.shape(NUMBER).is_none() {
            return Ok(None);
        }
        let numbers = |name: &str, length: usize| -> Result<Vec<f64>> {
            Ok(tensors.vector(name, length)?.iter().map(|x| x.to_f64()).collect())
        };
        Ok(Some(Self {
            direction_mean: tensors.vector(DIRECTION_MEAN, dimension)?,
            theme_mean: tensors.vector(THEME_MEAN, themes)?,
            same_subject: numbers(SAME_SUBJECT, PAIR_FEATURES)?,
            number: numbers(NUMBER, CUT_FEATURES)?,
        }))
    }
}

impl<R: Real> Handful<R> {
    /// The cuts of the tree of documents, from one group on, each with the probability that there are as
    /// many subjects; `None` for a model that has not learned it.
    pub(super) fn cuts_by_subject(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<SubjectCuts> {
        let subjects = self.subjects.as_ref()?;
        let likeness = self.likeness(subjects, documents, new_terms);
        let CutFeatures { groups, features } =
            CutFeatures::of(&likeness, &log_odds(&likeness, &subjects.same_subject));
        let probabilities = conditional_logit::probabilities(&subjects.number, &features);
        let cut = |((group, probability), groups)| SubjectCut {
            group,
            probability,
            fineness: relative_number(groups, documents.documents()),
        };
        let cuts = groups.into_iter().zip(probabilities).zip(1..).map(cut).collect();
        Some(SubjectCuts { cuts, products: likeness.products })
    }

    /// The products by which the cuts group documents; `None` for a model that has not learned it.
    pub(super) fn products_by_subject(
        &self,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Option<Vec<Vec<f64>>> {
        Some(self.likeness(self.subjects.as_ref()?, documents, new_terms).products)
    }

    /// The mean direction of texts and the mean roots of their theme shares, if they were learned.
    pub(super) fn subject_means(&self) -> Option<(&[R], &[R])> {
        let subjects = self.subjects.as_ref()?;
        Some((&subjects.direction_mean, &subjects.theme_mean))
    }

    /// How alike each two documents are, by what was learned.
    fn likeness(
        &self,
        subjects: &Subjects<R>,
        documents: &WordCounts,
        new_terms: Option<&NewTerms>,
    ) -> Likeness {
        let means = (&subjects.direction_mean[..], &subjects.theme_mean[..]);
        let views = self.raw_views(documents, new_terms);
        views.likeness(means, |row| self.metric.whitened(row))
    }
}

/// The log odds that the documents of each pair speak of one subject.
fn log_odds(likeness: &Likeness, weights: &[f64]) -> Vec<f64> {
    let odds = |features: &[f64; PAIR_FEATURES]| {
        features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    };
    likeness.pairs.iter().map(odds).collect()
}
