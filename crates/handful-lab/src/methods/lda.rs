//! The methods based on latent Dirichlet allocation.

use super::{Learned, Lesson};
use crate::{LdaSampling, Material};
use handful::Result;
use handful::internals::corpus::{Episode, WordCounts, all_documents, unigram};
use handful::internals::em::{EmStop, Likelihood};
use handful::internals::evaluate::smoothed_unigram::{self, for_each_word};
use handful::internals::evaluate::{MixtureWords, mix};
use handful::internals::lda::{Lda, LdaFit};
use handful::internals::random::{Purpose, stream};
use handful::internals::topic_model::TopicModel;

/// The stream for the fit to all training documents. Task n, counted from 0, uses this + 1 + n.
const TRAINING_STREAM: u64 = 0;

/// LDAind: learns topics from the task's support alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct LdaIndividual {
    terms: usize,
    topics: usize,
    sampling: LdaSampling,
    seed: u64,
}

impl LdaIndividual {
    /// Learns nothing before the task.
    pub(super) fn learn(material: &Material<'_>, topics: usize) -> Lesson {
        let (terms, sampling, seed) = (material.terms, material.lda, material.seed);
        let learned = Self { terms, topics, sampling, seed };
        Lesson { learned: Box::new(learned), training: None, weights: Vec::new(), given: None }
    }

    fn fit(&self, support: &WordCounts, number: usize) -> Result<LdaFit> {
        let stream = stream(self.seed, Purpose::Lda, TRAINING_STREAM + 1 + number as u64);
        LdaFit::new(support, self.terms, &self.sampling.settings(self.topics), stream)
    }
}

impl Learned for LdaIndividual {
    fn likelihoods(&self, task: &Episode, number: usize, _: EmStop) -> Vec<Likelihood> {
        // A task with too many words to sample has no likelihood, and the caller reports NaN as an
        // error.
        let nothing = Likelihood { log_likelihood: f64::NAN, words: task.query.total_words() };
        self.fit(&task.support, number).map_or(vec![nothing], |fit| {
            fit.model.document_likelihoods(&fit.proportions, &task.query)
        })
    }

    fn topic_model(
        &self,
        support: &WordCounts,
        number: usize,
        _: EmStop,
    ) -> Result<Option<TopicModel>> {
        let LdaFit { model, proportions } = self.fit(support, number)?;
        Ok(Some(TopicModel::of_lda(&model, &proportions, support)))
    }
}

/// LDAall: learns topics from all training documents. Only the topic proportions are the task's
/// own.
#[derive(Clone, Debug)]
pub(super) struct LdaAll(pub(super) Lda);

impl LdaAll {
    /// Fits the documents of all training corpora.
    pub(super) fn learn(material: &Material<'_>, topics: usize) -> Result<Lesson> {
        let learned = Box::new(Self::fit(material, topics)?);
        Ok(Lesson { learned, training: None, weights: Vec::new(), given: None })
    }

    pub(super) fn fit(material: &Material<'_>, topics: usize) -> Result<Self> {
        let documents = all_documents(&material.roles.training);
        let stream = stream(material.seed, Purpose::Lda, TRAINING_STREAM);
        let settings = material.lda.settings(topics);
        let fit = LdaFit::new(&documents, material.terms, &settings, stream)?;
        Ok(Self(fit.model))
    }
}

impl Learned for LdaAll {
    fn likelihoods(&self, task: &Episode, _: usize, _: EmStop) -> Vec<Likelihood> {
        self.0.document_likelihoods(&self.0.proportions(&task.support), &task.query)
    }

    fn topic_model(&self, support: &WordCounts, _: usize, _: EmStop) -> Result<Option<TopicModel>> {
        Ok(Some(TopicModel::of_lda(&self.0, &self.0.proportions(support), support)))
    }
}

/// The smoothed unigram with LDAall's prediction as a fourth part.
#[derive(Clone, Debug)]
pub(super) struct SmoothedLda {
    lda: Lda,
    background: Vec<f64>,
    weights: Vec<f64>,
}

const PARTS: usize = smoothed_unigram::PARTS + 1;

/// The numbers of topics to try.
const TOPICS: [usize; 2] = [50, 100];

impl SmoothedLda {
    /// Fits the training documents, and tunes the weights and the number of topics on the
    /// validation tasks.
    pub(super) fn learn(material: &Material<'_>) -> Result<Lesson> {
        let background = unigram(&material.roles.training, material.terms);
        let tasks = material.validation_tasks()?;
        let mut best: Option<(f64, Self)> = None;
        for topics in TOPICS {
            let LdaAll(lda) = LdaAll::fit(material, topics)?;
            let mut learned = Self { lda, background: background.clone(), weights: Vec::new() };
            let mut words = MixtureWords::new(PARTS);
            for task in &tasks {
                learned.for_each_word(task, |_, parts, count| words.push(&parts, count));
            }
            learned.weights = words.best_weights();
            let likelihood = words.log_likelihood(&learned.weights);
            if best.as_ref().is_none_or(|(best, _)| likelihood > *best) {
                best = Some((likelihood, learned));
            }
        }
        let (_, learned) = best.expect("one is tried");
        let weights = learned.weights.clone();
        Ok(Lesson { learned: Box::new(learned), training: None, weights, given: None })
    }

    fn for_each_word(&self, task: &Episode, mut visit: impl FnMut(usize, [f64; PARTS], u32)) {
        let proportions = self.lda.proportions(&task.support);
        let topics = self.lda.topics;
        for_each_word(task, &self.background, |n, term, [document, of_task, general], count| {
            let of_topics = self.lda.probability(&proportions[n * topics..(n + 1) * topics], term);
            visit(n, [document, of_task, general, of_topics], count);
        });
    }
}

impl Learned for SmoothedLda {
    fn likelihoods(&self, task: &Episode, _: usize, _: EmStop) -> Vec<Likelihood> {
        let mut documents = vec![Likelihood::default(); task.query.documents()];
        self.for_each_word(task, |n, parts, count| {
            documents[n].log_likelihood += f64::from(count) * mix(&self.weights, &parts).ln();
            documents[n].words += u64::from(count);
        });
        documents
    }
}
