//! What hidden units make of their inputs.

use super::Dropout;
use crate::numeric::Real;
use serde::{Deserialize, Serialize};

/// What a hidden unit makes of its input x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// max(0, x), as in the paper.
    #[default]
    Relu,
    /// x above 0, and x/100 below.
    LeakyRelu,
    /// tanh x
    Tanh,
}

/// The slope of [`Activation::LeakyRelu`] below 0.
const LEAK: f64 = 0.01;

impl Activation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Relu, Self::LeakyRelu, Self::Tanh];

    /// Whether it is ReLU, which files do not name.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Its name in a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Relu => "ReLU",
            Self::LeakyRelu => "leaky ReLU",
            Self::Tanh => "tanh",
        }
    }

    /// Activates units, then drops some, in place.
    pub fn forward<R: Real>(self, dropout: &mut Dropout<'_>, units: &mut [R]) {
        match self {
            Self::Relu => dropout.apply(units, |unit| unit.at_least(R::ZERO)),
            Self::LeakyRelu => {
                let leak = R::of(LEAK);
                dropout.apply(units, |unit| if unit < R::ZERO { unit * leak } else { unit });
            }
            Self::Tanh => dropout.apply(units, R::tanh),
        }
    }

    /// Backward pass of [`Self::forward`]: multiplies the gradient by the slope, which follows from the
    /// active unit. So neither the inputs nor a mask need be kept.
    ///
    /// `scale` is the forward pass's [`Dropout::scale`]. If it is above 1, a unit that is zero was
    /// dropped.
    pub fn backward<R: Real>(self, active: &[R], scale: R, gradient: &mut [R]) {
        let is_dropped = |unit: R| unit == R::ZERO && scale > R::ONE;
        match self {
            // A unit that is zero was negative or dropped.
            Self::Relu => {
                for (gradient, &unit) in gradient.iter_mut().zip(active) {
                    *gradient = if unit > R::ZERO { *gradient * scale } else { R::ZERO };
                }
            }
            Self::LeakyRelu => {
                let (below, above) = (R::of(LEAK) * scale, scale);
                for (gradient, &unit) in gradient.iter_mut().zip(active) {
                    let slope = if unit > R::ZERO { above } else { below };
                    *gradient = if is_dropped(unit) { R::ZERO } else { *gradient * slope };
                }
            }
            Self::Tanh => {
                for (gradient, &unit) in gradient.iter_mut().zip(active) {
                    let value = unit / scale;
                    let slope = (R::ONE - value * value) * scale;
                    *gradient = if is_dropped(unit) { R::ZERO } else { *gradient * slope };
                }
            }
        }
    }
}
