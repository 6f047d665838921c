//! β: how sure a topic is of its words, and which they are.

use super::{Handful, HandfulTape};
use crate::corpus::WordCounts;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::Gradient;
use crate::numeric::{FLOOR, Real, kernels};
use crate::storage::TermRows;

/// Log concentrations stay between these, far outside of what is learned.
const LOG_CONCENTRATION: [f64; 2] = [-10.0, 14.0];

/// As many words as the background has seen: those of a few documents do not move it.
const BACKGROUND_CONCENTRATION: f64 = 1e5;

/// The logit of a topic's share of themes stays between these, so that neither part vanishes.
pub(super) const SHARE_LOGIT: [f64; 2] = [-8.0, 8.0];

impl<R: Real> Handful<R> {
    /// m: m⁰_k = softmax(U t_k), and what the words make of it.
    pub(super) fn mixtures(&self, support: &WordCounts, tape: &mut HandfulTape<R>) {
        let HandfulTape { topic_vectors, scratch, mixtures, .. } = &mut *tape;
        let vectors = &topic_vectors[..self.topics * self.settings.dimension];
        self.theme_choice.forward(&self.parameters, vectors, scratch, mixtures);
        mixtures.chunks_exact_mut(self.themes.count).for_each(softmax);
        self.fold(support, tape);
    }

    /// Backward pass of [`Self::mixtures`] from `tape.mixture_gradient`: adds to
    /// `tape.topic_gradient`.
    fn mixtures_backward(&self, tape: &mut HandfulTape<R>, gradients: &mut [Gradient<R>]) {
        self.fold_backward(tape);
        let HandfulTape {
            topic_vectors, scratch, choice, mixture_gradient, topic_gradient, ..
        } = tape;
        let rows = mixture_gradient.chunks_exact_mut(self.themes.count);
        for (gradient, choice) in rows.zip(choice.chunks_exact(self.themes.count)) {
            let mean = kernels::dot(gradient, choice);
            for (gradient, &share) in gradient.iter_mut().zip(choice) {
                *gradient = share * (*gradient - mean);
            }
        }
        self.theme_choice.backward(
            &self.parameters,
            &topic_vectors[..self.topics * self.settings.dimension],
            mixture_gradient,
            gradients,
            scratch,
            topic_gradient,
        );
    }

    /// β_k = c_k ((1 − γ_k) softmax(E t_k + b) + γ_k Σ_l m_kl Ψ_l), with c and γ from t_k; the
    /// background has the words of all training corpora.
    pub(super) fn shapes(
        &self,
        wanted: TermRows<'_>,
        tape: &mut HandfulTape<R>,
        dirichlet: &mut Dirichlet<R>,
    ) {
        let parameters = &self.parameters;
        let HandfulTape {
            topic_vectors,
            scratch,
            log_concentration,
            concentration,
            share_logit,
            theme_share,
            mixtures,
            own_scale,
            theme_scale,
            own,
            themed,
            words,
            themes,
            ..
        } = &mut *tape;
        let vectors = &topic_vectors[..self.topics * self.settings.dimension];
        self.concentration.forward(parameters, vectors, scratch, log_concentration);
        bound(log_concentration, LOG_CONCENTRATION);
        concentration.clear();
        concentration.extend(log_concentration.iter().map(|log| log.exp()));
        self.theme_share.forward(parameters, vectors, scratch, share_logit);
        bound(share_logit, SHARE_LOGIT);
        theme_share.clear();
        theme_share.extend(share_logit.iter().copied().map(sigmoid));
        own_scale.clear();
        own_scale.extend(concentration.iter().zip(&*theme_share).map(|(&c, &g)| c * (R::ONE - g)));
        theme_scale.clear();
        theme_scale.extend(concentration.iter().zip(&*theme_share).map(|(&c, &g)| c * g));

        self.words.forward(parameters, self.stored_words.as_deref(), vectors, words);
        self.themes.mix(mixtures, theme_scale, wanted, themes, themed);
        let (count, terms) = (self.topics + 1, self.unigram.len());
        let background = R::of(BACKGROUND_CONCENTRATION);
        own.clear();
        dirichlet.beta.resize(terms * count, R::ZERO);
        let mut themed = themed.chunks_exact(self.topics);
        wanted.for_each(terms, |j| {
            let themed = themed.next().expect("as many rows as wanted terms");
            let row = &mut dirichlet.beta[j * count..(j + 1) * count];
            let of_topics = row.iter_mut().zip(themed).zip(words.shares(j)).zip(&*own_scale);
            for (((beta, &themed), share), &scale) in of_topics {
                let of_own = (share * scale).at_least(R::of(FLOOR));
                own.push(of_own);
                *beta = of_own + themed;
            }
            row[self.topics] = background * self.unigram[j];
        });
        dirichlet.beta_sum.clone_from(concentration);
        dirichlet.beta_sum.push(background);
    }

    /// Backward pass of [`Self::shapes`]: sets `tape.topic_gradient`.
    pub(super) fn shapes_backward(
        &self,
        terms: &[u32],
        gradient: &PriorGradient<R>,
        tape: &mut HandfulTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let parameters = &self.parameters;
        self.split_gradient(gradient, tape);
        let HandfulTape {
            topic_vectors,
            own_log,
            of_beta,
            words,
            themes,
            topic_gradient,
            theme_scale,
            mixture_gradient,
            ..
        } = &mut *tape;
        let vectors = &topic_vectors[..self.topics * self.settings.dimension];
        self.words.backward(parameters, vectors, terms, own_log, words, gradients, topic_gradient);
        self.themes.mix_backward(terms, of_beta, theme_scale, themes, mixture_gradient);
        self.mixtures_backward(tape, gradients);
        self.heads_backward(gradient, tape, gradients);
        // The background's vector has no part in β.
        tape.topic_gradient.resize((self.topics + 1) * self.settings.dimension, R::ZERO);
    }

    /// What of β ∂/∂β falls to each of the two parts of β, by their shares.
    fn split_gradient(&self, gradient: &PriorGradient<R>, tape: &mut HandfulTape<R>) {
        let HandfulTape { own, themed, own_log, themed_log, of_beta, .. } = tape;
        // That of the background, the last of each row, moves nothing.
        own_log.clear();
        for row in gradient.log_beta.chunks_exact(self.topics + 1) {
            own_log.extend_from_slice(&row[..self.topics]);
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

    /// From the gradients of log c (1 − γ) and of log c γ to those of the two heads.
    fn heads_backward(
        &self,
        gradient: &PriorGradient<R>,
        tape: &mut HandfulTape<R>,
        gradients: &mut [Gradient<R>],
    ) {
        let HandfulTape {
            topic_vectors,
            scratch,
            own_log,
            themed_log,
            log_concentration,
            share_logit,
            theme_share,
            own_scale,
            theme_scale,
            head_gradient: of_own,
            themed_sum: of_themed,
            topic_gradient,
            ..
        } = &mut *tape;
        let vectors = &topic_vectors[..self.topics * self.settings.dimension];
        for (sum, log_rows) in [(&mut *of_own, own_log), (&mut *of_themed, themed_log)] {
            kernels::reset(sum, theme_scale.len());
            R::add_rows(sum, log_rows);
        }
        for (k, of_themed) in of_themed.iter_mut().enumerate() {
            of_own[k] += gradient.beta_sum[k] * own_scale[k];
            *of_themed += gradient.beta_sum[k] * theme_scale[k];
            let of_concentration = of_own[k] + *of_themed;
            let of_share = *of_themed * (R::ONE - theme_share[k]) - of_own[k] * theme_share[k];
            // What was brought back to a bound passes nothing on.
            let passes =
                |value: R, [least, most]: [f64; 2]| value > R::of(least) && value < R::of(most);
            let concentration_passes = passes(log_concentration[k], LOG_CONCENTRATION);
            of_own[k] = if concentration_passes { of_concentration } else { R::ZERO };
            *of_themed = if passes(share_logit[k], SHARE_LOGIT) { of_share } else { R::ZERO };
        }
        let parameters = &self.parameters;
        for (head, gradient) in [(&self.concentration, of_own), (&self.theme_share, of_themed)] {
            head.backward(parameters, vectors, gradient, gradients, scratch, topic_gradient);
        }
    }
}

/// Brings numbers back to what they may be.
fn bound<R: Real>(numbers: &mut [R], [least, most]: [f64; 2]) {
    let (least, most) = (R::of(least), R::of(most));
    for number in numbers {
        let at_least = number.at_least(least);
        *number = if at_least > most { most } else { at_least };
    }
}

/// σ
pub(super) fn sigmoid<R: Real>(logit: R) -> R {
    R::ONE / (R::ONE + (-logit).exp())
}

fn softmax<R: Real>(logits: &mut [R]) {
    let largest = logits.iter().fold(logits[0], |largest, &logit| largest.at_least(logit));
    let mut sum = R::ZERO;
    for logit in logits.iter_mut() {
        *logit = (*logit - largest).exp();
        sum += *logit;
    }
    logits.iter_mut().for_each(|share| *share /= sum);
}
