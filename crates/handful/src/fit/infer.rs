//! Documents that come after a fit: their proportions of its topics.

use super::documents::{IntoDocument, into_documents, warn_of_ids};
use super::fitted::{Fit, Further, Source};
use super::run::warn_if_not_converged;
use crate::corpus::{ReadDocuments, WordCounts, read_documents, warn_of_unfamiliar};
use crate::em::EmStop;
use crate::model_dir::{DocumentRecord, tokenizer};
use crate::prior::NewDocumentPrior;
use crate::text::IgnoredWords;
use crate::topic_model::Mixing;
use crate::{Error, Result};
use std::sync::{Arc, OnceLock};

impl Fit {
    /// The same topics with other documents: each gets its proportions by itself. Text is read as the
    /// fit read it, and words that the fit ignored are ignored again.
    ///
    /// ```
    /// # #[cfg(feature = "pretrained")] {
    /// # use handful::{FitSettings, Model};
    /// let model = Model::pretrained()?;
    /// let texts = ["Bees and their hives.", "Bread needs flour and yeast.", "The hive has a queen."];
    /// let fit = model.fit(&texts, &FitSettings::default().with_topics(2))?;
    /// let more = fit.infer(&["The oven is hot, the flour is white."])?;
    /// assert_eq!(more.documents().len(), 1);
    /// # }
    /// # Ok::<(), handful::Error>(())
    /// ```
    pub fn infer<D: IntoDocument>(&self, documents: impl IntoIterator<Item = D>) -> Result<Self> {
        self.infer_until(documents, self.saved.config.em_stop)
    }

    /// [`Self::infer`] with EM that stops otherwise than it did in the fit.
    pub fn infer_until<D: IntoDocument>(
        &self,
        documents: impl IntoIterator<Item = D>,
        stop: EmStop,
    ) -> Result<Self> {
        stop.check()?;
        let documents = into_documents(documents);
        let (config, vocabulary) = (&self.saved.config, &self.saved.vocabulary);
        let text = config.text.as_ref();
        let place = self.place.as_deref().unwrap_or(&config.model);
        let tokenizer = tokenizer(text, place, &documents)?;
        let ignored = IgnoredWords::new(&config.ignored_words, &tokenizer);
        let mut read = read_documents(&documents, &tokenizer, &ignored, vocabulary, false);
        let phrases = self.saved.phrases();
        let first = vocabulary.len() - phrases.len();
        read.join_known_phrases(&documents, phrases, first as u32);
        let ReadDocuments { counted, words, .. } = read;
        let mut warnings: Vec<String> = warn_of_ids(&documents).into_iter().collect();
        warnings.extend(warn_of_unfamiliar(&documents, &counted, text));
        let prior = self.further.prior(self, counted.counts.distinct_terms())?;
        let counts = &counted.counts;
        let whole = self.saved.topic_model.infer(&prior, counts, stop);
        let mixing = Mixing::of_further(&prior, &whole, counts, &words);
        let mut topic_model = match &mixing {
            None => whole,
            Some(mixing) => mixing.mixed(whole, counts),
        };
        topic_model.count_background(counts, mixing.as_ref());
        let outside = |n: usize| {
            let mut document = WordCounts::new();
            document.push_row(prior.places(counts.row(n)));
            prior.is_outside(&document, topic_model.proportions_of(n))
        };
        let outside: Vec<Option<bool>> = (0..counts.documents()).map(outside).collect();
        if !topic_model.is_sound() {
            return Err(Error::damaged(
                place,
                "has numbers that are not finite or so large that others overflow",
                "copy the directory again or fit the documents anew",
            ));
        }
        warnings.extend(warn_if_not_converged(&topic_model));
        warnings.extend(warn_of_outside(&outside));
        let records = DocumentRecord::all(&counted);
        let saved = self.saved.with_documents(topic_model, records, stop);
        let sources = Source::all(documents, words);
        let further = Arc::clone(&self.further);
        let mut fit = Fit::new(saved, counted.counts, sources, further, warnings);
        fit.tree_of_main_topics = OnceLock::from(None);
        if fit.saved.terms.is_empty() {
            fit.found_terms = OnceLock::from(self.telling_terms().to_vec());
        }
        fit.mixing = mixing;
        fit.outside = outside;
        Ok(fit)
    }
}

/// A warning if documents are about none of the topics.
fn warn_of_outside(outside: &[Option<bool>]) -> Option<String> {
    let (count, all) = (outside.iter().filter(|it| **it == Some(true)).count(), outside.len());
    let (who, their, them) = match count {
        0 => return None,
        1 if all == 1 => ("the document seems".to_owned(), "its", "it"),
        1 => (format!("1 of {all} documents seems"), "its", "it"),
        _ => (format!("{count} of {all} documents seem"), "their", "them"),
    };
    Some(format!(
        "{who} to be about none of the topics, and {their} shares say little; \
         fit {them} together with the others to find topics for {them}"
    ))
}

impl Further {
    /// What gives α to documents with these terms.
    fn prior(&self, fit: &Fit, terms: Vec<u32>) -> Result<NewDocumentPrior> {
        let config = &fit.saved.config;
        let prior = match self {
            Self::Model { model, heads, new_terms } => {
                NewDocumentPrior::of(&model.prior, new_terms.as_ref(), heads, terms)?
            }
            Self::Directory(tensors) => NewDocumentPrior::from_tensors(
                config.prior,
                fit.saved.vocabulary.len(),
                config.topics,
                tensors,
                terms,
            )?,
        };
        Ok(prior.in_order(&config.order))
    }
}
