//! The prior's promises as a whole.

use super::*;
use crate::random::{Purpose, stream};

#[test]
fn wanted_terms_get_what_they_get_among_all() {
    let settings =
        HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
    let prior = Handful::<f64>::random(settings, 600, 3, &mut stream(1, Purpose::Weights, 0));
    let mut support = WordCounts::new();
    support.push_row([(3, 1), (300, 2), (599, 1)]);
    support.push_row([(4, 2)]);
    let give = |wanted: TermRows<'_>| {
        let mut dirichlet = Dirichlet::default();
        let mut tape = HandfulTape::default();
        prior.forward(&support, wanted, &mut Dropout::off(), &mut tape, &mut dirichlet);
        dirichlet
    };
    let terms = [3, 4, 300, 599, 17];
    let (some, all) = (give(TermRows::Of(&terms)), give(TermRows::All));
    assert_eq!((&some.alpha, &some.beta_sum), (&all.alpha, &all.beta_sum));
    assert_eq!(some.evidence, all.evidence);
    for term in terms.map(|term| term as usize) {
        assert_eq!(some.beta_row(term), all.beta_row(term));
    }
    // Both parts of β are distributions, so all of it sums to the concentration.
    for (k, sum) in all.beta_sum.iter().enumerate() {
        let beta: f64 = all.beta.iter().skip(k).step_by(4).sum();
        assert!((beta - sum).abs() < 1e-9 * sum, "{beta} against {sum}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_over_several_blocks_of_terms() {
    let settings =
        HandfulSettings { dimension: 32, hidden: 16, themes: 16, ..HandfulSettings::default() };
    let prior = Handful::<f32>::random(settings, 900, 10, &mut stream(1, Purpose::Weights, 0));
    let mut support = WordCounts::new();
    support.push_row((0..900).step_by(2).map(|term| (term, 1 + term % 3)));
    support.push_row((0..900).step_by(7).map(|term| (term, 1)));
    let terms: Vec<u32> = (0..900).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut dirichlet, mut tape) = (Dirichlet::default(), HandfulTape::default());
            let wanted = TermRows::Of(&terms);
            prior.forward(&support, wanted, &mut Dropout::off(), &mut tape, &mut dirichlet);
            let gradient = PriorGradient {
                log_alpha: dirichlet.alpha.clone(),
                log_beta: dirichlet.beta.clone(),
                beta_sum: vec![0.5; dirichlet.topics],
                log_counts: vec![0.25; support.entries()],
            };
            let mut gradients = Vec::new();
            prior.backward(&support, &terms, &dirichlet, &gradient, &mut tape, &mut gradients);
            let mut episode = crate::nn::EpisodeGradient::default();
            episode.occurrences.fill(&support);
            episode.of = gradients;
            let mut rows: Vec<f32> = dirichlet.beta;
            for (p, parameter) in prior.parameters().iter().enumerate() {
                for i in 0..parameter.rows {
                    let mut row = vec![0.0; parameter.columns];
                    episode.add_row(p, i, &mut row);
                    rows.extend(row);
                }
            }
            rows.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        })
    };
    let one = with(1);
    assert!([2, 3].iter().all(|&threads| with(threads) == one));
}
