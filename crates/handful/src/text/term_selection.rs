//! Chooses the vocabulary from the terms of documents.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::TextSettings;

/// Chooses the terms of a vocabulary from tokenised documents.
///
/// Two filters alternate until neither removes anything:
///
/// - A term must occur in at least [`min_documents`](TextSettings::min_documents) documents, in at
///   most a share of [`max_document_share`](TextSettings::max_document_share) of them, and in at
///   least [`min_corpora`](TextSettings::min_corpora) corpora.
/// - A document must have at least [`min_document_words`](TextSettings::min_document_words) words
///   that are terms.
///
/// Without the repetition, a term could depend on documents that training never sees. If more than
/// [`max_terms`](TextSettings::max_terms) terms remain, those in the fewest documents are removed,
/// and the filters run again.
#[derive(Clone, Debug, Default)]
pub struct TermSelection {
    numbers: HashMap<String, usize>,
    corpora: HashMap<String, usize>,
    documents: Vec<Document>,
}

#[derive(Clone, Debug)]
struct Document {
    corpus: usize,
    /// Term numbers with their counts.
    terms: Vec<(usize, usize)>,
}

impl TermSelection {
    /// A selection without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document of `corpus`. `words` are all its words, including repetitions.
    pub fn push_document<'a>(&mut self, corpus: &str, words: impl IntoIterator<Item = &'a str>) {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for word in words {
            *counts.entry(number_of(&mut self.numbers, word)).or_default() += 1;
        }
        let corpus = number_of(&mut self.corpora, corpus);
        self.documents.push(Document { corpus, terms: counts.into_iter().collect() });
    }

    /// Returns the chosen terms in alphabetical order.
    pub fn terms(&self, settings: &TextSettings) -> Vec<String> {
        let mut is_term = vec![true; self.numbers.len()];
        let mut documents: Vec<&Document> = self.documents.iter().collect();
        // Sorts by corpus, because `corpus_frequencies` expects the documents of a corpus together.
        documents.sort_by_key(|document| document.corpus);
        loop {
            let removed_terms = filter_terms(&mut is_term, &documents, settings);
            let before = documents.len();
            documents.retain(|document| {
                let words = document.terms.iter().filter(|&&(term, _)| is_term[term]);
                words.map(|&(_, count)| count).sum::<usize>() >= settings.min_document_words
            });
            let settled = !removed_terms && documents.len() == before;
            if settled && !self.strike_out_rarest(&mut is_term, &documents, settings.max_terms) {
                break;
            }
        }
        let chosen = self.numbers.iter().filter(|&(_, &number)| is_term[number]);
        let mut terms: Vec<String> = chosen.map(|(term, _)| term.clone()).collect();
        terms.sort_unstable();
        terms
    }

    /// Removes terms until `most` are left, and returns whether it removed any. Removes those in
    /// the fewest documents first and, among equals, the last in alphabetical order.
    fn strike_out_rarest(
        &self,
        is_term: &mut [bool],
        documents: &[&Document],
        most: Option<usize>,
    ) -> bool {
        let mut terms: Vec<(&String, usize)> =
            self.numbers.iter().map(|(term, &number)| (term, number)).collect();
        terms.retain(|&(_, number)| is_term[number]);
        let Some(most) = most.filter(|&most| most < terms.len()) else { return false };
        let frequencies = document_frequencies(is_term.len(), documents);
        terms.sort_unstable_by_key(|&(term, number)| (Reverse(frequencies[number]), term));
        terms[most..].iter().for_each(|&(_, number)| is_term[number] = false);
        true
    }
}

/// Returns the number of `name`, and assigns the next number to a new name.
fn number_of(numbers: &mut HashMap<String, usize>, name: &str) -> usize {
    if let Some(&number) = numbers.get(name) {
        return number;
    }
    numbers.insert(name.to_owned(), numbers.len());
    numbers.len() - 1
}

/// Counts the documents each term occurs in.
fn document_frequencies(terms: usize, documents: &[&Document]) -> Vec<usize> {
    let mut frequencies = vec![0; terms];
    for &(term, _) in documents.iter().flat_map(|document| &document.terms) {
        frequencies[term] += 1;
    }
    frequencies
}

/// Counts the corpora each term occurs in. `documents` must be sorted by corpus.
fn corpus_frequencies(terms: usize, documents: &[&Document]) -> Vec<usize> {
    let (mut frequencies, mut last) = (vec![0; terms], vec![None; terms]);
    for document in documents {
        for &(term, _) in &document.terms {
            if last[term] != Some(document.corpus) {
                last[term] = Some(document.corpus);
                frequencies[term] += 1;
            }
        }
    }
    frequencies
}

/// Removes the terms that occur in too few or too many documents or in too few corpora. Returns
/// whether it removed any.
fn filter_terms(is_term: &mut [bool], documents: &[&Document], settings: &TextSettings) -> bool {
    let frequencies = document_frequencies(is_term.len(), documents);
    let corpora = corpus_frequencies(is_term.len(), documents);
    let mut removed = false;
    for ((kept, frequency), corpora) in is_term.iter_mut().zip(frequencies).zip(corpora) {
        // Divides rather than multiplies: 29 of 100 documents are a share of exactly 0.29.
        let share = frequency as f64 / documents.len() as f64;
        let frequent_enough =
            frequency >= settings.min_documents.max(1) && corpora >= settings.min_corpora;
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
        for (n, document) in documents.iter().enumerate() {
            selection.push_document(corpus_of(n), document.iter().copied());
        }
        selection.terms(settings)
    }

    /// Assigns documents to three corpora in turn.
    fn corpus_of(document: usize) -> &'static str {
        ["x", "y", "z"][document % 3]
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
        // Round 1 removes r, and with it the fifth document. Round 2 removes q, and with it the
        // fourth. Round 3 removes p. Only a and b remain.
        let documents =
            [vec!["a", "b", "p"], vec!["a", "b"], vec!["a", "b"], vec!["p", "q"], vec!["q", "r"]];
        assert_eq!(terms(&documents, &settings(2, 1.0, 2)), ["a", "b"]);
        assert_eq!(terms(&documents, &settings(2, 1.0, 1)), ["a", "b", "p", "q"]);
    }

    #[test]
    fn a_term_stands_in_enough_corpora() {
        let documents = [vec!["a", "b"], vec!["a"], vec!["a"], vec!["b", "c"], vec!["c"]];
        let settings = |min_corpora| TextSettings { min_corpora, ..settings(1, 1.0, 0) };
        assert_eq!(terms(&documents, &settings(1)), ["a", "b", "c"]);
        assert_eq!(terms(&documents, &settings(2)), ["a", "c"]);
        assert_eq!(terms(&documents, &settings(3)), ["a"]);
    }

    #[test]
    fn of_too_many_terms_the_rarest_are_struck_out_and_then_the_filters_go_on() {
        let documents = [vec!["a", "b"], vec!["a", "b"], vec!["a", "d"], vec!["c", "d"], vec!["a"]];
        let settings =
            |words, most| TextSettings { max_terms: Some(most), ..settings(1, 1.0, words) };
        assert_eq!(terms(&documents, &settings(0, 4)), ["a", "b", "c", "d"]);
        assert_eq!(terms(&documents, &settings(0, 3)), ["a", "b", "d"]);
        assert_eq!(terms(&documents, &settings(0, 2)), ["a", "b"]);
        // Without c, the fourth document has one word and goes, but d still occurs in the third.
        assert_eq!(terms(&documents, &settings(2, 3)), ["a", "b", "d"]);
        // Without d as well, only the first two have two words.
        assert_eq!(terms(&documents, &settings(2, 2)), ["a", "b"]);
    }

    #[test]
    fn no_documents_give_no_terms() {
        assert_eq!(terms(&[], &TextSettings::default()), [""; 0]);
    }

    /// Selects terms with sets and repeated scans, without counters to keep in step.
    fn brute_force(documents: &[Vec<&str>], settings: &TextSettings) -> Vec<String> {
        let mut terms: BTreeSet<&str> = documents.iter().flatten().copied().collect();
        let mut kept: Vec<(usize, &Vec<&str>)> = documents.iter().enumerate().collect();
        loop {
            let state = (terms.len(), kept.len());
            let holders = |term: &str| -> Vec<usize> {
                let holders = kept.iter().filter(|(_, words)| words.contains(&term));
                holders.map(|&(n, _)| n).collect()
            };
            terms.retain(|term| {
                let holders = holders(term);
                let corpora: BTreeSet<&str> = holders.iter().map(|&n| corpus_of(n)).collect();
                let share = holders.len() as f64 / kept.len() as f64;
                holders.len() >= settings.min_documents
                    && corpora.len() >= settings.min_corpora
                    && share <= settings.max_document_share
            });
            kept.retain(|(_, words)| {
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
            min_corpora in 1..4_usize,
        ) {
            let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
            let documents: Vec<Vec<&str>> = documents
                .iter()
                .map(|words| words.iter().map(|&word| names[word]).collect())
                .collect();
            let share = f64::from(percent) / 100.0;
            let settings = TextSettings {
                min_corpora,
                ..settings(min_documents, share, min_document_words)
            };
            prop_assert_eq!(terms(&documents, &settings), brute_force(&documents, &settings));
        }
    }
}
