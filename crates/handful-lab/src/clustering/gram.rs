//! Inner products of a few points. Distances between the points and their means need nothing else.

/// The inner products ⟨x_i, x_j⟩ of some points.
#[derive(Clone, Debug, PartialEq)]
pub struct Gram {
    size: usize,
    products: Vec<f64>,
}

impl Gram {
    /// Creates the matrix of `size` points from their inner products. Asks for each pair once.
    pub fn new(size: usize, product: impl Fn(usize, usize) -> f64) -> Self {
        let mut products = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                products[i * size + j] = product(i, j);
                products[j * size + i] = products[i * size + j];
            }
        }
        Self { size, products }
    }

    /// The inner products of each point with all points.
    pub fn rows(&self) -> Vec<Vec<f64>> {
        (0..self.size).map(|i| self.products[i * self.size..][..self.size].to_vec()).collect()
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

    /// The mean of some points, at least one.
    pub fn mean(&self, members: Vec<usize>) -> MeanOfPoints<'_> {
        let mut mean = MeanOfPoints { points: self, members, among: 0.0 };
        let share = 1.0 / mean.members.len() as f64;
        mean.among = mean.members.iter().map(|&j| mean.with(j)).sum::<f64>() * share;
        mean
    }
}

/// The mean m of some points.
#[derive(Clone, Debug)]
pub struct MeanOfPoints<'a> {
    points: &'a Gram,
    members: Vec<usize>,
    /// mean_jl ⟨x_j, x_l⟩ over the members
    among: f64,
}

impl MeanOfPoints<'_> {
    /// mean_j ⟨x_i, x_j⟩ over the members
    fn with(&self, i: usize) -> f64 {
        let share = 1.0 / self.members.len() as f64;
        self.members.iter().map(|&j| self.points.product(i, j)).sum::<f64>() * share
    }

    /// ‖x_i − m‖² = ⟨x_i, x_i⟩ − 2 mean_j ⟨x_i, x_j⟩ + mean_jl ⟨x_j, x_l⟩
    pub fn distance(&self, i: usize) -> f64 {
        (self.points.product(i, i) - 2.0 * self.with(i) + self.among).max(0.0)
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
            let distance = gram.mean(vec![1, 2]).distance(i);
            assert!((distance - square(point, mean)).abs() < 1e-12, "{i}: {distance}");
        }
        // A point with four coordinates: each of the two twice.
        assert!((gram.beside(&gram).distance(0, 1) - 50.0).abs() < 1e-12);
    }
}
