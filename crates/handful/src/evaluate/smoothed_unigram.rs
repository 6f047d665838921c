//! The smoothed unigram: a baseline without topics that is hard to beat.

use super::{MixtureWords, mix};
use crate::corpus::Episode;
use crate::em::Likelihood;
use crate::prior::Unigram;

/// The parts of the mixture: the document, the task and the training corpora.
pub const PARTS: usize = 3;

/// p(j|n) = λ₁ x_nj/|x_n| + λ₂ Σ_n x_nj/Σ_n|x_n| + λ₃ p_train(j), with x the support.
#[derive(Clone, Debug)]
pub struct SmoothedUnigram {
    /// λ
    pub weights: Vec<f64>,
    /// p_train
    background: Vec<f64>,
}

impl SmoothedUnigram {
    /// Chooses the weights that best predict the queries of these tasks.
    pub fn tuned(tasks: &[Episode], background: Vec<f64>) -> Self {
        let mut words = MixtureWords::new(PARTS);
        for task in tasks {
            for_each_word(task, &background, |_, _, parts, count| words.push(&parts, count));
        }
        Self { weights: words.best_weights(), background }
    }

    /// The same, `training` being how probable each of `terms` terms, new ones among them, is in a
    /// prior's training corpora.
    pub fn tuned_beside(training: &Unigram<f32>, terms: usize, tasks: &[Episode]) -> Self {
        // A damaged file may say that a term is impossible.
        let positive = |j: usize| f64::from(training.of(j).max(f32::MIN_POSITIVE));
        Self::tuned(tasks, (0..terms).map(positive).collect())
    }

    /// Computes the likelihood of a task's query.
    pub fn likelihood(&self, task: &Episode) -> Likelihood {
        self.likelihood_of(task, false)
    }

    /// The same, if `only_repeated` of the words alone that their document has in the support.
    pub fn likelihood_of(&self, task: &Episode, only_repeated: bool) -> Likelihood {
        self.document_likelihoods(task, only_repeated).into_iter().sum()
    }

    /// [`Self::likelihood_of`] of each document.
    pub fn document_likelihoods(&self, task: &Episode, only_repeated: bool) -> Vec<Likelihood> {
        let mut documents = vec![Likelihood::default(); task.query.documents()];
        for_each_word(task, &self.background, |n, term, parts, count| {
            if !only_repeated || task.support.count_of(n, term) > 0 {
                let document = &mut documents[n];
                document.log_likelihood += f64::from(count) * mix(&self.weights, &parts).ln();
                document.words += u64::from(count);
            }
        });
        documents
    }
}

/// Calls `visit` for each word of the query, with its document, its term, the parts' probabilities
/// and its count. A document without support uses the probabilities of its task, a task without
/// support those of the background.
pub fn for_each_word(
    task: &Episode,
    background: &[f64],
    mut visit: impl FnMut(usize, u32, [f64; PARTS], u32),
) {
    let Episode { support, query, .. } = task;
    let all = support.total_words() as f64;
    for n in 0..query.documents() {
        let words = support.words(n) as f64;
        for (term, count) in query.row(n) {
            let general = background[term as usize];
            let of_task: u32 = (0..support.documents()).map(|n| support.count_of(n, term)).sum();
            let of_task = if all > 0.0 { f64::from(of_task) / all } else { general };
            let own = f64::from(support.count_of(n, term));
            let of_document = if words > 0.0 { own / words } else { of_task };
            visit(n, term, [of_document, of_task, general], count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::WordCounts;

    fn counts(rows: &[&[(u32, u32)]]) -> WordCounts {
        let mut counts = WordCounts::new();
        rows.iter().for_each(|row| counts.push_row(row.iter().copied()));
        counts
    }

    #[test]
    fn the_parts_are_the_document_the_task_and_the_training_corpora() {
        let support = counts(&[&[(0, 3), (2, 1)], &[], &[(2, 4)]]);
        let query = counts(&[&[(2, 1)], &[(0, 2)], &[(0, 1), (1, 1)]]);
        let task = Episode { support, query, ..Episode::default() };
        let background = [0.2, 0.3, 0.5];
        let mut seen = Vec::new();
        for_each_word(&task, &background, |n, term, parts, count| {
            seen.push((n, term, parts, count));
        });
        let expected = [
            (0, 2, [0.25, 0.625, 0.5], 1),
            (1, 0, [0.375, 0.375, 0.2], 2),
            (2, 0, [0.0, 0.375, 0.2], 1),
            (2, 1, [0.0, 0.0, 0.3], 1),
        ];
        assert_eq!(seen, expected);
        let silent = Episode { support: counts(&[&[]]), query: counts(&[&[(1, 1)]]), ..task };
        for_each_word(&silent, &background, |_, _, parts, _| assert_eq!(parts, [0.3; 3]));
    }

    #[test]
    fn weights_are_tuned_to_the_tasks_and_give_their_likelihood() {
        // Three of four words occur in the document alone, the fourth in the training corpora
        // alone.
        let support = counts(&[&[(0, 5)]]);
        let query = counts(&[&[(0, 3), (1, 1)]]);
        let task = Episode { support, query, ..Episode::default() };
        let unigram = SmoothedUnigram::tuned(std::slice::from_ref(&task), vec![0.0, 0.2]);
        // The document and the task are the same here, so they share their weight equally.
        let expected = [0.375, 0.375, 0.25];
        assert!(unigram.weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
        let likelihood = unigram.likelihood(&task);
        let expected = 3.0 * 0.75f64.ln() + 0.05f64.ln();
        assert!((likelihood.log_likelihood - expected).abs() < 1e-12);
        assert_eq!(likelihood.words, 4);
    }
}
