//! The kernels that an episode of the paper's prior spends its time in, each by itself.
//!
//! The size is that of the widest layer: a row a term, a column a hidden unit, a vector a topic. It is passed
//! over once to predict (dots), once on the way back (combine), and once to update it (Adam).

use clap::Args;
use handful::internals::numeric::SimdLevel;
use handful::internals::numeric::kernels::{
    AdamConstants, AdamKernels, AdamRow, Addend, DocumentEntries, EmKernels, Owed, RowKernels,
};
use handful::internals::storage::{
    Tensor, TensorFile, TensorSource, Tensors, compact_tensor_bytes,
};
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

/// The work's size.
#[derive(Debug, Args)]
pub struct Settings {
    /// Terms: the rows of the layer
    #[arg(long, default_value_t = 7311)]
    terms: usize,
    /// Hidden units: the columns of the layer
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// Topics: the vectors that share a pass over the layer
    #[arg(long, default_value_t = 10)]
    topics: usize,
    /// Terms of a document, for the kernels of EM
    #[arg(long, default_value_t = 100)]
    entries: usize,
    /// Measurements of each kernel, in alternation; the least counts
    #[arg(long, default_value_t = 50)]
    rounds: usize,
}

/// A kernel's name and its work.
type Kernel<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// One term in `TOUCHED` stands in an episode; its rows of the first layers are brought up to date.
const TOUCHED: usize = 20;

/// Stored rows that are read together, as many as the softmax over all terms reads.
const READ: usize = 32;

/// Prints the least milliseconds of each kernel.
pub fn print(settings: &Settings) {
    let Settings { terms, hidden, topics, entries, rounds } = *settings;
    let layer = numbers(terms * hidden);
    let vectors = numbers(topics * hidden);
    let mut products = numbers(terms * topics);
    let scales = products.clone();
    let mut combined = vec![0.0; topics * hidden];
    let mut state = [layer.clone(), numbers(terms * hidden), vec![0.5; terms * hidden]];
    let stride = topics.next_multiple_of(16);
    let document = Document::new(entries, stride);
    let mut em = document.results();
    let (mut activated, mut gradients) = (products.clone(), products.clone());
    let values = vec![0.5; terms * topics];
    let touched = (terms / TOUCHED).max(1) * hidden;
    let mut behind = [numbers(touched), numbers(touched), vec![0.5; touched]];
    let mut em_back = document.results();
    let mut kernels: Vec<Kernel<'_>> = vec![
        ("dots", Box::new(|| f32::dots(&layer, hidden, &vectors, &[], &mut products))),
        ("softplus", Box::new(|| f32::softplus(&mut activated))),
        ("softplus_backward", Box::new(|| f32::softplus_backward(&mut gradients, &values))),
        ("combine", Box::new(|| f32::combine(&layer, hidden, &scales, &mut combined))),
        ("adam", Box::new(|| adam(&mut state, hidden, topics, &scales, &vectors))),
        ("catch_up", Box::new(|| catch_up(&mut behind))),
        ("em_forward", Box::new(|| document.forward(&mut em))),
        ("em_backward", Box::new(|| document.backward(&mut em_back))),
    ];
    // A weight too large for 4 bits makes all rows take 8.
    kernels.extend(read_rows("read_rows_of_8_bits", &layer, hidden, 1e7));
    kernels.extend(read_rows("read_rows_of_4_bits", &layer, hidden, 1.0));
    let mut least = vec![f64::INFINITY; kernels.len()];
    for _ in 0..=rounds {
        for ((_, work), least) in kernels.iter_mut().zip(&mut least) {
            let start = Instant::now();
            work();
            *least = least.min(1e3 * start.elapsed().as_secs_f64());
        }
    }
    let mut answer = json!({"simd": SimdLevel::in_use().name()});
    for ((name, _), least) in kernels.iter().zip(least) {
        answer[format!("{name}_ms")] = json!(least);
    }
    println!("{answer}");
}

/// Reads all rows of the layer from a compact file, with `last` for its last weight. `None` for a layer
/// of so few terms that all of it takes half precision.
fn read_rows(
    name: &'static str,
    layer: &[f32],
    columns: usize,
    last: f32,
) -> Option<Kernel<'static>> {
    let mut values = layer.to_vec();
    *values.last_mut()? = last;
    let shape = [layer.len() / columns, columns];
    let tensor = Tensor { shape: shape.to_vec(), values };
    let bytes = compact_tensor_bytes(&Tensors::from([("layer".to_owned(), tensor)]).into());
    let file = TensorFile::from_bytes("the benchmark", bytes).ok()?;
    let stored = file.stored_rows("layer", shape).ok()??;
    let mut rows = vec![0.0; READ * columns];
    let read = move || {
        for first in (0..shape[0]).step_by(READ) {
            stored.read(first..first + READ, &mut rows);
            black_box(&mut rows);
        }
    };
    Some((name, Box::new(read)))
}

/// Numbers between −1 and 1 that look like any.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i as f32 * 0.618_034).fract() * 2.0 - 1.0).collect()
}

/// Adam on every row of the layer, whose gradient is the product of a row of `left` and `right`.
fn adam(state: &mut [Vec<f32>; 3], columns: usize, rank: usize, left: &[f32], right: &[f32]) {
    let constants = AdamConstants {
        clip: 0.5,
        first: [0.9, 0.1],
        second: [0.999, 0.001],
        second_scale: 1.0,
        epsilon: 1e-8,
        rate: 1e-6,
    };
    let [weights, first, second] = state.each_mut().map(|of| of.chunks_exact_mut(columns));
    let rows = weights.zip(first.zip(second));
    let rows = rows.map(|(weights, (first, second))| AdamRow { weights, first, second });
    let gradients = left.chunks_exact(rank).map(|left| [Addend::Product(left, right)].into_iter());
    f32::adam(rows.zip(gradients), &constants);
}

/// Steps without gradient, made up for at once.
fn catch_up([weights, first, second]: &mut [Vec<f32>; 3]) {
    let owed = Owed {
        mean: 1.1,
        moments: [8e-3, 3e-6, -2e-8, 1e-9, 1e-11, 1e-12],
        first_decay: 0.999,
        second_decay: 0.999,
    };
    f32::catch_up(weights, first, second, &owed, 1e-8);
}

/// A document in the midst of EM.
struct Document {
    terms: Vec<u32>,
    counts: Vec<f32>,
    stride: usize,
    theta: Vec<f32>,
    phi: Vec<f32>,
    inverse: Vec<f32>,
}

/// What EM's kernels add to: for θ, for φ, and a number an entry.
type Results = [Vec<f32>; 3];

impl Document {
    fn new(entries: usize, stride: usize) -> Self {
        let positive = |count: usize| numbers(count).iter().map(|x| x.abs() + 0.01).collect();
        Self {
            terms: (0..entries as u32).collect(),
            counts: vec![1.0; entries],
            stride,
            theta: positive(stride),
            phi: positive(entries * stride),
            inverse: vec![1e-2; entries],
        }
    }

    fn results(&self) -> Results {
        [self.stride, self.phi.len(), self.terms.len()].map(|length| vec![0.0; length])
    }

    fn entries(&self) -> DocumentEntries<'_, f32> {
        DocumentEntries { terms: &self.terms, counts: &self.counts, stride: self.stride }
    }

    fn forward(&self, [theta, phi, inverse]: &mut Results) {
        f32::expected_counts(self.entries(), (&self.theta, &self.phi), (theta, phi), inverse);
        black_box(phi);
    }

    fn backward(&self, [theta, phi, counts]: &mut Results) {
        let state = (&self.theta[..], &self.phi[..]);
        let results = (&mut theta[..], &mut phi[..]);
        f32::expected_counts_backward(self.entries(), state, state, &self.inverse, results, counts);
        black_box(phi);
    }
}
