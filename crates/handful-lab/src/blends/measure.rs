//! Measures how well a method finds the subjects of the blends of a repeat.

use super::methods::Means;
use super::{BlendTask, Blending, Blends, BlendsKey, BlendsRecord, Draw, TaskScore, blend_method};
use crate::Settings;
use crate::cpu_clock::CpuClock;
use crate::groups::GroupingRecipe;
use crate::results::Course;
use crate::sitting::Sitting;
use crate::statistics::{Mean, correlation};
use handful::Result;
use handful::internals::corpus::EpisodeSettings;
use handful::internals::train::TrainSettings;

/// The number of subjects with which a blend is asked alone, too.
const SUBJECTS_ALONE: usize = 2;

impl Draw<'_> {
    /// Learns once, and answers the tasks for every key.
    pub(super) fn conduct(
        &self,
        blends: &Blends<'_>,
        recipe: &GroupingRecipe,
        keys: &[BlendsKey],
    ) -> Result<Vec<BlendsRecord>> {
        let training = &blends.settings.training;
        let documents = self.tasks.first().map_or(0, |task| task.documents.len());
        let training = TrainSettings {
            topics: keys[0].setting.subjects,
            episode: EpisodeSettings { support_size: documents, ..training.episode },
            ..training.clone()
        };
        let settings = Settings { training, ..blends.settings.clone() };
        let held_out = (&self.held_out, self.tasks.len());
        let terms = blends.reader.vocabulary().len();
        let sitting = Sitting::learn(recipe, held_out, (&settings, terms))?;
        let seed = self.held_out.seed;
        let means = Means { lesson: &sitting.lesson, seed, supplies: &blends.supplies };
        let of_key = |key: &BlendsKey| {
            let design = blend_method(&key.method)?.design;
            let clock = CpuClock::start();
            let scores = self.scores(&means, design)?;
            let alone = self.words_placed_alone(&means, design)?;
            let given = blends.supplies.of(design.asks_for());
            let course = sitting.course(&clock, given);
            Ok(record(key.clone(), course, &scores, alone))
        };
        keys.iter().map(of_key).collect()
    }

    fn scores(&self, means: &Means<'_>, design: Blending) -> Result<Vec<TaskScore>> {
        let score = |(number, task): (usize, &BlendTask)| {
            Ok(means.answer(design, task, number)?.judged(task))
        };
        self.tasks.iter().enumerate().map(score).collect()
    }

    /// Asks for one blend of each task alone. Empty if the method, or the tasks, have none.
    fn words_placed_alone(&self, means: &Means<'_>, design: Blending) -> Result<Vec<f64>> {
        let is_asked =
            |task: &&BlendTask| task.subjects() == SUBJECTS_ALONE && design.answers_alone();
        let placed = |(number, task): (usize, &BlendTask)| {
            let alone = task.alone();
            // Streams after those of the whole tasks.
            let answer = means.answer(design, &alone, self.tasks.len() + number)?;
            Ok(answer.judged_by_words(&alone))
        };
        self.tasks.iter().filter(is_asked).enumerate().map(placed).collect()
    }
}

fn record(key: BlendsKey, course: Course, scores: &[TaskScore], alone: Vec<f64>) -> BlendsRecord {
    let each =
        |measure: fn(&TaskScore) -> f64| -> Vec<f64> { scores.iter().map(measure).collect() };
    let (task_errors, task_pure_errors) =
        (each(|score| score.error), each(|score| score.pure_error));
    let task_words_placed = each(|score| score.words_placed);
    let (said, truth): (Vec<f64>, Vec<f64>) =
        scores.iter().flat_map(|score| score.shares.iter().copied()).unzip();
    BlendsRecord {
        key,
        error: Mean::of(&task_errors).mean,
        correlation: correlation(&said, &truth),
        pure_error: Mean::of(&task_pure_errors).mean,
        words_placed: Mean::of(&task_words_placed).mean,
        words_placed_alone: (!alone.is_empty()).then(|| Mean::of(&alone).mean),
        course,
        task_errors,
        task_pure_errors,
        task_words_placed,
        task_words_placed_alone: alone,
    }
}
