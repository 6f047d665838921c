//! MAML's steps against a dense and literal program, and against the prior they start from.

use handful::internals::corpus::{Episode, WordCounts};
use handful::internals::em::Dirichlet;
use handful::internals::nn::{Dropout, Gradient};
use handful::internals::numeric::Real;
use handful::internals::prior::{
    AnyPrior, AnyTape, FreeSettings, MamlSettings, Prior, PriorSettings, Request,
};
use handful::internals::random::{Purpose, stream};
use handful::internals::storage::TermRows;
use handful::internals::train::EpisodePass;

const TERMS: usize = 9;
const TOPICS: usize = 3;

/// Shared terms, terms outside the support, a document with an empty support.
fn episode() -> Episode {
    let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
    support.push_row([(0, 2), (3, 1), (7, 4)]);
    query.push_row([(3, 1), (5, 2)]);
    support.push_row([]);
    query.push_row([(1, 1), (7, 1)]);
    support.push_row([(3, 3), (4, 1)]);
    query.push_row([(4, 1)]);
    Episode { support, query, ..Episode::default() }
}

fn prior<R: Real>(settings: PriorSettings) -> AnyPrior<R> {
    AnyPrior::random(settings, TERMS, TOPICS, &mut stream(1, Purpose::Weights, 0))
}

fn maml(inner_steps: usize, inner_rate: f64) -> PriorSettings {
    PriorSettings::Maml(MamlSettings { inner_steps, inner_rate })
}

fn forward<R: Real>(prior: &AnyPrior<R>, support: &WordCounts) -> Dirichlet<R> {
    let mut dirichlet = Dirichlet::default();
    let mut tape = AnyTape::default();
    let request = Request::new(TOPICS, TermRows::All);
    prior.forward(support, request, &mut Dropout::off(), &mut tape, &mut dirichlet);
    dirichlet
}

fn softplus(z: &[f64]) -> Vec<f64> {
    z.iter().map(|z| z.exp().ln_1p()).collect()
}

/// From the derivative with respect to the shares v / Σv, v = softplus(z), to the one with respect
/// to z.
fn through_shares(z: &[f64], of_shares: &[f64]) -> Vec<f64> {
    let values = softplus(z);
    let sum: f64 = values.iter().sum();
    let mean: f64 = values.iter().zip(of_shares).map(|(value, g)| value / sum * g).sum();
    let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
    z.iter().zip(of_shares).map(|(&z, g)| sigmoid(z) * (g - mean) / sum).collect()
}

/// α (a row a document) and β (a row a topic) after Adam's steps on −Σ x log Σ_k θ φ / Σ x.
fn adapted(
    a: &[f64],
    b: &[Vec<f64>],
    x: &[Vec<f64>],
    (steps, rate): (i32, f64),
) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let words: f64 = x.iter().flatten().sum();
    // Rows of z: one a document, then one a topic.
    let mut z: Vec<Vec<f64>> = x.iter().map(|_| a.to_vec()).chain(b.iter().cloned()).collect();
    let mut m: Vec<Vec<f64>> = z.iter().map(|row| vec![0.0; row.len()]).collect();
    let mut v = m.clone();
    for t in 1..=steps {
        let shares: Vec<Vec<f64>> = z
            .iter()
            .map(|z| {
                let values = softplus(z);
                let sum: f64 = values.iter().sum();
                values.iter().map(|value| value / sum).collect()
            })
            .collect();
        let (theta, phi) = shares.split_at(x.len());
        let mut of_shares: Vec<Vec<f64>> = z.iter().map(|row| vec![0.0; row.len()]).collect();
        for (n, x) in x.iter().enumerate() {
            for (j, x) in x.iter().enumerate() {
                let p: f64 = (0..a.len()).map(|k| theta[n][k] * phi[k][j]).sum();
                for k in 0..a.len() {
                    of_shares[n][k] -= x / words * phi[k][j] / p;
                    of_shares[theta.len() + k][j] -= x / words * theta[n][k] / p;
                }
            }
        }
        for row in 0..z.len() {
            for (i, g) in through_shares(&z[row], &of_shares[row]).into_iter().enumerate() {
                m[row][i] = 0.9 * m[row][i] + 0.1 * g;
                v[row][i] = 0.999 * v[row][i] + 0.001 * g * g;
                let m_hat = m[row][i] / (1.0 - 0.9f64.powi(t));
                let v_hat = v[row][i] / (1.0 - 0.999f64.powi(t));
                z[row][i] -= rate * m_hat / (v_hat + 1e-8).sqrt();
            }
        }
    }
    let mut values: Vec<Vec<f64>> = z.iter().map(|z| softplus(z)).collect();
    let beta = values.split_off(x.len());
    (values, beta)
}

#[test]
fn the_steps_are_those_of_a_literal_program() {
    let Episode { support, .. } = episode();
    let x: Vec<Vec<f64>> = (0..support.documents())
        .map(|n| {
            let mut row = vec![0.0; TERMS];
            support.row(n).for_each(|(term, count)| row[term as usize] = f64::from(count));
            row
        })
        .collect();
    for (steps, rate) in [(1, 0.1), (5, 0.03), (5, 1.0), (12, 0.3)] {
        let prior = prior::<f64>(maml(steps as usize, rate));
        let weights = prior.to_tensors();
        let b: Vec<Vec<f64>> = weights["b"].values.chunks(TERMS).map(<[f64]>::to_vec).collect();
        let (alpha, beta) = adapted(&weights["a"].values, &b, &x, (steps, rate));
        let ours = forward(&prior, &support);
        let close = |ours: f64, theirs: f64| (ours - theirs).abs() < 1e-11 * theirs;
        for (&ours, theirs) in ours.alpha.iter().zip(alpha.concat()) {
            assert!(close(ours, theirs), "alpha is {ours}, not {theirs}");
        }
        for (k, topic) in beta.iter().enumerate() {
            for (j, &theirs) in topic.iter().enumerate() {
                let ours = ours.beta_row(j)[k];
                assert!(close(ours, theirs), "beta is {ours}, not {theirs}");
            }
        }
        // What was not read stays as it was learned.
        let start = softplus(&weights["a"].values);
        for (&ours, theirs) in ours.alpha[TOPICS..2 * TOPICS].iter().zip(start) {
            assert!(close(ours, theirs));
        }
    }
}

fn no_steps_are_the_free_prior<R: Real>() {
    let episode = episode();
    let run = |settings| {
        let prior = prior::<R>(settings);
        let mut pass = EpisodePass::default();
        pass.read(&episode);
        let likelihood = pass.forward(&prior, &episode, TOPICS, 0, &mut Dropout::off());
        pass.backward(&prior, &episode, 1.0);
        let gradients = pass.gradient.of.into_iter().map(|gradient| match gradient {
            Gradient::Dense(values) => values,
            _ => panic!("both learn numbers, not layers"),
        });
        (likelihood, pass.dirichlet, gradients.collect::<Vec<_>>())
    };
    assert_eq!(run(maml(0, 0.3)), run(PriorSettings::Free(FreeSettings::default())));
}

#[test]
fn without_steps_value_and_gradient_are_those_of_the_free_prior() {
    no_steps_are_the_free_prior::<f32>();
    no_steps_are_the_free_prior::<f64>();
}

#[test]
fn documents_without_words_leave_the_start_as_it_is() {
    let mut support = WordCounts::new();
    support.push_row([]);
    support.push_row([]);
    let start = forward(&prior::<f32>(PriorSettings::Free(FreeSettings::default())), &support);
    assert_eq!(forward(&prior::<f32>(maml(5, 1.0)), &support), start);
}

#[test]
fn float32_stays_finite_for_starts_and_rates_far_from_any_sensible_one() {
    let episode = episode();
    for rate in [1e-3, 1.0, 100.0] {
        for size in [1.0f32, 30.0, 300.0] {
            let mut weights =
                prior::<f32>(PriorSettings::Free(FreeSettings::default())).to_tensors();
            for tensor in weights.values_mut() {
                tensor.values.iter_mut().for_each(|weight| *weight *= 10.0 * size);
            }
            let settings = maml(5, rate);
            let prior = AnyPrior::from_tensors(settings, TERMS, TOPICS, &weights).unwrap();
            let mut pass = EpisodePass::default();
            pass.read(&episode);
            let likelihood = pass.forward(&prior, &episode, TOPICS, 0, &mut Dropout::off());
            pass.backward(&prior, &episode, 1.0 / likelihood.words as f64);
            let what = format!("rate {rate}, weights of size {size}");
            assert!(likelihood.log_likelihood.is_finite(), "{what}");
            for gradient in &pass.gradient.of {
                let Gradient::Dense(values) = gradient else { panic!("a number a weight") };
                assert!(values.iter().all(|value| value.is_finite()), "{what}: {values:?}");
            }
        }
    }
}
