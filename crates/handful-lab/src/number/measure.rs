//! Measures how well a method chooses the number of topics in the tasks of a repeat.

use super::methods::Means;
use super::{
    Counting, Draw, NumberAnswer, NumberKey, NumberOfTopics, NumberRecord, NumberTask,
    number_method,
};
use crate::cpu_clock::CpuClock;
use crate::groups::GroupingRecipe;
use crate::results::{Course, names};
use crate::statistics::Mean;
use crate::{Given, GivenKind, Material};
use handful::Result;
use handful::internals::evaluate::adjusted_rand_index;

impl Draw<'_> {
    /// Learns once, and answers the tasks for every key.
    pub(super) fn conduct(
        &self,
        number: &NumberOfTopics<'_>,
        recipe: &GroupingRecipe,
        keys: &[NumberKey],
    ) -> Result<Vec<NumberRecord>> {
        let material = Material {
            roles: self.held_out.roles.clone(),
            terms: number.reader.vocabulary().len(),
            common: &number.settings.training,
            seed: self.held_out.seed,
            model: None,
        };
        let clock = CpuClock::start();
        let lesson = recipe.learn(&material)?;
        let train_seconds = clock.seconds();
        let (seed, model) = (material.seed, number.model.as_ref());
        let vectors = number.vectors.as_ref();
        let means = Means { lesson, seed, tasks: &self.tasks, model, vectors };
        let of_key = |key: &NumberKey| {
            let design = number_method(&key.method)?.design;
            let clock = CpuClock::start();
            let answers = (0..self.tasks.len()).map(|number| means.answer(design, number));
            let answers: Vec<NumberAnswer> = answers.collect::<Result<_>>()?;
            let course = Course {
                seed,
                tasks: self.tasks.len(),
                train_seconds,
                fit_seconds: clock.seconds() / self.tasks.len() as f64,
                training: None,
                given: given(number, design),
                held_out_corpora: names(&self.held_out.corpora),
                validation_corpora: material.validation_names(),
            };
            Ok(record(key.clone(), course, &self.tasks, &answers))
        };
        keys.iter().map(of_key).collect()
    }
}

/// What a method is given beside the corpora.
fn given(number: &NumberOfTopics<'_>, design: Counting) -> Option<Given> {
    match design.asks_for()? {
        GivenKind::Model => number.model.as_ref().map(|model| model.given),
        GivenKind::PassageVectors => number.vectors.as_ref().map(|vectors| vectors.given),
        GivenKind::DocumentVectors => None,
    }
}

fn record(
    key: NumberKey,
    course: Course,
    tasks: &[NumberTask],
    answers: &[NumberAnswer],
) -> NumberRecord {
    let task_subjects: Vec<usize> = tasks.iter().map(NumberTask::subjects).collect();
    let task_topics: Vec<usize> = answers.iter().map(|answer| answer.topics).collect();
    let share = |distance: usize| {
        let pairs = task_subjects.iter().zip(&task_topics);
        let right = pairs.filter(|(subjects, topics)| subjects.abs_diff(**topics) <= distance);
        right.count() as f64 / tasks.len() as f64
    };
    let aris = |groups: fn(&NumberAnswer) -> &[usize]| -> Vec<f64> {
        let pairs = answers.iter().zip(tasks);
        pairs.map(|(answer, task)| adjusted_rand_index(groups(answer), &task.classes)).collect()
    };
    let topics: Vec<f64> = task_topics.iter().map(|&topics| topics as f64).collect();
    NumberRecord {
        key,
        exact: share(0),
        within_one: share(1),
        topics: Mean::of(&topics).mean,
        course,
        task_short: tasks.iter().map(|task| task.is_short).collect(),
        task_aris: aris(|answer| &answer.groups),
        task_aris_given: aris(|answer| &answer.groups_given),
        task_subjects,
        task_topics,
    }
}
