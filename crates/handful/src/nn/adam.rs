//! Adam, with clipping by the global norm.

use super::adam_rows::AdamRows;
use super::clipping::Clipping;
use super::deferral::Deferral;
use super::touched::Touched;
use super::{EpisodeGradient, Gradient, Parameter};
use crate::numeric::Real;
use crate::numeric::kernels::AdamConstants;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Settings of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdamSettings {
    /// The learning rate.
    pub learning_rate: f64,
    /// The decay rate of the mean of gradients.
    pub beta1: f64,
    /// The decay rate of the mean of squared gradients.
    pub beta2: f64,
    /// Added to the root of the mean of squared gradients.
    pub epsilon: f64,
    /// The maximum norm of the gradient over all weights. Larger gradients are scaled down to it.
    pub clip_norm: Option<f64>,
    /// The number of steps over which the learning rate falls to zero, along half a cosine. With
    /// `None` it is constant, as it must be for [`deferred`](Parameter::deferred) parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cosine_steps: Option<u64>,
}

impl AdamSettings {
    /// Returns the learning rate of a step, counted from 1.
    pub fn rate(&self, step: u64) -> f64 {
        let course = self.cosine_steps.map_or(0.0, |all| (step as f64 / all as f64).min(1.0));
        self.learning_rate * 0.5 * (1.0 + (std::f64::consts::PI * course).cos())
    }
}

impl Default for AdamSettings {
    fn default() -> Self {
        Self {
            learning_rate: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            clip_norm: None,
            cosine_steps: None,
        }
    }
}

/// The optimiser: two moments per weight, and the step up to which each row is current.
///
/// Rows of a [`deferred`](Parameter::deferred) parameter are brought up to date when an episode
/// needs them ([`Adam::catch_up`]), all other rows at every step. The result is that of plain Adam.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam<R> {
    settings: AdamSettings,
    /// The number of steps taken.
    pub steps: u64,
    /// Means of gradients, one vector per parameter.
    pub first: Vec<Vec<R>>,
    /// Means of squared gradients, one vector per parameter.
    pub second: Vec<Vec<R>>,
    /// For each term, the step up to which its rows of deferred parameters are current; 0 for rows
    /// that never had a gradient.
    pub settled: Vec<u64>,
    deferral: Deferral,
    clipping: Clipping<R>,
    /// The terms of the current episodes.
    touched: Touched<R>,
}

impl<R: Real> Adam<R> {
    /// Creates an optimiser with zero moments for `parameters`.
    pub fn new(settings: AdamSettings, parameters: &[Parameter<R>]) -> Self {
        let zeros: Vec<Vec<R>> =
            parameters.iter().map(|parameter| vec![R::ZERO; parameter.values.len()]).collect();
        let terms =
            parameters.iter().filter(|p| p.deferred).map(|p| p.rows).max().unwrap_or_default();
        Self {
            settings,
            steps: 0,
            first: zeros.clone(),
            second: zeros,
            settled: vec![0; terms],
            deferral: Deferral::new(settings),
            clipping: Clipping::default(),
            touched: Touched::default(),
        }
    }

    /// Brings the rows that these episodes read up to date. Call it before they are read.
    pub fn catch_up<G: AsRef<EpisodeGradient<R>> + Sync>(
        &mut self,
        parameters: &mut [Parameter<R>],
        episodes: &[G],
    ) {
        let Self { steps, first, second, settled, deferral, touched, .. } = self;
        touched.fill(episodes);
        touched.owe(settled, *steps, deferral);
        let epsilon = R::of(self.settings.epsilon);
        for (p, parameter) in parameters.iter_mut().enumerate().filter(|(_, p)| p.deferred) {
            let rows = AdamRows::new(parameter, &mut first[p], &mut second[p]);
            rows.in_parts_of(&touched.terms, &|rows, part| {
                for (i, row) in rows.of(&touched.terms, part) {
                    for owed in touched.owed(i) {
                        R::catch_up(row.weights, row.first, row.second, owed, epsilon);
                    }
                }
            });
        }
    }

    /// Takes one step along the sum of the episodes' gradients, added in their order.
    ///
    /// Call [`Self::catch_up`] for the same episodes first if there are deferred parameters or
    /// gradients by terms. A [`Gradient::Terms`] must belong to a deferred parameter.
    pub fn step<G: AsRef<EpisodeGradient<R>> + Sync>(
        &mut self,
        parameters: &mut [Parameter<R>],
        episodes: &[G],
    ) {
        self.steps += 1;
        let constants = self.constants(parameters, episodes);
        let Self { first, second, touched, settled, steps, .. } = self;
        for (p, parameter) in parameters.iter_mut().enumerate() {
            let columns = parameter.columns;
            let constants =
                AdamConstants { rate: constants.rate * R::of(parameter.rate), ..constants };
            let rows = AdamRows::new(parameter, &mut first[p], &mut second[p]);
            let gradients = || episodes.iter().map(AsRef::as_ref);
            let dense = |(i, row)| (row, gradients().map(move |of| of.dense_row(p, i, columns)));
            let product = |(i, row)| (row, gradients().map(move |of| of.product_row(p, i)));
            let term = |(i, row)| (row, touched.addends(i, episodes, p, columns));
            match &episodes[0].as_ref().of[p] {
                Gradient::Dense(_) => {
                    rows.in_parts(&|rows| R::adam(rows.all().map(dense), &constants));
                }
                Gradient::Outer { .. } => {
                    rows.in_parts(&|rows| R::adam(rows.all().map(product), &constants));
                }
                Gradient::OuterAndTerms { .. } => rows.in_parts(&|rows| {
                    rows.apart(&touched.terms, |rows, touched_term| match touched_term {
                        None => R::adam(rows.all().map(product), &constants),
                        Some(place) => {
                            let both = |(i, row)| {
                                let products = gradients().map(move |of| of.product_row(p, i));
                                let beside = touched.addends(place, episodes, p, columns);
                                (row, products.chain(beside))
                            };
                            R::adam(rows.all().map(both), &constants);
                        }
                    });
                }),
                Gradient::Terms { .. } => rows.in_parts_of(&touched.terms, &|rows, part| {
                    R::adam(rows.of(&touched.terms, part).map(term), &constants);
                }),
            }
        }
        for &term in &touched.terms {
            if let Some(settled) = settled.get_mut(term as usize) {
                *settled = *steps;
            }
        }
    }

    /// Brings all weights of a copy of the parameters up to date, and leaves the optimiser
    /// unchanged: looking at the weights must not change the training.
    pub fn settle(&self, parameters: &mut [Parameter<R>]) {
        for (p, parameter) in parameters.iter_mut().enumerate().filter(|(_, p)| p.deferred) {
            let columns = parameter.columns;
            let rows = parameter.values.par_chunks_exact_mut(columns).enumerate();
            rows.for_each(|(term, weights)| {
                let from = self.settled[term];
                if from > 0 && from < self.steps {
                    let row = term * columns..(term + 1) * columns;
                    let mut first = self.first[p][row.clone()].to_vec();
                    let mut second = self.second[p][row].to_vec();
                    let epsilon = R::of(self.settings.epsilon);
                    self.deferral.owed(from, self.steps, |owed| {
                        R::catch_up(weights, &mut first, &mut second, owed, epsilon);
                    });
                }
            });
        }
    }

    /// Returns the constants of the current step.
    fn constants<G: AsRef<EpisodeGradient<R>> + Sync>(
        &mut self,
        parameters: &[Parameter<R>],
        episodes: &[G],
    ) -> AdamConstants<R> {
        let AdamSettings { beta1, beta2, epsilon, clip_norm, .. } = self.settings;
        let clip = clip_norm.map_or(1.0, |most| {
            let norm = self.clipping.global_norm(parameters, episodes, &self.touched);
            if norm > most { most / norm } else { 1.0 }
        });
        let steps = self.steps as f64;
        AdamConstants {
            clip: R::of(clip),
            first: [beta1, 1.0 - beta1].map(R::of),
            second: [beta2, 1.0 - beta2].map(R::of),
            second_scale: R::of(1.0 / (1.0 - beta2.powf(steps)).sqrt()),
            epsilon: R::of(epsilon),
            rate: R::of(self.settings.rate(self.steps) / (1.0 - beta1.powf(steps))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::WordCounts;
    use proptest::prelude::*;
    use rand::RngExt;

    fn one_weight(value: f64) -> Vec<Parameter<f64>> {
        let mut parameter = Parameter::zeros("w", 1, 2);
        parameter.values.fill(value);
        vec![parameter]
    }

    fn gradient(values: [f64; 2]) -> EpisodeGradient<f64> {
        EpisodeGradient { of: vec![Gradient::Dense(values.to_vec())], ..EpisodeGradient::default() }
    }

    #[test]
    fn the_rate_falls_along_half_a_cosine_or_stays() {
        let settings = AdamSettings { cosine_steps: Some(300), ..AdamSettings::default() };
        // cos 60° = 1/2, cos 90° = 0, cos 120° = −1/2
        for (step, share) in
            [(0, 1.0), (100, 0.75), (150, 0.5), (200, 0.25), (300, 0.0), (900, 0.0)]
        {
            assert!((settings.rate(step) - share * settings.learning_rate).abs() < 1e-15);
        }
        assert_eq!(AdamSettings::default().rate(900), 1e-3);
    }

    #[test]
    fn the_first_step_moves_every_weight_by_the_learning_rate() {
        let mut parameters = one_weight(1.0);
        let settings = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
        Adam::new(settings, &parameters).step(&mut parameters, &[gradient([3.0, -0.2])]);
        assert!((parameters[0].values[0] - 0.99).abs() < 1e-8);
        assert!((parameters[0].values[1] - 1.01).abs() < 1e-8);
    }

    #[test]
    fn clipping_scales_the_whole_gradient_to_the_norm() {
        let parameters = one_weight(1.0);
        let settings = AdamSettings { clip_norm: Some(1.0), ..AdamSettings::default() };
        let mut clipped = Adam::new(settings, &parameters);
        // Two episodes whose sum is (3, 4), of norm 5.
        clipped.step(&mut one_weight(1.0), &[gradient([1.0, 4.0]), gradient([2.0, 0.0])]);
        assert!((clipped.first[0][0] - 0.1 * 0.6).abs() < 1e-15);
        assert!((clipped.first[0][1] - 0.1 * 0.8).abs() < 1e-15);
        clipped.step(&mut one_weight(1.0), &[gradient([0.3, 0.4])]);
        assert!((clipped.first[0][0] - (0.9 * 0.06 + 0.1 * 0.3)).abs() < 1e-15);
    }

    /// Makes an episode with these words in one document, and gradients of the given size.
    fn episode<R: Real>(terms: &[u32], size: f64, columns: usize) -> EpisodeGradient<R> {
        let mut support = WordCounts::new();
        support.push_row(terms.iter().map(|&term| (term, 1 + term % 3)));
        let mut episode = EpisodeGradient::default();
        episode.occurrences.fill(&support);
        let documents = (0..columns).map(|c| R::of(size * ((c * 7 + terms.len()) % 5) as f64));
        episode.of = vec![Gradient::Terms { documents: documents.collect() }];
        episode
    }

    /// Returns the weights after the steps, first with deferred rows, then with all rows updated at
    /// every step.
    fn both_ways<R: Real>(steps: &[(Vec<u32>, f64)], columns: usize) -> [Vec<R>; 2] {
        [true, false].map(|deferred| {
            let mut parameter = Parameter::<R>::zeros("w", 12, columns);
            parameter.deferred = deferred;
            let rows = parameter.rows;
            let mut parameters = vec![parameter];
            let mut adam = Adam::new(AdamSettings::default(), &parameters);
            for (terms, size) in steps {
                let mut episodes = [episode(terms, *size, columns)];
                if !deferred {
                    let mut dense = vec![R::ZERO; rows * columns];
                    for (i, row) in dense.chunks_exact_mut(columns).enumerate() {
                        episodes[0].add_row(0, i, row);
                    }
                    episodes[0].of = vec![Gradient::Dense(dense)];
                }
                adam.catch_up(&mut parameters, &episodes);
                adam.step(&mut parameters, &episodes);
            }
            let mut settled = parameters.clone();
            adam.settle(&mut settled);
            settled.remove(0).values
        })
    }

    fn steps() -> impl Strategy<Value = Vec<(Vec<u32>, f64)>> {
        // Some terms are frequent, some rare; gradients span five orders of magnitude.
        let terms = prop::collection::btree_set(
            prop_oneof![4 => 0u32..3, 1 => 3u32..7, 1 => Just(7u32)],
            0..3,
        );
        let step = (terms, -7.0f64..-2.0);
        prop::collection::vec(
            step.prop_map(|(terms, exponent)| {
                (terms.into_iter().collect::<Vec<_>>(), 10f64.powf(exponent))
            }),
            1000,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn deferred_adam_is_dense_adam(steps in steps()) {
            let [deferred, dense] = both_ways::<f64>(&steps, 5);
            // A weight moves by up to a thousandth a step.
            for (deferred, dense) in deferred.iter().zip(&dense) {
                prop_assert!((deferred - dense).abs() < 1e-9, "{} against {}", deferred, dense);
            }
            let [deferred, dense] = both_ways::<f32>(&steps, 16);
            for (deferred, dense) in deferred.iter().zip(&dense) {
                prop_assert!(
                    (deferred - dense).abs() < 1e-5 * dense.abs().max(1e-2),
                    "{} against {}", deferred, dense
                );
            }
        }
    }

    #[test]
    fn a_row_left_alone_for_long_ends_where_dense_adam_takes_it() {
        for (first, second) in [(1, 30), (200, 900), (300, 301), (300, 2000), (3000, 9000)] {
            let touch = |s: usize| (if s == first || s == second { vec![5] } else { vec![] }, 1e-4);
            let steps: Vec<_> = (1..=second + 50).map(touch).collect();
            let [deferred, dense] = both_ways::<f64>(&steps, 3);
            for (deferred, dense) in deferred.iter().zip(&dense) {
                assert!((deferred - dense).abs() < 1e-11, "{deferred} against {dense}");
            }
            assert!(dense.iter().any(|weight| weight.abs() > 1e-3));
        }
    }

    /// Makes an episode with a gradient of every factored kind, for parameters with `columns`
    /// columns.
    fn factors<R: Real>(number: u64, columns: usize) -> EpisodeGradient<R> {
        let mut stream = crate::random::stream(number, crate::random::Purpose::Weights, 0);
        let mut numbers = |count: usize| -> Vec<R> {
            (0..count).map(|_| R::of(stream.random_range(-1.0..1.0))).collect()
        };
        let mut support = WordCounts::new();
        support.push_row([(number as u32, 2), (5, 1), (299, 3)]);
        support.push_row([(5, 4), (6 + number as u32, 1)]);
        let mut episode = EpisodeGradient::default();
        episode.occurrences.fill(&support);
        let (left, right) = (numbers(ROWS * 3), numbers(3 * columns));
        let (documents, scales) = (numbers(2 * columns), numbers(support.entries()));
        episode.of = vec![
            Gradient::Outer { rank: 3, left: left.clone(), right: right.clone() },
            Gradient::Terms { documents: documents.clone() },
            Gradient::OuterAndTerms { rank: 3, left, right, documents, scales },
        ];
        episode
    }

    /// More rows than the norm transposes at a time.
    const ROWS: usize = 300;

    /// Returns the largest difference between the first moments after a clipped step along the
    /// factors and along the gradient that they multiply to.
    fn worst_difference<R: Real>(columns: usize) -> f64 {
        let settings = AdamSettings { clip_norm: Some(1.0), ..AdamSettings::default() };
        let episodes = [1, 2, 3].map(|number| factors::<R>(number, columns));
        let multiplied_out = episodes.clone().map(|episode| {
            let dense = |p: usize| {
                let mut dense = vec![R::ZERO; ROWS * columns];
                for (i, row) in dense.chunks_exact_mut(columns).enumerate() {
                    episode.add_row(p, i, row);
                }
                Gradient::Dense(dense)
            };
            EpisodeGradient { of: (0..3).map(dense).collect(), ..episode.clone() }
        });
        let first = [&episodes, &multiplied_out].map(|episodes| {
            let mut parameters = vec![Parameter::<R>::zeros("w", ROWS, columns); 3];
            parameters[1].deferred = true;
            let mut adam = Adam::new(settings, &parameters);
            adam.catch_up(&mut parameters, episodes);
            adam.step(&mut parameters, episodes);
            // The first moments are a tenth of the clipped gradient.
            adam.first.concat()
        });
        let pairs = first[0].iter().zip(&first[1]);
        pairs.map(|(a, b)| (a.to_f64() - b.to_f64()).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn a_step_along_factors_is_one_along_the_gradient_they_make() {
        for columns in [5, 16, 128] {
            // After clipping, entries are below a tenth.
            assert!(worst_difference::<f64>(columns) < 1e-15);
            assert!(worst_difference::<f32>(columns) < 1e-8);
        }
    }

    #[test]
    fn looking_at_the_weights_does_not_change_them() {
        let mut parameters = vec![Parameter { deferred: true, ..Parameter::zeros("w", 12, 4) }];
        let mut adam = Adam::<f64>::new(AdamSettings::default(), &parameters);
        for terms in [vec![1], vec![2], vec![2]] {
            let episodes = [episode(&terms, 1e-3, 4)];
            adam.catch_up(&mut parameters, &episodes);
            adam.step(&mut parameters, &episodes);
        }
        let (before, optimiser) = (parameters.clone(), adam.clone());
        let mut copy = parameters.clone();
        adam.settle(&mut copy);
        assert_eq!((&before, &optimiser), (&parameters, &adam));
        assert_ne!(copy, before);
    }
}
