//! Writes the model card, which describes a model to its users.

use super::config::ModelConfig;
use std::fmt::Write;

/// Returns the `README.md` of a model directory.
pub(super) fn card(config: &ModelConfig, terms: usize) -> String {
    let mut card = String::from("# A Handful model\n\n");
    let mut say = |line: &str| writeln!(card, "{line}").expect("a string takes every line");
    say("A prior for topic models of a few documents, to be used with Handful.\n");
    say("| | |\n| --- | --- |");
    let prior = config.prior.describe();
    say(&format!("| prior | `{}`: {prior} |", config.prior.kind()));
    say(&format!("| topics | {} |", config.topics));
    say(&format!("| EM steps | {} |", config.em_steps));
    say(&format!("| vocabulary | {terms} terms |"));
    if config.new_words.is_some() {
        say("| new words | become terms |");
    }
    if config.compact {
        say("| weights | rounded to 16 bits and fewer |");
    }
    let documents = if config.text.is_some() { "text or word counts" } else { "word counts only" };
    say(&format!("| reads | {documents} |"));
    if let Some(training) = &config.training {
        say(&format!(
            "| trained on | {} documents of {} corpora |",
            training.documents,
            training.corpora.len()
        ));
        say(&format!("| steps | {} |", training.steps));
        say(&format!("| seed | {} |", training.seed));
        match (training.validation_perplexity, training.best_step) {
            (Some(perplexity), Some(step)) => {
                say(&format!("| validation perplexity | {perplexity:.1}, after {step} steps |"))
            }
            (Some(perplexity), None) => {
                say(&format!("| validation perplexity | {perplexity:.1} |"));
            }
            (None, _) => say("| validation | none: these are the last weights |"),
        }
    }
    if let Some(about) = &config.about {
        say(&format!("\n{}", about.trim()));
    }
    if let Some(training) = &config.training {
        for (title, names) in [
            ("Trained on", &training.corpora),
            ("Validated on", &training.validation_corpora),
            ("Left out", &training.excluded),
        ] {
            if !names.is_empty() {
                say(&format!("\n## {title}\n"));
                names.iter().for_each(|name| say(&format!("- {name}")));
            }
        }
    }
    card
}
