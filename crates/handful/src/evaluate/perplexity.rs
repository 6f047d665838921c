//! Perplexity of held-out words, pooled over tasks.

use super::Perplexities;
use crate::corpus::{Corpus, Episode, EpisodeSampler, EpisodeSettings, WordCounts};
use crate::em::{
    EmStop, EpisodeTerms, Likelihood, OwnWords, PosteriorMode, fit_documents, fit_with_own_words,
};
use crate::error::{MOST, expect_within};
use crate::numeric::Real;
use crate::prior::{FitPrior, Prior, Request, TakeGiven};
use crate::random::{Purpose, stream};
use crate::storage::TermRows;
use crate::{Error, Result};
use rayon::prelude::*;
use std::sync::OnceLock;

/// The held-out likelihood on tasks of one corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The likelihood of each task's query words, by document.
    pub tasks: Vec<Vec<Likelihood>>,
    /// The likelihood of those query words that their document has in the support, too.
    pub repeated: Likelihood,
}

impl Evaluation {
    /// The likelihood of all query words.
    pub fn pooled(&self) -> Likelihood {
        self.tasks.iter().map(|task| task.iter().copied().sum()).sum()
    }

    /// The perplexity of all query words, and its mean over tasks and over documents.
    pub fn perplexities(&self) -> Perplexities {
        Perplexities::of(&self.tasks)
    }

    /// Computes the standard error of the pooled perplexity over tasks, by the delta method.
    ///
    /// The pooled loss is a ratio of two sums over tasks, so a task deviates by
    /// −log-likelihood − loss · words. Returns zero if there is only one task.
    pub fn standard_error(&self) -> f64 {
        let pooled = self.pooled();
        let tasks = self.tasks.len() as f64;
        if tasks < 2.0 {
            return 0.0;
        }
        let loss = pooled.loss();
        let deviation = |task: &Vec<Likelihood>| {
            let task: Likelihood = task.iter().copied().sum();
            -task.log_likelihood - loss * task.words as f64
        };
        let squares: f64 = self.tasks.iter().map(|task| deviation(task).powi(2)).sum();
        let loss_error = (squares * tasks / (tasks - 1.0)).sqrt() / pooled.words as f64;
        pooled.perplexity() * loss_error
    }
}

/// Fits the support of each task and asks for the likelihood of its query.
pub fn evaluate<'a>(prior: impl Into<FitPrior<'a>>, tasks: &[Episode], stop: EmStop) -> Evaluation {
    let prior = prior.into();
    let of_task = |task: &Episode| {
        let fitted = fit_tasks(&[(task, prior)], None, stop).pop().expect("one task, one fit");
        let of_repeated = fitted.likelihood(task, |n, term| task.support.count_of(n, term) > 0);
        (fitted.document_likelihoods(task, |_, _| true), of_repeated)
    };
    let (tasks, repeated): (Vec<_>, Vec<_>) = tasks.par_iter().map(of_task).unzip();
    Evaluation { tasks, repeated: repeated.into_iter().sum() }
}

/// Draws tasks from the target corpus. Each depends only on its number, so the first tasks are the
/// same however many are drawn.
pub fn draw_tasks(
    target: &Corpus,
    settings: EpisodeSettings,
    tasks: usize,
    seed: u64,
) -> Result<Vec<Episode>> {
    expect_within("tasks", tasks, 1, MOST)?;
    let sampler = EpisodeSampler::new(vec![target], settings)?;
    let documents = target.documents.documents();
    if documents < settings.support_size {
        return Err(Error::input(
            format!("target {}", target.name),
            format!("has {documents} usable documents, but a task needs {}", settings.support_size),
            "give more documents or lower `support_size`",
        ));
    }
    if !settings.suits(target) {
        return Err(Error::input(
            format!("target {}", target.name),
            "has too few words for documents as long as a task needs",
            "give more documents, or ask for fewer or shorter ones",
        ));
    }
    (0..tasks as u64)
        .into_par_iter()
        .map(|number| {
            let mut task = Episode::default();
            sampler.draw(&mut stream(seed, Purpose::Evaluation, number), &mut task)?;
            Ok(task)
        })
        .collect()
}

/// Fits the support of a task and asks for the likelihood of its query.
pub fn task_likelihood<'a>(
    prior: impl Into<FitPrior<'a>>,
    task: &Episode,
    stop: EmStop,
) -> Likelihood {
    task_likelihoods(&[(task, prior.into())], None, stop)[0]
}

/// [`task_likelihood`] of each document.
pub fn document_likelihoods<'a>(
    prior: impl Into<FitPrior<'a>>,
    task: &Episode,
    stop: EmStop,
) -> Vec<Likelihood> {
    let fitted = fit_tasks(&[(task, prior.into())], None, stop).pop().expect("one task, one fit");
    fitted.document_likelihoods(task, |_, _| true)
}

/// A support that is asked about beside some tasks, and who takes what the prior gives for it.
pub type Beside<'a> = (&'a WordCounts, Request<'a>, &'a TakeGiven<'a, f32>);

/// [`task_likelihood`] of several tasks, each with what it asks of the same prior. They share work, also
/// with what is asked beside them.
pub fn task_likelihoods(
    tasks: &[(&Episode, FitPrior<'_>)],
    beside: Option<Beside<'_>>,
    stop: EmStop,
) -> Vec<Likelihood> {
    let likelihood = |(fitted, (task, _)): (FittedTask, &(&Episode, FitPrior<'_>))| {
        fitted.likelihood(task, |_, _| true)
    };
    fit_tasks(tasks, beside, stop).into_iter().zip(tasks).map(likelihood).collect()
}

/// θ and φ of a task's support, with φ over all of the task's terms.
#[derive(Debug)]
pub(super) struct FittedTask {
    pub(super) terms: EpisodeTerms,
    /// K, plus 1 if there is a background topic.
    pub(super) topics: usize,
    pub(super) em: PosteriorMode<f64>,
    pub(super) own: OwnWords,
}

impl FittedTask {
    /// The likelihood of the words of the task's query that are wanted, by their document and term.
    pub(super) fn likelihood(
        &self,
        task: &Episode,
        is_wanted: impl Fn(usize, u32) -> bool,
    ) -> Likelihood {
        self.document_likelihoods(task, is_wanted).into_iter().sum()
    }

    /// [`Self::likelihood`] of each document.
    fn document_likelihoods(
        &self,
        task: &Episode,
        is_wanted: impl Fn(usize, u32) -> bool,
    ) -> Vec<Likelihood> {
        let Self { terms, topics, em, own } = self;
        let of_document = |n: usize| {
            let mut document = Likelihood::default();
            let theta = &em.theta[n * topics..(n + 1) * topics];
            let entries = task.query.row_range(n).zip(task.query.row(n));
            for (entry, (term, count)) in entries.filter(|(_, (term, _))| is_wanted(n, *term)) {
                let phi = &em.phi[terms.query[entry] as usize * topics..][..*topics];
                let of_topics: f64 = theta.iter().zip(phi).map(|(theta, phi)| theta * phi).sum();
                let probability = own.probability(&task.support, n, term, of_topics);
                // A number that overflowed stays what it is.
                document.log_likelihood +=
                    f64::from(count) * probability.at_least(f64::SMALLEST).ln();
                document.words += u64::from(count);
            }
            document
        };
        (0..task.query.documents()).map(of_document).collect()
    }
}

/// Fits the supports of several tasks, each with what it asks of the same prior.
pub(super) fn fit_tasks(
    tasks: &[(&Episode, FitPrior<'_>)],
    beside: Option<Beside<'_>>,
    stop: EmStop,
) -> Vec<FittedTask> {
    let Some((_, FitPrior { prior, .. })) = tasks.first() else { return Vec::new() };
    let terms: Vec<EpisodeTerms> =
        tasks.iter().map(|(task, _)| EpisodeTerms::of(&task.support, &task.query)).collect();
    let requests: Vec<_> = tasks
        .iter()
        .zip(&terms)
        .map(|((task, asked), terms)| (&task.support, asked.request(TermRows::Of(&terms.terms))))
        .chain(beside.map(|(support, request, _)| (support, request)))
        .collect();
    let fitted: Vec<OnceLock<FittedTask>> = tasks.iter().map(|_| OnceLock::new()).collect();
    prior.forward_each(&requests, &|i, topics, dirichlet| {
        if let Some((_, _, take)) = beside.filter(|_| i == tasks.len()) {
            return take(0, topics, dirichlet);
        }
        let terms = terms[i].clone();
        let (task, asked) = (tasks[i].0, tasks[i].1);
        asked.apply(dirichlet);
        let (em, own) = match asked.own_words {
            true => fit_with_own_words(dirichlet, &task.support, &terms, stop),
            false => {
                let em = fit_documents(dirichlet, &task.support, &terms, stop);
                (em, OwnWords::none(task.support.documents()))
            }
        };
        let task = FittedTask { terms, topics: dirichlet.topics, em, own };
        assert!(fitted[i].set(task).is_ok(), "each task is given once");
    });
    fitted.into_iter().map(|task| task.into_inner().expect("every task is given")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_is_that_of_a_ratio() {
        // With tasks of equal length, the loss is a plain mean, 3, with the usual error.
        let task = |loss: f64| vec![Likelihood { log_likelihood: -10.0 * loss, words: 10 }];
        let tasks = vec![task(2.0), task(3.0), task(4.0)];
        let evaluation = Evaluation { tasks, repeated: Likelihood::default() };
        let expected = 3f64.exp() * (1.0f64 / 3.0).sqrt();
        assert!((evaluation.pooled().perplexity() - 3f64.exp()).abs() < 1e-12);
        assert!((evaluation.standard_error() - expected).abs() < 1e-12);
    }
}
