//! Mixed handfuls: a few documents of several corpora, none of which was seen in training, to be
//! sorted into groups.
//!
//! ```text
//! corpora ─ MixedHandfuls ─▶ Draw (repeat: six corpora held out, roles of the others, tasks)
//!                                 │
//! GroupingMethod ─ GroupingRecipe ┴─ learn ─▶ groups of each task's documents ─▶ GroupsRecord
//! ```

mod draw;
mod measure;
mod methods;
mod record;
mod vectors;

pub use draw::{Draw, MixedHandful};
pub use methods::{
    Features, GROUPING_METHODS, Grouping, GroupingMethod, GroupingRecipe, grouping_method,
};
pub use record::{GroupsKey, GroupsRecord};

use crate::Settings;
use crate::protocol::Protocol;
use crate::results::Folder;
use handful::internals::corpus::Corpus;
use handful::internals::error::{MOST, expect_within};
use handful::text::Vocabulary;
use handful::{Error, Result};
use std::io::Write;

/// The number of corpora held out in each repeat.
pub const HELD_OUT: usize = 6;
/// The number of corpora in a task, which is also K.
pub const CORPORA_OF_TASK: usize = 3;
/// The number of documents that a task has from each of its corpora.
pub const DOCUMENTS_OF_CORPUS: usize = 2;
/// The number of documents in a task, which is also N.
pub const DOCUMENTS_OF_TASK: usize = CORPORA_OF_TASK * DOCUMENTS_OF_CORPUS;

/// A folder with results on mixed handfuls.
pub type GroupsFolder = Folder<GroupsRecord>;

/// The corpora whose documents are mixed.
#[derive(Clone, Debug)]
pub struct MixedHandfuls<'a> {
    settings: Settings,
    corpora: &'a [Corpus],
    vocabulary: &'a Vocabulary,
}

impl<'a> MixedHandfuls<'a> {
    /// Refuses corpora that are too few or too small. Sets the number of topics to the number of
    /// corpora in a task, and the size of training episodes to the number of documents in a task.
    pub fn new(
        mut settings: Settings,
        corpora: &'a [Corpus],
        vocabulary: &'a Vocabulary,
    ) -> Result<Self> {
        settings.training.topics = CORPORA_OF_TASK;
        settings.training.episode.support_size = DOCUMENTS_OF_TASK;
        settings.check()?;
        let validation = settings.validation_corpora;
        let least = HELD_OUT + validation + 1;
        if corpora.len() < least {
            return Err(Error::input(
                "the corpora",
                format!(
                    "there are {}, but mixed handfuls need {least}: {HELD_OUT} to mix, {validation} \
                     to validate on and one to train on",
                    corpora.len(),
                ),
                "give more corpora or lower `validation_corpora`",
            ));
        }
        let is_small = |corpus: &&Corpus| corpus.documents.documents() < DOCUMENTS_OF_CORPUS;
        if let Some(small) = corpora.iter().find(is_small) {
            return Err(Error::input(
                format!("corpus {}", small.name),
                format!(
                    "has fewer than {DOCUMENTS_OF_CORPUS} usable documents, as many as a task needs"
                ),
                "give it more documents or leave it out",
            ));
        }
        Ok(Self { settings, corpora, vocabulary })
    }

    /// Lists `repeats` experiments for each method, with what must be learned for each.
    pub fn wanted(
        &self,
        methods: &[&GroupingMethod],
        repeats: usize,
    ) -> Result<Vec<(GroupsKey, GroupingRecipe)>> {
        expect_within("repeats", repeats, 1, MOST)?;
        let of_repeat = |repeat: usize| {
            let of_method = move |method: &&GroupingMethod| {
                let key = GroupsKey { method: method.id.to_owned(), repeat };
                (key, method.recipe(&self.settings))
            };
            methods.iter().map(of_method)
        };
        Ok((0..repeats).flat_map(of_repeat).collect())
    }
}

impl Protocol for MixedHandfuls<'_> {
    type Line = GroupsRecord;
    type Recipe = GroupingRecipe;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn corpora(&self) -> &[Corpus] {
        self.corpora
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn conduct(&self, recipe: &GroupingRecipe, keys: &[GroupsKey]) -> Result<Vec<GroupsRecord>> {
        self.draw(keys[0].repeat)?.conduct(recipe, keys)
    }

    fn write_tasks(&self, repeat: &usize, out: &mut dyn Write) -> Result<()> {
        self.draw(*repeat)?.write_tasks(*repeat, out);
        Ok(())
    }
}
