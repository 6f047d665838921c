//! Which terms of some documents become the vocabulary.

use std::collections::HashMap;

use super::TextSettings;

/// Chooses the terms of a vocabulary from tokenised documents.
///
/// Two filters take turns until neither removes anything: a term must stand in
/// [`min_documents`](TextSettings::min_documents) documents and in no larger share of them than
/// [`max_document_share`](TextSettings::max_document_share); a document must have
/// [`min_document_words`](TextSettings::min_document_words) words that are terms. Without the
/// repetition, a term could rest on documents that training never sees.
#[derive(Clone, Debug, Default)]
pub struct TermSelection {
    numbers: HashMap<String, usize>,
    /// Each document's terms, by number, with their counts.
    documents: Vec<Vec<(usize, usize)>>,
}

impl TermSelection {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document by its words, repetitions included.
    pub fn push_document<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for word in words {
            let number = match self.numbers.get(word) {
                Some(&number) => number,
                None => {
                    let number = self.numbers.len();
                    self.numbers.insert(word.to_owned(), number);
                    number
                }
            };
            *counts.entry(number).or_default() += 1;
        }
        self.documents.push(counts.into_iter().collect());
    }

    /// The chosen terms in alphabetical order.
    pub fn terms(&self, settings: &TextSettings) -> Vec<String> {
        let mut is_term = vec![true; self.numbers.len()];
        let mut documents: Vec<&Vec<(usize, usize)>> = self.documents.iter().collect();
        loop {
            let removed_terms = filter_terms(&mut is_term, &documents, settings);
            let before = documents.len();
            documents.retain(|document| {
                let words = document.iter().filter(|&&(term, _)| is_term[term]);
                words.map(|&(_, count)| count).sum::<usize>() >= settings.min_document_words
            });
            if !removed_terms && documents.len() == before {
                break;
            }
        }
        let chosen = self.numbers.iter().filter(|&(_, &number)| is_term[number]);
        let mut terms: Vec<String> = chosen.map(|(term, _)| term.clone()).collect();
        terms.sort_unstable();
        terms
    }
}

/// Strikes out the terms that stand in too few or too many documents; says whether there were any.
fn filter_terms(
    is_term: &mut [bool],
    documents: &[&Vec<(usize, usize)>],
    settings: &TextSettings,
) -> bool {
    let mut frequencies = vec![0_usize; is_term.len()];
    for &(term, _) in documents.iter().copied().flatten() {
        frequencies[term] += 1;
    }
    let mut removed = false;
    for (kept, &frequency) in is_term.iter_mut().zip(&frequencies) {
        // The quotient, not a product: 29 of 100 documents are a share of exactly 0.29.
        let share = frequency as f64 / documents.len() as f64;
        let frequent_enough = frequency >= settings.min_documents.max(1);
        if *kept && !(frequent_enough && share <= settings.max_document_share) {
            *kept = false;
            removed = true;
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn settings(min_documents: usize, share: f64, min_document_words: usize) -> TextSettings {
        TextSettings {
            min_documents,
            max_document_share: share,
            min_document_words,
            ..TextSettings::default()
        }
    }

    fn terms(documents: &[Vec<&str>], settings: &TextSettings) -> Vec<String> {
        let mut selection = TermSelection::new();
        for document in documents {
            selection.push_document(document.iter().copied());
        }
        selection.terms(settings)
    }

    #[test]
    fn a_term_stands_in_enough_documents() {
        let documents = [vec!["a", "a", "b"], vec!["b", "c"], vec!["c", "a"]];
        assert_eq!(terms(&documents, &settings(2, 1.0, 0)), ["a", "b", "c"]);
        assert_eq!(terms(&documents, &settings(3, 1.0, 0)), [""; 0]);
    }

    #[test]
    fn a_term_stands_in_no_larger_share_than_allowed() {
        let documents: Vec<_> =
            (0..100).map(|n| if n < 29 { vec!["a", "all"] } else { vec!["all"] }).collect();
        assert_eq!(terms(&documents, &settings(1, 0.29, 0)), ["a"]);
        assert_eq!(terms(&documents, &settings(1, 0.28, 0)), [""; 0]);
    }

    #[test]
    fn the_filters_take_turns_until_nothing_changes() {
        // Round 1 strikes out r, and with it the fifth document; round 2 strikes out q, and with it
        // the fourth; round 3 strikes out p. Only a and b remain.
        let documents =
            [vec!["a", "b", "p"], vec!["a", "b"], vec!["a", "b"], vec!["p", "q"], vec!["q", "r"]];
        assert_eq!(terms(&documents, &settings(2, 1.0, 2)), ["a", "b"]);
        assert_eq!(terms(&documents, &settings(2, 1.0, 1)), ["a", "b", "p", "q"]);
    }

    #[test]
    fn no_documents_give_no_terms() {
        assert_eq!(terms(&[], &TextSettings::default()), [""; 0]);
    }

    /// The same by sets and repeated scans, with no counters to keep in step.
    fn brute_force(documents: &[Vec<&str>], settings: &TextSettings) -> Vec<String> {
        let mut terms: BTreeSet<&str> = documents.iter().flatten().copied().collect();
        let mut kept = documents.to_vec();
        loop {
            let state = (terms.len(), kept.len());
            let holds = |term: &str| kept.iter().filter(|words| words.contains(&term)).count();
            let enough = |term: &str| holds(term) >= settings.min_documents;
            let seldom =
                |term: &str| holds(term) as f64 / kept.len() as f64 <= settings.max_document_share;
            terms = terms.iter().copied().filter(|term| enough(term) && seldom(term)).collect();
            kept.retain(|words| {
                words.iter().filter(|word| terms.contains(*word)).count()
                    >= settings.min_document_words
            });
            if state == (terms.len(), kept.len()) {
                return terms.into_iter().map(str::to_owned).collect();
            }
        }
    }

    proptest! {
        #[test]
        fn the_selection_is_that_of_the_definition(
            documents in vec(vec(0..12_usize, 0..9), 0..14),
            min_documents in 1..5_usize,
            percent in 1..=100_u32,
            min_document_words in 0..6_usize,
        ) {
            let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
            let documents: Vec<Vec<&str>> = documents
                .iter()
                .map(|words| words.iter().map(|&word| names[word]).collect())
                .collect();
            let settings = settings(min_documents, f64::from(percent) / 100.0, min_document_words);
            prop_assert_eq!(terms(&documents, &settings), brute_force(&documents, &settings));
        }
    }
}
