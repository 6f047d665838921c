//! Which experiments over a range of settings are wanted, and which a target is too small for.

use super::{Axis, RangeKey, RangeMethod, RangeOfUse, RangeRecipe};
use handful::Result;
use handful::corpus::Corpus;
use handful::error::{MOST, expect_within};

/// Which experiments are wanted.
#[derive(Clone, Debug)]
pub struct RangeRequest {
    /// What is varied, one after the other.
    pub axes: Vec<Axis>,
    /// The methods.
    pub methods: Vec<&'static RangeMethod>,
    /// The targets; all corpora where none is named.
    pub targets: Vec<String>,
    /// Experiments on each target.
    pub repeats: usize,
}

impl RangeRequest {
    /// The wanted experiments, with what has to be learned for each: one repeat after another, and
    /// in it one target after another. Settings that a target is too small for are left out.
    pub fn wanted(&self, range: &RangeOfUse<'_>) -> Result<Vec<(RangeKey, RangeRecipe)>> {
        expect_within("repeats", self.repeats, 1, MOST)?;
        let targets = range.comparison.targets(&self.targets)?;
        let mut wanted = Vec::new();
        for repeat in 0..self.repeats {
            targets.iter().for_each(|target| wanted.extend(self.on_target(range, target, repeat)));
        }
        Ok(wanted)
    }

    fn on_target(
        &self,
        range: &RangeOfUse<'_>,
        target: &Corpus,
        repeat: usize,
    ) -> Vec<(RangeKey, RangeRecipe)> {
        let mut wanted = Vec::new();
        for &axis in &self.axes {
            for value in range.values(axis, target) {
                wanted.extend(self.methods.iter().map(|method| {
                    let (method_id, target) = (method.id.to_owned(), target.name.clone());
                    let key = RangeKey { method: method_id, target, repeat, axis, value };
                    (key, method.recipe(&range.comparison.settings, axis, value))
                }));
            }
        }
        wanted
    }

    /// A sentence for each target that is too small for some of what is asked for.
    pub fn left_out(&self, range: &RangeOfUse<'_>) -> Result<Vec<String>> {
        let mut sentences = Vec::new();
        for target in range.comparison.targets(&self.targets)? {
            for &axis in &self.axes {
                let values = range.values(axis, target);
                let missing = axis.values().iter().filter(|&value| !values.contains(value));
                let missing: Vec<String> = missing.map(usize::to_string).collect();
                if !missing.is_empty() {
                    sentences.push(too_small(target, &axis.in_words(&missing.join(", "))));
                }
            }
        }
        Ok(sentences)
    }
}

impl RangeOfUse<'_> {
    /// The values of an axis that a target is large enough for.
    pub fn values(&self, axis: Axis, target: &Corpus) -> Vec<usize> {
        let training = &self.comparison.settings.training;
        let suits = |&value: &usize| axis.setting(training, value).episode.suits(target);
        axis.values().iter().copied().filter(suits).collect()
    }
}

fn too_small(target: &Corpus, settings: &str) -> String {
    let (documents, words) = (target.documents.documents(), target.documents.total_words());
    let name = &target.name;
    format!(
        "corpus {name}: {settings} left out, because it has {documents} documents with {words} words \
         in all"
    )
}
