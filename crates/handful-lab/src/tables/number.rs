//! Reports how well methods found the number of topics.

use super::measures::{Column, SettingTable, setting_tables};
use super::trust::trust;
use super::{Report, SettingScore, folder_name};
use crate::number::{NUMBER_METHODS, NumberFolder, NumberMethod, NumberRecord};
use handful::Result;

/// A task of a record.
struct Task {
    subjects: usize,
    topics: usize,
    is_short: bool,
    ari: f64,
    ari_given: f64,
}

impl Task {
    fn is_within(&self, distance: usize) -> f64 {
        f64::from(u8::from(self.topics.abs_diff(self.subjects) <= distance))
    }

    fn is_right(&self) -> f64 {
        self.is_within(0)
    }

    fn is_one(&self) -> f64 {
        f64::from(u8::from(self.topics == 1))
    }
}

/// The mean over the tasks of some records that have a value.
fn mean(records: &[&NumberRecord], value: fn(&Task) -> Option<f64>) -> Option<f64> {
    let tasks = records.iter().flat_map(|record| {
        (0..record.course.tasks).map(|i| Task {
            subjects: record.task_subjects[i],
            topics: record.task_topics[i],
            is_short: record.task_short[i],
            ari: record.task_aris[i],
            ari_given: record.task_aris_given[i],
        })
    });
    let values: Vec<f64> = tasks.filter_map(|task| value(&task)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn ari(records: &[&NumberRecord]) -> Option<f64> {
    mean(records, |task| (task.subjects > 1).then_some(task.ari))
}

fn ari_given(records: &[&NumberRecord]) -> Option<f64> {
    mean(records, |task| (task.subjects > 1).then_some(task.ari_given))
}

const COLUMNS: [Column<NumberRecord>; 10] = [
    Column {
        heading: "exactly right",
        name: "exact",
        of_repeat: |records| mean(records, |task| Some(task.is_right())),
    },
    Column {
        heading: "within one",
        name: "within_one",
        of_repeat: |records| mean(records, |task| Some(task.is_within(1))),
    },
    Column {
        heading: "exactly right, short",
        name: "exact_short",
        of_repeat: |records| mean(records, |task| task.is_short.then(|| task.is_right())),
    },
    Column {
        heading: "exactly right, long",
        name: "exact_long",
        of_repeat: |records| mean(records, |task| (!task.is_short).then(|| task.is_right())),
    },
    Column {
        heading: "mean K",
        name: "topics",
        of_repeat: |records| mean(records, |task| Some(task.topics as f64)),
    },
    Column { heading: "adjusted Rand index", name: "ari", of_repeat: ari },
    Column { heading: "the same, K given", name: "ari_given", of_repeat: ari_given },
    Column {
        heading: "ratio",
        name: "ari_ratio",
        of_repeat: |records| {
            let given = ari_given(records).filter(|given| *given > 0.0)?;
            ari(records).map(|ari| ari / given)
        },
    },
    Column {
        heading: "one subject, one topic",
        name: "one_of_one",
        of_repeat: |records| mean(records, |task| (task.subjects == 1).then(|| task.is_one())),
    },
    Column {
        heading: "several subjects, one topic",
        name: "one_of_several",
        of_repeat: |records| mean(records, |task| (task.subjects > 1).then(|| task.is_one())),
    },
];

impl Report<SettingScore> {
    /// Creates the report of a folder with results on numbers of topics.
    pub fn of_number(folder: &NumberFolder) -> Result<Self> {
        let id: fn(&NumberMethod) -> &'static str = |method| method.id;
        let methods = (&NUMBER_METHODS[..], id);
        let mut tables = vec![SettingTable::of("All".to_owned(), folder, methods, |_| true)];
        tables.extend(setting_tables(folder, methods));
        let mut report = Self::of_settings(folder, heading(folder), tables, &COLUMNS, "number")?;
        if let Some((markdown, grid)) = trust(folder) {
            report.markdown += &markdown;
            report.files.push(("number-trust.csv".to_owned(), grid.to_csv()));
        }
        Ok(report)
    }
}

fn heading(folder: &NumberFolder) -> String {
    let settings = &folder.identity.settings;
    format!(
        "# {}\n\n{} corpora, {} terms. A task is N documents of one to six corpora, none of which was \
         seen in training; all documents are short, or all are long. There are {} tasks for each N in a \
         repeat. The adjusted Rand index is over tasks of several subjects, with as many topics as the \
         method chose, and with as many as there are subjects. Seed {}.\n",
        folder_name(folder.path()),
        folder.identity.corpora.len(),
        folder.identity.terms,
        settings.tasks,
        settings.training.seed,
    )
}
