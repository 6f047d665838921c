//! What each stage of a training episode costs.
//!
//! The step of `handful train` is written out here with a clock between its stages. The sum over the stages
//! is an episode without what `handful-bench episode` has besides: the mean of the weights.

use crate::data;
use clap::Args;
use handful::internals::corpus::{Episode, EpisodeSampler};
use handful::internals::em::{
    Dirichlet, EmTape, EpisodeTerms, LocalPrior, PriorGradient, QueryLikelihood, log_likelihood,
};
use handful::internals::nn::{Adam, Dropout, EpisodeGradient};
use handful::internals::numeric::SimdLevel;
use handful::internals::prior::{
    AnyPrior, AnyTape, HandfulSettings, IwataSettings, Prior, PriorSettings, Request,
};
use handful::internals::random::{Purpose, stream};
use handful::internals::storage::TermRows;
use handful::internals::train::{TrainSettings, Trainer, TrainingCorpora, ValidationChoice};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// The work's size.
#[derive(Debug, Args)]
pub struct Settings {
    /// JSON lines with word counts, a file a data set
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Time the prior `handful` too, which takes a minute to start on 20 Newsgroups
    #[arg(long)]
    handful: bool,
    /// Rounds of all stages; the least of each stage counts
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Steps of a round
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
}

const STAGES: [&str; 8] = [
    "draw",
    "catch_up",
    "prior_forward",
    "em_forward",
    "likelihood",
    "em_backward",
    "prior_backward",
    "adam",
];

/// A clock that adds the time since it was last asked to one stage after the other.
struct Stopwatch {
    last: Instant,
    seconds: [f64; STAGES.len()],
}

impl Stopwatch {
    fn add_to(&mut self, stage: &str) {
        let now = Instant::now();
        let i = STAGES.iter().position(|&name| name == stage).expect("a stage's name");
        self.seconds[i] += (now - self.last).as_secs_f64();
        self.last = now;
    }
}

/// Prints a line for each data set and prior: milliseconds an episode, stage by stage.
pub fn print(settings: &Settings) -> anyhow::Result<()> {
    let mut priors = vec![PriorSettings::Iwata(IwataSettings::default())];
    if settings.handful {
        priors.push(PriorSettings::Handful(HandfulSettings::default()));
    }
    for file in &settings.data {
        let (corpora, terms) = data::read(file)?;
        let roles = TrainingCorpora::choose(&corpora, &[], &ValidationChoice::Drawn(0), 1)?;
        for &prior in &priors {
            let training = TrainSettings::of(prior);
            let mut runner = Runner::start(&roles, terms, &training)?;
            runner.round(settings.steps)?;
            let mut least = [f64::INFINITY; STAGES.len()];
            for _ in 0..settings.rounds {
                for (least, seconds) in least.iter_mut().zip(runner.round(settings.steps)?) {
                    *least = least.min(seconds);
                }
            }
            let mut answer = json!({
                "simd": SimdLevel::in_use().name(),
                "data": file.display().to_string(),
                "prior": prior.kind(),
            });
            for (stage, least) in STAGES.iter().zip(least) {
                answer[format!("{stage}_ms")] = json!(1e3 * least);
            }
            println!("{answer}");
        }
    }
    Ok(())
}

/// A prior in training.
struct Runner<'a> {
    training: &'a TrainSettings,
    sampler: EpisodeSampler<'a>,
    prior: AnyPrior<f32>,
    adam: Adam<f32>,
    gradients: Vec<EpisodeGradient<f32>>,
    works: Vec<Work>,
    number: u64,
}

/// The memory of an episode besides its gradient.
#[derive(Default)]
struct Work {
    episode: Episode,
    terms: EpisodeTerms,
    tape: AnyTape<f32>,
    dirichlet: Dirichlet<f32>,
    local: LocalPrior<f32>,
    em: EmTape<f32>,
    likelihood: QueryLikelihood<f32>,
    prior_gradient: PriorGradient<f32>,
}

impl<'a> Runner<'a> {
    fn start(
        roles: &'a TrainingCorpora<'a>,
        terms: usize,
        training: &'a TrainSettings,
    ) -> anyhow::Result<Self> {
        let prior = Trainer::new(roles, terms, training)?.prior();
        Ok(Self {
            adam: Adam::new(training.adam, prior.parameters()),
            sampler: EpisodeSampler::new(roles.training.clone(), training.episode)?,
            gradients: (0..training.episodes_per_step)
                .map(|_| EpisodeGradient::default())
                .collect(),
            works: (0..training.episodes_per_step).map(|_| Work::default()).collect(),
            training,
            prior,
            number: 0,
        })
    }

    /// Seconds an episode of each stage.
    fn round(&mut self, steps: u64) -> anyhow::Result<[f64; STAGES.len()]> {
        let mut watch = Stopwatch { last: Instant::now(), seconds: [0.0; STAGES.len()] };
        for _ in 0..steps {
            self.step(&mut watch)?;
        }
        let episodes = (steps * self.works.len() as u64) as f64;
        Ok(watch.seconds.map(|seconds| seconds / episodes))
    }

    fn step(&mut self, watch: &mut Stopwatch) -> anyhow::Result<()> {
        let Self { training, sampler, prior, adam, gradients, works, number } = self;
        let mut streams = Vec::new();
        for (work, gradient) in works.iter_mut().zip(&mut *gradients) {
            let mut stream = stream(training.seed, Purpose::Training, *number);
            *number += 1;
            sampler.draw(&mut stream, &mut work.episode)?;
            streams.push(stream);
            let Episode { support, query, .. } = &work.episode;
            gradient.occurrences.fill(support);
            work.terms.fill(support, &gradient.occurrences, query);
        }
        watch.add_to("draw");
        adam.catch_up(prior.parameters_mut(), gradients);
        watch.add_to("catch_up");
        let share = 1.0 / works.len() as f64;
        for ((work, gradient), stream) in works.iter_mut().zip(&mut *gradients).zip(&mut streams) {
            let Work { episode, terms, tape, dirichlet, local, em, likelihood, prior_gradient } =
                work;
            let Episode { support, query, .. } = episode;
            let mut dropout = Dropout::on(training.dropout, stream);
            let request = Request::new(prior.topics(), TermRows::Of(&terms.terms));
            prior.forward(support, request, &mut dropout, tape, dirichlet);
            watch.add_to("prior_forward");
            local.fill(dirichlet, support, terms);
            em.forward(support, terms, local, training.em_steps);
            watch.add_to("em_forward");
            let (theta, phi, topics) = (em.theta(), em.phi(), dirichlet.topics);
            let found = log_likelihood(query, &terms.query, topics, theta, phi);
            anyhow::ensure!(found.is_finite(), "the loss is not finite");
            let scale = (share / query.total_words() as f64) as f32;
            likelihood.backward(query, &terms.query, topics, theta, phi, scale);
            watch.add_to("likelihood");
            let of_query = (&likelihood.log_theta[..], &likelihood.log_phi[..]);
            em.backward(support, terms, local, of_query, prior_gradient);
            watch.add_to("em_backward");
            let of = &mut gradient.of;
            prior.backward(support, &terms.terms, dirichlet, prior_gradient, tape, of);
            watch.add_to("prior_backward");
        }
        adam.step(prior.parameters_mut(), gradients);
        watch.add_to("adam");
        Ok(())
    }
}
