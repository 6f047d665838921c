//! Measures how well a method groups the tasks of a repeat.

use super::methods::GroupingLesson;
use super::{Draw, Grouping, GroupingRecipe, GroupsKey, GroupsRecord, grouping_method};
use crate::cpu_clock::CpuClock;
use crate::results::{Course, names};
use crate::statistics::Mean;
use crate::{Given, GivenKind};
use handful::Result;
use handful::internals::evaluate::{adjusted_rand_index, normalised_mutual_information, purity};

impl Draw<'_> {
    /// Learns once, and groups the tasks' documents for every key.
    pub(super) fn conduct(
        &self,
        recipe: &GroupingRecipe,
        keys: &[GroupsKey],
    ) -> Result<Vec<GroupsRecord>> {
        let clock = CpuClock::start();
        let lesson = recipe.learn(&self.material)?;
        let train_seconds = clock.seconds();
        keys.iter().map(|key| self.measure(&lesson, key, train_seconds)).collect()
    }

    fn measure(
        &self,
        lesson: &GroupingLesson,
        key: &GroupsKey,
        train_seconds: f64,
    ) -> Result<GroupsRecord> {
        let design = grouping_method(&key.method)?.design;
        let clock = CpuClock::start();
        let grouped = self.tasks.iter().enumerate();
        let grouped = grouped.map(|(number, task)| lesson.groups(design, self, task, number));
        let groups: Vec<Vec<usize>> = grouped.collect::<Result<_>>()?;
        let fit_seconds = clock.seconds() / self.tasks.len() as f64;
        let each = |measure: fn(&[usize], &[usize]) -> f64| -> Vec<f64> {
            let tasks = groups.iter().zip(&self.tasks);
            tasks.map(|(groups, task)| measure(groups, &task.classes)).collect()
        };
        let (task_purities, task_nmis) = (each(purity), each(normalised_mutual_information));
        let task_aris = each(adjusted_rand_index);
        let course = Course {
            seed: self.material.seed,
            tasks: self.tasks.len(),
            train_seconds,
            fit_seconds,
            training: lesson.training().cloned(),
            given: self.given(design),
            held_out_corpora: names(&self.held_out),
            validation_corpora: self.material.validation_names(),
        };
        Ok(GroupsRecord {
            key: key.clone(),
            purity: Mean::of(&task_purities).mean,
            nmi: Mean::of(&task_nmis).mean,
            ari: Some(Mean::of(&task_aris).mean),
            course,
            task_purities,
            task_nmis,
            task_aris,
        })
    }

    /// What a method is given beside the corpora.
    fn given(&self, design: Grouping) -> Option<Given> {
        match design.asks_for()? {
            GivenKind::Model => self.model.map(|model| model.given),
            GivenKind::DocumentVectors => self.vectors.map(|vectors| vectors.given),
            GivenKind::PassageVectors => None,
        }
    }
}
