use super::*;
use crate::numeric::SimdLevel;
use crate::random::{Purpose, stream};

/// Makes documents of 0 to 60 words over `terms` terms, some of them frequent.
fn documents(count: usize, terms: u32) -> WordCounts {
    let mut stream = stream(7, Purpose::Evaluation, 0);
    let mut documents = WordCounts::new();
    for n in 0..count {
        let mut counts = vec![0; terms as usize];
        for _ in 0..n * 60 / count {
            let (a, b) = (stream.random_range(0..terms), stream.random_range(0..terms));
            counts[a.min(b) as usize] += 1;
        }
        documents.push_row((0..terms).zip(counts));
    }
    documents
}

fn settings(topics: usize) -> LdaSettings {
    LdaSettings { topics, alpha: 0.3, beta: 0.05, ..LdaSettings::default() }
}

fn sampler(documents: &WordCounts, topics: usize) -> Sampler<'_> {
    Sampler::new(documents, 30, &settings(topics), stream(3, Purpose::Lda, 0)).unwrap()
}

/// Counts in whole numbers, computed from the assignments alone.
struct Recount {
    documents: Vec<Vec<u32>>,
    terms: Vec<Vec<u32>>,
    totals: Vec<u32>,
}

impl Recount {
    fn of(documents: &WordCounts, assignments: &[u16], topics: usize) -> Self {
        let mut recount = Self {
            documents: vec![vec![0; topics]; documents.documents()],
            terms: vec![vec![0; topics]; 30],
            totals: vec![0; topics],
        };
        for (&(n, term), &topic) in words(documents).iter().zip(assignments) {
            recount.add(n, term, topic, 1);
        }
        recount
    }

    fn add(&mut self, n: usize, term: usize, topic: u16, by: i32) {
        let topic = usize::from(topic);
        let counts =
            [&mut self.documents[n][topic], &mut self.terms[term][topic], &mut self.totals[topic]];
        counts.into_iter().for_each(|count| *count = count.checked_add_signed(by).unwrap());
    }
}

/// Returns the document and term of each word, in the sampler's order.
fn words(documents: &WordCounts) -> Vec<(usize, usize)> {
    let row = |n| {
        let entry = move |(term, count)| std::iter::repeat_n((n, term as usize), count as usize);
        documents.row(n).flat_map(entry)
    };
    (0..documents.documents()).flat_map(row).collect()
}

/// Checks that every draw of a sweep is the one that a plain scalar sampler makes from the same
/// random numbers, with topics ordered by lane, then register.
fn expect_draws_of_the_reference<S: Simd>(simd: S, topics: usize) {
    let documents = documents(40, 30);
    let mut sampler = sampler(&documents, topics);
    sampler.alpha.iter_mut().zip(1..).for_each(|(alpha, k)| *alpha = 0.1 * f64::from(k));
    sampler.take_over_hyperparameters();
    let words = words(&documents);
    let mut order: Vec<usize> = (0..topics).collect();
    order.sort_by_key(|k| (k % S::F32_LANES, k / S::F32_LANES));
    for _ in 0..3 {
        let before = sampler.state.assignments.clone();
        let uniforms = sampler.state.uniforms.clone().draw(words.len()).to_vec();
        simd.vectorize(Sweep(&mut sampler.state));
        let mut counts = Recount::of(&documents, &before, topics);
        for (i, &(n, term)) in words.iter().enumerate() {
            counts.add(n, term, before[i], -1);
            let weight = |k: usize| {
                (f64::from(counts.documents[n][k]) + sampler.alpha[k])
                    * (f64::from(counts.terms[term][k]) + sampler.beta)
                    / (f64::from(counts.totals[k]) + 30.0 * sampler.beta)
            };
            let total: f64 = (0..topics).map(weight).sum();
            let drawn = sampler.state.assignments[i];
            let earlier = order.iter().take_while(|&&k| k != usize::from(drawn));
            let low = earlier.map(|&k| weight(k)).sum::<f64>() / total;
            let high = low + weight(drawn.into()) / total;
            let uniform = f64::from(uniforms[i]);
            assert!(
                low - 1e-5 < uniform && uniform < high + 1e-5,
                "{topics} topics, word {i}: {uniform} is not within {low} and {high}"
            );
            counts.add(n, term, drawn, 1);
        }
    }
}

struct ExpectDraws(usize);

impl WithSimd for ExpectDraws {
    type Output = ();
    fn with_simd<S: Simd>(self, simd: S) {
        expect_draws_of_the_reference(simd, self.0);
    }
}

#[test]
fn every_draw_is_that_of_the_plain_conditional() {
    for topics in [1, 2, 7, 10, 16, 17, 33, 100] {
        for arch in SimdLevel::available().into_iter().filter_map(SimdLevel::arch) {
            arch.dispatch(ExpectDraws(topics));
        }
    }
}

#[test]
fn counts_are_those_of_the_assignments() {
    let documents = documents(40, 30);
    for topics in [1, 10, 40] {
        let mut sampler = sampler(&documents, topics);
        (0..20).for_each(|_| sampler.advance());
        let recount = Recount::of(&documents, &sampler.state.assignments, topics);
        let equal = |found: &[f32], counts: &[u32]| {
            found.iter().zip(counts).all(|(&found, &count)| found == count as f32)
        };
        assert!((0..40).all(|n| equal(sampler.document_counts(n), &recount.documents[n])));
        assert!((0..30).all(|j| equal(sampler.term_counts(j), &recount.terms[j])));
        assert!(equal(sampler.totals(), &recount.totals));
    }
}

#[test]
fn numbers_are_spread_evenly_below_one() {
    let mut uniforms = Uniforms { stream: stream(1, Purpose::Lda, 0), drawn: Vec::new() };
    let drawn = uniforms.draw(100_000);
    assert!(drawn.iter().all(|uniform| (0.0..1.0).contains(uniform)));
    let mut tenths = [0u32; 10];
    drawn.iter().for_each(|uniform| tenths[(uniform * 10.0) as usize] += 1);
    // 10,000 expected; five standard deviations are 475.
    assert!(tenths.iter().all(|tenth| tenth.abs_diff(10_000) < 475), "{tenths:?}");
}

#[test]
fn more_words_than_can_be_counted_are_refused() {
    let mut documents = WordCounts::new();
    documents.push_row([(0, u32::MAX)]);
    let refused = Sampler::new(&documents, 1, &settings(2), stream(1, Purpose::Lda, 0));
    assert!(refused.unwrap_err().to_string().contains("4294967295 words"));
}
