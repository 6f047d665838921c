//! Which documents start a topic together, where there are more documents than topics.

use super::{Handful, HandfulTape};
use crate::corpus::WordCounts;
use crate::nn::{Real, kernels};

/// What the directions' and the themes' cosines count beside the words': documents of unseen corpora
/// are best told apart by rare words that they share, and themes help where they share none.
const LEARNED: f64 = 0.4;

/// Whitens what differs between documents of one corpus, so that what differs between corpora counts.
#[derive(Clone, Debug)]
pub(super) struct Metric<R> {
    /// The mean of documents' directions.
    pub(super) centre: Vec<R>,
    /// dimension × dimension, symmetric
    pub(super) whitening: Vec<R>,
}

impl<R: Real> Metric<R> {
    /// The metric in which all directions count alike.
    pub(super) fn plain(dimension: usize) -> Self {
        let mut whitening = vec![R::ZERO; dimension * dimension];
        whitening.iter_mut().step_by(dimension + 1).for_each(|x| *x = R::ONE);
        Self { centre: vec![R::ZERO; dimension], whitening }
    }

    /// A direction of length 1 for a document's vector.
    fn direction(&self, vector: &[R]) -> Vec<R> {
        let mut vector = vector.to_vec();
        scale_to_one(&mut vector);
        for (x, &centre) in vector.iter_mut().zip(&self.centre) {
            *x -= centre;
        }
        let rows = self.whitening.chunks_exact(vector.len());
        let mut direction: Vec<R> = rows.map(|row| kernels::dot(row, &vector)).collect();
        scale_to_one(&mut direction);
        direction
    }
}

impl<R: Real> Handful<R> {
    /// Puts every document into a group: its own, or, where there are more documents than topics,
    /// that of the documents it resembles most.
    pub(super) fn group(&self, support: &WordCounts, tape: &mut HandfulTape<R>) {
        let documents = support.documents();
        tape.group.clear();
        tape.group.extend(0..documents);
        if documents > self.topics {
            let similarity = self.similarity(support, tape);
            cluster(&similarity, self.topics, &mut tape.group);
        }
    }

    /// Three cosines for each two documents: of their words, by the squares of their weights, of their
    /// directions in the metric, and of the roots of their themes' shares (Bhattacharyya's coefficient).
    fn similarity(&self, support: &WordCounts, tape: &HandfulTape<R>) -> Vec<Vec<f64>> {
        let dimension = self.settings.dimension;
        let importance = &self.parameters[self.word_weights].values;
        let importance = |term: u32| importance[term as usize].at_least(R::ZERO);
        let tempered = |count: u32| R::of(f64::from(count).ln_1p());
        let directions: Vec<Vec<R>> = tape
            .directions
            .chunks_exact(dimension)
            .map(|vector| self.metric.direction(vector))
            .collect();
        // Themes say nothing about words that are new.
        let known = self.known_terms();
        let roots = self.themes.root_shares(support, |term, count| {
            if (term as usize) < known { importance(term) * tempered(count) } else { R::ZERO }
        });
        let words: Vec<Vec<(u32, R)>> = (0..support.documents())
            .map(|n| {
                let weight = |(j, x)| (j, importance(j) * importance(j) * tempered(x));
                let mut row: Vec<(u32, R)> = support.row(n).map(weight).collect();
                let length = row.iter().map(|&(_, x)| x * x).sum::<R>().sqrt();
                let scale = R::ONE / length.at_least(R::of(1e-30));
                row.iter_mut().for_each(|(_, x)| *x *= scale);
                row
            })
            .collect();
        let count = self.themes.count;
        let theme_row = |n: usize| &roots[n * count..(n + 1) * count];
        let pair = |a: usize, b: usize| {
            let learned = kernels::dot(&directions[a], &directions[b])
                + kernels::dot(theme_row(a), theme_row(b));
            sparse_dot(&words[a], &words[b]) + LEARNED * learned.to_f64()
        };
        let all = 0..support.documents();
        all.clone().map(|a| all.clone().map(|b| pair(a, b)).collect()).collect()
    }
}

/// Ward's clustering, and then single documents change their groups as long as that brings documents
/// closer to their groups' means. Groups are numbered in the order of their first documents.
fn cluster(products: &[Vec<f64>], groups: usize, group: &mut [usize]) {
    ward(products, groups, group);
    move_single(products, groups, group);
    number_by_first(group);
}

/// Ward's clustering: of all pairs of groups, the one whose union adds least to the sum of squared
/// distances from the groups' means is made one, until `groups` are left. `products` are inner
/// products.
///
/// Average linkage put documents of unseen corpora together less often: it leaves single ones apart.
fn ward(products: &[Vec<f64>], groups: usize, group: &mut [usize]) {
    // Σ of the products between the members of two groups is all that is needed of them: of the sum
    // of squares, a group's mean explains Σ within it / its size.
    let mut between = products.to_vec();
    let mut members: Vec<Vec<usize>> = (0..products.len()).map(|n| vec![n]).collect();
    while members.len() > groups {
        let sizes: Vec<f64> = members.iter().map(|members| members.len() as f64).collect();
        let explained: Vec<f64> = (0..members.len()).map(|g| between[g][g] / sizes[g]).collect();
        let mut best = (f64::INFINITY, 0, 1);
        for b in 1..members.len() {
            for a in 0..b {
                let union = between[a][a] + between[b][b] + 2.0 * between[a][b];
                let added = explained[a] + explained[b] - union / (sizes[a] + sizes[b]);
                if added < best.0 {
                    best = (added, a, b);
                }
            }
        }
        let (_, a, b) = best;
        let joined = members.remove(b);
        members[a].extend(joined);
        let row = between.remove(b);
        between[a].iter_mut().zip(row).for_each(|(sum, product)| *sum += product);
        for sums in &mut between {
            let of_joined = sums.remove(b);
            sums[a] += of_joined;
        }
    }
    for (k, members) in members.iter().enumerate() {
        members.iter().for_each(|&n| group[n] = k);
    }
}

/// What the sum of squares must lose for a document to move: more than rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Of all moves of one document to another group, the one that lowers the sum of squared distances
/// from the groups' means most is made, until none lowers it. No group is left without documents.
fn move_single(products: &[Vec<f64>], groups: usize, group: &mut [usize]) {
    let mut sizes = vec![0.0; groups];
    group.iter().for_each(|&k| sizes[k] += 1.0);
    // Σ of the products of each document with the members of each group.
    let mut with: Vec<Vec<f64>> = vec![vec![0.0; groups]; products.len()];
    for (sums, row) in with.iter_mut().zip(products) {
        row.iter().zip(&*group).for_each(|(product, &k)| sums[k] += product);
    }
    let mut within = vec![0.0; groups];
    with.iter().zip(&*group).for_each(|(sums, &k)| within[k] += sums[k]);
    loop {
        let mut best = (LEAST_GAIN, 0, 0);
        for (n, sums) in with.iter().enumerate() {
            let (from, own) = (group[n], products[n][n]);
            if sizes[from] == 1.0 {
                continue;
            }
            let without = within[from] - 2.0 * sums[from] + own;
            let lost = within[from] / sizes[from] - without / (sizes[from] - 1.0);
            for to in (0..groups).filter(|&to| to != from) {
                let union = within[to] + 2.0 * sums[to] + own;
                let gain = union / (sizes[to] + 1.0) - within[to] / sizes[to] - lost;
                if gain > best.0 {
                    best = (gain, n, to);
                }
            }
        }
        let (gain, n, to) = best;
        if gain <= LEAST_GAIN {
            return;
        }
        let from = group[n];
        within[from] += products[n][n] - 2.0 * with[n][from];
        within[to] += products[n][n] + 2.0 * with[n][to];
        sizes[from] -= 1.0;
        sizes[to] += 1.0;
        for (sums, row) in with.iter_mut().zip(products) {
            sums[from] -= row[n];
            sums[to] += row[n];
        }
        group[n] = to;
    }
}

/// Gives groups the numbers 0, 1, ... in the order of their first documents.
fn number_by_first(group: &mut [usize]) {
    let mut seen = Vec::new();
    for k in group {
        let number = seen.iter().position(|before| before == k);
        *k = number.unwrap_or_else(|| {
            seen.push(*k);
            seen.len() - 1
        });
    }
}

fn scale_to_one<R: Real>(vector: &mut [R]) {
    let length = kernels::dot(vector, vector).sqrt().at_least(R::of(1e-30));
    vector.iter_mut().for_each(|x| *x /= length);
}

/// The product of two sparse vectors with columns in increasing order.
fn sparse_dot<R: Real>(a: &[(u32, R)], b: &[(u32, R)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += (a[i].1 * b[j].1).to_f64();
                i += 1;
                j += 1;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::HandfulSettings;
    use crate::random::{Purpose, stream};
    use proptest::prelude::*;

    /// Σ over groups of the sum of their products over their size, by the definition.
    fn explained(products: &[Vec<f64>], groups: usize, group: &[usize]) -> f64 {
        let of_group = |k: usize| {
            let members: Vec<usize> = (0..group.len()).filter(|&n| group[n] == k).collect();
            let sum: f64 = members
                .iter()
                .flat_map(|&a| members.iter().map(move |&b| (a, b)))
                .map(|(a, b)| products[a][b])
                .sum();
            sum / members.len() as f64
        };
        (0..groups).map(of_group).sum()
    }

    proptest! {
        #[test]
        fn no_document_is_closer_to_another_group(
            points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 4..12),
            groups in 1usize..5,
        ) {
            let product = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum();
            let products: Vec<Vec<f64>> =
                points.iter().map(|a| points.iter().map(|b| product(a, b)).collect()).collect();
            let mut by_ward = vec![0; points.len()];
            ward(&products, groups, &mut by_ward);
            let mut group = vec![0; points.len()];
            cluster(&products, groups, &mut group);
            let reached = explained(&products, groups, &group);
            prop_assert!(reached >= explained(&products, groups, &by_ward) - 1e-12);
            for n in 0..points.len() {
                if group.iter().filter(|&&k| k == group[n]).count() == 1 {
                    continue;
                }
                for to in 0..groups {
                    let mut moved = group.clone();
                    moved[n] = to;
                    prop_assert!(explained(&products, groups, &moved) <= reached + 2.0 * LEAST_GAIN);
                }
            }
            let mut firsts = Vec::new();
            group.iter().for_each(|k| if !firsts.contains(k) { firsts.push(*k) });
            prop_assert_eq!(firsts, (0..groups).collect::<Vec<_>>());
        }
    }

    #[test]
    fn documents_that_resemble_each_other_are_put_together() {
        let kinds = [0, 1, 0, 2, 1, 0];
        let similarity: Vec<Vec<f64>> = kinds
            .iter()
            .enumerate()
            .map(|(i, a)| {
                let pair = |(j, b): (usize, &i32)| {
                    if i == j {
                        1.0
                    } else if a == b {
                        0.9
                    } else {
                        0.1 + 0.01 * (i + j) as f64
                    }
                };
                kinds.iter().enumerate().map(pair).collect()
            })
            .collect();
        let mut group = [0; 6];
        cluster(&similarity, 3, &mut group);
        assert_eq!(group, [0, 1, 0, 2, 1, 0]);
        cluster(&similarity, 1, &mut group);
        assert_eq!(group, [0; 6]);
    }

    #[test]
    fn two_copies_of_a_document_start_one_topic() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let prior = Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        let mut documents = WordCounts::new();
        for first in [0, 10, 0, 20, 10] {
            documents.push_row((first..first + 6).map(|term| (term, 1 + term % 3)));
        }
        let mut tape = HandfulTape::default();
        prior.read_documents(&documents, &mut crate::nn::Dropout::off(), &mut tape);
        prior.group(&documents, &mut tape);
        assert_eq!(tape.group, [0, 1, 0, 2, 1]);
    }
}
