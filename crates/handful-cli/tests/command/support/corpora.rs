//! Small corpora whose words come from a few planted themes.

use std::collections::BTreeMap;

const THEMES: [[&str; 8]; 4] = [
    ["anchor", "captain", "harbour", "island", "sailor", "tide", "voyage", "wave"],
    ["butter", "flour", "kitchen", "oven", "pepper", "recipe", "salt", "spoon"],
    ["ballad", "chorus", "drum", "fiddle", "melody", "rhythm", "singer", "tune"],
    ["acorn", "badger", "fern", "forest", "meadow", "moss", "river", "willow"],
];

const NAMES: [&str; 6] = ["alder", "birch", "cedar", "elm", "rowan", "yew"];

/// A document of a corpus.
pub struct Document {
    pub corpus: &'static str,
    pub id: String,
    pub text: String,
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below as u64) as usize
    }
}

/// Forty words, three quarters of them of the theme `seed % 4` and the others of any.
pub fn text(seed: u64) -> String {
    let mut random = random(seed);
    let words: Vec<&str> = (0..40)
        .map(|_| {
            let theme = if random(4) > 0 { seed as usize % THEMES.len() } else { random(4) };
            THEMES[theme][random(8)]
        })
        .collect();
    words.join(" ")
}

/// Six corpora of six documents.
pub fn documents() -> Vec<Document> {
    let document = |i: usize| Document {
        corpus: NAMES[i / 6],
        id: format!("{}.txt", i % 6),
        text: text(i as u64),
    };
    (0..36).map(document).collect()
}

/// The words of a text with their counts.
pub fn counts(text: &str) -> BTreeMap<&str, u32> {
    let mut counts = BTreeMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts
}
