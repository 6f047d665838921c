//! Phrases: words that documents say together, like `white house`.

use super::TextWord;
use hashbrown::HashMap;

/// A phrase is said at least so often.
const LEAST: u32 = 3;

/// The words of a phrase are said together at least as often as this share of the geometric mean of how
/// often each is said.
const TOGETHER: f64 = 0.3;

/// The words of the longest phrase.
const LONGEST: usize = 3;

/// The phrases of some texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrases {
    /// The terms of each phrase, in the order in which they are first said.
    pub terms: Vec<Vec<u32>>,
    /// The phrases of each text: where the first word stands among the text's words, and which phrase it
    /// is. They do not overlap.
    pub places: Vec<Vec<(usize, usize)>>,
}

impl Phrases {
    /// Finds the phrases of texts with their words; `None` is a document without text. Words stand together
    /// if nothing but white space or a hyphen is between them.
    pub fn find(texts: &[Option<(&str, &[TextWord])>]) -> Self {
        let mut counts = Counts::default();
        for length in 1..=LONGEST {
            for (text, words) in texts.iter().flatten() {
                counts.add(text, words, length);
            }
            counts.runs.retain(|run, said| run.len() < length || *said >= LEAST);
        }
        let mut phrases = Self::default();
        let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
        for text in texts {
            let mut places = Vec::new();
            if let Some((text, words)) = text {
                let mut i = 0;
                while i < words.len() {
                    let Some(phrase) = counts.longest_at(text, words, i) else {
                        i += 1;
                        continue;
                    };
                    let length = phrase.len();
                    let next = numbers.len();
                    let number = *numbers.entry(phrase.clone()).or_insert(next);
                    if number == next {
                        phrases.terms.push(phrase);
                    }
                    places.push((i, number));
                    i += length;
                }
            }
            phrases.places.push(places);
        }
        phrases
    }
}

/// How often words, and runs of words, are said. Only runs are kept that are said often enough: longer ones
/// are said no oftener than their parts, so few have to be counted.
#[derive(Debug, Default)]
struct Counts {
    words: HashMap<u32, u32>,
    runs: HashMap<Vec<u32>, u32>,
}

impl Counts {
    /// Counts the runs of `length` words. Shorter ones must be counted already.
    fn add(&mut self, text: &str, words: &[TextWord], length: usize) {
        for (i, word) in words.iter().enumerate() {
            if length == 1 {
                word.term.iter().for_each(|&term| *self.words.entry(term).or_default() += 1);
                continue;
            }
            let Some(run) = run_of(text, words, i, length) else { continue };
            let parts = [&run[1..], &run[..length - 1]];
            if length == 2 || parts.iter().all(|&part| self.runs.contains_key(part)) {
                *self.runs.entry(run).or_default() += 1;
            }
        }
    }

    /// The longest phrase that begins with word `i`.
    fn longest_at(&self, text: &str, words: &[TextWord], i: usize) -> Option<Vec<u32>> {
        let runs = (2..=LONGEST).rev().filter_map(|length| run_of(text, words, i, length));
        runs.into_iter().find(|run| self.is_phrase(run))
    }

    fn is_phrase(&self, run: &[u32]) -> bool {
        let Some(&said) = self.runs.get(run) else { return false };
        let logs: f64 = run.iter().map(|term| f64::from(self.words[term]).ln()).sum();
        let repeats = run.windows(2).any(|pair| pair[0] == pair[1]);
        !repeats && f64::from(said).ln() >= TOGETHER.ln() + logs / run.len() as f64
    }
}

/// The terms of `length` words from word `i` on, if they stand together.
fn run_of(text: &str, words: &[TextWord], i: usize, length: usize) -> Option<Vec<u32>> {
    let words = words.get(i..i + length)?;
    let stand_together = words.windows(2).all(|pair| {
        let gap = &text[pair[0].range.end..pair[1].range.start];
        gap == "-" || (!gap.is_empty() && gap.chars().all(char::is_whitespace))
    });
    if stand_together { words.iter().map(|word| word.term).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each distinct word is a term, except `the`, which is no word.
    fn read<'a>(texts: &[&'a str]) -> (Vec<&'a str>, Vec<Vec<TextWord>>) {
        let mut terms: Vec<&str> = Vec::new();
        let read = texts.iter().map(|text| {
            let pieces = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
            let pieces = pieces.filter(|word| *word != "the");
            pieces
                .map(|word| {
                    let start = word.as_ptr() as usize - text.as_ptr() as usize;
                    let term = terms.iter().position(|term| *term == word);
                    let term = term.unwrap_or_else(|| {
                        terms.push(word);
                        terms.len() - 1
                    });
                    TextWord { range: start..start + word.len(), term: Some(term as u32) }
                })
                .collect()
        });
        let read = read.collect();
        (terms, read)
    }

    fn found(texts: &[&str]) -> (Vec<String>, Vec<Vec<(usize, usize)>>) {
        let (terms, words) = read(texts);
        let given: Vec<_> =
            texts.iter().zip(&words).map(|(&text, words)| Some((text, &words[..]))).collect();
        let phrases = Phrases::find(&given);
        let spell = |run: &Vec<u32>| {
            run.iter().map(|&term| terms[term as usize]).collect::<Vec<_>>().join(" ")
        };
        (phrases.terms.iter().map(spell).collect(), phrases.places)
    }

    #[test]
    fn words_that_are_said_together_are_a_phrase() {
        let texts = ["white house, white\nhouse and white-house", "house of a white house"];
        let (phrases, places) = found(&texts);
        assert_eq!(phrases, ["white house"]);
        assert_eq!(places, [vec![(0, 0), (2, 0), (5, 0)], vec![(3, 0)]]);
    }

    #[test]
    fn words_with_something_between_them_are_none() {
        assert!(found(&["white, house; white the house. white (house! white. house"]).0.is_empty());
    }

    #[test]
    fn words_that_meet_by_chance_are_none() {
        // Three times together, and each ten times and more apart.
        let text = format!("red car red car red car {} {}", "red. ".repeat(12), "car. ".repeat(12));
        assert!(found(&[&text]).0.is_empty());
        assert!(found(&["red car, red car"]).0.is_empty());
        assert!(found(&["bang bang bang bang bang"]).0.is_empty());
    }

    #[test]
    fn the_longest_phrase_is_found() {
        let (phrases, places) = found(&["new york city. new york city. new york city. new york"]);
        assert_eq!(phrases, ["new york city", "new york"]);
        assert_eq!(places, [vec![(0, 0), (3, 0), (6, 0), (9, 1)]]);
    }
}
