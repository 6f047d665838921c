//! Finds the topics of a few texts with the built-in model.
//!
//!     cargo run --release --example fit_texts

use handful::{FitSettings, Model, Result};

fn main() -> Result<()> {
    let texts = [
        (
            "harbour",
            "The boats stayed in the harbour: the wind rose, the tide ran out, and no sail was set.",
        ),
        (
            "regatta",
            "Twelve boats crossed the line; the crew that reefed its sail before the wind rose won.",
        ),
        (
            "bakery",
            "The baker mixes flour, water, salt and yeast at four; the dough rests, the oven heats.",
        ),
        (
            "sourdough",
            "A sourdough loaf needs flour, salt and time. The crust is best from a very hot oven.",
        ),
    ];
    let model = Model::pretrained()?;
    let fit = model.fit(texts, &FitSettings::default())?;

    for topic in fit.topics() {
        println!("topic {}  {:3.0}%  {}", topic.id, 100.0 * topic.share, topic.terms(8).join(" "));
    }
    for document in fit.documents() {
        let shares: Vec<String> =
            document.topics.iter().map(|share| format!("{:3.0}%", 100.0 * share)).collect();
        println!("{:10} {}", document.id, shares.join(" "));
    }
    // Where each word of the first text belongs.
    for word in fit.words(0).unwrap_or_default().iter().take(5) {
        println!("{:10} {:.2?}", word.term, word.topics);
    }
    Ok(())
}
