//! Documents that come after a fit: their proportions of its topics.

use super::{TopicModel, topic_weights};
use crate::corpus::WordCounts;
use crate::em::{self, Dirichlet, EmStop, EpisodeTerms, LocalPrior};
use crate::prior::NewDocumentPrior;

impl TopicModel {
    /// The same topics with the proportions of new documents: θ by EM from their α, φ kept
    /// (Eqs. 9, 11 and 12). Documents do not see each other, so that each has the proportions that it
    /// would have alone.
    ///
    /// `prior` must have been read for the terms of `documents`.
    pub fn infer(&self, prior: &NewDocumentPrior, documents: &WordCounts, stop: EmStop) -> Self {
        let mut dirichlet = self.topics_as_modes(&prior.terms);
        let (mut theta, mut alpha, mut local) =
            (Vec::new(), Vec::new(), LocalPrior::<f64>::default());
        let (mut em_steps, mut converged) = (0, None);
        for n in 0..documents.documents() {
            let mut document = WordCounts::new();
            document.push_row(prior.places(documents.row(n)));
            prior.read(&document, &mut dirichlet);
            let terms = EpisodeTerms::of(&document, &WordCounts::new());
            local.fill(&dirichlet, &document, &terms);
            let fitted = em::fit_proportions(&document, &terms, &local, stop);
            theta.extend(fitted.theta);
            alpha.extend_from_slice(&dirichlet.alpha);
            em_steps = fitted.steps.max(em_steps);
            converged = fitted.converged.map(|one| one && converged != Some(false));
        }
        let weights = topic_weights(documents, &theta, dirichlet.topics);
        let mut proportions: Vec<f32> = theta.into_iter().map(|theta| theta as f32).collect();
        let mut model = Self { em_steps, converged, weights, ..self.clone() };
        if let Some(background) = &mut model.background {
            background.shares = super::background::take_last(&mut proportions, dirichlet.topics);
            background.alpha = super::background::take_last(&mut alpha, dirichlet.topics);
            background.usual.clone_from(&background.shares);
            model.weights.pop();
            super::background::make_shares(&mut proportions, self.topics);
        }
        (model.proportions, model.alpha) = (proportions, alpha);
        model
    }

    /// The topics and, last, the background on some terms: a Dirichlet distribution that has its mode
    /// there.
    pub(super) fn topics_as_modes(&self, terms: &[u32]) -> Dirichlet<f32> {
        let mut beta = Vec::new();
        for &term in terms {
            let j = term as usize;
            beta.extend_from_slice(
                &self.word_probabilities[j * self.topics..(j + 1) * self.topics],
            );
            beta.extend(self.background.iter().map(|background| background.words[j]));
        }
        let topics = self.topics + usize::from(self.background.is_some());
        Dirichlet { topics, beta, beta_sum: vec![1.0; topics], ..Dirichlet::default() }
    }
}
