//! A linear layer over a batch of inputs.

use super::{Gradient, Parameter, Real, kernels};

/// y = W x + b, where W and b are two of a prior's parameters.
///
/// W has a row an output, as PyTorch's, so that forward and backward both read whole rows.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// Index of W among the parameters.
    pub weight: usize,
    /// Index of b among the parameters; `None` where another layer brings the bias.
    pub bias: Option<usize>,
}

impl Linear {
    /// The outputs for each row of `inputs`: batch × outputs.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        inputs: &[R],
        outputs: &mut Vec<R>,
    ) {
        let weight = &parameters[self.weight];
        let batch = inputs.len() / weight.columns;
        outputs.resize(batch * weight.rows, R::ZERO);
        R::dots(&weight.values, weight.columns, inputs, outputs, [1, weight.rows]);
        if let Some(bias) = self.bias {
            for output in outputs.chunks_exact_mut(weight.rows) {
                kernels::add(output, &parameters[bias].values);
            }
        }
    }

    /// From the gradient of the outputs: that of W and b, and, added, that of the inputs.
    pub fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        inputs: &[R],
        output_gradient: &[R],
        gradients: &mut [Gradient<R>],
        input_gradient: &mut [R],
    ) {
        let weight = &parameters[self.weight];
        let batch = inputs.len() / weight.columns;
        let (left, right) = gradients[self.weight].outer(weight.rows, batch);
        right.extend_from_slice(inputs);
        for (b, output) in output_gradient.chunks_exact(weight.rows).enumerate() {
            for (i, &gradient) in output.iter().enumerate() {
                left[i * batch + b] = gradient;
            }
        }
        R::combine(&weight.values, weight.columns, left, input_gradient);
        if let Some(bias) = self.bias {
            let bias_gradient = gradients[bias].dense(weight.rows);
            for output in output_gradient.chunks_exact(weight.rows) {
                kernels::add(bias_gradient, output);
            }
        }
    }
}
