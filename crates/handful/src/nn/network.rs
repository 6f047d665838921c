//! A feed-forward network that reads vectors.

use super::{Dropout, FeedForward, FeedForwardTape, Gradient, Linear, Parameter};

use crate::numeric::Real;

/// A linear map followed by further layers.
#[derive(Clone, Debug)]
pub struct Network {
    /// The first map.
    pub first: Linear,
    /// The further maps, each after activation and dropout.
    pub rest: FeedForward,
}

/// What the backward pass needs from the forward pass.
#[derive(Clone, Debug, Default)]
pub struct NetworkTape<R> {
    units: Vec<R>,
    rest: FeedForwardTape<R>,
    scratch: Vec<R>,
}

impl Network {
    /// Computes the outputs for each row of `inputs`: batch × outputs.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        inputs: &[R],
        dropout: &mut Dropout<'_>,
        tape: &mut NetworkTape<R>,
        outputs: &mut Vec<R>,
    ) {
        self.first.forward(parameters, inputs, &mut tape.scratch, &mut tape.units);
        self.rest.forward(parameters, &tape.units, dropout, &mut tape.rest, outputs);
    }

    /// Computes the weights' gradients from the outputs' gradient, and adds the gradient of the
    /// inputs to `input_gradient`.
    ///
    /// `scale` is the forward pass's [`Dropout::scale`].
    #[expect(clippy::too_many_arguments, reason = "what goes in and comes out of a layer")]
    pub fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        inputs: &[R],
        output_gradient: &[R],
        scale: R,
        tape: &mut NetworkTape<R>,
        gradients: &mut [Gradient<R>],
        input_gradient: &mut [R],
    ) {
        let NetworkTape { rest, scratch, .. } = tape;
        let units = self.rest.backward(parameters, output_gradient, scale, rest, gradients);
        self.first.backward(parameters, inputs, units, gradients, scratch, input_gradient);
    }
}
