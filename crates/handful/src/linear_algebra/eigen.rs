//! Eigenvalues of small symmetric matrices.

/// The number of sweeps of Jacobi rotations, more than a matrix with some hundred rows needs.
const SWEEPS: usize = 12;

/// Computes the eigenvalues and eigenvectors (in columns) of a symmetric matrix by Jacobi
/// rotations.
pub fn eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = matrix.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(i == j)).collect()).collect();
    for _ in 0..SWEEPS {
        for p in 0..size {
            for q in p + 1..size {
                if matrix[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (t * t + 1.0).sqrt();
                let sine = t * cosine;
                let rotate = |a: &mut f64, b: &mut f64| {
                    (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
                };
                for row in &mut matrix {
                    let [a, b] = row.get_disjoint_mut([p, q]).expect("p is below q");
                    rotate(a, b);
                }
                let [a, b] = matrix.get_disjoint_mut([p, q]).expect("p is below q");
                a.iter_mut().zip(b).for_each(|(a, b)| rotate(a, b));
                for row in &mut vectors {
                    let [a, b] = row.get_disjoint_mut([p, q]).expect("p is below q");
                    rotate(a, b);
                }
            }
        }
    }
    ((0..size).map(|i| matrix[i][i]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_the_sum_of_its_eigenvectors_products() {
        let matrix: Vec<Vec<f64>> = (0..7)
            .map(|i| {
                (0..7).map(|j| 1.0 / (1.0 + f64::from(i + j)) + f64::from(i * j % 3)).collect()
            })
            .collect();
        let (values, vectors) = eigen(matrix.clone());
        for i in 0..7 {
            for j in 0..7 {
                let sum: f64 = (0..7).map(|k| values[k] * vectors[i][k] * vectors[j][k]).sum();
                let unit: f64 = (0..7).map(|k| vectors[k][i] * vectors[k][j]).sum();
                assert!((sum - matrix[i][j]).abs() < 1e-12);
                assert!((unit - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }
}
