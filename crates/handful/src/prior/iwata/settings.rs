//! The shape of the networks.

use super::{BesideCorpus, Iwata};
use crate::Result;
use crate::error::{MOST, expect_within};
use crate::nn::{Activation, DocumentInput};
use crate::numeric::Real;
use crate::prior::{PriorShape, ReadsNewDocuments};
use crate::storage::TensorSource;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The shape of the networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IwataSettings {
    /// Hidden units of every layer, and the length of the corpus representation, where nothing else is
    /// said.
    pub hidden: usize,
    /// Linear maps of every network, at least two.
    pub layers: usize,
    /// Whether f_A and f_B see the corpus representation r; without it this is the paper's NN.
    pub corpus_representation: bool,
    /// Hidden units of each layer of f_R, and the length of its outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_f_r: Option<usize>,
    /// Hidden units of each layer of g_R.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_g_r: Option<usize>,
    /// Hidden units of each layer of f_A.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_f_a: Option<usize>,
    /// Hidden units of each layer of f_B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_f_b: Option<usize>,
    /// The length of the corpus representation r.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub representation_size: Option<usize>,
    /// What hidden units make of their inputs.
    #[serde(default, skip_serializing_if = "Activation::is_usual")]
    pub activation: Activation,
    /// What networks see of a document.
    #[serde(default, skip_serializing_if = "DocumentInput::is_usual")]
    pub input: DocumentInput,
}

impl Default for IwataSettings {
    fn default() -> Self {
        Self {
            hidden: 256,
            layers: 3,
            corpus_representation: true,
            hidden_f_r: None,
            hidden_g_r: None,
            hidden_f_a: None,
            hidden_f_b: None,
            representation_size: None,
            activation: Activation::Relu,
            input: DocumentInput::Counts,
        }
    }
}

/// Hidden units of each network, and the length of r.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    pub(super) f_r: usize,
    pub(super) g_r: usize,
    pub(super) f_a: usize,
    pub(super) f_b: usize,
    pub(super) r: usize,
}

impl IwataSettings {
    pub(super) fn widths(&self) -> Widths {
        let or_usual = |width: Option<usize>| width.unwrap_or(self.hidden);
        Widths {
            f_r: or_usual(self.hidden_f_r),
            g_r: or_usual(self.hidden_g_r),
            f_a: or_usual(self.hidden_f_a),
            f_b: or_usual(self.hidden_f_b),
            r: or_usual(self.representation_size),
        }
    }

    /// The networks that have a width of their own, with it.
    fn own_widths(&self) -> String {
        let widths = [
            ("f_R", self.hidden_f_r),
            ("g_R", self.hidden_g_r),
            ("f_A", self.hidden_f_a),
            ("f_B", self.hidden_f_b),
        ];
        let own: Vec<String> = widths
            .into_iter()
            .filter_map(|(network, width)| Some(format!("{network} {}", width?)))
            .collect();
        if own.is_empty() { String::new() } else { format!(" ({})", own.join(", ")) }
    }
}

impl<R: Real> PriorShape<R> for IwataSettings {
    type Prior = Iwata<R>;

    fn check(&self) -> Result<()> {
        let Widths { f_r, g_r, f_a, f_b, r } = self.widths();
        for (name, width) in [
            ("hidden", self.hidden),
            ("hidden_f_r", f_r),
            ("hidden_g_r", g_r),
            ("hidden_f_a", f_a),
            ("hidden_f_b", f_b),
            ("representation_size", r),
        ] {
            expect_within(name, width, 1, MOST)?;
        }
        expect_within("layers", self.layers, 2, 100)
    }

    fn describe(&self) -> String {
        let Self { hidden, layers, .. } = self;
        let own = self.own_widths();
        let corpus = match (self.corpus_representation, self.representation_size) {
            (false, _) => String::new(),
            (true, None) => ", corpus representation".to_owned(),
            (true, Some(size)) => format!(", corpus representation of {size} numbers"),
        };
        let activation = match self.activation {
            Activation::Relu => String::new(),
            other => format!(", {}", other.name()),
        };
        let input = match self.input {
            DocumentInput::Counts => "",
            DocumentInput::Shares => ", which see shares of words",
        };
        format!(
            "networks of {layers} layers with {hidden} hidden units{own}{corpus}{activation}{input}"
        )
    }

    fn random(&self, terms: usize, topics: usize, stream: &mut ChaCha8Rng) -> Iwata<R> {
        Iwata::random(*self, terms, topics, stream)
    }

    fn read(&self, terms: usize, topics: usize, tensors: &dyn TensorSource<R>) -> Result<Iwata<R>> {
        Iwata::from_tensors(*self, terms, topics, tensors)
    }

    fn read_new_document_prior(
        &self,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: &[u32],
    ) -> Result<Box<dyn ReadsNewDocuments<R>>> {
        let prior = Iwata::of_new_documents(*self, terms, topics, tensors, wanted)?;
        let r = match self.corpus_representation {
            true => tensors.vector("r", self.widths().r)?,
            false => Vec::new(),
        };
        Ok(Box::new(BesideCorpus { prior, r }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_the_widths_of_networks_are_written_as_they_were() {
        let text = r#"{"hidden":64,"layers":2,"corpus_representation":true}"#;
        let settings: IwataSettings = serde_json::from_str(text).unwrap();
        let Widths { f_r, g_r, f_a, f_b, r } = settings.widths();
        assert_eq!([f_r, g_r, f_a, f_b, r], [64; 5]);
        assert_eq!(settings.activation, Activation::Relu);
        assert_eq!(settings.input, DocumentInput::Counts);
        assert_eq!(serde_json::to_string(&settings).unwrap(), text);
    }

    #[test]
    fn a_description_names_what_is_not_usual() {
        let usual = IwataSettings::default();
        let describe = |settings: &IwataSettings| PriorShape::<f32>::describe(settings);
        let expected = "networks of 3 layers with 256 hidden units, corpus representation";
        assert_eq!(describe(&usual), expected);
        let own = IwataSettings {
            hidden_g_r: Some(32),
            hidden_f_b: Some(8),
            representation_size: Some(4),
            activation: Activation::Tanh,
            input: DocumentInput::Shares,
            ..usual
        };
        let expected = "networks of 3 layers with 256 hidden units (g_R 32, f_B 8), corpus \
                        representation of 4 numbers, tanh, which see shares of words";
        assert_eq!(describe(&own), expected);
    }
}
