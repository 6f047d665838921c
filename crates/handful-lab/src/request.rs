//! Which experiments of a comparison are wanted.

use crate::Comparison;
use crate::methods::{METHODS, Method, Recipe};
use crate::results::Key;
use handful::Result;
use handful::error::{MOST, expect_within};

/// A setting that is varied, while all others stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// T, in training and at test.
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

/// Some methods, and the setting that is varied for them.
#[derive(Clone, Debug)]
pub struct Study {
    /// The methods.
    pub methods: Vec<&'static Method>,
    /// What is varied; where nothing is, K and T are those of the settings.
    pub sweep: Option<Sweep>,
}

/// Which experiments are wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// The methods, and what is varied for each.
    pub studies: Vec<Study>,
    /// The targets; all corpora where none is named.
    pub targets: Vec<String>,
    /// Experiments on each target.
    pub repeats: usize,
}

impl Study {
    /// The K and T that are tried.
    fn sizes(&self, comparison: &Comparison<'_>) -> Vec<(usize, usize)> {
        let training = &comparison.settings.training;
        let (topics, em_steps) = (training.topics, training.em_steps);
        let Some(sweep) = self.sweep else { return vec![(topics, em_steps)] };
        let size = |&value: &usize| match sweep {
            Sweep::EmSteps => (topics, value),
            Sweep::Topics => (value, em_steps),
        };
        sweep.values().iter().map(size).collect()
    }

    /// The experiments on a target, with what has to be learned for each.
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
    /// The wanted experiments, with what has to be learned for each.
    ///
    /// One repeat comes after another, and in it one target after another, so that methods can be
    /// compared long before the end.
    pub fn wanted(&self, comparison: &Comparison<'_>) -> Result<Vec<(Key, Recipe)>> {
        expect_within("repeats", self.repeats, 1, MOST)?;
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
