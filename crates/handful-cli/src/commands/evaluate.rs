//! `handful evaluate`: perplexity of a target corpus's held-out words.

use super::{corpus_names, open_model, read_corpora};
use crate::args::{CommonFlags, EvaluateArgs};
use crate::output;
use handful::internals::corpus::{Episode, corpora_from, with_new_words};
use handful::internals::em::{EmStop, Inference, Likelihood};
use handful::internals::evaluate::{self, AllWords, Perplexities, SmoothedUnigram};
use handful::internals::model_dir::ModelParts;
use handful::internals::prior::{AnyPrior, FitPrior, Prior};
use handful::internals::train::expect_known;
use handful::reading::RawDocument;
use handful::text::Tokenizer;
use handful::{Error, Result};
use serde_json::json;

pub fn evaluate(args: &EvaluateArgs, common: &CommonFlags) -> anyhow::Result<()> {
    args.episode().check()?;
    let opened = open_model(args.model.as_deref())?;
    let model = opened.parts();
    let documents = read_corpora(&args.corpora, &args.reading, common)?;
    expect_known("target", &args.target, &corpus_names(&documents))?;
    let documents: Vec<_> = documents
        .into_iter()
        .filter(|document| document.corpus.as_deref() == Some(&args.target))
        .collect();
    let tokenizer = model.tokenizer(opened.place(), &documents)?;
    let least = model.config.text.as_ref().map_or(1, |text| text.min_document_words);
    let corpora = corpora_from(&documents, &tokenizer, &model.vocabulary, least).map_err(|_| {
        Error::input(
            format!("target {}", args.target),
            format!("no document has {} words that the model knows", least.max(1)),
            "choose a corpus in the language and field the model was trained on",
        )
    })?;
    let target = &corpora.corpora[0];
    let stop = args.em.stop().unwrap_or(EmStop::Steps(model.config.em_steps));
    stop.check()?;
    let tasks = evaluate::draw_tasks(target, args.episode(), args.tasks, common.seed)?;
    let inference = args.inference.map_or(model.config.inference, Inference::from);
    model.config.prior.check_inference(inference, stop)?;
    // As the paper's methods predict, and as a fit does: with words of the documents' own.
    let by_topics = FitPrior::from(&model.prior).with_inference(inference);
    let asked = by_topics.with_own_words();
    let evaluation = evaluate::evaluate(asked, &tasks, stop);
    let (pooled, error) = (evaluation.pooled(), evaluation.standard_error());
    let Perplexities { mean_of_tasks, mean_of_documents, .. } = evaluation.perplexities();
    let repeated = evaluation.repeated;
    let by_topics = asked.own_words.then(|| evaluate::evaluate(by_topics, &tasks, stop).pooled());
    if !pooled.log_likelihood.is_finite() {
        return Err(ModelParts::overflow(opened.place()).into());
    }
    warn_if_seen(model, args, common.quiet);
    let unigram = smoothed_unigram(&model.prior, &tasks);
    let all_words = all_words(model, asked, &documents, &tokenizer, args, stop, common.seed)?;
    if common.json {
        let mut shown = json!({
            "perplexity": pooled.perplexity(),
            "standard_error": error,
            "mean_of_tasks": mean_of_tasks,
            "mean_of_documents": mean_of_documents,
            "tasks": args.tasks,
            "query_words": pooled.words,
            "log_likelihood": pooled.log_likelihood,
            "target": args.target,
            "documents": target.documents.documents(),
            "support_size": args.episode().support_size,
            "support_rate": args.episode().support_rate,
            "topics": model.config.topics,
            "terms": model.vocabulary.len(),
            "seed": common.seed,
        });
        match stop {
            EmStop::Steps(em_steps) => shown["em_steps"] = em_steps.into(),
            EmStop::Converged { .. } => shown["until_converged"] = true.into(),
        }
        if let Some(by_topics) = by_topics {
            shown["without_own_words"] = by_topics.perplexity().into();
        }
        if let Some(unigram) = unigram {
            shown["smoothed_unigram"] = unigram.all.perplexity().into();
        }
        if repeated.words > 0 {
            shown["repeated_words"] = json!({
                "perplexity": repeated.perplexity(),
                "smoothed_unigram": unigram.map(|unigram| unigram.repeated.perplexity()),
                "query_words": repeated.words,
            });
        }
        if let Some(all) = &all_words {
            shown["all_words"] = json!({
                "perplexity": all.welcome.all().perplexity(),
                "without_new_words": all.dropped().all().perplexity(),
                "new_share": all.new_share(),
                "query_words": all.welcome.all().words,
            });
        }
        return output::print_json(&shown);
    }
    output::print(&format!(
        "perplexity {:.1} ± {error:.1} on {}: {} tasks, {} held-out words, {} terms\n",
        pooled.perplexity(),
        args.target,
        args.tasks,
        pooled.words,
        model.vocabulary.len(),
    ))?;
    output::print(&format!(
        "mean of the tasks' perplexities {mean_of_tasks:.1}, of the documents' {mean_of_documents:.1}\n"
    ))?;
    if let Some(unigram) = unigram {
        output::print(&format!(
            "a smoothed unigram, its weights the best for these words: {:.1}\n",
            unigram.all.perplexity()
        ))?;
        if repeated.words > 0 {
            output::print(&format!(
                "of words that the seen part of their document has, too: {:.1}, by the unigram {:.1}\n",
                repeated.perplexity(),
                unigram.repeated.perplexity()
            ))?;
        }
    }
    match all_words.filter(|all| all.new_share() > 0.0) {
        None => Ok(()),
        Some(all) => output::print(&format!(
            "of all words, {:.1}% of which are new to the model: {:.1}, and {:.1} if those are dropped\n",
            100.0 * all.new_share(),
            all.welcome.all().perplexity(),
            all.dropped().all().perplexity(),
        )),
    }
}

/// Returns the likelihood of the same words without topics, if the prior knows the word frequencies
/// of the training corpora.
fn smoothed_unigram(prior: &AnyPrior<f32>, tasks: &[Episode]) -> Option<UnigramLikelihood> {
    let rival = SmoothedUnigram::tuned_beside(prior.unigram()?, prior.terms(), tasks);
    let of = |only_repeated| -> Likelihood {
        tasks.iter().map(|task| rival.likelihood_of(task, only_repeated)).sum()
    };
    Some(UnigramLikelihood { all: of(false), repeated: of(true) })
}

/// The likelihood of all held-out words, and of those that the seen part of their document has, too.
#[derive(Clone, Copy)]
struct UnigramLikelihood {
    all: Likelihood,
    repeated: Likelihood,
}

/// Returns the likelihood of all words, if the model takes new ones.
fn all_words(
    model: &ModelParts,
    asked: FitPrior<'_>,
    documents: &[RawDocument],
    tokenizer: &Tokenizer,
    args: &EvaluateArgs,
    stop: EmStop,
    seed: u64,
) -> Result<Option<AllWords>> {
    let Some(expected) = model.new_word_prior() else { return Ok(None) };
    let least = model.config.text.as_ref().map_or(1, |text| text.min_document_words);
    let open = with_new_words(&model.vocabulary, documents, tokenizer);
    let corpora = corpora_from(documents, tokenizer, &open, least)?;
    let target = (&corpora.corpora[0], &open);
    let (episode, tasks) = (args.episode(), args.tasks);
    evaluate::evaluate_all_words(asked, expected, target, episode, tasks, stop, seed).map(Some)
}

/// A figure on a corpus that shaped the model says nothing about new ones.
fn warn_if_seen(model: &ModelParts, args: &EvaluateArgs, quiet: bool) {
    let Some(training) = &model.config.training else { return };
    let role = if training.corpora.contains(&args.target) {
        "trained"
    } else if training.validation_corpora.contains(&args.target) {
        "validated"
    } else {
        return;
    };
    let warning = format!(
        "the model was {role} on {}: the figure is better than it would be on a new corpus \
         (train with --exclude to measure that)",
        args.target
    );
    output::warn(quiet, &warning);
}
