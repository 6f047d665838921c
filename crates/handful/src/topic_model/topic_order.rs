//! Topics in the order of their shares, so that the first is the largest whatever the order of the
//! documents.

use super::{Assessment, DocumentTree, Mixing, TopicModel};

/// Which topic of a fit as EM left it stands in each place. EM's topics are in the prior's order, or in
/// that of the groups that they started from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicOrder(Vec<usize>);

impl TopicOrder {
    /// The order by share of all words, the largest first.
    pub fn by_share(model: &TopicModel) -> Self {
        Self(model.by_weight())
    }

    /// For each place, the topic before.
    pub fn places(&self) -> &[usize] {
        &self.0
    }

    /// Whether it leaves every topic where it is.
    pub fn is_identity(&self) -> bool {
        self.0.iter().enumerate().all(|(place, &k)| place == k)
    }

    /// Puts the entries of each row in order: one for each topic.
    fn order_rows<T: Copy>(&self, rows: &mut [T]) {
        let mut before = Vec::with_capacity(self.0.len());
        for row in rows.chunks_exact_mut(self.0.len()) {
            before.clear();
            before.extend_from_slice(row);
            row.iter_mut().zip(&self.0).for_each(|(entry, &k)| *entry = before[k]);
        }
    }

    /// Puts the topics of a model in order.
    pub fn order_model(&self, model: &mut TopicModel) {
        self.order_rows(&mut model.proportions);
        self.order_rows(&mut model.word_probabilities);
        self.order_rows(&mut model.alpha);
        self.order_rows(&mut model.weights);
        if let Some(background) = &mut model.background {
            self.order_rows(&mut background.topic_words);
        }
    }

    /// Puts the topics of passages in order.
    pub fn order_mixing(&self, mixing: &mut Mixing) {
        self.order_rows(mixing.shares_mut());
    }

    /// Puts the topics' nodes of a tree in order.
    pub fn order_tree(&self, tree: &mut DocumentTree) {
        self.order_rows(&mut tree.topics);
    }

    /// Calls the groups that the topics started from by the topics' places.
    pub fn order_choice(&self, assessment: &mut Assessment) {
        let mut place = vec![0; self.0.len()];
        self.0.iter().enumerate().for_each(|(at, &k)| place[k] = at);
        let numbers = assessment.subjects.iter_mut().flat_map(|subjects| &mut subjects.numbers);
        for number in numbers.filter(|number| number.topics == place.len()) {
            number.groups.iter_mut().for_each(|group| *group = place[*group]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Background, LikelyNumber, SubjectChoice};
    use super::*;

    fn model() -> TopicModel {
        let background = Background {
            topic_words: vec![10.0, 20.0, 30.0],
            ..Background::by_hand(&[0.5; 2], &[0.5; 2])
        };
        let phi = [0.1, 0.2, 0.3, 0.9, 0.8, 0.7];
        TopicModel {
            alpha: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            background: Some(background),
            ..TopicModel::by_hand(&[0.2, 0.5, 0.3], &[0.1, 0.6, 0.3, 0.0, 0.9, 0.1], &phi)
        }
    }

    #[test]
    fn the_largest_topic_comes_first_with_all_that_is_its_own() {
        let mut model = model();
        let order = TopicOrder::by_share(&model);
        assert_eq!(order.places(), [1, 2, 0]);
        order.order_model(&mut model);
        assert_eq!(model.weights, [0.5, 0.3, 0.2]);
        assert_eq!(model.proportions, [0.6, 0.3, 0.1, 0.9, 0.1, 0.0]);
        assert_eq!(model.word_probabilities, [0.2, 0.3, 0.1, 0.8, 0.7, 0.9]);
        assert_eq!(model.alpha, [2.0, 3.0, 1.0, 5.0, 6.0, 4.0]);
        assert_eq!(model.background.as_ref().unwrap().topic_words, [20.0, 30.0, 10.0]);
        assert!(TopicOrder::by_share(&model).is_identity());
    }

    #[test]
    fn the_groups_of_the_choice_are_called_by_their_topics() {
        let number = |topics: usize, groups: &[usize]| LikelyNumber {
            topics,
            probability: 0.5,
            groups: groups.to_vec(),
        };
        let numbers = vec![number(2, &[0, 0, 1]), number(3, &[0, 1, 2])];
        let subjects = Some(SubjectChoice { numbers, halves: None });
        let mut assessment = Assessment { subjects, ..Assessment::default() };
        TopicOrder::by_share(&model()).order_choice(&mut assessment);
        let numbers = assessment.subjects.unwrap().numbers;
        assert_eq!(numbers[0].groups, [0, 0, 1]);
        assert_eq!(numbers[1].groups, [2, 0, 1]);
    }
}
