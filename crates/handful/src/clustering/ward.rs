//! Ward's clustering of points by their inner products.

/// Ward's clustering: of all pairs of groups, the one whose union adds least to the sum of squared
/// distances from the groups' means is made one, until `groups` are left. Of equals, the pair whose
/// later group comes first, and then whose earlier group does. Returns the group of each point;
/// groups are numbered in the order of their first points.
///
/// `products` are inner products, a symmetric matrix.
///
/// Average linkage put documents of unseen corpora together less often: it leaves single ones apart.
pub fn ward(products: &[Vec<f64>], groups: usize) -> Vec<usize> {
    let mut merging = Merging::new(products);
    while merging.groups() > groups {
        merging.join_closest();
    }
    merging.group_of_each()
}

/// Groups on their way to fewer. A group keeps the number of its first point.
pub(super) struct Merging {
    /// Σ of the products between the members of two groups. That is all that is needed of them: of
    /// the sum of squares, a group's mean explains Σ within it / its size.
    between: Vec<Vec<f64>>,
    members: Vec<Vec<usize>>,
    explained: Vec<f64>,
    /// The groups that are left, in increasing order.
    left: Vec<usize>,
    /// Of each group, the earlier group whose union with it adds least, and how much it adds. Most of
    /// them stay what they were when two groups are joined, so few pairs are looked at again.
    nearest: Vec<(f64, usize)>,
}

/// The nearest group of one that has none: the first, or one whose distances are not finite.
const NONE: (f64, usize) = (f64::INFINITY, usize::MAX);

impl Merging {
    /// Every point is a group of its own.
    pub(super) fn new(products: &[Vec<f64>]) -> Self {
        let alone = (0..products.len()).map(|n| vec![n]).collect();
        Self::of_groups(products.to_vec(), alone)
    }

    /// Groups with these members, by the sums of the products `between` them. A group keeps its number.
    pub(super) fn of_groups(between: Vec<Vec<f64>>, members: Vec<Vec<usize>>) -> Self {
        let size = members.len();
        let mut merging = Self {
            explained: (0..size).map(|g| between[g][g] / members[g].len() as f64).collect(),
            between,
            members,
            left: (0..size).collect(),
            nearest: vec![NONE; size],
        };
        (0..size).for_each(|b| merging.look_for_nearest(b));
        merging
    }

    /// How many groups are left.
    pub(super) fn groups(&self) -> usize {
        self.left.len()
    }

    /// Joins the two groups whose union adds least. Returns their numbers, of which the earlier one is
    /// the union's from now on, and what the union adds: infinity if no sum is finite.
    pub(super) fn join_closest(&mut self) -> (usize, usize, f64) {
        let (a, b, added) = self.closest();
        self.join(a, b);
        (a, b, added)
    }

    /// The group of each point; groups are numbered in the order of their first points.
    pub(super) fn group_of_each(&self) -> Vec<usize> {
        let mut group = vec![0; self.members.len()];
        for (k, &g) in self.left.iter().enumerate() {
            self.members[g].iter().for_each(|&n| group[n] = k);
        }
        group
    }

    /// What the union of two groups adds to the sum of squared distances.
    fn added(&self, a: usize, b: usize) -> f64 {
        let union = self.between[a][a] + self.between[b][b] + 2.0 * self.between[b][a];
        let size = (self.members[a].len() + self.members[b].len()) as f64;
        self.explained[a] + self.explained[b] - union / size
    }

    fn look_for_nearest(&mut self, b: usize) {
        let mut nearest = NONE;
        for &a in self.left.iter().take_while(|&&a| a < b) {
            let added = self.added(a, b);
            if added < nearest.0 {
                nearest = (added, a);
            }
        }
        self.nearest[b] = nearest;
    }

    /// The pair of groups whose union adds least; the first two if no sum is finite.
    fn closest(&self) -> (usize, usize, f64) {
        let mut best = (f64::INFINITY, self.left[0], self.left[1]);
        for &b in &self.left {
            let (added, a) = self.nearest[b];
            if added < best.0 {
                best = (added, a, b);
            }
        }
        (best.1, best.2, best.0)
    }

    /// Makes group `b` a part of group `a`, an earlier one.
    fn join(&mut self, a: usize, b: usize) {
        for &g in &self.left {
            let of_joined = self.between[b][g];
            self.between[a][g] += of_joined;
        }
        self.left.retain(|&g| g != b);
        for &g in &self.left {
            let of_joined = self.between[g][b];
            self.between[g][a] += of_joined;
        }
        let joined = std::mem::take(&mut self.members[b]);
        self.members[a].extend(joined);
        self.explained[a] = self.between[a][a] / self.members[a].len() as f64;
        self.look_for_nearest(a);
        for i in self.left.partition_point(|&g| g <= a)..self.left.len() {
            let g = self.left[i];
            let nearest = self.nearest[g];
            if nearest.1 == a || nearest.1 == b {
                self.look_for_nearest(g);
                continue;
            }
            let added = self.added(a, g);
            if added < nearest.0 || (added == nearest.0 && a < nearest.1) {
                self.nearest[g] = (added, a);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, step by step: every pair of groups is looked at for every union.
    fn ward_by_definition(products: &[Vec<f64>], groups: usize) -> Vec<usize> {
        let mut between = products.to_vec();
        let mut members: Vec<Vec<usize>> = (0..products.len()).map(|n| vec![n]).collect();
        while members.len() > groups {
            let sizes: Vec<f64> = members.iter().map(|members| members.len() as f64).collect();
            let explained: Vec<f64> =
                (0..members.len()).map(|g| between[g][g] / sizes[g]).collect();
            let mut best = (f64::INFINITY, 0, 1);
            for b in 1..members.len() {
                for a in 0..b {
                    let union = between[a][a] + between[b][b] + 2.0 * between[a][b];
                    let added = explained[a] + explained[b] - union / (sizes[a] + sizes[b]);
                    if added < best.0 {
                        best = (added, a, b);
                    }
                }
            }
            let (_, a, b) = best;
            let joined = members.remove(b);
            members[a].extend(joined);
            let row = between.remove(b);
            between[a].iter_mut().zip(row).for_each(|(sum, product)| *sum += product);
            for sums in &mut between {
                let of_joined = sums.remove(b);
                sums[a] += of_joined;
            }
        }
        let mut group = vec![0; products.len()];
        for (k, members) in members.iter().enumerate() {
            members.iter().for_each(|&n| group[n] = k);
        }
        group
    }

    fn products(points: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum();
        points.iter().map(|a| points.iter().map(|b| product(a, b)).collect()).collect()
    }

    proptest! {
        #[test]
        fn groups_are_those_of_the_definition(
            points in prop::collection::vec(prop::collection::vec(-1.0f64..1.0, 3), 1..60),
            groups in 1usize..6,
        ) {
            let products = products(&points);
            prop_assert_eq!(ward(&products, groups), ward_by_definition(&products, groups));
        }

        #[test]
        fn of_equal_unions_the_one_of_the_definition_is_made(
            points in prop::collection::vec(prop::collection::vec(-1i8..=1, 2), 1..40),
            groups in 1usize..6,
        ) {
            let whole = |point: &Vec<i8>| point.iter().map(|&x| f64::from(x)).collect();
            let products = products(&points.iter().map(whole).collect::<Vec<_>>());
            prop_assert_eq!(ward(&products, groups), ward_by_definition(&products, groups));
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_grouped_too() {
        let mut products = products(&[vec![1.0], vec![2.0], vec![9.0], vec![9.5], vec![0.5]]);
        for wrong in [f64::NAN, f64::INFINITY] {
            products[1][3] = wrong;
            products[3][1] = wrong;
            assert_eq!(ward(&products, 2), ward_by_definition(&products, 2));
            let all = vec![vec![wrong; 4]; 4];
            assert_eq!(ward(&all, 2), ward_by_definition(&all, 2));
        }
    }
}
