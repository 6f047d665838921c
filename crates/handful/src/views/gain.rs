//! How much the topics are to be trusted, for people and for programs.

use super::words::percent;
use crate::fit::Fit;
use crate::topic_model::Gain;

/// How much better held-out words are predicted with topics than without.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownGain {
    pub(super) gain: Gain,
    /// What it says, in plain words.
    pub(super) plain: String,
    /// What it says, with its figures.
    pub(super) sentence: String,
}

impl ShownGain {
    /// What the topics of a fit gained, if it can be told.
    pub(super) fn of(fit: &Fit) -> Option<Self> {
        let config = &fit.saved().config;
        config.assessment.gain.as_ref().map(|gain| Self::saying(gain, config.topics))
    }

    /// What `topics` topics gained.
    fn saying(gain: &Gain, topics: usize) -> Self {
        let (Gain { perplexity, smoothed_unigram, clear }, lower_by) = (*gain, gain.lower_by());
        let share = percent(lower_by.abs());
        let (compared, better, to_trust) = match (clear, lower_by > 0.0) {
            (true, true) => (format!("{share} lower"), "clearly better", true),
            (true, false) => (format!("{share} higher"), "worse", false),
            (false, _) => ("not clearly lower".to_owned(), "not clearly better", false),
        };
        let (these, topics) = if topics == 1 { ("this", "topic") } else { ("these", "topics") };
        let advice =
            if to_trust { String::new() } else { format!(" Take the {topics} with caution.") };
        let plain = format!(
            "Words that were hidden are predicted {better} with {these} {topics} than without.{advice}"
        );
        let sentence = format!(
            "Held-out words have perplexity {perplexity:.0} with {these} {topics}, \
             {smoothed_unigram:.0} without (smoothed unigram): {compared}.{advice}"
        );
        Self { gain: *gain, plain, sentence }
    }

    /// For a terminal: the figures if `details` are wanted, else plain words.
    pub(super) fn text(&self, details: bool) -> String {
        format!("{}\n", if details { &self.sentence } else { &self.plain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of topics whose perplexity is `perplexity`, where the rival's is 1000.
    fn said(perplexity: f64, clear: bool, topics: usize) -> ShownGain {
        ShownGain::saying(&Gain { perplexity, smoothed_unigram: 1000.0, clear }, topics)
    }

    #[test]
    fn a_gain_a_loss_and_luck_are_called_so() {
        let gain = said(750.0, true, 2);
        assert_eq!(
            gain.plain,
            "Words that were hidden are predicted clearly better with these topics than without."
        );
        assert_eq!(
            gain.sentence,
            "Held-out words have perplexity 750 with these topics, 1000 without (smoothed unigram): \
             25% lower."
        );
        let loss = said(1100.0, true, 1);
        assert_eq!(
            loss.plain,
            "Words that were hidden are predicted worse with this topic than without. Take the topic \
             with caution."
        );
        assert!(loss.sentence.ends_with("10% higher. Take the topic with caution."));
        let luck = said(950.0, false, 3);
        assert_eq!(
            luck.plain,
            "Words that were hidden are predicted not clearly better with these topics than without. \
             Take the topics with caution."
        );
        assert!(luck.sentence.ends_with("not clearly lower. Take the topics with caution."));
    }
}
