//! How many topics some documents support.

use super::held_out::{HeldOut, HeldOutLikelihood};
use crate::Result;
use crate::em::EmStop;
use crate::prior::FitPrior;

/// Numbers of topics to try, those that are not above one more than the number of documents: each
/// document may have a topic of its own, and whether still more are of use shows in the next.
const NUMBERS: [usize; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50];

/// Numbers that add up to no more topics than this are tried together: they share work. With more,
/// an observer would wait too long.
const TOGETHER: usize = 10;

/// How many of the first numbers are tried together.
fn tried_together(numbers: &[usize]) -> usize {
    let mut topics = 0;
    let fits = |&&number: &&usize| {
        topics += number;
        topics <= TOGETHER
    };
    numbers.iter().take_while(fits).count().max(1)
}

/// How well a number of topics predicts held-out words.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// K
    pub topics: usize,
    /// How well it predicts.
    pub likelihood: HeldOutLikelihood,
}

impl Candidate {
    fn loss(&self) -> f64 {
        self.likelihood.loss()
    }
}

/// A number of topics, and what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicChoice {
    /// The fewest topics that predict words about as well as the best number does.
    pub topics: usize,
    /// Every number that was tried.
    pub candidates: Vec<Candidate>,
}

impl TopicChoice {
    /// How well the number that was chosen predicts.
    pub fn likelihood(&self) -> &HeldOutLikelihood {
        let chosen = self.candidates.iter().find(|tried| tried.topics == self.topics);
        &chosen.expect("what was chosen was tried").likelihood
    }
}

/// Tries numbers of topics on the documents' own words: a fifth of them is held out, the others are
/// fitted, and those held out predicted. The prior must give any number of topics.
///
/// `tell` hears before each number how many of how many were tried, and its error ends the choice.
pub fn choose_topics(
    prior: FitPrior<'_>,
    held_out: &HeldOut,
    stop: EmStop,
    tell: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<TopicChoice> {
    let most = held_out.documents() + 1;
    let numbers: Vec<usize> = NUMBERS.into_iter().filter(|&topics| topics <= most).collect();
    let mut candidates = Vec::with_capacity(numbers.len());
    let mut rest = &numbers[..];
    while !rest.is_empty() {
        tell(candidates.len(), numbers.len())?;
        let (together, after) = rest.split_at(tried_together(rest));
        let likelihoods = held_out.with_topics(prior, together, None, stop);
        let tried = together.iter().zip(likelihoods);
        candidates.extend(tried.map(|(&topics, likelihood)| Candidate { topics, likelihood }));
        rest = after;
    }
    Ok(TopicChoice { topics: fewest_of_the_best(&candidates), candidates })
}

/// The smallest number whose loss is not larger than the least by more than a standard error of
/// their difference.
fn fewest_of_the_best(candidates: &[Candidate]) -> usize {
    let best = candidates
        .iter()
        .min_by(|a, b| a.loss().total_cmp(&b.loss()))
        .expect("one topic is always tried");
    candidates
        .iter()
        .find(|candidate| {
            let error = candidate.likelihood.error_beside(&best.likelihood);
            candidate.loss() - best.loss() <= error
        })
        .map_or(best.topics, |candidate| candidate.topics)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A candidate with these losses of a word.
    fn candidate(topics: usize, losses: &[f64]) -> Candidate {
        Candidate { topics, likelihood: HeldOutLikelihood::of_losses(losses) }
    }

    #[test]
    fn the_fewest_topics_within_a_standard_error_of_the_best_are_chosen() {
        let one = candidate(1, &[7.0, 7.2, 6.8, 7.0]);
        let two = candidate(2, &[6.0, 6.3, 5.7, 6.1]);
        // Better than two by 0.025 on average, with a standard error of 0.048.
        let three = candidate(3, &[6.1, 6.2, 5.6, 6.1]);
        let four = candidate(4, &[6.5, 6.5, 6.5, 6.5]);
        let all = [one, two, three, four];
        assert_eq!(fewest_of_the_best(&all), 2);
        assert_eq!(fewest_of_the_best(&all[..1]), 1);
        // Where there is nothing to tell them apart, one topic is enough.
        let same = [candidate(1, &[5.0; 4]), candidate(2, &[5.0; 4])];
        assert_eq!(fewest_of_the_best(&same), 1);
    }

    #[test]
    fn documents_without_words_have_one_topic() {
        let silent = [candidate(1, &[f64::NAN; 4]), candidate(2, &[f64::NAN; 4])];
        assert_eq!(fewest_of_the_best(&silent), 1);
    }
}
