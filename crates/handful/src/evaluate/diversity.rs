//! Diversity: whether topics have different top terms.

use std::collections::BTreeSet;

/// Computes the share of distinct terms among the top terms of topics (Dieng, Ruiz and Blei, "Topic
/// modeling in embedding spaces", 2020). Returns `None` if there are no terms.
pub fn diversity<T: AsRef<[u32]>>(top_terms: &[T]) -> Option<f64> {
    let shown: Vec<u32> = top_terms.iter().flat_map(|terms| terms.as_ref()).copied().collect();
    let distinct: BTreeSet<u32> = shown.iter().copied().collect();
    (!shown.is_empty()).then(|| distinct.len() as f64 / shown.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_is_shown_twice_is_one() {
        assert_eq!(diversity(&[[1, 2, 3], [3, 4, 5]]), Some(5.0 / 6.0));
        assert_eq!(diversity(&[[1, 2], [1, 2]]), Some(0.5));
        assert_eq!(diversity(&[[1, 2], [3, 4]]), Some(1.0));
        assert_eq!(diversity::<[u32; 0]>(&[]), None);
    }
}
