//! The methods: one model for every use, and those that are made for one.

use super::{Axis, Setting};
use crate::Settings;
use crate::methods::{self, Method, Recipe};
use handful::Result;
use handful::corpus::EpisodeSettings;

/// A method that is tried over a range of settings.
#[derive(Debug, PartialEq)]
pub struct RangeMethod {
    /// Its name for the command and in results.
    pub id: &'static str,
    /// The comparison's method that it is.
    method: &'static str,
}

/// The method that one training of serves all.
pub const FOR_ALL: &str = "handful-for-all";
/// The same, trained for each setting: what the one for all is held against.
pub const FOR_ONE: &str = methods::OWN;

/// All methods that are tried over a range of settings.
pub static RANGE_METHODS: [RangeMethod; 4] = [
    RangeMethod { id: FOR_ALL, method: methods::OWN_FOR_ALL },
    RangeMethod { id: FOR_ONE, method: methods::OWN },
    RangeMethod { id: "smoothed-lda", method: "smoothed-lda" },
    RangeMethod { id: "smoothed", method: "smoothed" },
];

/// The method of that name.
pub fn range_method(id: &str) -> Result<&'static RangeMethod> {
    let problem = "there is none of that name for a range of settings";
    methods::by_name(&RANGE_METHODS, |method| method.id, id, problem, "`all`")
}

/// What is to be learned. Experiments with equal recipes share what was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeRecipe {
    /// What, with how many topics and EM steps.
    pub recipe: Recipe,
    /// The episodes of training, unless it is for all of them, and of validation.
    pub episode: EpisodeSettings,
}

impl RangeMethod {
    /// The comparison's method that it is.
    pub(super) fn method(&self) -> &'static Method {
        methods::method(self.method).expect("the comparison has it")
    }

    /// What is to be learned for a value of an axis.
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
