//! Which documents a page shows: all of a few, and of many those that say most of each topic.

use super::super::words::in_place_of_shares;
use crate::fit::{Fit, FittedDocument};
use crate::topic_model::TopicModel;

/// Up to as many documents, every one is shown word by word.
const MOST_READ: usize = 200;

/// Of more documents, so many of each topic are shown word by word.
const READ_OF_A_TOPIC: usize = 3;

/// Their words are at most so many in all: with more, a page opens slowly.
const WORDS_IN_ALL: usize = 20_000;

/// The most documents whose proportions are shown.
const MOST_ROWS: usize = 1_000;

/// The most words of a document that are shown: more make the page slow, and nobody reads them there.
const MOST_WORDS: usize = 3_000;

/// Which documents are shown, in their order.
pub(super) struct ShownDocuments {
    /// Those whose proportions are shown.
    pub(super) rows: Vec<usize>,
    /// Those that are shown word by word. They are all among the rows.
    pub(super) read: Vec<usize>,
    /// The most words of each that are shown.
    pub(super) most_words: usize,
    /// Which rows are shown, in a sentence, if not all are.
    pub(super) said_of_rows: Option<String>,
    /// Which documents are shown word by word, in a sentence, if not all are.
    pub(super) said_of_read: Option<String>,
}

impl ShownDocuments {
    pub(super) fn of(fit: &Fit) -> Self {
        // One whose shares say nothing is typical of no topic, as if it had no words.
        let counted = |document: FittedDocument<'_>| match in_place_of_shares(&document) {
            None => document.words,
            Some(_) => 0,
        };
        let words: Vec<u64> = fit.documents().into_iter().map(counted).collect();
        Self::among(fit.topic_model(), &words)
    }

    /// Among documents with so many words each.
    fn among(model: &TopicModel, words: &[u64]) -> Self {
        let (count, topics) = (words.len(), model.topics);
        let all = || (0..count).collect::<Vec<usize>>();
        if count <= MOST_READ {
            return Self {
                rows: all(),
                read: all(),
                most_words: MOST_WORDS,
                said_of_rows: None,
                said_of_read: None,
            };
        }
        let typical = typical(model, words);
        let read = first_of_each(&typical, READ_OF_A_TOPIC);
        let of_a_topic = (MOST_ROWS / topics).max(READ_OF_A_TOPIC);
        let rows = if count <= MOST_ROWS { all() } else { first_of_each(&typical, of_a_topic) };
        let said = |shown: usize, each: usize| {
            format!(
                "Shown are {shown} of the {count} documents: the {each} that have most words of each \
                 topic."
            )
        };
        Self {
            most_words: MOST_WORDS.min(WORDS_IN_ALL / read.len().max(1)),
            said_of_rows: (rows.len() < count).then(|| said(rows.len(), of_a_topic)),
            said_of_read: Some(said(read.len(), READ_OF_A_TOPIC)),
            rows,
            read,
        }
    }
}

/// The documents that have most of each topic, those with most words of it first.
fn typical(model: &TopicModel, words: &[u64]) -> Vec<Vec<usize>> {
    let mut of_topics = vec![Vec::new(); model.topics];
    for (n, &words) in words.iter().enumerate().filter(|(_, words)| **words > 0) {
        let k = model.main_topic(n);
        of_topics[k].push((f64::from(model.proportions_of(n)[k]) * words as f64, n));
    }
    let in_order = |mut documents: Vec<(f64, usize)>| {
        documents.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        documents.into_iter().map(|(_, n)| n).collect()
    };
    of_topics.into_iter().map(in_order).collect()
}

/// The first documents of each topic, all in their own order.
fn first_of_each(typical: &[Vec<usize>], most: usize) -> Vec<usize> {
    let mut first: Vec<usize> =
        typical.iter().flat_map(|documents| documents.iter().take(most).copied()).collect();
    first.sort_unstable();
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents of two topics in turn, each with its number of words.
    fn shown(count: usize) -> ShownDocuments {
        let theta: Vec<f32> =
            (0..count).flat_map(|n| if n % 2 == 0 { [0.75, 0.25] } else { [0.25, 0.75] }).collect();
        let model = TopicModel::by_hand(&[0.5; 2], &theta, &[1.0; 2]);
        let words: Vec<u64> = (0..count as u64).collect();
        ShownDocuments::among(&model, &words)
    }

    #[test]
    fn all_of_a_few_documents_are_shown_word_by_word() {
        let shown = shown(200);
        assert_eq!((shown.rows.len(), shown.read.len(), shown.most_words), (200, 200, 3000));
        assert_eq!((shown.said_of_rows, shown.said_of_read), (None, None));
    }

    #[test]
    fn of_many_documents_those_that_say_most_are_shown() {
        let some = shown(900);
        assert_eq!(some.read, [894, 895, 896, 897, 898, 899]);
        assert_eq!((some.rows.len(), some.said_of_rows), (900, None));
        assert_eq!(some.most_words, 3000);
        let many = shown(4000);
        assert_eq!(many.rows, (3000..4000).collect::<Vec<_>>());
        assert_eq!(many.read, [3994, 3995, 3996, 3997, 3998, 3999]);
        let said = "Shown are 6 of the 4000 documents: the 3 that have most words of each topic.";
        assert_eq!(many.said_of_read.as_deref(), Some(said));
        let said =
            "Shown are 1000 of the 4000 documents: the 500 that have most words of each topic.";
        assert_eq!(many.said_of_rows.as_deref(), Some(said));
    }
}
