//! Reports how well the terms that methods show tell topics.

use super::measures::{Column, setting_tables};
use super::{Report, SettingScore, folder_name};
use crate::telling::{TELLING_METHODS, TellingFolder, TellingMethod, TellingRecord};
use crate::{COMMON_TERMS, TERMS_SHOWN};
use handful::Result;

/// A record stands for a repeat: there is one for each shape of tasks.
const COLUMNS: [Column<TellingRecord>; 7] = [
    Column { heading: "telling", name: "telling", of_repeat: |records| Some(records[0].telling) },
    Column {
        heading: "adjusted Rand index",
        name: "ari",
        of_repeat: |records| Some(records[0].ari),
    },
    Column {
        heading: "documents reached",
        name: "reached",
        of_repeat: |records| records[0].reached,
    },
    Column { heading: "diversity", name: "diversity", of_repeat: |records| records[0].diversity },
    Column { heading: "common words", name: "common", of_repeat: |records| records[0].common },
    Column { heading: "said once", name: "once", of_repeat: |records| records[0].once },
    Column { heading: "NPMI", name: "coherence", of_repeat: |records| records[0].coherence },
];

impl Report<SettingScore> {
    /// Creates the report of a folder with results on telling.
    pub fn of_telling(folder: &TellingFolder) -> Result<Self> {
        let id: fn(&TellingMethod) -> &'static str = |method| method.id;
        let tables = setting_tables(folder, (&TELLING_METHODS[..], id));
        Self::of_settings(folder, heading(folder), tables, &COLUMNS, "telling")
    }
}

fn heading(folder: &TellingFolder) -> String {
    let settings = &folder.identity.settings;
    format!(
        "# {}\n\n{} corpora, {} terms. A task is a handful of N documents of K corpora, as many of each, \
         none of which was seen in training, and other documents of these corpora; there are {} tasks. \
         Methods are told K and show {TERMS_SHOWN} terms of each topic. Telling: each other document goes to \
         the topic of whose terms it contains most; the share that is right. Documents reached: of those of \
         100 words, the share that contain a term. Common words: terms among the {COMMON_TERMS} most frequent \
         of the other corpora. Said once: terms that the handful says at most once, in topics of 100 words. \
         Seed {}.\n",
        folder_name(folder.path()),
        folder.identity.corpora.len(),
        folder.identity.terms,
        settings.tasks,
        settings.training.seed,
    )
}
