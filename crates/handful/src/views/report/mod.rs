//! A fit as a page to look at: one HTML file that needs nothing else.

mod choice;
mod map;
mod shown_documents;
mod topics;
mod tree;
mod words;

use super::Shown;
use super::choice::ShownChoice;
use super::gain::ShownGain;
use super::language;
use super::palette;
use super::words::{percent, plural};
use crate::Result;
use crate::fit::{Fit, Part, ProgressObserver};
use crate::storage::{check_file, replace_file};
use crate::text::{StopWords, TextSettings};
use crate::topic_model::{ReadText, TermOrder};
use choice::ChoiceView;
use map::MapView;
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;
use shown_documents::ShownDocuments;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;
use topics::TopicView;
use tree::TreeView;
use words::{DocumentView, Read};

/// All that the template shows.
#[derive(Debug, Serialize)]
struct Page<'a> {
    version: &'static str,
    title: String,
    lede: String,
    order: String,
    /// What the bars of terms say.
    bars: &'static str,
    topics: Vec<TopicView<'a>>,
    /// The topics without cards, in a sentence.
    small: Option<String>,
    /// Whether a sentence is quoted for any topic.
    quoted: bool,
    /// Whether a background stands behind the topics.
    background: bool,
    documents: Vec<DocumentView<'a>>,
    /// Which documents are shown, and which word by word, in a sentence each, if not all are.
    said_of_rows: Option<String>,
    said_of_read: Option<String>,
    /// Whether the documents are at hand, to be shown word by word.
    keeps_documents: bool,
    /// The tree of the documents, where there is one to see.
    tree: Option<TreeView<'a>>,
    map: MapView,
    choice: Option<ChoiceView<'a>>,
    /// What the topics gain over none, in a sentence.
    gain: Option<String>,
    made: Vec<(&'static str, String)>,
    palette: String,
    style: &'static str,
    script: &'static str,
}

/// Sentences a topic, unless told otherwise.
const SENTENCES: usize = 3;

/// How many documents are open at first.
const OPEN: usize = 3;

/// A fit as one HTML page that needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    html: String,
}

impl Report {
    /// The page.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Writes the page to a file, whole or not at all. It must not exist.
    pub fn write(&self, file: impl AsRef<Path>) -> Result<()> {
        check_file(file.as_ref(), false)?;
        replace_file(file.as_ref(), self.html.as_bytes())
    }
}

/// A fit, and which of its terms are shown in which order.
pub(super) struct Source<'a> {
    fit: &'a Fit,
    order: Cow<'a, TermOrder>,
    terms: usize,
}

impl Fit {
    /// A page to look at: topics, documents word by word, their tree, a map, sentences that speak for each
    /// topic.
    /// Of more than 200 documents, the three that have most words of each topic are shown word by word; of
    /// more than 1,000, not all are in the table.
    /// It needs the documents, which a fit that was opened from a directory does not have.
    pub fn report(&self) -> Result<Report> {
        self.report_observed(&Shown::default(), &mut |_| ControlFlow::Continue(()))
    }

    /// [`Self::report`] with another choice of what is shown, watched: the observer hears before each
    /// document how far the work is, and can end it.
    pub fn report_observed(
        &self,
        shown: &Shown,
        observer: &mut ProgressObserver<'_>,
    ) -> Result<Report> {
        self.expect_whole("a report")?;
        let order = self.order(shown.relevance)?;
        let source = Source { fit: self, order, terms: shown.terms };
        let count = self.saved().documents.len();
        let mut texts: Vec<Option<ReadText<'_>>> = Vec::with_capacity(count);
        for n in 0..count {
            Part::Reporting.tell(n, 2 * count, observer)?;
            texts.push(self.read_text(n));
        }
        let quotes = self.quotes_of(&texts, shown.sentences.unwrap_or(SENTENCES));
        let ShownDocuments { rows, read, most_words, said_of_rows, said_of_read } =
            ShownDocuments::of(self);
        let keeps_documents = self.keeps_documents();
        let (fitted, mut documents) = (self.documents(), Vec::with_capacity(rows.len()));
        for n in rows {
            Part::Reporting.tell(count + n, 2 * count, observer)?;
            let place = read.binary_search(&n).ok().filter(|_| keeps_documents);
            let read = place.map(|place| Read { most_words, open: place < OPEN });
            documents.push(words::view(&source, (n, &fitted[n]), texts[n].as_ref(), read));
        }
        let topics = topics::views(&source, &quotes);
        let choice = ShownChoice::of(self);
        let page = Page {
            version: env!("CARGO_PKG_VERSION"),
            title: title(self),
            lede: lede(&source),
            order: said_order(&source.order),
            bars: topics::said_of_bars(&source),
            quoted: quotes.iter().any(|quotes| !quotes.is_empty()),
            background: self.topic_model().background.is_some(),
            documents,
            said_of_rows,
            said_of_read: said_of_read.filter(|_| keeps_documents),
            keeps_documents,
            tree: tree::view(self),
            map: map::view(self.topic_model()),
            small: topics::small(&topics),
            topics,
            choice: choice
                .as_ref()
                .and_then(|choice| choice::view(choice, self.topic_model().topics)),
            gain: ShownGain::of(self).map(|gain| gain.sentence),
            made: made(self),
            palette: palette::style_sheet(),
            style: include_str!("style.css"),
            script: include_str!("script.js"),
        };
        Ok(Report { html: rendered(page) })
    }
}

fn rendered(page: Page<'_>) -> String {
    let mut environment = Environment::new();
    // The name's ending is what makes it escape everything.
    environment
        .add_template("page.html", include_str!("template.html"))
        .and_then(|()| environment.get_template("page.html")?.render(Serde(page)))
        .map(without_control_characters)
        .expect("the template is ours, and a page is plain data")
}

/// HTML has no control characters but white space, not even escaped. Texts and names may have them.
fn without_control_characters(html: String) -> String {
    let is_no_html = |c: char| c.is_control() && !"\n\t".contains(c);
    if html.contains(is_no_html) { html.replace(is_no_html, "\u{fffd}") } else { html }
}

/// `1 topic`, `3 topics`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {}", plural(number, thing))
}

fn title(fit: &Fit) -> String {
    let topics = counted(fit.topic_model().topics, "topic");
    format!("{topics} of {}", counted(fit.saved().documents.len(), "document"))
}

fn lede(source: &Source<'_>) -> String {
    let records = &source.fit.saved().documents;
    let words: u64 = records.iter().map(|record| record.words).sum();
    let unknown: u64 = records.iter().map(|record| record.unknown_words).sum();
    let share = match unknown {
        0 => "all of them known to the model".to_owned(),
        _ => format!("{} of them new to the model", percent(unknown as f64 / words as f64)),
    };
    let name = source.fit.topics()[0].name();
    let largest =
        if name.is_empty() { String::new() } else { format!(" The largest topic: {name}.") };
    let language = language::sentence(source.fit).map_or_else(String::new, |it| format!(" {it}"));
    format!("{} besides stop words, {share}.{largest}{language}", counted(words as usize, "word"))
}

fn said_order(order: &TermOrder) -> String {
    match order.lambda() {
        Some(lambda) => format!(
            "Terms are in the order of relevance, λ = {lambda}: probable in the topic, and more so \
             than usual."
        ),
        None => {
            "Terms come in the order in which they tell the topic from usual speech and from the \
                 other topics."
                .to_owned()
        }
    }
}

fn made(fit: &Fit) -> Vec<(&'static str, String)> {
    let config = &fit.saved().config;
    let em = match config.converged {
        Some(true) => format!("{}, until convergence", config.em_steps),
        Some(false) => format!("{}, without convergence", config.em_steps),
        None => config.em_steps.to_string(),
    };
    vec![
        ("Program", format!("Handful {}", env!("CARGO_PKG_VERSION"))),
        ("Model", format!("{} (prior {})", config.model, config.prior.kind())),
        ("Vocabulary", vocabulary(fit)),
        ("Words", words(config.text.as_ref())),
        ("Topics", config.topics.to_string()),
        ("EM steps", em),
        ("Seed", config.seed.to_string()),
    ]
}

/// The terms that the model knows, and those that are new.
fn vocabulary(fit: &Fit) -> String {
    let new = fit.saved().new_words();
    let known = counted(new.start as usize, "term");
    if new.is_empty() { known } else { format!("{known}, and {} of these documents", new.len()) }
}

/// Which words count.
fn words(settings: Option<&TextSettings>) -> String {
    let Some(TextSettings { min_length, letters_only, stop_words, .. }) = settings else {
        return "taken as they were counted".to_owned();
    };
    let signs = if *letters_only { "letters only" } else { "letters, digits and signs" };
    let stop_words = match stop_words {
        StopWords::English => "without English stop words".to_owned(),
        StopWords::None => "stop words too".to_owned(),
        StopWords::Language(language) => format!("without {language} stop words"),
        StopWords::Custom(words) => {
            format!("without {} of one’s own", counted(words.len(), "stop word"))
        }
    };
    format!("{} or more, {signs}, {stop_words}", counted(*min_length, "character"))
}

#[cfg(test)]
mod tests;
