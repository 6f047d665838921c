//! How much the topics are to be trusted, for people and for programs.

use crate::report::percent;
use handful::topic_model::Gain;
use serde_json::{Value, json};

/// How much better held-out words are predicted with topics than without.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownGain {
    /// The perplexity of held-out words with these topics.
    perplexity: f64,
    /// By the smoothed unigram, which has none.
    smoothed_unigram: f64,
    /// By what share the first is lower.
    lower_by: f64,
    /// Whether that is more than luck.
    clear: bool,
    /// What these say.
    pub sentence: String,
}

impl ShownGain {
    /// What so many topics gained.
    pub fn of(gain: &Gain, topics: usize) -> Self {
        let perplexity = gain.with_topics.perplexity();
        let smoothed_unigram = gain.without_topics.perplexity();
        let (lower_by, clear) = (gain.lower_by(), gain.is_clear());
        let share = percent(lower_by.abs());
        let (compared, to_trust) = match (clear, lower_by > 0.0) {
            (true, true) => (format!("{share} lower"), true),
            (true, false) => (format!("{share} higher"), false),
            (false, _) => ("not clearly lower".to_owned(), false),
        };
        let (these, topics) = if topics == 1 { ("this", "topic") } else { ("these", "topics") };
        let advice =
            if to_trust { String::new() } else { format!(" Take the {topics} with caution.") };
        let sentence = format!(
            "Held-out words have perplexity {perplexity:.0} with {these} {topics}, \
             {smoothed_unigram:.0} without (smoothed unigram): {compared}.{advice}"
        );
        Self { perplexity, smoothed_unigram, lower_by, clear, sentence }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let Self { perplexity, smoothed_unigram, lower_by, clear, sentence } = self;
        json!({
            "perplexity": perplexity,
            "smoothed_unigram": smoothed_unigram,
            "lower_by": lower_by,
            "clear": clear,
            "sentence": sentence,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handful::topic_model::Prediction;
    use handful::train::Likelihood;

    /// What is said of topics whose perplexity is `with`, where the rival's is 1000; with gaps that vary
    /// by so much between splits.
    fn said(with: f64, varying: f64, topics: usize) -> ShownGain {
        let prediction = |perplexity: f64, varying: f64| {
            let split = |varying: f64| Likelihood {
                log_likelihood: -10.0 * (perplexity.ln() + varying),
                words: 10,
            };
            Prediction { splits: [varying, -varying].repeat(5).into_iter().map(split).collect() }
        };
        let gain = Gain {
            with_topics: prediction(with, varying),
            without_topics: prediction(1000.0, 0.0),
        };
        ShownGain::of(&gain, topics)
    }

    #[test]
    fn a_gain_a_loss_and_luck_are_called_so() {
        assert_eq!(
            said(750.0, 0.01, 2).sentence,
            "Held-out words have perplexity 750 with these topics, 1000 without (smoothed unigram): \
             25% lower."
        );
        assert_eq!(
            said(1100.0, 0.01, 1).sentence,
            "Held-out words have perplexity 1100 with this topic, 1000 without (smoothed unigram): \
             10% higher. Take the topic with caution."
        );
        let luck = said(950.0, 0.5, 3);
        assert_eq!(
            luck.sentence,
            "Held-out words have perplexity 950 with these topics, 1000 without (smoothed unigram): \
             not clearly lower. Take the topics with caution."
        );
        assert_eq!(luck.json()["clear"], false);
    }
}
