//! Which experiments are wanted, and what has to be learned for them.

use crate::Comparison;
use crate::methods::{METHODS, Method, Recipe};
use crate::results::{Key, Record};
use handful::Result;
use handful::error::{MOST, expect_within};
use handful::train::expect_known;
use std::collections::BTreeSet;

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
}

/// What is learned once, and the experiments that it serves.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) target: String,
    pub(crate) repeat: usize,
    pub(crate) recipe: Recipe,
    pub(crate) keys: Vec<Key>,
}

/// The experiments still to be made, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) units: Vec<Unit>,
    /// All targets and repeats that are asked for.
    pub pairs: BTreeSet<(String, usize)>,
    /// Experiments that were asked for and are there already.
    pub done: usize,
}

impl Plan {
    /// What is asked for, less what is there.
    ///
    /// One repeat comes after another, and in it one target after another, so that methods can be
    /// compared long before the end.
    pub fn new(comparison: &Comparison<'_>, request: &Request, there: &[Record]) -> Result<Self> {
        expect_within("repeats", request.repeats, 1, MOST)?;
        let there: BTreeSet<&Key> = there.iter().map(|record| &record.key).collect();
        let targets = request.targets(comparison)?;
        let sizes = request.sizes(comparison);
        let mut plan = Self { units: Vec::new(), pairs: BTreeSet::new(), done: 0 };
        let mut planned = BTreeSet::new();
        for repeat in 0..request.repeats {
            for &target in &targets {
                plan.pairs.insert((target.to_owned(), repeat));
                let first = plan.units.len();
                for &(topics, em_steps) in &sizes {
                    for method in &request.methods {
                        let key = Key::new(method, target, repeat, (topics, em_steps));
                        if !planned.insert(key.clone()) {
                            continue;
                        }
                        if there.contains(&key) {
                            plan.done += 1;
                            continue;
                        }
                        let recipe = method.recipe(&comparison.settings, topics, em_steps);
                        plan.add(first, key, recipe);
                    }
                }
            }
        }
        Ok(plan)
    }

    /// Adds an experiment to the unit of its recipe, which is among those from `first` on.
    fn add(&mut self, first: usize, key: Key, recipe: Recipe) {
        match self.units[first..].iter_mut().find(|unit| unit.recipe == recipe) {
            Some(unit) => unit.keys.push(key),
            None => {
                let (target, repeat) = (key.target.clone(), key.repeat);
                self.units.push(Unit { target, repeat, recipe, keys: vec![key] });
            }
        }
    }

    /// The experiments still to be made.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.units.iter().flat_map(|unit| &unit.keys)
    }
}
