//! The methods: one model for every use, and models made for one setting.

use super::{Axis, Setting};
use crate::methods::{self, Method, Recipe};
use crate::{GivenKind, Settings};
use handful::Result;
use handful::internals::corpus::EpisodeSettings;

/// A method to try over a range of settings.
#[derive(Debug, PartialEq)]
pub struct RangeMethod {
    /// The name in the command and in results.
    pub id: &'static str,
    /// The name of the comparison's method.
    method: &'static str,
}

/// The method with one training for all settings.
pub const FOR_ALL: &str = "handful-for-all";
/// The method trained for each setting, with which the one for all is compared.
pub const FOR_ONE: &str = methods::OWN;

/// All methods to try over a range of settings.
pub static RANGE_METHODS: [RangeMethod; 5] = [
    RangeMethod { id: FOR_ALL, method: methods::OWN_FOR_ALL },
    RangeMethod { id: methods::MODEL, method: methods::MODEL },
    RangeMethod { id: FOR_ONE, method: methods::OWN },
    RangeMethod { id: "smoothed-lda", method: "smoothed-lda" },
    RangeMethod { id: "smoothed", method: "smoothed" },
];

/// Returns the method with this name.
pub fn range_method(id: &str) -> Result<&'static RangeMethod> {
    let problem = "there is none of that name for a range of settings";
    methods::by_name(&RANGE_METHODS, |method| method.id, id, problem, "`all`")
}

/// What to learn. Experiments with equal recipes share what was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeRecipe {
    /// What to learn, with its number of topics and EM steps.
    pub recipe: Recipe,
    /// The episodes of validation, and of training unless it is for all settings.
    pub episode: EpisodeSettings,
}

impl RangeMethod {
    /// Returns the comparison's method.
    pub(super) fn method(&self) -> &'static Method {
        methods::method(self.method).expect("the comparison has it")
    }

    /// What the method must be given beside the corpora.
    pub fn asks_for(&self) -> Option<GivenKind> {
        self.method().asks_for()
    }

    /// Returns what to learn for a value of an axis.
    pub fn recipe(&self, settings: &Settings, axis: Axis, value: usize) -> RangeRecipe {
        let training = &settings.training;
        let Setting { topics, episode } = match self.method().is_for_all() {
            true => Setting::usual(training),
            false => axis.setting(training, value),
        };
        let recipe = self.method().recipe(settings, topics, training.em_steps);
        RangeRecipe { recipe, episode }
    }
}
