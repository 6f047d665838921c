//! The whole way from views to shares, beside a second program.

use super::views::{Rows, Views, WordRows};
use super::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

/// What `tests/oracle/blends.py` writes.
#[derive(Deserialize)]
struct Case {
    topics: usize,
    documents: Vec<usize>,
    lengths: Vec<f64>,
    words: Vec<Vec<f64>>,
    directions: Vec<Vec<f64>>,
    themes: Vec<Vec<f64>>,
    start: StartOfCase,
    shares: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum StartOfCase {
    Documents(Vec<usize>),
    Passages(Vec<usize>),
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/blends.json");
    let fixture: Fixture = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    fixture.cases
}

impl Case {
    fn blend(&self) -> Blend {
        let sparse = |row: &Vec<f64>| (0..).zip(row.iter().copied()).collect();
        let views = Views {
            words: WordRows::from_mean(self.words.iter().map(sparse).collect(), &self.lengths),
            directions: Rows::from_mean(&self.directions, &self.lengths),
            themes: Rows::from_mean(&self.themes, &self.lengths),
        };
        let cuts = Cuts::of(&self.documents, self.lengths.clone());
        Blend { cuts, views, topics: self.topics }
    }

    fn shares(&self) -> Vec<f64> {
        self.blend().shares(match &self.start {
            StartOfCase::Documents(group) => Start::Documents(group.clone()),
            StartOfCase::Passages(group) => Start::Passages(group.clone()),
        })
    }
}

#[test]
fn passages_have_the_shares_that_a_second_program_gives() {
    for (number, case) in cases().iter().enumerate() {
        let shares = case.shares();
        for (share, expected) in shares.iter().zip(case.shares.iter().flatten()) {
            assert!((share - expected).abs() < 1e-9, "case {number}: {share} {expected}");
        }
        assert!(
            shares
                .chunks_exact(case.topics)
                .all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12)
        );
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for case in cases() {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| case.shares())
        };
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn identical_passages_are_all_alike() {
    let case = Case {
        topics: 2,
        documents: vec![0, 0, 1, 2],
        lengths: vec![20.0; 4],
        words: vec![vec![0.5, 0.5]; 4],
        directions: vec![vec![0.1, 0.2, 0.3]; 4],
        themes: vec![vec![0.6, 0.8]; 4],
        start: StartOfCase::Documents(vec![0, 1, 1]),
        shares: Vec::new(),
    };
    let shares = case.shares();
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
}
