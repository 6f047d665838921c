//! A linear layer over a batch of inputs.

use super::{Gradient, Parameter};

use crate::numeric::{Real, kernels};
use rayon::prelude::*;

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

/// Rows that are worked on together. Sums over rows are taken within a block, then over the blocks in
/// order, whatever thread computed which.
const BLOCK: usize = 64;

impl Linear {
    /// The outputs for each row of `inputs`: batch × outputs. `scratch` is memory to work in.
    pub fn forward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        inputs: &[R],
        scratch: &mut Vec<R>,
        outputs: &mut Vec<R>,
    ) {
        let weight = &parameters[self.weight];
        let bias = self.bias.map_or(&[][..], |bias| &parameters[bias].values);
        let batch = inputs.len() / weight.columns;
        // A row an output unit, so that threads write to places apart.
        let turned = if batch == 1 { &mut *outputs } else { &mut *scratch };
        turned.resize(weight.rows * batch, R::ZERO);
        turned.par_chunks_mut(BLOCK * batch).enumerate().for_each(|(block, turned)| {
            let rows = block * BLOCK..block * BLOCK + turned.len() / batch;
            let bias = bias.get(rows.clone()).unwrap_or_default();
            R::dots(weight.row_range(rows), weight.columns, inputs, bias, turned);
        });
        if batch > 1 {
            outputs.resize(batch * weight.rows, R::ZERO);
            kernels::turn(scratch, batch, outputs);
        }
    }

    /// From the gradient of the outputs: that of W and b, and, added, that of the inputs. `scratch` is
    /// memory to work in.
    pub fn backward<R: Real>(
        &self,
        parameters: &[Parameter<R>],
        inputs: &[R],
        output_gradient: &[R],
        gradients: &mut [Gradient<R>],
        scratch: &mut Vec<R>,
        input_gradient: &mut [R],
    ) {
        let weight = &parameters[self.weight];
        let batch = inputs.len() / weight.columns;
        let (left, right) = gradients[self.weight].outer(weight.rows, batch);
        right.extend_from_slice(inputs);
        kernels::turn(output_gradient, weight.rows, left);
        kernels::reset(scratch, weight.rows.div_ceil(BLOCK) * input_gradient.len());
        scratch
            .par_chunks_exact_mut(input_gradient.len())
            .zip(left.par_chunks(BLOCK * batch))
            .enumerate()
            .for_each(|(block, (input_gradient, left))| {
                let rows = block * BLOCK..block * BLOCK + left.len() / batch;
                R::combine(weight.row_range(rows), weight.columns, left, input_gradient);
            });
        R::add_rows(input_gradient, scratch);
        if let Some(bias) = self.bias {
            R::add_rows(gradients[bias].dense(weight.rows), output_gradient);
        }
    }
}
