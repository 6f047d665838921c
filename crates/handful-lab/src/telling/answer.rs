//! What a method says of a task, and how well its terms tell.

use super::{Folding, TellingTask};
use crate::assignment::best_order;
use crate::topics_shown::mean;
use handful::internals::corpus::WordCounts;
use handful::internals::evaluate::{Presence, adjusted_rand_index, diversity};
use std::collections::{BTreeMap, BTreeSet};

/// Documents with at least as many words should contain a term, and topics with at least as many have
/// words enough not to be named by those that come once.
const LONG: usize = 100;

/// What a method says of a task: the topic of each document of the handful, and the terms it shows for
/// each topic, the first first. A phrase is a term whose words are separated by spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TellingAnswer {
    /// For each document, its topic.
    pub groups: Vec<usize>,
    /// For each topic, its terms.
    pub terms: Vec<Vec<String>>,
}

/// How well the terms of a task tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TellingScore {
    /// The share of other documents that the terms give to the topic of their corpus.
    pub telling: f64,
    /// The adjusted Rand index of the handful's groups.
    pub ari: f64,
    /// The share of long other documents that contain a term of any topic.
    pub reached: Option<f64>,
    /// The share of distinct terms.
    pub diversity: Option<f64>,
    /// The share of common terms.
    pub common: Option<f64>,
    /// Among terms of long topics, the share that the handful says at most once.
    pub once: Option<f64>,
    /// The NPMI of a topic's terms in the other documents.
    pub coherence: Option<f64>,
}

/// A term's words in the forms that stand for all forms.
type FoldedTerm = Vec<String>;

impl TellingAnswer {
    /// Judges an answer. `common` has the common words, if it is known which are.
    pub fn judged(
        &self,
        task: &TellingTask,
        folding: Folding<'_>,
        common: Option<&BTreeSet<&str>>,
    ) -> TellingScore {
        let fold = |terms: &Vec<String>| -> BTreeSet<FoldedTerm> {
            terms.iter().map(|term| folding.term(term)).collect()
        };
        let folded: Vec<BTreeSet<FoldedTerm>> = self.terms.iter().map(fold).collect();
        // For each other document, how many terms of each topic it contains.
        let contained: Vec<Vec<usize>> = task
            .others
            .iter()
            .map(|other| {
                let count = |terms: &BTreeSet<FoldedTerm>| {
                    terms.iter().filter(|term| other.words.count(term) > 0).count()
                };
                folded.iter().map(count).collect()
            })
            .collect();
        let long = task.others.iter().zip(&contained).filter(|(it, _)| it.words.words() >= LONG);
        let is_common =
            |common: &BTreeSet<&str>, term: &str| term.split(' ').all(|word| common.contains(word));
        let all_terms = || self.terms.iter().flatten();
        TellingScore {
            telling: self.telling(task, &contained),
            ari: adjusted_rand_index(&self.groups, &task.classes()),
            reached: share(long.map(|(_, contained)| contained.iter().any(|&terms| terms > 0))),
            diversity: diversity(&numbered(self.terms.iter().map(|terms| terms.iter()))),
            common: common.and_then(|it| share(all_terms().map(|term| is_common(it, term)))),
            once: share(self.said_at_most_once(task, folding)),
            coherence: coherence(task, &folded),
        }
    }

    /// The topic that stands for each subject: of all ways to give each a topic of its own, the one that
    /// places most documents of the handful.
    fn topics_of_subjects(&self, task: &TellingTask) -> Vec<usize> {
        let topics = self.groups.iter().max().map_or(0, |last| last + 1).max(self.terms.len());
        let classes = task.classes();
        let placed = |order: &[usize]| {
            let pairs = classes.iter().zip(&self.groups);
            pairs.filter(|(subject, group)| order[**subject] == **group).count() as f64
        };
        best_order(topics.max(task.subjects()), placed)
    }

    /// The share of the other documents that go to the topic of their subject. Each goes to the topic of
    /// whose terms it contains most; several such topics share it equally, and all share a document
    /// without any term.
    fn telling(&self, task: &TellingTask, contained: &[Vec<usize>]) -> f64 {
        let topics = self.topics_of_subjects(task);
        let right = task.others.iter().zip(contained).map(|(other, contained)| {
            let most = contained.iter().max();
            let tied = contained.iter().filter(|terms| Some(*terms) == most).count();
            let own = contained.get(topics[other.subject]);
            if own.is_some() && own == most { 1.0 / tied as f64 } else { 0.0 }
        });
        right.sum::<f64>() / task.others.len().max(1) as f64
    }

    /// For each term of a topic of many words, stop words not counted, whether the handful says it at most
    /// once, in any form.
    fn said_at_most_once(
        &self,
        task: &TellingTask,
        folding: Folding<'_>,
    ) -> impl Iterator<Item = bool> {
        let mut words = vec![0; self.terms.len()];
        for (n, &group) in self.groups.iter().enumerate() {
            if let Some(words) = words.get_mut(group) {
                *words += task.counts.row(n).map(|(_, count)| count as usize).sum::<usize>();
            }
        }
        let long = self.terms.iter().zip(words).filter(|(_, words)| *words >= LONG);
        long.flat_map(|(terms, _)| terms).map(move |term| {
            let term = folding.term(term);
            task.handful.iter().map(|document| document.words.count(&term)).sum::<usize>() <= 1
        })
    }
}

/// The share of what is true; `None` of nothing.
fn share(values: impl Iterator<Item = bool>) -> Option<f64> {
    mean(values.map(|value| Some(f64::from(u8::from(value)))))
}

/// Numbers the terms of topics, equal ones alike.
fn numbered<'t, T: Ord + 't>(
    topics: impl Iterator<Item = impl Iterator<Item = &'t T>>,
) -> Vec<Vec<u32>> {
    let mut numbers: BTreeMap<&T, u32> = BTreeMap::new();
    let mut number = |term: &'t T| {
        let next = numbers.len() as u32;
        *numbers.entry(term).or_insert(next)
    };
    topics.map(|terms| terms.map(&mut number).collect()).collect()
}

/// The mean NPMI of the topics' terms in the other documents.
fn coherence(task: &TellingTask, topics: &[BTreeSet<FoldedTerm>]) -> Option<f64> {
    let numbers = numbered(topics.iter().map(BTreeSet::iter));
    let terms: BTreeMap<u32, &FoldedTerm> =
        numbers.iter().flatten().copied().zip(topics.iter().flatten()).collect();
    let mut documents = WordCounts::new();
    for other in &task.others {
        let said = terms.iter().filter(|(_, term)| other.words.count(term) > 0);
        documents.push_row(said.map(|(&number, _)| (number, 1)));
    }
    let presence = Presence::of(&documents, terms.len());
    let others = presence.except(&[]);
    mean(numbers.iter().map(|terms| others.coherence(terms)))
}

#[cfg(test)]
mod tests {
    use super::super::{HandfulDocument, OtherDocument};
    use super::*;
    use handful::text::Vocabulary;

    const WORDS: [&str; 7] = ["bee", "hive", "honey", "sail", "wind", "boat", "said"];

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// Bees and boats: two documents of each, of 60 words, and five others.
    fn task(folding: Folding<'_>) -> TellingTask {
        let text = |subject: usize| ["bee hive said", "boat sail said"][subject].to_owned();
        let document = |(n, subject): (usize, usize)| HandfulDocument {
            subject,
            id: n.to_string(),
            text: text(subject),
            words: folding.text(&words(&text(subject))),
        };
        let mut counts = WordCounts::new();
        [0, 3, 0, 3].iter().for_each(|&first| counts.push_row([(first, 30), (first + 1, 30)]));
        let long = "word ".repeat(100);
        let other = |(subject, text): (usize, String)| OtherDocument {
            subject,
            id: String::new(),
            words: folding.text(&words(&text)),
        };
        let others = [
            (0, "bees hive".to_owned()),
            (0, format!("{long}bee sail")),
            (1, "boat wind hive".to_owned()),
            (1, "nothing".to_owned()),
            (1, format!("{long}honey")),
        ];
        TellingTask {
            key: String::new(),
            corpora: vec![4, 2],
            handful: [0, 1, 0, 1].into_iter().enumerate().map(document).collect(),
            counts,
            others: others.into_iter().map(other).collect(),
        }
    }

    fn answer(groups: [usize; 4], terms: &[&[&str]]) -> TellingAnswer {
        let owned = |terms: &&[&str]| terms.iter().map(|&term| term.to_owned()).collect();
        TellingAnswer { groups: groups.to_vec(), terms: terms.iter().map(owned).collect() }
    }

    fn judged(answer: &TellingAnswer) -> TellingScore {
        let vocabulary = Vocabulary::from_terms(WORDS.map(str::to_owned).to_vec()).unwrap();
        let folding = Folding::new(&vocabulary);
        answer.judged(&task(folding), folding, Some(&BTreeSet::from(["said"])))
    }

    #[test]
    fn documents_go_to_the_topic_of_whose_terms_they_contain_most() {
        // The topics are in the other order than the subjects.
        let terms: [&[&str]; 2] = [&["boat", "sail", "wind", "said"], &["bee", "hive", "said"]];
        let score = judged(&answer([1, 0, 1, 0], &terms));
        // Two of two terms; a tie of one each; two against one; a document without a term, which is
        // shared; and another: honey is nobody's.
        assert!((score.telling - (1.0 + 0.5 + 1.0 + 0.5 + 0.5) / 5.0).abs() < 1e-12, "{score:?}");
        assert_eq!(score.ari, 1.0);
        assert_eq!(score.reached, Some(0.5), "of the two long documents one has a term");
        assert_eq!(score.diversity, Some(6.0 / 7.0));
        assert_eq!(score.common, Some(2.0 / 7.0));
        // Topics have 120 words each. Of the seven terms the handful does not say `wind`.
        assert_eq!(score.once, Some(1.0 / 7.0));
    }

    #[test]
    fn forms_of_one_word_are_one_term() {
        let one = judged(&answer([0, 1, 0, 1], &[&["bee"], &["sail", "hive"]]));
        let forms = judged(&answer([0, 1, 0, 1], &[&["bee", "bees"], &["sail", "hive"]]));
        assert_eq!(one.telling, forms.telling);
    }

    #[test]
    fn a_subject_without_a_topic_of_its_own_is_never_told() {
        let score = judged(&answer([0, 0, 0, 0], &[&["bee", "boat"]]));
        // All documents go to the only topic, which stands for one of the two subjects.
        assert!((score.telling - 2.0 / 5.0).abs() < 1e-12, "{score:?}");
    }

    #[test]
    fn coherence_is_the_npmi_in_the_other_documents() {
        let score = judged(&answer([0, 1, 0, 1], &[&["bee", "hive"], &["boat", "wind"]]));
        // Of five documents two have bees, two a hive, and one both. A boat and the wind are in one.
        let bees = ((1.0f64 / 5.0) / (4.0 / 25.0)).ln() / 5.0f64.ln();
        assert!((score.coherence.unwrap() - (bees + 1.0) / 2.0).abs() < 1e-12, "{score:?}");
    }
}
