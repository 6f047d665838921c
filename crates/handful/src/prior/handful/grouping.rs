//! Which documents start a topic together, where there are more documents than topics.

use super::{Handful, HandfulTape};
use crate::corpus::WordCounts;
use crate::nn::{Real, kernels};

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

    /// The sum of three cosines for each two documents: of their directions in the metric, of their
    /// weighted words, and of the roots of their themes' shares (Bhattacharyya's coefficient).
    fn similarity(&self, support: &WordCounts, tape: &HandfulTape<R>) -> Vec<Vec<f64>> {
        let dimension = self.settings.dimension;
        let importance = &self.parameters[self.word_weights].values;
        let weight = |term: u32, count: u32| {
            importance[term as usize].at_least(R::ZERO) * R::of(f64::from(count).ln_1p())
        };
        let directions: Vec<Vec<R>> = tape
            .directions
            .chunks_exact(dimension)
            .map(|vector| self.metric.direction(vector))
            .collect();
        // Themes say nothing about words that are new.
        let known = self.known_terms();
        let roots = self.themes.root_shares(support, |term, count| {
            if (term as usize) < known { weight(term, count) } else { R::ZERO }
        });
        let words: Vec<Vec<(u32, R)>> = (0..support.documents())
            .map(|n| {
                let mut row: Vec<(u32, R)> =
                    support.row(n).map(|(j, x)| (j, weight(j, x))).collect();
                let length = row.iter().map(|&(_, x)| x * x).sum::<R>().sqrt();
                let scale = R::ONE / length.at_least(R::of(1e-30));
                row.iter_mut().for_each(|(_, x)| *x *= scale);
                row
            })
            .collect();
        let count = self.themes.count;
        let theme_row = |n: usize| &roots[n * count..(n + 1) * count];
        let pair = |a: usize, b: usize| {
            kernels::dot(&directions[a], &directions[b]).to_f64()
                + sparse_dot(&words[a], &words[b])
                + kernels::dot(theme_row(a), theme_row(b)).to_f64()
        };
        let all = 0..support.documents();
        all.clone().map(|a| all.clone().map(|b| pair(a, b)).collect()).collect()
    }
}

/// Ward's clustering: of all pairs of groups, the one whose union adds least to the sum of squared
/// distances from the groups' means is made one, until `groups` are left. `products` are inner
/// products. Groups are numbered in the order of their first documents.
///
/// Average linkage put documents of unseen corpora together less often: it leaves single ones apart.
fn cluster(products: &[Vec<f64>], groups: usize, group: &mut [usize]) {
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
