//! Tables of several measures for each setting, with means and standard errors over repeats.

use super::perplexity::{or_empty, plus_minus};
use super::{Grid, Report, Scores, counted, no_experiment};
use crate::protocol::{ExperimentKey, Line};
use crate::results::Folder;
use crate::statistics::Mean;
use crate::{Setting, SettingKey};
use handful::Result;
use std::collections::{BTreeMap, BTreeSet};

/// A row of a table: a method's measures for one setting.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingScore {
    /// The setting.
    pub setting: String,
    /// The method's id.
    pub method: &'static str,
    /// Each measure's name, and its mean over the repeats that have it.
    pub measures: Vec<(&'static str, Option<Mean>)>,
    /// The number of repeats.
    pub repeats: usize,
}

/// A measure.
pub(super) struct Column<L> {
    /// Its name for people.
    pub(super) heading: &'static str,
    /// Its name for programs.
    pub(super) name: &'static str,
    /// Computes it from a method's experiments of one repeat, at least one. `None` if they lack it.
    pub(super) of_repeat: fn(&[&L]) -> Option<f64>,
}

/// The experiments of one setting that can be compared.
pub(super) struct SettingTable<'a, L> {
    setting: String,
    /// For each method, its experiments of each repeat.
    methods: Vec<(&'static str, BTreeMap<usize, Vec<&'a L>>)>,
    /// A sentence about what is left out.
    missing: String,
}

impl<'a, S: Setting, L: Line<Key = SettingKey<S>>> SettingTable<'a, L> {
    /// Selects the experiments of the settings that `belongs` to a table, of those that every method
    /// has; `setting` names them.
    pub(super) fn of<M>(
        setting: String,
        folder: &'a Folder<L>,
        (methods, id): (&'static [M], fn(&M) -> &'static str),
        belongs: impl Fn(S) -> bool,
    ) -> Self {
        let records = folder.records.iter().filter(|record| belongs(record.key().setting));
        let is_of = |method: &M, key: &L::Key| key.method() == id(method);
        let scores = Scores::among(methods, records, is_of);
        let by_repeat = |records: &Vec<&'a L>| {
            let mut by_repeat: BTreeMap<usize, Vec<&'a L>> = BTreeMap::new();
            for record in records {
                by_repeat.entry(record.key().repeat).or_default().push(record);
            }
            by_repeat
        };
        let missing = scores.missing();
        let methods = scores.methods.iter().map(|method| id(method));
        let methods = methods.zip(scores.records.iter().map(by_repeat)).collect();
        Self { setting, methods, missing }
    }

    fn repeats(&self) -> usize {
        self.methods.first().map_or(0, |(_, repeats)| repeats.len())
    }

    fn scores(&self, columns: &[Column<L>]) -> Vec<SettingScore> {
        let score = |(method, repeats): &(&'static str, BTreeMap<usize, Vec<&'a L>>)| {
            let measure = |column: &Column<L>| {
                let values: Vec<f64> =
                    repeats.values().filter_map(|records| (column.of_repeat)(records)).collect();
                (column.name, (!values.is_empty()).then(|| Mean::of(&values)))
            };
            SettingScore {
                setting: self.setting.clone(),
                method,
                measures: columns.iter().map(measure).collect(),
                repeats: repeats.len(),
            }
        };
        self.methods.iter().map(score).collect()
    }

    /// Leaves out columns that no method has.
    fn markdown(&self, columns: &[Column<L>]) -> String {
        let scores = self.scores(columns);
        let is_there = |i: &usize| scores.iter().any(|score| score.measures[*i].1.is_some());
        let there: Vec<usize> = (0..columns.len()).filter(is_there).collect();
        let mut grid = Grid::new(&["method"]);
        grid.header.extend(there.iter().map(|&i| columns[i].heading.to_owned()));
        for score in &scores {
            let cell =
                |&i: &usize| score.measures[i].1.map_or(String::new(), |m| plus_minus(&m, 3));
            let cells = [score.method.to_owned()].into_iter().chain(there.iter().map(cell));
            grid.rows.push(cells.collect());
        }
        format!(
            "\n## {}\n\nMean and standard error over {}.{}\n\n{}",
            self.setting,
            counted(self.repeats(), "repeat"),
            self.missing,
            grid.to_markdown()
        )
    }

    fn add_repeats(&self, columns: &[Column<L>], grid: &mut Grid) {
        for (method, repeats) in &self.methods {
            for (repeat, records) in repeats {
                let mut cells =
                    vec![self.setting.clone(), repeat.to_string(), (*method).to_owned()];
                let values = columns.iter().map(|column| or_empty((column.of_repeat)(records)));
                cells.extend(values);
                grid.rows.push(cells);
            }
        }
    }
}

/// A table for each setting.
pub(super) fn setting_tables<'a, S: Setting, L: Line<Key = SettingKey<S>>, M>(
    folder: &'a Folder<L>,
    methods: (&'static [M], fn(&M) -> &'static str),
) -> Vec<SettingTable<'a, L>> {
    let all: BTreeSet<S> = folder.records.iter().map(|record| record.key().setting).collect();
    let table = |setting: S| {
        SettingTable::of(setting.to_string(), folder, methods, |other| other == setting)
    };
    all.into_iter().map(table).collect()
}

impl Report<SettingScore> {
    /// Creates the report of a folder: a table for each setting that has experiments, and two files
    /// whose names begin with `file`.
    pub(super) fn of_settings<S: Setting, L: Line<Key = SettingKey<S>>>(
        folder: &Folder<L>,
        heading: String,
        mut tables: Vec<SettingTable<'_, L>>,
        columns: &[Column<L>],
        file: &str,
    ) -> Result<Self> {
        tables.retain(|table| !table.methods.is_empty());
        if tables.is_empty() {
            return Err(no_experiment(folder.path()));
        }
        let scores: Vec<SettingScore> =
            tables.iter().flat_map(|table| table.scores(columns)).collect();
        let names = || columns.iter().map(|column| column.name.to_owned());
        let mut repeats = Grid::new(&["setting", "repeat", "method"]);
        repeats.header.extend(names());
        tables.iter().for_each(|table| table.add_repeats(columns, &mut repeats));
        let mut summary = Grid::new(&["setting", "method"]);
        summary
            .header
            .extend(names().flat_map(|name| [name.clone(), format!("{name}_standard_error")]));
        summary.header.push("repeats".to_owned());
        for score in &scores {
            let mut cells = vec![score.setting.clone(), score.method.to_owned()];
            for (_, mean) in &score.measures {
                let error = mean.and_then(|mean| mean.standard_error);
                cells.extend([or_empty(mean.map(|mean| mean.mean)), or_empty(error)]);
            }
            cells.push(score.repeats.to_string());
            summary.rows.push(cells);
        }
        let sections: String = tables.iter().map(|table| table.markdown(columns)).collect();
        let files = [("summary", summary), ("by-repeat", repeats)];
        let files = files.map(|(name, grid)| (format!("{file}-{name}.csv"), grid.to_csv()));
        Ok(Self { markdown: heading + &sections, files: files.into(), scores })
    }
}
