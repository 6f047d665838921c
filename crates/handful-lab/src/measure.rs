//! Measures the result of an experiment of the comparison.

use crate::cpu_clock::CpuClock;
use crate::methods::{Lesson, Recipe, method};
use crate::results::{Key, Prediction, Record};
use crate::topics_shown::{TopicJudge, TopicsShown};
use crate::{Calibration, Experiment};
use handful::Result;
use handful::internals::numeric::largest;
use handful::internals::topic_model::TopicModel;

impl Experiment<'_> {
    /// Learns once, and evaluates the tasks for every key.
    pub(crate) fn conduct(&self, recipe: &Recipe, keys: &[Key]) -> Result<Vec<Record>> {
        let clock = CpuClock::start();
        let lesson = recipe.learn(&self.material)?;
        let train_seconds = clock.seconds();
        let judge = TopicJudge::new(self);
        let measure = |key: &Key| self.measure(&lesson, &judge, key, train_seconds);
        keys.iter().map(measure).collect()
    }

    fn measure(
        &self,
        lesson: &Lesson,
        judge: &TopicJudge,
        key: &Key,
        train_seconds: f64,
    ) -> Result<Record> {
        let Self { comparison, target, material, tasks } = self;
        let stop = method(&key.method)?.em_stop(&comparison.settings, key.em_steps.unwrap_or(0));
        let prediction = Prediction::of(lesson, train_seconds, material, target, tasks, stop)?;
        let mut record = Record {
            key: key.clone(),
            prediction,
            top_terms: Vec::new(),
            topics_shown: None,
            calibration: None,
        };
        let (mut judged, mut calibration) = (Vec::new(), Calibration::default());
        for (number, task) in tasks.iter().enumerate() {
            let model = lesson.learned.topic_model(&task.support, number, stop)?;
            let Some(model) = model else { break };
            if number == 0 {
                record.top_terms = self.in_words(&model);
            }
            judged.push(judge.task(&model, task));
            calibration.add(&model, &task.query);
        }
        record.topics_shown = TopicsShown::mean(&judged);
        record.calibration = calibration.over_words();
        Ok(record)
    }

    /// Returns the most probable terms of the largest topics.
    fn in_words(&self, model: &TopicModel) -> Vec<Vec<String>> {
        const TOPICS: usize = 3;
        const TERMS: usize = 10;
        let vocabulary = self.comparison.vocabulary;
        let topic = |k: u32| {
            let terms = model.top_terms(k as usize, TERMS);
            terms.iter().map(|top| vocabulary.term(top.term).to_owned()).collect()
        };
        largest(&model.weights, TOPICS).into_iter().map(topic).collect()
    }
}
