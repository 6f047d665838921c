//! `handful inspect`: what is in a directory.

use super::print_topic_model;
use crate::args::{CommonFlags, InspectArgs};
use crate::{output, report};
use handful::model_dir::{DirectoryKind, Model, SavedTopicModel};
use handful::prior::Prior;
use serde_json::json;

pub fn inspect(args: &InspectArgs, common: &CommonFlags) -> anyhow::Result<()> {
    match DirectoryKind::of(&args.directory)? {
        DirectoryKind::Model => {
            let model = Model::load(&args.directory)?;
            let weights: usize =
                model.prior.parameters().iter().map(|parameter| parameter.values.len()).sum();
            if common.json {
                let mut value = serde_json::to_value(&model.config)?;
                value["terms"] = json!(model.vocabulary.len());
                value["weights"] = json!(weights);
                output::print_json(&value)
            } else {
                output::print(&report::model(&model, weights))
            }
        }
        DirectoryKind::TopicModel => {
            let saved = SavedTopicModel::load(&args.directory)?;
            print_topic_model(&saved, &args.terms.of(&saved.topic_model)?, &[], common)
        }
    }
}
