//! Handful's own prior without one of its ingredients.

use handful::internals::nn::AdamSettings;
use handful::internals::prior::{HandfulSettings, Ingredient};
use handful::internals::train::TrainSettings;

/// The part of the prior or of its training that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ablation {
    /// A part of the prior.
    Ingredient(Ingredient),
    /// Dropout of whole words.
    WordDropout,
    /// Dropout of components of a document's vector.
    InputDropout,
    /// Dropout of hidden units.
    HiddenDropout,
    /// The mean of the weights over many steps.
    Average,
    /// The falling learning rate.
    Cosine,
    /// More than one episode per step.
    Batch,
}

impl Ablation {
    /// Returns the settings of the prior.
    pub(super) fn prior(self) -> HandfulSettings {
        let whole = HandfulSettings::default();
        match self {
            Self::WordDropout => HandfulSettings { word_dropout: 0.0, ..whole },
            Self::InputDropout => HandfulSettings { input_dropout: 0.0, ..whole },
            _ => whole,
        }
    }

    /// Removes the part from the training settings, if it belongs to training.
    pub(super) fn train_without(self, settings: &mut TrainSettings) {
        match self {
            Self::WordDropout | Self::InputDropout => {}
            Self::Ingredient(ingredient) => settings.without = Some(ingredient),
            Self::HiddenDropout => settings.dropout = 0.0,
            Self::Average => settings.average = false,
            Self::Cosine => settings.adam = AdamSettings { cosine_steps: None, ..settings.adam },
            Self::Batch => settings.episodes_per_step = 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::methods::{Design, METHODS, PriorAndEm, PriorKind};
    use handful::internals::prior::{HandfulSettings, PriorSettings};
    use handful::internals::train::TrainSettings;

    #[test]
    fn every_ablation_lacks_one_thing_of_its_own() {
        let whole = TrainSettings::of(PriorSettings::Handful(HandfulSettings::default()));
        let mut seen = vec![whole.clone()];
        for method in METHODS.iter().filter(|method| method.is_ablation()) {
            let Design::PriorAndEm(PriorAndEm { prior, .. }) = method.design else {
                unreachable!()
            };
            let PriorKind::Handful { without: Some(ablation) } = prior else { unreachable!() };
            let in_prior = PriorSettings::Handful(ablation.prior());
            let mut in_training = whole.clone();
            ablation.train_without(&mut in_training);
            assert!((in_prior != whole.prior) ^ (in_training != whole), "{}", method.id);
            let less = TrainSettings { prior: in_prior, ..in_training };
            assert!(!seen.contains(&less), "{} is like another", method.id);
            seen.push(less);
        }
        assert_eq!(seen.len(), 15);
    }
}
