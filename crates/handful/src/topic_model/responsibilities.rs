//! Which topic each word of a document belongs to.

#[cfg(doc)]
use super::Background;
use super::TopicModel;

/// Whose a document's words are: γ_njk of Eq. (11) at the fitted θ and φ, for all terms j of a
/// document n.
#[derive(Clone, Debug, PartialEq)]
pub struct Responsibilities {
    /// The document's terms, in increasing order.
    terms: Vec<u32>,
    /// K
    topics: usize,
    /// terms × (topics and background)
    shares: Vec<f64>,
}

/// How topics and background share a term of a document. All shares sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermShares<'a> {
    /// The share of each topic.
    pub topics: &'a [f64],
    /// The share of the background; 0 where the model has none.
    pub background: f64,
}

impl TermShares<'_> {
    /// The topic that the term belongs to most, unless the background has more of it.
    pub fn main_topic(&self) -> Option<usize> {
        let (k, &most) = self.topics.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        (most >= self.background).then_some(k)
    }
}

impl Responsibilities {
    /// The shares of a term; `None` where the document does not have it.
    pub fn of(&self, term: u32) -> Option<TermShares<'_>> {
        let row = self.terms.binary_search(&term).ok()?;
        let shares = &self.shares[row * (self.topics + 1)..(row + 1) * (self.topics + 1)];
        let (&background, topics) = shares.split_last()?;
        Some(TermShares { topics, background })
    }
}

impl TopicModel {
    /// γ_njk ∝ θ_nk φ_kj (Eq. 11) of document `n` for the given terms, which come in increasing order.
    /// With a background, which has the share b_n of the document, θ_n are proportions of the rest:
    /// γ_njk ∝ (1 − b_n) θ_nk φ_kj, and the background's ∝ b_n p_j. Of each γ_njk the background then
    /// gets g_kj: what usual speech would say by itself ([`Background::usual_share`]).
    pub fn responsibilities(
        &self,
        n: usize,
        terms: impl IntoIterator<Item = u32>,
    ) -> Responsibilities {
        let theta: Vec<f64> = self.proportions_of(n).iter().map(|&theta| theta.into()).collect();
        self.responsibilities_in(n, &theta, terms)
    }

    /// [`Self::responsibilities`] in a passage of document `n` that has its own shares of the topics in
    /// the place of θ_n.
    pub fn responsibilities_in(
        &self,
        n: usize,
        theta: &[f64],
        terms: impl IntoIterator<Item = u32>,
    ) -> Responsibilities {
        let background = self.background.as_ref();
        let share = background.map_or(0.0, |background| f64::from(background.shares[n]));
        let prior: Vec<f64> = theta.iter().map(|theta| (1.0 - share) * theta).collect();
        let mut all =
            Responsibilities { terms: Vec::new(), topics: self.topics, shares: Vec::new() };
        for term in terms {
            let (j, start) = (term as usize, all.shares.len());
            let of_topics = prior
                .iter()
                .enumerate()
                .map(|(k, prior)| prior * f64::from(self.probability(k, j)));
            all.shares.extend(of_topics);
            all.shares.push(background.map_or(0.0, |b| share * f64::from(b.words[j])));
            let row = &mut all.shares[start..];
            let sum: f64 = row.iter().sum();
            if sum > 0.0 {
                row.iter_mut().for_each(|share| *share /= sum);
            } else {
                // A term that nothing in the document explains is as the document is.
                row[..self.topics].copy_from_slice(&prior);
                row[self.topics] = share;
            }
            if let Some(background) = background {
                for k in 0..self.topics {
                    let usual = row[k] * self.usual_share(background, k, term);
                    row[k] -= usual;
                    row[self.topics] += usual;
                }
            }
            all.terms.push(term);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::Background;
    use super::*;

    fn model(background: Option<Background>) -> TopicModel {
        let (theta, phi) = ([0.75, 0.25, 0.0, 1.0], [0.5, 0.5, 0.25, 0.5, 0.25, 0.0]);
        TopicModel { background, ..TopicModel::by_hand(&[0.5; 2], &theta, &phi) }
    }

    #[test]
    fn a_word_belongs_to_topics_as_theta_times_phi() {
        let gamma = model(None).responsibilities(0, [0, 1]);
        let term = gamma.of(0).unwrap();
        assert_eq!((term.topics, term.background), (&[0.75, 0.25][..], 0.0));
        // 3/4 of 1/4 against 1/4 of 1/2
        let term = gamma.of(1).unwrap();
        assert!((term.topics[0] - 0.6).abs() < 1e-12 && (term.topics[1] - 0.4).abs() < 1e-12);
        assert_eq!(term.main_topic(), Some(0));
        assert_eq!(gamma.of(2), None);
    }

    #[test]
    fn the_background_has_its_share_of_a_word() {
        let (shares, words) = ([0.5, 0.5], [0.0, 0.75, 0.25]);
        let model = model(Some(Background::by_hand(&shares, &words)));
        let gamma = model.responsibilities(0, [0, 1, 2]);
        assert_eq!(gamma.of(0).unwrap().background, 0.0);
        // 1/2 of 3/4 · 1/4, 1/4 · 1/2 and 3/4: in the ratio of 3 to 2 to 12.
        let term = gamma.of(1).unwrap();
        for (share, expected) in term.topics.iter().zip([3.0 / 17.0, 2.0 / 17.0]) {
            assert!((share - expected).abs() < 1e-12);
        }
        assert!((term.background - 12.0 / 17.0).abs() < 1e-12);
        assert_eq!(term.main_topic(), None);
    }

    #[test]
    fn a_word_belongs_to_topics_as_its_passage_does() {
        let gamma = model(None).responsibilities_in(0, &[0.25, 0.75], [0, 1]);
        assert_eq!(gamma.of(0).unwrap().topics, [0.25, 0.75]);
        // 1/4 of 1/4 against 3/4 of 1/2
        assert!((gamma.of(1).unwrap().topics[0] - 1.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn a_word_that_nothing_explains_is_as_its_document_is() {
        let gamma = model(None).responsibilities(1, [2]);
        assert_eq!(gamma.of(2).unwrap().topics, [0.0, 1.0]);
    }
}
