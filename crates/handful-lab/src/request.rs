//! Which experiments of a comparison are wanted.

use crate::Comparison;
use crate::methods::{METHODS, Method, Recipe};
use crate::results::Key;
use handful::Result;
use handful::error::{MOST, expect_within};
use handful::train::expect_known;

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

/// Which experiments are wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// The methods.
    pub methods: Vec<&'static Method>,
    /// The targets; all corpora where none is named.
    pub targets: Vec<String>,
    /// Experiments on each target.
    pub repeats: usize,
    /// What is varied; where nothing is, K and T are those of the settings.
    pub sweeps: Vec<Sweep>,
}

impl Request {
    /// The wanted targets, in the order of the corpora.
    fn targets<'a>(&self, comparison: &'a Comparison<'_>) -> Result<Vec<&'a str>> {
        let known: Vec<&str> = comparison.corpora.iter().map(|corpus| &*corpus.name).collect();
        for target in &self.targets {
            expect_known("target", target, &known)?;
        }
        let wanted =
            |name: &&str| self.targets.is_empty() || self.targets.iter().any(|t| t == name);
        Ok(known.into_iter().filter(wanted).collect())
    }

    /// The wanted K and T.
    fn sizes(&self, comparison: &Comparison<'_>) -> Vec<(usize, usize)> {
        let training = &comparison.settings.training;
        let (topics, em_steps) = (training.topics, training.em_steps);
        let mut sizes = Vec::new();
        for sweep in &self.sweeps {
            sizes.extend(sweep.values().iter().map(|&value| match sweep {
                Sweep::EmSteps => (topics, value),
                Sweep::Topics => (value, em_steps),
            }));
        }
        if sizes.is_empty() {
            sizes.push((topics, em_steps));
        }
        sizes
    }

    /// The wanted experiments, with what has to be learned for each.
    ///
    /// One repeat comes after another, and in it one target after another, so that methods can be
    /// compared long before the end.
    pub fn wanted(&self, comparison: &Comparison<'_>) -> Result<Vec<(Key, Recipe)>> {
        expect_within("repeats", self.repeats, 1, MOST)?;
        let targets = self.targets(comparison)?;
        let mut wanted = Vec::new();
        for repeat in 0..self.repeats {
            for &target in &targets {
                for (topics, em_steps) in self.sizes(comparison) {
                    wanted.extend(self.methods.iter().map(|method| {
                        let key = Key::new(method, target, repeat, (topics, em_steps));
                        (key, method.recipe(&comparison.settings, topics, em_steps))
                    }));
                }
            }
        }
        Ok(wanted)
    }
}
