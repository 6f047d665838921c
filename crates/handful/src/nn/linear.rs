//! A linear layer over a batch of inputs.

use super::{Gradient, Parameter};

use crate::numeric::{Real, kernels};
use rayon::prelude::*;

/// y = W x + b, where W and b are two of a prior's parameters.
///
/// W has one row per output, as in PyTorch, so that forward and backward passes both read whole
/// rows.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// The index of W among the parameters.
    pub weight: usize,
    /// The index of b among the parameters. `None` if another layer adds the bias.
    pub bias: Option<usize>,
}

/// How many rows of W are processed at a time. Sums over rows are taken within a block, then over
/// the blocks in order, so the result does not depend on the threads.
const BLOCK: usize = 64;

impl Linear {
    /// Computes the outputs for each row of `inputs`: batch × outputs. `scratch` is working memory.
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
        // Has one row per output unit, so that each thread writes to its own memory.
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

    /// Computes the gradient of W and b from the outputs' gradient, and adds the gradient of the
    /// inputs to `input_gradient`. `scratch` is working memory.
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
