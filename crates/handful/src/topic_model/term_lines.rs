//! Which terms share a place in a topic's list: forms of one word, and a phrase with its words.

use super::Ranking;
use super::misspelled::Spelling;
use super::ranking::relevance;
use super::telling_terms::{Telling, TellingTerm};
use crate::text::{Vocabulary, base_form};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many terms of each topic are kept.
const MOST: usize = 100;

/// A word that is said more than this many times as often by itself as in any phrase stands for its phrases: more
/// documents of the topic say it.
const BY_ITSELF: f64 = 0.5;

/// Expressions that take one place.
struct Line<'a> {
    /// The words in the forms that stand for all forms.
    words: Vec<String>,
    /// Its own forms. The most frequent one is shown.
    forms: Vec<Telling<'a>>,
    /// What is listed with it: the words of a phrase, or the phrases of a word.
    joined: Vec<Telling<'a>>,
}

impl Line<'_> {
    fn all(&self) -> impl Iterator<Item = &Telling<'_>> {
        self.forms.iter().chain(&self.joined)
    }

    fn score(&self) -> f64 {
        self.all().map(|one| one.score).sum()
    }

    /// How often the topic says it, as itself.
    fn said(&self) -> f64 {
        self.forms.iter().map(|one| one.said).sum()
    }

    fn is_word(&self) -> bool {
        self.words.len() == 1
    }

    /// Whether it is a phrase with the word of another line.
    fn has(&self, word: &Self) -> bool {
        !self.is_word() && word.is_word() && self.words.contains(&word.words[0])
    }
}

/// The most telling terms of a topic, each in one place with all that goes with it.
pub(super) fn lines(
    mut telling: Vec<Telling<'_>>,
    vocabulary: &Vocabulary,
    spelling: &Spelling<'_>,
) -> Vec<TellingTerm> {
    telling.sort_by(|a, b| b.score.total_cmp(&a.score));
    // Forms of the first terms may stand far behind them.
    telling.truncate(4 * MOST);
    telling.retain(|one| !spelling.is_misspelled(one.expression.term, one.expression.count));
    let mut lines = joined(of_forms(telling, vocabulary));
    sort(&mut lines);
    lines.truncate(MOST);
    let most = lines.first().map_or(1.0, Line::score);
    lines.into_iter().map(|line| shown(line, most, vocabulary)).collect()
}

fn sort(lines: &mut [Line<'_>]) {
    lines.sort_by(|a, b| b.score().total_cmp(&a.score()));
}

/// A line for all forms of a word or phrase, the most telling line first.
fn of_forms<'a>(telling: Vec<Telling<'a>>, vocabulary: &Vocabulary) -> Vec<Line<'a>> {
    let is_word = |word: &str| vocabulary.index(word).is_some();
    let mut lines: BTreeMap<Vec<String>, Vec<Telling<'_>>> = BTreeMap::new();
    for one in telling {
        let words = one.expression.words.iter();
        let words = words.map(|&term| base_form(vocabulary.term(term), is_word).into_owned());
        lines.entry(words.collect()).or_default().push(one);
    }
    let line = |(words, forms)| Line { words, forms, joined: Vec::new() };
    let mut lines: Vec<Line<'_>> = lines.into_iter().map(line).collect();
    sort(&mut lines);
    lines
}

/// Gives a phrase and its words one place. The phrase is shown, and its words are listed with it: `khan` with
/// `genghis khan`. But a word that is often said by itself is shown, and its phrases are listed
/// with it: `central bank` with `bank`.
///
/// A word of several phrases is listed with the one that is said most.
fn joined(mut lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    let all = 0..lines.len();
    let said: Vec<f64> = lines.iter().map(Line::said).collect();
    let leads = |word: usize| {
        let phrases = all.clone().filter(|&phrase| lines[phrase].has(&lines[word]));
        phrases
            .map(|phrase| said[phrase])
            .reduce(f64::max)
            .is_some_and(|most| said[word] > BY_ITSELF * most)
    };
    let leading: Vec<usize> = all.clone().filter(|&word| leads(word)).collect();
    // Lines come with the most telling one first, so the first of several is the one to be listed with.
    let leader =
        |phrase: usize| leading.iter().copied().find(|&word| lines[phrase].has(&lines[word]));
    let leaders: Vec<Option<usize>> = all.clone().map(leader).collect();
    let phrase_of = |word: usize| {
        let phrases = all.clone().filter(|&phrase| lines[phrase].has(&lines[word]));
        let shown = phrases.filter(|&phrase| leaders[phrase].is_none());
        shown.min_by(|&a, &b| said[b].total_cmp(&said[a]))
    };
    let place = |line: usize| match leading.contains(&line) {
        true => None,
        false => leaders[line].or_else(|| phrase_of(line)),
    };
    let places: Vec<Option<usize>> = all.clone().map(place).collect();
    for (line, place) in places.iter().enumerate() {
        if let &Some(place) = place {
            let forms = std::mem::take(&mut lines[line].forms);
            lines[place].joined.extend(forms);
        }
    }
    lines.retain(|line| !line.forms.is_empty());
    lines
}

/// A line as one term. The topic's first term scores `most`.
fn shown(mut line: Line<'_>, most: f64, vocabulary: &Vocabulary) -> TellingTerm {
    for forms in [&mut line.forms, &mut line.joined] {
        forms.sort_by_key(|one| Reverse(one.expression.count));
    }
    let spell = |one: &Telling<'_>| vocabulary.term(one.expression.term).to_owned();
    let phi: f64 = line.all().map(|one| one.phi).sum();
    let usual: f64 = line.all().map(|one| one.usual).sum();
    let first = &line.forms[0];
    TellingTerm {
        term: spell(first),
        forms: line.all().skip(1).map(spell).collect(),
        probability: phi as f32,
        relevance: relevance(Ranking::LAMBDA, phi, usual),
        telling: line.score() / most,
        count: line.all().map(|one| one.expression.count).sum(),
        documents: first.expression.documents,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic_model::Background;
    use crate::topic_model::term_evidence::{Expression, TermEvidence};

    /// The lines of terms that a topic says so often, each with what is listed with it. Of two terms, the
    /// one that is said more tells more.
    fn listed(terms: &[(&str, u64)]) -> Vec<Vec<String>> {
        let words = terms.iter().flat_map(|(term, _)| term.split(' '));
        let mut all: Vec<String> =
            words.chain(terms.iter().map(|(term, _)| *term)).map(str::to_owned).collect();
        all.sort();
        all.dedup();
        let vocabulary = Vocabulary::from_terms(all).unwrap();
        let index = |word: &str| vocabulary.index(word).unwrap();
        let expression = |&(term, count): &(&str, u64)| {
            let words = term.split(' ').map(index).collect();
            Expression::by_hand(index(term), words, count)
        };
        let expressions: Vec<Expression> = terms.iter().map(expression).collect();
        let telling = expressions.iter().map(|expression| Telling {
            expression,
            score: expression.count as f64,
            said: expression.count as f64,
            phi: 0.001,
            usual: 0.0001,
        });
        let background = Background::by_hand(&[0.0], &vec![0.0; vocabulary.len()]);
        let spelling = Spelling::of(&background, &TermEvidence::default(), &vocabulary);
        let lines = lines(telling.collect(), &vocabulary, &spelling);
        lines.into_iter().map(|line| [vec![line.term], line.forms].concat()).collect()
    }

    #[test]
    fn the_words_of_a_phrase_take_no_place_of_their_own() {
        let terms = [("genghis khan", 5), ("khan", 2), ("empire", 7), ("genghis", 1)];
        assert_eq!(listed(&terms), [vec!["genghis khan", "khan", "genghis"], vec!["empire"]]);
        // Any form of them.
        let terms = [("mortgage rates", 8), ("rate", 2), ("rates", 1), ("mortgages", 1)];
        assert_eq!(listed(&terms), [["mortgage rates", "rate", "rates", "mortgages"]]);
    }

    #[test]
    fn a_word_that_is_often_said_by_itself_stands_for_its_phrases() {
        let terms = [("bank", 9), ("central bank", 4), ("bank account", 3), ("account", 1)];
        assert_eq!(listed(&terms), [vec!["bank", "central bank", "bank account"], vec!["account"]]);
        assert_eq!(listed(&[("tin council", 5), ("tin", 3)]), [["tin", "tin council"]]);
    }

    #[test]
    fn a_word_of_several_phrases_is_listed_with_the_one_that_is_said_most() {
        let terms = [("oil", 2), ("crude oil", 4), ("oil prices", 5)];
        assert_eq!(listed(&terms), [vec!["oil prices", "oil"], vec!["crude oil"]]);
    }

    #[test]
    fn what_is_listed_together_counts_together() {
        let terms = [("tin", 2), ("tin council", 5), ("price", 6)];
        assert_eq!(listed(&terms)[0], ["tin council", "tin"]);
    }
}
