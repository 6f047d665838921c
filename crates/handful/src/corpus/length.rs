//! Makes documents of a given length from those of a corpus.

use super::WordCounts;
use super::episode::MOST_DRAWN_SINGLY;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Joins further documents to those of an episode that are shorter than `length`. Takes them in
/// random order, each at most once, while there are any left. Adds pairs to `joined`: the row in
/// the episode, and the document joined to it.
pub(super) fn join_further(
    documents: &WordCounts,
    length: usize,
    chosen: &[usize],
    stream: &mut ChaCha8Rng,
    joined: &mut Vec<(usize, usize)>,
) {
    let all = 0..documents.documents();
    let mut further: Vec<usize> = all.filter(|n| !chosen.contains(n)).collect();
    for (row, &n) in chosen.iter().enumerate() {
        let mut words = documents.words(n);
        while words < length as u64 && !further.is_empty() {
            let other = further.swap_remove(stream.random_range(0..further.len()));
            words += documents.words(other);
            joined.push((row, other));
        }
    }
}

/// Draws `length` words from the documents `parts` taken together, or all if there are fewer,
/// uniformly and without replacement (Knuth's algorithm S). Returns terms in increasing order.
pub fn draw_words(
    documents: &WordCounts,
    parts: impl Iterator<Item = usize>,
    length: usize,
    stream: &mut ChaCha8Rng,
) -> Vec<(u32, u32)> {
    let mut counts: Vec<(u32, u32)> = parts.flat_map(|n| documents.row(n)).collect();
    counts.sort_unstable_by_key(|&(term, _)| term);
    counts.dedup_by(|next, before| {
        let is_same = next.0 == before.0;
        before.1 = before.1.saturating_add(if is_same { next.1 } else { 0 });
        is_same
    });
    let mut left: u64 = counts.iter().map(|&(_, count)| u64::from(count)).sum();
    let mut wanted = left.min(length as u64);
    for (_, count) in &mut counts {
        let mut drawn = 0;
        // Of a count that would take long, the words that are wanted are drawn instead: as many of them
        // are this term's as of this term's words are wanted.
        if *count > MOST_DRAWN_SINGLY && wanted < u64::from(*count) {
            for i in 0..wanted {
                drawn += u32::from(stream.random_range(0..left - i) < u64::from(*count - drawn));
            }
            wanted -= u64::from(drawn);
            left -= u64::from(*count);
            *count = drawn;
            continue;
        }
        for _ in 0..*count {
            let is_drawn = stream.random_range(0..left) < wanted;
            drawn += u32::from(is_drawn);
            wanted -= u64::from(is_drawn);
            left -= 1;
        }
        *count = drawn;
    }
    counts
}

/// Whether there are enough words for `size` documents of `length` words each, whichever documents
/// are joined.
///
/// Before its last part is joined, a document has at most `length` − 1 words. So however they are
/// joined, the other `size` − 1 documents use at most `length` − 1 words each, plus the `size` − 1
/// longest documents of the corpus.
pub(super) fn has_words_for(documents: &WordCounts, size: usize, length: usize) -> bool {
    let mut words: Vec<u64> = (0..documents.documents()).map(|n| documents.words(n)).collect();
    words.sort_unstable_by(|a, b| b.cmp(a));
    let others = size - 1;
    let most: u64 = words.iter().take(others).sum();
    let length = length as u64;
    documents.total_words() >= most + others as u64 * (length - 1) + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Corpus, Episode, EpisodeSampler, EpisodeSettings};
    use crate::random::{Purpose, stream};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn corpus(rows: &[Vec<u32>]) -> Corpus {
        let mut documents = WordCounts::new();
        rows.iter().for_each(|row| documents.push_row((0..).zip(row.iter().copied())));
        let ids = (0..rows.len()).map(|n| n.to_string()).collect();
        Corpus { name: "c".to_owned(), ids, documents }
    }

    fn settings(support_size: usize, length: usize) -> EpisodeSettings {
        EpisodeSettings { support_size, length: Some(length), ..EpisodeSettings::default() }
    }

    fn draw(corpus: &Corpus, settings: EpisodeSettings, seed: u64) -> Episode {
        let sampler = EpisodeSampler::new(vec![corpus], settings).unwrap();
        let mut episode = Episode::default();
        sampler.draw(&mut stream(seed, Purpose::Training, 0), &mut episode).unwrap();
        episode
    }

    /// Returns the number of words of each document, in support and query together.
    fn lengths(episode: &Episode) -> Vec<u64> {
        let words = |n| episode.support.words(n) + episode.query.words(n);
        (0..episode.support.documents()).map(words).collect()
    }

    proptest! {
        #[test]
        fn documents_have_as_many_words_as_asked_for_and_share_none(
            rows in prop::collection::vec(prop::collection::vec(0u32..6, 5), 3..30),
            size in 1usize..4,
            length in 1usize..60,
            seed in any::<u64>(),
        ) {
            let corpus = corpus(&rows);
            let settings = settings(size, length);
            prop_assume!(settings.suits(&corpus));
            let episode = draw(&corpus, settings, seed);
            prop_assert_eq!(lengths(&episode), vec![length as u64; size]);
            let joined = episode.joined.iter().map(|&(_, n)| n);
            let parts: Vec<usize> = episode.documents.iter().copied().chain(joined).collect();
            prop_assert_eq!(parts.iter().collect::<BTreeSet<_>>().len(), parts.len());
            for (row, &n) in episode.documents.iter().enumerate() {
                let joined = episode.joined.iter().filter(|&&(r, _)| r == row).map(|&(_, n)| n);
                let parts: Vec<usize> = std::iter::once(n).chain(joined).collect();
                let of_term = |term: usize| parts.iter().map(|&n| rows[n][term]).sum::<u32>();
                let mut left: Vec<u32> = (0..5).map(of_term).collect();
                for (term, count) in episode.support.row(row).chain(episode.query.row(row)) {
                    prop_assert!(count <= left[term as usize]);
                    left[term as usize] -= count;
                }
            }
        }
    }

    #[test]
    fn a_document_that_is_long_enough_is_left_alone() {
        let corpus = corpus(&[vec![9, 9, 9], vec![9, 9, 9], vec![9, 9, 9]]);
        assert!(draw(&corpus, settings(2, 27), 1).joined.is_empty());
        assert_eq!(draw(&corpus, settings(1, 28), 1).joined.len(), 1);
    }

    #[test]
    fn a_corpus_with_too_few_words_gives_what_it_has() {
        let corpus = corpus(&[vec![4], vec![3], vec![2]]);
        assert!(!settings(2, 6).suits(&corpus));
        for seed in 0..20 {
            let lengths = lengths(&draw(&corpus, settings(2, 6), seed));
            assert!(lengths.iter().all(|&words| words <= 6) && lengths.len() == 2, "{lengths:?}");
        }
    }

    #[test]
    fn no_order_of_documents_leaves_one_short() {
        // If a 4 is joined to one 5, the other 5 still finds a 4.
        let rows = [vec![5], vec![5], vec![4], vec![4]];
        assert!(settings(2, 7).suits(&corpus(&rows)));
        // Here the other 5 finds nothing.
        assert!(!settings(2, 7).suits(&corpus(&rows[..3])));
        assert!(!settings(5, 1).suits(&corpus(&rows)), "there are four documents");
    }

    #[test]
    fn every_word_is_drawn_equally_often() {
        let corpus = corpus(&[vec![1, 2, 0], vec![0, 1, 4]]);
        let mut times = [0u32; 3];
        for number in 0..40_000 {
            let stream = &mut stream(1, Purpose::Training, number);
            let words = draw_words(&corpus.documents, [0, 1].into_iter(), 3, stream);
            words.iter().for_each(|&(term, count)| times[term as usize] += count);
        }
        // Three of eight words are drawn, so each is drawn 15,000 times. Five standard deviations
        // of the last term's count, which is hypergeometric, are 732.
        for (times, words) in times.into_iter().zip([1, 3, 4]) {
            assert!(times.abs_diff(15_000 * words) < 732, "{times}");
        }
    }
}
