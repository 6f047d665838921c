//! A feed-forward network that reads vectors.

use super::{Dropout, FeedForward, FeedForwardTape, Gradient, Linear, Parameter};

use crate::numeric::Real;

/// A linear map, and what follows it.
#[derive(Clone, Debug)]
pub struct Network {
    /// The first map.
    pub first: Linear,
    /// The maps after it, each after ReLU and dropout.
    pub rest: FeedForward,
}

/// What the backward pass needs of a forward pass.
#[derive(Clone, Debug, Default)]
pub struct NetworkTape<R> {
    units: Vec<R>,
    rest: FeedForwardTape<R>,
    scratch: Vec<R>,
}

impl Network {
    /// The outputs for each row of `inputs`: batch × outputs.
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

    /// From the outputs' gradient to that of the weights and, added, that of the inputs.
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
