//! Whole priors and whole episodes.

use super::{TERMS, check, episode, multiplied_out, numbers, weighted_sum};
use handful::internals::corpus::Episode;
use handful::internals::em::{Dirichlet, PriorGradient};
use handful::internals::nn::{Activation, DocumentInput, Dropout, EpisodeGradient};
use handful::internals::prior::{
    AnyPrior, AnyTape, FreeSettings, HandfulSettings, Ingredient, IwataSettings, MamlSettings,
    Prior, PriorSettings, Request,
};
use handful::internals::random::{Purpose, stream};
use handful::internals::storage::TermRows;
use handful::internals::train::EpisodePass;

fn priors() -> Vec<(PriorSettings, Option<Ingredient>)> {
    let iwata = |layers, corpus_representation| {
        let usual = IwataSettings::default();
        PriorSettings::Iwata(IwataSettings { hidden: 7, layers, corpus_representation, ..usual })
    };
    // Every network has a width of its own, and r a length of its own.
    let uneven = |layers, activation, input| {
        PriorSettings::Iwata(IwataSettings {
            hidden: 7,
            layers,
            hidden_f_r: Some(4),
            hidden_g_r: Some(6),
            hidden_f_a: Some(5),
            hidden_f_b: Some(8),
            representation_size: Some(3),
            activation,
            input,
            ..IwataSettings::default()
        })
    };
    let maml =
        |inner_steps, inner_rate| PriorSettings::Maml(MamlSettings { inner_steps, inner_rate });
    let handful = {
        PriorSettings::Handful(HandfulSettings {
            dimension: 5,
            hidden: 6,
            themes: 4,
            word_dropout: 0.3,
            input_dropout: 0.2,
            word_rate: 0.1,
        })
    };
    vec![
        (iwata(2, true), None),
        (iwata(3, true), None),
        (iwata(3, false), None),
        (uneven(2, Activation::Relu, DocumentInput::Shares), None),
        (uneven(3, Activation::LeakyRelu, DocumentInput::Counts), None),
        (uneven(4, Activation::Tanh, DocumentInput::Shares), None),
        (PriorSettings::Free(FreeSettings::default()), None),
        (handful, None),
        (handful, Some(Ingredient::DocumentTopics)),
        (handful, Some(Ingredient::Background)),
        (maml(1, 0.1), None),
        (maml(5, 0.1), None),
        (maml(5, 1.0), None),
    ]
}

#[test]
fn priors_by_themselves() {
    let Episode { support, .. } = episode();
    let topics = 3;
    for (settings, without) in priors() {
        let mut weights = stream(3, Purpose::Weights, 0);
        let mut prior = AnyPrior::<f64>::random(settings, TERMS, topics, &mut weights);
        without.into_iter().for_each(|part| prior.leave_out(part));
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
            let request = Request::new(prior.topics(), TermRows::All);
            prior.forward(&support, request, &mut Dropout::off(), tape, &mut dirichlet);
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
    for (settings, without) in priors() {
        let mut weights = stream(4, Purpose::Weights, 0);
        let mut prior = AnyPrior::<f64>::random(settings, TERMS, 3, &mut weights);
        without.into_iter().for_each(|part| prior.leave_out(part));
        let run = |prior: &AnyPrior<f64>, pass: &mut EpisodePass<f64, AnyTape<f64>>| {
            let mut stream = stream(8, Purpose::Training, 0);
            pass.read(&episode);
            pass.forward(prior, &episode, 3, 4, &mut Dropout::on(0.2, &mut stream))
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
