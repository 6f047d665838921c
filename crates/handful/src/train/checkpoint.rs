//! Checkpoints: everything that a run needs to continue as if it had never stopped.

use super::trainer::State;
use super::{EarlyStopping, TrainSettings, TrainingCorpora};
use crate::corpus::{Corpus, checksum};
use crate::prior::Prior;
use crate::storage::{Claim, TensorFile, TensorSource, difference, sealed_tensor_bytes};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

/// Where to write checkpoints, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointPlan {
    /// The checkpoint file.
    pub path: PathBuf,
    /// The number of steps between two checkpoints.
    pub every: u64,
    /// Whether to resume from the file if it exists.
    pub resume: bool,
}

/// The metadata key of a checkpoint.
const METADATA: &str = "handful-checkpoint";
/// The version of the format.
const VERSION: u32 = 1;

/// Identifies a run, apart from its progress. A checkpoint of another run is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunIdentity {
    settings: TrainSettings,
    training: Vec<String>,
    validation: Vec<String>,
    terms: usize,
    /// CRC-32 of all counts.
    data: u32,
}

impl RunIdentity {
    pub(super) fn new(
        settings: &TrainSettings,
        corpora: &TrainingCorpora<'_>,
        terms: usize,
    ) -> Self {
        let names =
            |corpora: &[&Corpus]| corpora.iter().map(|corpus| corpus.name.clone()).collect();
        Self {
            settings: settings.clone(),
            training: names(&corpora.training),
            validation: names(&corpora.validation),
            terms,
            data: checksum(corpora.training.iter().chain(&corpora.validation).copied()),
        }
    }
}

/// The part of a checkpoint that is not a tensor.
#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    run: RunIdentity,
    step: u64,
    settled: Vec<u64>,
    loss_sum: f64,
    loss_steps: u64,
    stopping: EarlyStopping,
}

/// Writes the state. The previous file stays until the new one is complete.
pub(super) fn save(claim: &Claim, run: &RunIdentity, state: &State) -> Result<()> {
    let header = Header {
        version: VERSION,
        run: run.clone(),
        step: state.step,
        settled: state.adam.settled.clone(),
        loss_sum: state.loss_sum,
        loss_steps: state.loss_steps,
        stopping: state.stopping.clone(),
    };
    let header = serde_json::to_string(&header).expect("a header is plain data");
    let parameters = state.prior.parameters();
    let weights = parameters.iter().map(|parameter| &parameter.values);
    let named = |group: &'static str, i: usize, values| {
        let parameter = &parameters[i];
        let shape = vec![parameter.rows, parameter.columns];
        (format!("{group}/{}", parameter.name), shape, values)
    };
    let groups: [(&'static str, Vec<&Vec<f32>>); 5] = [
        ("weights", weights.collect()),
        ("first", state.adam.first.iter().collect()),
        ("second", state.adam.second.iter().collect()),
        ("mean", state.average.iter().flat_map(|average| &average.weights).collect()),
        ("best", state.best_weights.iter().flatten().collect()),
    ];
    let tensors = groups.iter().flat_map(|(group, values)| {
        values.iter().enumerate().map(|(i, values)| named(group, i, values.as_slice()))
    });
    // There is only one of each, so their names need no group.
    let fixed = state.prior.fixed_tensors();
    let fixed =
        fixed.iter().map(|(name, tensor)| (name.clone(), tensor.shape.clone(), &*tensor.values));
    let metadata = HashMap::from([(METADATA.to_owned(), header)]);
    claim.write_file(&sealed_tensor_bytes(tensors.chain(fixed), metadata))
}

/// Replaces `state` by the state in the checkpoint.
pub(super) fn load(plan: &CheckpointPlan, run: &RunIdentity, state: &mut State) -> Result<()> {
    let place = plan.path.display().to_string();
    let file = TensorFile::open(&plan.path)?;
    let remedy = "remove it to start afresh, or give the settings and data it was made with";
    let damaged = |error| {
        let problem = format!("has an unreadable header ({error})");
        Error::damaged(&place, problem, remedy)
    };
    let header = file
        .metadata(METADATA)
        .ok_or_else(|| Error::input(&place, "is no checkpoint of a training run", remedy))?;
    let json: Value = serde_json::from_str(header).map_err(damaged)?;
    if json["version"] != VERSION {
        let problem = format!("is of version {}, not {VERSION}", json["version"]);
        return Err(Error::unsupported(&place, problem, remedy));
    }
    let ours = serde_json::to_value(run).expect("an identity is plain data");
    // Other settings also draw other corpora, so the cause must be compared before its
    // consequences.
    let parts = ["settings", "training", "validation", "terms", "data"];
    if let Some(difference) = difference(&parts, &json["run"], &ours) {
        return Err(Error::input(&place, format!("is of another run: {difference}"), remedy));
    }
    let header: Header = serde_json::from_value(json).map_err(damaged)?;
    // Counted on from here, larger numbers would run over.
    let Header { step, loss_steps, stopping, .. } = &header;
    let validations = stopping.validations.len();
    if *step > run.settings.max_steps || loss_steps > step || stopping.since_best > validations {
        return Err(Error::damaged(&place, "has numbers of steps that do not fit", remedy));
    }
    let mut best = Vec::new();
    for (i, parameter) in state.prior.parameters_mut().iter_mut().enumerate() {
        let read = |group: &str| -> Result<Vec<f32>> {
            let name = format!("{group}/{}", parameter.name);
            Ok(file.shaped(&name, &[parameter.rows, parameter.columns])?.into_owned())
        };
        let weights = read("weights")?;
        state.adam.first[i] = read("first")?;
        state.adam.second[i] = read("second")?;
        if let Some(average) = &mut state.average {
            average.weights[i] = read("mean")?;
        }
        if header.stopping.best.is_some() {
            best.push(read("best")?);
        }
        parameter.values = weights;
    }
    state.prior.take_fixed_tensors(&file)?;
    state.best_weights = header.stopping.best.is_some().then_some(best);
    state.adam.steps = header.step;
    let steps_of_rows = &header.settled;
    if steps_of_rows.len() != state.adam.settled.len()
        || steps_of_rows.iter().any(|&settled| settled > header.step)
    {
        return Err(Error::damaged(&place, "has steps of rows that do not fit", remedy));
    }
    state.adam.settled = header.settled;
    state.step = header.step;
    state.loss_sum = header.loss_sum;
    state.loss_steps = header.loss_steps;
    state.stopping = header.stopping;
    Ok(())
}
