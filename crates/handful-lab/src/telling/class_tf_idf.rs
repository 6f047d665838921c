//! Class-based tf-idf, which names groups of documents by their words.

use handful::internals::corpus::WordCounts;
use handful::internals::numeric::largest;

/// The terms that name each group, at most `most`, the best first, by
///
/// ```text
/// tf_gj · ln(1 + A / f_j)
/// ```
///
/// tf_gj is how often group g says term j, f_j how often all groups do, and A the mean number of words
/// of a group (Grootendorst, "BERTopic", 2022). A group without words has no terms.
pub fn class_tf_idf(
    documents: &WordCounts,
    groups: &[usize],
    topics: usize,
    most: usize,
) -> Vec<Vec<u32>> {
    let terms = documents.distinct_terms();
    let mut counts = vec![vec![0.0; terms.len()]; topics];
    for (n, &group) in groups.iter().enumerate() {
        for (term, count) in documents.row(n) {
            let column = terms.binary_search(&term).expect("it occurs");
            counts[group][column] += f64::from(count);
        }
    }
    let of_term = |j: usize| counts.iter().map(|group| group[j]).sum::<f64>();
    let all: Vec<f64> = (0..terms.len()).map(of_term).collect();
    let words = all.iter().sum::<f64>() / topics as f64;
    let name = |group: &Vec<f64>| {
        let scores = group.iter().zip(&all).map(|(tf, all)| tf * (1.0 + words / all).ln());
        let scores: Vec<f64> = scores.collect();
        let best = largest(&scores, most).into_iter().map(|j| j as usize);
        best.filter(|&j| scores[j] > 0.0).map(|j| terms[j]).collect()
    };
    counts.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_ranked_as_the_formula_says() {
        let mut documents = WordCounts::new();
        documents.push_row([(1, 4), (2, 3), (7, 1)]);
        documents.push_row([(1, 2), (9, 2)]);
        documents.push_row([(1, 6), (3, 2)]);
        // Two groups of 12 and 8 words, so A = 10, and f = 12, 3, 2, 1, 2 of the terms 1, 2, 3, 7, 9.
        // The first: 6 ln(1 + 10/12) = 3.64, 3 ln(1 + 10/3) = 4.40, 2 ln(1 + 10/2) = 3.58 and
        // ln(1 + 10) = 2.40. The second: 6 ln(1 + 10/12) = 3.64 and 2 ln(1 + 10/2) = 3.58.
        let terms = class_tf_idf(&documents, &[0, 0, 1], 2, 3);
        assert_eq!(terms, [vec![2, 1, 9], vec![1, 3]]);
        let with_an_empty_group = class_tf_idf(&documents, &[2, 2, 0], 3, 3);
        assert!(with_an_empty_group[1].is_empty());
    }
}
