//! Streams of random numbers. Each purpose has its own, so that none affects another.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What random numbers are used for. Results of a seed depend on the values, so they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The initial weights of a prior.
    Weights = 1,
    /// The choice of corpora for validation.
    ValidationCorpora = 2,
    /// Training episodes and their dropout.
    Training = 3,
    /// Validation tasks.
    Validation = 4,
    /// Evaluation tasks.
    Evaluation = 5,
    /// The topics drawn by a Gibbs sampler.
    Lda = 6,
    /// The seeds of a comparison's experiments.
    Experiment = 7,
    /// Mixed handfuls: the seeds of their experiments, the corpora held out, and the documents.
    MixedHandfuls = 8,
    /// The start of a clustering.
    Clustering = 9,
    /// The number of topics of a training step.
    Topics = 10,
    /// The words of a user's documents that are held out to choose the number of topics.
    TopicChoice = 11,
    /// Tasks in which known words are hidden, to learn what to expect of new words.
    NewWords = 12,
    /// Mixed documents of known corpora, to learn how to tell how many subjects there are.
    Subjects = 13,
    /// Halves of the words of a user's documents, to see whether groups stay what they are.
    Halves = 14,
    /// Blends: the seeds of their experiments, the corpora held out, the documents and their parts.
    Blends = 20,
    /// Numbers of topics: the seeds of their experiments, the corpora held out, and the documents.
    NumberOfTopics = 21,
    /// Telling: the seeds of its experiments, the corpora held out, the handfuls and the other documents.
    Telling = 22,
}

/// Returns the `number`-th stream of a seed and a purpose.
///
/// ChaCha is counter-based: an episode's stream depends on its number alone. It does not matter
/// which thread draws from it or what was drawn before.
pub fn stream(seed: u64, purpose: Purpose, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&(purpose as u64).to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    stream.set_stream(number);
    stream
}
