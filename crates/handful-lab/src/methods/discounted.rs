//! The smoothed unigram at its best: absolute discounting from the document to the task and from there
//! to what is usual, as in a hierarchical Pitman-Yor process (Teh 2006).
//!
//! ```text
//! p(j|n) = (max(x_nj − d, 0) + (s + d t_n) p_task(j)) / (|x_n| + s)
//! p_task(j) = (max(c_j − d', 0) + (s' + d' t) p_usual(j|n)) / (Σ c + s')
//! p_usual(j|n) = (1 − λ) (c_train(j) + π) / (Σ c_train + π J) + λ Σ_k θ_nk φ_kj
//! ```
//!
//! t_n and t are the numbers of different terms. λ is 0 without topics; with them θ and φ are those of LDA
//! of all training documents.

use super::lda::LdaAll;
use super::{Learned, Lesson};
use crate::Material;
use handful::Result;
use handful::internals::corpus::{Corpus, Episode};
use handful::internals::em::{EmStop, Likelihood};
use handful::internals::lda::Lda;

/// The numbers of topics to try.
const TOPICS: [usize; 4] = [50, 100, 200, 400];

/// The values to try of each number that is tuned.
const DISCOUNTS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97];
const STRENGTHS: [f64; 13] =
    [0.1, 1.0, 3.0, 10.0, 20.0, 40.0, 80.0, 160.0, 400.0, 1000.0, 4000.0, 16000.0, 64000.0];
const PSEUDO_COUNTS: [f64; 13] =
    [0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];
const TOPIC_SHARES: [f64; 12] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// The most rounds in which each block of numbers is tuned with the others fixed.
const ROUNDS: usize = 10;

/// What is tuned together: a discount and the strength beside it do much the same, so that the best of
/// one for a bad value of the other may lead away from the best of both.
const BLOCKS: [&[usize]; 4] = [&[0, 1], &[2, 3], &[4], &[SHARE]];
const SHARE: usize = 5;

/// The numbers that are tuned: d, s, d', s', π, λ.
const NUMBERS: usize = 6;

const FIRST: [f64; NUMBERS] = [0.5, 40.0, 0.5, 160.0, 0.3, 0.0];

/// How often the training corpora have each term.
#[derive(Clone, Debug)]
struct Usual {
    counts: Vec<f64>,
    all: f64,
}

impl Usual {
    fn of(corpora: &[&Corpus], terms: usize) -> Self {
        let mut counts = vec![0.0; terms];
        for corpus in corpora {
            for (&term, &count) in corpus.documents.terms().iter().zip(corpus.documents.counts()) {
                counts[term as usize] += f64::from(count);
            }
        }
        let all = counts.iter().sum();
        Self { counts, all }
    }
}

/// A held-out word: all that its probability depends on.
#[derive(Clone, Copy, Debug)]
struct Word {
    document: usize,
    count: f64,
    /// x_nj, |x_n|, t_n
    own: [f64; 3],
    /// c_j, Σ c, t
    of_task: [f64; 3],
    /// c_train(j)
    usual: f64,
    /// Σ_k θ_nk φ_kj
    of_topics: f64,
}

/// What is left of a count, and the rest for what lies below.
fn discounted([count, length, types]: [f64; 3], discount: f64, strength: f64, below: f64) -> f64 {
    let left = (count - discount).max(0.0);
    (left + (strength + discount * types) * below) / (length + strength)
}

/// These numbers with all values of a block.
fn candidates(numbers: [f64; NUMBERS], block: &[usize]) -> Vec<[f64; NUMBERS]> {
    let grids: [&[f64]; NUMBERS] =
        [&DISCOUNTS, &STRENGTHS, &DISCOUNTS, &STRENGTHS, &PSEUDO_COUNTS, &TOPIC_SHARES];
    block.iter().fold(vec![numbers], |candidates, &number| {
        let with = |candidate: [f64; NUMBERS], value| {
            let mut candidate = candidate;
            candidate[number] = value;
            candidate
        };
        let all = |candidate| grids[number].iter().map(move |&value| with(candidate, value));
        candidates.into_iter().flat_map(all).collect()
    })
}

/// The rival, with topics or without.
#[derive(Clone, Debug)]
pub(super) struct Discounted {
    usual: Usual,
    lda: Option<Lda>,
    numbers: [f64; NUMBERS],
}

impl Discounted {
    /// Counts words, and tunes the numbers on the validation tasks.
    pub(super) fn learn(material: &Material<'_>) -> Result<Lesson> {
        let usual = Usual::of(&material.roles.training, material.terms);
        let mut learned = Self { usual, lda: None, numbers: FIRST };
        learned.tune(&material.validation_tasks()?);
        Ok(learned.into_lesson())
    }

    /// Fits the training documents as well, and tunes the number of topics, too.
    pub(super) fn learn_with_topics(material: &Material<'_>) -> Result<Lesson> {
        let usual = Usual::of(&material.roles.training, material.terms);
        let tasks = material.validation_tasks()?;
        let mut best: Option<(f64, Self)> = None;
        for topics in TOPICS {
            let lda = LdaAll::fit(material, topics)?.0;
            let mut learned = Self { usual: usual.clone(), lda: Some(lda), numbers: FIRST };
            let likelihood = learned.tune(&tasks);
            if best.as_ref().is_none_or(|(best, _)| likelihood > *best) {
                best = Some((likelihood, learned));
            }
        }
        Ok(best.expect("one is tried").1.into_lesson())
    }

    fn into_lesson(self) -> Lesson {
        let weights = self.numbers.to_vec();
        Lesson { learned: Box::new(self), training: None, weights, given: None }
    }

    /// Chooses the numbers that best predict the queries of these tasks, one block after the other until
    /// none changes. Returns the mean log-likelihood of a word.
    ///
    /// It is a mean of the tasks' means, as where the networks are validated: a task of one very long
    /// document does not decide alone.
    fn tune(&mut self, tasks: &[Episode]) -> f64 {
        let words: Vec<Word> =
            tasks.iter().flat_map(|task| self.even_words(task, tasks.len())).collect();
        let has_topics = self.lda.is_some();
        let mut best = self.log_likelihood(&words);
        for _ in 0..ROUNDS {
            let before = self.numbers;
            for block in BLOCKS.into_iter().filter(|&block| has_topics || block != [SHARE]) {
                for candidate in candidates(self.numbers, block) {
                    let kept = std::mem::replace(&mut self.numbers, candidate);
                    let likelihood = self.log_likelihood(&words);
                    if likelihood > best {
                        best = likelihood;
                    } else {
                        self.numbers = kept;
                    }
                }
            }
            if self.numbers == before {
                break;
            }
        }
        best
    }

    fn log_likelihood(&self, words: &[Word]) -> f64 {
        words.iter().map(|word| word.count * self.probability(word).ln()).sum()
    }

    fn probability(&self, word: &Word) -> f64 {
        let [discount, strength, task_discount, task_strength, pseudo_count, share] = self.numbers;
        let all = self.usual.all + pseudo_count * self.usual.counts.len() as f64;
        let general = (word.usual + pseudo_count) / all;
        let usual = (1.0 - share) * general + share * word.of_topics;
        let of_task = discounted(word.of_task, task_discount, task_strength, usual);
        discounted(word.own, discount, strength, of_task)
    }

    /// The words of a task's query, counted so that each of the tasks has the same total and all have 1.
    fn even_words(&self, task: &Episode, tasks: usize) -> Vec<Word> {
        let mut words = self.words(task);
        let total = task.query.total_words() as f64 * tasks as f64;
        words.iter_mut().for_each(|word| word.count /= total);
        words
    }

    /// The words of a task's query.
    fn words(&self, task: &Episode) -> Vec<Word> {
        let Episode { support, query, .. } = task;
        let mut terms = support.terms().to_vec();
        terms.sort_unstable();
        terms.dedup();
        let (all, types) = (support.total_words() as f64, terms.len() as f64);
        let proportions = self.lda.as_ref().map(|lda| lda.proportions(support));
        let mut words = Vec::new();
        for document in 0..query.documents() {
            let (length, own_types) =
                (support.words(document) as f64, support.row(document).count() as f64);
            for (term, count) in query.row(document) {
                let of = |n: usize| f64::from(support.count_of(n, term));
                let of_topics =
                    self.lda.as_ref().zip(proportions.as_ref()).map_or(0.0, |(lda, p)| {
                        lda.probability(
                            &p[document * lda.topics..(document + 1) * lda.topics],
                            term,
                        )
                    });
                words.push(Word {
                    document,
                    count: f64::from(count),
                    own: [of(document), length, own_types],
                    of_task: [(0..support.documents()).map(of).sum(), all, types],
                    usual: self.usual.counts[term as usize],
                    of_topics,
                });
            }
        }
        words
    }
}

impl Learned for Discounted {
    fn likelihoods(&self, task: &Episode, _: usize, _: EmStop) -> Vec<Likelihood> {
        let mut documents = vec![Likelihood::default(); task.query.documents()];
        for word in self.words(task) {
            let document = &mut documents[word.document];
            document.log_likelihood += word.count * self.probability(&word).ln();
            document.words += word.count as u64;
        }
        documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::internals::corpus::WordCounts;

    fn counts(rows: &[&[(u32, u32)]]) -> WordCounts {
        let mut counts = WordCounts::new();
        rows.iter().for_each(|row| counts.push_row(row.iter().copied()));
        counts
    }

    fn rival(numbers: [f64; NUMBERS]) -> Discounted {
        let usual = Usual { counts: vec![5.0, 0.0, 3.0, 2.0], all: 10.0 };
        Discounted { usual, lda: None, numbers }
    }

    #[test]
    fn probabilities_of_all_terms_sum_to_one() {
        let support = counts(&[&[(0, 3), (2, 1)], &[], &[(2, 4)]]);
        let row: Vec<(u32, u32)> = (0..4).map(|term| (term, 1)).collect();
        let query = counts(&[&row, &row, &row]);
        let task = Episode { support, query, ..Episode::default() };
        let rival = rival([0.6, 5.0, 0.3, 20.0, 0.5, 0.0]);
        let mut sums = [0.0; 3];
        for word in rival.words(&task) {
            sums[word.document] += rival.probability(&word);
        }
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
    }

    #[test]
    fn a_word_is_as_probable_as_the_formula_says() {
        let support = counts(&[&[(0, 3), (2, 1)], &[(2, 4)]]);
        let query = counts(&[&[(2, 1)], &[]]);
        let task = Episode { support, query, ..Episode::default() };
        let usual = (3.0 + 0.5) / (10.0 + 4.0 * 0.5);
        // Five of eight words are the term; two terms occur.
        let of_task = (5.0 - 0.3 + (20.0 + 0.3 * 2.0) * usual) / (8.0 + 20.0);
        let expected: f64 = (1.0 - 0.6 + (5.0 + 0.6 * 2.0) * of_task) / (4.0 + 5.0);
        let found = rival([0.6, 5.0, 0.3, 20.0, 0.5, 0.0]).likelihoods(&task, 0, EmStop::Steps(0));
        assert!((found[0].log_likelihood - expected.ln()).abs() < 1e-12, "{found:?}");
        assert_eq!((found[0].words, found[1].words), (1, 0));
    }

    #[test]
    fn tuning_never_predicts_worse_than_it_began() {
        let task = |support: &[&[(u32, u32)]], query: &[&[(u32, u32)]]| Episode {
            support: counts(support),
            query: counts(query),
            ..Episode::default()
        };
        let tasks = [
            task(&[&[(0, 3), (2, 1)], &[(2, 4), (3, 1)]], &[&[(0, 2)], &[(1, 1), (2, 1)]]),
            task(&[&[(1, 1)]], &[&[(0, 500), (2, 500)]]),
        ];
        // The mean over tasks of the mean over a task's words.
        let mean = |rival: &Discounted| -> f64 {
            let of_task = |task: &Episode| {
                let all: Likelihood =
                    rival.likelihoods(task, 0, EmStop::Steps(0)).into_iter().sum();
                all.log_likelihood / all.words as f64
            };
            tasks.iter().map(of_task).sum::<f64>() / tasks.len() as f64
        };
        let mut tuned = rival(FIRST);
        let best = tuned.tune(&tasks);
        assert!((best - mean(&tuned)).abs() < 1e-12, "{best} {}", mean(&tuned));
        assert!(best > mean(&rival(FIRST)));
        assert_eq!(tuned.numbers[SHARE], 0.0, "there are no topics");
        // Nor does any discount predict better together with any strength.
        for (discount, strength) in [(0, 1), (2, 3)] {
            for (d, s) in DISCOUNTS.iter().flat_map(|d| STRENGTHS.map(|s| (d, s))) {
                let mut numbers = tuned.numbers;
                (numbers[discount], numbers[strength]) = (*d, s);
                assert!(mean(&rival(numbers)) <= best + 1e-12, "{numbers:?}");
            }
        }
    }
}
