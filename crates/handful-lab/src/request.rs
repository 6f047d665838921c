//! Lists the requested experiments of a comparison.

use crate::Comparison;
use crate::methods::{METHODS, Method, Recipe};
use crate::results::Key;
use handful::Result;
use handful::internals::error::{MOST, expect_within};

/// The setting that is varied, while all others are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// T, in training and at test time.
    EmSteps,
    /// K
    Topics,
}

impl Sweep {
    /// The values of the paper's figures.
    pub fn values(self) -> &'static [usize] {
        match self {
            Self::EmSteps => &[0, 1, 2, 5, 10, 20],
            Self::Topics => &[1, 2, 5, 10, 20, 50],
        }
    }

    /// The methods of the paper's figures.
    pub fn methods(self) -> Vec<&'static Method> {
        let ids: &[&str] = match self {
            Self::EmSteps => &["iwata"],
            Self::Topics => &["iwata", "lda-ind", "lda-all"],
        };
        METHODS.iter().filter(|method| ids.contains(&method.id)).collect()
    }
}

/// Some methods, and the setting to vary for them.
#[derive(Clone, Debug)]
pub struct Study {
    /// The methods.
    pub methods: Vec<&'static Method>,
    /// The setting to vary. With `None`, K and T are those of the settings.
    pub sweep: Option<Sweep>,
    /// The values to try. With `None`, those of the paper's figures.
    pub values: Option<Vec<usize>>,
}

/// Which experiments to run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The methods, and the setting to vary for each.
    pub studies: Vec<Study>,
    /// The targets. All corpora if empty.
    pub targets: Vec<String>,
    /// The number of experiments on each target.
    pub repeats: usize,
}

impl Study {
    /// Returns the pairs of K and T to try.
    fn sizes(&self, comparison: &Comparison<'_>) -> Vec<(usize, usize)> {
        let training = &comparison.settings.training;
        let (topics, em_steps) = (training.topics, training.em_steps);
        let Some(sweep) = self.sweep else { return vec![(topics, em_steps)] };
        let size = |&value: &usize| match sweep {
            Sweep::EmSteps => (topics, value),
            Sweep::Topics => (value, em_steps),
        };
        self.values.as_deref().unwrap_or(sweep.values()).iter().map(size).collect()
    }

    /// Refuses values that a method cannot be tried with.
    fn check(&self, comparison: &Comparison<'_>) -> Result<()> {
        if self.sweep.is_none() {
            return Ok(());
        }
        for (topics, em_steps) in self.sizes(comparison) {
            expect_within("topics", topics, 1, MOST)?;
            expect_within("em_steps", em_steps, 0, MOST)?;
            for method in &self.methods {
                let recipe = method.recipe(&comparison.settings, topics, em_steps);
                recipe.check_topics(comparison.model.as_deref())?;
            }
        }
        Ok(())
    }

    /// Lists the experiments on a target, with what must be learned for each.
    fn wanted(
        &self,
        comparison: &Comparison<'_>,
        target: &str,
        repeat: usize,
    ) -> Vec<(Key, Recipe)> {
        let mut wanted = Vec::new();
        for (topics, em_steps) in self.sizes(comparison) {
            wanted.extend(self.methods.iter().map(|method| {
                let key = Key::new(method, target, repeat, (topics, em_steps));
                (key, method.recipe(&comparison.settings, topics, em_steps))
            }));
        }
        wanted
    }
}

impl Request {
    /// Lists the requested experiments, with what must be learned for each.
    ///
    /// Repeats come one after the other, and within a repeat the targets, so that methods can be
    /// compared long before the end.
    pub fn wanted(&self, comparison: &Comparison<'_>) -> Result<Vec<(Key, Recipe)>> {
        expect_within("repeats", self.repeats, 1, MOST)?;
        self.studies.iter().try_for_each(|study| study.check(comparison))?;
        let targets = comparison.targets(&self.targets)?;
        let mut wanted = Vec::new();
        for repeat in 0..self.repeats {
            for target in &targets {
                let of_study = |study: &Study| study.wanted(comparison, &target.name, repeat);
                wanted.extend(self.studies.iter().flat_map(of_study));
            }
        }
        Ok(wanted)
    }
}
