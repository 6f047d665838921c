//! Episodes: a few documents of one corpus, with their words split into support and query.

use super::length::{draw_words, join_further};
use super::weights::CorpusWeights;
use super::{Corpus, EpisodeSettings, SplitUnit, WordCounts};
use crate::{Error, Result};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};
use std::iter;

/// The ranges of varied episodes: the number of documents, the support rate, and the length of a
/// document in words. The numbers and the lengths are drawn uniformly on a logarithmic scale.
const DOCUMENTS: [f64; 2] = [1.0, 50.0];
const RATES: [f64; 2] = [0.5, 0.9];
const LENGTHS: [f64; 2] = [5.0, 5000.0];
/// The probability that an episode draws one of these values instead of using the setting. Most
/// uses are near the settings. Keeping them in half of the episodes makes a model as good there as
/// one trained for nothing else.
pub const VARIED: f64 = 0.5;

/// The support X and the query X' of the same documents, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Episode {
    /// The words the model sees.
    pub support: WordCounts,
    /// The words the model must predict.
    pub query: WordCounts,
    /// The index of the corpus among the sampler's corpora.
    pub corpus: usize,
    /// The indices of the documents in the corpus.
    pub documents: Vec<usize>,
    /// Documents joined to rows that were too short for the settings' length: pairs of a row and
    /// the index of the joined document in the corpus.
    pub joined: Vec<(usize, usize)>,
}

/// How many episodes without a query word may be drawn in a row. If it takes more, documents are so
/// short, or the rate is so near 1, that nothing can be learned.
const MOST_DRAWS: usize = 10_000;

/// Up to this count, every occurrence of a word is drawn by itself; more are drawn at once. Results of a
/// seed depend on it, so it never changes.
pub(super) const MOST_DRAWN_SINGLY: u32 = 10_000;

/// Draws episodes from corpora.
#[derive(Clone, Debug)]
pub struct EpisodeSampler<'a> {
    corpora: Vec<&'a Corpus>,
    weights: CorpusWeights,
    settings: EpisodeSettings,
    varied: bool,
}

impl<'a> EpisodeSampler<'a> {
    /// Creates a sampler. Each corpus must have at least one document.
    pub fn new(corpora: Vec<&'a Corpus>, settings: EpisodeSettings) -> Result<Self> {
        settings.check()?;
        debug_assert!(corpora.iter().all(|corpus| corpus.documents.documents() > 0));
        let weights = CorpusWeights::of(&corpora);
        Ok(Self { corpora, weights, settings, varied: false })
    }

    /// Varies the episodes from now on: 1 to 50 documents, half to nine tenths of their words in
    /// the support, and documents cut to 5 to 5,000 words. Each of these varies in every other
    /// episode on average.
    pub fn varied(self) -> Self {
        Self { varied: true, ..self }
    }

    /// Returns the settings of the next episode.
    fn settings(&self, stream: &mut ChaCha8Rng) -> EpisodeSettings {
        let mut settings = self.settings;
        if !self.varied {
            return settings;
        }
        if stream.random_bool(VARIED) {
            settings.support_size = log_uniform(DOCUMENTS, stream);
        }
        if stream.random_bool(VARIED) {
            settings.support_rate = stream.random_range(RATES[0]..RATES[1]);
        }
        if stream.random_bool(VARIED) {
            settings.length = Some(log_uniform(LENGTHS, stream));
        }
        settings
    }

    /// The corpora from which episodes are drawn.
    pub fn corpora(&self) -> &[&'a Corpus] {
        &self.corpora
    }

    /// Draws an episode: a corpus, N of its documents without replacement, and a split of their
    /// words by Algorithm 2. All corpora of a set are equally likely. Draws again if there is no
    /// query word.
    pub fn draw(&self, stream: &mut ChaCha8Rng, episode: &mut Episode) -> Result<()> {
        for _ in 0..MOST_DRAWS {
            episode.corpus = self.weights.draw(stream);
            let documents = &self.corpora[episode.corpus].documents;
            let EpisodeSettings { support_size, support_rate, length, split_unit } =
                self.settings(stream);
            let part = (support_rate, split_unit);
            choose(documents.documents(), support_size, stream, &mut episode.documents);
            episode.support.clear();
            episode.query.clear();
            episode.joined.clear();
            // A model soon knows joined documents of training corpora by heart. So varied episodes
            // join none: their documents may be shorter than `length`.
            if let Some(length) = length.filter(|_| !self.varied) {
                let Episode { documents: chosen, joined, .. } = episode;
                join_further(documents, length, chosen, stream, joined);
            }
            for (row, &n) in episode.documents.iter().enumerate() {
                let (support, query) = (&mut episode.support, &mut episode.query);
                match length {
                    None => split(documents.row(n), part, stream, support, query),
                    Some(length) => {
                        let joined = episode.joined.iter().filter(|(r, _)| *r == row);
                        let parts = iter::once(n).chain(joined.map(|&(_, n)| n));
                        let words = draw_words(documents, parts, length, stream);
                        split(words.into_iter(), part, stream, support, query);
                    }
                }
            }
            if episode.query.entries() > 0 {
                return Ok(());
            }
        }
        Err(Error::input(
            format!("corpus {}", self.corpora[episode.corpus].name),
            format!("{MOST_DRAWS} episodes in a row had no word to predict"),
            "lower the support rate or give longer documents",
        ))
    }
}

/// Draws a whole number from `first` to `last`, uniformly on a logarithmic scale.
pub fn log_uniform([first, last]: [f64; 2], stream: &mut ChaCha8Rng) -> usize {
    let drawn = stream.random_range((first - 0.5).ln()..(last + 0.5).ln()).exp();
    drawn.round().clamp(first, last) as usize
}

/// Chooses `size` of the numbers below `length`, or all if there are fewer, uniformly and without
/// replacement (Floyd's algorithm).
pub fn choose(length: usize, size: usize, stream: &mut ChaCha8Rng, chosen: &mut Vec<usize>) {
    chosen.clear();
    for last in length - size.min(length)..length {
        let candidate = stream.random_range(0..=last);
        chosen.push(if chosen.contains(&candidate) { last } else { candidate });
    }
}

/// Splits one document by Algorithm 2: each word goes to the support with probability `rate`,
/// independently, and otherwise to the query. If `split_unit` is a term, all words of one do.
pub fn split(
    document: impl Iterator<Item = (u32, u32)>,
    (rate, split_unit): (f64, SplitUnit),
    stream: &mut ChaCha8Rng,
    support: &mut WordCounts,
    query: &mut WordCounts,
) {
    let threshold = (rate * 2f64.powi(32)) as u64;
    let (mut support, mut query) = (support.start_row(), query.start_row());
    for (term, count) in document {
        let mut is_kept = || u64::from(stream.next_u32()) < threshold;
        let kept = if split_unit == SplitUnit::Terms {
            if is_kept() { count } else { 0 }
        } else if count <= MOST_DRAWN_SINGLY {
            (0..count).filter(|_| is_kept()).count() as u32
        } else {
            let kept = Binomial::new(count.into(), rate).expect("a rate is a probability");
            kept.sample(stream) as u32
        };
        support.push(term, kept);
        query.push(term, count - kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use proptest::prelude::*;

    #[test]
    fn varied_episodes_have_any_size_and_length() {
        // Documents of 50 words each.
        let rows: Vec<Vec<(u32, u32)>> =
            (0..60).map(|n| (n..n + 20).map(|term| (term, 1 + term % 4)).collect()).collect();
        let rows: Vec<&[(u32, u32)]> = rows.iter().map(Vec::as_slice).collect();
        let corpus = corpus("c", &rows);
        let sampler =
            EpisodeSampler::new(vec![&corpus], EpisodeSettings::default()).unwrap().varied();
        let (mut sizes, mut shorter) = ([0; 51], 0);
        for number in 0..400 {
            let mut episode = Episode::default();
            sampler.draw(&mut stream(1, Purpose::Training, number), &mut episode).unwrap();
            sizes[episode.documents.len()] += 1;
            let words = episode.support.words(0) + episode.query.words(0);
            shorter += usize::from(words < 50);
            assert!(words <= 50);
        }
        // Half have three documents, as set. Half of the others have fewer than 7, on the
        // logarithmic scale.
        let few: usize = sizes[1..7].iter().sum();
        assert!((260..340).contains(&few), "{sizes:?}");
        assert!(sizes[30..].iter().sum::<usize>() > 10, "{sizes:?}");
        // Half keep the documents' length. A third of the others, on the logarithmic scale, are
        // shorter.
        assert!((40..100).contains(&shorter), "{shorter}");
    }

    #[test]
    fn a_huge_count_is_split_at_once_and_at_the_rate() {
        let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
        let counts = [(0, 4_000_000_000), (1, u32::MAX), (2, MOST_DRAWN_SINGLY + 1)];
        let mut stream = stream(1, Purpose::Evaluation, 0);
        split(counts.into_iter(), (0.75, SplitUnit::Words), &mut stream, &mut support, &mut query);
        for (term, count) in counts {
            let (kept, asked) = (support.count_of(0, term), query.count_of(0, term));
            assert_eq!(kept + asked, count);
            // Six standard deviations of a binomial.
            let bound = 6.0 * (f64::from(count) * 0.75 * 0.25).sqrt();
            assert!((f64::from(kept) - 0.75 * f64::from(count)).abs() < bound, "{kept} of {count}");
        }
    }

    #[test]
    fn counts_of_usual_size_are_split_as_they_always_were() {
        let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
        let of_evaluation = || stream(7, Purpose::Evaluation, 3);
        let count = MOST_DRAWN_SINGLY;
        let part = (0.5, SplitUnit::Words);
        split([(0, count)].into_iter(), part, &mut of_evaluation(), &mut support, &mut query);
        let mut words = of_evaluation();
        let kept = (0..count).filter(|_| words.next_u32() < 1 << 31).count();
        assert_eq!(support.count_of(0, 0) as usize, kept);
    }

    fn corpus(name: &str, rows: &[&[(u32, u32)]]) -> Corpus {
        let mut documents = WordCounts::new();
        rows.iter().for_each(|row| documents.push_row(row.iter().copied()));
        let ids = (0..rows.len()).map(|n| n.to_string()).collect();
        Corpus { name: name.to_owned(), ids, documents }
    }

    #[test]
    fn a_large_set_of_corpora_does_not_drown_a_small_one() {
        let names = (0..9).map(|n| format!("large/{n}")).chain(["small/x".to_owned()]);
        let corpora: Vec<Corpus> = names.map(|name| corpus(&name, &[&[(0, 50)]])).collect();
        let sampler =
            EpisodeSampler::new(corpora.iter().collect(), EpisodeSettings::default()).unwrap();
        let mut times = [0u32; 10];
        for number in 0..36_000 {
            let mut episode = Episode::default();
            sampler.draw(&mut stream(1, Purpose::Training, number), &mut episode).unwrap();
            times[episode.corpus] += 1;
        }
        // The sets weigh √9 to √1: a quarter of the episodes is from the small set, a twelfth from
        // each corpus of the large one. Five standard deviations are 411 and 263.
        assert!(times[9].abs_diff(9000) < 411, "{times:?}");
        assert!(times[..9].iter().all(|times| times.abs_diff(3000) < 263), "{times:?}");
    }

    proptest! {
        #[test]
        fn splitting_conserves_every_count(
            counts in prop::collection::vec(0u32..9, 1..40),
            rate in 0.0f64..1.0,
            seed in any::<u64>(),
        ) {
            let row = || (0u32..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0);
            let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
            let mut stream = stream(seed, Purpose::Training, 0);
            split(row(), (rate, SplitUnit::Words), &mut stream, &mut support, &mut query);
            let mut sum = vec![0; counts.len()];
            for (term, count) in support.row(0).chain(query.row(0)) {
                prop_assert!(count > 0);
                sum[term as usize] += count;
            }
            prop_assert_eq!(sum, counts);
        }

        #[test]
        fn documents_are_chosen_without_replacement(
            length in 1usize..30,
            size in 1usize..30,
            seed in any::<u64>(),
        ) {
            let mut chosen = Vec::new();
            choose(length, size, &mut stream(seed, Purpose::Training, 0), &mut chosen);
            let distinct: std::collections::BTreeSet<_> = chosen.iter().collect();
            prop_assert_eq!(distinct.len(), size.min(length));
            prop_assert!(chosen.iter().all(|&n| n < length));
        }
    }

    #[test]
    fn every_document_is_chosen_equally_often() {
        let mut times = [0u32; 7];
        let mut chosen = Vec::new();
        for number in 0..70_000 {
            choose(7, 3, &mut stream(1, Purpose::Training, number), &mut chosen);
            chosen.iter().for_each(|&n| times[n] += 1);
        }
        // 30,000 expected; five standard deviations are 655.
        assert!(times.iter().all(|&times| times.abs_diff(30_000) < 655), "{times:?}");
    }

    #[test]
    fn a_term_that_is_held_out_is_held_out_whole() {
        let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
        let mut stream = stream(1, Purpose::Training, 0);
        let document = (0..10_000).map(|term| (term, 1 + term % 3));
        split(document, (0.8, SplitUnit::Terms), &mut stream, &mut support, &mut query);
        for (term, count) in support.row(0).chain(query.row(0)) {
            assert_eq!(count, 1 + term % 3);
        }
        assert_eq!(support.entries() + query.entries(), 10_000);
        // Five standard deviations are 200.
        assert!(support.entries().abs_diff(8000) < 200, "{}", support.entries());
    }

    #[test]
    fn words_go_to_the_support_at_the_given_rate() {
        let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
        let mut stream = stream(1, Purpose::Training, 0);
        split(
            [(0, 100_000)].into_iter(),
            (0.8, SplitUnit::Words),
            &mut stream,
            &mut support,
            &mut query,
        );
        // Five standard deviations are 632.
        assert!(support.total_words().abs_diff(80_000) < 632, "{}", support.total_words());
    }

    #[test]
    fn a_small_corpus_gives_what_it_has() {
        let small = corpus("small", &[&[(0, 50)], &[(1, 50)]]);
        let sampler = EpisodeSampler::new(vec![&small], EpisodeSettings::default()).unwrap();
        let mut episode = Episode::default();
        sampler.draw(&mut stream(1, Purpose::Training, 0), &mut episode).unwrap();
        assert_eq!(episode.support.documents(), 2);
    }

    #[test]
    fn an_episode_without_query_words_is_drawn_again() {
        let short = corpus("short", &[&[(0, 1)]]);
        let sampler = EpisodeSampler::new(vec![&short], EpisodeSettings::default()).unwrap();
        let mut episode = Episode::default();
        for number in 0..100 {
            sampler.draw(&mut stream(1, Purpose::Training, number), &mut episode).unwrap();
            assert_eq!((episode.support.entries(), episode.query.total_words()), (0, 1));
        }
    }
}
