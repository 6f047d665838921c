//! Every backward pass against finite differences in float64, stage by stage.

use handful::corpus::{Episode, Occurrences, WordCounts};
use handful::em::{
    EmTape, EpisodeTerms, LocalPrior, LogDirection, ModeLikelihood, PriorGradient, QueryLikelihood,
    log_likelihood,
};
use handful::nn::{
    Dropout, EpisodeGradient, FeedForward, FeedForwardTape, Gradient, Linear, Parameter, TermInput,
    TermOutput, TermOutputTape, TermSoftmax, TermSoftmaxTape,
};
use handful::prior::{
    AnyPrior, AnyTape, Dirichlet, HandfulSettings, Ingredient, IwataSettings, MamlSettings, Prior,
    PriorSettings, TermRows,
};
use handful::random::{Purpose, stream};
use handful::train::EpisodePass;
use rand::RngExt;

/// Numbers between −1 and 1, the same in every run.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut stream = stream(seed, Purpose::Weights, 99);
    (0..count).map(|_| stream.random_range(-1.0..1.0)).collect()
}

fn positive(count: usize, seed: u64) -> Vec<f64> {
    numbers(count, seed).into_iter().map(|x| (2.0 * x).exp()).collect()
}

/// Checks `gradient` against central differences of `value` at `point`.
fn check(what: &str, point: &[f64], gradient: &[f64], value: impl Fn(&[f64]) -> f64) {
    assert_eq!(point.len(), gradient.len(), "{what}");
    let largest = gradient.iter().fold(1e-3f64, |largest, g| largest.max(g.abs()));
    let step = 1e-5;
    for i in 0..point.len() {
        let at = |x: f64| {
            let mut moved = point.to_vec();
            moved[i] = x;
            value(&moved)
        };
        let difference = (at(point[i] + step) - at(point[i] - step)) / (2.0 * step);
        assert!(
            (difference - gradient[i]).abs() < 1e-6 * largest,
            "{what}[{i}]: {} by hand, {difference} by differences",
            gradient[i]
        );
    }
}

fn weighted_sum(values: &[f64], weights: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(v, w)| v * w).sum()
}

fn multiplied_out(
    gradient: &EpisodeGradient<f64>,
    p: usize,
    parameter: &Parameter<f64>,
) -> Vec<f64> {
    let mut dense = vec![0.0; parameter.values.len()];
    for (i, row) in dense.chunks_mut(parameter.columns).enumerate() {
        gradient.add_row(p, i, row);
    }
    dense
}

fn parameter(rows: usize, columns: usize, seed: u64) -> Parameter<f64> {
    Parameter { values: numbers(rows * columns, seed), ..Parameter::zeros("w", rows, columns) }
}

/// Documents with shared terms, an empty support and an empty query among them.
fn episode() -> Episode {
    let (mut support, mut query) = (WordCounts::new(), WordCounts::new());
    support.push_row([(0, 2), (3, 1), (7, 4)]);
    query.push_row([(3, 1), (9, 2)]);
    support.push_row([]);
    query.push_row([(1, 1), (7, 1)]);
    support.push_row([(3, 3), (5, 1)]);
    query.push_row([]);
    Episode { support, query, ..Episode::default() }
}

const TERMS: usize = 11;

fn with_values(parameters: &[Parameter<f64>], p: usize, values: &[f64]) -> Vec<Parameter<f64>> {
    let mut parameters = parameters.to_vec();
    parameters[p].values = values.to_vec();
    parameters
}

#[test]
fn linear_layer() {
    let parameters = [parameter(3, 5, 1), parameter(1, 3, 2)];
    let linear = Linear { weight: 0, bias: Some(1) };
    let (inputs, weights) = (numbers(4 * 5, 3), numbers(4 * 3, 4));
    let value = |parameters: &[Parameter<f64>], inputs: &[f64]| {
        let mut outputs = Vec::new();
        linear.forward(parameters, inputs, &mut Vec::new(), &mut outputs);
        weighted_sum(&outputs, &weights)
    };
    let mut gradient = EpisodeGradient { of: vec![Gradient::default(); 2], ..Default::default() };
    let mut input_gradient = vec![0.0; inputs.len()];
    linear.backward(
        &parameters,
        &inputs,
        &weights,
        &mut gradient.of,
        &mut Vec::new(),
        &mut input_gradient,
    );
    check("inputs", &inputs, &input_gradient, |x| value(&parameters, x));
    for p in 0..2 {
        let dense = multiplied_out(&gradient, p, &parameters[p]);
        check("weights", &parameters[p].values, &dense, |w| {
            value(&with_values(&parameters, p, w), &inputs)
        });
    }
}

#[test]
fn feed_forward_network_with_dropout() {
    let parameters =
        [parameter(6, 5, 1), parameter(1, 6, 2), parameter(2, 6, 3), parameter(1, 2, 4)];
    let linear = |weight| Linear { weight, bias: Some(weight + 1) };
    let network = FeedForward { layers: vec![linear(0), linear(2)] };
    let (units, weights) = (numbers(3 * 5, 5), numbers(3 * 2, 6));
    let run = |parameters: &[Parameter<f64>], units: &[f64], tape: &mut FeedForwardTape<f64>| {
        let mut outputs = Vec::new();
        let mut stream = stream(7, Purpose::Training, 0);
        let mut dropout = Dropout::on(0.3, &mut stream);
        network.forward(parameters, units, &mut dropout, tape, &mut outputs);
        (weighted_sum(&outputs, &weights), dropout.scale::<f64>())
    };
    let mut tape = FeedForwardTape::default();
    let (_, scale) = run(&parameters, &units, &mut tape);
    let mut gradient = EpisodeGradient { of: vec![Gradient::default(); 4], ..Default::default() };
    let unit_gradient =
        network.backward(&parameters, &weights, scale, &mut tape, &mut gradient.of).to_vec();
    let fresh = FeedForwardTape::default;
    check("units", &units, &unit_gradient, |x| run(&parameters, x, &mut fresh()).0);
    for p in 0..4 {
        let dense = multiplied_out(&gradient, p, &parameters[p]);
        check("weights", &parameters[p].values, &dense, |w| {
            run(&with_values(&parameters, p, w), &units, &mut fresh()).0
        });
    }
}

#[test]
fn layer_that_reads_word_counts() {
    let parameters = [parameter(TERMS, 4, 1)];
    let (layer, support) = (TermInput { weight: 0 }, episode().support);
    let weights = numbers(support.documents() * 4, 2);
    let mut gradient = EpisodeGradient { of: vec![Gradient::default()], ..Default::default() };
    gradient.occurrences.fill(&support);
    layer.backward(&weights, &mut gradient.of);
    let dense = multiplied_out(&gradient, 0, &parameters[0]);
    check("weights", &parameters[0].values, &dense, |w| {
        let mut outputs = Vec::new();
        layer.forward(&with_values(&parameters, 0, w), &support, &mut outputs);
        weighted_sum(&outputs, &weights)
    });
}

#[test]
fn layer_that_writes_beta_over_several_blocks() {
    // More terms than one block of the layer holds.
    let (terms, topics, units) = (600, 2, 3);
    let parameters = [parameter(terms, units, 1), parameter(1, terms, 2)];
    let layer = TermOutput { weight: 0, bias: 1 };
    let hidden = numbers(topics * units, 3);
    let touched = [3u32, 255, 256, 599];
    // L = Σ_touched w log β + Σ_k c_k Σ_j β_kj
    let (log_weights, sum_weights) = (numbers(touched.len() * topics, 4), numbers(topics, 5));
    let value = |parameters: &[Parameter<f64>], hidden: &[f64]| {
        let (mut beta, mut sum) = (Vec::new(), Vec::new());
        layer.forward(parameters, hidden, &mut TermOutputTape::default(), &mut beta, &mut sum);
        let logs: Vec<f64> = touched
            .iter()
            .flat_map(|&term| &beta[term as usize * topics..][..topics])
            .map(|beta| beta.ln())
            .collect();
        weighted_sum(&logs, &log_weights) + weighted_sum(&sum, &sum_weights)
    };
    let (mut beta, mut sum, mut tape) = (Vec::new(), Vec::new(), TermOutputTape::default());
    layer.forward(&parameters, &hidden, &mut tape, &mut beta, &mut sum);
    let mut gradient = EpisodeGradient { of: vec![Gradient::default(); 2], ..Default::default() };
    let mut hidden_gradient = Vec::new();
    layer.backward(
        &parameters,
        &hidden,
        &beta,
        &touched,
        &log_weights,
        &sum_weights,
        &mut tape,
        &mut gradient.of,
        &mut hidden_gradient,
    );
    check("hidden", &hidden, &hidden_gradient, |x| value(&parameters, x));
    for p in 0..2 {
        let dense = multiplied_out(&gradient, p, &parameters[p]);
        check("weights", &parameters[p].values, &dense, |w| {
            value(&with_values(&parameters, p, w), &hidden)
        });
    }
}

#[test]
fn distributions_over_the_terms_over_several_blocks() {
    // More terms than one block of the layer holds.
    let (terms, topics, dimension) = (600, 2, 3);
    let parameters = [parameter(terms, dimension, 1), parameter(1, terms, 2)];
    let layer = TermSoftmax { weight: 0, bias: 1 };
    let vectors = numbers(topics * dimension, 3);
    let touched = [3u32, 255, 256, 599];
    let log_weights = numbers(touched.len() * topics, 4);
    // L = Σ_touched w log σ, with σ as the formula says.
    let log_shares = |parameters: &[Parameter<f64>], vectors: &[f64]| {
        let logit = |term: usize, k: usize| {
            let vector = &vectors[k * dimension..(k + 1) * dimension];
            weighted_sum(parameters[0].row(term), vector) + parameters[1].values[term]
        };
        let log_sums: Vec<f64> = (0..topics)
            .map(|k| (0..terms).map(|term| logit(term, k).exp()).sum::<f64>().ln())
            .collect();
        let log_share = |&term: &u32, k: usize| logit(term as usize, k) - log_sums[k];
        let rows = touched.iter().flat_map(|term| (0..topics).map(move |k| log_share(term, k)));
        rows.collect::<Vec<f64>>()
    };
    let value = |parameters: &[Parameter<f64>], vectors: &[f64]| {
        weighted_sum(&log_shares(parameters, vectors), &log_weights)
    };
    let mut tape = TermSoftmaxTape::default();
    layer.forward(&parameters, &vectors, &mut tape);
    let ours = touched.iter().flat_map(|&term| tape.shares(term as usize));
    for (share, log_share) in ours.zip(log_shares(&parameters, &vectors)) {
        assert!((share.ln() - log_share).abs() < 1e-12);
    }
    let mut gradient = EpisodeGradient { of: vec![Gradient::default(); 2], ..Default::default() };
    let mut vector_gradient = Vec::new();
    layer.backward(
        &parameters,
        &vectors,
        &touched,
        &log_weights,
        &mut tape,
        &mut gradient.of,
        &mut vector_gradient,
    );
    check("vectors", &vectors, &vector_gradient, |x| value(&parameters, x));
    for p in 0..2 {
        let dense = multiplied_out(&gradient, p, &parameters[p]);
        check("weights", &parameters[p].values, &dense, |w| {
            value(&with_values(&parameters, p, w), &vectors)
        });
    }
}

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
fn em_layers_with_respect_to_every_parameter_of_the_priors() {
    let episode = episode();
    let (topics, documents) = (3, 3);
    for steps in [0, 1, 2, 8] {
        let dirichlet = |alpha: &[f64], beta: &[f64], evidence: &[f64]| {
            let mut beta_sum = vec![0.0; topics];
            beta.iter().enumerate().for_each(|(i, beta)| beta_sum[i % topics] += beta);
            let (alpha, beta, evidence) = (alpha.to_vec(), beta.to_vec(), evidence.to_vec());
            Dirichlet { topics, alpha, beta, beta_sum, evidence }
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
        check(&format!("alpha, {steps} steps"), &alpha, &alpha_gradient, |x| {
            value(x, &beta, &evidence)
        });
        check(&format!("beta, {steps} steps"), &beta, &beta_gradient, |x| {
            value(&alpha, x, &evidence)
        });
        let evidence_gradient: Vec<f64> =
            gradient.log_counts.iter().zip(&evidence).map(|(g, weight)| g / weight).collect();
        check(&format!("evidence, {steps} steps"), &evidence, &evidence_gradient, |x| {
            value(&alpha, &beta, x)
        });
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
        Dirichlet { topics, alpha: values, beta, beta_sum, evidence: Vec::new() }
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

fn priors() -> Vec<PriorSettings> {
    let iwata = |layers, corpus_representation| {
        PriorSettings::Iwata(IwataSettings { hidden: 7, layers, corpus_representation })
    };
    let maml =
        |inner_steps, inner_rate| PriorSettings::Maml(MamlSettings { inner_steps, inner_rate });
    let handful = |without| {
        PriorSettings::Handful(HandfulSettings {
            dimension: 5,
            hidden: 6,
            themes: 4,
            word_dropout: 0.3,
            input_dropout: 0.2,
            without,
        })
    };
    vec![
        iwata(2, true),
        iwata(3, true),
        iwata(3, false),
        PriorSettings::Free,
        handful(None),
        handful(Some(Ingredient::DocumentTopics)),
        handful(Some(Ingredient::Background)),
        maml(1, 0.1),
        maml(5, 0.1),
        maml(5, 1.0),
    ]
}

#[test]
fn priors_by_themselves() {
    let Episode { support, .. } = episode();
    let topics = 3;
    for settings in priors() {
        let mut weights = stream(3, Purpose::Weights, 0);
        let prior = AnyPrior::<f64>::random(settings, TERMS, topics, &mut weights);
        let topics = prior.topics() + usize::from(prior.has_background());
        // L = Σ a log α + Σ b log β over all terms + Σ_k c_k Σ_j β_kj + Σ d log evidence
        let log_alpha = numbers(support.documents() * topics, 1);
        let log_beta = numbers(TERMS * topics, 2);
        // The background's β are so large that differences would drown in their rounding.
        let mut beta_sum = numbers(topics, 3);
        beta_sum[3..].iter_mut().for_each(|weight| *weight *= 1e-5);
        let log_counts = numbers(support.entries(), 4);
        let run = |prior: &AnyPrior<f64>, tape: &mut AnyTape<f64>| {
            let mut dirichlet = Dirichlet::default();
            prior.forward(&support, TermRows::All, &mut Dropout::off(), tape, &mut dirichlet);
            dirichlet
        };
        let value = |prior: &AnyPrior<f64>| {
            let dirichlet = run(prior, &mut AnyTape::default());
            let logs = |values: &[f64]| values.iter().map(|x| x.ln()).collect::<Vec<_>>();
            weighted_sum(&logs(&dirichlet.alpha), &log_alpha)
                + weighted_sum(&logs(&dirichlet.beta), &log_beta)
                + weighted_sum(&dirichlet.beta_sum, &beta_sum)
                + weighted_sum(&logs(&dirichlet.evidence), &log_counts)
        };
        let mut tape = AnyTape::default();
        let dirichlet = run(&prior, &mut tape);
        let mut gradient = EpisodeGradient::default();
        gradient.occurrences.fill(&support);
        let terms: Vec<u32> = (0..TERMS as u32).collect();
        let given = PriorGradient {
            log_alpha: log_alpha.clone(),
            log_beta: log_beta.clone(),
            beta_sum: beta_sum.clone(),
            log_counts: log_counts.clone(),
        };
        prior.backward(&support, &terms, &dirichlet, &given, &mut tape, &mut gradient.of);
        check_weights(&format!("{settings:?}"), &prior, &gradient, value);
    }
}

#[test]
fn whole_episodes_with_dropout() {
    let episode = episode();
    for settings in priors() {
        let mut weights = stream(4, Purpose::Weights, 0);
        let prior = AnyPrior::<f64>::random(settings, TERMS, 3, &mut weights);
        let run = |prior: &AnyPrior<f64>, pass: &mut EpisodePass<f64, AnyTape<f64>>| {
            let mut stream = stream(8, Purpose::Training, 0);
            pass.read(&episode);
            pass.forward(prior, &episode, 4, &mut Dropout::on(0.2, &mut stream))
        };
        let mut pass = EpisodePass::default();
        let likelihood = run(&prior, &mut pass);
        pass.backward(&prior, &episode, 1.0 / likelihood.words as f64);
        check_weights(&format!("{settings:?}"), &prior, &pass.gradient, |prior| {
            run(prior, &mut EpisodePass::default()).loss()
        });
    }
}

fn check_weights(
    what: &str,
    prior: &AnyPrior<f64>,
    gradient: &EpisodeGradient<f64>,
    value: impl Fn(&AnyPrior<f64>) -> f64,
) {
    for (p, parameter) in prior.parameters().iter().enumerate() {
        let dense = multiplied_out(gradient, p, parameter);
        check(&format!("{what}, {}", parameter.name), &parameter.values, &dense, |w| {
            let mut moved = prior.clone();
            moved.parameters_mut()[p].values = w.to_vec();
            value(&moved)
        });
    }
}
