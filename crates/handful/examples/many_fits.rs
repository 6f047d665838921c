//! One model in memory, many small fits on all cores: a handful of answers from each of many clients.
//!
//!     cargo run --release --example many_fits

use handful::{FitSettings, Model, Result};
use rayon::prelude::*;

const SUBJECTS: [&str; 3] = [
    "the train was late again and the platform was crowded with passengers",
    "the soup was cold and the waiter brought the wrong dish to the table",
    "the room was clean, the bed was soft and the hotel staff were friendly",
];

fn main() -> Result<()> {
    let model = Model::pretrained()?;
    let clients: Vec<Vec<String>> = (0..200)
        .map(|client| {
            let answer = |i: usize| format!("{}. {}", SUBJECTS[(client + i) % 3], SUBJECTS[i % 2]);
            (0..4).map(answer).collect()
        })
        .collect();
    let settings = FitSettings::default().with_topics(2).without_held_out_words();
    let fits: Result<Vec<_>> =
        clients.par_iter().map(|texts| model.fit(texts, &settings)).collect();
    let fits = fits?;
    println!("{} fits; the first one's topics:", fits.len());
    for topic in fits[0].topics() {
        println!("{:3.0}%  {}", 100.0 * topic.share, topic.terms(6).join(" "));
    }
    Ok(())
}
