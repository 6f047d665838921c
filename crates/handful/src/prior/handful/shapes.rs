//! Shapes: β, how sure a topic is of its words and which they are.

use super::elementary::{bound, passes, sigmoid};
use super::mixtures::MixtureTape;
use super::themes::{Themes, ThemesTape};
use super::topics::TopicTape;
use super::words::Words;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::{Gradient, Linear, Parameter, TermSoftmaxTape};
use crate::numeric::{FLOOR, Real, kernels};
use crate::prior::Unigram;
use crate::storage::TermRows;

/// Log concentrations stay between these, far outside of what is learned.
const LOG_CONCENTRATION: [f64; 2] = [-10.0, 14.0];

/// As many words as the background has seen: those of a few documents do not move it.
const BACKGROUND_CONCENTRATION: f64 = 1e5;

/// The logit of a topic's share of themes stays between these, so that neither part vanishes.
pub(super) const SHARE_LOGIT: [f64; 2] = [-8.0, 8.0];

/// β_k = c_k ((1 − γ_k) softmax(E t_k + b) + γ_k Σ_l m_kl Ψ_l), with c and γ from t_k; the background
/// has the words of all training corpora.
#[derive(Clone, Debug)]
pub(super) struct ShapeStage {
    /// log c
    pub(super) concentration: Linear,
    /// The logit of γ.
    pub(super) theme_share: Linear,
}

/// What the backward pass of [`ShapeStage`] needs.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeTape<R> {
    /// σ of each topic over all terms.
    pub(super) softmax: TermSoftmaxTape<R>,
    /// c, and its logarithm within its bounds
    concentration: Vec<R>,
    log_concentration: Vec<R>,
    /// γ, and its logit within its bounds
    pub(super) theme_share: Vec<R>,
    share_logit: Vec<R>,
    /// c (1 − γ) and c γ
    own_scale: Vec<R>,
    theme_scale: Vec<R>,
    /// The two parts of β, a row for each wanted term.
    own: Vec<R>,
    themed: Vec<R>,
    themes: ThemesTape<R>,
    scratch: Vec<R>,
    /// Gradients on their way back.
    own_log: Vec<R>,
    themed_log: Vec<R>,
    of_beta: Vec<R>,
    of_own: Vec<R>,
    of_themed: Vec<R>,
}

impl ShapeStage {
    /// β of the wanted terms, after [`TermSoftmax::forward`](crate::nn::TermSoftmax::forward) of
    /// several topics, of which these are those from number `first` on.
    #[expect(clippy::too_many_arguments, reason = "all that β is made of")]
    pub(super) fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        (themes, unigram): (&Themes<R>, &Unigram<R>),
        (softmax, first): (Option<&TermSoftmaxTape<R>>, usize),
        topics: &TopicTape<R>,
        mixtures: &MixtureTape<R>,
        wanted: TermRows<'_>,
        tape: &mut ShapeTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let ShapeTape {
            softmax: own_softmax,
            log_concentration,
            concentration,
            share_logit,
            theme_share,
            own_scale,
            theme_scale,
            own,
            themed,
            themes: themes_tape,
            scratch,
            ..
        } = &mut *tape;
        let softmax = softmax.unwrap_or(own_softmax);
        self.concentration.forward(parameters, topics.shown(), scratch, log_concentration);
        bound(log_concentration, LOG_CONCENTRATION);
        concentration.clear();
        concentration.extend(log_concentration.iter().map(|log| log.exp()));
        self.theme_share.forward(parameters, topics.shown(), scratch, share_logit);
        bound(share_logit, SHARE_LOGIT);
        theme_share.clear();
        theme_share.extend(share_logit.iter().copied().map(sigmoid));
        own_scale.clear();
        own_scale.extend(concentration.iter().zip(&*theme_share).map(|(&c, &g)| c * (R::ONE - g)));
        theme_scale.clear();
        theme_scale.extend(concentration.iter().zip(&*theme_share).map(|(&c, &g)| c * g));

        themes.mix(&mixtures.mixtures, theme_scale, wanted, themes_tape, themed);
        let (count, terms) = (topics.topics + 1, unigram.words.len());
        let background = R::of(BACKGROUND_CONCENTRATION);
        own.clear();
        own.reserve(themed.len());
        kernels::lengthen(&mut dirichlet.beta, terms * count);
        let mut themed = themed.chunks_exact(topics.topics);
        wanted.for_each(terms, |j| {
            let themed = themed.next().expect("as many rows as wanted terms");
            let row = &mut dirichlet.beta[j * count..(j + 1) * count];
            let shares = softmax.shares(j, first);
            for (((beta, &themed), share), &scale) in
                row.iter_mut().zip(themed).zip(shares).zip(&*own_scale)
            {
                let of_own = (share * scale).at_least(R::of(FLOOR));
                own.push(of_own);
                *beta = of_own + themed;
            }
            row[topics.topics] = background * unigram.words[j];
        });
        dirichlet.beta_sum.clone_from(concentration);
        dirichlet.beta_sum.push(background);
    }

    /// Backward pass of [`Self::forward`] with the softmax of its own tape: sets `topics.of_vectors`
    /// and `mixtures.of_mixtures`.
    #[expect(clippy::too_many_arguments, reason = "all that β is made of")]
    pub(super) fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        (words, themes): (&Words<R>, &Themes<R>),
        terms: &[u32],
        gradient: &PriorGradient<R>,
        tape: &mut ShapeTape<R>,
        mixtures: &mut MixtureTape<R>,
        topics: &mut TopicTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        tape.split_gradient(gradient, topics.topics);
        let ShapeTape { own_log, of_beta, softmax, themes: themes_tape, theme_scale, .. } = tape;
        let shown = &topics.vectors[..topics.topics * topics.dimension()];
        let of_vectors = &mut topics.of_vectors;
        words.softmax.backward(parameters, shown, terms, own_log, softmax, gradients, of_vectors);
        let of_mixtures = &mut mixtures.of_mixtures;
        themes.mix_backward(terms, of_beta, theme_scale, themes_tape, of_mixtures);
    }

    /// From the gradients of log c (1 − γ) and of log c γ to those of the two heads: adds to
    /// `topics.of_vectors`.
    pub(super) fn heads_backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        gradient: &PriorGradient<R>,
        tape: &mut ShapeTape<R>,
        topics: &mut TopicTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let ShapeTape {
            own_log,
            themed_log,
            log_concentration,
            share_logit,
            theme_share,
            own_scale,
            theme_scale,
            of_own,
            of_themed,
            scratch,
            ..
        } = &mut *tape;
        for (sum, log_rows) in [(&mut *of_own, own_log), (&mut *of_themed, themed_log)] {
            kernels::reset(sum, theme_scale.len());
            R::add_rows(sum, log_rows);
        }
        for (k, of_themed) in of_themed.iter_mut().enumerate() {
            of_own[k] += gradient.beta_sum[k] * own_scale[k];
            *of_themed += gradient.beta_sum[k] * theme_scale[k];
            let of_concentration = of_own[k] + *of_themed;
            let of_share = *of_themed * (R::ONE - theme_share[k]) - of_own[k] * theme_share[k];
            let concentration_passes = passes(log_concentration[k], LOG_CONCENTRATION);
            of_own[k] = if concentration_passes { of_concentration } else { R::ZERO };
            *of_themed = if passes(share_logit[k], SHARE_LOGIT) { of_share } else { R::ZERO };
        }
        let shown = &topics.vectors[..topics.topics * topics.dimension()];
        let of_vectors = &mut topics.of_vectors;
        for (head, gradient) in [(&self.concentration, of_own), (&self.theme_share, of_themed)] {
            head.backward(parameters, shown, gradient, gradients, scratch, of_vectors);
        }
    }
}

impl<R: Real> ShapeTape<R> {
    /// What of β ∂/∂β falls to each of the two parts of β, by their shares.
    fn split_gradient(&mut self, gradient: &PriorGradient<R>, topics: usize) {
        let Self { own, themed, own_log, themed_log, of_beta, .. } = self;
        // That of the background, the last of each row, moves nothing.
        own_log.clear();
        for row in gradient.log_beta.chunks_exact(topics + 1) {
            own_log.extend_from_slice(&row[..topics]);
        }
        let length = own_log.len();
        debug_assert_eq!(length, own.len(), "the gradient is that of the wanted terms");
        let [themed_log, of_beta] = [themed_log, of_beta].map(|buffer| {
            buffer.resize(length, R::ZERO);
            &mut buffer[..length]
        });
        let (own_log, own, themed) = (&mut own_log[..length], &own[..length], &themed[..length]);
        kernels::vectorised(
            #[inline(always)]
            || {
                for i in 0..length {
                    let per_beta = own_log[i] / (own[i] + themed[i]);
                    own_log[i] = per_beta * own[i];
                    themed_log[i] = per_beta * themed[i];
                    of_beta[i] = per_beta;
                }
            },
        );
    }
}
