//! A fit as a page to look at: one HTML file that needs nothing else.

mod choice;
mod map;
mod topics;
mod words;

use crate::evidence::ShownEvidence;
use crate::fitted::Fitted;
use crate::palette::{self, Palette};
use crate::report::{percent, plural};
use choice::ChoiceView;
use handful::text::{StopWords, TextSettings};
use handful::topic_model::Ranking;
use map::MapView;
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;
use topics::TopicView;
use words::DocumentView;

/// All that the template shows.
#[derive(Debug, Serialize)]
struct Page<'a> {
    version: &'static str,
    title: String,
    lede: String,
    order: String,
    topics: Vec<TopicView<'a>>,
    /// The topics without cards, in a sentence.
    small: Option<String>,
    /// Whether a sentence is quoted for any topic.
    quoted: bool,
    /// Whether a background stands behind the topics.
    background: bool,
    documents: Vec<DocumentView<'a>>,
    map: MapView,
    choice: Option<ChoiceView<'a>>,
    /// What the topics gain over none, in a sentence.
    gain: Option<&'a str>,
    made: Vec<(&'static str, String)>,
    palette: String,
    style: &'static str,
    script: &'static str,
}

/// The page of a fit, with at most so many sentences a topic, and what held-out words say of the topics.
pub fn html(fitted: &Fitted<'_>, sentences: usize) -> anyhow::Result<String> {
    let (saved, palette) = (fitted.saved, Palette::of(&fitted.saved.topic_model));
    let texts = fitted.texts();
    let quotes = fitted.quotes(&texts, sentences);
    let topics = topics::views(fitted, &quotes, &palette);
    let evidence = ShownEvidence::of(&saved.config);
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        title: title(fitted),
        lede: lede(fitted),
        order: order(fitted),
        quoted: quotes.iter().any(|quotes| !quotes.is_empty()),
        background: saved.topic_model.background.is_some(),
        documents: words::views(fitted, texts, &palette),
        map: map::view(&saved.topic_model, &palette),
        small: topics::small(&topics),
        topics,
        choice: evidence
            .choice
            .as_ref()
            .and_then(|choice| choice::view(choice, saved.topic_model.topics)),
        gain: evidence.gain.as_ref().map(|gain| &*gain.sentence),
        made: made(fitted),
        palette: palette::style_sheet(),
        style: include_str!("style.css"),
        script: include_str!("script.js"),
    };
    let mut environment = Environment::new();
    // The name's ending is what makes it escape everything.
    environment.add_template("page.html", include_str!("template.html"))?;
    Ok(environment.get_template("page.html")?.render(Serde(page))?)
}

/// `1 topic`, `3 topics`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {}", plural(number, thing))
}

fn title(fitted: &Fitted<'_>) -> String {
    let topics = counted(fitted.saved.topic_model.topics, "topic");
    format!("{topics} of {}", counted(fitted.documents.len(), "document"))
}

fn lede(fitted: &Fitted<'_>) -> String {
    let records = &fitted.saved.documents;
    let words: u64 = records.iter().map(|record| record.words).sum();
    let unknown: u64 = records.iter().map(|record| record.unknown_words).sum();
    let share = match unknown {
        0 => "all of them known to the model".to_owned(),
        _ => format!("{} of them new to the model", percent(unknown as f64 / words as f64)),
    };
    let heaviest = fitted.saved.topic_model.by_weight()[0];
    let terms = topics::label(fitted, heaviest);
    format!(
        "{} besides stop words, {share}. The largest topic speaks of {terms}.",
        counted(words as usize, "word")
    )
}

fn order(fitted: &Fitted<'_>) -> String {
    match fitted.terms.order.lambda() {
        Some(lambda) => format!(
            "Terms are in the order of relevance, λ = {lambda}: probable in the topic, and more so \
             than usual."
        ),
        None => format!(
            "Terms are in the order of relevance (λ = {}), without words that are usual everywhere.",
            Ranking::LAMBDA
        ),
    }
}

fn made(fitted: &Fitted<'_>) -> Vec<(&'static str, String)> {
    let config = &fitted.saved.config;
    let em = match config.converged {
        Some(true) => format!("{}, until convergence", config.em_steps),
        Some(false) => format!("{}, without convergence", config.em_steps),
        None => config.em_steps.to_string(),
    };
    vec![
        ("Program", format!("Handful {}", env!("CARGO_PKG_VERSION"))),
        ("Model", format!("{} (prior {})", config.model, config.prior.kind())),
        ("Vocabulary", vocabulary(fitted)),
        ("Words", words(config.text.as_ref())),
        ("Topics", config.topics.to_string()),
        ("EM steps", em),
        ("Seed", config.seed.to_string()),
    ]
}

/// The terms that the model knows, and those that are new.
fn vocabulary(fitted: &Fitted<'_>) -> String {
    let new = fitted.saved.new_words();
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
        StopWords::Custom(words) => {
            format!("without {} of one’s own", counted(words.len(), "stop word"))
        }
    };
    format!("{} or more, {signs}, {stop_words}", counted(*min_length, "character"))
}

#[cfg(test)]
mod tests;
