//! `handful inspect`: describes a directory.

use super::{open_model, print_fit};
use crate::args::{CommonFlags, InspectArgs};
use crate::output;
use handful::internals::model_dir::DirectoryKind;
use handful::internals::prior::Prior;
use handful::{Fit, Model};
use serde_json::json;

pub fn inspect(args: &InspectArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let directory = args.directory.as_deref();
    match directory.map_or(Ok(DirectoryKind::Model), DirectoryKind::of)? {
        DirectoryKind::Model => show_model(&open_model(directory)?, common),
        DirectoryKind::TopicModel => {
            let fit = Fit::open(directory.expect("it was looked at"))?;
            print_fit(&fit, &args.terms.shown(), &[], common)
        }
    }
}

fn show_model(model: &Model, common: &CommonFlags) -> anyhow::Result<()> {
    let parts = model.parts();
    let size =
        |parameter: &handful::internals::nn::Parameter<f32>| parameter.rows * parameter.columns;
    let weights: usize = parts.prior.parameters().iter().map(size).sum();
    if common.json {
        let mut value = serde_json::to_value(&parts.config)?;
        value["terms"] = json!(model.terms());
        value["weights"] = json!(weights);
        output::print_json(&value)
    } else {
        output::print(&format!("{}\n{weights} weights\n", model.card()))
    }
}
