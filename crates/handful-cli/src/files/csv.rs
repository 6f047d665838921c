//! Topics and proportions as tables.

use crate::fitted::Fitted;
use csv::Writer;

/// A row a term of a topic, in the order in which terms are shown.
pub fn topics(fitted: &Fitted<'_>) -> anyhow::Result<Vec<u8>> {
    let mut table = Writer::from_writer(Vec::new());
    table.write_record(["topic", "rank", "term", "probability", "relevance"])?;
    for k in 0..fitted.saved.topic_model.topics {
        for (i, top) in fitted.terms.of(fitted.saved, k).into_iter().enumerate() {
            let term = fitted.saved.vocabulary.term(top.term);
            let relevance = format!("{:.6}", top.relevance);
            table.serialize((k, i + 1, term, top.probability, relevance))?;
        }
    }
    Ok(table.into_inner()?)
}

/// A row a document: its words, how many of them are unknown, the background's share if there is one,
/// and the proportion of each topic.
pub fn proportions(fitted: &Fitted<'_>) -> anyhow::Result<Vec<u8>> {
    let model = &fitted.saved.topic_model;
    let mut table = Writer::from_writer(Vec::new());
    let columns = ["document", "words", "unknown"].map(str::to_owned).into_iter();
    let background = model.background.iter().map(|_| "background".to_owned());
    let topics = (0..model.topics).map(|k| format!("topic_{k}"));
    table.write_record(columns.chain(background).chain(topics))?;
    for (n, document) in fitted.saved.documents.iter().enumerate() {
        let background = model.background.as_ref().map(|background| background.shares[n]);
        let shares = background.iter().chain(model.proportions_of(n)).map(f32::to_string);
        let counts = [document.words, document.unknown_words].map(|count| count.to_string());
        table.write_record([document.id.clone()].into_iter().chain(counts).chain(shares))?;
    }
    Ok(table.into_inner()?)
}
