//! Experiments on unseen corpora that are repeated for several settings.

use crate::protocol::ExperimentKey;
use handful::Result;
use handful::internals::error::{MOST, expect_within};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a protocol varies: the number of documents in a task, for example. It is written as a table
/// names it: `N=6`.
pub trait Setting: Copy + Ord + fmt::Debug + fmt::Display + Send + Sync {
    /// What the protocol's tasks are called.
    const TASKS: &'static str;
}

/// Identifies an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SettingKey<S> {
    /// The method's id.
    pub method: String,
    /// The repeat, counted from 0.
    pub repeat: usize,
    /// The setting.
    #[serde(flatten)]
    pub setting: S,
}

impl<S: Setting> ExperimentKey for SettingKey<S> {
    /// Repeat and setting.
    type Occasion = (usize, S);

    fn method(&self) -> &str {
        &self.method
    }

    fn occasion(&self) -> (usize, S) {
        (self.repeat, self.setting)
    }

    fn kind(&self) -> String {
        format!("{} {}", self.method, self.setting)
    }
}

impl<S: Setting> fmt::Display for SettingKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, repeat, setting } = self;
        write!(f, "{method} on {}, repeat {repeat}, {setting}", S::TASKS)
    }
}

/// Lists `repeats` experiments for each method and setting, with what must be learned for each.
/// `recipe` gives a method's id and what it learns for a setting.
pub(crate) fn experiments<S: Setting, M, R>(
    methods: &[&M],
    repeats: usize,
    settings: &[S],
    recipe: impl Fn(&M, S) -> (&'static str, R),
) -> Result<Vec<(SettingKey<S>, R)>> {
    expect_within("repeats", repeats, 1, MOST)?;
    let mut wanted = Vec::new();
    for repeat in 0..repeats {
        for &setting in settings {
            wanted.extend(methods.iter().map(|method| {
                let (id, recipe) = recipe(method, setting);
                (SettingKey { method: id.to_owned(), repeat, setting }, recipe)
            }));
        }
    }
    Ok(wanted)
}
