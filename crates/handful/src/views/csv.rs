//! Topics and proportions as tables.

use super::Shown;
use crate::Result;
use crate::fit::Fit;
use csv::Writer;
use std::borrow::Cow;

impl Fit {
    /// The topics' terms as CSV: a row a term of a topic, in the order in which terms are shown.
    pub fn topics_csv(&self, shown: &Shown) -> Result<Vec<u8>> {
        let order = self.order(shown.relevance)?;
        let mut table = Writer::from_writer(Vec::new());
        let columns = ["topic", "name", "rank", "term", "probability", "relevance", "forms"];
        row(&mut table, columns.map(str::to_owned));
        for topic in self.topics() {
            let name = topic.name();
            let name = cell(&name);
            for (i, term) in topic.shown_terms(&order, shown.terms).into_iter().enumerate() {
                let relevance = format!("{:.6}", term.relevance);
                let forms = term.forms.join(" ");
                let number = (topic.number(), &name, i + 1);
                let fields = (number, cell(term.term), term.probability, relevance, cell(&forms));
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
            let main = [topics[main].number().to_string(), cell(&names[main]).into_owned()];
            let id = [cell(document.id).into_owned()].into_iter();
            row(&mut table, id.chain(counts).chain(shares).chain(main));
        }
        content(table)
    }
}

/// A text as a cell. If a spreadsheet would take it for a formula and carry it out, it begins with an
/// apostrophe, which spreadsheets do not show. Numbers, also with a sign, and signs alone are harmless.
fn cell(text: &str) -> Cow<'_, str> {
    let begins = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if begins && text.chars().count() > 1 && text.parse::<f64>().is_err() {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

fn row(table: &mut Writer<Vec<u8>>, fields: impl IntoIterator<Item = String>) {
    table.write_record(fields).expect("memory takes every row, and all have equally many fields");
}

fn content(table: Writer<Vec<u8>>) -> Vec<u8> {
    table.into_inner().expect("memory takes every row")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_becomes_a_text_and_all_else_stays() {
        for formula in ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1"]
        {
            assert_eq!(cell(formula), format!("'{formula}"));
        }
        for harmless in ["", "-", "-5", "+49.5", "a=b", "well-known", "'=1", "é"] {
            assert_eq!(cell(harmless), harmless);
        }
    }
}
