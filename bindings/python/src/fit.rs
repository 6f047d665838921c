//! Fits: columns and views.

use crate::documents::Documents;
use crate::errors::{OrException, translated};
use crate::model::dict_of;
use crate::numbers::Numbers;
use crate::tree::Tree;
use crate::work;
use anstream::adapter::strip_str;
use handful::fit::FileContents;
use handful::internals::storage::replace_file;
use handful::views::{self, Shown};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// A fit.
#[pyclass(frozen, module = "handful._native")]
pub struct Fit {
    /// Replaced when a topic is named; whoever looks at the old one keeps it.
    fit: RwLock<Arc<handful::Fit>>,
}

impl Fit {
    pub fn new(fit: handful::Fit) -> Self {
        Self { fit: RwLock::new(Arc::new(fit)) }
    }

    fn shared(&self) -> Arc<handful::Fit> {
        Arc::clone(&self.fit.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Asks the fit in the pool: what it is asked for may be found only now.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&handful::Fit) -> T + Send + 'static,
    ) -> PyResult<T> {
        let fit = self.shared();
        work::done(py, move |_| question(&fit))
    }
}

/// A term: the word or phrase, its probability, its relevance and its other forms.
type TermRow = (String, f32, f64, Vec<String>);
/// A topic: name, whether it is the user's, share, terms.
type TopicRow = (String, bool, f64, Vec<TermRow>);
/// A document: identifier, title, words, unknown words, ignored words, background, whether it is outside the
/// topics.
type DocumentRow = (String, String, u64, u64, u64, Option<f32>, Option<bool>);
/// Words of texts: document, term, start, end, whether it is new, shares of topics, background.
type WordColumns = (Vec<usize>, Vec<String>, Vec<usize>, Vec<usize>, Vec<bool>, Numbers, Vec<f64>);

#[pymethods]
impl Fit {
    fn topics(
        &self,
        py: Python<'_>,
        terms: usize,
        relevance: Option<f64>,
    ) -> PyResult<Vec<TopicRow>> {
        self.ask(py, move |fit| topic_rows(fit, terms, relevance))?.or_exception()
    }

    fn documents(&self, py: Python<'_>) -> PyResult<Vec<DocumentRow>> {
        self.ask(py, |fit| {
            let documents = fit.documents().into_iter().enumerate();
            documents
                .map(|(n, one)| {
                    let title = fit.title(n).into_owned();
                    let (id, known) = (one.id.to_owned(), (one.background, one.outside));
                    let words = (one.words, one.unknown_words, one.ignored_words);
                    (id, title, words.0, words.1, words.2, known.0, known.1)
                })
                .collect()
        })
    }

    fn proportions(&self) -> Numbers {
        Numbers::proportions(self.shared())
    }

    fn word_probabilities(&self) -> Numbers {
        Numbers::word_probabilities(self.shared())
    }

    fn vocabulary(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |fit| fit.saved().vocabulary.terms().into_iter().map(str::to_owned).collect())
    }

    /// Where each word of the texts stands, in characters, and the topics it belongs to.
    fn words(&self, py: Python<'_>) -> PyResult<WordColumns> {
        self.ask(py, |fit| {
            let topics = fit.topics().len();
            let (mut of, mut terms, mut starts, mut ends) = (vec![], vec![], vec![], vec![]);
            let (mut new, mut shares, mut background) = (vec![], vec![], vec![]);
            for n in 0..fit.documents().len() {
                let Some(words) = fit.words(n) else { continue };
                let text = fit.text(n).expect("a text has words");
                let mut place = CharPlace { text, bytes: 0, characters: 0 };
                for word in words {
                    of.push(n);
                    terms.push(word.term.to_owned());
                    starts.push(place.of(word.range.start));
                    ends.push(place.of(word.range.end));
                    new.push(word.is_new);
                    match word.topics.is_empty() {
                        true => shares.extend(vec![0.0; topics]),
                        false => shares.extend(word.topics),
                    }
                    background.push(word.background);
                }
            }
            let shares = Numbers::own(shares, of.len(), topics);
            (of, terms, starts, ends, new, shares, background)
        })
    }

    /// For each topic its quotes: the document's identifier, the sentence, and its share.
    fn quotes(&self, py: Python<'_>, most: usize) -> PyResult<Vec<Vec<(String, String, f64)>>> {
        self.ask(py, move |fit| {
            let quotes = fit.quotes(most).into_iter();
            quotes
                .map(|all| {
                    let all = all.into_iter();
                    all.map(|quote| (quote.document.to_owned(), quote.text, quote.share)).collect()
                })
                .collect()
        })
    }

    fn new_words(&self, py: Python<'_>) -> PyResult<Vec<(String, u64, Vec<f64>)>> {
        self.ask(py, |fit| {
            let words = fit.new_words().into_iter();
            words.map(|word| (word.term.to_owned(), word.count, word.topics)).collect()
        })
    }

    fn warnings(&self) -> Vec<String> {
        self.shared().warnings().iter().map(|warning| translated(warning)).collect()
    }

    /// The language that texts are read in, by its code.
    fn language(&self) -> Option<&'static str> {
        self.shared().language().map(handful::text::Language::code)
    }

    fn tree(&self, py: Python<'_>) -> PyResult<Option<Tree>> {
        self.ask(py, |fit| fit.tree().map(|tree| Tree { tree: tree.clone() }))
    }

    fn infer(&self, py: Python<'_>, documents: &Documents) -> PyResult<Self> {
        let documents = Arc::clone(&documents.documents);
        let fit = self.ask(py, move |fit| fit.infer(&*documents))?;
        Ok(Self::new(fit.or_exception()?))
    }

    /// A fit like this one with a topic named.
    fn name_topic(&self, topic: usize, name: &str) -> PyResult<()> {
        let mut fit = self.fit.write().unwrap_or_else(PoisonError::into_inner);
        let mut named = handful::Fit::clone(&fit);
        named.name_topic(topic, name).or_exception()?;
        *fit = Arc::new(named);
        Ok(())
    }

    /// A fit like this one that keeps no texts.
    fn forget_texts(&self, py: Python<'_>) -> PyResult<()> {
        let shared = self.shared();
        let forgetful = work::done(py, move |_| {
            let mut fit = handful::Fit::clone(&shared);
            fit.forget_texts();
            fit
        })?;
        *self.fit.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(forgetful);
        Ok(())
    }

    #[pyo3(signature = (terms, relevance, sentences, words))]
    fn to_json(
        &self,
        py: Python<'_>,
        terms: usize,
        relevance: Option<f64>,
        sentences: Option<usize>,
        words: bool,
    ) -> PyResult<String> {
        let mut shown = shown(terms, relevance);
        (shown.sentences, shown.words) = (sentences, words);
        self.ask(py, move |fit| fit.to_json(&shown))?.or_exception()
    }

    fn to_text(&self, py: Python<'_>, all_documents: bool, colours: bool) -> PyResult<String> {
        let mut shown = Shown::default();
        shown.all_documents = all_documents;
        let text = self.ask(py, move |fit| fit.to_text(&shown))?.or_exception()?;
        Ok(if colours { text } else { strip_str(&text).to_string() })
    }

    /// Why a document is where it is, as JSON.
    fn explain(&self, py: Python<'_>, id: String) -> PyResult<String> {
        let explanation = self.ask(py, move |fit| fit.explain(&id))?.or_exception()?;
        Ok(serde_json::to_string(&explanation).expect("an explanation is plain data"))
    }

    fn report(&self, py: Python<'_>, terms: usize, relevance: Option<f64>) -> PyResult<String> {
        let (fit, shown) = (self.shared(), shown(terms, relevance));
        let report = work::done(py, move |stop| fit.report_observed(&shown, &mut |_| stop.flow()))?;
        Ok(report.or_exception()?.html().to_owned())
    }

    fn write_report(
        &self,
        py: Python<'_>,
        file: PathBuf,
        terms: usize,
        relevance: Option<f64>,
        replace: bool,
    ) -> PyResult<()> {
        let (fit, shown) = (self.shared(), shown(terms, relevance));
        work::done(py, move |stop| {
            let report = fit.report_observed(&shown, &mut |_| stop.flow())?;
            match replace {
                true => replace_file(&file, report.html().as_bytes()),
                false => report.write(file),
            }
        })?
        .or_exception()
    }

    /// The same fit, whose topics can be named by themselves.
    fn copy(&self) -> Self {
        Self { fit: RwLock::new(self.shared()) }
    }

    fn save(&self, py: Python<'_>, directory: PathBuf, replace: bool) -> PyResult<()> {
        self.ask(py, move |fit| match replace {
            true => fit.save_replacing(directory),
            false => fit.save(directory),
        })?
        .or_exception()
    }

    fn to_files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dict_of(py, &self.ask(py, handful::Fit::to_files)?.or_exception()?)
    }

    #[staticmethod]
    fn of_files(py: Python<'_>, files: FileContents) -> PyResult<Self> {
        let fit = work::done(py, move |_| handful::Fit::of_files(&files))?;
        Ok(Self::new(fit.or_exception()?))
    }

    /// The lengths of documents and the frequencies of terms, for pyLDAvis.
    fn frequencies(&self, py: Python<'_>) -> PyResult<(Vec<u64>, Vec<u64>)> {
        self.ask(py, |fit| fit.pyldavis().map(|all| (all.doc_lengths, all.term_frequency)))?
            .or_exception()
    }
}

/// Opens a directory that a fit was saved to.
#[pyfunction]
pub fn open_fit(py: Python<'_>, directory: PathBuf) -> PyResult<Fit> {
    let fit = work::done(py, |_| handful::Fit::open(directory))?;
    Ok(Fit::new(fit.or_exception()?))
}

/// The colours of the first topics, as red, green and blue: on light paper, and on dark paper.
#[pyfunction]
pub fn topic_colours(topics: usize) -> Vec<[[u8; 3]; 2]> {
    (0..topics).map(views::topic_colours).collect()
}

/// The topics with so many terms.
pub fn topic_rows(
    fit: &handful::Fit,
    most: usize,
    relevance: Option<f64>,
) -> handful::Result<Vec<TopicRow>> {
    let row = |topic: handful::Topic<'_>| {
        let terms = match relevance {
            Some(lambda) => topic.terms_by_relevance(lambda, most)?,
            None => topic.weighted_terms(most),
        };
        let term = |term: handful::fit::TopicTerm<'_>| {
            (term.term.to_owned(), term.probability, term.relevance, term.forms.to_vec())
        };
        let terms = terms.into_iter().map(term).collect();
        Ok((topic.name().into_owned(), topic.has_own_name(), topic.share, terms))
    };
    fit.topics().into_iter().map(row).collect()
}

fn shown(terms: usize, relevance: Option<f64>) -> Shown {
    let mut shown = Shown::default().with_terms(terms);
    shown.relevance = relevance;
    shown
}

/// Finds the character at a byte of a text. Asked in increasing order it goes through the text once.
struct CharPlace<'a> {
    text: &'a str,
    bytes: usize,
    characters: usize,
}

impl CharPlace<'_> {
    fn of(&mut self, byte: usize) -> usize {
        if byte < self.bytes {
            (self.bytes, self.characters) = (0, 0);
        }
        self.characters += self.text[self.bytes..byte].chars().count();
        self.bytes = byte;
        self.characters
    }
}
