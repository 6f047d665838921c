//! One model for every use. Does a single training serve any number of topics and documents, and
//! documents of any length, as well as a training for each?
//!
//! ```text
//! corpora ─ RangeOfUse ─▶ Experiment (target, repeat: roles of corpora) ─ Setting ─▶ tasks
//!                              │                                                      │
//!    RangeMethod ─ RangeRecipe ┴─ learn ─────▶ Learned ──────── each task ────────────┴▶ RangeRecord
//! ```

mod axis;
mod methods;
mod record;
mod request;
mod tasks;

pub use axis::{Axis, Setting};
pub use methods::{FOR_ALL, FOR_ONE, RANGE_METHODS, RangeMethod, RangeRecipe, range_method};
pub use record::{RangeKey, RangeRecord};
pub use request::RangeRequest;

use crate::cpu_clock::CpuClock;
use crate::protocol::Protocol;
use crate::results::{Folder, Prediction};
use crate::{Comparison, Experiment, FinishedModel, Given, Material, Settings};
use handful::Result;
use handful::internals::corpus::Corpus;
use handful::internals::train::TrainSettings;
use handful::text::Vocabulary;
use std::io::Write;

/// A folder with results over a range of settings.
pub type RangeFolder = Folder<RangeRecord>;

/// The corpora on which models are tried over a range of settings.
///
/// Targets, repeats, seeds and roles of corpora are those of the comparison. So are the tasks of
/// the usual setting.
#[derive(Clone, Debug)]
pub struct RangeOfUse<'a> {
    comparison: Comparison<'a>,
}

impl<'a> RangeOfUse<'a> {
    /// Refuses corpora that are too few or too small for the usual setting.
    pub fn new(
        settings: Settings,
        corpora: &'a [Corpus],
        vocabulary: &'a Vocabulary,
    ) -> Result<Self> {
        Ok(Self { comparison: Comparison::new(settings, corpora, vocabulary)? })
    }

    /// With a model to ask. Refuses one that cannot be asked for the corpora's terms.
    pub fn with_model(self, model: &FinishedModel) -> Result<Self> {
        Ok(Self { comparison: self.comparison.with_model(model)? })
    }
}

impl Protocol for RangeOfUse<'_> {
    type Line = RangeRecord;
    type Recipe = RangeRecipe;

    fn settings(&self) -> &Settings {
        &self.comparison.settings
    }

    fn corpora(&self) -> &[Corpus] {
        self.comparison.corpora
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.comparison.vocabulary
    }

    fn given(&self) -> Vec<Given> {
        self.comparison.given()
    }

    fn conduct(&self, recipe: &RangeRecipe, keys: &[RangeKey]) -> Result<Vec<RangeRecord>> {
        let training = &self.settings().training;
        let Experiment { target, material, .. } =
            self.comparison.experiment(&keys[0].target, keys[0].repeat)?;
        let RangeRecipe { recipe, episode } = recipe.clone();
        let common = TrainSettings { episode, ..training.clone() };
        let material = Material { common: &common, ..material };
        let clock = CpuClock::start();
        let mut lesson = recipe.learn(&material)?;
        let train_seconds = clock.seconds();
        let mut records = Vec::new();
        for key in keys {
            let setting = key.axis.setting(training, key.value);
            let tasks = self.tasks(&setting, target, material.seed)?;
            lesson.learned.set_topics(setting.topics);
            let method = range_method(&key.method)?.method();
            let stop = method.em_stop(self.settings(), training.em_steps);
            let prediction =
                Prediction::of(&lesson, train_seconds, &material, target, &tasks, stop)?;
            records.push(RangeRecord { key: key.clone(), prediction });
        }
        Ok(records)
    }

    fn write_tasks(&self, (target, repeat): &(String, usize), out: &mut dyn Write) -> Result<()> {
        self.write_all_tasks(target, *repeat, out)
    }
}
