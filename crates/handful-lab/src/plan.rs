//! Plans which experiments remain, and what must be learned for them.

use crate::protocol::{ExperimentKey, Line};
use std::collections::BTreeSet;

/// Something to learn once, and the experiments that use it.
#[derive(Clone, Debug)]
pub(crate) struct Unit<K, R> {
    pub(crate) recipe: R,
    pub(crate) keys: Vec<K>,
}

/// The remaining experiments, in order.
#[derive(Clone, Debug)]
pub struct Plan<K: ExperimentKey, R> {
    pub(crate) units: Vec<Unit<K, R>>,
    /// All requested occasions.
    pub occasions: BTreeSet<K::Occasion>,
    /// The number of requested experiments that are already done.
    pub done: usize,
}

impl<K: ExperimentKey, R: PartialEq> Plan<K, R> {
    /// Plans the `wanted` experiments, given occasion by occasion, except those already `there`.
    pub fn new<L: Line<Key = K>>(wanted: Vec<(K, R)>, there: &[L]) -> Self {
        let there: BTreeSet<&K> = there.iter().map(Line::key).collect();
        let mut plan = Self { units: Vec::new(), occasions: BTreeSet::new(), done: 0 };
        let mut planned = BTreeSet::new();
        for (key, recipe) in wanted {
            plan.occasions.insert(key.occasion());
            if !planned.insert(key.clone()) {
                continue;
            }
            if there.contains(&key) {
                plan.done += 1;
            } else {
                plan.add(key, recipe);
            }
        }
        plan
    }

    /// Adds an experiment to the unit with its occasion and recipe.
    fn add(&mut self, key: K, recipe: R) {
        let occasion = key.occasion();
        let of_occasion = |unit: &&mut Unit<K, R>| unit.keys[0].occasion() == occasion;
        let mut units = self.units.iter_mut().rev().take_while(of_occasion);
        match units.find(|unit| unit.recipe == recipe) {
            Some(unit) => unit.keys.push(key),
            None => self.units.push(Unit { recipe, keys: vec![key] }),
        }
    }

    /// The remaining experiments.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.units.iter().flat_map(|unit| &unit.keys)
    }
}
