//! Selects the experiments of a folder that can be compared.

use super::left_out;
use crate::methods::{METHODS, Method};
use crate::protocol::{ExperimentKey, Line, OccasionOf};
use crate::results::{Key, Record, ResultsFolder};
use std::collections::{BTreeMap, BTreeSet};

/// The methods' experiments on the occasions that all methods have. Only those can be compared.
#[derive(Clone, Debug)]
pub struct Scores<'a, M: 'static = Method, L: Line = Record> {
    /// The methods with at least one experiment, in their usual order.
    pub methods: Vec<&'static M>,
    /// The occasions that every method has.
    pub occasions: Vec<OccasionOf<L>>,
    /// The number of occasions that some method has.
    pub all_occasions: usize,
    /// Methods × occasions.
    pub records: Vec<Vec<&'a L>>,
}

impl<'a, M, L: Line> Scores<'a, M, L> {
    /// Selects the comparable experiments among `records`. `belongs` tells whether a key belongs to
    /// a method.
    pub(super) fn among(
        methods: &'static [M],
        records: impl Iterator<Item = &'a L> + Clone,
        belongs: impl Fn(&M, &L::Key) -> bool,
    ) -> Self {
        let of_method = |method: &M| -> BTreeMap<OccasionOf<L>, &'a L> {
            let records = records.clone().filter(|record| belongs(method, record.key()));
            records.map(|record| (record.key().occasion(), record)).collect()
        };
        let (methods, records): (Vec<_>, Vec<_>) = methods
            .iter()
            .map(|method| (method, of_method(method)))
            .filter(|(_, records)| !records.is_empty())
            .unzip();
        let all: BTreeSet<&OccasionOf<L>> = records.iter().flat_map(BTreeMap::keys).collect();
        let in_all = |occasion: &&OccasionOf<L>| {
            records.iter().all(|records| records.contains_key(occasion))
        };
        let occasions: Vec<OccasionOf<L>> = all.iter().copied().filter(in_all).cloned().collect();
        let all_occasions = all.len();
        let on_occasions = |records: &BTreeMap<_, &'a L>| {
            occasions.iter().map(|occasion| records[occasion]).collect::<Vec<_>>()
        };
        let records = records.iter().map(on_occasions).collect();
        Self { methods, all_occasions, records, occasions }
    }

    /// Returns a sentence about the occasions that are left out, if there are any.
    pub fn missing(&self) -> String {
        left_out(self.all_occasions - self.occasions.len())
    }
}

impl<'a> Scores<'a> {
    /// Returns the experiments of the `method`-th method on a target.
    pub(super) fn on_target(&self, method: usize, target: &str) -> Vec<&'a Record> {
        let records = self.records[method].iter().copied();
        records.filter(|record| record.key.target == target).collect()
    }

    /// Selects the comparable experiments of a folder with the settings' K and T.
    pub fn of(folder: &'a ResultsFolder) -> Self {
        Self::of_records(folder, |_| true)
    }

    /// Works like [`Self::of`], for the records that satisfy `has`.
    pub(super) fn of_records(folder: &'a ResultsFolder, has: fn(&Record) -> bool) -> Self {
        let training = &folder.identity.settings.training;
        let size = (training.topics, training.em_steps);
        let belongs =
            |method: &Method, key: &Key| *key == Key::new(method, &key.target, key.repeat, size);
        Self::among(&METHODS, folder.records.iter().filter(move |record| has(record)), belongs)
    }
}

impl<M, L: Line<Key: ExperimentKey<Occasion = (String, usize)>>> Scores<'_, M, L> {
    /// Returns the targets of the occasions.
    pub fn targets(&self) -> BTreeSet<&str> {
        self.occasions.iter().map(|(target, _)| &**target).collect()
    }
}
