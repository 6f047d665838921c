//! Keeps the topics of a fit in a directory, opens it again, and asks about texts that came later.
//!
//!     cargo run --release --example infer

use handful::{FitSettings, Model, Result};

fn main() -> Result<()> {
    let texts = [
        "The bees left the hive in May; the queen and half of the workers went with them.",
        "A hive needs forty pounds of honey to bring its bees through the winter.",
        "Knead flour, water, salt and yeast; let the dough rise, then bake the bread.",
        "Bread dough that rises overnight in the cold has more flavour when it is baked.",
    ];
    let fit = Model::pretrained()?.fit(texts, &FitSettings::default().with_topics(2))?;

    let folder = std::env::temp_dir().join(format!("handful-infer-{}", std::process::id()));
    fit.save(&folder)?;
    let kept = handful::Fit::open(&folder)?;
    let later =
        [("honey", "The honey of this hive is dark."), ("loaf", "Bake the loaf for an hour.")];
    for document in kept.infer(later)?.documents() {
        println!("{:6} {:.2?}", document.id, document.topics);
    }
    std::fs::remove_dir_all(&folder).map_err(|error| handful::Error::write(&folder, error))
}
