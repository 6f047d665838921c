//! The silhouette: how much nearer points are to their own group than to the next.

use super::Gram;

/// Returns the grouping with the highest mean silhouette of those for each number of groups, the
/// first of equal ones. With no number to try, all points are in one group.
pub fn best_silhouette(
    points: &Gram,
    numbers: impl IntoIterator<Item = usize>,
    group: impl Fn(usize) -> Vec<usize>,
) -> Vec<usize> {
    let mut best = (f64::NEG_INFINITY, vec![0; points.size()]);
    for number in numbers {
        let groups = group(number);
        let silhouette = mean_silhouette(points, &groups);
        if silhouette > best.0 {
            best = (silhouette, groups);
        }
    }
    best.1
}

/// Computes the mean silhouette of some points (Rousseeuw, "Silhouettes", 1987): (b − a) / max(a, b),
/// where a is the mean distance to the others of its group and b that to the nearest other group. It
/// is 0 for a point that is alone in its group, and if all points are in one group.
pub fn mean_silhouette(points: &Gram, groups: &[usize]) -> f64 {
    let number = groups.iter().max().map_or(0, |last| last + 1);
    let silhouette = |i: usize| {
        let mut sums = vec![(0.0, 0usize); number];
        for j in (0..points.size()).filter(|&j| j != i) {
            let (sum, members) = &mut sums[groups[j]];
            *sum += points.distance(i, j).sqrt();
            *members += 1;
        }
        let mean = |(sum, members): (f64, usize)| (members > 0).then(|| sum / members as f64);
        let others = (0..number).filter(|&group| group != groups[i]);
        let nearest = others.filter_map(|group| mean(sums[group])).min_by(f64::total_cmp);
        match (mean(sums[groups[i]]), nearest) {
            (Some(own), Some(nearest)) if own.max(nearest) > 0.0 => {
                (nearest - own) / own.max(nearest)
            }
            _ => 0.0,
        }
    };
    (0..points.size()).map(silhouette).sum::<f64>() / points.size().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gram(points: &[f64]) -> Gram {
        Gram::new(points.len(), |i, j| points[i] * points[j])
    }

    #[test]
    fn silhouettes_are_those_of_the_definition() {
        let points = gram(&[0.0, 1.0, 4.0, 6.0]);
        // Of the first point a = 1 and b = 5, of the others 1 and 4, 2 and 3.5, 2 and 5.5.
        let expected = (4.0 / 5.0 + 3.0 / 4.0 + 1.5 / 3.5 + 3.5 / 5.5) / 4.0;
        let found = mean_silhouette(&points, &[0, 0, 1, 1]);
        assert!((found - expected).abs() < 1e-12, "{found}");
        // The third point is alone. Of the first a = 1 and b = 4 (the nearer of 4 and 6).
        let expected = (3.0 / 4.0 + 2.0 / 3.0) / 4.0;
        let found = mean_silhouette(&points, &[0, 0, 2, 1]);
        assert!((found - expected).abs() < 1e-12, "{found}");
        assert_eq!(mean_silhouette(&points, &[0; 4]), 0.0);
        assert_eq!(mean_silhouette(&gram(&[1.0; 4]), &[0, 0, 1, 1]), 0.0);
    }

    #[test]
    fn the_number_of_groups_with_the_best_silhouette_is_taken() {
        let points = gram(&[0.0, 0.1, 5.0, 5.1, 9.0, 9.1]);
        let grouped = |number: usize| match number {
            2 => vec![0, 0, 1, 1, 1, 1],
            3 => vec![0, 0, 1, 1, 2, 2],
            _ => vec![0, 3, 1, 1, 2, 2],
        };
        assert_eq!(best_silhouette(&points, 2..=4, grouped), [0, 0, 1, 1, 2, 2]);
        assert_eq!(best_silhouette(&points, 2..2, grouped), [0; 6]);
    }
}
