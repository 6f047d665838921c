//! What a method says of a task, and how right it is.

use super::BlendTask;
use crate::assignment::best_order;

/// What a method says of a task: which topics its documents have, and whose the words are.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// For each document, the shares of the topics.
    pub shares: Vec<Vec<f64>>,
    /// For each document, and each of its terms in order, the shares of the topics. Whatever is no
    /// topic, such as a background, is left out.
    pub words: Vec<Vec<Vec<f64>>>,
}

/// How right an answer is.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskScore {
    /// The mean error of the shares of a blend's subjects, over blends.
    pub error: f64,
    /// The mean over pure documents of the share that is not their subject's.
    pub pure_error: f64,
    /// The mean over subjects of the share of their words in blends that is given to them.
    pub words_placed: f64,
    /// For each blend and each of its subjects, the share that was said and the true one.
    pub shares: Vec<(f64, f64)>,
}

/// Scales shares of K topics to a sum of 1, or makes them even if there is nothing to scale. Shares
/// of topics that are not there are 0.
fn scaled(shares: &[f64], topics: usize) -> Vec<f64> {
    let share = |k: usize| shares.get(k).copied().filter(|share| *share > 0.0).unwrap_or(0.0);
    let sum: f64 = (0..topics).map(share).sum();
    match sum > 0.0 && sum.is_finite() {
        true => (0..topics).map(|k| share(k) / sum).collect(),
        false => vec![1.0 / topics as f64; topics],
    }
}

impl Answer {
    /// Returns an answer that gives each document, and each of its words, as a whole to one topic.
    pub(super) fn whole(task: &BlendTask, groups: &[usize]) -> Self {
        let of_group = |&group: &usize| -> Vec<f64> {
            (0..task.subjects()).map(|k| f64::from(u8::from(k == group))).collect()
        };
        let words = |(group, document): (&usize, &super::Composed)| {
            vec![of_group(group); document.words.len()]
        };
        let words = groups.iter().zip(&task.documents).map(words).collect();
        Self { shares: groups.iter().map(of_group).collect(), words }
    }

    /// Returns an answer that gives everything to all topics alike.
    pub(super) fn even(task: &BlendTask) -> Self {
        let even = vec![1.0 / task.subjects() as f64; task.subjects()];
        let words = |document: &super::Composed| vec![even.clone(); document.words.len()];
        Self {
            shares: vec![even.clone(); task.documents.len()],
            words: task.documents.iter().map(words).collect(),
        }
    }

    /// With shares that sum to 1.
    fn scaled(&self, topics: usize) -> Self {
        let all = |rows: &Vec<Vec<f64>>| rows.iter().map(|row| scaled(row, topics)).collect();
        Self { shares: all(&self.shares), words: self.words.iter().map(all).collect() }
    }

    /// Finds the topic of each subject by the pure documents, and compares the answer with the truth.
    pub fn judged(&self, task: &BlendTask) -> TaskScore {
        let subjects = task.subjects();
        let answer = self.scaled(subjects);
        let pure: Vec<(usize, usize)> = (0..task.documents.len())
            .filter(|&n| task.documents[n].is_pure())
            .map(|n| (n, task.documents[n].pieces[0].0))
            .collect();
        let own_share = |order: &[usize]| -> f64 {
            pure.iter().map(|&(n, subject)| answer.shares[n][order[subject]]).sum()
        };
        let order = best_order(subjects, own_share);
        let shares = answer.blend_shares(task, &order);
        let errors: f64 = shares.iter().map(|(said, truth)| (said - truth).abs()).sum();
        TaskScore {
            error: errors / shares.len().max(1) as f64,
            pure_error: 1.0 - own_share(&order) / pure.len().max(1) as f64,
            words_placed: answer.words_placed(task, &order),
            shares,
        }
    }

    /// The share of words placed right with the best topic for each subject, for a task without pure
    /// documents to find it by.
    pub fn judged_by_words(&self, task: &BlendTask) -> f64 {
        let answer = self.scaled(task.subjects());
        let placed = |order: &[usize]| answer.words_placed(task, order);
        placed(&best_order(task.subjects(), placed))
    }

    /// For each blend and each subject in it, the share that was said and the true one.
    fn blend_shares(&self, task: &BlendTask, order: &[usize]) -> Vec<(f64, f64)> {
        let mut shares = Vec::new();
        for (n, blend) in task.documents.iter().enumerate().filter(|(_, d)| !d.is_pure()) {
            let truth = blend.shares(task.subjects());
            let there = (0..task.subjects()).filter(|&subject| truth[subject] > 0.0);
            shares.extend(there.map(|subject| (self.shares[n][order[subject]], truth[subject])));
        }
        shares
    }

    fn words_placed(&self, task: &BlendTask, order: &[usize]) -> f64 {
        let mut placed = vec![(0.0, 0usize); task.subjects()];
        for (n, blend) in task.documents.iter().enumerate().filter(|(_, d)| !d.is_pure()) {
            for (word, shares) in blend.words.iter().zip(&self.words[n]) {
                let (sum, words) = &mut placed[word.subject];
                *sum += shares[order[word.subject]];
                *words += 1;
            }
        }
        placed.retain(|(_, words)| *words > 0);
        let subjects = placed.len().max(1) as f64;
        placed.iter().map(|(sum, words)| sum / *words as f64).sum::<f64>() / subjects
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Composed, SourcedWord};
    use super::*;
    use handful::internals::corpus::WordCounts;

    /// A document whose words have these sources.
    fn document(subjects: &[usize]) -> Composed {
        let word = |(start, &subject): (usize, &usize)| SourcedWord { start, term: 0, subject };
        let mut sources = subjects.to_vec();
        sources.dedup();
        Composed {
            text: String::new(),
            pieces: sources.into_iter().map(|subject| (subject, String::new(), 0..1)).collect(),
            words: subjects.iter().enumerate().map(word).collect(),
            passages: Vec::new(),
        }
    }

    /// Three subjects, one pure document of each, and a blend of 2, 1 and 1 words.
    fn task() -> BlendTask {
        let documents =
            vec![document(&[1; 4]), document(&[0, 0, 1, 2]), document(&[2; 4]), document(&[0; 4])];
        BlendTask {
            key: String::new(),
            places: vec![0, 1, 2, 3],
            corpora: vec![0, 1, 2],
            documents,
            counts: WordCounts::new(),
        }
    }

    /// The truth, with the topic `topics[s]` for the subject s.
    fn truth(task: &BlendTask, topics: [usize; 3]) -> Answer {
        let one = |subject: usize| -> Vec<f64> {
            (0..3).map(|k| if k == topics[subject] { 1.0 } else { 0.0 }).collect()
        };
        let words = |document: &Composed| -> Vec<Vec<f64>> {
            document.words.iter().map(|word| one(word.subject)).collect()
        };
        let words: Vec<Vec<Vec<f64>>> = task.documents.iter().map(words).collect();
        let mean = |words: &Vec<Vec<f64>>| -> Vec<f64> {
            (0..3).map(|k| words.iter().map(|word| word[k]).sum::<f64>() / 4.0).collect()
        };
        Answer { shares: words.iter().map(mean).collect(), words }
    }

    #[test]
    fn the_truth_has_no_error_whatever_the_order_of_the_topics() {
        let task = task();
        for topics in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let TaskScore { error, pure_error, words_placed, mut shares } =
                truth(&task, topics).judged(&task);
            assert_eq!((error, pure_error, words_placed), (0.0, 0.0, 1.0), "{topics:?}");
            shares.sort_by(|a, b| b.0.total_cmp(&a.0));
            assert_eq!(shares, [(0.5, 0.5), (0.25, 0.25), (0.25, 0.25)]);
        }
    }

    #[test]
    fn even_answers_place_one_word_in_k_right() {
        let task = task();
        let score = Answer::even(&task).judged(&task);
        assert!((score.words_placed - 1.0 / 3.0).abs() < 1e-12);
        assert!((score.pure_error - 2.0 / 3.0).abs() < 1e-12);
        // |1/3 − 1/2| and twice |1/3 − 1/4|
        assert!((score.error - (1.0 / 6.0 + 2.0 / 12.0) / 3.0).abs() < 1e-12, "{}", score.error);
    }

    #[test]
    fn a_blend_that_goes_whole_to_one_subject_has_the_words_of_that_subject_right() {
        let task = task();
        // The pure documents as they are, and the blend to the subject 1.
        let score = Answer::whole(&task, &[1, 1, 2, 0]).judged(&task);
        assert_eq!(score.pure_error, 0.0);
        assert!((score.words_placed - 1.0 / 3.0).abs() < 1e-12);
        assert!((score.error - (0.5 + 0.75 + 0.25) / 3.0).abs() < 1e-12, "{}", score.error);
    }

    #[test]
    fn topics_are_found_by_the_pure_documents_and_not_by_the_blends() {
        let task = task();
        let mut answer = truth(&task, [0, 1, 2]);
        // The blend speaks of subject 1 where it should of subject 0.
        answer.shares[1] = vec![0.25, 0.5, 0.25];
        let score = answer.judged(&task);
        assert_eq!(score.pure_error, 0.0);
        assert!((score.error - 0.5 / 3.0).abs() < 1e-12, "{}", score.error);
    }

    #[test]
    fn what_is_no_topic_has_no_share_and_a_word_without_topics_is_even() {
        let task = task();
        let mut answer = truth(&task, [0, 1, 2]);
        for word in answer.words.iter_mut().flatten() {
            // The rest is a background's.
            word.iter_mut().for_each(|share| *share *= 0.2);
        }
        assert!((answer.judged(&task).words_placed - 1.0).abs() < 1e-12);
        answer.words[1][3].clear();
        // Subject 2 has this word only.
        assert!((answer.judged(&task).words_placed - (1.0 + 1.0 + 1.0 / 3.0) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_blend_alone_has_its_topics_by_its_words() {
        let task = task();
        let alone = task.alone();
        assert_eq!(alone.documents, [task.documents[1].clone()]);
        assert_eq!(alone.places, [1]);
        let mut answer = truth(&task, [2, 0, 1]);
        answer.shares = vec![answer.shares[1].clone()];
        answer.words = vec![answer.words[1].clone()];
        assert_eq!(answer.judged_by_words(&alone), 1.0);
        assert!((Answer::even(&alone).judged_by_words(&alone) - 1.0 / 3.0).abs() < 1e-12);
    }
}
