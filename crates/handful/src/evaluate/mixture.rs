//! Mixtures of word distributions, with weights tuned by likelihood.

/// Held-out words with their probabilities in each part of a mixture.
#[derive(Clone, Debug)]
pub struct MixtureWords {
    parts: usize,
    /// p_i(word): words × parts
    probabilities: Vec<f64>,
    /// How often each word was held out.
    counts: Vec<f64>,
}

/// EM stops when a step raises the log-likelihood per word by less than this.
const TOLERANCE: f64 = 1e-10;
/// The maximum number of EM steps. Parts that hardly differ make EM slow, but their weights then
/// matter little.
const MOST_STEPS: usize = 10_000;

impl MixtureWords {
    /// Creates a mixture of `parts` parts, without words.
    pub fn new(parts: usize) -> Self {
        Self { parts, probabilities: Vec::new(), counts: Vec::new() }
    }

    /// Adds a word with its probability in each part.
    pub fn push(&mut self, probabilities: &[f64], count: u32) {
        debug_assert_eq!(probabilities.len(), self.parts);
        self.probabilities.extend_from_slice(probabilities);
        self.counts.push(f64::from(count));
    }

    /// Computes Σ count · log Σ_i λ_i p_i(word).
    pub fn log_likelihood(&self, weights: &[f64]) -> f64 {
        let words = self.probabilities.chunks_exact(self.parts).zip(&self.counts);
        words.map(|(parts, count)| count * mix(weights, parts).ln()).sum()
    }

    /// Returns the weights λ with the highest likelihood, with Σ_i λ_i = 1.
    ///
    /// The log-likelihood is concave in the weights, so EM from equal weights reaches its maximum.
    /// Without words, the weights are equal.
    pub fn best_weights(&self) -> Vec<f64> {
        let words: f64 = self.counts.iter().sum();
        let mut weights = vec![1.0 / self.parts as f64; self.parts];
        if words == 0.0 {
            return weights;
        }
        let mut before = f64::NEG_INFINITY;
        let mut shares = vec![0.0; self.parts];
        for _ in 0..MOST_STEPS {
            shares.fill(0.0);
            let mut after = 0.0;
            for (parts, count) in self.probabilities.chunks_exact(self.parts).zip(&self.counts) {
                let probability = mix(&weights, parts);
                after += count * probability.ln();
                for (share, (weight, part)) in shares.iter_mut().zip(weights.iter().zip(parts)) {
                    *share += count * weight * part / probability;
                }
            }
            if after - before < TOLERANCE * words {
                break;
            }
            before = after;
            weights.iter_mut().zip(&shares).for_each(|(weight, share)| *weight = share / words);
        }
        weights
    }
}

/// Computes Σ_i λ_i p_i.
pub fn mix(weights: &[f64], parts: &[f64]) -> f64 {
    weights.iter().zip(parts).map(|(weight, part)| weight * part).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_parts_that_never_overlap_are_the_shares_of_their_words() {
        let mut words = MixtureWords::new(3);
        words.push(&[0.5, 0.0, 0.0], 6);
        words.push(&[0.0, 0.01, 0.0], 3);
        words.push(&[0.0, 0.0, 0.9], 1);
        for (weight, expected) in words.best_weights().iter().zip([0.6, 0.3, 0.1]) {
            assert!((weight - expected).abs() < 1e-12);
        }
        assert_eq!(MixtureWords::new(2).best_weights(), [0.5; 2]);
    }

    #[test]
    fn no_other_weights_are_likelier() {
        let mut words = MixtureWords::new(3);
        for i in 0..40u32 {
            let x = f64::from(i);
            let parts = [(x * 0.7).sin().abs() / 9.0, (x * 1.3).cos().abs() / 4.0, 0.05];
            words.push(&parts, i % 5 + 1);
        }
        let best = words.log_likelihood(&words.best_weights());
        for a in 0..=200 {
            for b in 0..=200 - a {
                let (a, b) = (f64::from(a) / 200.0, f64::from(b) / 200.0);
                assert!(words.log_likelihood(&[a, b, 1.0 - a - b]) <= best + 1e-6);
            }
        }
    }
}
