//! One repeat on unseen corpora: what is learned once, and what answering the tasks costs.

use crate::cpu_clock::CpuClock;
use crate::groups::{GroupingLesson, GroupingRecipe};
use crate::results::{Course, names};
use crate::unseen::HeldOut;
use crate::{Given, Material, Settings};
use handful::Result;

/// What methods of one recipe answer the tasks of a repeat with.
pub(crate) struct Sitting<'a> {
    held_out: &'a HeldOut<'a>,
    tasks: usize,
    /// What was learned.
    pub(crate) lesson: GroupingLesson,
    train_seconds: f64,
}

impl<'a> Sitting<'a> {
    /// Learns what the recipe says from the corpora that are not held out, over a vocabulary of `terms`
    /// terms.
    pub(crate) fn learn(
        recipe: &GroupingRecipe,
        (held_out, tasks): (&'a HeldOut<'a>, usize),
        (settings, terms): (&Settings, usize),
    ) -> Result<Self> {
        let HeldOut { roles, seed, .. } = held_out;
        let material = Material::new(roles.clone(), terms, settings, *seed);
        let clock = CpuClock::start();
        let lesson = recipe.learn(&material)?;
        Ok(Self { held_out, tasks, lesson, train_seconds: clock.seconds() })
    }

    /// How it went for a method that answered all tasks since `clock` was started.
    pub(crate) fn course(&self, clock: &CpuClock, given: Option<Given>) -> Course {
        Course {
            seed: self.held_out.seed,
            tasks: self.tasks,
            train_seconds: self.train_seconds,
            fit_seconds: clock.seconds() / self.tasks as f64,
            training: self.lesson.training().cloned(),
            given,
            held_out_corpora: names(&self.held_out.corpora),
            validation_corpora: names(&self.held_out.roles.validation),
        }
    }
}
