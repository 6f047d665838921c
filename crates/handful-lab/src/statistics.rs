//! Means with standard errors, the paired t-test, Holm's correction for several tests, and which
//! methods cannot be distinguished from the best.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Standard deviation / √n. `None` for a single value.
    pub standard_error: Option<f64>,
    /// n
    pub count: usize,
}

impl Mean {
    /// Computes the mean of at least one value.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len();
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let variance_of_mean = squares / ((count as f64 - 1.0) * count as f64);
        Self { mean, standard_error: (count > 1).then(|| variance_of_mean.sqrt()), count }
    }

    /// Computes the geometric mean of at least one positive value. Its standard error is by the
    /// delta method: that of the mean logarithm, times the mean.
    pub fn geometric(values: &[f64]) -> Self {
        let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let Self { mean, standard_error, count } = Self::of(&logarithms);
        let mean = mean.exp();
        Self { mean, standard_error: standard_error.map(|error| error * mean), count }
    }
}

/// Computes Pearson's correlation of two samples. Returns `None` if the values of one are all the
/// same.
pub fn correlation(some: &[f64], others: &[f64]) -> Option<f64> {
    let deviations = |values: &[f64]| -> Vec<f64> {
        let mean = Mean::of(values).mean;
        values.iter().map(|value| value - mean).collect()
    };
    // Rounding may leave a trace of a deviation where there is none.
    let varies = |values: &[f64]| values.iter().any(|value| *value != values[0]);
    if !(varies(some) && varies(others)) {
        return None;
    }
    let (some, others) = (deviations(some), deviations(others));
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    Some(sum(&some, &others) / (sum(&some, &some) * sum(&others, &others)).sqrt())
}

/// Computes the two-sided p-value of the hypothesis that two paired samples have the same mean.
/// Returns `None` for fewer than two pairs.
pub fn paired_t_test(some: &[f64], others: &[f64]) -> Option<f64> {
    let differences: Vec<f64> = some.iter().zip(others).map(|(a, b)| a - b).collect();
    let Mean { mean, standard_error, count } = Mean::of(&differences);
    let standard_error = standard_error?;
    if mean == 0.0 {
        return Some(1.0);
    }
    if standard_error == 0.0 {
        return Some(0.0);
    }
    let freedom = (count - 1) as f64;
    let distribution = StudentsT::new(0.0, 1.0, freedom).expect("there is at least one degree");
    Some(2.0 * distribution.cdf(-(mean / standard_error).abs()))
}

/// The significance level: two methods are called different if the p-value is below it.
pub(crate) const LEVEL: f64 = 0.05;

/// Adjusts the p-values of several tests, so that all hypotheses may be judged at once (Holm 1979).
/// The i-th smallest of n, counted from 0, is multiplied by n − i, and raised to at least the one
/// before it.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0f64;
    for (i, &test) in order.iter().enumerate() {
        let times = (p_values.len() - i) as f64;
        largest = largest.max((times * p_values[test]).min(1.0));
        adjusted[test] = largest;
    }
    adjusted
}

/// Which of two means is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The lower.
    Lower,
    /// The higher.
    Higher,
}

/// A method's mean, and whether it is as good as the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The mean.
    pub mean: Mean,
    /// The p-value of a paired t-test against the best. `None` for the best itself, and for too few
    /// values.
    pub p_value: Option<f64>,
    /// Whether it is the best, or not significantly different from it at the 5% level.
    pub is_among_best: bool,
}

/// Compares paired samples, of at least one value each, with the one that has the best mean.
pub fn rank(samples: &[Vec<f64>], better: Better) -> Vec<Ranked> {
    let means: Vec<Mean> = samples.iter().map(|sample| Mean::of(sample)).collect();
    let by_mean = |&a: &usize, &b: &usize| match better {
        Better::Lower => means[a].mean.total_cmp(&means[b].mean),
        Better::Higher => means[b].mean.total_cmp(&means[a].mean),
    };
    let best = (0..means.len()).min_by(by_mean);
    let ranked = |i: usize| {
        let others = best.filter(|&best| best != i);
        let p_value = others.and_then(|best| paired_t_test(&samples[i], &samples[best]));
        let is_among_best = others.is_none() || p_value.is_some_and(|p| p >= LEVEL);
        Ranked { mean: means[i], p_value, is_among_best }
    };
    (0..means.len()).map(ranked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the p-value of `n` pairs whose t statistic is `t`. Their differences are equally
    /// spaced, and shifted to the right mean.
    fn p_of(t: f64, n: usize) -> f64 {
        let spread: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let center = Mean::of(&spread);
        let shift = t * center.standard_error.unwrap() - center.mean;
        let some: Vec<f64> = spread.iter().map(|x| x + shift + 5.0).collect();
        paired_t_test(&some, &vec![5.0; n]).unwrap()
    }

    #[test]
    fn the_test_agrees_with_the_tables_of_students_t() {
        // Critical values of t, as in every textbook.
        for (freedom, t, p) in [
            (1, 12.706, 0.05),
            (2, 4.303, 0.05),
            (4, 2.776, 0.05),
            (9, 2.262, 0.05),
            (9, 3.250, 0.01),
            (30, 2.042, 0.05),
            (68, 1.995, 0.05),
            (100, 2.626, 0.01),
        ] {
            let computed = p_of(t, freedom + 1);
            assert!((computed - p).abs() < 0.002 * p + 2e-5, "t({freedom}) = {t}: {computed}");
            assert!((p_of(-t, freedom + 1) - computed).abs() < 1e-12);
        }
        // One degree of freedom is the Cauchy distribution: p = 1 − 2/π atan t.
        let exact = 1.0 - 2.0 / std::f64::consts::PI * 3f64.atan();
        assert!((p_of(3.0, 2) - exact).abs() < 1e-12);
    }

    #[test]
    fn students_own_data_give_students_own_answer() {
        // Additional hours of sleep by two drugs (Student 1908): t = -4.0621 with 9 degrees of
        // freedom, p = 0.00283.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let p = paired_t_test(&first, &second).unwrap();
        assert!((p - 0.00283).abs() < 5e-6, "{p}");
    }

    #[test]
    fn samples_that_cannot_be_told_apart_are_not() {
        assert_eq!(paired_t_test(&[1.0, 2.0], &[1.0, 2.0]), Some(1.0));
        assert_eq!(paired_t_test(&[1.0, 2.0], &[0.5, 1.5]), Some(0.0));
        assert_eq!(paired_t_test(&[1.0], &[2.0]), None);
    }

    #[test]
    fn a_correlation_is_one_on_a_line_and_none_of_what_does_not_vary() {
        let line = [1.0, 2.0, 4.0];
        assert!((correlation(&line, &line.map(|x| 3.0 * x - 7.0)).unwrap() - 1.0).abs() < 1e-12);
        assert!((correlation(&line, &line.map(|x| -x)).unwrap() + 1.0).abs() < 1e-12);
        // Deviations −1, 0, 1 and 1, −2, 1.
        assert!(correlation(&[1.0, 2.0, 3.0], &[3.0, 0.0, 3.0]).unwrap().abs() < 1e-12);
        assert_eq!(correlation(&line, &[0.1; 3]), None);
        assert_eq!(correlation(&[], &[]), None);
    }

    #[test]
    fn holms_correction_is_the_textbooks() {
        // 4·0.01, 3·0.02, 2·0.03 and 0.04, which may not be below the one before.
        let adjusted = holm(&[0.04, 0.01, 0.03, 0.02]);
        let expected = [0.06, 0.04, 0.06, 0.06];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
        assert_eq!(holm(&[0.7, 0.4]), [0.8, 0.8]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_standard_error_needs_two_values() {
        let mean = Mean::of(&[100.0, 110.0, 120.0]);
        assert_eq!((mean.mean, mean.count), (110.0, 3));
        assert!((mean.standard_error.unwrap() - 10.0 / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(Mean::of(&[5.0]).standard_error, None);
    }

    #[test]
    fn a_ratio_and_its_inverse_have_the_geometric_mean_one() {
        let mean = Mean::geometric(&[0.25, 4.0]);
        assert!((mean.mean - 1.0).abs() < 1e-12);
        // The logarithms ±ln 4 have the standard error ln 4.
        assert!((mean.standard_error.unwrap() - 4f64.ln()).abs() < 1e-12);
        assert!((Mean::geometric(&[2.0, 8.0]).mean - 4.0).abs() < 1e-12);
        assert_eq!(Mean::geometric(&[5.0]).standard_error, None);
    }

    #[test]
    fn the_best_is_the_lowest_or_the_highest_mean() {
        let samples = [vec![1.0, 2.0, 3.0], vec![1.5, 1.5, 3.1], vec![11.0, 12.5, 13.0]];
        let among_best = |better: Better| -> Vec<bool> {
            rank(&samples, better).iter().map(|ranked| ranked.is_among_best).collect()
        };
        assert_eq!(among_best(Better::Lower), [true, true, false]);
        assert_eq!(among_best(Better::Higher), [false, false, true]);
        let p_values: Vec<Option<f64>> =
            rank(&samples, Better::Lower).iter().map(|ranked| ranked.p_value).collect();
        assert_eq!(p_values[0], None);
        assert_eq!(p_values[2], paired_t_test(&samples[2], &samples[0]));
        assert!(rank(&[], Better::Lower).is_empty());
    }
}
