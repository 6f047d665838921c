//! Every SIMD kernel against its scalar reference, in sizes that fill registers and that do not.

use super::{
    AdamConstants, AdamKernels, AdamRow, Addend, DocumentEntries, EmKernels, Owed, RowKernels,
    em_reference, largest_rows, reference,
};
use crate::numeric::{softplus, softplus_backward};
use crate::random::{Purpose, stream};
use rand::RngExt;

fn numbers(count: usize, number: u64) -> Vec<f32> {
    let mut stream = stream(1, Purpose::Weights, number);
    (0..count).map(|_| stream.random_range(-1.0f32..1.0)).collect()
}

fn close(what: &str, ours: &[f32], reference: &[f32], tolerance: f32) {
    for (i, (a, b)) in ours.iter().zip(reference).enumerate() {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{what}[{i}]: {a} against {b}");
    }
}

const COLUMNS: [usize; 9] = [1, 3, 13, 16, 32, 48, 64, 80, 256];
const BATCHES: [usize; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 23, 44];

#[test]
fn dots_are_those_of_the_reference() {
    for columns in COLUMNS {
        for batch in BATCHES {
            for rows in [1, 4, 7] {
                let (weights, inputs) = (numbers(rows * columns, 1), numbers(batch * columns, 2));
                for offsets in [vec![], numbers(rows, 3)] {
                    let (mut ours, mut theirs) = (vec![9.0; rows * batch], vec![9.0; rows * batch]);
                    f32::dots(&weights, columns, &inputs, &offsets, &mut ours);
                    reference::dots(&weights, columns, &inputs, &offsets, &mut theirs);
                    close(&format!("{rows} x {columns} x {batch}"), &ours, &theirs, 1e-5);
                }
            }
        }
    }
}

/// Where a row stands decides the order in which its lanes are added: four rows that make a full block are
/// added up together, the last one to three of all rows each by itself.
#[test]
fn dots_of_a_row_have_the_same_bits_wherever_it_stands_in_full_blocks_and_nearly_so_after_them() {
    const ROWS: usize = 11;
    let full_blocks = ROWS - ROWS % 4;
    for columns in [8, 16, 48, 256] {
        let (row, inputs) = (numbers(columns, 1), numbers(3 * columns, 2));
        let mut weights = numbers(ROWS * columns, 3);
        let products: Vec<[f32; 3]> = (0..ROWS)
            .map(|place| {
                let at = place * columns..(place + 1) * columns;
                let before = weights[at.clone()].to_vec();
                weights[at.clone()].copy_from_slice(&row);
                let mut outputs = [0.0; 3 * ROWS];
                f32::dots(&weights, columns, &inputs, &[], &mut outputs);
                weights[at].copy_from_slice(&before);
                outputs[3 * place..][..3].try_into().unwrap()
            })
            .collect();
        assert!(products[..full_blocks].iter().all(|found| *found == products[0]), "{columns}");
        assert!(products[full_blocks..].iter().all(|found| *found == products[full_blocks]));
        // Whatever the order, a sum of D products is within D ε/2 Σ|ab| of the exact one.
        for (b, input) in inputs.chunks_exact(columns).enumerate() {
            let moduli: f32 = row.iter().zip(input).map(|(a, b)| (a * b).abs()).sum();
            let difference = (products[0][b] - products[full_blocks][b]).abs();
            assert!(
                difference <= columns as f32 * f32::EPSILON * moduli,
                "{columns}: {difference}"
            );
        }
    }
}

#[test]
fn dots_have_the_same_bits_whatever_the_number_of_inputs() {
    for columns in COLUMNS {
        for batch in BATCHES {
            let (weights, inputs) = (numbers(7 * columns, 1), numbers(batch * columns, 2));
            let mut together = vec![0.0; 7 * batch];
            f32::dots(&weights, columns, &inputs, &[], &mut together);
            for (b, input) in inputs.chunks_exact(columns).enumerate() {
                let mut alone = [0.0; 7];
                f32::dots(&weights, columns, input, &[], &mut alone);
                let of_input: Vec<f32> = together.iter().skip(b).step_by(batch).copied().collect();
                assert_eq!(of_input, alone, "{columns} columns, input {b} of {batch}");
            }
        }
    }
}

#[test]
fn sums_of_rows_are_those_of_the_reference() {
    for columns in [1, 10, 16, 64, 65, 100] {
        for rows in [0, 1, 15, 16, 37] {
            let (mut ours, rows) = (numbers(columns, 1), numbers(rows * columns, 2));
            let mut theirs = ours.clone();
            f32::add_rows(&mut ours, &rows);
            reference::add_rows(&mut theirs, &rows);
            close("sums", &ours, &theirs, 1e-5);
        }
    }
}

#[test]
fn combinations_are_those_of_the_reference() {
    for columns in COLUMNS {
        for batch in BATCHES {
            for rows in [0, 1, 2, 7] {
                let (weights, scales) = (numbers(rows * columns, 1), numbers(rows * batch, 2));
                let mut ours = numbers(batch * columns, 3);
                let mut theirs = ours.clone();
                f32::combine(&weights, columns, &scales, &mut ours);
                reference::combine(&weights, columns, &scales, &mut theirs);
                close(&format!("{rows} x {columns} x {batch}"), &ours, &theirs, 1e-5);
            }
        }
    }
}

#[test]
fn softplus_and_its_backward_pass_are_those_of_the_reference() {
    let mut inputs: Vec<f32> = (-1200..1200).map(|i| i as f32 / 10.0).collect();
    inputs.extend([-1e30, -1e-20, 0.0, 1e-20, 1e30, f32::INFINITY, f32::NEG_INFINITY]);
    let mut values = inputs.clone();
    f32::softplus(&mut values);
    let exact: Vec<f64> = inputs.iter().map(|&z| softplus(f64::from(z))).collect();
    for ((z, value), exact) in inputs.iter().zip(&values).zip(&exact) {
        let error = (f64::from(*value) - exact).abs() / exact;
        // Below −87 float32 has no eᶻ that is a normal number: the value stays near 1e-38, which
        // is below the floor.
        assert!(error < 1e-6 || *z < -60.0 || exact.is_infinite(), "at {z}: {value}, {exact}");
    }
    for sign in [1.0, -1.0] {
        let mut gradients = vec![sign; values.len()];
        f32::softplus_backward(&mut gradients, &values);
        for (gradient, &value) in gradients.iter().zip(&values) {
            let exact = softplus_backward(f64::from(sign), f64::from(value));
            let exact =
                if value <= crate::numeric::FLOOR as f32 && sign > 0.0 { 0.0 } else { exact };
            if value.is_finite() {
                assert!((f64::from(*gradient) - exact).abs() < 1e-6, "{gradient}, {exact}");
            }
        }
    }
    let mut broken = [f32::NAN];
    f32::softplus(&mut broken);
    assert!(broken[0].is_nan());
}

#[test]
fn exponentials_below_a_bound_are_those_of_the_reference_and_never_vanish() {
    let mut values: Vec<f32> = (0..3000).map(|i| 5.0 - i as f32 / 20.0).collect();
    values.extend([-1e30, f32::NEG_INFINITY]);
    let mut exact: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
    let count = values.len();
    f32::exp_below(&mut values, &vec![5.0; count]);
    f64::exp_below(&mut exact, &vec![5.0; count]);
    for (ours, exact) in values.iter().zip(&exact) {
        assert!((f64::from(*ours) - exact).abs() < 1e-6 * exact, "{ours} against {exact}");
    }
    assert_eq!(values[3001], crate::numeric::FLOOR as f32);
    let mut broken = [f32::NAN];
    f32::exp_below(&mut broken, &[0.0]);
    assert!(broken[0].is_nan());
}

#[test]
fn the_largest_of_each_column_is_found() {
    for (rows, columns) in [(1, 1), (7, 11), (40, 16), (33, 50)] {
        let values = numbers(rows * columns, 1);
        let mut largest = values[..columns].to_vec();
        largest_rows(&mut largest, &values);
        for (c, &largest) in largest.iter().enumerate() {
            let column = values.iter().skip(c).step_by(columns);
            assert_eq!(largest, column.copied().fold(f32::MIN, f32::max));
        }
    }
}

fn constants() -> AdamConstants<f32> {
    AdamConstants {
        clip: 0.5,
        first: [0.9, 0.1],
        second: [0.999, 0.001],
        second_scale: 3.0,
        epsilon: 1e-8,
        rate: 0.01,
    }
}

#[test]
fn adam_on_a_sum_of_addends_is_that_of_the_reference_on_the_sum() {
    for columns in COLUMNS {
        for ranks in [vec![1], vec![3], vec![10], vec![2, 5], vec![1, 1, 4]] {
            let rows = 5;
            let factors: Vec<(Vec<f32>, Vec<f32>)> = (0u64..)
                .zip(&ranks)
                .map(|(e, rank)| (numbers(rows * rank, 10 + e), numbers(rank * columns, 20 + e)))
                .collect();
            let extra = numbers(columns, 30);
            let mut gradient = vec![0.0; rows * columns];
            for ((left, right), rank) in factors.iter().zip(&ranks) {
                for (left, gradient) in left.chunks(*rank).zip(gradient.chunks_mut(columns)) {
                    reference::combine(right, columns, left, gradient);
                }
            }
            for gradient in gradient.chunks_mut(columns) {
                reference::add_scaled(gradient, 3.0, &extra);
            }
            let start = || {
                let second = numbers(rows * columns, 5).iter().map(|x| x * x).collect::<Vec<_>>();
                [numbers(rows * columns, 3), numbers(rows * columns, 4), second]
            };
            let (mut ours, mut theirs) = (start(), start());
            let addends = |i: usize| {
                let products = factors.iter().zip(&ranks).map(move |((left, right), rank)| {
                    Addend::Product(&left[i * rank..(i + 1) * rank], right)
                });
                products.chain([Addend::Row(3.0, &extra[..])])
            };
            f32::adam(rows_of(&mut ours, columns).zip((0..rows).map(addends)), &constants());
            let sum = |i: usize| [Addend::Row(1.0, &gradient[i * columns..(i + 1) * columns])];
            let sums = (0..rows).map(|i| sum(i).into_iter());
            reference::adam(rows_of(&mut theirs, columns).zip(sums), &constants());
            for (what, (ours, theirs)) in
                ["weights", "first", "second"].iter().zip(ours.iter().zip(&theirs))
            {
                close(what, ours, theirs, 1e-5);
            }
        }
    }
}

fn rows_of(state: &mut [Vec<f32>; 3], columns: usize) -> impl Iterator<Item = AdamRow<'_, f32>> {
    let [weights, first, second] = state.each_mut().map(|of| of.chunks_exact_mut(columns));
    weights.zip(first.zip(second)).map(|(weights, (first, second))| AdamRow {
        weights,
        first,
        second,
    })
}

#[test]
fn catching_up_is_that_of_the_reference() {
    let owed = Owed {
        mean: 1.1,
        moments: [8e-3, 3e-6, -2e-8, 1e-9, 1e-11, 1e-12],
        first_decay: 0.5,
        second_decay: 0.99,
    };
    for length in [1, 13, 256] {
        let (mut w, mut m) = (numbers(length, 1), numbers(length, 2));
        let mut v: Vec<f32> = numbers(length, 3).iter().map(|x| x * x * 1e-9).collect();
        v[0] = 0.0;
        let (mut w2, mut m2, mut v2) = (w.clone(), m.clone(), v.clone());
        f32::catch_up(&mut w, &mut m, &mut v, &owed, 1e-8);
        reference::catch_up(&mut w2, &mut m2, &mut v2, &owed, 1e-8);
        close("weights", &w, &w2, 1e-5);
        close("first", &m, &m2, 0.0);
        close("second", &v, &v2, 0.0);
    }
}

type Forward = fn(DocumentEntries<'_, f32>, (&[f32], &[f32]), (&mut [f32], &mut [f32]), &mut [f32]);

type Backward = fn(
    DocumentEntries<'_, f32>,
    (&[f32], &[f32]),
    (&[f32], &[f32]),
    &[f32],
    (&mut [f32], &mut [f32]),
    &mut [f32],
);

/// Positive numbers over many orders of magnitude, with zeros where a row of topics is padded.
fn shares(rows: usize, topics: usize, stride: usize, number: u64) -> Vec<f32> {
    let values = numbers(rows * topics, number);
    let mut padded = Vec::new();
    for row in values.chunks(topics) {
        padded.extend(row.iter().map(|x| 10f32.powf(12.0 * x - 10.0)));
        padded.resize(padded.len() + stride - topics, 0.0);
    }
    padded
}

#[test]
fn expected_counts_and_their_backward_pass_are_those_of_the_reference() {
    for (topics, stride) in [(1, 16), (10, 16), (16, 16), (20, 32), (40, 48), (50, 64), (90, 96)] {
        let terms: Vec<u32> = vec![4, 0, 2, 6];
        let counts = vec![1.0, 3.0, 0.7, 250.0];
        let entries = DocumentEntries { terms: &terms, counts: &counts, stride };
        let (theta, phi) = (shares(1, topics, stride, 1), shares(7, topics, stride, 2));
        let run = |kernel: Forward| {
            let (mut new_theta, mut new_phi) = (vec![0.5; stride], vec![0.25; 7 * stride]);
            let mut inverse = vec![0.0; 4];
            kernel(entries, (&theta, &phi), (&mut new_theta, &mut new_phi), &mut inverse);
            (new_theta, new_phi, inverse)
        };
        let ours = run(f32::expected_counts);
        let theirs = run(em_reference::expected_counts);
        close("theta", &ours.0, &theirs.0, 1e-5);
        close("phi", &ours.1, &theirs.1, 1e-5);
        for (a, b) in ours.2.iter().zip(&theirs.2) {
            assert!((a - b).abs() <= 1e-5 * b, "inverse: {a} against {b}");
        }

        let (theta_count, phi_count) = (numbers(stride, 3), numbers(7 * stride, 4));
        let back = |kernel: Backward| {
            let (mut log_theta, mut log_phi) = (vec![0.5; stride], vec![0.25; 7 * stride]);
            let mut log_counts = vec![0.125; 4];
            kernel(
                entries,
                (&theta, &phi),
                (&theta_count, &phi_count),
                &theirs.2,
                (&mut log_theta, &mut log_phi),
                &mut log_counts,
            );
            (log_theta, log_phi, log_counts)
        };
        let ours = back(f32::expected_counts_backward);
        let theirs = back(em_reference::expected_counts_backward);
        // Sums of up to 250 responsibilities cancel.
        close("log theta", &ours.0, &theirs.0, 1e-4);
        close("log phi", &ours.1, &theirs.1, 1e-4);
        close("log counts", &ours.2, &theirs.2, 1e-4);
    }
}

#[test]
fn row_kernels_of_em_are_those_of_the_reference() {
    for stride in [16, 48, 5] {
        let (gradient, values) = (numbers(3 * stride, 1), shares(3, stride, stride, 2));
        let norm = shares(1, stride, stride, 3);
        let (mut ours, mut theirs) = (vec![0.0; 3 * stride], vec![0.0; 3 * stride]);
        f32::per_count(&gradient, &values, &norm, &mut ours);
        em_reference::per_count(&gradient, &values, &norm, &mut theirs);
        close("quotients", &ours, &theirs, 1e-6);
        let (mut ours, mut theirs) = (values.clone(), values.clone());
        f32::per_row_scaled(&mut ours, &norm, 8.0);
        em_reference::per_row_scaled(&mut theirs, &norm, 8.0);
        for (a, b) in ours.iter().zip(&theirs) {
            assert!((a - b).abs() <= 1e-6 * b, "{a} against {b}");
        }
        let (mut ours, mut theirs) = (gradient.clone(), gradient.clone());
        f32::add_products(&mut ours, &values, &gradient);
        em_reference::add_products(&mut theirs, &values, &gradient);
        close("products", &ours, &theirs, 1e-6);
        let mut tiny = vec![1e-16, -1e-18, 0.0, -2.0, 1e-30];
        f32::drop_negligible(&mut tiny);
        assert_eq!(tiny, [1e-16, 0.0, 0.0, -2.0, 0.0]);
    }
}

/// Pseudo-counts from far below 1, where ψ falls like −1/x, to thousands.
fn pseudo_counts(count: usize) -> Vec<f32> {
    (0..count).map(|i| 10f32.powf(-6.0 + 10.0 * i as f32 / count as f32)).collect()
}

fn in_float64(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| value.into()).collect()
}

fn near_float64(what: &str, ours: &[f32], exact: &[f64], tolerance: f64) {
    for (i, (&a, &b)) in ours.iter().zip(exact).enumerate() {
        let difference = (f64::from(a) - b).abs();
        assert!(difference <= tolerance * b.abs().max(1.0), "{what} {i}: {a} against {b}");
    }
}

#[test]
fn kernels_of_variational_bayes_in_float32_are_near_those_in_float64() {
    for stride in [16, 48, 5] {
        let (gradients, values) = (numbers(8 * stride, 1), pseudo_counts(8 * stride));
        let (norm, offset) = (shares(1, stride, stride, 3), numbers(stride, 4));
        let wide = [&gradients, &values, &norm, &offset].map(|row| in_float64(row));
        let (mut ours, mut exact) = (vec![0.0; 8 * stride], vec![0.0; 8 * stride]);
        f32::digammas(&values, &norm, &offset, &mut ours);
        f64::digammas(&wide[1], &wide[2], &wide[3], &mut exact);
        near_float64("digamma", &ours, &exact, 2e-6);
        f32::times_trigamma(&gradients, &values, &norm, &mut ours);
        f64::times_trigamma(&wide[0], &wide[1], &wide[2], &mut exact);
        near_float64("trigamma", &ours, &exact, 2e-6);
    }
}

#[test]
fn softmax_counts_and_their_backward_pass_in_float32_are_near_those_in_float64() {
    for (topics, stride) in [(1, 16), (10, 16), (20, 32), (40, 48), (50, 64), (5, 5)] {
        let (terms, counts): (Vec<u32>, Vec<f32>) = (vec![4, 0, 2, 6], vec![1.0, 3.0, 0.7, 250.0]);
        let entries = DocumentEntries { terms: &terms, counts: &counts, stride };
        let wide_counts = in_float64(&counts);
        let wide_entries = DocumentEntries { terms: &terms, counts: &wide_counts, stride };
        let padded = |mut logarithms: Vec<f32>| {
            logarithms[topics..].fill(-1e30);
            logarithms
        };
        // Differences of ψ reach thousands where pseudo-counts are small.
        for scale in [1.0, 3e3] {
            let log_theta = padded(numbers(stride, 5));
            let log_phi: Vec<f32> = numbers(7 * stride, 6).iter().map(|l| scale * l).collect();
            let (mut theta, mut phi) = (vec![0.5; stride], vec![0.25; 7 * stride]);
            let mut shares = vec![0.0; 4 * stride];
            f32::softmax_counts(
                entries,
                (&log_theta, &log_phi),
                (&mut theta, &mut phi),
                &mut shares,
            );
            let (mut wide_theta, mut wide_phi) = (vec![0.5; stride], vec![0.25; 7 * stride]);
            let mut wide_shares = vec![0.0; 4 * stride];
            f64::softmax_counts(
                wide_entries,
                (&in_float64(&log_theta), &in_float64(&log_phi)),
                (&mut wide_theta, &mut wide_phi),
                &mut wide_shares,
            );
            near_float64("share", &shares, &wide_shares, 1e-6);
            near_float64("theta", &theta, &wide_theta, 2e-6);
            near_float64("phi", &phi, &wide_phi, 2e-6);
            for shares in shares.chunks_exact(stride) {
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }

            let (theta_count, phi_count) = (numbers(stride, 3), numbers(7 * stride, 4));
            let (mut theta, mut phi) = (vec![0.5; stride], vec![0.25; 7 * stride]);
            let mut log_counts = vec![0.125; 4];
            f32::softmax_counts_backward(
                entries,
                &shares,
                (&theta_count, &phi_count),
                (&mut theta, &mut phi),
                &mut log_counts,
            );
            let (mut wide_theta, mut wide_phi) = (vec![0.5; stride], vec![0.25; 7 * stride]);
            let mut wide_log_counts = vec![0.125; 4];
            f64::softmax_counts_backward(
                wide_entries,
                &in_float64(&shares),
                (&in_float64(&theta_count), &in_float64(&phi_count)),
                (&mut wide_theta, &mut wide_phi),
                &mut wide_log_counts,
            );
            // Sums of up to 250 responsibilities cancel.
            near_float64("log theta", &theta, &wide_theta, 1e-4);
            near_float64("log phi", &phi, &wide_phi, 1e-4);
            near_float64("log counts", &log_counts, &wide_log_counts, 1e-4);
        }
    }
}
