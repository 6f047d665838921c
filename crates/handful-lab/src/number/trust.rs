//! What a fit says of how far its groups are to be trusted.

use handful::Fit;
use handful::fit::{Gain, Halves};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a fit says of how far its groups are to be trusted, as far as it says anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// What became of the groups with half of the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halves: Option<Halves>,
    /// How much better held-out words were predicted with the topics than without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// The probability of the number of topics that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// What the sentences under a fit come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Half of the words gave the same groups in at least half of the tries, and nothing is to be taken
    /// with caution.
    Clear,
    /// Some documents change their group, and nothing is to be taken with caution.
    Mostly,
    /// Something is to be taken with caution.
    Doubtful,
    /// Nothing is said of groups, because there is one.
    Nothing,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 4] = [Self::Clear, Self::Mostly, Self::Doubtful, Self::Nothing];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clear => "clear",
            Self::Mostly => "some documents change groups",
            Self::Doubtful => "doubtful",
            Self::Nothing => "nothing said",
        })
    }
}

impl Trust {
    pub(super) fn of(fit: &Fit) -> Self {
        let assessment = fit.assessment();
        let topics = fit.topics().len();
        let subjects = assessment.subjects.as_ref();
        let numbers = subjects.map_or(&[][..], |subjects| &subjects.numbers);
        let chosen = numbers.iter().find(|number| number.topics == topics);
        Self {
            halves: subjects.and_then(|subjects| subjects.halves),
            gain: assessment.gain,
            probability: chosen.map(|number| number.probability),
        }
    }

    /// What the sentence about halves says of the groups.
    pub fn by_halves(&self) -> Verdict {
        match self.halves {
            None => Verdict::Nothing,
            Some(halves) if halves.are_mostly_the_same() => Verdict::Clear,
            Some(halves) if halves.are_doubtful() => Verdict::Doubtful,
            Some(_) => Verdict::Mostly,
        }
    }

    /// What the sentence about held-out words says of the topics.
    pub fn by_gain(&self) -> Verdict {
        match self.gain {
            None => Verdict::Nothing,
            Some(gain) if gain.clear && gain.lower_by() > 0.0 => Verdict::Clear,
            Some(_) => Verdict::Doubtful,
        }
    }

    /// What both sentences come to: a caution of either makes the groups doubtful.
    pub fn verdict(&self) -> Verdict {
        match (self.by_halves(), self.by_gain()) {
            (Verdict::Nothing, _) => Verdict::Nothing,
            (_, Verdict::Doubtful) => Verdict::Doubtful,
            (by_halves, _) => by_halves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(same: usize, stayed: f64, perplexity: f64, clear: bool) -> Trust {
        let halves = Some(Halves { drawn: 10, same, stayed });
        let gain = Some(Gain { perplexity, smoothed_unigram: 1000.0, clear });
        Trust { halves, gain, probability: None }
    }

    #[test]
    fn groups_are_clear_if_both_sentences_say_so_and_doubtful_if_either_warns() {
        for (trust, verdict) in [
            (trust(5, 0.6, 900.0, true), Verdict::Clear),
            (trust(4, 0.75, 900.0, true), Verdict::Mostly),
            (trust(4, 0.74, 900.0, true), Verdict::Doubtful),
            (trust(10, 1.0, 1100.0, true), Verdict::Doubtful),
            (trust(10, 1.0, 900.0, false), Verdict::Doubtful),
            (Trust { gain: None, ..trust(9, 1.0, 0.0, true) }, Verdict::Clear),
            (Trust { halves: None, ..trust(9, 1.0, 900.0, true) }, Verdict::Nothing),
            (Trust::default(), Verdict::Nothing),
        ] {
            assert_eq!(trust.verdict(), verdict, "{trust:?}");
        }
    }
}
