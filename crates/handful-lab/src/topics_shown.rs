//! Measures the quality of topics as shown to a person.

use crate::Experiment;
use handful::internals::corpus::{Episode, unigram};
use handful::internals::evaluate::{Presence, diversity};
use handful::internals::numeric::largest;
use handful::internals::topic_model::{Ranking, TopicModel};
use serde::{Deserialize, Serialize};

/// A topic counts if it has at least this share of a task's words. A document uses a topic if the
/// topic has at least this share of the document.
pub const LEAST_SHARE: f64 = 0.05;
/// The number of terms shown for a topic.
pub const TERMS_SHOWN: usize = 10;
/// The number of most frequent terms of the training corpora that are called common.
pub const COMMON_TERMS: usize = 100;

/// Measures of an experiment's topics as shown to a person: means over its tasks. Only topics that
/// count are included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TopicsShown {
    /// The number of topics that count.
    pub topics: f64,
    /// The number of these topics that two documents or more use.
    pub shared: f64,
    /// With the most probable terms of each topic.
    pub by_probability: TermsShown,
    /// With the most relevant terms of each topic, compared with the words of the training corpora.
    pub by_relevance: TermsShown,
    /// With the most telling terms of each topic. Empty if it was not measured.
    #[serde(default)]
    pub by_telling: TermsShown,
}

/// Measures of the terms shown for topics: means over the tasks that have a topic to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TermsShown {
    /// The NPMI of a topic's terms in the target's other documents.
    pub coherence: Option<f64>,
    /// The share of distinct terms.
    pub diversity: Option<f64>,
    /// The share of common terms.
    pub common: Option<f64>,
}

/// The measures of one task's topics.
pub(crate) struct TaskTopics {
    topics: usize,
    shared: usize,
    by_probability: TermsShown,
    by_relevance: TermsShown,
    by_telling: TermsShown,
}

/// Judges the topics of an experiment.
pub(crate) struct TopicJudge {
    /// The target's documents.
    presence: Presence,
    /// p_j in the training corpora.
    unigram: Vec<f64>,
    is_common: Vec<bool>,
}

impl TopicJudge {
    pub(crate) fn new(experiment: &Experiment<'_>) -> Self {
        let material = &experiment.material;
        let unigram = unigram(&material.roles.training, material.terms);
        let mut is_common = vec![false; material.terms];
        for term in largest(&unigram, COMMON_TERMS) {
            is_common[term as usize] = true;
        }
        let presence = Presence::of(&experiment.target.documents, material.terms);
        Self { presence, unigram, is_common }
    }

    /// Measures the topics of a task, on the documents of the target that are not in the task.
    pub(crate) fn task(&self, model: &TopicModel, task: &Episode) -> TaskTopics {
        let counted: Vec<usize> =
            (0..model.topics).filter(|&k| model.weights[k] >= LEAST_SHARE).collect();
        let uses = |n: usize, k: usize| f64::from(model.proportions_of(n)[k]) >= LEAST_SHARE;
        let is_shared = |k: &&usize| (0..model.documents()).filter(|&n| uses(n, **k)).count() >= 2;
        let telling = Ranking::Telling { unigram: &self.unigram };
        let relevance = Ranking::Relevance { lambda: Ranking::LAMBDA, unigram: &self.unigram };
        TaskTopics {
            topics: counted.len(),
            shared: counted.iter().filter(is_shared).count(),
            by_probability: self.terms(model, &counted, Ranking::Probability, task),
            by_relevance: self.terms(model, &counted, relevance, task),
            by_telling: self.terms(model, &counted, telling, task),
        }
    }

    fn terms(
        &self,
        model: &TopicModel,
        counted: &[usize],
        ranking: Ranking<'_>,
        task: &Episode,
    ) -> TermsShown {
        let top = |&k: &usize| -> Vec<u32> {
            let terms = model.top_terms_by(ranking, k, TERMS_SHOWN);
            terms.iter().map(|top| top.term).collect()
        };
        let shown: Vec<Vec<u32>> = counted.iter().map(top).collect();
        let others = self.presence.except(&task.documents);
        let is_common = |&term: &u32| f64::from(self.is_common[term as usize]);
        TermsShown {
            coherence: mean(shown.iter().map(|terms| others.coherence(terms))),
            diversity: diversity(&shown),
            common: mean(shown.iter().flatten().map(|term| Some(is_common(term)))),
        }
    }
}

impl TopicsShown {
    /// Computes the means over tasks. Returns `None` if there are no topics at all.
    pub(crate) fn mean(tasks: &[TaskTopics]) -> Option<Self> {
        let number = |number: fn(&TaskTopics) -> usize| {
            mean(tasks.iter().map(|task| Some(number(task) as f64)))
        };
        Some(Self {
            topics: number(|task| task.topics)?,
            shared: number(|task| task.shared)?,
            by_probability: TermsShown::mean(tasks.iter().map(|task| task.by_probability)),
            by_relevance: TermsShown::mean(tasks.iter().map(|task| task.by_relevance)),
            by_telling: TermsShown::mean(tasks.iter().map(|task| task.by_telling)),
        })
    }
}

impl TermsShown {
    fn mean(tasks: impl Iterator<Item = Self> + Clone) -> Self {
        Self {
            coherence: mean(tasks.clone().map(|task| task.coherence)),
            diversity: mean(tasks.clone().map(|task| task.diversity)),
            common: mean(tasks.map(|task| task.common)),
        }
    }
}

/// Computes the mean of the values that are present.
pub(crate) fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, number) = values.flatten().fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
    (number > 0).then(|| sum / f64::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::internals::corpus::WordCounts;

    const TERMS: usize = 40;

    /// Three topics: terms 0 to 9 and, with lower probability, 20 and 21; terms 5 to 14; and one
    /// that hardly counts.
    fn model() -> TopicModel {
        let phi = |term: usize| match term {
            0..5 => [0.09, 0.0, 0.0],
            5..10 => [0.09, 0.1, 0.0],
            10..15 => [0.0, 0.1, 0.0],
            20 | 21 => [0.05, 0.0, 0.5],
            _ => [0.0; 3],
        };
        TopicModel {
            topics: 3,
            terms: TERMS,
            proportions: vec![0.9, 0.04, 0.06, 0.06, 0.91, 0.03, 0.7, 0.27, 0.03],
            word_probabilities: (0..TERMS).flat_map(phi).collect(),
            alpha: vec![1.0; 9],
            background: None,
            weights: vec![0.6, 0.36, 0.04],
            em_steps: 1,
            converged: None,
        }
    }

    /// Documents 0 to 2 have every term, document 3 terms 0 to 9, document 4 none of them.
    fn judge() -> TopicJudge {
        let mut documents = WordCounts::new();
        (0..3).for_each(|_| documents.push_row((0..TERMS as u32).map(|term| (term, 1))));
        documents.push_row((0..10).map(|term| (term, 1)));
        documents.push_row([(39, 1)]);
        let mut unigram = vec![0.4 / 38.0; TERMS];
        unigram[..2].fill(0.3);
        let is_common = (0..TERMS).map(|term| term < 3).collect();
        TopicJudge { presence: Presence::of(&documents, TERMS), unigram, is_common }
    }

    #[test]
    fn topics_are_held_against_documents_that_the_task_does_not_have() {
        let task = Episode { documents: vec![0, 1, 2], ..Episode::default() };
        let TaskTopics { topics, shared, by_probability, by_relevance, by_telling } =
            judge().task(&model(), &task);
        // The first topic has 6% of the second document, the second has 27% of the third.
        assert_eq!((topics, shared), (2, 2));
        // The first topic's terms occur only together. Of the second's 45 pairs, the 10 among terms
        // 5 to 9 do; the others have a term that does not occur.
        let near = |value: Option<f64>, expected: f64| {
            assert!((value.unwrap() - expected).abs() < 1e-12, "{value:?} for {expected}");
        };
        near(by_probability.coherence, (1.0 + (10.0 - 35.0) / 45.0) / 2.0);
        near(by_probability.diversity, 15.0 / 20.0);
        near(by_probability.common, 3.0 / 20.0);
        // Terms 20 and 21, which do not occur, replace 0 and 1, which are frequent everywhere. Of
        // 45 pairs, the 28 among terms 2 to 9 remain.
        near(by_relevance.coherence, ((28.0 - 17.0) / 45.0 + (10.0 - 35.0) / 45.0) / 2.0);
        near(by_relevance.diversity, 15.0 / 20.0);
        near(by_relevance.common, 1.0 / 20.0);
        // Of forty terms, four count as usual: 0 and 1, and the first of the others, 2 and 3. They
        // make way for 20 and 21, and for two terms that the topic does not have.
        near(by_telling.coherence, ((15.0 - 30.0) / 45.0 + (10.0 - 35.0) / 45.0) / 2.0);
        near(by_telling.common, 0.0);
    }

    #[test]
    fn a_topic_of_one_document_is_not_shared() {
        let mut model = model();
        model.proportions = vec![0.98, 0.02, 0.0, 0.01, 0.99, 0.0, 0.02, 0.98, 0.0];
        let task = Episode { documents: vec![0, 1, 2], ..Episode::default() };
        let found = judge().task(&model, &task);
        assert_eq!((found.topics, found.shared), (2, 1));
    }

    #[test]
    fn means_are_taken_over_the_tasks_that_have_a_value() {
        let terms = |coherence| TermsShown { coherence, diversity: Some(0.5), common: None };
        let task = |topics, coherence| TaskTopics {
            topics,
            shared: 1,
            by_probability: terms(coherence),
            by_relevance: terms(None),
            by_telling: terms(None),
        };
        let tasks = [task(2, Some(0.25)), task(3, None), task(4, Some(0.75))];
        let shown = TopicsShown::mean(&tasks).unwrap();
        assert_eq!((shown.topics, shown.shared), (3.0, 1.0));
        assert_eq!(shown.by_probability, terms(Some(0.5)));
        assert_eq!(shown.by_relevance, terms(None));
        assert_eq!(TopicsShown::mean(&[]), None);
    }
}
