//! Reports how well methods found the subjects of blends.

use super::measures::{Column, setting_tables};
use super::{Report, SettingScore, folder_name, steps};
use crate::blends::{BLEND_METHODS, BlendMethod, BlendsFolder, BlendsRecord, HELD_OUT};
use crate::unseen;
use handful::Result;

/// A record stands for a repeat: there is one for each number of subjects.
const COLUMNS: [Column<BlendsRecord>; 5] = [
    Column {
        heading: "error of shares",
        name: "error",
        of_repeat: |records| Some(records[0].error),
    },
    Column {
        heading: "correlation",
        name: "correlation",
        of_repeat: |records| records[0].correlation,
    },
    Column {
        heading: "error in pure documents",
        name: "pure_error",
        of_repeat: |records| Some(records[0].pure_error),
    },
    Column {
        heading: "words placed right",
        name: "words_placed",
        of_repeat: |records| Some(records[0].words_placed),
    },
    Column {
        heading: "words placed right, one blend alone",
        name: "words_placed_alone",
        of_repeat: |records| records[0].words_placed_alone,
    },
];

impl Report<SettingScore> {
    /// Creates the report of a folder with results on blends.
    pub fn of_blends(folder: &BlendsFolder) -> Result<Self> {
        let id: fn(&BlendMethod) -> &'static str = |method| method.id;
        let tables = setting_tables(folder, (&BLEND_METHODS[..], id));
        Self::of_settings(folder, heading(folder), tables, &COLUMNS, "blends")
    }
}

fn heading(folder: &BlendsFolder) -> String {
    let settings = &folder.identity.settings;
    let corpora = folder.identity.corpora.len();
    let held_out = folder.records.first().map_or(HELD_OUT, |r| r.course.held_out_corpora.len());
    let validation = unseen::validation(corpora, held_out, settings.validation_corpora);
    format!(
        "# {}\n\n{corpora} corpora, {} terms. In each repeat {held_out} corpora are held out, \
         {validation} validate and {} train. A task is two pure documents of each of K subjects and \
         two blends of two or three of them; there are {} tasks. Topics are matched to subjects by \
         the pure documents. Words placed right: the mean over subjects of the share of their words \
         in blends that is given to them; chance is 1/K. {}, seed {}.\n",
        folder_name(folder.path()),
        folder.identity.terms,
        corpora.saturating_sub(validation + held_out),
        settings.tasks,
        steps(settings),
        settings.training.seed,
    )
}
