//! A fit for a terminal.

use super::Shown;
use super::choice::ShownChoice;
use super::gain::ShownGain;
use super::language;
use super::palette;
use super::words::{have, in_place_of_shares, percent, plural};
use crate::Result;
use crate::error::printable;
use crate::fit::{Fit, FittedDocument, PlacedNewWord, Quote, Topic};
use std::fmt::Write;

/// Width of the longest bar, in characters.
const BAR: usize = 30;

/// Topics with less of a document than this are shown together.
const SHOWN_SHARE: f32 = 0.05;

/// If they have less together, they are not mentioned.
const LEAST_REST: f32 = 0.03;

/// Of more documents the text shows only those that are typical of a topic, unless all are asked for.
pub const MOST_DOCUMENTS: usize = 20;

/// Typical documents of each topic.
const TYPICAL: usize = 3;

/// New words of a topic that are named.
const NAMED: usize = 8;

impl Fit {
    /// The fit for people: topics by share, sentences that speak for them, documents with bars, new
    /// words, and what held-out words say. A topic has one colour throughout, in ANSI escapes.
    pub fn to_text(&self, shown: &Shown) -> Result<String> {
        let printed = |topic: &Topic<'_>| printable(&topic.name()).into_owned();
        let names = self.topics().iter().map(printed).collect();
        let mut text = Text { fit: self, names, text: String::new() };
        text.topics(shown)?;
        text.sentences(&self.quotes(shown.sentences.unwrap_or(0)));
        text.documents(shown);
        text.language();
        text.new_words(&self.new_words());
        text.held_out_words(shown.details);
        Ok(text.text)
    }
}

/// A text in the making.
struct Text<'a> {
    fit: &'a Fit,
    /// What topics are called, printable like all that documents and users say.
    names: Vec<String>,
    text: String,
}

impl Text<'_> {
    fn say(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes every line");
    }

    /// A topic's number in its colour, as wide as those of the others.
    fn number(&self, k: usize) -> String {
        let width = self.fit.topic_model().topics.to_string().len();
        let (style, number) = (palette::style(k), k + 1);
        format!("{style}topic {number:width$}{style:#}")
    }

    fn topics(&mut self, shown: &Shown) -> Result<()> {
        let order = self.fit.order(shown.relevance)?;
        self.say("Topics, by their share of all words\n");
        for topic in self.fit.topics() {
            let terms = topic.shown_terms(&order, shown.terms);
            let terms: Vec<String> =
                terms.iter().map(|term| printable(&shown.term(term)).into_owned()).collect();
            let name = match topic.has_own_name() {
                true => format!("{}: ", self.names[topic.id]),
                false => String::new(),
            };
            let share = percent(topic.share);
            let terms = format!("{name}{}", terms.join(", "));
            self.say(format!("  {}  {share:>4}  {terms}", self.number(topic.id)).trim_end());
        }
        Ok(())
    }

    fn sentences(&mut self, quotes: &[Vec<Quote<'_>>]) {
        if quotes.is_empty() {
            return;
        }
        self.say("\nSentences that speak for them\n");
        for Topic { id, .. } in self.fit.topics() {
            if quotes[id].is_empty() {
                continue;
            }
            self.say(&format!("  {}", self.number(id)));
            for Quote { title, text, share, .. } in &quotes[id] {
                let (text, title) = (printable(text), printable(title));
                self.say(&format!("    {text}\n      ({title}, {})", percent(*share)));
            }
        }
    }

    fn documents(&mut self, shown: &Shown) {
        let documents = self.fit.documents();
        if documents.len() > MOST_DOCUMENTS && !shown.all_documents {
            return self.typical_documents(&documents);
        }
        self.say("\nDocuments, and how they mix the topics\n");
        for (n, document) in documents.iter().enumerate() {
            self.document(n, document);
        }
    }

    /// For each topic how many documents have most of it, and those that have most.
    fn typical_documents(&mut self, documents: &[FittedDocument<'_>]) {
        self.say(&format!("\nThe most typical of {} documents\n", documents.len()));
        let model = self.fit.topic_model();
        let mut of_topic = vec![Vec::new(); model.topics];
        let tell = |it: &&FittedDocument<'_>| in_place_of_shares(it).is_none();
        for (n, document) in documents.iter().enumerate().filter(|(_, it)| tell(it)) {
            of_topic[model.main_topic(n)].push((n, document));
        }
        for (topic, mut own) in self.fit.topics().into_iter().zip(of_topic) {
            let (k, number) = (topic.id, self.number(topic.id));
            let documents = format!("{} {}", own.len(), plural(own.len(), "document"));
            self.say(&format!("  {number}  {documents}: {}", self.names[k]));
            // Of two that have as much of the topic, the longer one has more to say.
            own.sort_by(|(_, a), (_, b)| {
                let by_share = b.topics[k].total_cmp(&a.topics[k]);
                by_share.then(b.words.cmp(&a.words))
            });
            for (n, document) in own.into_iter().take(TYPICAL) {
                let share = percent(f64::from(document.topics[k]));
                self.say(&format!("    {share:>4}  {}", printable(&self.fit.title(n))));
            }
        }
        let silent = documents.iter().filter(|document| document.words == 0).count();
        if silent > 0 {
            self.say(&format!("  {silent} {} no words", have(silent, "document")));
        }
        match documents.iter().filter(|it| !tell(it)).count() - silent {
            0 => {}
            1 => self.say("  1 document is about none of the topics, as far as its words tell"),
            none => self.say(&format!(
                "  {none} documents are about none of the topics, as far as their words tell"
            )),
        }
    }

    fn language(&mut self) {
        if let Some(sentence) = language::sentence(self.fit) {
            self.say(&format!("\n{sentence}"));
        }
    }

    fn document(&mut self, n: usize, document: &FittedDocument<'_>) {
        let unknown = match (document.words, document.unknown_words) {
            (0, _) => "no words".to_owned(),
            (words, 0) => format!("{words} words, all known"),
            (words, unknown) => {
                let share = percent(unknown as f64 / words as f64);
                format!("{words} words, {share} new to the model")
            }
        };
        let background = document.background.map_or_else(String::new, |background| {
            format!(", {} background", percent(f64::from(background)))
        });
        let title = self.fit.title(n);
        self.say(&format!("  {} ({unknown}{background})", printable(&title)));
        if document.words == 0 {
            return;
        }
        if let Some(said) = in_place_of_shares(document) {
            return self.say(&format!("    {said}"));
        }
        let proportions = document.topics;
        let (mut shown, small): (Vec<usize>, Vec<usize>) =
            (0..proportions.len()).partition(|&k| proportions[k] >= SHOWN_SHARE);
        shown.sort_by(|&a, &b| proportions[b].total_cmp(&proportions[a]));
        for k in shown {
            let (share, style) = (f64::from(proportions[k]), palette::style(k));
            let (number, bar, name) = (self.number(k), bar(share), &self.names[k]);
            let share = percent(share);
            self.say(&format!("    {number}  {style}{bar}{style:#} {share:>4}  {name}"));
        }
        let rest: f32 = small.iter().map(|&k| proportions[k]).sum();
        if rest >= LEAST_REST {
            let (topics, rest) = (plural(small.len(), "topic"), percent(f64::from(rest)));
            let together = if small.len() == 1 { "" } else { " together" };
            self.say(&format!("    {} more {topics} with {rest}{together}", small.len()));
        }
    }

    /// The new words that were placed in each topic, the largest topic first.
    fn new_words(&mut self, words: &[PlacedNewWord<'_>]) {
        if words.is_empty() {
            return;
        }
        self.say("\nWords that are new to the model, and where they were placed\n");
        let topics = (0..self.fit.topic_model().topics).map(Some).chain([None]);
        for topic in topics {
            let own = words.iter().filter(|word| word.main_topic == topic);
            let names: Vec<&str> = own.map(|word| word.term).collect();
            if names.is_empty() {
                continue;
            }
            let place = topic.map_or_else(|| "background".to_owned(), |k| self.number(k));
            let mut named = names[..names.len().min(NAMED)].join(" ");
            if names.len() > NAMED {
                write!(named, ", and {} more", names.len() - NAMED).expect("a string takes it");
            }
            self.say(&format!("  {place}  {}", printable(&named)));
        }
    }

    /// Why there are as many topics as there are, and what they gain over none.
    fn held_out_words(&mut self, details: bool) {
        let choice = ShownChoice::of(self.fit).map(|choice| choice.text(details));
        let gain = ShownGain::of(self.fit).map(|gain| gain.text(details));
        let said: String = [choice, gain].into_iter().flatten().collect();
        if !said.is_empty() {
            self.text.push('\n');
            self.text.push_str(&said);
        }
    }
}

/// A bar of eighths of a character, padded to [`BAR`].
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * (BAR * 8) as f64).round() as usize;
    let (full, part) = (eighths / 8, eighths % 8);
    let used = full + usize::from(part > 0);
    format!("{}{}{}", "█".repeat(full), EIGHTHS[part], " ".repeat(BAR.saturating_sub(used)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(bar(1.0), "█".repeat(30));
        assert_eq!(bar(0.5).trim_end(), "█".repeat(15));
        assert_eq!(bar(0.0).trim_end(), "");
        assert_eq!(bar(1.0 / 240.0).trim_end(), "▏");
        for share in [0.0, 0.1, 0.333, 0.99, 1.0] {
            assert_eq!(bar(share).chars().count(), 30);
        }
    }
}
