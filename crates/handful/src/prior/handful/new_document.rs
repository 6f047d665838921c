//! α of a document that comes after a fit, whose topics are known.

use super::tensors::{is_vector, named_tensor};
use super::{Handful, HandfulSettings, HandfulTape};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::nn::Dropout;
use crate::numeric::Real;
use crate::storage::{Tensor, TensorSource, Tensors};

/// A t_k and a_k of a fit's topics, the background's last.
const AFFINITY: &str = "topics.affinity";
const COMMONNESS: &str = "topics.commonness";

/// Parameters that have an entry or a row for each term.
const OF_TERMS: [&str; 3] = ["words.weight", "words.importance", "words.evidence"];
/// The others that are needed.
const OF_ALL: [&str; 5] = [
    "document.0.weight",
    "document.0.bias",
    "document.3.weight",
    "document.3.bias",
    "counts.evidence",
];

/// The part of [`Handful`] that reads a document, with what α takes from the topics of a fit.
#[derive(Clone, Debug)]
pub(in crate::prior) struct HandfulNewDocument<R> {
    /// Over the terms at hand alone, and without weights that read no document.
    prior: Handful<R>,
    affinities: Vec<R>,
    commonness: Vec<R>,
}

impl<R: Real> Handful<R> {
    /// What α of a new document needs: how documents are read, and what the topics that these
    /// `documents` have make of them.
    pub(in crate::prior) fn new_document_tensors(&self, documents: &WordCounts) -> Tensors<R> {
        let (mut tape, mut dropout) = (HandfulTape::default(), Dropout::off());
        self.read_documents(documents, &mut dropout, &mut tape);
        self.topic_vectors(documents, &mut dropout, &mut tape);
        self.topic_heads(&mut tape);
        let shape = vec![self.topics + 1, self.settings.dimension];
        let needed = |name: &str| OF_TERMS.contains(&name) || OF_ALL.contains(&name);
        let mut tensors: Tensors<R> =
            self.parameters.iter().filter(|p| needed(&p.name)).map(named_tensor).collect();
        tensors.insert(AFFINITY.to_owned(), Tensor { shape, values: tape.affinities });
        tensors.insert(COMMONNESS.to_owned(), Tensor::vector(&tape.commonness));
        tensors
    }
}

impl<R: Real> HandfulNewDocument<R> {
    /// Reads what [`Handful::new_document_tensors`] gave, for documents over the `wanted` of all
    /// `terms`.
    pub(in crate::prior) fn from_tensors(
        settings: HandfulSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<R>,
        wanted: &[u32],
    ) -> Result<Self> {
        let mut prior = Handful::zeros(settings, wanted.len(), topics);
        for parameter in &mut prior.parameters {
            let (name, columns) = (&*parameter.name, parameter.columns);
            if OF_TERMS.contains(&name) {
                let shape = if is_vector(name) { vec![terms] } else { vec![terms, columns] };
                parameter.values = tensors.rows(name, &shape, wanted)?;
            } else if OF_ALL.contains(&name) {
                let shape =
                    if is_vector(name) { vec![columns] } else { vec![parameter.rows, columns] };
                parameter.values = tensors.shaped(name, &shape)?.into_owned();
            }
        }
        let shape = [topics + 1, settings.dimension];
        let affinities = tensors.shaped(AFFINITY, &shape)?.into_owned();
        let commonness = tensors.vector(COMMONNESS, topics + 1)?;
        Ok(Self { prior, affinities, commonness })
    }

    /// α and the evidence of a document beside the topics of a fit.
    ///
    /// No topic starts from it, so that α has no p. Giving p to the topic that has most of its words,
    /// as if it had been grouped there, brought documents of the fit nearer to what they had, but
    /// foretold held-out words of new ones worse: perplexity 598.5 against 594.3 on Debian's
    /// descriptions with three documents and topics.
    pub(in crate::prior) fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<R>) {
        let mut tape = HandfulTape {
            affinities: self.affinities.clone(),
            commonness: self.commonness.clone(),
            ..HandfulTape::default()
        };
        self.prior.document_vectors(document, &mut Dropout::off(), &mut tape);
        self.prior.evidence(document, dirichlet);
        dirichlet.alpha.clear();
        dirichlet.alpha.resize(dirichlet.topics, R::ZERO);
        self.prior.affinities_of_documents(&tape, &mut dirichlet.alpha);
        R::softplus(&mut dirichlet.alpha);
    }
}
