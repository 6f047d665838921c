//! The prior less one of its parts, to see what the part is worth.

use super::Handful;
use super::shapes::SHARE_LOGIT;
use crate::numeric::Real;
use serde::{Deserialize, Serialize};

/// A part of the prior that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ingredient {
    /// Themes of the training corpora: without, β is the softmax of word vectors alone.
    Themes,
    /// Themes corrected by the documents' words: without, the networks choose them alone.
    Folding,
    /// The softmax of word vectors: without, β is a mixture of themes alone.
    WordVectors,
    /// Word vectors that start from a singular value decomposition: without, they are random.
    VectorStart,
    /// Topics that start from documents: without, all start from the corpus.
    DocumentTopics,
    /// The background: without, no document has any of it.
    Background,
    /// The evidence of terms: without, all count alike.
    TermEvidence,
    /// The evidence of counts: without, all occurrences of a term count alike.
    CountEvidence,
}

impl<R: Real> Handful<R> {
    /// Whether a part is left out.
    pub(super) fn lacks(&self, ingredient: Ingredient) -> bool {
        self.settings.without == Some(ingredient)
    }

    /// Keeps the weights of the part that is left out where they do nothing.
    pub(super) fn hold_what_is_left_out(&mut self) {
        let [least, most] = SHARE_LOGIT;
        let theme_share = [self.theme_share.weight, self.theme_share.bias.expect("it has one")];
        let held: &[(usize, f64)] = match self.settings.without {
            Some(Ingredient::Themes) => &[(theme_share[0], 0.0), (theme_share[1], least)],
            Some(Ingredient::WordVectors) => &[(theme_share[0], 0.0), (theme_share[1], most)],
            Some(Ingredient::DocumentTopics) => &[(self.membership, 0.0)],
            Some(Ingredient::TermEvidence) => &[(self.evidence, 0.0)],
            Some(Ingredient::CountEvidence) => &[(self.count_evidence, 0.0)],
            Some(Ingredient::Folding | Ingredient::VectorStart | Ingredient::Background) | None => {
                &[]
            }
        };
        for &(p, value) in held {
            let parameter = &mut self.parameters[p];
            parameter.values.fill(R::of(value));
            parameter.rate = 0.0;
        }
    }
}
