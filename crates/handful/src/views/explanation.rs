//! Why a document is where it is, for a terminal.

use super::palette;
use super::words::{in_place_of_shares, percent};
use crate::error::printable;
use crate::fit::{Explanation, Fit};
use std::borrow::Cow;
use std::fmt::Write;

impl Fit {
    /// An explanation of one of its documents for people, with the topics' colours in ANSI escapes.
    pub fn explanation_text(&self, explanation: &Explanation) -> String {
        let topics = self.topics();
        let records = &self.saved().documents;
        let place = records.iter().position(|record| record.id == explanation.document);
        let called = place.map_or(Cow::Borrowed(&*explanation.document), |n| self.title(n));
        let document = place.map(|n| self.documents()[n]);
        let mut text = format!("\nWhy {} is where it is\n", printable(&called));
        if explanation.topics.is_empty() || document.is_some_and(|it| it.words == 0) {
            return text + "\n  It has no words to tell by.\n";
        }
        if let Some(said) = document.as_ref().and_then(in_place_of_shares) {
            return text + &format!("\n  It is {said}.\n");
        }
        for reasons in &explanation.topics {
            let (style, share) = (palette::style(reasons.id), percent(reasons.share));
            let name = topics[reasons.id].name();
            let name = printable(&name);
            let number = reasons.number;
            let mut say =
                |line: String| writeln!(text, "{line}").expect("a string takes every line");
            say(format!("\n  {style}topic {number}{style:#}  {share:>4}  {name}"));
            let words = reasons.words.iter().map(|word| match word.count {
                1 => format!("{} {}", word.term, percent(word.weight)),
                count => format!("{} ×{count} {}", word.term, percent(word.weight)),
            });
            let words: Vec<String> = words.map(|word| printable(&word).into_owned()).collect();
            if !words.is_empty() {
                say(format!("    by the words {}", words.join(", ")));
            }
            reasons.sentences.iter().for_each(|sentence| {
                say(format!("    “{}”", printable(sentence)));
            });
        }
        text
    }
}
