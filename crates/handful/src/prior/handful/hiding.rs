//! A prior that knows fewer words: to learn what to expect of new ones, and to be compared with others
//! that know only these.

use super::Handful;
use super::themes::Themes;
use crate::nn::Parameter;
use crate::numeric::{Real, largest};
use crate::prior::Unigram;

impl<R: Real> Handful<R> {
    /// The most frequent terms, the most frequent first.
    pub(super) fn frequent_terms(&self, most: usize) -> Vec<u32> {
        let frequencies: Vec<f64> = self.unigram.words.iter().map(|x| x.to_f64()).collect();
        largest(&frequencies, most)
    }

    /// The prior over some of its terms, in their order here, as if it had never seen the others.
    pub(super) fn with_terms(&self, kept: &[u32]) -> Self {
        let mut prior = self.clone();
        let rows = |parameter: &mut Parameter<R>, width: usize| {
            let row = |&term: &u32| &parameter.values[term as usize * width..][..width];
            parameter.values = kept.iter().flat_map(row).copied().collect();
        };
        let words = &mut prior.parameters[self.words.softmax.weight];
        match prior.words.stored.take() {
            None => rows(words, words.columns),
            Some(stored) => {
                words.values.resize(kept.len() * words.columns, R::ZERO);
                for (&term, row) in kept.iter().zip(words.values.chunks_exact_mut(words.columns)) {
                    stored.read(term as usize..term as usize + 1, row);
                }
            }
        }
        words.rows = kept.len();
        for p in [self.words.softmax.bias, self.words.importance, self.words.evidence] {
            rows(&mut prior.parameters[p], 1);
            prior.parameters[p].columns = kept.len();
        }
        let mut unigram: Vec<R> = kept.iter().map(|&term| self.unigram.of(term as usize)).collect();
        let sum: R = unigram.iter().copied().sum();
        unigram.iter_mut().for_each(|share| *share /= sum);
        prior.unigram = Unigram::new(unigram);
        prior.themes = self.themes.over_terms(kept);
        prior
    }
}

impl<R: Real> Themes<R> {
    /// The themes over some of the terms, each a distribution again.
    fn over_terms(&self, kept: &[u32]) -> Self {
        let mut themes = Self::uniform(kept.len(), self.count);
        let mut sums: Vec<R> =
            self.floor.iter().map(|&floor| floor * R::of(kept.len() as f64)).collect();
        for (i, &term) in kept.iter().enumerate() {
            for (l, above) in self.of_term(term) {
                themes.index.push(l as u32);
                themes.above.push(above);
                sums[l] += above;
            }
            themes.starts[i + 1] = themes.index.len();
        }
        for (above, &l) in themes.above.iter_mut().zip(&themes.index) {
            *above /= sums[l as usize];
        }
        themes.floor = self.floor.iter().zip(&sums).map(|(&floor, &sum)| floor / sum).collect();
        themes.alpha.clone_from(&self.alpha);
        themes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::{AnyPrior, HandfulSettings, Prior, PriorSettings};
    use crate::random::{Purpose, stream};
    use crate::storage::{TensorFile, compact_tensor_bytes};

    #[test]
    fn what_is_kept_is_as_it_was_and_sums_to_one_again() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let mut prior =
            Handful::<f64>::random(settings, 30, 3, &mut stream(1, Purpose::Weights, 0));
        (1u32..).zip(&mut prior.unigram.words).for_each(|(j, p)| *p = f64::from(j % 7) / 90.0);
        let kept = prior.frequent_terms(8);
        assert_eq!(kept, [5, 12, 19, 26, 4, 11, 18, 25]);
        let fewer = prior.with_terms(&kept);
        let words = prior.words.softmax.weight;
        for (i, &term) in kept.iter().enumerate() {
            let term = term as usize;
            assert_eq!(fewer.parameters[words].row(i), prior.parameters[words].row(term));
            for p in [prior.words.softmax.bias, prior.words.importance, prior.words.evidence] {
                assert_eq!(fewer.parameters[p].values[i], prior.parameters[p].values[term]);
            }
        }
        let sum: f64 = fewer.unigram.words.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
        // One theme after the other: every kept term's share is what it was, over all that is kept.
        for theme in 0..4 {
            let mut mixture = vec![0.0; 4];
            mixture[theme] = 1.0;
            let (before, after) =
                (prior.themes.in_mixture(&mixture), fewer.themes.in_mixture(&mixture));
            let all: f64 = kept.iter().map(|&term| before(term)).sum();
            for (i, &term) in (0..).zip(&kept) {
                assert!((after(i) - before(term) / all).abs() < 1e-12);
            }
        }
    }

    /// Of so many terms, a compact file has the vectors in 4 bits.
    const TERMS: usize = 2000;

    #[test]
    fn rows_that_stay_in_their_file_are_kept_like_others() {
        let settings =
            HandfulSettings { dimension: 8, hidden: 4, themes: 4, ..HandfulSettings::default() };
        let shape = PriorSettings::Handful(settings);
        let prior = AnyPrior::<f32>::random(shape, TERMS, 3, &mut stream(1, Purpose::Weights, 0));
        let bytes = compact_tensor_bytes(&prior.to_compact_tensors());
        let file = TensorFile::from_bytes("here", bytes).unwrap();
        let AnyPrior::Handful(stored) = AnyPrior::from_tensors(shape, TERMS, 3, &file).unwrap()
        else {
            unreachable!()
        };
        assert!(stored.words.stored.is_some());
        let kept = [1999, 3, 170];
        let fewer = stored.with_terms(&kept);
        assert!(fewer.words.stored.is_none());
        let mut row = [0.0; 8];
        for (i, &term) in kept.iter().enumerate() {
            stored.words.stored.as_ref().unwrap().read(term as usize..term as usize + 1, &mut row);
            assert_eq!(fewer.parameters[fewer.words.softmax.weight].row(i), row);
        }
    }
}
