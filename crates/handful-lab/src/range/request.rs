//! Lists the requested experiments over a range of settings, and those for which a target is too
//! small.

use super::{Axis, RangeKey, RangeMethod, RangeOfUse, RangeRecipe};
use handful::Result;
use handful::internals::corpus::Corpus;
use handful::internals::error::{MOST, expect_within};

/// Which experiments to run.
#[derive(Clone, Debug)]
pub struct RangeRequest {
    /// The settings to vary, one after the other.
    pub axes: Vec<Axis>,
    /// The methods.
    pub methods: Vec<&'static RangeMethod>,
    /// The targets. All corpora if empty.
    pub targets: Vec<String>,
    /// The number of experiments on each target.
    pub repeats: usize,
}

impl RangeRequest {
    /// Lists the requested experiments, with what must be learned for each, repeat by repeat and,
    /// within a repeat, target by target. Leaves out settings for which a target is too small.
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

    /// Returns a sentence for each target that is too small for some of the settings.
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
    /// Returns the values of an axis for which a target is large enough.
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
