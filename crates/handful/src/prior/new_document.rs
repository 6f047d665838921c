//! The prior of a document that comes after a fit: the topics are known, α and evidence are asked
//! for.

use super::handful::HandfulNewDocument;
use super::{Iwata, MamlSettings, PriorSettings};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::numeric::kernels::RowKernels;
use crate::storage::TensorSource;

/// What gives α to new documents of a fitted topic model, over the terms that they have.
#[derive(Clone, Debug)]
pub struct NewDocumentPrior {
    /// The vocabulary's indices of the terms at hand, in increasing order. Documents have their
    /// places here for terms.
    pub terms: Vec<u32>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Handful(Box<HandfulNewDocument<f32>>),
    /// f_A, and r of the fit's documents; empty where the networks have none.
    Iwata(Box<Iwata<f32>>, Vec<f32>),
    /// a
    Free(Vec<f32>),
    Maml(MamlSettings, Vec<f32>),
}

impl NewDocumentPrior {
    /// Reads what [`AnyPrior::new_document_tensors`](super::AnyPrior::new_document_tensors) gave, as
    /// far as documents need it that have the terms `wanted`, in increasing order, of all `terms`.
    pub fn from_tensors(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<f32>,
        wanted: Vec<u32>,
    ) -> Result<Self> {
        let kind = match settings {
            PriorSettings::Handful(settings) => {
                let prior =
                    HandfulNewDocument::from_tensors(settings, terms, topics, tensors, &wanted)?;
                Kind::Handful(Box::new(prior))
            }
            PriorSettings::Iwata(settings) => {
                let prior = Iwata::of_new_documents(settings, terms, topics, tensors, &wanted)?;
                let r = if settings.corpus_representation {
                    tensors.vector("r", settings.hidden)?
                } else {
                    Vec::new()
                };
                Kind::Iwata(Box::new(prior), r)
            }
            PriorSettings::Free => Kind::Free(tensors.vector("a", topics)?),
            PriorSettings::Maml(settings) => Kind::Maml(settings, tensors.vector("a", topics)?),
        };
        Ok(Self { terms: wanted, kind })
    }

    /// Sets α and the evidence of one document. The topics φ stand in the place of β: a Dirichlet
    /// distribution has its mode there.
    pub fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<f32>) {
        match &self.kind {
            Kind::Handful(prior) => prior.read(document, dirichlet),
            Kind::Iwata(f_a, r) => dirichlet.alpha = f_a.proportions_beside(r, document),
            Kind::Free(a) => {
                dirichlet.alpha.clone_from(a);
                f32::softplus(&mut dirichlet.alpha);
            }
            Kind::Maml(settings, a) => {
                dirichlet.alpha = settings.proportions_beside(a, dirichlet, document);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::em::{EmStop, EpisodeTerms};
    use crate::nn::Dropout;
    use crate::prior::{AnyPrior, AnyTape, HandfulSettings, IwataSettings, Prior};
    use crate::random::{Purpose, stream};
    use crate::storage::TermRows;
    use crate::topic_model::TopicModel;

    const TERMS: usize = 40;
    const TOPICS: usize = 3;

    fn documents() -> WordCounts {
        let mut documents = WordCounts::new();
        documents.push_row([(1, 2), (7, 1), (8, 9), (30, 1)]);
        documents.push_row([]);
        documents.push_row([(0, 1), (7, 3), (39, 2)]);
        documents.push_row([(8, 1), (9, 1), (22, 4)]);
        documents
    }

    fn prior_of(settings: PriorSettings) -> AnyPrior<f32> {
        let stream = &mut stream(3, Purpose::Weights, 0);
        let mut prior = AnyPrior::random(settings, TERMS, TOPICS, stream);
        for parameter in prior.parameters_mut() {
            match &*parameter.name {
                // What only documents that start a topic have.
                "membership" => parameter.values.fill(0.0),
                name if name.ends_with("evidence") => {
                    (-3i8..).zip(&mut parameter.values).for_each(|(i, x)| *x = f32::from(i) / 9.0);
                }
                _ => {}
            }
        }
        prior
    }

    #[test]
    fn documents_of_the_fit_have_its_alpha_and_its_evidence() {
        let handful =
            HandfulSettings { dimension: 8, hidden: 6, themes: 4, ..HandfulSettings::default() };
        let iwata = IwataSettings { hidden: 6, layers: 3, corpus_representation: true };
        let documents = documents();
        let terms = EpisodeTerms::of(&documents, &WordCounts::new()).terms;
        for settings in [
            PriorSettings::Handful(handful),
            PriorSettings::Iwata(iwata),
            PriorSettings::Iwata(IwataSettings { corpus_representation: false, ..iwata }),
            PriorSettings::Free,
        ] {
            let prior = prior_of(settings);
            let (mut tape, mut fit) = (AnyTape::default(), Dirichlet::default());
            prior.forward(&documents, TermRows::All, &mut Dropout::off(), &mut tape, &mut fit);
            let tensors = prior.new_document_tensors(&documents);
            let new =
                NewDocumentPrior::from_tensors(settings, TERMS, TOPICS, &tensors, terms.clone())
                    .unwrap();
            let mut found = Dirichlet { topics: fit.topics, ..Dirichlet::default() };
            for n in 0..documents.documents() {
                let mut document = WordCounts::new();
                let place = |term: u32| new.terms.binary_search(&term).unwrap() as u32;
                document.push_row(documents.row(n).map(|(term, count)| (place(term), count)));
                new.read(&document, &mut found);
                assert_eq!(found.alpha, fit.alpha[n * fit.topics..(n + 1) * fit.topics]);
                if !fit.evidence.is_empty() {
                    assert_eq!(found.evidence, fit.evidence[documents.row_range(n)]);
                }
            }
            // Where EM came to rest, nothing moves with the topics kept.
            let stop = EmStop::Converged { tolerance: 1e-12, most_steps: 20_000 };
            let model = TopicModel::fit(&prior, &documents, stop);
            let again = model.infer(&new, &documents, stop);
            assert_eq!(again.word_probabilities, model.word_probabilities);
            let shares = |model: &TopicModel| {
                let background = model.background.iter().flat_map(|b| b.shares.clone());
                model.proportions.iter().copied().chain(background).collect::<Vec<f32>>()
            };
            for (a, b) in shares(&model).iter().zip(shares(&again)) {
                assert!((a - b).abs() < 1e-4, "{settings:?} {a} {b}");
            }
            for (a, b) in model.weights.iter().zip(&again.weights) {
                assert!((a - b).abs() < 1e-4, "{settings:?} {a} {b}");
            }
        }
    }
}
