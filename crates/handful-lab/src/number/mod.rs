//! The number of topics: documents of one to six subjects, and nobody says how many. Do methods find
//! out?
//!
//! ```text
//! documents ─ NumberOfTopics ─▶ Draw (repeat, N: corpora held out) ─▶ NumberTask
//!                                  │                                      │
//! NumberMethod ─ recipe ───────────┴─ learn ─▶ NumberAnswer (K, groups) ──┴▶ NumberRecord
//! ```

mod draw;
mod measure;
mod methods;
mod record;
mod trust;

pub use draw::{Draw, NumberTask};
pub use methods::{Counting, NUMBER_METHODS, NumberAnswer, NumberMethod, number_method};
pub use record::{Documents, NumberKey, NumberRecord};
pub use trust::{Trust, Verdict};

use crate::given::Supplies;
use crate::groups::GroupingRecipe;
use crate::prose::Reader;
use crate::protocol::Protocol;
use crate::results::Folder;
use crate::setting_key::experiments;
use crate::unseen_by_setting::{TaskNeeds, UnseenBySetting};
use crate::{FinishedModel, Given, PassageVectors, Settings};
use draw::Source;
use handful::internals::corpus::Corpus;
use handful::internals::error::{MOST, expect_within};
use handful::reading::RawDocument;
use handful::text::Vocabulary;
use handful::{Error, FitSettings, Result, Topics};
use std::collections::BTreeMap;
use std::io::Write;

/// A folder with results on numbers of topics.
pub type NumberFolder = Folder<NumberRecord>;

/// The numbers of documents to try if none is asked for.
pub const DOCUMENTS: [usize; 3] = [6, 12, 24];
/// The most subjects in a task.
const MOST_SUBJECTS: usize = 6;
/// The number of words of a short document. All words count here, stop words too.
const SHORT: usize = 30;
/// Long documents are cut after so many words.
const LONG: usize = 500;
/// The number of corpora held out in each repeat, if there are as many: more than a task has.
pub(crate) const HELD_OUT: usize = MOST_SUBJECTS + 1;
/// The least number of corpora held out.
const LEAST_HELD_OUT: usize = 2;

/// The documents of which methods say how many topics they have.
#[derive(Clone, Debug)]
pub struct NumberOfTopics<'a> {
    settings: Settings,
    /// For each number of documents in a task, the corpora that have as many.
    unseen: UnseenBySetting<'a, Documents>,
    reader: Reader<'a>,
    /// By corpus, the documents that are long enough.
    sources: BTreeMap<&'a str, Vec<Source>>,
    supplies: Supplies,
}

impl<'a> NumberOfTopics<'a> {
    /// Leaves out each of the numbers of `documents` in a task for which corpora are too few and too
    /// small. Refuses corpora that are too small for all of them.
    pub fn new(
        settings: Settings,
        documents: &[usize],
        corpora: &'a [Corpus],
        read: &'a [RawDocument],
        reader: Reader<'a>,
    ) -> Result<Self> {
        settings.check()?;
        let mut sources: BTreeMap<&str, Vec<Source>> = BTreeMap::new();
        for document in read {
            if let Some(corpus) = document.corpus.as_deref() {
                sources.entry(corpus).or_default().extend(Source::of(document, &reader));
            }
        }
        for &number in documents {
            expect_within("documents_per_task", number, 2, MOST)?;
        }
        let settings_asked: Vec<Documents> =
            documents.iter().map(|&documents| Documents { documents }).collect();
        let needs = |Documents { documents }| TaskNeeds {
            tasks: format!("tasks of {documents} documents"),
            documents,
            words: SHORT,
            corpora: LEAST_HELD_OUT,
            held_out: HELD_OUT,
            remedy: "give more corpora, or lower `documents_per_task`",
        };
        let of_corpora = (corpora, settings.validation_corpora);
        let there = |corpus: &str| sources.get(corpus).map_or(0, Vec::len);
        let unseen = UnseenBySetting::new(&settings_asked, of_corpora, needs, there)?;
        Ok(Self { settings, unseen, reader, sources, supplies: Supplies::default() })
    }

    /// With a model to ask. Refuses one that does not choose the number of topics.
    pub fn with_model(mut self, model: FinishedModel) -> Result<Self> {
        let config = &model.model.parts().config;
        let auto = FitSettings::default().with_topics(Topics::Auto);
        auto.check(&config.prior, config.topics, (config.inference, config.em_steps)).map_err(
            |_| {
                Error::bad_setting(
                    "the model",
                    format!("{} has a fixed number of topics", model.model.place()),
                    "give one that chooses it with `model`",
                )
            },
        )?;
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

    /// Sentences about corpora that are too small, and about numbers of documents for which too few
    /// are left.
    pub fn left_out(&self) -> &[String] {
        &self.unseen.left_out
    }

    /// Lists `repeats` experiments for each method and number of documents, with what must be learned
    /// for each. Refuses corpora too few for what the methods learn from.
    pub fn wanted(
        &self,
        methods: &[&NumberMethod],
        repeats: usize,
    ) -> Result<Vec<(NumberKey, GroupingRecipe)>> {
        let needs = methods.iter().map(|method| method.recipe().needs()).max();
        self.unseen.expect_enough(needs)?;
        let recipe = |method: &NumberMethod, _| (method.id, method.recipe());
        experiments(methods, repeats, &self.unseen.settings(), recipe)
    }
}

impl Protocol for NumberOfTopics<'_> {
    type Line = NumberRecord;
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

    fn conduct(&self, recipe: &GroupingRecipe, keys: &[NumberKey]) -> Result<Vec<NumberRecord>> {
        self.draw(keys[0].repeat, keys[0].setting.documents)?.conduct(self, recipe, keys)
    }

    fn write_tasks(&self, occasion: &(usize, Documents), out: &mut dyn Write) -> Result<()> {
        self.write_all_tasks((occasion.0, occasion.1.documents), out)
    }
}
