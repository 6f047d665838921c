//! tf-idf that knows no other documents than those it weighs.

use handful::internals::corpus::WordCounts;

/// Returns the terms of some documents, in increasing order, and the documents' tf-idf: documents ×
/// these terms. It is that of scikit-learn's defaults, each document scaled to length 1:
///
/// ```text
/// count · (1 + ln((1 + N) / (1 + n_j)))
/// ```
///
/// N is the number of documents, n_j that of documents with term j.
pub(super) fn own_tf_idf(documents: &WordCounts) -> (Vec<u32>, Vec<Vec<f64>>) {
    let terms = documents.distinct_terms();
    let mut matrix = vec![vec![0.0; terms.len()]; documents.documents()];
    let mut with_term = vec![0.0; terms.len()];
    for (n, row) in matrix.iter_mut().enumerate() {
        for (term, count) in documents.row(n) {
            let column = terms.binary_search(&term).expect("it occurs");
            row[column] = f64::from(count);
            with_term[column] += 1.0;
        }
    }
    let all = 1.0 + documents.documents() as f64;
    for row in &mut matrix {
        row.iter_mut().zip(&with_term).for_each(|(x, with)| *x *= 1.0 + (all / (1.0 + with)).ln());
        let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|x| *x /= length);
        }
    }
    (terms, matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_formula() {
        let mut documents = WordCounts::new();
        documents.push_row([(2, 3), (5, 1)]);
        documents.push_row([(5, 2)]);
        documents.push_row([]);
        let (terms, matrix) = own_tf_idf(&documents);
        assert_eq!(terms, [2, 5]);
        // 3 (1 + ln(4/2)) and 1 (1 + ln(4/3)), scaled to length 1.
        let (rare, common) = (3.0 * (1.0 + 2.0f64.ln()), 1.0 + (4.0f64 / 3.0).ln());
        let length = (rare * rare + common * common).sqrt();
        assert!((matrix[0][0] - rare / length).abs() < 1e-12);
        assert!((matrix[0][1] - common / length).abs() < 1e-12);
        assert_eq!((&matrix[1][..], &matrix[2][..]), (&[0.0, 1.0][..], &[0.0, 0.0][..]));
    }
}
