//! A fit for a terminal.

use super::Shown;
use super::choice::ShownChoice;
use super::gain::ShownGain;
use super::language;
use super::palette::Palette;
use super::words::percent;
use crate::Result;
use crate::fit::{Fit, FittedDocument, PlacedNewWord, Quote, Topic};
use std::fmt::Write;

/// Width of the longest bar, in characters.
const BAR: usize = 30;

/// Topics with less of a document than this are shown together.
const SHOWN_SHARE: f32 = 0.01;

/// New words of a topic that are named.
const NAMED: usize = 8;

impl Fit {
    /// The fit for people: topics by share, sentences that speak for them, documents with bars, new
    /// words, and what held-out words say. A topic has one colour throughout, in ANSI escapes.
    pub fn to_text(&self, shown: &Shown) -> Result<String> {
        let palette = Palette::of(self.topic_model());
        let mut text = Text { fit: self, palette, text: String::new() };
        text.topics(shown)?;
        text.sentences(&self.quotes(shown.sentences.unwrap_or(0)));
        text.documents();
        text.language();
        text.new_words(&self.new_words());
        text.held_out_words(shown.details);
        Ok(text.text)
    }
}

/// A text in the making.
struct Text<'a> {
    fit: &'a Fit,
    palette: Palette,
    text: String,
}

impl Text<'_> {
    fn say(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes every line");
    }

    /// A topic's name in its colour, as wide as those of the others.
    fn name(&self, k: usize) -> String {
        let width = (self.fit.topic_model().topics - 1).to_string().len();
        let style = self.palette.terminal(k);
        format!("{style}topic {k:width$}{style:#}")
    }

    fn topics(&mut self, shown: &Shown) -> Result<()> {
        let order = self.fit.order(shown.relevance)?;
        self.say("Topics, by their share of all words\n");
        for topic in self.fit.topics_by_share() {
            let terms = topic.ranked_terms(&order, shown.terms);
            let terms: Vec<&str> = terms.iter().map(|term| term.term).collect();
            let share = percent(topic.share);
            let line = format!("  {}  {share:>4}  {}", self.name(topic.id), terms.join(" "));
            self.say(line.trim_end());
        }
        Ok(())
    }

    fn sentences(&mut self, quotes: &[Vec<Quote<'_>>]) {
        if quotes.is_empty() {
            return;
        }
        self.say("\nSentences that speak for them\n");
        for Topic { id, .. } in self.fit.topics_by_share() {
            if quotes[id].is_empty() {
                continue;
            }
            self.say(&format!("  {}", self.name(id)));
            for Quote { document, text, share } in &quotes[id] {
                self.say(&format!("    {text}\n      ({document}, {})", percent(*share)));
            }
        }
    }

    fn documents(&mut self) {
        self.say("\nDocuments, and how they mix the topics\n");
        let order = self.fit.topic_model().by_weight();
        for document in self.fit.documents() {
            self.document(&document, &order);
        }
    }

    fn language(&mut self) {
        if let Some(sentence) = language::sentence(self.fit) {
            self.say(&format!("\n{sentence}"));
        }
    }

    fn document(&mut self, document: &FittedDocument<'_>, order: &[usize]) {
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
        self.say(&format!("  {} ({unknown}{background})", document.id));
        let proportions = document.topics;
        let (mut shown, small): (Vec<usize>, Vec<usize>) =
            order.iter().partition(|&&k| proportions[k] >= SHOWN_SHARE);
        shown.sort_by(|&a, &b| proportions[b].total_cmp(&proportions[a]));
        for k in shown {
            let (share, style) = (f64::from(proportions[k]), self.palette.terminal(k));
            let (name, bar) = (self.name(k), bar(share));
            self.say(&format!("    {name}  {style}{bar}{style:#} {}", percent(share)));
        }
        if !small.is_empty() {
            let rest: f32 = small.iter().map(|&k| proportions[k]).sum();
            let topics = if small.len() == 1 { "topic" } else { "topics" };
            let rest = percent(f64::from(rest));
            self.say(&format!("    {} more {topics} with {rest} together", small.len()));
        }
    }

    /// The new words that were placed in each topic, the heaviest topic first.
    fn new_words(&mut self, words: &[PlacedNewWord<'_>]) {
        if words.is_empty() {
            return;
        }
        self.say("\nWords that are new to the model, and where they were placed\n");
        let topics = self.fit.topic_model().by_weight().into_iter().map(Some).chain([None]);
        for topic in topics {
            let own = words.iter().filter(|word| word.main_topic == topic);
            let names: Vec<&str> = own.map(|word| word.term).collect();
            if names.is_empty() {
                continue;
            }
            let place = topic.map_or_else(|| "background".to_owned(), |k| self.name(k));
            let mut named = names[..names.len().min(NAMED)].join(" ");
            if names.len() > NAMED {
                write!(named, ", and {} more", names.len() - NAMED).expect("a string takes it");
            }
            self.say(&format!("  {place}  {named}"));
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
