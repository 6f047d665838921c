//! The layers of networks.

use super::{TERMS, check, episode, multiplied_out, numbers, parameter, weighted_sum, with_values};
use handful::internals::nn::{
    Activation, DocumentInput, Dropout, EpisodeGradient, FeedForward, FeedForwardTape, Gradient,
    Linear, Parameter, TermInput, TermOutput, TermOutputTape, TermSoftmax, TermSoftmaxTape,
};
use handful::internals::random::{Purpose, stream};

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
fn feed_forward_network_with_every_activation_and_dropout() {
    let parameters =
        [parameter(6, 5, 1), parameter(1, 6, 2), parameter(2, 6, 3), parameter(1, 2, 4)];
    let linear = |weight| Linear { weight, bias: Some(weight + 1) };
    let (units, weights) = (numbers(3 * 5, 5), numbers(3 * 2, 6));
    for (activation, rate) in Activation::ALL.into_iter().flat_map(|a| [(a, 0.0), (a, 0.3)]) {
        let network = FeedForward { layers: vec![linear(0), linear(2)], activation };
        let run =
            |parameters: &[Parameter<f64>], units: &[f64], tape: &mut FeedForwardTape<f64>| {
                let mut outputs = Vec::new();
                let mut stream = stream(7, Purpose::Training, 0);
                let mut dropout = Dropout::on(rate, &mut stream);
                network.forward(parameters, units, &mut dropout, tape, &mut outputs);
                (weighted_sum(&outputs, &weights), dropout.scale::<f64>())
            };
        let mut tape = FeedForwardTape::default();
        let (_, scale) = run(&parameters, &units, &mut tape);
        let mut gradient =
            EpisodeGradient { of: vec![Gradient::default(); 4], ..Default::default() };
        let unit_gradient =
            network.backward(&parameters, &weights, scale, &mut tape, &mut gradient.of).to_vec();
        let fresh = FeedForwardTape::default;
        let what = |part: &str| format!("{part}, {activation:?}, dropout {rate}");
        check(&what("units"), &units, &unit_gradient, |x| run(&parameters, x, &mut fresh()).0);
        for p in 0..4 {
            let dense = multiplied_out(&gradient, p, &parameters[p]);
            check(&what("weights"), &parameters[p].values, &dense, |w| {
                run(&with_values(&parameters, p, w), &units, &mut fresh()).0
            });
        }
    }
}

#[test]
fn layer_that_reads_word_counts() {
    let (parameters, support) = ([parameter(TERMS, 4, 1)], episode().support);
    let weights = numbers(support.documents() * 4, 2);
    for input in DocumentInput::ALL {
        let layer = TermInput { weight: 0, input };
        let mut gradient = EpisodeGradient { of: vec![Gradient::default()], ..Default::default() };
        gradient.occurrences.fill(&support);
        layer.backward(&support, &weights, &mut gradient.of);
        let dense = multiplied_out(&gradient, 0, &parameters[0]);
        check(&format!("weights, {input:?}"), &parameters[0].values, &dense, |w| {
            let mut outputs = Vec::new();
            layer.forward(&with_values(&parameters, 0, w), &support, &mut outputs);
            weighted_sum(&outputs, &weights)
        });
    }
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
    layer.forward(&parameters, None, &vectors, &mut tape);
    let ours = touched.iter().flat_map(|&term| tape.shares(term as usize, 0));
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
