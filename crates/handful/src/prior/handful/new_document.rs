//! α of a document that comes after a fit, whose topics are known.

use super::blends::further::{FurtherPassages, TopicDirections};
use super::documents::DocumentTape;
use super::proportions::TopicHeads;
use super::subjects::centres::SubjectCentres;
use super::tensors::{is_vector, named_tensor};
use super::topics::TopicTape;
use super::{Handful, HandfulSettings};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::nn::Dropout;
use crate::numeric::Real;
use crate::prior::{NewTerms, ReadsNewDocuments};
use crate::storage::{Tensor, TensorSource, Tensors};

/// A t_k and a_k of a fit's topics, the background's last.
const AFFINITY: &str = "topics.affinity";
const COMMONNESS: &str = "topics.commonness";

/// The mean direction of the documents that started each topic. Fits that were saved before passages of
/// further documents were read have none.
const DIRECTIONS: &str = "topics.directions";

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
#[derive(Debug)]
struct HandfulNewDocument<R> {
    /// Over the terms at hand alone, and without weights that read no document.
    prior: Handful<R>,
    heads: TopicHeads<R>,
    /// Where the topics lie, if that is known and there are several.
    directions: Option<TopicDirections>,
    /// Where the topics lie among all subjects, if that is known.
    centres: Option<SubjectCentres<R>>,
}

/// What a new document takes from the topics: α their heads, passages their directions.
pub(super) fn topic_tensors<R: Real>(
    heads: &TopicHeads<R>,
    documents: &DocumentTape<R>,
    topics: &TopicTape<R>,
) -> Tensors<R> {
    let TopicHeads { affinities, commonness } = heads;
    let dimension = affinities.len() / commonness.len();
    let mut tensors = Tensors::from([
        (
            AFFINITY.to_owned(),
            Tensor { shape: vec![commonness.len(), dimension], values: affinities.clone() },
        ),
        (COMMONNESS.to_owned(), Tensor::vector(commonness)),
    ]);
    // A topic of the corpus lies nowhere in particular.
    if topics.groups == topics.topics {
        let values = topics.means(&documents.directions);
        let shape = vec![topics.topics, dimension];
        tensors.insert(DIRECTIONS.to_owned(), Tensor { shape, values });
    }
    tensors
}

/// Where topics lie, by their mean directions. One topic alone has nothing to be told from.
fn topic_directions<R: Real>(directions: &[R], topics: usize) -> Option<TopicDirections> {
    (topics > 1).then(|| TopicDirections::of(directions, topics))
}

impl<R: Real> Handful<R> {
    /// How documents are read, new words among their terms, and the `topics` of a fit.
    pub(super) fn reading_tensors(
        &self,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<R>,
    ) -> Tensors<R> {
        let mut tensors = topics.clone();
        let needed = |name: &str| OF_ALL.contains(&name);
        tensors.extend(self.parameters.iter().filter(|p| needed(&p.name)).map(named_tensor));
        let terms = self.unigram.words.len() + new_terms.map_or(0, NewTerms::count);
        let all: Vec<u32> = (0..terms as u32).collect();
        for name in OF_TERMS {
            let values = self.of_terms(name, new_terms, &all);
            let shape =
                if is_vector(name) { vec![terms] } else { vec![terms, self.settings.dimension] };
            tensors.insert(name.to_owned(), Tensor { shape, values });
        }
        tensors
    }

    /// The rows or entries of some terms, new or not, of one of [`OF_TERMS`].
    fn of_terms(&self, name: &str, new_terms: Option<&NewTerms>, terms: &[u32]) -> Vec<R> {
        let words = self.view(new_terms);
        match name {
            "words.importance" => terms.iter().map(|&term| words.importance(term)).collect(),
            "words.evidence" => terms.iter().map(|&term| words.evidence(term)).collect(),
            _ => {
                let mut gathered = Vec::new();
                let vectors = words.vectors(terms, &mut gathered);
                let row = |(i, &term): (usize, &u32)| match new_terms {
                    _ if words.knows(term) => vectors.of(i, term).to_vec(),
                    None => vec![R::ZERO; words.dimension()],
                    Some(new_terms) => words.vector_of_new(new_terms, term),
                };
                terms.iter().enumerate().flat_map(row).collect()
            }
        }
    }
}

/// Takes from a prior what documents with the terms `wanted` need, and from `topics` what
/// [`topic_tensors`] gave.
pub(super) fn from_prior<R: Real>(
    prior: &Handful<R>,
    new_terms: Option<&NewTerms>,
    topics: &Tensors<R>,
    wanted: &[u32],
) -> Result<Box<dyn ReadsNewDocuments<R>>> {
    let count = topics[COMMONNESS].values.len();
    let mut reader = Handful::without_weights(prior.settings, wanted.len(), count - 1);
    for (own, given) in reader.parameters.iter_mut().zip(&prior.parameters) {
        if OF_TERMS.contains(&&*own.name) {
            own.values = prior.of_terms(&own.name, new_terms, wanted);
        } else if OF_ALL.contains(&&*own.name) {
            own.values.clone_from(&given.values);
        }
    }
    reader.proportion_stage = prior.proportion_stage.clone();
    let heads = TopicHeads {
        affinities: topics[AFFINITY].values.clone(),
        commonness: topics[COMMONNESS].values.clone(),
    };
    let directions = topics.get(DIRECTIONS);
    let directions = directions.and_then(|it| topic_directions(&it.values, count - 1));
    let centres = SubjectCentres::from_tensors(prior.settings, count - 1, topics)?;
    Ok(Box::new(HandfulNewDocument { prior: reader, heads, directions, centres }))
}

/// Reads what [`Handful::reading_tensors`] gave, for documents over the `wanted` of all `terms`.
pub(super) fn from_tensors<R: Real>(
    settings: HandfulSettings,
    terms: usize,
    topics: usize,
    tensors: &dyn TensorSource<R>,
    wanted: &[u32],
) -> Result<Box<dyn ReadsNewDocuments<R>>> {
    let mut prior = Handful::without_weights(settings, wanted.len(), topics);
    for parameter in &mut prior.parameters {
        let (name, columns) = (&*parameter.name, parameter.columns);
        if OF_TERMS.contains(&name) {
            let shape = if is_vector(name) { vec![terms] } else { vec![terms, columns] };
            parameter.values = tensors.rows(name, &shape, wanted)?;
        } else if OF_ALL.contains(&name) {
            let shape = if is_vector(name) { vec![columns] } else { vec![parameter.rows, columns] };
            parameter.values = tensors.shaped(name, &shape)?.into_owned();
        }
    }
    let shape = [topics + 1, settings.dimension];
    let affinities = tensors.shaped(AFFINITY, &shape)?.into_owned();
    let commonness = tensors.vector(COMMONNESS, topics + 1)?;
    let directions = match tensors.shape(DIRECTIONS) {
        None => None,
        Some(_) => {
            let directions = tensors.shaped(DIRECTIONS, &[topics, settings.dimension])?;
            topic_directions(&directions, topics)
        }
    };
    let heads = TopicHeads { affinities, commonness };
    let centres = SubjectCentres::from_tensors(settings, topics, tensors)?;
    Ok(Box::new(HandfulNewDocument { prior, heads, directions, centres }))
}

impl<R: Real> ReadsNewDocuments<R> for HandfulNewDocument<R> {
    /// α and the evidence of a document beside the topics of a fit.
    ///
    /// No topic starts from it, so α has no p. Giving p to the topic that has most of its words, as if
    /// it had been grouped there, brought documents of the fit nearer to what they had, but predicted
    /// held-out words of new ones worse: perplexity 598.5 against 594.3 on Debian's descriptions with
    /// three documents and topics.
    fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<R>) {
        let Handful { parameters, document_stage, evidence_stage, proportion_stage, .. } =
            &self.prior;
        let (words, mut tape) = (self.prior.view(None), DocumentTape::default());
        document_stage.read(parameters, words, document, &mut Dropout::off(), &mut tape);
        evidence_stage.forward(parameters, words, document, &mut dirichlet.evidence);
        dirichlet.alpha.clear();
        dirichlet.alpha.resize(dirichlet.topics, R::ZERO);
        proportion_stage.logits(&self.heads, &tape.vectors, &mut dirichlet.alpha);
        R::softplus(&mut dirichlet.alpha);
    }
    fn passage_topics(&self, passages: &WordCounts, phi: &Dirichlet<R>) -> Option<Vec<f64>> {
        let known = self.directions.as_ref()?;
        let (words, mut tape) = (self.prior.view(None), DocumentTape::default());
        self.prior.document_stage.direct(words, passages, &mut Dropout::off(), &mut tape);
        let further = FurtherPassages { counts: passages, words, directions: &tape.directions };
        Some(further.shares(known, phi))
    }

    fn is_outside(&self, document: &WordCounts, theta: &[f64]) -> Option<bool> {
        let centres = self.centres.as_ref()?;
        let (words, mut tape) = (self.prior.view(None), DocumentTape::default());
        self.prior.document_stage.direct(words, document, &mut Dropout::off(), &mut tape);
        let has_direction = tape.directions.iter().any(|x| *x != R::ZERO);
        has_direction.then(|| centres.is_outside(&tape.directions, theta))
    }
}
