//! Trains a small model on a folder of folders, a corpus each, and fits with it.
//!
//!     cargo run --release --example train_on_folders [FOLDER]

use handful::reading::{ReadSettings, read_corpora};
use handful::{FitSettings, Model, Result, TrainProgress, Training};
use std::ops::ControlFlow;
use std::path::PathBuf;

fn main() -> Result<()> {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/corpora");
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(shipped), PathBuf::from);
    let corpora = read_corpora(&[folder], &ReadSettings::default(), &mut std::io::empty())?;

    let training = Training::default().with_max_steps(50).with_validation_corpora(2);
    let model = Model::train(&corpora.documents, &training, &mut |progress| {
        if let TrainProgress::Prepared(prepared) = progress {
            println!("{} corpora, {} terms", prepared.training_corpora, prepared.terms);
        }
        // `ControlFlow::Break(())` would end the training.
        ControlFlow::Continue(())
    })?;

    let texts: Vec<_> = corpora.documents.iter().take(6).collect();
    let fit = model.fit(texts, &FitSettings::default().with_topics(2))?;
    for topic in fit.topics() {
        println!("{:3.0}%  {}", 100.0 * topic.share, topic.terms(8).join(" "));
    }
    Ok(())
}
