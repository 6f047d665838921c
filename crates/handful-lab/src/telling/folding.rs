//! Which terms a document contains, whatever form of its words a method shows.

use handful::text::{Vocabulary, base_form};
use std::collections::HashMap;

/// Brings words to the form that stands for all of their forms, so that no method gains by the form it
/// shows, nor by showing several.
#[derive(Clone, Copy, Debug)]
pub struct Folding<'a> {
    vocabulary: &'a Vocabulary,
}

impl<'a> Folding<'a> {
    /// Words of this vocabulary may be the form that stands for others.
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        Self { vocabulary }
    }

    fn word(&self, word: &str) -> String {
        base_form(word, |base| self.vocabulary.index(base).is_some()).into_owned()
    }

    /// The words of a term: several of a phrase.
    pub fn term(&self, term: &str) -> Vec<String> {
        term.split(' ').map(|word| self.word(word)).collect()
    }

    /// All words of a text, in order.
    pub fn text(&self, words: &[String]) -> FoldedText {
        let words: Vec<String> = words.iter().map(|word| self.word(word)).collect();
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (i, word) in words.iter().enumerate() {
            places.entry(word.clone()).or_default().push(i);
        }
        FoldedText { words, places }
    }
}

/// The words of a text in the forms that stand for all of their forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedText {
    words: Vec<String>,
    places: HashMap<String, Vec<usize>>,
}

impl FoldedText {
    /// The number of words, stop words included.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// How often the words of a term follow each other in it.
    pub fn count(&self, term: &[String]) -> usize {
        let Some(places) = term.first().and_then(|first| self.places.get(first)) else { return 0 };
        places.iter().filter(|&&place| self.words[place..].starts_with(term)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_form_of_a_term_counts_and_a_phrase_where_its_words_follow_each_other() {
        let words = ["white", "house", "houses", "rate", "interest", "the"];
        let vocabulary = Vocabulary::from_terms(words.map(str::to_owned).to_vec()).unwrap();
        let folding = Folding::new(&vocabulary);
        let text = "the white house and the houses of white rates interest rates";
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let text = folding.text(&words);
        for (term, count) in [
            ("house", 2),
            ("houses", 2),
            ("white house", 1),
            ("white houses", 1),
            ("interest rate", 1),
            ("rate", 2),
            ("rate interest", 1),
            ("house white", 0),
            ("interest rates interest", 0),
            ("moon", 0),
        ] {
            assert_eq!(text.count(&folding.term(term)), count, "{term}");
        }
        assert_eq!(text.words(), 11);
    }
}
