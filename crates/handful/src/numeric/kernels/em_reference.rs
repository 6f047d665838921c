//! The EM layers' inner loops over the entries of a document: the scalar reference.

use super::DocumentEntries;
use super::reference::without_negligible;
use crate::numeric::Real;

/// γ_njk, or 0 where it is negligible: nothing is smaller than what float32 can multiply further.
fn responsibility<R: Real>(theta: R, phi: R, one_over: R) -> R {
    let share = theta * phi * one_over;
    if share < R::NEGLIGIBLE { R::ZERO } else { share }
}

pub fn expected_counts<R: Real>(
    entries: DocumentEntries<'_, R>,
    (theta, phi): (&[R], &[R]),
    (new_theta, new_phi): (&mut [R], &mut [R]),
    inverse: &mut [R],
) {
    let stride = entries.stride;
    for ((&term, &count), inverse) in entries.terms.iter().zip(entries.counts).zip(inverse) {
        let row = term as usize * stride..(term as usize + 1) * stride;
        let (phi, new_phi) = (&phi[row.clone()], &mut new_phi[row]);
        let probability: R = theta.iter().zip(phi).map(|(&theta, &phi)| theta * phi).sum();
        *inverse = R::ONE / probability.at_least(R::SMALLEST);
        for k in 0..stride {
            let expected = count * responsibility(theta[k], phi[k], *inverse);
            new_theta[k] += expected;
            new_phi[k] += expected;
        }
    }
}

pub fn expected_counts_backward<R: Real>(
    entries: DocumentEntries<'_, R>,
    (theta, phi): (&[R], &[R]),
    (theta_count, phi_count): (&[R], &[R]),
    inverse: &[R],
    (log_theta, log_phi): (&mut [R], &mut [R]),
    log_counts: &mut [R],
) {
    let stride = entries.stride;
    let words = entries.terms.iter().zip(entries.counts);
    for (((&term, &count), &one_over), log_count) in words.zip(inverse).zip(log_counts) {
        let row = term as usize * stride..(term as usize + 1) * stride;
        let phi = &phi[row.clone()];
        *log_count += add_logits(
            count,
            |k| responsibility(theta[k], phi[k], one_over),
            (theta_count, &phi_count[row.clone()]),
            (log_theta, &mut log_phi[row]),
        );
    }
}

/// Adds an entry's derivatives with respect to the logits of γ, x γ (g − Σ γ g), to both gradients.
/// Returns x Σ γ g, that with respect to log x.
#[inline(always)]
fn add_logits<R: Real>(
    count: R,
    share: impl Fn(usize) -> R,
    (theta_count, phi_count): (&[R], &[R]),
    (log_theta, log_phi): (&mut [R], &mut [R]),
) -> R {
    let log_gamma = |k: usize| count * share(k) * (theta_count[k] + phi_count[k]);
    let sum: R = (0..theta_count.len()).map(log_gamma).sum();
    for k in 0..theta_count.len() {
        let logit = log_gamma(k) - share(k) * sum;
        log_theta[k] += logit;
        log_phi[k] += logit;
    }
    sum
}

pub fn softmax_counts<R: Real>(
    entries: DocumentEntries<'_, R>,
    (log_theta, log_phi): (&[R], &[R]),
    (new_theta, new_phi): (&mut [R], &mut [R]),
    shares: &mut [R],
    exp: impl Fn(R) -> R,
) {
    let stride = entries.stride;
    let words = entries.terms.iter().zip(entries.counts);
    for ((&term, &count), shares) in words.zip(shares.chunks_exact_mut(stride)) {
        let row = term as usize * stride..(term as usize + 1) * stride;
        softmax_of_sum(log_theta, &log_phi[row.clone()], shares, &exp);
        let new_phi = &mut new_phi[row];
        for k in 0..stride {
            new_theta[k] += count * shares[k];
            new_phi[k] += count * shares[k];
        }
    }
}

pub fn softmax_counts_backward<R: Real>(
    entries: DocumentEntries<'_, R>,
    shares: &[R],
    (theta_count, phi_count): (&[R], &[R]),
    (log_theta, log_phi): (&mut [R], &mut [R]),
    log_counts: &mut [R],
) {
    let stride = entries.stride;
    let words = entries.terms.iter().zip(entries.counts).zip(shares.chunks_exact(stride));
    for (((&term, &count), shares), log_count) in words.zip(log_counts) {
        let row = term as usize * stride..(term as usize + 1) * stride;
        *log_count += add_logits(
            count,
            |k| shares[k],
            (theta_count, &phi_count[row.clone()]),
            (log_theta, &mut log_phi[row]),
        );
    }
}

pub fn per_count<R: Real>(log_gradient: &[R], values: &[R], norm: &[R], quotients: &mut [R]) {
    let rows = log_gradient.chunks_exact(norm.len()).zip(values.chunks_exact(norm.len()));
    for ((gradient, value), quotient) in rows.zip(quotients.chunks_exact_mut(norm.len())) {
        for k in 0..norm.len() {
            quotient[k] = gradient[k] / (value[k] * norm[k]).at_least(R::SMALLEST);
        }
    }
}

pub fn per_row_scaled<R: Real>(rows: &mut [R], norm: &[R], scale: R) {
    for row in rows.chunks_exact_mut(norm.len()) {
        for (value, &norm) in row.iter_mut().zip(norm) {
            *value *= scale / norm;
        }
    }
}

#[inline(always)]
pub fn digammas<R: Real>(
    values: &[R],
    scale: &[R],
    offset: &[R],
    digammas: &mut [R],
    digamma: impl Fn(R) -> R,
) {
    let rows = values.chunks_exact(scale.len()).zip(digammas.chunks_exact_mut(scale.len()));
    for (row, digammas) in rows {
        // Without an index, whose check would keep the loop from becoming SIMD.
        let of_row = row.iter().zip(scale).zip(offset);
        for (value, ((&x, &scale), &offset)) in digammas.iter_mut().zip(of_row) {
            *value = digamma(x * scale) - offset;
        }
    }
}

#[inline(always)]
pub fn times_trigamma<R: Real>(
    gradients: &[R],
    values: &[R],
    norm: &[R],
    products: &mut [R],
    trigamma: impl Fn(R) -> R,
) {
    let rows = gradients.chunks_exact(norm.len()).zip(values.chunks_exact(norm.len()));
    for ((gradient, value), product) in rows.zip(products.chunks_exact_mut(norm.len())) {
        let of_row = gradient.iter().zip(value).zip(norm);
        for (product, ((&gradient, &x), &norm)) in product.iter_mut().zip(of_row) {
            *product = gradient * trigamma(x * norm);
        }
    }
}

/// The softmax of a + b, 0 where it is negligible.
fn softmax_of_sum<R: Real>(a: &[R], b: &[R], shares: &mut [R], exp: impl Fn(R) -> R) {
    let mut largest = a[0] + b[0];
    for (&a, &b) in a.iter().zip(b) {
        largest = largest.at_least(a + b);
    }
    let mut sum = R::ZERO;
    for ((share, &a), &b) in shares.iter_mut().zip(a).zip(b) {
        *share = exp(a + b - largest);
        sum += *share;
    }
    let one_over = R::ONE / sum;
    for share in shares {
        let of_all = *share * one_over;
        *share = if of_all < R::NEGLIGIBLE { R::ZERO } else { of_all };
    }
}

#[inline(always)]
pub fn add_products<R: Real>(y: &mut [R], a: &[R], b: &[R]) {
    for ((y, &a), &b) in y.iter_mut().zip(a).zip(b) {
        *y += a * b;
    }
}

#[inline(always)]
pub fn drop_negligible<R: Real>(values: &mut [R]) {
    for value in values {
        *value = without_negligible(*value);
    }
}
