//! A finished model asked for the terms of a comparison.
//!
//! The model's other terms are left out, and those that it does not know are new words. So what it
//! predicts is a distribution over the comparison's terms, as with every other method.

use super::{Learned, Lesson};
use crate::given::GivenKind;
use crate::{FinishedModel, Material};
use handful::internals::corpus::{Episode, WordCounts};
use handful::internals::em::{EmStop, Likelihood};
use handful::internals::evaluate::document_likelihoods;
use handful::internals::prior::{AnyPrior, FitPrior, NewTerms, NewWordPrior, Prior};
use handful::internals::topic_model::TopicModel;
use handful::text::Vocabulary;
use handful::{Error, Result};
use std::sync::Arc;

/// A finished model over the terms of a comparison.
#[derive(Clone, Debug)]
pub struct ModelOverTerms {
    /// The model that was given.
    pub finished: FinishedModel,
    /// Its prior, over those of the comparison's terms that it knows.
    prior: AnyPrior<f32>,
    expected: NewWordPrior,
    /// For each term of the comparison, its place in the prior's order: terms that the model knows
    /// come first.
    places: Vec<u32>,
    /// The terms in the prior's order.
    words: Vec<String>,
}

impl ModelOverTerms {
    /// Restricts a model to a vocabulary. Refuses a model that knows none of its terms, and one that
    /// neither knows them all nor takes new words.
    pub fn new(finished: &FinishedModel, vocabulary: &Vocabulary) -> Result<Self> {
        let (parts, place) = (finished.model.parts(), finished.model.place());
        let index = |&term: &u32| parts.vocabulary.index(vocabulary.term(term));
        let (known, new): (Vec<u32>, Vec<u32>) =
            (0..vocabulary.len() as u32).partition(|term| index(term).is_some());
        if known.is_empty() {
            let problem = "knows none of the terms of the corpora";
            let remedy = "give a model of their language and field, trained on words like theirs";
            return Err(Error::input(place, problem, remedy));
        }
        if parts.new_word_prior().is_none() && !new.is_empty() {
            let problem = format!(
                "takes no new words, and does not know {} of the {} terms of the corpora",
                new.len(),
                vocabulary.len()
            );
            let remedy = "give a model of the prior `handful`, which takes new words";
            return Err(Error::input(place, problem, remedy));
        }
        let kept: Vec<u32> = known.iter().filter_map(index).collect();
        let prior = parts.prior.over_terms(&kept).ok_or_else(|| {
            let problem = "has a prior that cannot be asked for some of its terms only";
            Error::input(place, problem, "give a model of the prior `handful`")
        })?;
        let mut places = vec![0; vocabulary.len()];
        let order: Vec<u32> = known.into_iter().chain(new).collect();
        (0..).zip(&order).for_each(|(place, &term)| places[term as usize] = place);
        let words = order.iter().map(|&term| vocabulary.term(term).to_owned()).collect();
        let expected = parts.new_word_prior().unwrap_or_default();
        Ok(Self { finished: finished.clone(), prior, expected, places, words })
    }

    /// Refuses a number of topics that the model cannot give.
    pub fn check_topics(&self, topics: usize) -> Result<()> {
        let config = &self.finished.model.parts().config;
        config.prior.check_topics(config.topics, topics)
    }

    /// The same words with the terms in the prior's order.
    fn placed(&self, words: &WordCounts) -> WordCounts {
        let mut placed = WordCounts::new();
        for n in 0..words.documents() {
            let row = words.row(n).map(|(term, count)| (self.places[term as usize], count));
            let mut row: Vec<(u32, u32)> = row.collect();
            row.sort_unstable();
            placed.push_row(row);
        }
        placed
    }

    /// The terms that the model does not know, for documents with these words.
    fn new_terms(&self, support: &WordCounts) -> NewTerms {
        let new = self.prior.terms()..self.words.len();
        let relatives = support.relatives(new, |term| &self.words[term as usize]);
        NewTerms { expected: self.expected, relatives, phrases: Vec::new() }
    }

    /// Rows of terms in the comparison's order.
    fn in_order(&self, rows: &[f32], columns: usize) -> Vec<f32> {
        let row = |&place: &u32| &rows[place as usize * columns..][..columns];
        self.places.iter().flat_map(row).copied().collect()
    }
}

/// A finished model that is asked for a number of topics.
pub(super) struct AskedModel {
    model: Arc<ModelOverTerms>,
    topics: usize,
}

impl AskedModel {
    /// Learns nothing: the model is finished.
    pub(super) fn learn(material: &Material<'_>, topics: usize) -> Result<Lesson> {
        let model = material.model.clone().ok_or_else(|| GivenKind::Model.missing(super::MODEL))?;
        model.check_topics(topics)?;
        let given = Some(model.finished.given);
        let learned = Box::new(Self { model, topics });
        Ok(Lesson { learned, training: None, weights: Vec::new(), given })
    }

    fn prior<'a>(&'a self, new_terms: &'a NewTerms) -> FitPrior<'a> {
        FitPrior {
            prior: &self.model.prior,
            topics: self.topics,
            new_terms: Some(new_terms),
            groups: None,
            // As the methods that are trained here: by topics and background.
            own_words: false,
            inference: self.model.finished.model.parts().config.inference,
            weight: 1.0,
        }
    }
}

impl Learned for AskedModel {
    fn likelihoods(&self, task: &Episode, _: usize, stop: EmStop) -> Vec<Likelihood> {
        let (support, query) = (self.model.placed(&task.support), self.model.placed(&task.query));
        let task = Episode { support, query, ..Episode::default() };
        let new_terms = self.model.new_terms(&task.support);
        document_likelihoods(self.prior(&new_terms), &task, stop)
    }

    fn set_topics(&mut self, topics: usize) {
        self.topics = topics;
    }

    fn topic_model(
        &self,
        support: &WordCounts,
        _: usize,
        stop: EmStop,
    ) -> Result<Option<TopicModel>> {
        let support = self.model.placed(support);
        let new_terms = self.model.new_terms(&support);
        let mut topics = TopicModel::fit(self.prior(&new_terms), &support, stop);
        topics.word_probabilities = self.model.in_order(&topics.word_probabilities, self.topics);
        if let Some(background) = &mut topics.background {
            background.words = self.model.in_order(&background.words, 1);
        }
        Ok(Some(topics))
    }
}
