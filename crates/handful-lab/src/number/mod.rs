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

pub use draw::{Draw, NumberTask};
pub use methods::{Counting, NUMBER_METHODS, NumberAnswer, NumberMethod, number_method};
pub use record::{NumberKey, NumberRecord};

use crate::groups::GroupingRecipe;
use crate::prose::Reader;
use crate::protocol::Protocol;
use crate::results::Folder;
use crate::unseen::UnseenCorpora;
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
/// What the tasks are called in messages.
const TASKS: &str = "numbers of topics";

/// The documents of which methods say how many topics they have.
#[derive(Clone, Debug)]
pub struct NumberOfTopics<'a> {
    settings: Settings,
    /// For each number of documents in a task, the corpora that have as many.
    unseen: BTreeMap<usize, UnseenCorpora<'a>>,
    reader: Reader<'a>,
    /// By corpus, the documents that are long enough.
    sources: BTreeMap<&'a str, Vec<Source>>,
    /// Sentences about what is left out.
    left_out: Vec<String>,
    model: Option<FinishedModel>,
    vectors: Option<PassageVectors>,
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
        let (mut unseen, mut left_out) = (BTreeMap::new(), Vec::new());
        let mut refusal = None;
        for &number in documents {
            expect_within("documents_per_task", number, 2, MOST)?;
            let has_enough = |corpus: &&Corpus| {
                sources.get(&*corpus.name).is_some_and(|sources| sources.len() >= number)
            };
            let asked: Vec<&Corpus> = corpora.iter().filter(has_enough).collect();
            let least = format!("{number} documents of {SHORT} words");
            if asked.len() < LEAST_HELD_OUT {
                let problem = format!(
                    "{} of {} have at least {least}, but tasks of {number} documents need \
                     {LEAST_HELD_OUT}",
                    asked.len(),
                    corpora.len(),
                );
                left_out.push(format!("N={number} is left out: {problem}"));
                let remedy = "give more corpora, or lower `documents_per_task`";
                refusal = Some(Error::input("the corpora", problem, remedy));
                continue;
            }
            let (held_out, validation) = (HELD_OUT.min(asked.len()), settings.validation_corpora);
            let of_number = UnseenCorpora { corpora, asked, held_out, validation };
            left_out.extend(of_number.left_out(&least));
            unseen.insert(number, of_number);
        }
        match refusal.filter(|_| unseen.is_empty()) {
            Some(refusal) => Err(refusal),
            None => {
                let (model, vectors) = (None, None);
                Ok(Self { settings, unseen, reader, sources, left_out, model, vectors })
            }
        }
    }

    /// With a model to ask. Refuses one that does not choose the number of topics.
    pub fn with_model(self, model: FinishedModel) -> Result<Self> {
        let config = &model.model.parts().config;
        let auto = FitSettings::default().with_topics(Topics::Auto);
        auto.check(&config.prior, config.topics, config.em_steps).map_err(|_| {
            Error::bad_setting(
                "the model",
                format!("{} has a fixed number of topics", model.model.place()),
                "give one that chooses it with `model`",
            )
        })?;
        Ok(Self { model: Some(model), ..self })
    }

    /// With vectors of the documents of tasks, each of which is one passage.
    pub fn with_vectors(self, vectors: PassageVectors) -> Self {
        Self { vectors: Some(vectors), ..self }
    }

    /// The corpora whose documents are asked, in the order of the corpora.
    pub fn asked(&self) -> Vec<&'a Corpus> {
        let is_asked = |corpus: &&Corpus| {
            let mut asked = self.unseen.values().flat_map(|unseen| &unseen.asked);
            asked.any(|asked| asked.name == corpus.name)
        };
        self.all_corpora().iter().filter(is_asked).collect()
    }

    fn all_corpora(&self) -> &'a [Corpus] {
        self.unseen.values().next().map_or(&[], |unseen| unseen.corpora)
    }

    /// Sentences about corpora that are too small, and about numbers of documents for which too few
    /// are left.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Lists `repeats` experiments for each method and number of documents, with what must be learned
    /// for each. Refuses corpora too few for what the methods learn from.
    pub fn wanted(
        &self,
        methods: &[&NumberMethod],
        repeats: usize,
    ) -> Result<Vec<(NumberKey, GroupingRecipe)>> {
        expect_within("repeats", repeats, 1, MOST)?;
        if let Some(needs) = methods.iter().map(|method| method.recipe().needs()).max() {
            self.unseen.values().try_for_each(|unseen| unseen.expect_enough(needs, TASKS))?;
        }
        let mut wanted = Vec::new();
        for repeat in 0..repeats {
            for &documents in self.unseen.keys() {
                wanted.extend(methods.iter().map(|method| {
                    let key = NumberKey { method: method.id.to_owned(), repeat, documents };
                    (key, method.recipe())
                }));
            }
        }
        Ok(wanted)
    }
}

impl Protocol for NumberOfTopics<'_> {
    type Line = NumberRecord;
    type Recipe = GroupingRecipe;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn corpora(&self) -> &[Corpus] {
        self.all_corpora()
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.reader.vocabulary()
    }

    fn given(&self) -> Vec<Given> {
        let model = self.model.iter().map(|model| model.given);
        model.chain(self.vectors.iter().map(|vectors| vectors.given)).collect()
    }

    fn conduct(&self, recipe: &GroupingRecipe, keys: &[NumberKey]) -> Result<Vec<NumberRecord>> {
        self.draw(keys[0].repeat, keys[0].documents)?.conduct(self, recipe, keys)
    }

    fn write_tasks(&self, occasion: &(usize, usize), out: &mut dyn Write) -> Result<()> {
        self.write_all_tasks(*occasion, out)
    }
}
