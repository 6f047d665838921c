//! Measures how well a method finds the subjects of the blends of a repeat.

use super::methods::Means;
use super::{BlendTask, Blending, Blends, BlendsKey, BlendsRecord, Draw, TaskScore, blend_method};
use crate::cpu_clock::CpuClock;
use crate::groups::GroupingRecipe;
use crate::results::{Course, names};
use crate::statistics::{Mean, correlation};
use crate::{Given, GivenKind, Material};
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
        let common = TrainSettings {
            topics: keys[0].subjects,
            episode: EpisodeSettings { support_size: documents, ..training.episode },
            ..training.clone()
        };
        let material = Material {
            roles: self.held_out.roles.clone(),
            terms: blends.reader.vocabulary().len(),
            common: &common,
            seed: self.held_out.seed,
            model: None,
        };
        let clock = CpuClock::start();
        let lesson = recipe.learn(&material)?;
        let train_seconds = clock.seconds();
        let (model, vectors) = (blends.model.as_ref(), blends.vectors.as_ref());
        let means = Means { lesson, seed: material.seed, model, vectors };
        let of_key = |key: &BlendsKey| {
            let design = blend_method(&key.method)?.design;
            let clock = CpuClock::start();
            let scores = self.scores(&means, design)?;
            let alone = self.words_placed_alone(&means, design)?;
            let course = Course {
                seed: material.seed,
                tasks: self.tasks.len(),
                train_seconds,
                fit_seconds: clock.seconds() / self.tasks.len() as f64,
                training: means.lesson.training().cloned(),
                given: given(blends, design),
                held_out_corpora: names(&self.held_out.corpora),
                validation_corpora: material.validation_names(),
            };
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

/// What a method is given beside the corpora.
fn given(blends: &Blends<'_>, design: Blending) -> Option<Given> {
    match design.asks_for()? {
        GivenKind::Model => blends.model.as_ref().map(|model| model.given),
        GivenKind::PassageVectors => blends.vectors.as_ref().map(|vectors| vectors.given),
        GivenKind::DocumentVectors => None,
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
