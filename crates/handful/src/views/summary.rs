//! A fit for programs: one JSON document.

use super::Shown;
use super::choice::ShownChoice;
use super::gain::ShownGain;
use crate::Result;
use crate::fit::{Explanation, Fit};
use crate::lda::LdaRecord;
use crate::prior::PriorSettings;
use crate::text::{Language, LanguageCount};
use crate::topic_model::{DocumentTree, Halves, LikelyNumber, Tried};
use serde::{Deserialize, Serialize};

/// The version of the JSON document. Within a version, fields are only added.
pub const SCHEMA_VERSION: u32 = 1;

/// All that is known of a fit, as `fit --json` prints it. `docs/fit.schema.json` is its schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// [`SCHEMA_VERSION`]
    pub version: u32,
    /// The topics, the largest first.
    pub topics: Vec<TopicSummary>,
    /// The documents, in the order in which they were given.
    pub documents: Vec<DocumentSummary>,
    /// In which order terms are.
    pub order: OrderSummary,
    /// The model that was used.
    pub model: ModelSummary,
    /// The seed.
    pub seed: u64,
    /// The language that texts are read in, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// How many documents are in each language, if they are in several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageCount>,
    /// Words of the documents that are new to the model, and where they were placed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_words: Vec<NewWordSummary>,
    /// Why there are as many topics as there are, if the documents chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ChoiceSummary>,
    /// The tree of the documents, if the model can tell their subjects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<DocumentTree>,
    /// How much better held-out words are predicted with topics than without, if it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<GainSummary>,
    /// How the topics were sampled, if they are those of an LDA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lda: Option<LdaRecord>,
    /// Why documents are where they are, of those that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
    /// What a person should know before using the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TopicSummary {
    /// Its index, from 0: the place of its share in documents' `topics`.
    pub id: usize,
    /// Its number, from 1, as people are shown it.
    #[serde(default)]
    pub number: usize,
    /// Its name: the user's, or its first terms.
    #[serde(default)]
    pub name: String,
    /// Its share of all words.
    pub weight: f64,
    /// Its terms.
    pub terms: Vec<TermSummary>,
    /// Sentences that speak for it, if any were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentences: Option<Vec<SentenceSummary>>,
}

/// A term of a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TermSummary {
    /// The word or phrase.
    pub term: String,
    /// Its other forms in the documents, and the words of a phrase or the phrases of a word that are listed
    /// with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<String>,
    /// How probable it is in the topic, in any form.
    pub probability: f64,
}

/// A sentence that speaks for a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SentenceSummary {
    /// The document's identifier.
    pub document: String,
    /// The sentence.
    pub text: String,
    /// How much of it belongs to the topic.
    pub share: f64,
}

/// A document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DocumentSummary {
    /// Its identifier.
    pub id: String,
    /// Its proportions of the topics, which sum to 1.
    pub topics: Vec<f64>,
    /// The share of it that is background.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<f64>,
    /// Number of its words.
    pub words: u64,
    /// Number of its words that are new to the model.
    pub unknown_words: u64,
    /// Number of its words that were ignored, if any words were to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored_words: Option<u64>,
    /// Whether it is about none of the topics, if it came after the fit and that can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<bool>,
    /// Where each of its words belongs, if that was asked for and its text is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed_words: Option<Vec<WordSummary>>,
}

/// A word of a document, and where it belongs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WordSummary {
    /// The term.
    pub term: String,
    /// Where it begins in the text, in bytes of UTF-8.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The share of each topic in it.
    pub topics: Vec<f64>,
    /// The share of the background.
    pub background: f64,
}

/// In which order terms are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OrderSummary {
    /// `telling` or `relevance`.
    pub by: String,
    /// λ of the relevance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
}

/// The model that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelSummary {
    /// Its name.
    pub name: String,
    /// Its prior.
    pub prior: PriorSettings,
    /// Number of topics.
    pub topics: usize,
    /// Number of terms, new words of the documents among them.
    pub terms: usize,
    /// EM steps taken.
    pub em_steps: usize,
    /// Whether EM converged, if that was asked for.
    pub converged: Option<bool>,
}

/// A new word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NewWordSummary {
    /// The word.
    pub term: String,
    /// How often the documents have it.
    pub count: u64,
    /// The share of its occurrences that is each topic's.
    pub topics: Vec<f64>,
}

/// Why there are as many topics as there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChoiceSummary {
    /// Numbers of topics tried, with the perplexity of held-out words.
    pub tried: Vec<Tried>,
    /// Numbers of topics by the probability that the documents have as many subjects, from 1 on, each with
    /// the group of every document: the tree of documents, cut at each height.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<LikelyNumber>,
    /// What becomes of the groups with half of the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halves: Option<Halves>,
    /// What they say.
    pub sentence: String,
}

/// How much better held-out words are predicted with topics than without.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GainSummary {
    /// The perplexity of held-out words with the topics.
    pub perplexity: f64,
    /// Without: by a smoothed unigram.
    pub smoothed_unigram: f64,
    /// By what share of it the perplexity is lower than the smoothed unigram's.
    pub lower_by: f64,
    /// Whether the difference is more than the luck of the splits.
    pub clear: bool,
    /// What it says.
    pub sentence: String,
}

impl Fit {
    /// All that is known of the fit, for programs.
    pub fn summary(&self, shown: &Shown) -> Result<Summary> {
        let (saved, model) = (self.saved(), self.topic_model());
        let order = self.order(shown.relevance)?;
        let quotes = self.quotes(shown.sentences.unwrap_or(0));
        let topics = self.topics().into_iter().map(|topic| TopicSummary {
            id: topic.id,
            number: topic.number(),
            name: topic.name().into_owned(),
            weight: topic.share,
            terms: topic
                .shown_terms(&order, shown.terms)
                .into_iter()
                .map(|term| TermSummary {
                    term: term.term.to_owned(),
                    forms: term.forms.to_vec(),
                    probability: term.probability.into(),
                })
                .collect(),
            sentences: quotes.get(topic.id).map(|quotes| {
                let sentence = |quote: &crate::fit::Quote<'_>| SentenceSummary {
                    document: quote.document.to_owned(),
                    text: quote.text.clone(),
                    share: quote.share,
                };
                quotes.iter().map(sentence).collect()
            }),
        });
        let ignores = !saved.config.ignored_words.is_empty();
        let documents =
            self.documents().into_iter().enumerate().map(|(n, document)| DocumentSummary {
                id: document.id.to_owned(),
                topics: document.topics.iter().map(|&share| share.into()).collect(),
                background: document.background.map(f64::from),
                words: document.words,
                unknown_words: document.unknown_words,
                ignored_words: ignores.then_some(document.ignored_words),
                outside: document.outside,
                placed_words: shown.words.then(|| self.placed_words(n)).flatten(),
            });
        let new_words = self.new_words().into_iter().map(|word| NewWordSummary {
            term: word.term.to_owned(),
            count: word.count,
            topics: word.topics,
        });
        Ok(Summary {
            version: SCHEMA_VERSION,
            topics: topics.collect(),
            documents: documents.collect(),
            order: match order.lambda() {
                Some(lambda) => OrderSummary { by: "relevance".to_owned(), lambda: Some(lambda) },
                None => OrderSummary { by: "telling".to_owned(), lambda: None },
            },
            model: ModelSummary {
                name: saved.config.model.clone(),
                prior: saved.config.prior,
                topics: saved.config.topics,
                terms: model.terms,
                em_steps: model.em_steps,
                converged: model.converged,
            },
            seed: saved.config.seed,
            language: self.language(),
            languages: self.languages().to_vec(),
            new_words: new_words.collect(),
            choice: ShownChoice::of(self).map(|choice| ChoiceSummary {
                tried: choice.tried,
                numbers: choice.numbers,
                halves: choice.halves,
                sentence: choice.sentence,
            }),
            tree: self.tree().cloned(),
            gain: ShownGain::of(self).map(|shown| GainSummary {
                perplexity: shown.gain.perplexity,
                smoothed_unigram: shown.gain.smoothed_unigram,
                lower_by: shown.gain.lower_by(),
                clear: shown.gain.clear,
                sentence: shown.sentence,
            }),
            lda: saved.config.lda.clone(),
            explanations: Vec::new(),
            warnings: self.warnings().to_vec(),
        })
    }

    /// [`Self::summary`] as JSON, a line long.
    pub fn to_json(&self, shown: &Shown) -> Result<String> {
        Ok(serde_json::to_string(&self.summary(shown)?).expect("a summary is plain data"))
    }

    fn placed_words(&self, n: usize) -> Option<Vec<WordSummary>> {
        let words = self.words(n)?.into_iter();
        let word = |word: crate::fit::WordPlace<'_>| WordSummary {
            term: word.term.to_owned(),
            start: word.range.start,
            end: word.range.end,
            topics: word.topics,
            background: word.background,
        };
        Some(words.map(word).collect())
    }
}
