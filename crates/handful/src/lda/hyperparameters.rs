//! Estimates α and β from counts by Minka's fixed-point iteration for the Dirichlet-multinomial
//! distribution ("Estimating a Dirichlet distribution", 2000, Eq. 55).

/// The number of fixed-point steps in each optimisation. Sampling continues in between, so an
/// optimisation need not converge.
const STEPS: usize = 10;

/// The bounds of α and β. With the lower bound, a topic that no document has can come back. The
/// upper bound is for documents that do not differ, such as a single one: then the likelihood has
/// no maximum.
const LEAST: f64 = 1e-5;
const MOST: f64 = 1e3;

/// A histogram of counts.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// `times[n]` is how often count n occurs. The entry for 0 is not used.
    times: Vec<u32>,
}

impl Histogram {
    pub fn add(&mut self, count: usize) {
        if count >= self.times.len() {
            self.times.resize(count + 1, 0);
        }
        self.times[count] += 1;
    }

    /// Computes Σ ψ(n + x) − ψ(x) over the counts n. For whole n, the difference of digamma
    /// functions is Σ_{i<n} 1/(x + i), so one pass over the histogram gives all of them.
    fn digamma_gain(&self, x: f64) -> f64 {
        let (mut difference, mut sum) = (0.0, 0.0);
        for (i, &times) in self.times.iter().skip(1).enumerate() {
            difference += 1.0 / (x + i as f64);
            sum += f64::from(times) * difference;
        }
        sum
    }
}

/// The counts that determine α: for each topic, its number of words in each document, and the
/// lengths of the documents.
#[derive(Clone, Debug, Default)]
pub struct DocumentCounts {
    pub topics: Vec<Histogram>,
    pub lengths: Histogram,
}

/// The counts that determine β: of each term in each topic, and the totals of the topics.
#[derive(Clone, Debug, Default)]
pub struct TermCounts {
    pub terms: Histogram,
    pub topics: Histogram,
    /// J
    pub vocabulary: usize,
}

/// Optimises an asymmetric α.
pub fn optimise_alpha(alpha: &mut [f64], counts: &DocumentCounts) {
    for _ in 0..STEPS {
        alpha_step(alpha, counts);
    }
}

/// Optimises a symmetric β, one number for all terms. A β per term would be zero for terms that
/// never occur.
pub fn optimise_beta(beta: &mut f64, counts: &TermCounts) {
    for _ in 0..STEPS {
        beta_step(beta, counts);
    }
}

/// α_k ← α_k Σ_n [ψ(n_nk + α_k) − ψ(α_k)] / Σ_n [ψ(n_n + Σα) − ψ(Σα)]
fn alpha_step(alpha: &mut [f64], counts: &DocumentCounts) {
    let below = counts.lengths.digamma_gain(alpha.iter().sum());
    for (alpha, topic) in alpha.iter_mut().zip(&counts.topics) {
        improve(alpha, topic.digamma_gain(*alpha), below);
    }
}

/// β ← β Σ_k Σ_j [ψ(n_kj + β) − ψ(β)] / J Σ_k [ψ(n_k + Jβ) − ψ(Jβ)]
fn beta_step(beta: &mut f64, counts: &TermCounts) {
    let vocabulary = counts.vocabulary as f64;
    let below = vocabulary * counts.topics.digamma_gain(vocabulary * *beta);
    improve(beta, counts.terms.digamma_gain(*beta), below);
}

/// Multiplies by above/below, unless there are no words: then the counts tell nothing.
fn improve(parameter: &mut f64, above: f64, below: f64) {
    if below > 0.0 {
        *parameter = (*parameter * above / below).clamp(LEAST, MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use rand::RngExt;
    use rand_distr::{Distribution, Gamma};

    fn histogram(counts: &[usize]) -> Histogram {
        let mut histogram = Histogram::default();
        counts.iter().for_each(|&count| histogram.add(count));
        histogram
    }

    fn document_counts(rows: &[Vec<usize>]) -> DocumentCounts {
        let mut counts = DocumentCounts {
            topics: vec![Histogram::default(); rows[0].len()],
            ..Default::default()
        };
        for row in rows {
            counts.lengths.add(row.iter().sum());
            for (topic, &count) in counts.topics.iter_mut().zip(row) {
                topic.add(count);
            }
        }
        counts
    }

    /// Samples documents of `length` words with topic proportions from Dirichlet(α).
    fn sampled(alpha: &[f64], documents: usize, length: usize) -> Vec<Vec<usize>> {
        let mut stream = stream(1, Purpose::Evaluation, 0);
        let document = |_| {
            let shares: Vec<f64> = alpha
                .iter()
                .map(|&alpha| Gamma::new(alpha, 1.0).unwrap().sample(&mut stream))
                .collect();
            let total: f64 = shares.iter().sum();
            let mut row = vec![0; alpha.len()];
            for _ in 0..length {
                let mut rest = stream.random::<f64>() * total;
                let found = shares.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                row[found.unwrap_or(alpha.len() - 1)] += 1;
            }
            row
        };
        (0..documents).map(document).collect()
    }

    /// Computes log p(counts | α) directly, up to a constant that does not depend on α.
    fn log_likelihood(alpha: &[f64], rows: &[Vec<usize>]) -> f64 {
        let rising = |x: f64, n: usize| (0..n).map(|i| (x + i as f64).ln()).sum::<f64>();
        let sum: f64 = alpha.iter().sum();
        let document = |row: &Vec<usize>| {
            let topics: f64 = row.iter().zip(alpha).map(|(&n, &alpha)| rising(alpha, n)).sum();
            topics - rising(sum, row.iter().sum())
        };
        rows.iter().map(document).sum()
    }

    #[test]
    fn the_gain_is_the_difference_of_digamma_functions() {
        // scipy.special.digamma(n + x) - digamma(x), summed over n.
        for (counts, x, expected) in SCIPY {
            let found = histogram(counts).digamma_gain(*x);
            assert!((found / expected - 1.0).abs() < 1e-12, "{counts:?} {x}: {found}");
        }
    }

    const SCIPY: &[(&[usize], f64, f64)] = &[
        (&[1], 0.5, 2.0),
        (&[3, 0, 7, 7], 0.01, 306.35801958655475),
        (&[1000, 2], 2.5, 6.892310968214344),
        (&[120000], 731.1, 5.107450703662878),
    ];

    #[test]
    fn a_step_never_lowers_the_likelihood() {
        let rows = sampled(&[0.2, 0.5, 2.0], 100, 40);
        let counts = document_counts(&rows);
        let mut alpha = vec![1.0, 1.0, 0.05];
        let mut before = log_likelihood(&alpha, &rows);
        for _ in 0..50 {
            alpha_step(&mut alpha, &counts);
            let after = log_likelihood(&alpha, &rows);
            assert!(after >= before - 1e-9, "{before} {after}");
            before = after;
        }
    }

    #[test]
    fn the_parameters_that_documents_were_drawn_with_are_found() {
        let truth = [0.1, 0.4, 1.5];
        let rows = sampled(&truth, 4000, 60);
        let counts = document_counts(&rows);
        let mut alpha = vec![1.0; 3];
        (0..1000).for_each(|_| alpha_step(&mut alpha, &counts));
        for (alpha, truth) in alpha.iter().zip(truth) {
            assert!((alpha / truth - 1.0).abs() < 0.1, "{alpha} for {truth}");
        }
        // At the maximum, a change in any direction lowers the likelihood.
        let best = log_likelihood(&alpha, &rows);
        for k in 0..3 {
            for factor in [0.99, 1.01] {
                let mut moved = alpha.clone();
                moved[k] *= factor;
                assert!(log_likelihood(&moved, &rows) < best, "{k} {factor}");
            }
        }
    }

    #[test]
    fn a_symmetric_parameter_is_found() {
        // 2,000 topics over twenty terms.
        let rows = sampled(&[0.3; 20], 2000, 100);
        let mut counts = TermCounts { vocabulary: 20, ..Default::default() };
        for row in &rows {
            counts.topics.add(row.iter().sum());
            row.iter().for_each(|&count| counts.terms.add(count));
        }
        let mut beta = 1.0;
        (0..1000).for_each(|_| beta_step(&mut beta, &counts));
        assert!((beta / 0.3 - 1.0).abs() < 0.05, "{beta}");
    }

    #[test]
    fn parameters_stay_within_bounds_whatever_the_counts() {
        // Without words α stays; a topic without words shrinks, but stays above zero.
        let mut alpha = vec![0.1, 0.1];
        optimise_alpha(&mut alpha, &document_counts(&[vec![0, 0]]));
        assert_eq!(alpha, [0.1, 0.1]);
        optimise_alpha(&mut alpha, &document_counts(&[vec![3, 0], vec![5, 0]]));
        assert_eq!(alpha[1], LEAST);
        // For two identical documents, the maximum is at infinity.
        let counts = document_counts(&[vec![50, 50], vec![50, 50]]);
        (0..20_000).for_each(|_| optimise_alpha(&mut alpha, &counts));
        assert!(alpha.iter().all(|alpha| (LEAST..=MOST).contains(alpha)), "{alpha:?}");
    }
}
