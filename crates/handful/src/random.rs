//! Streams of random numbers: each use its own, so that no use disturbs another.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What random numbers are for. The values are part of what a seed means: they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// First weights of a prior.
    Weights = 1,
    /// Which corpora are held back for validation.
    ValidationCorpora = 2,
    /// Episodes of training, and their dropout.
    Training = 3,
    /// Tasks of validation.
    Validation = 4,
    /// Tasks of evaluation.
    Evaluation = 5,
    /// Topics that a Gibbs sampler draws.
    Lda = 6,
    /// The seeds of a comparison's experiments.
    Experiment = 7,
    /// Mixed handfuls: their experiments' seeds, the corpora held out, and the documents.
    MixedHandfuls = 8,
    /// Where a clustering starts.
    Clustering = 9,
    /// The number of topics of a step.
    Topics = 10,
    /// Which words of a user's documents are held out to choose a number of topics.
    TopicChoice = 11,
    /// Tasks in which known words are hidden, to learn what to expect of new ones.
    NewWords = 12,
}

/// The `number`-th stream of a seed and a purpose.
///
/// ChaCha is counter-based: an episode's stream depends on its number alone, whichever thread
/// draws from it and whatever was drawn before.
pub fn stream(seed: u64, purpose: Purpose, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&(purpose as u64).to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    stream.set_stream(number);
    stream
}
