//! How often each corpus is drawn, so that no set of corpora drowns the others.

use super::{Corpus, WordCounts};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// The weights by which corpora are drawn. All corpora of a set (`set/corpus`) are equally likely. A
/// set of n corpora weighs √n in total: no set drowns the others, and a large set, which has more to
/// teach, weighs more than a small one.
#[derive(Clone, Debug)]
pub(super) struct CorpusWeights {
    corpora: usize,
    /// The sums of the weights up to each corpus. Empty if all corpora are in one set.
    cumulative: Vec<f64>,
}

/// The set that a corpus `set/corpus` belongs to; `None` for a corpus of no named set.
pub fn set_of(corpus: &Corpus) -> Option<&str> {
    corpus.name.split_once('/').map(|(set, _)| set)
}

impl CorpusWeights {
    pub(super) fn of(corpora: &[&Corpus]) -> Self {
        let mut sizes: HashMap<Option<&str>, usize> = HashMap::new();
        corpora.iter().for_each(|corpus| *sizes.entry(set_of(corpus)).or_default() += 1);
        let weights = corpora.iter().map(|corpus| (sizes[&set_of(corpus)] as f64).sqrt().recip());
        let sums = weights.scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        let cumulative = if sizes.len() < 2 { Vec::new() } else { sums.collect() };
        Self { corpora: corpora.len(), cumulative }
    }

    /// Draws a corpus.
    pub(super) fn draw(&self, stream: &mut ChaCha8Rng) -> usize {
        match self.cumulative.last() {
            None => stream.random_range(0..self.corpora),
            Some(&all) => {
                let drawn = stream.random_range(0.0..all);
                self.cumulative.partition_point(|&weight| weight <= drawn)
            }
        }
    }
}

/// Draws documents without replacement, until they have `words` words or there are no more. A
/// document's corpus is drawn as for an episode.
pub fn draw_documents(corpora: &[&Corpus], words: u64, stream: &mut ChaCha8Rng) -> WordCounts {
    let mut left: Vec<Vec<usize>> =
        corpora.iter().map(|corpus| (0..corpus.documents.documents()).collect()).collect();
    let (mut open, mut drawn) = ((0..corpora.len()).collect::<Vec<_>>(), WordCounts::new());
    let (mut weights, mut drawn_words) = (CorpusWeights::of(corpora), 0);
    while !open.is_empty() && drawn_words < words {
        let place = weights.draw(stream);
        let corpus = open[place];
        if left[corpus].is_empty() {
            // Its weight goes to the others.
            open.retain(|&other| !left[other].is_empty());
            let remaining: Vec<&Corpus> = open.iter().map(|&corpus| corpora[corpus]).collect();
            weights = CorpusWeights::of(&remaining);
            continue;
        }
        let last = left[corpus].len() - 1;
        let chosen = stream.random_range(0..=last);
        left[corpus].swap(chosen, last);
        let document = left[corpus].pop().expect("one is left");
        drawn.push_row(corpora[corpus].documents.row(document));
        drawn_words += corpora[corpus].documents.words(document);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn corpora() -> Vec<Corpus> {
        let corpus = |(name, documents): (&str, u32)| {
            let mut counts = WordCounts::new();
            (0..documents).for_each(|n| counts.push_row([(n, 10)]));
            let ids = (0..documents).map(|n| n.to_string()).collect();
            Corpus { name: name.to_owned(), ids, documents: counts }
        };
        [("a/1", 40), ("a/2", 40), ("a/3", 40), ("a/4", 40), ("b/1", 100)].map(corpus).into()
    }

    #[test]
    fn no_document_is_drawn_twice_and_all_are_in_the_end() {
        let corpora = corpora();
        let corpora: Vec<&Corpus> = corpora.iter().collect();
        let mut stream = ChaCha8Rng::seed_from_u64(1);
        let all = draw_documents(&corpora, u64::MAX, &mut stream);
        let mut terms = all.terms().to_vec();
        let mut expected: Vec<u32> = (0..4).flat_map(|_| 0..40).chain(0..100).collect();
        terms.sort_unstable();
        expected.sort_unstable();
        assert_eq!(terms, expected);
    }

    #[test]
    fn a_set_is_drawn_by_the_root_of_its_corpora() {
        let corpora = corpora();
        let corpora: Vec<&Corpus> = corpora.iter().collect();
        let mut stream = ChaCha8Rng::seed_from_u64(1);
        // Of 90 documents, two thirds are of the set with four corpora: ±15 is three deviations.
        let some = draw_documents(&corpora, 900, &mut stream);
        assert_eq!(some.documents(), 90);
        // Terms 40 and above are in documents of the other set only, which has three fifths there.
        let of_other = some.terms().iter().filter(|&&term| term >= 40).count() as f64 / 0.6;
        assert!((of_other - 30.0).abs() < 20.0, "{of_other}");
    }
}
