//! Measures whether documents of the same class were put into the same group.

use std::collections::BTreeMap;

/// Computes the share of documents whose class is the most frequent one in their group. It is 1 if
/// no group mixes classes, and at least that of a single group of all documents.
///
/// For no documents it is 1.
pub fn purity(groups: &[usize], classes: &[usize]) -> f64 {
    let mut largest: BTreeMap<usize, usize> = BTreeMap::new();
    for ((group, _), documents) in shared(groups, classes) {
        let most = largest.entry(group).or_default();
        *most = documents.max(*most);
    }
    match groups.len() {
        0 => 1.0,
        documents => largest.values().sum::<usize>() as f64 / documents as f64,
    }
}

/// Computes the normalised mutual information of groups and classes: I(groups, classes) / mean of
/// their entropies, with the arithmetic mean as in scikit-learn's default (Vinh, Epps and Bailey,
/// "Information theoretic measures for clusterings comparison", 2010). It is 1 if they are the
/// same, and 0 if one tells nothing about the other.
///
/// It is 1, too, if all documents are in one group and in one class.
pub fn normalised_mutual_information(groups: &[usize], classes: &[usize]) -> f64 {
    let documents = groups.len() as f64;
    let entropy = |sizes: &BTreeMap<usize, usize>| -> f64 {
        sizes.values().map(|&size| size as f64 / documents).map(|p| -p * p.ln()).sum()
    };
    let (of_groups, of_classes) = (sizes(groups), sizes(classes));
    if of_groups.len() <= 1 && of_classes.len() <= 1 {
        return 1.0;
    }
    let mut information = 0.0;
    for ((group, class), both) in shared(groups, classes) {
        let independent = (of_groups[&group] * of_classes[&class]) as f64;
        let both = both as f64;
        information += both / documents * (both * documents / independent).ln();
    }
    // Rounding may make it slightly negative.
    information.max(0.0) / (0.5 * (entropy(&of_groups) + entropy(&of_classes)))
}

/// Computes the adjusted Rand index of groups and classes (Hubert and Arabie, "Comparing partitions",
/// 1985): how many pairs of documents are together in both, beyond what is expected of random groups
/// of the same sizes, as a share of the most that is possible. It is 1 if they are the same, 0 on
/// average at random, and can be negative.
///
/// It is 1, too, if nothing else is possible: all documents are in one group and one class, or each is
/// alone in both.
pub fn adjusted_rand_index(groups: &[usize], classes: &[usize]) -> f64 {
    let pairs = |size: usize| (size * size.saturating_sub(1) / 2) as f64;
    let of_sizes = |sizes: &BTreeMap<usize, usize>| sizes.values().map(|&n| pairs(n)).sum::<f64>();
    let (of_groups, of_classes) = (of_sizes(&sizes(groups)), of_sizes(&sizes(classes)));
    let both: f64 = shared(groups, classes).values().map(|&n| pairs(n)).sum();
    let all = pairs(groups.len()).max(1.0);
    let expected = of_groups * of_classes / all;
    let most = 0.5 * (of_groups + of_classes);
    if most == expected { 1.0 } else { (both - expected) / (most - expected) }
}

/// Counts the documents of each label.
fn sizes(labels: &[usize]) -> BTreeMap<usize, usize> {
    let mut sizes = BTreeMap::new();
    labels.iter().for_each(|&label| *sizes.entry(label).or_default() += 1);
    sizes
}

/// Counts the documents of each pair of a group and a class that has any.
fn shared(groups: &[usize], classes: &[usize]) -> BTreeMap<(usize, usize), usize> {
    debug_assert_eq!(groups.len(), classes.len());
    let mut shared = BTreeMap::new();
    for (&group, &class) in groups.iter().zip(classes) {
        *shared.entry((group, class)).or_default() += 1;
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn purity_and_information_agree_with_other_programs() {
        let classes = [0, 0, 1, 1, 2, 2];
        // NMI by scikit-learn 1.9.1's normalized_mutual_info_score; purity counted by hand.
        for (groups, pure, information) in [
            ([2, 2, 0, 0, 1, 1], 1.0, 1.0),
            ([0, 0, 0, 1, 1, 2], 4.0 / 6.0, 0.5206652463984818),
            ([0, 1, 0, 1, 0, 1], 2.0 / 6.0, 0.0),
            ([7, 7, 7, 7, 7, 7], 2.0 / 6.0, 0.0),
            ([0, 1, 2, 3, 4, 5], 1.0, 0.7601875334318686),
        ] {
            assert!((purity(&groups, &classes) - pure).abs() < 1e-15, "{groups:?}");
            let nmi = normalised_mutual_information(&groups, &classes);
            assert!((nmi - information).abs() < 1e-12, "{groups:?}: {nmi}");
        }
        let (groups, classes) = ([5, 5, 9, 5, 9, 2, 2], [0, 0, 0, 1, 1, 1, 1]);
        assert!((purity(&groups, &classes) - 5.0 / 7.0).abs() < 1e-15);
        let nmi = normalised_mutual_information(&groups, &classes);
        assert!((nmi - 0.24073355931192378).abs() < 1e-12, "{nmi}");
    }

    #[test]
    fn information_of_two_pairs_and_a_split_one_can_be_computed_by_hand() {
        // Groups of 2, 2, 1, 1: I = H(classes) = log 3, H(groups) = log 3 + (log 2) / 3.
        let nmi = normalised_mutual_information(&[0, 0, 1, 1, 2, 3], &[0, 0, 1, 1, 2, 2]);
        let (three, two) = (3f64.ln(), 2f64.ln());
        assert!((nmi - three / (three + two / 6.0)).abs() < 1e-12, "{nmi}");
    }

    #[test]
    fn the_adjusted_rand_index_can_be_counted_by_hand() {
        for (groups, classes, expected) in [
            // The examples of scikit-learn's documentation. Pairs together in both, in groups and in
            // classes, of six: 2, 2, 2; 1, 1, 2; 1, 2, 1; 0, 0, 6; so (1 − 1/3) / (3/2 − 1/3) = 4/7.
            (vec![0, 0, 1, 1], vec![1, 1, 0, 0], 1.0),
            (vec![0, 0, 1, 2], vec![0, 0, 1, 1], 4.0 / 7.0),
            (vec![0, 0, 1, 1], vec![0, 0, 1, 2], 4.0 / 7.0),
            (vec![0, 1, 2, 3], vec![0, 0, 0, 0], 0.0),
            // 0 together in both, 2 and 2 of six: (0 − 2/3) / (2 − 2/3) = −1/2.
            (vec![0, 0, 1, 1], vec![0, 1, 0, 1], -0.5),
            // Groups of 3, 2, 1 have 3 + 1 pairs, classes of two 3, both 1, of 15:
            // (1 − 12/15) / (7/2 − 12/15) = 2/27.
            (vec![0, 0, 0, 1, 1, 2], vec![0, 0, 1, 1, 2, 2], 2.0 / 27.0),
        ] {
            let found = adjusted_rand_index(&groups, &classes);
            assert!((found - expected).abs() < 1e-15, "{groups:?}, {classes:?}: {found}");
        }
    }

    #[test]
    fn random_groups_have_an_adjusted_rand_index_of_zero_on_average() {
        // All ways to put the six documents into a group of three, one of two and one of one.
        let (mut sum, mut ways) = (0.0, 0);
        for way in 0..3usize.pow(6) {
            let groups: Vec<usize> = (0..6).map(|i| way / 3usize.pow(i) % 3).collect();
            let size = |group: usize| groups.iter().filter(|&&other| other == group).count();
            if [size(0), size(1), size(2)] == [3, 2, 1] {
                sum += adjusted_rand_index(&groups, &[0, 0, 1, 1, 2, 2]);
                ways += 1;
            }
        }
        assert_eq!(ways, 60);
        assert!(sum.abs() < 1e-12, "{sum}");
    }

    #[test]
    fn what_cannot_be_told_apart_is_the_same() {
        for labels in [&[][..], &[4], &[4, 4], &[4, 5]] {
            assert_eq!(adjusted_rand_index(labels, labels), 1.0, "{labels:?}");
        }
        assert_eq!(normalised_mutual_information(&[3, 3], &[1, 1]), 1.0);
        assert_eq!((purity(&[], &[]), normalised_mutual_information(&[], &[])), (1.0, 1.0));
    }

    proptest! {
        #[test]
        fn names_of_groups_do_not_matter(
            labels in prop::collection::vec((0usize..4, 0usize..4), 1..30),
            shift in 1usize..9,
        ) {
            let (groups, classes): (Vec<usize>, Vec<usize>) = labels.into_iter().unzip();
            let renamed: Vec<usize> = groups.iter().map(|group| (3 - group) * shift).collect();
            prop_assert_eq!(purity(&groups, &classes), purity(&renamed, &classes));
            let nmi = |a: &[usize], b: &[usize]| normalised_mutual_information(a, b);
            prop_assert!((nmi(&groups, &classes) - nmi(&renamed, &classes)).abs() < 1e-12);
            prop_assert!((nmi(&groups, &classes) - nmi(&classes, &groups)).abs() < 1e-12);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&nmi(&groups, &classes)));
            let ari = adjusted_rand_index(&groups, &classes);
            prop_assert_eq!(ari, adjusted_rand_index(&renamed, &classes));
            prop_assert_eq!(ari, adjusted_rand_index(&classes, &groups));
            prop_assert!((-1.0..=1.0).contains(&ari));
        }
    }
}
