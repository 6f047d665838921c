//! `handful inspect`: what is in a directory.

use super::{open_model, print_topic_model};
use crate::args::{CommonFlags, InspectArgs};
use crate::{output, report};
use handful::model_dir::{DirectoryKind, Model, SavedTopicModel};
use handful::prior::Prior;
use handful::storage::TermRows;
use serde_json::json;

pub fn inspect(args: &InspectArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let directory = args.directory.as_deref();
    match directory.map_or(Ok(DirectoryKind::Model), DirectoryKind::of)? {
        DirectoryKind::Model => show_model(&open_model(directory)?.0.read(TermRows::All)?, common),
        DirectoryKind::TopicModel => {
            let saved = SavedTopicModel::load(directory.expect("it was looked at"))?;
            print_topic_model(&saved, &args.terms.of(&saved.topic_model)?, &[], None, common)
        }
    }
}

fn show_model(model: &Model, common: &CommonFlags) -> anyhow::Result<()> {
    let weights: usize =
        model.prior.parameters().iter().map(|parameter| parameter.values.len()).sum();
    if common.json {
        let mut value = serde_json::to_value(&model.config)?;
        value["terms"] = json!(model.vocabulary.len());
        value["weights"] = json!(weights);
        output::print_json(&value)
    } else {
        output::print(&report::model(model, weights))
    }
}
