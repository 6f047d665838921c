//! `handful train`: corpora in, a model directory out.

use super::read_corpora;
use crate::args::{CommonFlags, TrainArgs};
use crate::output;
use crate::progress::TrainingDisplay;
use anyhow::Context;
use handful::internals::model_dir::{DirectoryKind, ModelConfig, check_output};
use handful::internals::storage::{Claim, remove_file};
use handful::internals::train::CheckpointPlan;
use handful::{Error, Model, TrainProgress, Training};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub fn train(args: &TrainArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let mut training = Training::default().with_text(args.text.settings()?);
    training.settings = args.settings(common.seed)?;
    if let Some(vectors) = args.word_vectors()? {
        training = training.with_word_vectors(vectors);
    }
    let plan = args.checkpoints()?;
    training.exclude.clone_from(&args.exclude);
    training.validation = args.validation();
    // Another run must write neither the model nor its checkpoint.
    let out = Claim::of(&args.out)?;
    let finished = finished_model(args, &plan)?;
    if finished.is_none() && plan.path.exists() && !args.resume {
        if !args.force {
            return Err(Error::exists(
                plan.path.display().to_string(),
                "is the checkpoint of a run that was stopped",
                "go on with --resume, or start afresh with --force",
            )
            .into());
        }
        remove_file(&plan.path)?;
    }

    let documents = read_corpora(&args.corpora, &args.reading, common)?;
    if let Some(config) = finished {
        if let Some(difference) = training.difference_from(&documents, &config)? {
            let place = args.out.display().to_string();
            let problem =
                format!("holds a finished model of other settings or corpora: {difference}");
            let remedy = "choose another name, or replace it with --force and without --resume";
            return Err(Error::exists(place, problem, remedy).into());
        }
        if !common.quiet {
            output::say(&format!("handful: {} is finished: nothing to do", args.out.display()));
        }
        return Ok(remove_file(&plan.path)?);
    }
    let mut display = TrainingDisplay::new(&training.settings, common);
    training.checkpoints = Some(plan);
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    let trained = Model::train(documents, &training, &mut |progress| {
        if let TrainProgress::Prepared(prepared) = &progress {
            prepared.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
        }
        display.show(&progress);
        match interrupted.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    display.finish();
    let model = trained?;
    check_output(&args.out, args.force)?;
    model.parts().save_claimed(&out)?;
    remove_file(&training.checkpoints.expect("set above").path)?;
    summarise(&model, &args.out, common)
}

/// The finished model that `--resume` finds. Refuses any other output that is there.
fn finished_model(args: &TrainArgs, plan: &CheckpointPlan) -> Result<Option<ModelConfig>, Error> {
    // With --force, the existing model may be the one that a stopped run is to replace.
    let goes_on = args.resume && plan.path.exists();
    if !args.resume || !args.out.exists() || (args.force && goes_on) {
        check_output(&args.out, args.force)?;
        return Ok(None);
    }
    match DirectoryKind::of(&args.out)? {
        DirectoryKind::Model => Ok(Some(Model::open(&args.out)?.parts().config.clone())),
        DirectoryKind::TopicModel => {
            let place = args.out.display().to_string();
            Err(Error::exists(place, "holds a fitted topic model", "choose another name"))
        }
    }
}

fn summarise(model: &Model, out: &Path, common: &CommonFlags) -> anyhow::Result<()> {
    let parts = model.parts();
    let training = parts.config.training.as_ref().expect("recorded by the training");
    if common.json {
        return output::print_json(&json!({
            "model": out.display().to_string(),
            "steps": training.steps,
            "best_step": training.best_step,
            "validation_perplexity": training.validation_perplexity,
            "corpora": training.corpora,
            "validation_corpora": training.validation_corpora,
            "excluded": training.excluded,
            "terms": model.terms(),
            "seed": training.seed,
        }));
    }
    if !common.quiet {
        let how = match (training.validation_perplexity, training.best_step) {
            (Some(perplexity), Some(step)) => {
                format!("validation perplexity {perplexity:.1} after {step} steps")
            }
            _ => format!("the weights after {} steps, without validation", training.steps),
        };
        output::say(&format!("handful: {} is ready: {how}", out.display()));
    }
    Ok(())
}
