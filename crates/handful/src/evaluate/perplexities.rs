//! Three ways to take the mean of perplexity.

use crate::em::Likelihood;
use serde::{Deserialize, Serialize};

/// What is averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PerplexityMean {
    /// The loss of a word: exp of the mean negative log-likelihood of all words.
    #[default]
    Words,
    /// The perplexity of a task.
    Tasks,
    /// The perplexity of a document, as in the paper.
    Documents,
}

/// The perplexity of the held-out words of some tasks, by each mean.
///
/// The exponential of a mean is at most the mean of exponentials, so each is at most the next if all
/// documents and tasks are as long: a document that is hard to predict counts for more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perplexities {
    /// By [`PerplexityMean::Words`].
    pub pooled: f64,
    /// By [`PerplexityMean::Tasks`].
    pub mean_of_tasks: f64,
    /// By [`PerplexityMean::Documents`].
    pub mean_of_documents: f64,
}

impl Perplexities {
    /// Computes them from the likelihood of each document of each task. What has no held-out words
    /// has no perplexity and is left out.
    pub fn of(tasks: &[Vec<Likelihood>]) -> Self {
        let whole: Vec<Likelihood> = tasks.iter().map(|task| task.iter().copied().sum()).collect();
        Self {
            pooled: whole.iter().copied().sum::<Likelihood>().perplexity(),
            mean_of_tasks: mean(&whole),
            mean_of_documents: mean(&tasks.concat()),
        }
    }
}

fn mean(parts: &[Likelihood]) -> f64 {
    let perplexities: Vec<f64> =
        parts.iter().filter(|part| part.words > 0).map(Likelihood::perplexity).collect();
    perplexities.iter().sum::<f64>() / perplexities.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tasks_and_documents_are_averaged_by_themselves() {
        let document =
            |loss: f64, words: u64| Likelihood { log_likelihood: -loss * words as f64, words };
        let (two, eight) = (2f64.ln(), 8f64.ln());
        let tasks = [
            vec![document(two, 10), document(eight, 10)],
            vec![document(two, 20), Likelihood::default()],
        ];
        let Perplexities { pooled, mean_of_tasks, mean_of_documents } = Perplexities::of(&tasks);
        // Of the 40 words 30 have a perplexity of 2 and 10 one of 8: 2^(30/40) 8^(10/40).
        assert!((pooled - 2f64.powf(1.5)).abs() < 1e-12, "{pooled}");
        // The first task has 2^(1/2) 8^(1/2) = 4, the second 2.
        assert!((mean_of_tasks - 3.0).abs() < 1e-12, "{mean_of_tasks}");
        // The document without words is left out.
        assert!((mean_of_documents - 4.0).abs() < 1e-12, "{mean_of_documents}");
    }
}
