//! What the LDA methods make of a sampler, with one whose answers are known.

use crate::support::{TERMS, corpora, settings, vocabulary};
use handful::corpus::WordCounts;
use handful_lab::Comparison;
use handful_lab::methods::lda::{All, Individual, Sampler, Smoothed, Topics};

/// "Samples" two topics: the documents' words, each once more than they are there, and the uniform
/// distribution. Documents are all of the first, or of the second where they have no words.
#[derive(Clone)]
struct Known;

struct KnownTopics {
    phi: Vec<[f64; 2]>,
}

impl Sampler for Known {
    type Topics = KnownTopics;

    fn fit(
        &self,
        documents: &WordCounts,
        (terms, topics): (usize, usize),
        stream: (u64, u64),
    ) -> (KnownTopics, Vec<f64>) {
        assert_eq!(topics, 2);
        let mut counts = vec![1.0; terms];
        for (&term, &count) in documents.terms().iter().zip(documents.counts()) {
            counts[term as usize] += f64::from(count);
        }
        let sum: f64 = counts.iter().sum();
        let phi = counts.iter().map(|count| [count / sum, 1.0 / terms as f64]).collect();
        let topics = KnownTopics { phi };
        let theta = topics.proportions(documents, stream);
        (topics, theta)
    }
}

impl Topics for KnownTopics {
    fn word_probabilities(&self, term: u32) -> &[f64] {
        &self.phi[term as usize]
    }

    fn proportions(&self, documents: &WordCounts, _: (u64, u64)) -> Vec<f64> {
        let theta = |n| if documents.words(n) > 0 { [1.0, 0.0] } else { [0.0, 1.0] };
        (0..documents.documents()).flat_map(theta).collect()
    }
}

/// The log-likelihood of a task's query where every word has the probability of its term.
fn under(probabilities: &[f64], query: &WordCounts) -> f64 {
    let entries = query.terms().iter().zip(query.counts());
    entries.map(|(&term, &count)| f64::from(count) * probabilities[term as usize].ln()).sum()
}

fn counted<'a>(documents: impl IntoIterator<Item = &'a WordCounts>) -> Vec<f64> {
    let mut counts = [1.0; TERMS];
    for documents in documents {
        for (&term, &count) in documents.terms().iter().zip(documents.counts()) {
            counts[term as usize] += f64::from(count);
        }
    }
    let sum: f64 = counts.iter().sum();
    counts.iter().map(|count| count / sum).collect()
}

#[test]
fn individual_topics_are_those_of_the_support_and_all_those_of_the_training_corpora() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c2", 0).unwrap();
    let individual = Individual::learn(&experiment, &Known, 2).learned;
    let all = All::learn(&experiment, &Known, 2).learned;
    let training = counted(experiment.roles.training.iter().map(|corpus| &corpus.documents));
    for (number, task) in experiment.tasks.iter().enumerate() {
        let own = under(&counted([&task.support]), &task.query);
        assert!((individual.log_likelihood(task, number, 0) - own).abs() < 1e-9);
        let general = under(&training, &task.query);
        assert!((all.log_likelihood(task, number, 0) - general).abs() < 1e-9);
    }
    let task = &experiment.tasks[0];
    let mut likeliest: Vec<u32> = (0..TERMS as u32).collect();
    likeliest.sort_by(|&a, &b| training[b as usize].total_cmp(&training[a as usize]));
    assert_eq!(all.top_terms(task, 0, 1, 4), [likeliest[..4].to_vec()]);
    assert_eq!(individual.top_terms(task, 0, 3, 5).len(), 2);
}

#[test]
fn a_fourth_part_is_never_worse_on_the_validation_tasks() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c2", 0).unwrap();
    let three = handful_lab::methods::Recipe::SmoothedUnigram.learn(&experiment).unwrap();
    let four = Smoothed::learn(&experiment, &Known, 2).unwrap();
    assert_eq!((three.weights.len(), four.weights.len()), (3, 4));
    for weights in [&three.weights, &four.weights] {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let on_validation = |lesson: &handful_lab::methods::Lesson| -> f64 {
        let tasks = experiment.validation_tasks().unwrap();
        let task = |(n, task)| lesson.learned.log_likelihood(task, n, 0);
        tasks.iter().enumerate().map(task).sum()
    };
    assert!(on_validation(&four) >= on_validation(&three) - 1e-6);
}
