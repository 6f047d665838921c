//! The EM layers: what the mathematics promises, and agreement with a dense EM and a dense variational
//! Bayes written for the test.

use handful::internals::corpus::{Episode, Occurrences, WordCounts};
use handful::internals::em::{
    Dirichlet, EmStop, EmTape, EpisodeTerms, Inference, LocalPrior, evidence_bound, fit,
    log_posterior,
};
use handful::internals::numeric::log_gamma;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    topics: usize,
    terms: usize,
    /// Dense counts: documents × terms.
    support: Vec<Vec<u32>>,
    query: Vec<Vec<u32>>,
    /// documents × topics
    alpha: Vec<f64>,
    /// terms × topics
    beta: Vec<f64>,
}

fn cases() -> impl Strategy<Value = Case> {
    (1usize..5, 1usize..6, 1usize..12).prop_flat_map(|(documents, topics, terms)| {
        // Most counts are zero, and parameters go over many orders of magnitude.
        let count = prop_oneof![3 => Just(0u32), 1 => 1u32..6];
        let counts = prop::collection::vec(prop::collection::vec(count, terms..=terms), documents);
        let parameter = (-6.0f64..2.0).prop_map(|exponent| 10f64.powf(exponent));
        (
            counts.clone(),
            counts,
            prop::collection::vec(parameter.clone(), documents * topics),
            prop::collection::vec(parameter, terms * topics),
        )
            .prop_map(move |(support, query, alpha, beta)| Case {
                topics,
                terms,
                support,
                query,
                alpha,
                beta,
            })
    })
}

fn sparse(dense: &[Vec<u32>]) -> WordCounts {
    let mut counts = WordCounts::new();
    for row in dense {
        counts.push_row((0u32..).zip(row.iter().copied()));
    }
    counts
}

struct Prepared {
    episode: Episode,
    terms: EpisodeTerms,
    prior: LocalPrior<f64>,
    dirichlet: Dirichlet<f64>,
}

/// ψ for the test: the recurrence up to 30, and the first terms of the asymptotic series there.
fn psi(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 30.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    x.ln() - 0.5 / x - 1.0 / (12.0 * x.powi(2)) + 1.0 / (120.0 * x.powi(4)) - below
}

impl Case {
    fn prepare(&self) -> Prepared {
        self.prepare_for(Inference::Em)
    }

    fn prepare_for(&self, inference: Inference) -> Prepared {
        let episode = Episode {
            support: sparse(&self.support),
            query: sparse(&self.query),
            ..Episode::default()
        };
        let mut beta_sum = vec![0.0; self.topics];
        for (i, beta) in self.beta.iter().enumerate() {
            beta_sum[i % self.topics] += beta;
        }
        let dirichlet = Dirichlet {
            inference,
            topics: self.topics,
            alpha: self.alpha.clone(),
            beta: self.beta.clone(),
            beta_sum,
            evidence: Vec::new(),
        };
        let mut occurrences = Occurrences::default();
        occurrences.fill(&episode.support);
        let mut terms = EpisodeTerms::default();
        terms.fill(&episode.support, &occurrences, &episode.query);
        let mut prior = LocalPrior::default();
        prior.fill(&dirichlet, &episode.support, &terms);
        Prepared { episode, terms, prior, dirichlet }
    }

    /// θ (documents × topics) and φ (terms × topics) by the paper's equations, term by term over
    /// the whole vocabulary.
    fn dense_em(&self, steps: usize) -> (Vec<f64>, Vec<f64>) {
        let (documents, topics, terms) = (self.support.len(), self.topics, self.terms);
        let normalise_theta = |theta: &mut Vec<f64>| {
            for row in theta.chunks_mut(topics) {
                let sum: f64 = row.iter().sum();
                row.iter_mut().for_each(|x| *x /= sum);
            }
        };
        let normalise_phi = |phi: &mut Vec<f64>| {
            for k in 0..topics {
                let sum: f64 = (0..terms).map(|j| phi[j * topics + k]).sum();
                (0..terms).for_each(|j| phi[j * topics + k] /= sum);
            }
        };
        let (mut theta, mut phi) = (self.alpha.clone(), self.beta.clone());
        normalise_theta(&mut theta);
        normalise_phi(&mut phi);
        for _ in 0..steps {
            let (mut new_theta, mut new_phi) = (self.alpha.clone(), self.beta.clone());
            for n in 0..documents {
                for j in 0..terms {
                    let joint = |k: usize| theta[n * topics + k] * phi[j * topics + k];
                    let sum: f64 = (0..topics).map(joint).sum();
                    for k in 0..topics {
                        let expected = f64::from(self.support[n][j]) * joint(k) / sum;
                        new_theta[n * topics + k] += expected;
                        new_phi[j * topics + k] += expected;
                    }
                }
            }
            normalise_theta(&mut new_theta);
            normalise_phi(&mut new_phi);
            (theta, phi) = (new_theta, new_phi);
        }
        (theta, phi)
    }

    /// a (documents × topics) and b (terms × topics) by variational Bayes, term by term over the whole
    /// vocabulary.
    fn dense_vb(&self, steps: usize) -> (Vec<f64>, Vec<f64>) {
        let topics = self.topics;
        let (mut a, mut b) = (self.alpha.clone(), self.beta.clone());
        for _ in 0..steps {
            let (mut new_a, mut new_b) = (self.alpha.clone(), self.beta.clone());
            for (n, row) in self.support.iter().enumerate() {
                for (j, &count) in row.iter().enumerate() {
                    let gamma = self.gamma(&a, &b, n, j);
                    for k in 0..topics {
                        new_a[n * topics + k] += f64::from(count) * gamma.0[k];
                        new_b[j * topics + k] += f64::from(count) * gamma.0[k];
                    }
                }
            }
            (a, b) = (new_a, new_b);
        }
        (a, b)
    }

    /// γ of a word, and the logarithm of what it is normalised by.
    fn gamma(&self, a: &[f64], b: &[f64], n: usize, j: usize) -> (Vec<f64>, f64) {
        let topics = self.topics;
        let sum_a: f64 = a[n * topics..(n + 1) * topics].iter().sum();
        let logit = |k: usize| {
            let sum_b: f64 = b.iter().skip(k).step_by(topics).sum();
            psi(a[n * topics + k]) - psi(sum_a) + psi(b[j * topics + k]) - psi(sum_b)
        };
        let logits: Vec<f64> = (0..topics).map(logit).collect();
        let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits.iter().map(|logit| (logit - largest).exp()).sum();
        (logits.iter().map(|logit| (logit - largest).exp() / sum).collect(), largest + sum.ln())
    }

    /// The evidence lower bound, with nothing left out.
    fn dense_bound(&self, a: &[f64], b: &[f64]) -> f64 {
        let divergence = |q: &[f64], p: &[f64]| {
            let (of_q, of_p): (f64, f64) = (q.iter().sum(), p.iter().sum());
            let parts = q
                .iter()
                .zip(p)
                .map(|(q, p)| log_gamma(*p) - log_gamma(*q) + (q - p) * (psi(*q) - psi(of_q)));
            log_gamma(of_q) - log_gamma(of_p) + parts.sum::<f64>()
        };
        let mut bound = 0.0;
        for (n, row) in self.support.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                bound += f64::from(count) * self.gamma(a, b, n, j).1;
            }
            let row = n * self.topics..(n + 1) * self.topics;
            bound -= divergence(&a[row.clone()], &self.alpha[row]);
        }
        for k in 0..self.topics {
            let of = |all: &[f64]| all.iter().skip(k).step_by(self.topics).copied().collect();
            let (q, p): (Vec<f64>, Vec<f64>) = (of(b), of(&self.beta));
            bound -= divergence(&q, &p);
        }
        bound
    }

    /// The means of Dirichlet distributions over topics, and over terms.
    fn means(&self, a: &[f64], b: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let theta = a.chunks(self.topics).flat_map(|row| {
            let sum: f64 = row.iter().sum();
            row.iter().map(move |a| a / sum)
        });
        let sum = |k: usize| b.iter().skip(k).step_by(self.topics).sum::<f64>();
        let phi = b.iter().enumerate().map(|(i, b)| b / sum(i % self.topics));
        (theta.collect(), phi.collect())
    }

    /// Eq. (8), with nothing left out.
    fn dense_posterior(&self, theta: &[f64], phi: &[f64]) -> f64 {
        let topics = self.topics;
        let mut sum = 0.0;
        for (n, row) in self.support.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                let p: f64 = (0..topics).map(|k| theta[n * topics + k] * phi[j * topics + k]).sum();
                sum += f64::from(count) * p.ln();
            }
        }
        sum += self.alpha.iter().zip(theta).map(|(a, t)| a * t.ln()).sum::<f64>();
        sum + self.beta.iter().zip(phi).map(|(b, p)| b * p.ln()).sum::<f64>()
    }
}

impl Prepared {
    /// φ over the whole vocabulary from φ on the local terms and Z.
    fn whole_phi(&self, phi: &[f64], phi_norm: &[f64]) -> Vec<f64> {
        let topics = self.dirichlet.topics;
        let mut whole: Vec<f64> = self
            .dirichlet
            .beta
            .chunks(topics)
            .flat_map(|row| row.iter().zip(phi_norm).map(|(beta, norm)| beta / norm))
            .collect();
        for (&term, phi) in self.terms.terms.iter().zip(phi.chunks(topics)) {
            let start = term as usize * topics;
            whole[start..start + topics].copy_from_slice(phi);
        }
        whole
    }
}

fn close(ours: &[f64], theirs: &[f64]) -> std::result::Result<(), TestCaseError> {
    close_within(1e-9, ours, theirs)
}

fn close_within(
    tolerance: f64,
    ours: &[f64],
    theirs: &[f64],
) -> std::result::Result<(), TestCaseError> {
    prop_assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(theirs) {
        prop_assert!((a - b).abs() <= tolerance * b.abs() + 1e-14, "{} against {}", a, b);
    }
    Ok(())
}

proptest! {
    #[test]
    fn sparse_em_equals_dense_em(case in cases(), steps in 0usize..12) {
        let prepared = case.prepare();
        let mut em = EmTape::default();
        em.forward(&prepared.episode.support, &prepared.terms, &prepared.prior, steps);
        let (theta, phi) = case.dense_em(steps);
        close(em.theta(), &theta)?;
        close(&prepared.whole_phi(em.phi(), em.phi_norm(&prepared.prior)), &phi)?;
        let stop = EmStop::Steps(steps);
        let fitted = fit(&prepared.episode.support, &prepared.terms, &prepared.prior, stop);
        close(&fitted.theta, &theta)?;
        close(&prepared.whole_phi(&fitted.phi, &fitted.phi_norm), &phi)?;
    }

    #[test]
    fn sparse_vb_equals_dense_vb(case in cases(), steps in 1usize..12) {
        // ψ of a parameter of 1e-6 is -1e6, of which float64 has nine digits after the point; steps add up
        // what is lost.
        let close = |ours: &[f64], theirs: &[f64]| close_within(1e-7, ours, theirs);
        let prepared = case.prepare_for(Inference::Vb);
        let mut vb = EmTape::default();
        vb.forward(&prepared.episode.support, &prepared.terms, &prepared.prior, steps);
        let (a, b) = case.dense_vb(steps);
        let (theta, phi) = case.means(&a, &b);
        close(vb.theta(), &theta)?;
        close(&prepared.whole_phi(vb.phi(), vb.phi_norm(&prepared.prior)), &phi)?;
        let stop = EmStop::Steps(steps);
        let fitted = fit(&prepared.episode.support, &prepared.terms, &prepared.prior, stop);
        close(&fitted.theta, &theta)?;
        close(&prepared.whole_phi(&fitted.phi, &fitted.phi_norm), &phi)?;
    }

    #[test]
    fn vb_never_lowers_the_evidence_bound(case in cases()) {
        let prepared = case.prepare_for(Inference::Vb);
        let mut before = f64::NEG_INFINITY;
        for steps in 1..12 {
            let stop = EmStop::Steps(steps);
            let fitted = fit(&prepared.episode.support, &prepared.terms, &prepared.prior, stop);
            let ours = evidence_bound(
                &prepared.episode.support,
                &prepared.terms,
                &prepared.prior,
                (&fitted.theta, &fitted.phi),
                (&fitted.theta_norm, &fitted.phi_norm),
            );
            let (a, b) = case.dense_vb(steps);
            let dense = case.dense_bound(&a, &b);
            prop_assert!((ours - dense).abs() <= 1e-8 * dense.abs().max(1.0), "{} {}", ours, dense);
            prop_assert!(ours >= before - 1e-8 * before.abs().max(1.0), "{} {}", ours, before);
            before = ours;
        }
    }

    #[test]
    fn single_precision_follows_where_parameters_are_small(case in cases()) {
        // e^ψ of 0.001 is no float32 by itself.
        let case = Case {
            alpha: case.alpha.iter().map(|x| x.clamp(1e-3, 10.0)).collect(),
            beta: case.beta.iter().map(|x| x.clamp(1e-3, 10.0)).collect(),
            ..case
        };
        let prepared = case.prepare_for(Inference::Vb);
        let mut single = LocalPrior::<f32>::default();
        single.fill(&prepared.dirichlet, &prepared.episode.support, &prepared.terms);
        let mut vb = EmTape::default();
        vb.forward(&prepared.episode.support, &prepared.terms, &single, 2);
        let (a, b) = case.dense_vb(2);
        let (theta, _) = case.means(&a, &b);
        for (ours, theta) in vb.theta().iter().zip(&theta) {
            prop_assert!((f64::from(*ours) - theta).abs() < 2e-2, "{} {}", ours, theta);
        }
    }

    #[test]
    fn proportions_and_topics_are_distributions(case in cases(), steps in 0usize..12) {
        let prepared = case.prepare();
        let stop = EmStop::Steps(steps);
        let fitted = fit(&prepared.episode.support, &prepared.terms, &prepared.prior, stop);
        for theta in fitted.theta.chunks(case.topics) {
            prop_assert!(theta.iter().all(|&x| x >= 0.0));
            prop_assert!((theta.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let phi = prepared.whole_phi(&fitted.phi, &fitted.phi_norm);
        for k in 0..case.topics {
            let sum: f64 = phi.iter().skip(k).step_by(case.topics).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "topic {} sums to {}", k, sum);
        }
    }

    #[test]
    fn em_never_lowers_the_log_posterior(case in cases()) {
        let prepared = case.prepare();
        let mut before = f64::NEG_INFINITY;
        for steps in 0..15 {
            let (theta, phi) = case.dense_em(steps);
            let after = case.dense_posterior(&theta, &phi);
            let mut em = EmTape::default();
            em.forward(&prepared.episode.support, &prepared.terms, &prepared.prior, steps);
            let phi = prepared.whole_phi(em.phi(), em.phi_norm(&prepared.prior));
            let ours = case.dense_posterior(em.theta(), &phi);
            prop_assert!(ours >= before - 1e-9 * before.abs().max(1.0));
            prop_assert!((ours - after).abs() <= 1e-8 * after.abs().max(1.0));
            before = ours;
        }
    }

    #[test]
    fn the_sparse_log_posterior_differs_from_eq_8_by_a_constant(case in cases()) {
        let prepared = case.prepare();
        let difference = |steps: usize| {
            let mut em = EmTape::default();
            em.forward(&prepared.episode.support, &prepared.terms, &prepared.prior, steps);
            let state = (em.theta(), em.phi(), em.phi_norm(&prepared.prior));
            let sparse =
                log_posterior(&prepared.episode.support, &prepared.terms, &prepared.prior, state);
            let phi = prepared.whole_phi(em.phi(), em.phi_norm(&prepared.prior));
            (sparse - case.dense_posterior(em.theta(), &phi), sparse.abs().max(1.0))
        };
        let (first, _) = difference(0);
        for steps in [1, 2, 7] {
            let (other, size) = difference(steps);
            prop_assert!((first - other).abs() < 1e-8 * size, "{} against {}", first, other);
        }
    }

    #[test]
    fn the_order_of_documents_does_not_matter(case in cases(), steps in 0usize..12) {
        let prepared = case.prepare();
        let mut turned = case.clone();
        turned.support.reverse();
        turned.query.reverse();
        turned.alpha = case.alpha.chunks(case.topics).rev().flatten().copied().collect();
        let turned = turned.prepare();
        let (mut em, mut other) = (EmTape::default(), EmTape::default());
        em.forward(&prepared.episode.support, &prepared.terms, &prepared.prior, steps);
        other.forward(&turned.episode.support, &turned.terms, &turned.prior, steps);
        close(other.phi(), em.phi())?;
        let turned_back: Vec<f64> =
            other.theta().chunks(case.topics).rev().flatten().copied().collect();
        close(&turned_back, em.theta())?;
    }

    #[test]
    fn convergence_means_that_another_step_changes_next_to_nothing(case in cases()) {
        let prepared = case.prepare();
        let stop = EmStop::Converged { tolerance: 1e-9, most_steps: 100_000 };
        let fitted = fit(&prepared.episode.support, &prepared.terms, &prepared.prior, stop);
        prop_assert_eq!(fitted.converged, Some(true));
        let phi = prepared.whole_phi(&fitted.phi, &fitted.phi_norm);
        let at_stop = case.dense_posterior(&fitted.theta, &phi);
        let (theta, phi) = case.dense_em(fitted.steps + 1);
        let after = case.dense_posterior(&theta, &phi);
        let words = prepared.episode.support.total_words().max(1) as f64;
        prop_assert!(after - at_stop < 1e-8 * words + 1e-9 * at_stop.abs());
    }
}

#[test]
fn a_document_without_words_keeps_its_priors_proportions() {
    let case = Case {
        topics: 2,
        terms: 3,
        support: vec![vec![0, 0, 0], vec![3, 0, 1]],
        query: vec![vec![1, 1, 0], vec![0, 0, 0]],
        alpha: vec![1.0, 3.0, 1.0, 1.0],
        beta: vec![1.0, 2.0, 1.0, 2.0, 2.0, 4.0],
    };
    let prepared = case.prepare();
    let stop = EmStop::Steps(10);
    let fitted = fit(&prepared.episode.support, &prepared.terms, &prepared.prior, stop);
    assert_eq!(fitted.theta[..2], [0.25, 0.75]);
}

#[test]
fn a_support_without_any_word_keeps_the_priors_topics() {
    let case = Case {
        topics: 2,
        terms: 2,
        support: vec![vec![0, 0]],
        query: vec![vec![1, 2]],
        alpha: vec![1.0, 1.0],
        beta: vec![1.0, 3.0, 3.0, 1.0],
    };
    let prepared = case.prepare();
    let fitted =
        fit(&prepared.episode.support, &prepared.terms, &prepared.prior, EmStop::converged());
    assert_eq!(fitted.phi, [0.25, 0.75, 0.75, 0.25]);
}
