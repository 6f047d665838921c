//! Elementary functions of the stages.

use crate::numeric::Real;

/// σ
pub(super) fn sigmoid<R: Real>(logit: R) -> R {
    R::ONE / (R::ONE + (-logit).exp())
}

/// Makes logits shares, in place.
pub(super) fn softmax<R: Real>(logits: &mut [R]) {
    let largest = logits.iter().fold(logits[0], |largest, &logit| largest.at_least(logit));
    let mut sum = R::ZERO;
    for logit in logits.iter_mut() {
        *logit = (*logit - largest).exp();
        sum += *logit;
    }
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// Brings numbers back between `least` and `most`.
pub(super) fn bound<R: Real>(numbers: &mut [R], [least, most]: [f64; 2]) {
    let (least, most) = (R::of(least), R::of(most));
    for number in numbers {
        let at_least = number.at_least(least);
        *number = if at_least > most { most } else { at_least };
    }
}

/// Whether a bounded number is inside its bounds: one that was brought back passes no gradient on.
pub(super) fn passes<R: Real>(value: R, [least, most]: [f64; 2]) -> bool {
    value > R::of(least) && value < R::of(most)
}
