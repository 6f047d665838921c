//! Measures how well a method's terms tell the topics of a repeat.

use super::methods::Means;
use super::{
    Draw, Folding, Telling, TellingAnswer, TellingKey, TellingRecord, TellingScore, telling_method,
};
use crate::COMMON_TERMS;
use crate::cpu_clock::CpuClock;
use crate::groups::GroupingRecipe;
use crate::results::Course;
use crate::sitting::Sitting;
use crate::topics_shown::mean;
use handful::Result;
use handful::internals::numeric::largest;
use std::collections::BTreeSet;

impl Draw<'_> {
    /// Learns once, and answers the tasks for every key.
    pub(super) fn conduct(
        &self,
        telling: &Telling<'_>,
        recipe: &GroupingRecipe,
        keys: &[TellingKey],
    ) -> Result<Vec<TellingRecord>> {
        let vocabulary = telling.reader.vocabulary();
        let held_out = (&self.held_out, self.tasks.len());
        let settings = (&telling.settings, vocabulary.len());
        let sitting = Sitting::learn(recipe, held_out, settings)?;
        let (lesson, seed) = (&sitting.lesson, self.held_out.seed);
        let means = Means { lesson, seed, vocabulary, supplies: &telling.supplies };
        let (folding, common) = (Folding::new(vocabulary), self.common_words(telling));
        let of_key = |key: &TellingKey| {
            let design = telling_method(&key.method)?.design;
            let clock = CpuClock::start();
            let tasks = self.tasks.iter().enumerate();
            let answers = tasks.map(|(number, task)| means.answer(design, task, number));
            let answers: Vec<TellingAnswer> = answers.collect::<Result<_>>()?;
            let course = sitting.course(&clock, telling.supplies.of(design.asks_for()));
            let judged = answers.iter().zip(&self.tasks);
            let judged = judged.map(|(answer, task)| answer.judged(task, folding, common.as_ref()));
            let scores: Vec<TellingScore> = judged.collect();
            Ok(record(key.clone(), course, &scores, &answers))
        };
        keys.iter().map(of_key).collect()
    }

    /// The most frequent terms of the corpora that are not held out; `None` if there are none.
    fn common_words<'t>(&self, telling: &Telling<'t>) -> Option<BTreeSet<&'t str>> {
        let vocabulary = telling.reader.vocabulary();
        let training = &self.held_out.roles.training;
        (!training.is_empty()).then(|| {
            let mut times = vec![0.0; vocabulary.len()];
            for corpus in training {
                let words = corpus.documents.terms().iter().zip(corpus.documents.counts());
                words.for_each(|(&term, &count)| times[term as usize] += f64::from(count));
            }
            let frequent = largest(&times, COMMON_TERMS).into_iter();
            let said = frequent.filter(|&term| times[term as usize] > 0.0);
            said.map(|term| vocabulary.term(term)).collect()
        })
    }
}

fn record(
    key: TellingKey,
    course: Course,
    scores: &[TellingScore],
    answers: &[TellingAnswer],
) -> TellingRecord {
    let mean_of = |measure: fn(&TellingScore) -> Option<f64>| mean(scores.iter().map(measure));
    TellingRecord {
        key,
        telling: mean_of(|score| Some(score.telling)).unwrap_or(f64::NAN),
        ari: mean_of(|score| Some(score.ari)).unwrap_or(f64::NAN),
        reached: mean_of(|score| score.reached),
        diversity: mean_of(|score| score.diversity),
        common: mean_of(|score| score.common),
        once: mean_of(|score| score.once),
        coherence: mean_of(|score| score.coherence),
        course,
        task_telling: scores.iter().map(|score| score.telling).collect(),
        task_aris: scores.iter().map(|score| score.ari).collect(),
        first_terms: answers.first().map_or_else(Vec::new, |answer| answer.terms.clone()),
    }
}
