//! The prior less one of its parts, to see what the part is worth.

use super::Handful;
use super::shapes::SHARE_LOGIT;
use crate::numeric::Real;

/// A part of the prior that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        self.without == Some(ingredient)
    }

    /// Leaves a part out: switches it off, or keeps its weights where they do nothing.
    pub(super) fn leave_out_part(&mut self, ingredient: Ingredient) {
        self.without = Some(ingredient);
        let [least, most] = SHARE_LOGIT;
        let theme_share = &self.shape_stage.theme_share;
        let theme_share = [theme_share.weight, theme_share.bias.expect("it has one")];
        let held: &[(usize, f64)] = match ingredient {
            Ingredient::Themes => &[(theme_share[0], 0.0), (theme_share[1], least)],
            Ingredient::WordVectors => &[(theme_share[0], 0.0), (theme_share[1], most)],
            Ingredient::DocumentTopics => &[(self.proportion_stage.membership, 0.0)],
            Ingredient::TermEvidence => &[(self.words.evidence, 0.0)],
            Ingredient::CountEvidence => &[(self.evidence_stage.of_counts, 0.0)],
            Ingredient::Folding => {
                self.mixture_stage.without_folding = true;
                &[]
            }
            Ingredient::Background => {
                self.proportion_stage.without_background = true;
                &[]
            }
            Ingredient::VectorStart => &[],
        };
        for &(p, value) in held {
            let parameter = &mut self.parameters[p];
            parameter.values.fill(R::of(value));
            parameter.rate = 0.0;
        }
    }
}
