//! Tasks with words that the model does not know.

use super::perplexity::fit_tasks;
use crate::corpus::{Episode, WordCounts};
use crate::em::{EmStop, Likelihood};
use crate::prior::{FitPrior, NewTerms, NewWordPrior};
use crate::text::Relative;

/// A task over a vocabulary of which the model knows the first terms. The other terms are new: all
/// words of the corpus that the model does not know.
#[derive(Clone, Debug)]
pub struct OpenTask {
    /// The support and the query.
    pub episode: Episode,
    /// The number of known terms.
    pub known: usize,
    /// For each new word, the words of the support with a similar spelling.
    pub relatives: Vec<Vec<Relative>>,
}

/// The likelihood of known and of new words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpenLikelihood {
    /// The likelihood of words that the model knows.
    pub known: Likelihood,
    /// The likelihood of all other words.
    pub new: Likelihood,
}

impl OpenLikelihood {
    /// The likelihood of all words.
    pub fn all(&self) -> Likelihood {
        [self.known, self.new].into_iter().sum()
    }
}

impl std::iter::Sum for OpenLikelihood {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            known: [sum.known, part.known].into_iter().sum(),
            new: [sum.new, part.new].into_iter().sum(),
        })
    }
}

impl OpenTask {
    /// Creates a task from an episode. `words` are the letters of all terms, of which the model
    /// knows the first `known`.
    pub fn new(episode: Episode, known: usize, words: &[&str]) -> Self {
        let word = |term: u32| words[term as usize];
        let relatives = episode.support.relatives(known..words.len(), word);
        Self { episode, known, relatives }
    }

    /// Fits the support, new words included, and asks for the likelihood of the query.
    pub fn likelihood(
        &self,
        prior: FitPrior<'_>,
        expected: NewWordPrior,
        stop: EmStop,
    ) -> OpenLikelihood {
        let new_terms =
            NewTerms { expected, relatives: self.relatives.clone(), phrases: Vec::new() };
        let asked = FitPrior { new_terms: Some(&new_terms), ..prior };
        let task = &self.episode;
        let fitted = fit_tasks(&[(task, asked)], None, stop).pop().expect("one task, one fit");
        let is_known = |term: u32| (term as usize) < self.known;
        OpenLikelihood {
            known: fitted.likelihood(task, |_, term| is_known(term)),
            new: fitted.likelihood(task, |_, term| !is_known(term)),
        }
    }

    /// Returns the task without its new words.
    pub fn without_new_words(&self) -> Episode {
        let Episode { support, query, .. } = &self.episode;
        let known = |words: &WordCounts| {
            let mut known = WordCounts::new();
            for n in 0..words.documents() {
                known.push_row(words.row(n).filter(|&(term, _)| (term as usize) < self.known));
            }
            known
        };
        Episode { support: known(support), query: known(query), ..Episode::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::task_likelihood;
    use crate::prior::{AnyPrior, HandfulSettings, PriorSettings};
    use crate::random::{Purpose, stream};

    /// Makes a task over four known terms and four new words. The first new word is in no document.
    fn task() -> OpenTask {
        let mut episode = Episode::default();
        episode.support.push_row([(0, 2), (3, 1), (6, 2)]);
        episode.support.push_row([(1, 3)]);
        episode.query.push_row([(3, 1), (5, 4)]);
        episode.query.push_row([(2, 2), (6, 1), (7, 1)]);
        let words = ["hive", "honey", "wax", "queen", "bee", "queens", "drone", "drones"];
        OpenTask::new(episode, 4, &words)
    }

    #[test]
    fn words_of_the_support_are_relatives() {
        let task = task();
        let terms: Vec<Vec<u32>> =
            task.relatives.iter().map(|all| all.iter().map(|r| r.term).collect()).collect();
        assert_eq!(terms, [vec![], vec![3], vec![6], vec![6]]);
        let known = task.without_new_words();
        assert_eq!(known.support.row(0).collect::<Vec<_>>(), [(0, 2), (3, 1)]);
        assert_eq!((known.support.total_words(), known.query.total_words()), (6, 3));
    }

    #[test]
    fn known_and_new_words_are_all_words() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let settings = PriorSettings::Handful(settings);
        let prior = AnyPrior::random(settings, 4, 2, &mut stream(1, Purpose::Weights, 0));
        let (task, stop) = (task(), EmStop::Steps(3));
        let likelihood = task.likelihood((&prior).into(), NewWordPrior::default(), stop);
        assert_eq!((likelihood.known.words, likelihood.new.words), (3, 6));
        // With its new words the task is one like any other.
        let (expected, relatives) = (NewWordPrior::default(), task.relatives.clone());
        let new_terms = NewTerms { expected, relatives, phrases: Vec::new() };
        let asked = FitPrior { new_terms: Some(&new_terms), ..(&prior).into() };
        let all = task_likelihood(asked, &task.episode, stop);
        assert!((likelihood.all().log_likelihood - all.log_likelihood).abs() < 1e-9);
        assert_eq!(likelihood.all().words, all.words);
        assert!(likelihood.new.log_likelihood.is_finite());
    }
}
