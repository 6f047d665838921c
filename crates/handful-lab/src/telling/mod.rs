//! Telling: a handful of documents of several subjects, and other documents of the same subjects. Do
//! the ten terms that a method shows for each topic tell where the others belong?
//!
//! ```text
//! texts ─ Telling ─▶ Draw (repeat, shape: corpora held out) ─▶ TellingTask (handful, others)
//!                       │                                           │
//! TellingMethod ─ recipe ┴─ learn ─▶ TellingAnswer (groups, terms) ──┴▶ TellingRecord
//! ```

mod answer;
mod class_tf_idf;
mod draw;
mod folding;
mod measure;
mod methods;
mod own_tf_idf;
mod record;

pub use answer::{TellingAnswer, TellingScore};
pub use class_tf_idf::class_tf_idf;
pub use draw::{Draw, HandfulDocument, OtherDocument, TellingTask};
pub use folding::{FoldedText, Folding};
pub use methods::{Naming, TELLING_METHODS, TellingMethod, telling_method};
pub use record::{TellingKey, TellingRecord};

use crate::given::Supplies;
use crate::groups::{GroupingRecipe, TaskShape};
use crate::prose::{Prose, Reader, long_texts};
use crate::protocol::Protocol;
use crate::results::Folder;
use crate::setting_key::experiments;
use crate::unseen_by_setting::{TaskNeeds, UnseenBySetting};
use crate::{FinishedModel, Given, PassageVectors, Settings};
use handful::Result;
use handful::internals::corpus::Corpus;
use handful::internals::error::expect_within;
use handful::reading::RawDocument;
use handful::text::Vocabulary;
use std::collections::BTreeMap;
use std::io::Write;

/// A folder with results on telling.
pub type TellingFolder = Folder<TellingRecord>;

/// The shapes of tasks to try if none is asked for: six documents, and thirty.
pub const SHAPES: [TaskShape; 2] = [
    TaskShape { corpora: 3, documents_of_each: 2 },
    TaskShape { corpora: 5, documents_of_each: 6 },
];
/// The most subjects in a task. Topics are matched to subjects by trying all orders.
const MOST_SUBJECTS: usize = 6;
/// The least number of words of a document that is used. All words count here, stop words too.
const LEAST_WORDS: usize = 30;
/// Documents are cut after so many words.
const MOST_WORDS: usize = 500;
/// The least number of documents of a corpus that are to be told.
const LEAST_OTHERS: usize = 10;

/// The texts of which methods tell the topics.
#[derive(Clone, Debug)]
pub struct Telling<'a> {
    settings: Settings,
    /// For each shape of tasks, the corpora that have documents enough.
    unseen: UnseenBySetting<'a, TaskShape>,
    reader: Reader<'a>,
    /// By corpus, the documents that are long enough.
    texts: BTreeMap<&'a str, Vec<Prose>>,
    supplies: Supplies,
}

impl<'a> Telling<'a> {
    /// Leaves out each of the `shapes` of tasks for which corpora are too few or too small. Refuses
    /// documents that are not text, and corpora that are too small for all shapes.
    pub fn new(
        settings: Settings,
        shapes: &[TaskShape],
        corpora: &'a [Corpus],
        documents: &'a [RawDocument],
        reader: Reader<'a>,
    ) -> Result<Self> {
        settings.check()?;
        for shape in shapes {
            shape.check()?;
            expect_within("corpora_per_task", shape.corpora, 2, MOST_SUBJECTS)?;
        }
        let problem = "is word counts, but phrases are looked for in texts";
        let texts = long_texts(documents, &reader, (LEAST_WORDS, MOST_WORDS), problem)?;
        let needs = |shape: TaskShape| TaskNeeds {
            tasks: format!("tasks of {} corpora", shape.corpora),
            documents: shape.documents_of_each.saturating_add(LEAST_OTHERS),
            words: LEAST_WORDS,
            corpora: shape.corpora,
            held_out: shape.held_out(),
            remedy: "give more corpora, or lower `corpora_per_task` or `documents_per_corpus`",
        };
        let of_corpora = (corpora, settings.validation_corpora);
        let there = |corpus: &str| texts.get(corpus).map_or(0, Vec::len);
        let unseen = UnseenBySetting::new(shapes, of_corpora, needs, there)?;
        Ok(Self { settings, unseen, reader, texts, supplies: Supplies::default() })
    }

    /// With a model to ask. Refuses one that does not give as many topics as a task has subjects.
    pub fn with_model(mut self, model: FinishedModel) -> Result<Self> {
        let shapes = self.unseen.settings();
        shapes.iter().try_for_each(|shape| model.expect_topics(shape.corpora))?;
        self.supplies.model = Some(model);
        Ok(self)
    }

    /// With vectors of the documents of tasks, each of which is one passage.
    pub fn with_vectors(mut self, vectors: PassageVectors) -> Self {
        self.supplies.vectors = Some(vectors);
        self
    }

    /// The corpora whose documents are asked, in the order of the corpora.
    pub fn asked(&self) -> Vec<&'a Corpus> {
        self.unseen.asked()
    }

    /// Sentences about corpora that are too small, and about shapes for which too few are left.
    pub fn left_out(&self) -> &[String] {
        &self.unseen.left_out
    }

    /// Lists `repeats` experiments for each method and shape, with what must be learned for each.
    /// Refuses corpora too few for what the methods learn from.
    pub fn wanted(
        &self,
        methods: &[&TellingMethod],
        repeats: usize,
    ) -> Result<Vec<(TellingKey, GroupingRecipe)>> {
        let recipe = |method: &TellingMethod, shape: TaskShape| {
            (method.id, method.recipe(&self.settings, shape.corpora))
        };
        let wanted = experiments(methods, repeats, &self.unseen.settings(), recipe)?;
        self.unseen.expect_enough(wanted.iter().map(|(_, recipe)| recipe.needs()).max())?;
        Ok(wanted)
    }
}

impl Protocol for Telling<'_> {
    type Line = TellingRecord;
    type Recipe = GroupingRecipe;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn corpora(&self) -> &[Corpus] {
        self.unseen.all()
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.reader.vocabulary()
    }

    fn given(&self) -> Vec<Given> {
        self.supplies.all()
    }

    fn conduct(&self, recipe: &GroupingRecipe, keys: &[TellingKey]) -> Result<Vec<TellingRecord>> {
        self.draw(keys[0].repeat, keys[0].setting)?.conduct(self, recipe, keys)
    }

    fn write_tasks(&self, occasion: &(usize, TaskShape), out: &mut dyn Write) -> Result<()> {
        self.write_all_tasks(*occasion, out)
    }
}
