//! How topic models and models are shown: text for people, JSON for programs.

use crate::fitted::{Quote, ShownTerms};
use crate::palette::Palette;
use handful::model_dir::{Model, SavedTopicModel};
use serde_json::{Value, json};
use std::fmt::Write;

/// Width of the longest bar, in characters.
const BAR: usize = 30;

/// Topics with less of a document than this are shown together.
const SHOWN_SHARE: f32 = 0.01;

/// The name of things, of which there are so many.
pub fn plural(number: usize, thing: &str) -> String {
    format!("{thing}{}", if number == 1 { "" } else { "s" })
}

/// A topic model as JSON, with sentences where there are any for some topic.
pub fn json(saved: &SavedTopicModel, terms: &ShownTerms, quotes: &[Vec<Quote<'_>>]) -> Value {
    let model = &saved.topic_model;
    let topics: Vec<Value> = (0..model.topics)
        .map(|k| {
            let terms: Vec<Value> = terms
                .of(saved, k)
                .iter()
                .map(|top| {
                    let term = saved.vocabulary.term(top.term);
                    json!({"term": term, "probability": top.probability})
                })
                .collect();
            let mut topic = json!({"id": k, "weight": model.weights[k], "terms": terms});
            if let Some(quotes) = quotes.get(k) {
                let quote = |quote: &Quote<'_>| {
                    json!({"document": quote.document, "text": quote.text, "share": quote.share})
                };
                topic["sentences"] = quotes.iter().map(quote).collect();
            }
            topic
        })
        .collect();
    let documents: Vec<Value> = saved
        .documents
        .iter()
        .enumerate()
        .map(|(n, document)| {
            let mut shown = json!({
                "id": document.id,
                "topics": model.proportions_of(n),
                "words": document.words,
                "unknown_words": document.unknown_words,
            });
            if let Some(background) = &model.background {
                shown["background"] = json!(background.shares[n]);
            }
            shown
        })
        .collect();
    json!({
        "topics": topics,
        "documents": documents,
        "order": match terms.order.lambda() {
            Some(lambda) => json!({"by": "relevance", "lambda": lambda}),
            None => json!({"by": "telling"}),
        },
        "model": {
            "name": saved.config.model,
            "prior": saved.config.prior,
            "topics": saved.config.topics,
            "terms": model.terms,
            "em_steps": model.em_steps,
            "converged": model.converged,
        },
        "seed": saved.config.seed,
    })
}

/// A topic model for people: topics by weight, sentences that speak for them, then documents with
/// bars. A topic has one colour throughout.
pub fn text(saved: &SavedTopicModel, terms: &ShownTerms, quotes: &[Vec<Quote<'_>>]) -> String {
    let model = &saved.topic_model;
    let palette = Palette::of(model);
    let order = model.by_weight();
    let name = |k: usize| topic_name(k, model.topics, &palette);
    let mut text = String::new();
    let mut say = |line: &str| writeln!(text, "{line}").expect("a string takes every line");
    say("Topics, by their share of all words\n");
    for &k in &order {
        let terms = terms.of(saved, k);
        let terms: Vec<&str> = terms.iter().map(|top| saved.vocabulary.term(top.term)).collect();
        let weight = percent(model.weights[k]);
        say(format!("  {}  {weight:>4}  {}", name(k), terms.join(" ")).trim_end());
    }
    if !quotes.is_empty() {
        say("\nSentences that speak for them\n");
    }
    for &k in order.iter().filter(|&&k| quotes.get(k).is_some_and(|quotes| !quotes.is_empty())) {
        say(&format!("  {}", name(k)));
        for Quote { document, text, share } in &quotes[k] {
            say(&format!("    {text}\n      ({document}, {})", percent(*share)));
        }
    }
    say("\nDocuments, and how they mix the topics\n");
    for (n, document) in saved.documents.iter().enumerate() {
        let unknown = match (document.words, document.unknown_words) {
            (0, _) => "no words".to_owned(),
            (words, 0) => format!("{words} words, all known"),
            (words, unknown) => {
                let share = percent(unknown as f64 / words as f64);
                format!("{words} words, {share} new to the model")
            }
        };
        let background = model.background.as_ref().map_or_else(String::new, |background| {
            format!(", {} background", percent(f64::from(background.shares[n])))
        });
        say(&format!("  {} ({unknown}{background})", document.id));
        let proportions = model.proportions_of(n);
        let (shown, small): (Vec<usize>, Vec<usize>) =
            order.iter().partition(|&&k| proportions[k] >= SHOWN_SHARE);
        let mut shown = shown;
        shown.sort_by(|&a, &b| proportions[b].total_cmp(&proportions[a]));
        for k in shown {
            let (share, style) = (f64::from(proportions[k]), palette.terminal(k));
            say(&format!("    {}  {style}{}{style:#} {}", name(k), bar(share), percent(share)));
        }
        if !small.is_empty() {
            let rest: f32 = small.iter().map(|&k| proportions[k]).sum();
            let topics = if small.len() == 1 { "topic" } else { "topics" };
            let rest = percent(f64::from(rest));
            say(&format!("    {} more {topics} with {rest} together", small.len()));
        }
    }
    text
}

/// A topic's name in its colour, as wide as those of the others.
pub fn topic_name(k: usize, topics: usize, palette: &Palette) -> String {
    let (style, width) = (palette.terminal(k), (topics - 1).to_string().len());
    format!("{style}topic {k:width$}{style:#}")
}

/// A model for people.
pub fn model(model: &Model, weights: usize) -> String {
    let mut text = model.card();
    writeln!(text, "\n{weights} weights").expect("a string takes every line");
    text
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.5 => "<1%".to_owned(),
        percent => format!("{percent:.0}%"),
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

    #[test]
    fn a_small_share_is_not_called_zero() {
        assert_eq!(percent(0.0), "0%");
        assert_eq!(percent(0.001), "<1%");
        assert_eq!(percent(0.125), "12%");
        assert_eq!(percent(1.0), "100%");
    }
}
