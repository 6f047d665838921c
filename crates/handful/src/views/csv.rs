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
        let columns = ["topic", "name", "rank", "term", "probability", "relevance", "forms"];
        row(&mut table, columns.map(str::to_owned));
        for topic in self.topics() {
            let name = topic.name();
            for (i, term) in topic.shown_terms(&order, shown.terms).into_iter().enumerate() {
                let relevance = format!("{:.6}", term.relevance);
                let forms = term.forms.join(" ");
                let number = (topic.number(), &name, i + 1);
                let fields = (number, term.term, term.probability, relevance, forms);
                table.serialize(fields).expect("memory takes every row");
            }
        }
        Ok(content(table))
    }

    /// The documents' proportions as CSV: a row a document, with its words, how many of them are
    /// unknown, the background's share if there is one, the proportion of each topic, and the number and the
    /// name of the topic that it has most of.
    pub fn documents_csv(&self) -> Vec<u8> {
        let model = self.topic_model();
        let mut table = Writer::from_writer(Vec::new());
        let columns = ["document", "words", "unknown"].map(str::to_owned).into_iter();
        let background = model.background.iter().map(|_| "background".to_owned());
        let numbers = (1..=model.topics).map(|number| format!("topic_{number}"));
        let main = ["main_topic", "main_topic_name"].map(str::to_owned);
        row(&mut table, columns.chain(background).chain(numbers).chain(main));
        let topics = self.topics();
        let names: Vec<_> = topics.iter().map(|topic| topic.name()).collect();
        for (n, document) in self.documents().into_iter().enumerate() {
            let shares = document.background.iter().chain(document.topics).map(f32::to_string);
            let counts = [document.words, document.unknown_words].map(|count| count.to_string());
            let main = model.main_topic(n);
            let main = [topics[main].number().to_string(), names[main].to_string()];
            let id = [document.id.to_owned()].into_iter();
            row(&mut table, id.chain(counts).chain(shares).chain(main));
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
