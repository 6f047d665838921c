//! Measures how well a method chooses the number of topics in the tasks of a repeat.

use super::methods::Means;
use super::{
    Draw, NumberAnswer, NumberKey, NumberOfTopics, NumberRecord, NumberTask, number_method,
};
use crate::cpu_clock::CpuClock;
use crate::groups::GroupingRecipe;
use crate::results::Course;
use crate::sitting::Sitting;
use crate::statistics::Mean;
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
        let held_out = (&self.held_out, self.tasks.len());
        let terms = number.reader.vocabulary().len();
        let sitting = Sitting::learn(recipe, held_out, (&number.settings, terms))?;
        let (lesson, seed) = (&sitting.lesson, self.held_out.seed);
        let means = Means { lesson, seed, tasks: &self.tasks, supplies: &number.supplies };
        let of_key = |key: &NumberKey| {
            let design = number_method(&key.method)?.design;
            let clock = CpuClock::start();
            let answers = (0..self.tasks.len()).map(|number| means.answer(design, number));
            let answers: Vec<NumberAnswer> = answers.collect::<Result<_>>()?;
            let given = number.supplies.of(design.asks_for());
            let course = sitting.course(&clock, given);
            Ok(record(key.clone(), course, &self.tasks, &answers))
        };
        keys.iter().map(of_key).collect()
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
        task_trust: answers.iter().filter_map(|answer| answer.trust).collect(),
        task_subjects,
        task_topics,
    }
}
