//! Inner products of a few points. Distances between the points and their means need nothing else.

/// The inner products ⟨x_i, x_j⟩ of some points.
#[derive(Clone, Debug, PartialEq)]
pub struct Gram {
    size: usize,
    products: Vec<f64>,
}

impl Gram {
    /// Creates the matrix of `size` points from their inner products.
    pub fn new(size: usize, product: impl Fn(usize, usize) -> f64) -> Self {
        let row = |i: usize| (0..size).map(move |j| (i, j));
        let products = (0..size).flat_map(row).map(|(i, j)| product(i, j)).collect();
        Self { size, products }
    }

    /// The number of points.
    pub fn size(&self) -> usize {
        self.size
    }

    /// ⟨x_i, x_j⟩
    pub fn product(&self, i: usize, j: usize) -> f64 {
        self.products[i * self.size + j]
    }

    /// Returns the inner products of the points with the coordinates of both, side by side.
    pub fn beside(&self, other: &Self) -> Self {
        Self::new(self.size, |i, j| self.product(i, j) + other.product(i, j))
    }

    /// ‖x_i − x_j‖²
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        (self.product(i, i) - 2.0 * self.product(i, j) + self.product(j, j)).max(0.0)
    }

    /// ‖x_i − m‖², where m is the mean of `members`, at least one:
    /// ⟨x_i, x_i⟩ − 2 mean_j ⟨x_i, x_j⟩ + mean_jl ⟨x_j, x_l⟩.
    pub fn distance_to_mean(&self, i: usize, members: &[usize]) -> f64 {
        let share = 1.0 / members.len() as f64;
        let with = |i: usize| members.iter().map(|&j| self.product(i, j)).sum::<f64>() * share;
        let among = members.iter().map(|&j| with(j)).sum::<f64>() * share;
        (self.product(i, i) - 2.0 * with(i) + among).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_points() {
        let points = [[0.0, 3.0], [4.0, 0.0], [1.0, -2.0], [2.5, 2.5]];
        let gram = Gram::new(4, |i, j| points[i].iter().zip(&points[j]).map(|(a, b)| a * b).sum());
        let square = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
        assert!((gram.distance(0, 1) - 25.0).abs() < 1e-12);
        let mean = [(4.0 + 1.0) / 2.0, -2.0 / 2.0];
        for (i, point) in points.into_iter().enumerate() {
            let distance = gram.distance_to_mean(i, &[1, 2]);
            assert!((distance - square(point, mean)).abs() < 1e-12, "{i}: {distance}");
        }
        // A point with four coordinates: each of the two twice.
        assert!((gram.beside(&gram).distance(0, 1) - 50.0).abs() < 1e-12);
    }
}
