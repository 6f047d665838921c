//! Why there are as many topics as there are, for people and for programs.

use super::words::{percent, plural};
use crate::fit::Fit;
use crate::topic_model::{Halves, LikelyNumber, SubjectChoice, Tried};

/// Why there are as many topics as there are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownChoice {
    /// Numbers of topics tried, in increasing order, with the perplexity of held-out words.
    pub(super) tried: Vec<Tried>,
    /// Numbers of topics by how probable they are.
    pub(super) numbers: Vec<LikelyNumber>,
    /// What becomes of the groups with half of the words.
    pub(super) halves: Option<Halves>,
    /// What they say, in a few sentences.
    pub(super) sentence: String,
}

impl ShownChoice {
    /// What was tried for the documents of a fit; `None` if their number of topics was asked for.
    pub(super) fn of(fit: &Fit) -> Option<Self> {
        let config = &fit.saved().config;
        let (topics, documents) = (config.topics, config.documents);
        if let Some(subjects) = &config.assessment.subjects {
            return Some(Self::of_subjects(subjects, topics, documents));
        }
        let tried = config.assessment.tried.as_ref()?;
        Some(Self::of_held_out_words(tried, topics, documents))
    }

    /// How many subjects `documents` documents have, and that `topics` topics came of it.
    fn of_subjects(choice: &SubjectChoice, topics: usize, documents: usize) -> Self {
        let seem = if documents == 1 { "seems" } else { "seem" };
        let mut said = vec![format!(
            "{} {seem} to speak of {}{}.",
            capital(&counted(documents, "document")),
            counted(topics, "subject"),
            others_said(&choice.numbers, topics)
        )];
        said.extend(choice.halves.map(|halves| halves_said(halves, documents)));
        said.extend(neighbours_said(&choice.numbers, topics));
        let (numbers, halves) = (choice.numbers.clone(), choice.halves);
        Self { tried: Vec::new(), numbers, halves, sentence: said.join(" ") }
    }

    /// What was tried for `documents` documents, and that `topics` topics came of it.
    fn of_held_out_words(tried: &[Tried], topics: usize, documents: usize) -> Self {
        let support = if documents == 1 { "supports" } else { "support" };
        let why = match tried.last() {
            None => "there are too few words to tell",
            Some(last) if last.topics == topics => "more were not tried",
            Some(_) => "more would split hairs, for they predict held-out words no better",
        };
        let (documents, topics) = (counted(documents, "document"), counted(topics, "topic"));
        let sentence = format!("{} {support} {topics}: {why}.", capital(&documents));
        Self { tried: tried.to_vec(), numbers: Vec::new(), halves: None, sentence }
    }

    /// For a terminal, with `details` for those who want numbers.
    pub(super) fn text(&self, details: bool) -> String {
        let mut text = format!("{}\n", self.sentence);
        let tried = self
            .tried
            .iter()
            .map(|Tried { topics, perplexity }| format!("{topics}: {perplexity:.0}"))
            .collect::<Vec<_>>();
        let likely = self.numbers.iter().map(|number| {
            let LikelyNumber { topics, probability, .. } = number;
            format!("{topics}: {}", percent(*probability))
        });
        let likely: Vec<String> = likely.collect();
        for (name, numbers) in
            [("perplexity of held-out words", tried), ("probability of subjects", likely)]
        {
            if details && !numbers.is_empty() {
                text += &format!("  {name} by topics: {}\n", numbers.join("  "));
            }
        }
        text
    }
}

/// A number that is at least as probable as this share of the chosen one's probability could as well be right.
const AS_LIKELY: f64 = 0.5;

/// The most other numbers that are named.
const MOST_OTHERS: usize = 2;

/// Which other numbers of subjects could as well be right.
fn others_said(numbers: &[LikelyNumber], topics: usize) -> String {
    let Some(chosen) = numbers.get(topics - 1) else { return String::new() };
    let could_be = |it: &&LikelyNumber| {
        it.topics != topics && it.probability >= AS_LIKELY * chosen.probability
    };
    let mut others: Vec<&LikelyNumber> = numbers.iter().filter(could_be).collect();
    others.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    others.truncate(MOST_OTHERS);
    others.sort_by_key(|it| it.topics);
    let words: Vec<String> = others.iter().map(|it| number_word(it.topics)).collect();
    if words.is_empty() {
        return String::new();
    }
    format!("; {} could be right as well", words.join(" or "))
}

/// What half of the words say, in a sentence that a person can check.
fn halves_said(halves: Halves, documents: usize) -> String {
    let Halves { drawn, same, stayed } = halves;
    if halves.are_mostly_the_same() {
        return format!(
            "With half of their words, the same groups came out in {same} of {drawn} tries."
        );
    }
    let kept = (stayed * documents as f64).round() as usize;
    let caution = if halves.are_doubtful() { ": take the groups with caution" } else { "" };
    format!("With half of their words, {kept} of {documents} stay in their group{caution}.")
}

/// What one topic fewer would join, and what one more would split.
fn neighbours_said(numbers: &[LikelyNumber], topics: usize) -> Option<String> {
    let groups = |number: usize| {
        let groups = numbers.get(number.checked_sub(1)?).map(|it| &it.groups[..]);
        groups.filter(|groups| !groups.is_empty())
    };
    let own = groups(topics)?;
    let fewer = groups(topics - 1).and_then(|fewer| joined(own, fewer)).map(|(pair, _)| pair);
    let more = groups(topics + 1).and_then(|more| joined(more, own)).map(|(_, home)| home);
    let fewer = fewer.filter(|_| topics > 2).map(|(a, b)| (a + 1, b + 1));
    let more = more.map(|k| k + 1);
    match (fewer, more) {
        (None, None) => None,
        (Some((a, b)), None) => Some(format!("One topic fewer would join topics {a} and {b}.")),
        (None, Some(k)) => Some(format!("One topic more would split topic {k}.")),
        (Some((a, b)), Some(k)) => Some(format!(
            "One topic fewer would join topics {a} and {b}; one more would split topic {k}."
        )),
    }
}

/// The first two groups of a finer grouping that are mostly in one group of a coarser one, and that
/// group.
fn joined(finer: &[usize], coarser: &[usize]) -> Option<((usize, usize), usize)> {
    let homes = homes(finer, coarser);
    let mut pairs = (0..homes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let (a, b) = pairs.find(|&(a, b)| homes[a] == homes[b])?;
    Some(((a, b), homes[a]))
}

/// For each group of one grouping, the group of another in which most of its documents are.
fn homes(groups: &[usize], others: &[usize]) -> Vec<usize> {
    let count = |groups: &[usize]| groups.iter().max().map_or(0, |last| last + 1);
    let mut shared = vec![vec![0; count(others)]; count(groups)];
    groups.iter().zip(others).for_each(|(&a, &b)| shared[a][b] += 1);
    let home = |shared: &Vec<usize>| {
        (0..shared.len()).rev().max_by_key(|&b| shared[b]).expect("there is a group")
    };
    shared.iter().map(home).collect()
}

/// A sentence's first word.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// A small number as a word.
fn number_word(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// A small number as a word, and what it counts.
fn counted(number: usize, thing: &str) -> String {
    format!("{} {}", number_word(number), plural(number, thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(groupings: &[&[usize]], halves: Option<Halves>) -> SubjectChoice {
        let number = |(i, groups): (usize, &&[usize])| LikelyNumber {
            topics: i + 1,
            probability: [0.05, 0.2, 0.5, 0.3][i],
            groups: groups.to_vec(),
        };
        SubjectChoice { numbers: groupings.iter().enumerate().map(number).collect(), halves }
    }

    #[test]
    fn a_person_can_check_what_is_said() {
        let groupings: [&[usize]; 4] =
            [&[0; 6], &[0, 0, 1, 1, 1, 1], &[0, 0, 1, 1, 2, 2], &[0, 0, 1, 2, 3, 3]];
        let halves = Halves { drawn: 10, same: 9, stayed: 0.97 };
        let subjects = choice(&groupings, Some(halves));
        assert_eq!(
            ShownChoice::of_subjects(&subjects, 3, 6).sentence,
            "Six documents seem to speak of three subjects; four could be right as well. With half of \
             their words, the same groups came out in 9 of 10 tries. One topic fewer would join topics \
             2 and 3; one more would split topic 2."
        );
        let doubtful = Halves { drawn: 10, same: 1, stayed: 0.66 };
        let subjects = choice(&groupings, Some(doubtful));
        let said = ShownChoice::of_subjects(&subjects, 2, 6).sentence;
        assert!(said.contains("of two subjects; three or four could be right as well. With half"));
        assert!(said.contains("4 of 6 stay in their group: take the groups with caution."));
        assert!(said.ends_with("One topic more would split topic 2."), "{said}");
        let alone = choice(&[&[0]], None);
        let said = ShownChoice::of_subjects(&alone, 1, 1).sentence;
        assert_eq!(said, "One document seems to speak of one subject.");
    }
}
