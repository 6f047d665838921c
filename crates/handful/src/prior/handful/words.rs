//! What the prior knows of each word: its vector, and how much it counts.

use crate::nn::{Parameter, StoredRows, TermSoftmax};
use crate::numeric::{Real, kernels};
use crate::prior::NewTerms;
use std::sync::Arc;

/// w of a new word: the mean of all words' before training. Without vectors, new words tell documents
/// apart only by being shared.
const NEW_IMPORTANCE: f64 = 1.0;

/// Weights that have a row or an entry for each term.
#[derive(Clone, Debug)]
pub(super) struct Words<R> {
    /// E and b.
    pub(super) softmax: TermSoftmax,
    /// The rows of E where a file stores them; the parameter has no values then.
    pub(super) stored: Option<Arc<dyn StoredRows<R>>>,
    /// w: how much each word counts in its document.
    pub(super) importance: usize,
    /// e: how much each word counts for EM.
    pub(super) evidence: usize,
}

impl<R: Real> Words<R> {
    /// What a pass over documents with these new words reads.
    pub(super) fn view<'a>(
        &'a self,
        parameters: &'a [Parameter<R>],
        new_terms: Option<&NewTerms>,
    ) -> WordView<'a, R> {
        WordView {
            vectors: &parameters[self.softmax.weight],
            stored: self.stored.as_deref(),
            importance: &parameters[self.importance].values,
            evidence: &parameters[self.evidence].values,
            new_evidence: R::of(new_terms.map_or(0.0, |new| new.expected.evidence)),
        }
    }
}

/// The words of one pass, new ones among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordView<'a, R> {
    vectors: &'a Parameter<R>,
    stored: Option<&'a dyn StoredRows<R>>,
    importance: &'a [R],
    evidence: &'a [R],
    new_evidence: R,
}

impl<'a, R: Real> WordView<'a, R> {
    /// D
    pub(super) fn dimension(&self) -> usize {
        self.vectors.columns
    }

    /// Whether a term is not new.
    pub(super) fn knows(&self, term: u32) -> bool {
        (term as usize) < self.vectors.rows
    }

    /// w_j
    pub(super) fn importance(&self, term: u32) -> R {
        self.importance.get(term as usize).copied().unwrap_or(R::of(NEW_IMPORTANCE))
    }

    /// How much a word counts where documents are compared: w_j log(1 + x), not below 0.
    pub(super) fn weight(&self, term: u32, count: u32) -> R {
        self.importance(term).at_least(R::ZERO) * R::of(f64::from(count).ln_1p())
    }

    /// e_j
    pub(super) fn evidence(&self, term: u32) -> R {
        self.evidence.get(term as usize).copied().unwrap_or(self.new_evidence)
    }

    /// The vector of a new term: none of a new word; of a phrase what its words add to a document that says
    /// it once, Σ w_j E_j, so that it can be read as one term of importance 1.
    pub(super) fn vector_of_new(&self, new_terms: &NewTerms, term: u32) -> Vec<R> {
        let mut vector = vec![R::ZERO; self.dimension()];
        let words = new_terms.words_of(term, self.vectors.rows).unwrap_or(&[]);
        let known: Vec<u32> = words.iter().copied().filter(|&word| self.knows(word)).collect();
        let mut gathered = Vec::new();
        let vectors = self.vectors(&known, &mut gathered);
        for (i, &word) in known.iter().enumerate() {
            kernels::add_scaled(&mut vector, self.importance(word), vectors.of(i, word));
        }
        vector
    }

    /// The vectors of some known terms, which come from the file into `gathered` if they are stored
    /// there.
    pub(super) fn vectors<'b>(&self, terms: &[u32], gathered: &'b mut Vec<R>) -> Vectors<'b, R>
    where
        'a: 'b,
    {
        let Some(stored) = self.stored else { return Vectors::InMemory(self.vectors) };
        let dimension = self.dimension();
        gathered.resize(terms.len() * dimension, R::ZERO);
        for (&term, row) in terms.iter().zip(gathered.chunks_exact_mut(dimension)) {
            stored.read(term as usize..term as usize + 1, row);
        }
        Vectors::Gathered { rows: gathered, dimension }
    }
}

/// Vectors of the entries of a support.
#[derive(Clone, Copy, Debug)]
pub(super) enum Vectors<'a, R> {
    InMemory(&'a Parameter<R>),
    Gathered { rows: &'a [R], dimension: usize },
}

impl<'a, R: Real> Vectors<'a, R> {
    /// E_j of the entry with number `entry`, whose term is `term`.
    pub(super) fn of(&self, entry: usize, term: u32) -> &'a [R] {
        match self {
            Self::InMemory(vectors) => vectors.row(term as usize),
            Self::Gathered { rows, dimension } => &rows[entry * dimension..][..*dimension],
        }
    }
}
