//! Groups of many documents: the groups of a sample are found exactly, and all documents are brought to
//! them. No two documents outside the sample are compared, so the work grows with their number and not
//! with its square.

use super::Granularity;
use super::subject_choice::{LikelyNumber, SubjectChoice, granularity_cuts, tree_through};
use crate::Result;
use crate::clustering::{Points, nearest_means, ward_and_moves};
use crate::corpus::WordCounts;
use crate::prior::{FitPrior, Origin, Prior};
use rayon::prelude::*;

/// Up to as many documents, each two are compared. With more, as many are a sample.
pub const MOST_COMPARED: usize = 1000;

/// Hears how many pieces of how many are done; an error ends the work.
pub type Tell<'a> = dyn FnMut(usize, usize) -> Result<()> + 'a;

/// How many documents are compared, where a sample of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// The size of the sample.
    pub documents: usize,
    /// What the draw depends on, beside the documents' words.
    pub seed: u64,
}

impl Sampling {
    /// The usual size.
    pub fn new(seed: u64) -> Self {
        Self { documents: MOST_COMPARED, seed }
    }

    /// The documents of the sample, in an order that has nothing to do with theirs. They are drawn by
    /// their known words, so the order of files does not matter; documents without words come last.
    fn draw(self, documents: &WordCounts, known_terms: usize) -> Vec<usize> {
        let hash = |n: usize| {
            let known = documents.row(n).filter(|&(term, _)| (term as usize) < known_terms);
            known.fold(mixed(self.seed), |hash, (term, count)| {
                mixed(hash ^ (u64::from(term) << 32 | u64::from(count)))
            })
        };
        let mut drawn: Vec<(bool, u64, usize)> = (0..documents.documents())
            .into_par_iter()
            .map(|n| (documents.row_range(n).is_empty(), hash(n), n))
            .collect();
        drawn.sort_unstable();
        // Copies of a document are drawn one by one, not all or none.
        for same in drawn.chunk_by_mut(|a, b| a.1 == b.1) {
            for (copy, (_, hash, _)) in (0..).zip(same) {
                *hash = mixed(*hash ^ copy);
            }
        }
        drawn.sort_unstable();
        drawn.truncate(self.documents);
        drawn.into_iter().map(|(_, _, n)| n).collect()
    }
}

/// Every bit of a number depends on every bit of another (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Groups many documents into as many groups as topics are asked for: the group of each; `None` for a
/// prior whose topics do not start from groups of documents. There must not be fewer documents in the
/// sample than topics.
pub fn group_many(
    prior: FitPrior<'_>,
    documents: &WordCounts,
    sampling: Sampling,
    tell: &mut Tell<'_>,
) -> Result<Option<Vec<usize>>> {
    let Some(points) = points_of(prior, documents, Origin::Documents, tell)? else {
        return Ok(None);
    };
    let sample = sampling.draw(documents, prior.prior.terms());
    let group = ward_and_moves(&products(&points, &sample), prior.topics);
    bring_to_groups(&points, (&sample, &group), prior.topics, tell).map(Some)
}

impl SubjectChoice {
    /// How many topics many documents are given, why, and the group of each document; `None` if the prior
    /// cannot tell subjects. The number is that of a sample. No number but that has groups.
    pub fn of_many(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        granularity: Granularity,
        sampling: Sampling,
        tell: &mut Tell<'_>,
    ) -> Result<Option<(usize, Self)>> {
        let Some(points) = points_of(prior, documents, Origin::Training, tell)? else {
            return Ok(None);
        };
        let sample = sampling.draw(documents, prior.prior.terms());
        let mut counts = WordCounts::new();
        sample.iter().for_each(|&n| counts.push_row(documents.row(n)));
        let Some(subjects) = prior.prior.subject_cuts(&counts, prior.new_terms) else {
            return Ok(None);
        };
        let sizes = granularity_cuts(&subjects.cuts);
        let topics = sizes.at(granularity);
        let group = tree_through(&subjects, sizes.medium).groups(topics);
        let mut groups = bring_to_groups(&points, (&sample, &group), topics, tell)?;
        let number = |(i, cut): (usize, &crate::prior::SubjectCut)| LikelyNumber {
            topics: i + 1,
            probability: cut.probability,
            groups: if i + 1 == topics { std::mem::take(&mut groups) } else { Vec::new() },
        };
        let numbers = subjects.cuts.iter().enumerate().map(number).collect();
        Ok(Some((topics, Self { numbers, halves: None })))
    }
}

/// How many pieces the work has: documents are read in pieces, then grouped in rounds.
const PIECES: usize = 100;
const OF_READING: usize = 50;

/// The points of the documents.
fn points_of(
    prior: FitPrior<'_>,
    documents: &WordCounts,
    origin: Origin,
    tell: &mut Tell<'_>,
) -> Result<Option<Points>> {
    let mut of_reading = |done: usize, of: usize| tell(done * OF_READING / of.max(1), PIECES);
    prior.prior.document_points(documents, prior.new_terms, origin, &mut of_reading)
}

/// Puts each document into the group whose mean is nearest, from the groups of a sample on.
fn bring_to_groups(
    points: &Points,
    (sample, group): (&[usize], &[usize]),
    topics: usize,
    tell: &mut Tell<'_>,
) -> Result<Vec<usize>> {
    let first: Vec<(usize, usize)> = sample.iter().copied().zip(group.iter().copied()).collect();
    nearest_means(points, topics, &first, &mut |done, of| {
        tell(OF_READING + done * (PIECES - OF_READING) / of, PIECES)
    })
}

/// The inner products of some points.
fn products(points: &Points, sample: &[usize]) -> Vec<Vec<f64>> {
    let row = |&a: &usize| sample.iter().map(|&b| points.product(a, b)).collect();
    sample.par_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::{AnyPrior, HandfulSettings, PriorSettings};
    use crate::random::{Purpose, stream};

    /// Documents of three kinds, in turn, each of whose words are all of its kind.
    fn documents(count: u32) -> WordCounts {
        let mut documents = WordCounts::new();
        for n in 0..count {
            let first = 20 * (n % 3);
            let terms = (0..6).map(|i| first + (n * n + 3 * i) % 18);
            let mut row: Vec<u32> = terms.collect();
            row.sort_unstable();
            row.dedup();
            documents.push_row(row.into_iter().map(|term| (term, 1 + (term + n) % 2)));
        }
        documents
    }

    fn prior() -> AnyPrior<f32> {
        let settings = HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..Default::default() };
        let settings = PriorSettings::Handful(settings);
        AnyPrior::random(settings, 60, 3, &mut stream(1, Purpose::Weights, 0))
    }

    fn group(documents: &WordCounts, sample: usize) -> Vec<usize> {
        let prior = prior();
        let sampling = Sampling { documents: sample, seed: 1 };
        group_many((&prior).into(), documents, sampling, &mut |_, _| Ok(())).unwrap().unwrap()
    }

    #[test]
    fn documents_outside_the_sample_join_those_that_they_resemble() {
        let kinds: Vec<usize> = (0..600).map(|n| n % 3).collect();
        assert_eq!(group(&documents(600), 60), kinds);
    }

    #[test]
    fn the_order_of_documents_changes_no_group() {
        let forward = documents(600);
        let mut backward = WordCounts::new();
        (0..600).rev().for_each(|n| backward.push_row(forward.row(n)));
        let same = |group: &[usize], n: usize, m: usize| group[n] == group[m];
        let (one, other) = (group(&forward, 40), group(&backward, 40));
        for n in 1..600 {
            assert_eq!(same(&one, n, n - 1), same(&other, 599 - n, 600 - n), "document {n}");
        }
    }

    #[test]
    fn of_copies_some_are_drawn_and_not_all_or_none() {
        let mut copies = WordCounts::new();
        (0..900).for_each(|_| copies.push_row([(3, 1)]));
        (0..100u32).for_each(|n| copies.push_row([(4 + n % 50, 1 + n)]));
        copies.push_row([]);
        let sampling = Sampling { documents: 200, seed: 1 };
        let sample = sampling.draw(&copies, 60);
        let drawn = sample.iter().filter(|&&n| n < 900).count();
        assert!((160..200).contains(&drawn), "{drawn}");
        assert_eq!(sample.len(), 200);
        assert!(!sample.contains(&1000));
        let all = Sampling { documents: 5000, seed: 1 }.draw(&copies, 60);
        assert_eq!((all.len(), all.last()), (1001, Some(&1000)));
    }
}
