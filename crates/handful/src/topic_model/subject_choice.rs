//! How many topics documents are given: as many as they have subjects.

use super::{DocumentTree, GranularityCuts};
use crate::clustering::Tree;
use crate::corpus::{Passages, SplitUnit, TextWord, WordCounts, split};
use crate::prior::{FitPrior, Prior, SubjectCut, SubjectCuts};
use crate::random::{Purpose, stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How finely documents are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// Fewer topics than there probably are subjects.
    Coarse,
    /// As many topics as there probably are subjects.
    #[default]
    Medium,
    /// More topics than there probably are subjects.
    Fine,
}

/// What a unit of fineness adds to the log probability of a finer or a coarser cut.
const TILT: f64 = 2.5;

/// What it costs to say one topic where there are more, with a few documents: a person who is shown one
/// topic learns nothing. With many documents it costs 1.
const COST_OF_ONE: f64 = 0.1;

/// From the first number of documents to the second, that cost rises to 1.
const MANY: [f64; 2] = [24.0, 36.0];

/// How often half of the words are drawn, to see whether the groups stay what they are.
const HALVES: u64 = 10;

/// With more documents, no halves are drawn: it takes long, and groups of many documents hardly move.
const MOST_FOR_HALVES: usize = 200;

/// Why there are as many topics as there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubjectChoice {
    /// Numbers of topics, from 1 on.
    pub numbers: Vec<LikelyNumber>,
    /// How the groups fare with half of the words; `None` for a single group and for many documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halves: Option<Halves>,
}

/// A number of topics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelyNumber {
    /// K
    pub topics: usize,
    /// The probability that the documents have as many subjects.
    pub probability: f64,
    /// The group of each document among as many: a cut of the documents' tree. Empty where there are so many
    /// documents that they were grouped into the chosen number only.
    pub groups: Vec<usize>,
}

/// What becomes of the groups with half of the words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Halves {
    /// How many halves were drawn.
    pub drawn: usize,
    /// In how many of them the groups were the same.
    pub same: usize,
    /// The share of documents that stayed in their group, on average.
    pub stayed: f64,
}

/// If fewer of the documents stay in their group with half of the words, the groups are doubtful.
const LEAST_STAYED: f64 = 0.75;

impl Halves {
    /// Whether the same groups came out in at least half of the draws.
    pub fn are_mostly_the_same(&self) -> bool {
        2 * self.same >= self.drawn
    }

    /// Whether so few documents stayed in their group that the groups are doubtful.
    pub fn are_doubtful(&self) -> bool {
        !self.are_mostly_the_same() && self.stayed < LEAST_STAYED
    }
}

impl SubjectChoice {
    /// How many topics the documents are given, why, and the tree of the documents, of which the topics'
    /// groups are a cut; `None` if the prior cannot tell subjects.
    pub fn of(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        granularity: Granularity,
        seed: u64,
    ) -> Option<(usize, Self, DocumentTree)> {
        let subjects = prior.prior.subject_cuts(documents, prior.new_terms)?;
        let sizes = granularity_cuts(&subjects.cuts);
        let topics = sizes.at(granularity);
        let tree = tree_through(&subjects, sizes.medium);
        let halves = (topics > 1 && documents.documents() <= MOST_FOR_HALVES)
            .then(|| halves(prior, documents, &tree.groups(topics), sizes.medium, seed));
        let number = |(cut, topics): (&SubjectCut, usize)| LikelyNumber {
            topics,
            probability: cut.probability,
            groups: tree.groups(topics),
        };
        let numbers = subjects.cuts.iter().zip(1..).map(number).collect();
        Some((topics, Self { numbers, halves }, DocumentTree::cut(tree, topics, sizes)))
    }
}

/// The tree through the groups of one cut: other cuts join these groups or split them.
pub(super) fn tree_through(subjects: &SubjectCuts, groups: usize) -> Tree {
    Tree::through(&subjects.products, &subjects.cuts[groups - 1].group)
}

/// How many groups there are for each granularity. Coarse and fine are at least one away from medium
/// where that can be.
pub(super) fn granularity_cuts(cuts: &[SubjectCut]) -> GranularityCuts {
    let medium = most_useful(cuts, 0.0);
    GranularityCuts {
        coarse: most_useful(cuts, -TILT).min(medium - 1).max(1),
        medium,
        fine: most_useful(cuts, TILT).max(medium + 1).min(cuts.len()),
    }
}

/// About how many words a passage has that says what a text alone is about: as many as when it was
/// learned how alike passages of one subject are.
const PASSAGE_WORDS: f64 = 20.0;

impl SubjectChoice {
    /// How many topics a text is given that is the only document with words, and why: as many as its
    /// passages have subjects. `None` if there are other documents, if it was given as counts, or if the
    /// prior cannot tell.
    pub fn of_only_text(
        prior: FitPrior<'_>,
        documents: &WordCounts,
        words: &[Option<Vec<TextWord>>],
        granularity: Granularity,
    ) -> Option<(usize, Self)> {
        let mut spoken = (0..documents.documents()).filter(|&n| !documents.row_range(n).is_empty());
        let (only, None) = (spoken.next()?, spoken.next()) else { return None };
        let passages = Passages::cut_by(PASSAGE_WORDS, documents, words);
        let mut of_text = WordCounts::new();
        passages.of_document(only).for_each(|p| of_text.push_row(passages.counts.row(p)));
        if of_text.documents() < 2 {
            return None;
        }
        let cuts = prior.prior.passage_cuts(&of_text, prior.new_terms)?;
        let number = |(cut, topics): (&SubjectCut, usize)| LikelyNumber {
            topics,
            probability: cut.probability,
            // Whatever its passages are about, the document is one.
            groups: vec![0; documents.documents()],
        };
        let numbers = cuts.iter().zip(1..).map(number).collect();
        Some((subjects_of_text(&cuts, granularity), Self { numbers, halves: None }))
    }
}

/// The first number of subjects after which one more is less probable than not.
fn subjects_of_text(cuts: &[SubjectCut], granularity: Granularity) -> usize {
    let mut rest = 1.0;
    let stops = |cut: &SubjectCut| {
        let is_enough = 2.0 * cut.probability >= rest;
        rest -= cut.probability;
        is_enough
    };
    let medium = cuts.iter().position(stops).map_or(cuts.len(), |place| place + 1);
    match granularity {
        Granularity::Medium => medium,
        Granularity::Coarse => (medium - 1).max(1),
        Granularity::Fine => (medium + 1).min(cuts.len()),
    }
}

/// The number of groups that is right or off by one most probably, where right counts twice.
fn most_useful(cuts: &[SubjectCut], tilt: f64) -> usize {
    let weights: Vec<f64> =
        cuts.iter().map(|cut| cut.probability * (tilt * cut.fineness).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let probability = |i: usize| weights.get(i).map_or(0.0, |weight| weight / sum);
    let documents = cuts[0].group.len() as f64;
    let rise = ((documents - MANY[0]) / (MANY[1] - MANY[0])).clamp(0.0, 1.0);
    let cost = COST_OF_ONE + (1.0 - COST_OF_ONE) * rise;
    let use_of = |i: usize| {
        let below = if i == 0 { 0.0 } else { probability(i - 1) };
        let of_one = if i == 0 { cost * (1.0 - probability(0)) } else { 0.0 };
        2.0 * probability(i) + below + probability(i + 1) - of_one
    };
    let best = (0..cuts.len()).reduce(|best, i| if use_of(i) > use_of(best) { i } else { best });
    best.map_or(1, |i| i + 1)
}

/// Groups half of the words of each document, several times, into as many groups: in the same way, by
/// the tree through `medium` groups.
fn halves(
    prior: FitPrior<'_>,
    documents: &WordCounts,
    groups: &[usize],
    medium: usize,
    seed: u64,
) -> Halves {
    let count = groups.iter().max().map_or(1, |last| last + 1);
    let stayed: Vec<usize> = (0..HALVES)
        .into_par_iter()
        .map(|number| {
            let mut stream = stream(seed, Purpose::Halves, number);
            let (mut half, mut rest) = (WordCounts::new(), WordCounts::new());
            for n in 0..documents.documents() {
                split(documents.row(n), (0.5, SplitUnit::Words), &mut stream, &mut half, &mut rest);
            }
            let subjects = prior.prior.subject_cuts(&half, prior.new_terms);
            let subjects = subjects.expect("the prior told subjects of all words");
            in_same_group(groups, &tree_through(&subjects, medium).groups(count), count)
        })
        .collect();
    let documents = groups.len();
    Halves {
        drawn: stayed.len(),
        same: stayed.iter().filter(|&&stayed| stayed == documents).count(),
        stayed: stayed.iter().sum::<usize>() as f64 / (stayed.len() * documents) as f64,
    }
}

/// How many documents are in the same group of two groupings into `count` groups, if groups are
/// matched one by one, those that share most documents first.
fn in_same_group(one: &[usize], other: &[usize], count: usize) -> usize {
    let mut shared = vec![vec![0; count]; count];
    one.iter().zip(other).for_each(|(&a, &b)| shared[a][b] += 1);
    let (mut rows, mut columns) = (vec![true; count], vec![true; count]);
    let mut same = 0;
    for _ in 0..count {
        let open = (0..count)
            .flat_map(|a| (0..count).map(move |b| (a, b)))
            .filter(|&(a, b)| rows[a] && columns[b]);
        let (a, b) = open.max_by_key(|&(a, b)| shared[a][b]).expect("a pair is left");
        same += shared[a][b];
        (rows[a], columns[b]) = (false, false);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts of 6 documents with these probabilities.
    fn cuts(probabilities: &[f64]) -> Vec<SubjectCut> {
        let cut = |(i, &probability): (usize, &f64)| SubjectCut {
            group: (0..6).map(|n| n.min(i)).collect(),
            probability,
            fineness: (i + 1) as f64 / 6.0,
        };
        probabilities.iter().enumerate().map(cut).collect()
    }

    #[test]
    fn the_number_is_the_one_that_is_about_right_most_probably() {
        let number = |p: &[f64]| granularity_cuts(&cuts(p)).medium;
        assert_eq!(number(&[0.1, 0.2, 0.6, 0.1]), 3);
        // Six is likelier than two, but two is about right more often: 0.05 + 2 · 0.28 + 0.3 against
        // 2 · 0.37.
        assert_eq!(number(&[0.05, 0.28, 0.3, 0.0, 0.0, 0.37]), 2);
        // One topic must be likelier than others would have to be.
        assert_eq!(number(&[0.8, 0.1, 0.1]), 1);
        assert_eq!(number(&[1.0]), 1);
    }

    #[test]
    fn coarse_is_coarser_and_fine_is_finer_where_that_can_be() {
        let likely = cuts(&[0.05, 0.15, 0.5, 0.2, 0.1, 0.0]);
        let GranularityCuts { coarse, medium, fine } = granularity_cuts(&likely);
        assert_eq!(medium, 3);
        assert!(coarse < 3 && fine > 3);
        let only = GranularityCuts { coarse: 1, medium: 1, fine: 1 };
        assert_eq!(granularity_cuts(&cuts(&[1.0])), only);
    }

    #[test]
    fn a_text_is_split_as_long_as_one_more_subject_is_likely() {
        let number = |p: &[f64], how| subjects_of_text(&cuts(p), how);
        let medium = |p: &[f64]| number(p, Granularity::Medium);
        assert_eq!(medium(&[1.0]), 1);
        assert_eq!(medium(&[0.6, 0.3, 0.1]), 1);
        // Of the 0.6 that are left after one, 0.35 are for two; of the 0.75 here, only 0.25.
        assert_eq!(medium(&[0.4, 0.35, 0.25]), 2);
        assert_eq!(medium(&[0.25, 0.25, 0.5]), 3);
        let likely = [0.4, 0.35, 0.25];
        assert_eq!(number(&likely, Granularity::Coarse), 1);
        assert_eq!(number(&likely, Granularity::Fine), 3);
        assert_eq!(number(&[1.0], Granularity::Fine), 1);
    }

    #[test]
    fn groups_are_the_same_whatever_their_numbers() {
        assert_eq!(in_same_group(&[0, 0, 1, 1, 2], &[2, 2, 0, 0, 1], 3), 5);
        assert_eq!(in_same_group(&[0, 0, 1, 1, 2], &[0, 0, 1, 2, 2], 3), 4);
    }
}
