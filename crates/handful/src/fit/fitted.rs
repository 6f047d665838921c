//! A fit: topics, documents and words, as a caller looks at them.

use super::topic::Topic;
use crate::corpus::{TextWord, WordCounts};
use crate::model_dir::{ModelParts, SavedTopicModel};
use crate::prior::{NewTerms, Prior};
use crate::reading::{Content, RawDocument};
use crate::storage::{TensorFile, Tensors};
#[cfg(feature = "report")]
use crate::topic_model::Responsibilities;
use crate::topic_model::{
    Assessment, DocumentTree, MOST_COMPARED, Mixing, PlacedWord, ReadText, Sentence, TellingTerm,
    TermOrder, TermShares, TopicModel, representative_sentences,
};
use crate::{Error, Result};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Topics of some documents, how the documents mix them, and all that is known of them.
///
/// A fit is a value: it can be kept, shared among threads, saved to a directory, and looked at in many
/// ways.
#[derive(Clone, Debug)]
pub struct Fit {
    pub(super) saved: SavedTopicModel,
    /// The documents as counts; no documents at all in a fit that was opened from a directory.
    pub(super) counts: WordCounts,
    pub(super) sources: Vec<Source>,
    /// What the passages of the documents are about, if that was asked.
    pub(super) mixing: Option<Mixing>,
    pub(super) further: Arc<Further>,
    pub(super) warnings: Vec<String>,
    /// Of documents that came after the fit, whether each is about none of its topics.
    pub(super) outside: Vec<Option<bool>>,
    /// The directory it was opened from.
    pub(super) place: Option<String>,
    usual_order: OnceLock<TermOrder>,
    /// The terms that tell each topic, once they were asked for and if the directory does not say.
    pub(super) found_terms: OnceLock<Vec<Vec<TellingTerm>>>,
    /// Terms of the model that are stop words of the documents' language, once they were asked for.
    stop_terms: OnceLock<HashSet<u32>>,
    /// The tree through the documents' main topics, once it was asked for. Documents that came after the
    /// fit have none: each of them was read by itself.
    pub(super) tree_of_main_topics: OnceLock<Option<DocumentTree>>,
}

/// A document as it was given.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A text, read word by word.
    Text { text: String, words: Vec<TextWord> },
    /// Words and how often the document has them.
    #[cfg_attr(not(feature = "report"), expect(dead_code, reason = "the report shows them"))]
    Counts(Vec<(String, u32)>),
    /// Not at hand: the fit was opened from a directory, or was to forget it.
    Absent,
}

impl Source {
    /// Documents with the words of their texts.
    pub(super) fn all(documents: Vec<RawDocument>, words: Vec<Option<Vec<TextWord>>>) -> Vec<Self> {
        let source = |(document, words): (RawDocument, Option<Vec<TextWord>>)| match (
            document.content,
            words,
        ) {
            (Content::Text(text), words) => Self::Text { text, words: words.unwrap_or_default() },
            (Content::Counts(counts), _) => Self::Counts(counts),
        };
        documents.into_iter().zip(words).map(source).collect()
    }

    /// The text with its words, phrases among them.
    pub(super) fn text(&self) -> Option<(&str, &[TextWord])> {
        match self {
            Self::Text { text, words } => Some((text, words)),
            _ => None,
        }
    }
}

/// Where α of further documents comes from.
#[derive(Debug)]
pub(super) enum Further {
    /// The model that was used, and what the fit adds.
    Model { model: Arc<ModelParts>, heads: Tensors<f32>, new_terms: Option<NewTerms> },
    /// The file of the directory that the fit was opened from.
    Directory(TensorFile),
}

/// A document of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FittedDocument<'a> {
    /// Its identifier.
    pub id: &'a str,
    /// θ: its proportions of the topics, which sum to 1.
    pub topics: &'a [f32],
    /// The share of it that is background: words that come up whatever a document is about. `None`
    /// for models without a background.
    pub background: Option<f32>,
    /// Number of its words, stop words and ignored words excepted.
    pub words: u64,
    /// Number of its words that are new to the model.
    pub unknown_words: u64,
    /// Number of its words that were ignored.
    pub ignored_words: u64,
    /// Whether it is about none of the topics. `None` for a document that the topics were made of, and where
    /// it cannot be told.
    pub outside: Option<bool>,
}

/// Where a word of a document belongs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WordPlace<'a> {
    /// The term: a word, or a phrase such as `white house`.
    pub term: &'a str,
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// Whether it is new to the model.
    pub is_new: bool,
    /// The share of each topic in it; empty for a word that takes no part in the fit.
    pub topics: Vec<f64>,
    /// The share of the background.
    pub background: f64,
}

/// A sentence of a document that speaks for a topic.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Quote<'a> {
    /// The document's identifier.
    pub document: &'a str,
    /// What the document is called ([`Fit::title`]): its identifier alone if the sentence is its beginning, which
    /// the title would repeat.
    pub title: Cow<'a, str>,
    /// The sentence, on one line.
    pub text: String,
    /// How much of it belongs to the topic.
    pub share: f64,
}

/// A new word of the documents, and where it was placed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedNewWord<'a> {
    /// The word.
    pub term: &'a str,
    /// How often the documents have it.
    pub count: u64,
    /// The share of its occurrences that is each topic's; what is left is the background's.
    pub topics: Vec<f64>,
    /// The topic that has most of it, unless the background has more.
    pub main_topic: Option<usize>,
}

impl Fit {
    pub(super) fn new(
        saved: SavedTopicModel,
        counts: WordCounts,
        sources: Vec<Source>,
        further: Arc<Further>,
        warnings: Vec<String>,
    ) -> Self {
        Self {
            saved,
            counts,
            sources,
            mixing: None,
            further,
            warnings,
            outside: Vec::new(),
            place: None,
            usual_order: OnceLock::new(),
            found_terms: OnceLock::new(),
            stop_terms: OnceLock::new(),
            tree_of_main_topics: OnceLock::new(),
        }
    }

    /// The topics, the one with the largest share of all words first.
    pub fn topics(&self) -> Vec<Topic<'_>> {
        let weights = self.topic_model().weights.iter().enumerate();
        weights.map(|(id, &share)| Topic { id, share, fit: self }).collect()
    }

    /// The documents, in the order in which they were given.
    pub fn documents(&self) -> Vec<FittedDocument<'_>> {
        let model = self.topic_model();
        let documents = self.saved.documents.iter().enumerate();
        documents
            .map(|(n, record)| FittedDocument {
                id: &record.id,
                topics: model.proportions_of(n),
                background: model.background.as_ref().map(|background| background.usual[n]),
                words: record.words,
                unknown_words: record.unknown_words,
                ignored_words: record.ignored_words,
                outside: self.outside.get(n).copied().flatten(),
            })
            .collect()
    }

    /// What document `n` is called: its identifier, or, if that is a number and the text is at hand, the number
    /// and the first words.
    pub fn title(&self, n: usize) -> Cow<'_, str> {
        let id = &self.saved.documents[n].id;
        let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        match self.sources[n].text().filter(|_| is_number) {
            None => Cow::Borrowed(id),
            Some((text, _)) => Cow::Owned(format!("{id} {}", first_words(text)).trim().to_owned()),
        }
    }

    /// Forgets the documents' texts and words, so that no view and no file shows a sentence of them, or the
    /// words of one of them in a list: for texts that are confidential. Topics, their terms and the documents'
    /// proportions stay. Terms are words and phrases of the documents; [`FitSettings::ignore_words`] leaves out
    /// those that nobody may see.
    ///
    /// ```
    /// # #[cfg(feature = "pretrained")] {
    /// # use handful::{FitSettings, Model};
    /// let texts = ["Bees and their hives.", "Bread needs flour and yeast."];
    /// let mut fit = Model::pretrained()?.fit(&texts, &FitSettings::default())?;
    /// fit.forget_texts();
    /// assert_eq!(fit.text(0), None);
    /// # }
    /// # Ok::<(), handful::Error>(())
    /// ```
    ///
    /// [`FitSettings::ignore_words`]: crate::FitSettings::ignore_words
    pub fn forget_texts(&mut self) {
        self.sources.fill(Source::Absent);
    }

    /// Whether any document is at hand as it was given.
    #[cfg(feature = "report")]
    pub(crate) fn keeps_documents(&self) -> bool {
        self.sources.iter().any(|source| !matches!(source, Source::Absent))
    }

    /// The text of document `n`; `None` if it is not at hand.
    pub fn text(&self, n: usize) -> Option<&str> {
        self.sources[n].text().map(|(text, _)| text)
    }

    /// Where each word of document `n` belongs, in the order of the text; `None` if the text is not at
    /// hand: the document was given as counts, or the fit was opened from a directory.
    pub fn words(&self, n: usize) -> Option<Vec<WordPlace<'_>>> {
        let read = self.read_text(n)?;
        let place = |(word, shares): (&TextWord, Option<TermShares<'_>>)| WordPlace {
            term: word
                .term
                .map_or(&read.text[word.range.clone()], |term| self.saved.vocabulary.term(term)),
            range: word.range.clone(),
            is_new: word.term.is_none_or(|term| self.saved.is_new(term)),
            topics: shares.map_or_else(Vec::new, |shares| shares.topics.to_vec()),
            background: shares.map_or(0.0, |shares| shares.background),
        };
        Some(read.placed().map(place).collect())
    }

    /// For each topic at most `most` sentences of the documents that speak for it: those that say one of its
    /// first ten terms come before others.
    pub fn quotes(&self, most: usize) -> Vec<Vec<Quote<'_>>> {
        if most == 0 {
            return Vec::new();
        }
        let texts: Vec<Option<ReadText<'_>>> =
            (0..self.sources.len()).map(|n| self.read_text(n)).collect();
        self.quotes_of(&texts, most)
    }

    pub(crate) fn quotes_of(
        &self,
        texts: &[Option<ReadText<'_>>],
        most: usize,
    ) -> Vec<Vec<Quote<'_>>> {
        let terms = self.first_terms();
        let sentences = representative_sentences(self.topic_model(), texts, &terms, most);
        let quote = |sentence: Sentence| {
            let text = texts[sentence.document].as_ref().expect("a sentence is of a text").text;
            let document = &*self.saved.documents[sentence.document].id;
            let is_beginning = text[..sentence.range.start].trim().is_empty();
            let words: Vec<&str> = printed_words(&text[sentence.range]).collect();
            Quote {
                document,
                title: match is_beginning {
                    true => Cow::Borrowed(document),
                    false => self.title(sentence.document),
                },
                text: words.join(" "),
                share: sentence.share,
            }
        };
        sentences.into_iter().map(|all| all.into_iter().map(quote).collect()).collect()
    }

    /// Words of the documents that are new to the model, and where they were placed, the most frequent
    /// first. Empty in a fit that was opened from a directory.
    pub fn new_words(&self) -> Vec<PlacedNewWord<'_>> {
        let (mixing, new) = (self.mixing.as_ref(), self.saved.new_words());
        let placed = self.topic_model().placed_words(&self.counts, mixing, new);
        let named = |word: PlacedWord| PlacedNewWord {
            term: self.saved.vocabulary.term(word.term),
            count: word.count,
            main_topic: word.main_topic(),
            topics: word.shares,
        };
        placed.into_iter().map(named).collect()
    }

    /// What the documents' own held-out words say of the topics.
    pub fn assessment(&self) -> &Assessment {
        &self.saved.config.assessment
    }

    /// The tree of the documents: which are most alike, and which groups of them are next. Its cuts are
    /// the topics of every granularity.
    ///
    /// If the number of topics was given, the tree goes through the documents' main topics and is made
    /// when it is first asked for. `None` for more than 1,000 documents, for a model that cannot tell
    /// subjects, and for documents that were inferred.
    ///
    /// ```
    /// # #[cfg(feature = "pretrained")] {
    /// # use handful::{FitSettings, Model};
    /// let model = Model::pretrained()?;
    /// let texts = ["Bees and their hives.", "Bread needs flour and yeast.", "The hive has a queen."];
    /// let fit = model.fit(&texts, &FitSettings::default())?;
    /// let tree = fit.tree().expect("the built-in model tells subjects");
    /// assert_eq!(tree.joins()[0].nodes, [0, 2]);
    /// assert_eq!(tree.groups(2), [0, 1, 0]);
    /// # }
    /// # Ok::<(), handful::Error>(())
    /// ```
    pub fn tree(&self) -> Option<&DocumentTree> {
        let grown = || self.tree_of_main_topics.get_or_init(|| self.grow_tree()).as_ref();
        self.saved.config.tree.as_ref().or_else(grown)
    }

    fn grow_tree(&self) -> Option<DocumentTree> {
        let Further::Model { model, new_terms, .. } = &*self.further else { return None };
        if self.counts.documents() > MOST_COMPARED {
            return None;
        }
        let products = model.prior.document_products(&self.counts, new_terms.as_ref())?;
        Some(DocumentTree::of_main_topics(&products, self.topic_model()))
    }

    /// What a person should know before using the result.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The numbers: φ, θ and α.
    #[doc(hidden)]
    pub fn topic_model(&self) -> &TopicModel {
        &self.saved.topic_model
    }

    /// All that a directory would say.
    #[doc(hidden)]
    pub fn saved(&self) -> &SavedTopicModel {
        &self.saved
    }

    /// The documents as counts.
    pub(crate) fn counts(&self) -> &WordCounts {
        &self.counts
    }

    /// Number of documents whose text, or counts, are at hand.
    pub(crate) fn is_whole(&self) -> bool {
        self.counts.documents() == self.saved.documents.len()
    }

    /// The text of document `n`, if it is at hand, with the topics of its words.
    pub(crate) fn read_text(&self, n: usize) -> Option<ReadText<'_>> {
        let Source::Text { text, words } = &self.sources[n] else { return None };
        Some(ReadText::new(text, words, n, self.topic_model(), self.mixing.as_ref()))
    }

    /// Document `n` as it was given.
    #[cfg(feature = "report")]
    pub(crate) fn source(&self, n: usize) -> &Source {
        &self.sources[n]
    }

    /// Whose the words of document `n` are.
    #[cfg(feature = "report")]
    pub(crate) fn responsibilities(&self, n: usize) -> Responsibilities {
        let terms = self.counts.row(n).map(|(term, _)| term);
        self.topic_model().responsibilities(n, terms)
    }

    /// The order of terms by relevance with λ = `lambda`, or the usual one.
    pub(crate) fn order(&self, lambda: Option<f64>) -> Result<Cow<'_, TermOrder>> {
        match lambda {
            None => Ok(Cow::Borrowed(self.usual_order())),
            lambda => TermOrder::new(self.topic_model(), lambda).map(Cow::Owned),
        }
    }

    /// The terms that no topic shows, though the model has them: stop words of another language than the
    /// model's, such as `die` in German.
    pub(super) fn stop_terms(&self) -> &HashSet<u32> {
        self.stop_terms.get_or_init(|| {
            let words = self.saved.config.text.as_ref().map(|text| text.stop_words.words());
            let words = words.into_iter().flatten();
            words.filter_map(|word| self.saved.vocabulary.index(&word)).collect()
        })
    }

    pub(super) fn usual_order(&self) -> &TermOrder {
        self.usual_order.get_or_init(|| {
            TermOrder::new(self.topic_model(), None).expect("the usual order is always there")
        })
    }

    /// An error if the documents are not at hand, for views that need them.
    pub(crate) fn expect_whole(&self, what: &str) -> Result<()> {
        if self.is_whole() {
            return Ok(());
        }
        let place = self.place.clone().unwrap_or_default();
        let problem = format!("keeps no documents, which {what} needs");
        Err(Error::input(place, problem, "fit the documents again"))
    }
}

/// The words of a text as they are printed. Control characters are for a terminal, and a byte order mark for a
/// program, not for their reader.
pub(super) fn printed_words(text: &str) -> impl Iterator<Item = &str> {
    let is_gap = |c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}';
    text.split(is_gap).filter(|word| !word.is_empty())
}

/// The first words of a text, on one line: its first line, or as much of it as has a place in a table.
fn first_words(text: &str) -> String {
    const ROOM: usize = 48;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut title = String::new();
    for word in printed_words(line) {
        let room = ROOM.saturating_sub(title.chars().count() + usize::from(!title.is_empty()));
        if word.chars().count() > room {
            title.extend(title.is_empty().then(|| word.chars().take(ROOM)).into_iter().flatten());
            return title + "…";
        }
        title.extend((!title.is_empty()).then_some(' '));
        title += word;
    }
    title
}
