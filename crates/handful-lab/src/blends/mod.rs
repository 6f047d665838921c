//! Blends: documents that join parts of several subjects in known shares, beside pure ones. Do
//! methods find the shares, and whose each word is?
//!
//! ```text
//! texts ─ Blends ─▶ Draw (repeat, K: corpora held out, roles of the others) ─▶ BlendTask
//!                      │                                                          │
//! BlendMethod ─ recipe ┴─ learn ───────────────▶ Answer (shares, words) ──────────┴▶ BlendsRecord
//! ```

mod answer;
mod composed;
mod draw;
mod measure;
mod methods;
mod record;

pub use answer::{Answer, TaskScore};
pub use composed::{Composed, Piece, SourcedWord};
pub use draw::{BlendTask, Draw};
pub use methods::{BLEND_METHODS, BlendMethod, Blending, blend_method};
pub use record::{BlendsKey, BlendsRecord, Subjects};

use crate::given::Supplies;
use crate::groups::GroupingRecipe;
use crate::prose::{Prose, Reader, long_texts};
use crate::protocol::Protocol;
use crate::results::Folder;
use crate::setting_key::experiments;
use crate::unseen::UnseenCorpora;
use crate::{FinishedModel, Given, PassageVectors, Setting, Settings};
use draw::LEAST_DOCUMENTS;
use handful::internals::corpus::Corpus;
use handful::internals::error::expect_within;
use handful::reading::RawDocument;
use handful::text::Vocabulary;
use handful::{Error, Result};
use std::collections::BTreeMap;
use std::io::Write;

/// A folder with results on blends.
pub type BlendsFolder = Folder<BlendsRecord>;

/// The numbers of subjects to try if none is asked for.
pub const SUBJECTS: [usize; 3] = [2, 3, 4];
/// The most subjects in a task. Topics are matched to subjects by trying all orders.
const MOST_SUBJECTS: usize = 6;
/// The least number of words of a document that is used. All words count here, stop words too.
const LEAST_WORDS: usize = 80;
/// Documents are cut after so many words.
const MOST_WORDS: usize = 500;
/// The number of corpora held out in each repeat, if there are as many.
pub(crate) const HELD_OUT: usize = 6;

/// The texts that are blended.
#[derive(Clone, Debug)]
pub struct Blends<'a> {
    settings: Settings,
    subjects: Vec<usize>,
    unseen: UnseenCorpora<'a>,
    reader: Reader<'a>,
    /// By corpus, the documents that are long enough.
    texts: BTreeMap<&'a str, Vec<Prose>>,
    supplies: Supplies,
}

impl<'a> Blends<'a> {
    /// Refuses documents that are not text, and corpora too few for tasks of as many `subjects`.
    pub fn new(
        settings: Settings,
        subjects: &[usize],
        corpora: &'a [Corpus],
        documents: &'a [RawDocument],
        reader: Reader<'a>,
    ) -> Result<Self> {
        settings.check()?;
        for &subjects in subjects {
            expect_within("corpora_per_task", subjects, 2, MOST_SUBJECTS)?;
        }
        let problem = "is word counts, but blends join parts of texts";
        let texts = long_texts(documents, &reader, (LEAST_WORDS, MOST_WORDS), problem)?;
        let has_enough = |corpus: &&Corpus| {
            texts.get(&*corpus.name).is_some_and(|texts| texts.len() >= LEAST_DOCUMENTS)
        };
        let asked: Vec<&Corpus> = corpora.iter().filter(has_enough).collect();
        let least = subjects.iter().copied().max().unwrap_or(0);
        if asked.len() < least {
            return Err(Error::input(
                "the corpora",
                format!(
                    "{} of {} have at least {LEAST_DOCUMENTS} documents of {LEAST_WORDS} words, but \
                     {} of {least} subjects need {least}",
                    asked.len(),
                    corpora.len(),
                    Subjects::TASKS,
                ),
                "give more corpora, or lower `corpora_per_task`",
            ));
        }
        let (held_out, validation) = (HELD_OUT.min(asked.len()), settings.validation_corpora);
        let unseen = UnseenCorpora { corpora, asked, held_out, validation };
        let subjects = subjects.to_vec();
        let supplies = Supplies::default();
        Ok(Self { settings, subjects, unseen, reader, texts, supplies })
    }

    /// With a model to ask. Refuses one that does not give as many topics as a task has subjects.
    pub fn with_model(mut self, model: FinishedModel) -> Result<Self> {
        self.subjects.iter().try_for_each(|&subjects| model.expect_topics(subjects))?;
        self.supplies.model = Some(model);
        Ok(self)
    }

    /// With vectors of the passages of tasks.
    pub fn with_vectors(mut self, vectors: PassageVectors) -> Self {
        self.supplies.vectors = Some(vectors);
        self
    }

    /// The corpora whose documents are asked, in the order of the corpora.
    pub fn asked(&self) -> &[&'a Corpus] {
        &self.unseen.asked
    }

    /// Returns a sentence about the corpora that are too small to be asked, if there are any.
    pub fn left_out(&self) -> Option<String> {
        self.unseen.left_out(&format!("{LEAST_DOCUMENTS} documents of {LEAST_WORDS} words"))
    }

    /// Lists `repeats` experiments for each method and number of subjects, with what must be learned
    /// for each. Refuses corpora too few for what the methods learn from.
    pub fn wanted(
        &self,
        methods: &[&BlendMethod],
        repeats: usize,
    ) -> Result<Vec<(BlendsKey, GroupingRecipe)>> {
        let settings: Vec<Subjects> =
            self.subjects.iter().map(|&subjects| Subjects { subjects }).collect();
        let wanted = experiments(methods, repeats, &settings, |method: &BlendMethod, setting| {
            (method.id, method.recipe(&self.settings, setting.subjects))
        })?;
        if let Some(needs) = wanted.iter().map(|(_, recipe)| recipe.needs()).max() {
            self.unseen.expect_enough(needs, Subjects::TASKS)?;
        }
        Ok(wanted)
    }
}

impl Protocol for Blends<'_> {
    type Line = BlendsRecord;
    type Recipe = GroupingRecipe;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn corpora(&self) -> &[Corpus] {
        self.unseen.corpora
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.reader.vocabulary()
    }

    fn given(&self) -> Vec<Given> {
        self.supplies.all()
    }

    fn conduct(&self, recipe: &GroupingRecipe, keys: &[BlendsKey]) -> Result<Vec<BlendsRecord>> {
        self.draw(keys[0].repeat, keys[0].setting.subjects)?.conduct(self, recipe, keys)
    }

    fn write_tasks(&self, occasion: &(usize, Subjects), out: &mut dyn Write) -> Result<()> {
        self.write_all_tasks((occasion.0, occasion.1.subjects), out)
    }
}
