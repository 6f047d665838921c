//! Linear layers in sequence, with activation and dropout between them.

use super::{Activation, Dropout, Gradient, Linear, Parameter};
use crate::numeric::{Real, kernels};

/// The part of a feed-forward network after its first linear map. Activation and dropout come before
/// each further map.
///
/// First maps differ: some read word counts, some a corpus representation as well. The rest is the
/// same in every network.
#[derive(Clone, Debug)]
pub struct FeedForward {
    /// The maps after the first.
    pub layers: Vec<Linear>,
    /// What hidden units make of their inputs.
    pub activation: Activation,
}

/// What the backward pass needs from the forward pass.
#[derive(Clone, Debug, Default)]
pub struct FeedForwardTape<R> {
    /// `active[l]` is the input of layer `l`, after activation and dropout: batch × units.
    active: Vec<Vec<R>>,
    /// Gradients in the backward pass. There are two, so that one is read while the other is
    /// written.
    gradient: [Vec<R>; 2],
    scratch: Vec<R>,
}

impl FeedForward {
    /// Computes the last map's outputs from the first map's outputs (`units`, batch × hidden).
    ///
    /// Without layers, the outputs are the units.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        units: &[R],
        dropout: &mut Dropout<'_>,
        tape: &mut FeedForwardTape<R>,
        outputs: &mut Vec<R>,
    ) {
        tape.active.resize_with(self.layers.len(), Vec::new);
        outputs.clear();
        outputs.extend_from_slice(units);
        for (layer, active) in self.layers.iter().zip(&mut tape.active) {
            active.clear();
            active.extend_from_slice(outputs);
            self.activation.forward(dropout, active);
            layer.forward(parameters, active, &mut tape.scratch, outputs);
        }
    }

    /// Computes the gradients of the layers' weights from the outputs' gradient, and returns the
    /// gradient of the first map's outputs.
    ///
    /// `scale` is the forward pass's [`Dropout::scale`].
    pub fn backward<'t, R: Real>(
        &self,
        parameters: &[Parameter<R>],
        output_gradient: &[R],
        scale: R,
        tape: &'t mut FeedForwardTape<R>,
        gradients: &mut [Gradient<R>],
    ) -> &'t [R] {
        let [below, above] = &mut tape.gradient;
        above.clear();
        above.extend_from_slice(output_gradient);
        for (layer, active) in self.layers.iter().zip(&tape.active).rev() {
            kernels::reset(below, active.len());
            layer.backward(parameters, active, above, gradients, &mut tape.scratch, below);
            self.activation.backward(active, scale, below);
            std::mem::swap(below, above);
        }
        above
    }
}
