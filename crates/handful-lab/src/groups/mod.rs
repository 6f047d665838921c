//! Mixed handfuls: a few documents of several corpora, none of which was seen in training, to be
//! sorted into groups.
//!
//! ```text
//! corpora ─ MixedHandfuls ─▶ Draw (repeat: corpora held out, roles of the others, tasks)
//!                                 │
//! GroupingMethod ─ GroupingRecipe ┴─ learn ─▶ groups of each task's documents ─▶ GroupsRecord
//! ```

mod draw;
mod given_vectors;
mod measure;
mod methods;
mod record;
mod shape;
mod vectors;

pub use draw::{Draw, MixedHandful};
pub use given_vectors::GivenVectors;
pub use methods::{
    Features, GROUPING_METHODS, Grouping, GroupingMethod, GroupingRecipe, grouping_method,
};
pub use record::{GroupsKey, GroupsRecord};
pub use shape::TaskShape;

pub(crate) use methods::{GroupingLesson, largest_topics};
pub(crate) use vectors::{TRAINING_STREAM, gram_of};

use crate::protocol::Protocol;
use crate::results::Folder;
use crate::unseen::UnseenCorpora;
use crate::{FinishedModel, Given, GivenKind, Settings};
use handful::internals::corpus::Corpus;
use handful::internals::error::{MOST, expect_within};
use handful::text::Vocabulary;
use handful::{Error, Result};
use std::collections::BTreeSet;
use std::io::Write;

/// A folder with results on mixed handfuls.
pub type GroupsFolder = Folder<GroupsRecord>;

/// The corpora whose documents are mixed.
#[derive(Clone, Debug)]
pub struct MixedHandfuls<'a> {
    settings: Settings,
    /// Those that may be asked have documents enough.
    unseen: UnseenCorpora<'a>,
    vocabulary: &'a Vocabulary,
    shape: TaskShape,
    model: Option<FinishedModel>,
    vectors: Option<GivenVectors>,
}

impl<'a> MixedHandfuls<'a> {
    /// Sets the number of topics to the number of corpora in a task, and the size of training episodes
    /// to the number of documents in a task. Corpora with fewer documents than a task takes of each are
    /// never asked; refuses corpora of which too few are left.
    pub fn new(
        mut settings: Settings,
        shape: TaskShape,
        corpora: &'a [Corpus],
        vocabulary: &'a Vocabulary,
    ) -> Result<Self> {
        shape.check()?;
        shape.settle(&mut settings);
        settings.check()?;
        let least = shape.documents_of_each;
        let asked: Vec<&Corpus> =
            corpora.iter().filter(|corpus| corpus.documents.documents() >= least).collect();
        let mixed = shape.held_out();
        if asked.len() < mixed {
            let documents = if least == 1 { "document" } else { "documents" };
            return Err(Error::input(
                "the corpora",
                format!(
                    "{} of {} have at least {least} usable {documents}, but mixed handfuls need \
                     {mixed} to mix",
                    asked.len(),
                    corpora.len(),
                ),
                "give more corpora, or lower `documents_per_corpus` or `corpora_per_task`",
            ));
        }
        let validation = settings.validation_corpora;
        let unseen = UnseenCorpora { corpora, asked, held_out: mixed, validation };
        Ok(Self { settings, unseen, vocabulary, shape, model: None, vectors: None })
    }

    /// With a model to ask. Refuses one that does not give as many topics as a task has corpora.
    pub fn with_model(self, model: FinishedModel) -> Result<Self> {
        model.expect_topics(self.shape.corpora)?;
        Ok(Self { model: Some(model), ..self })
    }

    /// With vectors of the documents that are asked ([`Self::asked`]).
    pub fn with_vectors(self, vectors: GivenVectors) -> Self {
        Self { vectors: Some(vectors), ..self }
    }

    /// The corpora whose documents are asked, in the order of the corpora.
    pub fn asked(&self) -> &[&'a Corpus] {
        &self.unseen.asked
    }

    /// Returns a sentence about the corpora that are too small to be asked, if there are any.
    pub fn left_out(&self) -> Option<String> {
        self.unseen.left_out(&format!("{} usable documents", self.shape.documents_of_each))
    }

    /// Refuses vectors that lack one of a document that the first `repeats` repeats ask.
    fn expect_vectors(&self, repeats: usize) -> Result<()> {
        let Some(vectors) = &self.vectors else { return Ok(()) };
        let mut missing = BTreeSet::new();
        for repeat in 0..repeats {
            let draw = self.draw(repeat)?;
            let asked = draw.tasks.iter().flat_map(|task| task.classes.iter().zip(&task.documents));
            for (&class, &n) in asked {
                let corpus = draw.held_out[class];
                if vectors.of(&corpus.name, n).is_none() {
                    missing.insert((corpus.name.as_str(), corpus.ids[n].as_str()));
                }
            }
        }
        vectors.expect_all(missing.into_iter())
    }

    /// Lists `repeats` experiments for each method, with what must be learned for each. Refuses corpora
    /// too few for what the methods learn from, and vectors that lack some.
    pub fn wanted(
        &self,
        methods: &[&GroupingMethod],
        repeats: usize,
    ) -> Result<Vec<(GroupsKey, GroupingRecipe)>> {
        expect_within("repeats", repeats, 1, MOST)?;
        let recipes = methods.iter().map(|method| method.recipe(&self.settings));
        if let Some(needs) = recipes.map(|recipe| recipe.needs()).max() {
            self.unseen.expect_enough(needs, "mixed handfuls")?;
        }
        if methods.iter().any(|method| method.asks_for() == Some(GivenKind::DocumentVectors)) {
            self.expect_vectors(repeats)?;
        }
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
        self.unseen.corpora
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn given(&self) -> Vec<Given> {
        let model = self.model.iter().map(|model| model.given);
        model.chain(self.vectors.iter().map(|vectors| vectors.given)).collect()
    }

    fn conduct(&self, recipe: &GroupingRecipe, keys: &[GroupsKey]) -> Result<Vec<GroupsRecord>> {
        self.draw(keys[0].repeat)?.conduct(recipe, keys)
    }

    fn write_tasks(&self, repeat: &usize, out: &mut dyn Write) -> Result<()> {
        self.draw(*repeat)?.write_tasks(*repeat, out);
        Ok(())
    }
}
