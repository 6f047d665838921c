//! EM, the likelihood of the query, and the likelihood at the modes that MAML steps along.

use super::{TERMS, check, episode, numbers, positive, weighted_sum};
use handful::internals::corpus::{Episode, Occurrences, WordCounts};
use handful::internals::em::{
    Dirichlet, EmTape, EpisodeTerms, Inference, LocalPrior, LogDirection, ModeLikelihood,
    PriorGradient, QueryLikelihood, log_likelihood,
};

#[test]
fn likelihood_of_the_query() {
    let Episode { query, .. } = episode();
    let local: Vec<u32> = query.terms().to_vec();
    let (topics, scale) = (3, 0.7);
    let (theta, phi) = (positive(3 * topics, 1), positive(TERMS * topics, 2));
    let mut likelihood = QueryLikelihood::default();
    likelihood.backward(&query, &local, topics, &theta, &phi, scale);
    let logs = |values: &[f64]| values.iter().map(|x| x.ln()).collect::<Vec<_>>();
    let exps = |values: &[f64]| values.iter().map(|x| x.exp()).collect::<Vec<_>>();
    check("log theta", &logs(&theta), &likelihood.log_theta, |x| {
        -scale * log_likelihood(&query, &local, topics, &exps(x), &phi)
    });
    check("log phi", &logs(&phi), &likelihood.log_phi, |x| {
        -scale * log_likelihood(&query, &local, topics, &theta, &exps(x))
    });
}

#[test]
fn em_and_vb_layers_with_respect_to_every_parameter_of_the_priors() {
    let episode = episode();
    let (topics, documents) = (3, 3);
    let kinds = [Inference::Em, Inference::Vb];
    for (inference, steps) in kinds.into_iter().flat_map(|kind| [0, 1, 2, 8].map(|t| (kind, t))) {
        let dirichlet = |alpha: &[f64], beta: &[f64], evidence: &[f64]| {
            let mut beta_sum = vec![0.0; topics];
            beta.iter().enumerate().for_each(|(i, beta)| beta_sum[i % topics] += beta);
            let (alpha, beta, evidence) = (alpha.to_vec(), beta.to_vec(), evidence.to_vec());
            Dirichlet { inference, topics, alpha, beta, beta_sum, evidence }
        };
        let mut occurrences = Occurrences::default();
        occurrences.fill(&episode.support);
        let mut terms = EpisodeTerms::default();
        terms.fill(&episode.support, &occurrences, &episode.query);
        let run = |alpha: &[f64], beta: &[f64], evidence: &[f64]| {
            let mut prior = LocalPrior::default();
            prior.fill(&dirichlet(alpha, beta, evidence), &episode.support, &terms);
            let mut em = EmTape::default();
            em.forward(&episode.support, &terms, &prior, steps);
            (prior, em)
        };
        let theta_weights = numbers(documents * topics, 5);
        let phi_weights = numbers(terms.terms.len() * topics, 6);
        let value = |alpha: &[f64], beta: &[f64], evidence: &[f64]| {
            let (_, em) = run(alpha, beta, evidence);
            weighted_sum(em.theta(), &theta_weights) + weighted_sum(em.phi(), &phi_weights)
        };
        let (alpha, beta) = (positive(documents * topics, 3), positive(TERMS * topics, 4));
        let evidence = positive(episode.support.entries(), 7);
        let (prior, mut em) = run(&alpha, &beta, &evidence);
        let times = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).collect::<Vec<_>>();
        let log_theta = times(em.theta(), &theta_weights);
        let log_phi = times(em.phi(), &phi_weights);
        let mut gradient = PriorGradient::default();
        em.backward(&episode.support, &terms, &prior, (&log_theta, &log_phi), &mut gradient);
        let alpha_gradient: Vec<f64> =
            gradient.log_alpha.iter().zip(&alpha).map(|(g, alpha)| g / alpha).collect();
        // Terms outside the episode change the loss through the normaliser alone.
        let mut beta_gradient: Vec<f64> =
            (0..TERMS * topics).map(|i| gradient.beta_sum[i % topics]).collect();
        for (&term, row) in terms.terms.iter().zip(gradient.log_beta.chunks(topics)) {
            for (k, g) in row.iter().enumerate() {
                let i = term as usize * topics + k;
                beta_gradient[i] += g / beta[i];
            }
        }
        check(&format!("alpha, {steps} steps of {inference:?}"), &alpha, &alpha_gradient, |x| {
            value(x, &beta, &evidence)
        });
        check(&format!("beta, {steps} steps of {inference:?}"), &beta, &beta_gradient, |x| {
            value(&alpha, x, &evidence)
        });
        let evidence_gradient: Vec<f64> =
            gradient.log_counts.iter().zip(&evidence).map(|(g, weight)| g / weight).collect();
        check(
            &format!("evidence, {steps} steps of {inference:?}"),
            &evidence,
            &evidence_gradient,
            |x| value(&alpha, &beta, x),
        );
    }
}

#[test]
fn likelihood_at_the_modes_and_its_hessian() {
    let support = episode().support;
    let (topics, documents) = (3, support.documents());
    let mut occurrences = Occurrences::default();
    occurrences.fill(&support);
    let mut terms = EpisodeTerms::default();
    terms.fill(&support, &occurrences, &WordCounts::new());
    // A point is log α of all documents, then log β of all terms.
    let dirichlet = |point: &[f64]| {
        let mut values: Vec<f64> = point.iter().map(|x| x.exp()).collect();
        let beta = values.split_off(documents * topics);
        let mut beta_sum = vec![0.0; topics];
        beta.iter().enumerate().for_each(|(i, beta)| beta_sum[i % topics] += beta);
        let (alpha, inference, evidence) = (values, Inference::Em, Vec::new());
        Dirichlet { inference, topics, alpha, beta, beta_sum, evidence }
    };
    let loss = |point: &[f64]| {
        let Dirichlet { alpha, beta, beta_sum, .. } = dirichlet(point);
        let share = |alpha: &[f64]| {
            let sum: f64 = alpha.iter().sum();
            alpha.iter().map(|alpha| alpha / sum).collect::<Vec<_>>()
        };
        let theta: Vec<f64> = alpha.chunks(topics).flat_map(share).collect();
        let phi: Vec<f64> =
            beta.iter().enumerate().map(|(i, beta)| beta / beta_sum[i % topics]).collect();
        -log_likelihood(&support, support.terms(), topics, &theta, &phi)
            / support.total_words() as f64
    };
    let whole = |dirichlet: &Dirichlet<f64>, parts: &PriorGradient<f64>| {
        let mut dense = Vec::new();
        parts.dense_log_beta(&terms.terms, &dirichlet.beta, &mut dense);
        [&parts.log_alpha[..], &dense].concat()
    };
    let gradient = |point: &[f64]| {
        let (mut likelihood, mut parts) = (ModeLikelihood::default(), PriorGradient::default());
        let dirichlet = dirichlet(point);
        likelihood.gradient(&dirichlet, &support, &terms, &mut parts);
        (whole(&dirichlet, &parts), parts, likelihood)
    };
    let point = numbers((documents + TERMS) * topics, 1);
    let (of_loss, parts, mut likelihood) = gradient(&point);
    check("gradient", &point, &of_loss, loss);

    let along = numbers(point.len(), 2);
    let (log_alpha, log_beta) = along.split_at(documents * topics);
    let at = dirichlet(&point);
    let mut log_beta_sum = vec![0.0; topics];
    for (i, (beta, change)) in at.beta.iter().zip(log_beta).enumerate() {
        log_beta_sum[i % topics] += beta * change / at.beta_sum[i % topics];
    }
    let rows = terms.terms.iter().map(|&term| &log_beta[term as usize * topics..][..topics]);
    let direction = LogDirection {
        log_alpha: log_alpha.to_vec(),
        log_beta: rows.flatten().copied().collect(),
        log_beta_sum,
    };
    let mut change = PriorGradient::default();
    likelihood.change_of_gradient(&support, &terms, &direction, &mut change);
    let mut product = whole(&at, &change);
    for (i, (beta, change)) in at.beta.iter().zip(log_beta).enumerate() {
        product[documents * topics + i] += beta * change * parts.beta_sum[i % topics];
    }
    check("Hessian", &point, &product, |x| weighted_sum(&gradient(x).0, &along));
}
