//! What the documents' own held-out words say of the topics, for people and for programs.

use crate::choice::ShownChoice;
use crate::gain::ShownGain;
use handful::model_dir::TopicModelConfig;
use serde_json::Value;

/// What the documents' own held-out words say of the topics.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownEvidence {
    /// Why there are as many as there are, where that was not asked for.
    pub choice: Option<ShownChoice>,
    /// What they gain over none, where it can be told.
    pub gain: Option<ShownGain>,
}

impl ShownEvidence {
    /// What a fit keeps of it.
    pub fn of(config: &TopicModelConfig) -> Self {
        let TopicModelConfig { topics, documents, evidence, .. } = config;
        Self {
            choice: evidence.tried.as_ref().map(|it| ShownChoice::of(it, *topics, *documents)),
            gain: evidence.gain.as_ref().map(|gain| ShownGain::of(gain, *topics)),
        }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let choice = self.choice.as_ref().map(ShownChoice::text);
        let gain = self.gain.as_ref().map(|gain| gain.sentence.clone() + "\n");
        match [choice, gain].into_iter().flatten().collect::<String>() {
            nothing if nothing.is_empty() => nothing,
            text => format!("\n{text}"),
        }
    }

    /// Adds it to what programs are told.
    pub fn add_to(&self, json: &mut Value) {
        if let Some(choice) = &self.choice {
            json["choice"] = choice.json();
        }
        if let Some(gain) = &self.gain {
            json["gain"] = gain.json();
        }
    }
}
