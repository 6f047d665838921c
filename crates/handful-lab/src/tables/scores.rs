//! Which experiments of a folder are compared.

use crate::methods::{METHODS, Method};
use crate::results::{Key, Record, ResultsFolder};
use std::collections::{BTreeMap, BTreeSet};

/// The methods' experiments with the settings' K and T, on the targets and repeats that all of them
/// have: only those compare.
#[derive(Clone, Debug)]
pub struct Scores<'a> {
    /// The methods that have any, in the order of the paper.
    pub methods: Vec<&'static Method>,
    /// Targets and repeats that every method has.
    pub pairs: Vec<(&'a str, usize)>,
    /// Targets and repeats that some method has.
    pub all_pairs: usize,
    /// Methods × pairs.
    pub records: Vec<Vec<&'a Record>>,
}

impl<'a> Scores<'a> {
    /// Takes the experiments of a folder that compare.
    pub fn of(folder: &'a ResultsFolder) -> Self {
        let training = &folder.identity.settings.training;
        let size = (training.topics, training.em_steps);
        let of_method = |method: &&'static Method| -> BTreeMap<(&'a str, usize), &'a Record> {
            let belongs = |record: &&Record| {
                let key = &record.key;
                *key == Key::new(method, &key.target, key.repeat, size)
            };
            let pair = |record: &'a Record| ((&*record.key.target, record.key.repeat), record);
            folder.records.iter().filter(belongs).map(pair).collect()
        };
        let (methods, records): (Vec<_>, Vec<_>) = METHODS
            .iter()
            .map(|method| (method, of_method(&method)))
            .filter(|(_, records)| !records.is_empty())
            .unzip();
        let all: BTreeSet<(&str, usize)> =
            records.iter().flat_map(BTreeMap::keys).copied().collect();
        let in_all =
            |pair: &(&str, usize)| records.iter().all(|records| records.contains_key(pair));
        let pairs: Vec<_> = all.iter().copied().filter(in_all).collect();
        let on_pairs = |records: &BTreeMap<_, &'a Record>| {
            pairs.iter().map(|pair| records[pair]).collect::<Vec<_>>()
        };
        let records = records.iter().map(on_pairs).collect();
        Self { methods, all_pairs: all.len(), records, pairs }
    }

    /// The targets of the pairs.
    pub fn targets(&self) -> BTreeSet<&'a str> {
        self.pairs.iter().map(|(target, _)| *target).collect()
    }

    /// A sentence about what is not in the tables yet, if there is anything.
    pub fn missing(&self) -> String {
        match self.all_pairs - self.pairs.len() {
            0 => String::new(),
            missing => format!(" Not finished for every method yet: {missing} more."),
        }
    }
}
