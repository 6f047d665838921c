//! The whole way of an episode, against outputs and exact gradients of the paper's model and of
//! Handful's own in PyTorch (`fixtures/*.json`, float64, dense and literal).

use handful::internals::corpus::{Episode, WordCounts};
use handful::internals::em::{Dirichlet, Inference, Likelihood};
use handful::internals::nn::{Adam, AdamSettings, Dropout, EpisodeGradient, Parameter};
use handful::internals::numeric::Real;
use handful::internals::prior::{
    AnyPrior, AnyTape, FreeSettings, HandfulSettings, IwataSettings, Prior, PriorSettings, Request,
};
use handful::internals::storage::{Tensor, Tensors, TermRows};
use handful::internals::train::EpisodePass;
use serde_json::Value;

const FIXTURES: [&str; 17] = [
    "free",
    "free_trained",
    "handful_as_many_documents_as_topics",
    "handful_at_the_bounds",
    "handful_by_variational_bayes",
    "handful_fewer_documents_than_topics",
    "handful_more_documents_than_topics",
    "handful_one_topic",
    "paper_empty_documents",
    "paper_four_layers_seven_documents",
    "paper_peaked",
    "paper_t0",
    "paper_t1",
    "paper_t10",
    "paper_trained",
    "paper_two_layers_one_document",
    "without_corpus_representation",
];

/// How far from the oracle a number may be.
#[derive(Clone, Copy)]
enum Tolerance {
    /// Relative to the number itself (and absolutely below 1e-15 of the tensor's largest).
    EachEntry(f64),
    /// Relative to the largest entry of its tensor.
    LargestEntry(f64),
}

struct Fixture {
    name: String,
    json: Value,
}

impl Fixture {
    fn load(name: &str) -> Self {
        let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("the fixture is part of the project");
        Self { name: name.to_owned(), json: serde_json::from_str(&text).expect("it is JSON") }
    }

    fn number(&self, key: &str) -> f64 {
        self.json[key].as_f64().unwrap_or_else(|| panic!("{key} is a number"))
    }

    fn tensor<R: Real>(value: &Value) -> Tensor<R> {
        let outer = value.as_array().expect("a tensor is an array");
        match outer[0].as_array() {
            Some(inner) => Tensor {
                shape: vec![outer.len(), inner.len()],
                values: outer.iter().flat_map(|row| Self::tensor::<R>(row).values).collect(),
            },
            None => Tensor {
                shape: vec![outer.len()],
                values: outer.iter().map(|x| R::of(x.as_f64().expect("a number"))).collect(),
            },
        }
    }

    fn tensors<R: Real>(&self, key: &str) -> Tensors<R> {
        let tensors = self.json[key].as_object().expect("tensors by name");
        tensors.iter().map(|(name, value)| (name.clone(), Self::tensor(value))).collect()
    }

    /// What a model file has beside the weights that are trained.
    fn kept<R: Real>(&self) -> Tensors<R> {
        if self.json["kept"].is_null() { Tensors::new() } else { self.tensors("kept") }
    }

    fn counts(&self, key: &str) -> WordCounts {
        let tensor = Self::tensor::<f64>(&self.json[key]);
        let mut counts = WordCounts::new();
        for row in tensor.values.chunks(tensor.shape[1]) {
            let present = row.iter().enumerate().filter(|(_, count)| **count > 0.0);
            counts.push_row(present.map(|(term, &count)| (term as u32, count as u32)));
        }
        counts
    }

    fn prior<R: Real>(&self) -> AnyPrior<R> {
        let size = |key| self.number(key) as usize;
        let settings = match self.json["kind"].as_str() {
            Some("dir") => PriorSettings::Free(FreeSettings::default()),
            Some("handful") => PriorSettings::Handful(HandfulSettings {
                dimension: size("dimension"),
                hidden: size("hidden"),
                themes: size("themes"),
                ..HandfulSettings::default()
            }),
            kind => PriorSettings::Iwata(IwataSettings {
                hidden: size("hidden"),
                layers: size("layers"),
                corpus_representation: kind == Some("paper"),
                ..IwataSettings::default()
            }),
        };
        let mut weights = self.tensors::<R>("weights");
        weights.extend(self.kept());
        AnyPrior::from_tensors(settings, size("terms"), size("topics"), &weights)
            .expect("the fixture's weights fit")
    }

    /// [`Self::check`] for each row of `columns` columns by itself.
    fn check_rows<R: Real>(
        &self,
        what: &str,
        columns: usize,
        ours: &[R],
        theirs: &[f64],
        tolerance: Tolerance,
    ) {
        assert_eq!(ours.len(), theirs.len(), "{}: size of {what}", self.name);
        let rows = ours.chunks(columns).zip(theirs.chunks(columns));
        for (k, (ours, theirs)) in rows.enumerate() {
            self.check(&format!("{what}[{k}]"), ours, theirs, tolerance);
        }
    }

    /// How near the oracle can be: PyTorch's ψ′ has nine digits.
    fn possible(&self, tolerance: Tolerance) -> Tolerance {
        match tolerance {
            Tolerance::EachEntry(share) if self.json["inference"] == "vb" => {
                Tolerance::EachEntry(share.max(1e-7))
            }
            tolerance => tolerance,
        }
    }

    /// Compares with the oracle's tensor, given in its own layout.
    fn check<R: Real>(&self, what: &str, ours: &[R], theirs: &[f64], tolerance: Tolerance) {
        assert_eq!(ours.len(), theirs.len(), "{}: size of {what}", self.name);
        let largest = theirs.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
        for (i, (ours, &theirs)) in ours.iter().zip(theirs).enumerate() {
            let ours = ours.to_f64();
            assert!(ours.is_finite(), "{}: {what}[{i}] is {ours}", self.name);
            let allowed = match tolerance {
                Tolerance::EachEntry(share) => share * theirs.abs() + 1e-15 * largest,
                Tolerance::LargestEntry(share) => share * largest,
            };
            assert!(
                (ours - theirs).abs() <= allowed,
                "{}: {what}[{i}] is {ours}, the oracle has {theirs}",
                self.name
            );
        }
    }
}

fn transpose<R: Real>(values: &[R], columns: usize) -> Vec<R> {
    (0..columns).flat_map(|c| values.iter().skip(c).step_by(columns).copied()).collect()
}

/// One episode, forward and backward.
struct Outcome<R> {
    /// Of all terms.
    dirichlet: Dirichlet<R>,
    theta: Vec<R>,
    phi: Vec<R>,
    likelihood: Likelihood,
    gradient: EpisodeGradient<R>,
}

fn run<R: Real>(fixture: &Fixture, prior: &AnyPrior<R>) -> Outcome<R> {
    let episode = Episode {
        support: fixture.counts("support"),
        query: fixture.counts("query"),
        ..Episode::default()
    };
    let mut pass = EpisodePass::default();
    if fixture.json["inference"] == "vb" {
        pass.inference = Inference::Vb;
    }
    let em_steps = fixture.number("em_steps") as usize;
    pass.read(&episode);
    let likelihood = pass.forward(prior, &episode, prior.topics(), em_steps, &mut Dropout::off());
    pass.backward(prior, &episode, 1.0 / likelihood.words as f64);
    // The pass asks for the terms at hand only.
    let mut dirichlet = Dirichlet::default();
    let tape = &mut AnyTape::default();
    let request = Request::new(prior.topics(), TermRows::All);
    prior.forward(&episode.support, request, &mut Dropout::off(), tape, &mut dirichlet);
    let topics = dirichlet.topics;
    let mut phi = Vec::new();
    for j in 0..prior.terms() {
        match pass.terms().iter().position(|&term| term as usize == j) {
            Some(i) => phi.extend_from_slice(&pass.em.phi()[i * topics..(i + 1) * topics]),
            None => {
                let row = dirichlet.beta_row(j).iter().zip(pass.phi_norm());
                phi.extend(row.map(|(&beta, &norm)| beta / norm));
            }
        }
    }
    let theta = pass.em.theta().to_vec();
    Outcome { dirichlet, theta, phi, likelihood, gradient: pass.gradient }
}

/// The gradient multiplied out, as tensors of the oracle's names and shapes.
fn multiplied_out<R: Real>(prior: &AnyPrior<R>, gradient: &EpisodeGradient<R>) -> Tensors<R> {
    let mut holder = prior.clone();
    for (p, Parameter { columns, values, .. }) in holder.parameters_mut().iter_mut().enumerate() {
        values.fill(R::ZERO);
        for (i, row) in values.chunks_mut(*columns).enumerate() {
            gradient.add_row(p, i, row);
        }
    }
    holder.to_tensors()
}

fn agrees<R: Real>(tolerance: Tolerance) {
    for name in FIXTURES {
        let fixture = Fixture::load(name);
        let prior = fixture.prior::<R>();
        let tolerance = fixture.possible(tolerance);
        let ours = run(&fixture, &prior);
        let Dirichlet { topics, beta, .. } = &ours.dirichlet;
        let theirs = |key: &str| Fixture::tensor::<f64>(&fixture.json[key]).values;
        fixture.check("alpha", &ours.dirichlet.alpha, &theirs("alpha"), tolerance);
        // A background's β is so large that beside it no other topic's would be seen.
        let beta = transpose(beta, *topics);
        fixture.check_rows("beta", prior.terms(), &beta, &theirs("beta"), tolerance);
        fixture.check("theta", &ours.theta, &theirs("theta"), tolerance);
        fixture.check("phi", &transpose(&ours.phi, *topics), &theirs("phi"), tolerance);
        let likelihood = ours.likelihood;
        for (key, ours) in [
            ("log_likelihood", likelihood.log_likelihood),
            ("loss", likelihood.loss()),
            ("perplexity", likelihood.perplexity()),
        ] {
            fixture.check(key, &[ours], &[fixture.number(key)], tolerance);
        }
        let mut ours = multiplied_out(&prior, &ours.gradient);
        let kept = fixture.kept::<R>();
        ours.retain(|name, _| !kept.contains_key(name));
        let theirs = fixture.tensors::<f64>("gradients");
        assert_eq!(
            ours.keys().collect::<Vec<_>>(),
            theirs.keys().collect::<Vec<_>>(),
            "{name}: the names of the weights"
        );
        for (key, theirs) in &theirs {
            assert_eq!(ours[key].shape, theirs.shape, "{name}: shape of {key}");
            let what = format!("gradient of {key}");
            fixture.check(&what, &ours[key].values, &theirs.values, tolerance);
        }
    }
}

#[test]
fn float64_agrees_with_the_oracle_in_every_output_and_gradient() {
    agrees::<f64>(Tolerance::EachEntry(1e-9));
}

#[test]
fn float32_agrees_with_the_oracle_within_its_precision() {
    agrees::<f32>(Tolerance::LargestEntry(1e-4));
}

fn three_adam_steps<R: Real>(tolerance: Tolerance) {
    for name in ["paper_t10", "free", "handful_fewer_documents_than_topics"] {
        let fixture = Fixture::load(name);
        let mut prior = fixture.prior::<R>();
        let mut adam = Adam::new(AdamSettings::default(), prior.parameters());
        let mut losses = Vec::new();
        for _ in 0..3 {
            let outcome = run(&fixture, &prior);
            losses.push(outcome.likelihood.loss());
            let episodes = [outcome.gradient];
            adam.catch_up(prior.parameters_mut(), &episodes);
            adam.step(prior.parameters_mut(), &episodes);
        }
        let theirs = Fixture::tensor::<f64>(&fixture.json["adam_losses"]).values;
        fixture.check("losses", &losses, &theirs, tolerance);
        adam.settle(prior.parameters_mut());
        let ours = prior.to_tensors();
        for (key, theirs) in fixture.tensors::<f64>("weights_after_adam") {
            fixture.check(&key, &ours[&key].values, &theirs.values, tolerance);
        }
    }
}

#[test]
fn three_steps_of_adam_end_at_the_oracles_weights() {
    three_adam_steps::<f64>(Tolerance::EachEntry(1e-9));
}

#[test]
fn three_steps_of_adam_in_float32_end_near_the_oracles_weights() {
    three_adam_steps::<f32>(Tolerance::LargestEntry(1e-4));
}
