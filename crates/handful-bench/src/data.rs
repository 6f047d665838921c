//! Counts to work on.

use crate::Settings;
use handful::Result;
use handful::internals::corpus::{Corpus, EpisodeSettings, build_vocabulary, corpora_from};
use handful::internals::nn::AdamSettings;
use handful::internals::prior::{IwataSettings, PriorSettings};
use handful::internals::train::TrainSettings;
use handful::reading::{ReadSettings, read_corpora};
use handful::text::{TextSettings, Tokenizer};
use std::io;
use std::path::Path;

/// The corpora of a counts file, and the size of its vocabulary.
pub fn read(data: &Path) -> Result<(Vec<Corpus>, usize)> {
    let inputs = [data.to_owned()];
    let reading = read_corpora(&inputs, &ReadSettings::default(), &mut io::empty())?;
    let text = TextSettings::default();
    let vocabulary = build_vocabulary(&reading.documents, &[], &text)?;
    let corpora = corpora_from(&reading.documents, &Tokenizer::new(&text), &vocabulary, 1)?;
    Ok((corpora.corpora, vocabulary.len()))
}

/// The library's settings for the work.
pub fn train_settings(settings: &Settings) -> TrainSettings {
    TrainSettings {
        prior: PriorSettings::Iwata(IwataSettings {
            hidden: settings.hidden,
            ..IwataSettings::default()
        }),
        topics: settings.topics,
        em_steps: settings.em_steps,
        episode: EpisodeSettings {
            support_size: settings.support_size,
            ..EpisodeSettings::default()
        },
        adam: AdamSettings {
            clip_norm: Some(settings.clip_norm).filter(|&norm| norm > 0.0),
            ..AdamSettings::default()
        },
        episodes_per_step: settings.episodes_per_step,
        max_steps: u64::MAX,
        ..TrainSettings::default()
    }
}
