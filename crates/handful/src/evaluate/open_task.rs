//! Tasks with words that the model does not know.

use crate::corpus::{Episode, WordCounts};
use crate::em::{EmStop, EpisodeTerms, log_likelihood};
use crate::nn::Dropout;
use crate::prior::{AnyPrior, AnyTape, Dirichlet, NewWords, Prior, TermRows};
use crate::text::{Relative, relatives};
use crate::topic_model::fit_documents;
use crate::train::Likelihood;

/// A task over a vocabulary of which the model knows the first terms. The others, all words of the
/// corpus that it does not know, are new.
#[derive(Clone, Debug)]
pub struct OpenTask {
    /// The words.
    pub episode: Episode,
    /// How many terms are known.
    pub known: usize,
    /// Words of the support that each new word is spelled like.
    pub relatives: Vec<Vec<Relative>>,
}

/// How well words that are known, and those that are new, were predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpenLikelihood {
    /// Of words that the model knows.
    pub known: Likelihood,
    /// Of all others.
    pub new: Likelihood,
}

impl OpenLikelihood {
    /// Of all words.
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
    /// The task of an episode, over these words.
    pub fn new(episode: Episode, known: usize, words: &[&str]) -> Self {
        let named = |term: u32| (term, words[term as usize]);
        let new: Vec<(u32, &str)> = (known as u32..words.len() as u32).map(named).collect();
        let seen: Vec<(u32, &str)> =
            episode.support.distinct_terms().into_iter().map(named).collect();
        Self { known, relatives: relatives(&new, &seen), episode }
    }

    /// Fits the support, new words included, and asks for the likelihood of the query. The prior is
    /// left with the task's new words.
    pub fn likelihood(
        &self,
        prior: &mut AnyPrior<f32>,
        expected: NewWords,
        stop: EmStop,
    ) -> OpenLikelihood {
        prior.take_new_words(expected, &self.relatives);
        let Episode { support, query, .. } = &self.episode;
        let terms = EpisodeTerms::of(support, query);
        let (mut dirichlet, mut tape) = (Dirichlet::default(), AnyTape::default());
        let wanted = TermRows::Of(&terms.terms);
        prior.forward(support, wanted, &mut Dropout::off(), &mut tape, &mut dirichlet);
        let em = fit_documents(&dirichlet, support, &terms, stop);
        let of = |is_wanted: &dyn Fn(u32) -> bool| {
            let (query, places) = select(query, &terms.query, is_wanted);
            let topics = dirichlet.topics;
            let log_likelihood = log_likelihood(&query, &places, topics, &em.theta, &em.phi);
            Likelihood { log_likelihood, words: query.total_words() }
        };
        let is_known = |term: u32| (term as usize) < self.known;
        OpenLikelihood { known: of(&is_known), new: of(&|term| !is_known(term)) }
    }

    /// The task without its new words.
    pub fn without_new_words(&self) -> Episode {
        let Episode { support, query, .. } = &self.episode;
        let known =
            |words: &WordCounts| select(words, words.terms(), &|t| (t as usize) < self.known).0;
        Episode { support: known(support), query: known(query), ..Episode::default() }
    }
}

/// Words of some terms only, and their places.
fn select(
    words: &WordCounts,
    places: &[u32],
    is_wanted: &dyn Fn(u32) -> bool,
) -> (WordCounts, Vec<u32>) {
    let mut selected = WordCounts::new();
    for n in 0..words.documents() {
        selected.push_row(words.row(n).filter(|&(term, _)| is_wanted(term)));
    }
    let entries = words.terms().iter().zip(places);
    let places = entries.filter(|(term, _)| is_wanted(**term)).map(|(_, &place)| place).collect();
    (selected, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::task_likelihood;
    use crate::prior::{HandfulSettings, PriorSettings};
    use crate::random::{Purpose, stream};

    /// A task over four known terms and four new words, of which the first is in no document.
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
        let mut prior = AnyPrior::random(settings, 4, 2, &mut stream(1, Purpose::Weights, 0));
        let (task, stop) = (task(), EmStop::Steps(3));
        let likelihood = task.likelihood(&mut prior, NewWords::default(), stop);
        assert_eq!((likelihood.known.words, likelihood.new.words), (3, 6));
        // The prior has the new words now, so that the task is one like any other.
        let all = task_likelihood(&prior, &task.episode, stop);
        assert!((likelihood.all().log_likelihood - all.log_likelihood).abs() < 1e-9);
        assert_eq!(likelihood.all().words, all.words);
        assert!(likelihood.new.log_likelihood.is_finite());
    }
}
