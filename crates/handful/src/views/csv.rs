//! Topics and proportions as tables.

use super::Shown;
use crate::Result;
use crate::fit::Fit;
use csv::Writer;

impl Fit {
    /// The topics' terms as CSV: a row a term of a topic, in the order in which terms are shown.
    pub fn topics_csv(&self, shown: &Shown) -> Result<Vec<u8>> {
        let order = self.order(shown.relevance)?;
        let mut table = Writer::from_writer(Vec::new());
        row(&mut table, ["topic", "rank", "term", "probability", "relevance"].map(str::to_owned));
        for topic in self.topics() {
            for (i, term) in topic.ranked_terms(&order, shown.terms).into_iter().enumerate() {
                let relevance = format!("{:.6}", term.relevance);
                let fields = (topic.id, i + 1, term.term, term.probability, relevance);
                table.serialize(fields).expect("memory takes every row");
            }
        }
        Ok(content(table))
    }

    /// The documents' proportions as CSV: a row a document, with its words, how many of them are
    /// unknown, the background's share if there is one, and the proportion of each topic.
    pub fn documents_csv(&self) -> Vec<u8> {
        let model = self.topic_model();
        let mut table = Writer::from_writer(Vec::new());
        let columns = ["document", "words", "unknown"].map(str::to_owned).into_iter();
        let background = model.background.iter().map(|_| "background".to_owned());
        let topics = (0..model.topics).map(|k| format!("topic_{k}"));
        row(&mut table, columns.chain(background).chain(topics));
        for document in self.documents() {
            let shares = document.background.iter().chain(document.topics).map(f32::to_string);
            let counts = [document.words, document.unknown_words].map(|count| count.to_string());
            row(&mut table, [document.id.to_owned()].into_iter().chain(counts).chain(shares));
        }
        content(table)
    }
}

fn row(table: &mut Writer<Vec<u8>>, fields: impl IntoIterator<Item = String>) {
    table.write_record(fields).expect("memory takes every row, and all have equally many fields");
}

fn content(table: Writer<Vec<u8>>) -> Vec<u8> {
    table.into_inner().expect("memory takes every row")
}
