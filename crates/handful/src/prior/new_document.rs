//! The prior of a document that comes after a fit: the topics are known, α and evidence are asked
//! for.

use super::{AnyPrior, NewTerms, Prior, PriorSettings};
use crate::Result;
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::storage::{TensorSource, Tensors};
use std::fmt::Debug;

/// Gives α to new documents of one fit.
pub trait ReadsNewDocuments<R>: Debug + Send + Sync {
    /// Sets α and the evidence of one document. The topics φ stand in the place of β: a Dirichlet
    /// distribution has its mode there.
    fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<R>);

    /// How much the passages of one document have of each topic (passages × topics, without the
    /// background), so that the document may mix topics; `None` if passages cannot say: a prior that does
    /// not read them, or a fit that does not know where its topics lie. φ stands in the place of β.
    fn passage_topics(
        &self,
        _passages: &WordCounts,
        _dirichlet: &Dirichlet<R>,
    ) -> Option<Vec<f64>> {
        None
    }

    /// Whether one document, with the proportions θ of the topics, is about none of them; `None` if that
    /// cannot be told: a prior that does not know subjects, or a document without known words.
    fn is_outside(&self, _document: &WordCounts, _theta: &[f64]) -> Option<bool> {
        None
    }
}

/// What gives α to new documents of a fitted topic model, over the terms that they have.
#[derive(Debug)]
pub struct NewDocumentPrior {
    /// The vocabulary's indices of the terms at hand, in increasing order. Documents have their
    /// places here for terms.
    pub terms: Vec<u32>,
    kind: Box<dyn ReadsNewDocuments<f32>>,
    /// For each topic of the fit, which of the prior's it is; empty if each is in its place.
    order: Vec<usize>,
}

impl NewDocumentPrior {
    /// Reads what [`Prior::new_document_tensors`] gave, as far as documents need it that have the
    /// terms `wanted`, in increasing order, of all `terms`.
    pub fn from_tensors(
        settings: PriorSettings,
        terms: usize,
        topics: usize,
        tensors: &dyn TensorSource<f32>,
        wanted: Vec<u32>,
    ) -> Result<Self> {
        let kind = settings.read_new_document_prior(terms, topics, tensors, &wanted)?;
        Ok(Self { terms: wanted, kind, order: Vec::new() })
    }

    /// Takes from `prior` what documents with the terms `wanted` need. `topics` is what
    /// [`Prior::topic_tensors`] gave for the fit.
    pub fn of(
        prior: &AnyPrior<f32>,
        new_terms: Option<&NewTerms>,
        topics: &Tensors<f32>,
        wanted: Vec<u32>,
    ) -> Result<Self> {
        let kind = prior.new_document_prior(new_terms, topics, &wanted)?;
        Ok(Self { terms: wanted, kind, order: Vec::new() })
    }

    /// The same for a fit whose topics are not in the prior's order: topic k is the prior's `order[k]`. An
    /// empty order leaves them as they are.
    pub fn in_order(self, order: &[usize]) -> Self {
        Self { order: order.to_vec(), ..self }
    }

    /// A row of terms that are at hand, with their places for terms.
    pub fn places(
        &self,
        row: impl Iterator<Item = (u32, u32)>,
    ) -> impl Iterator<Item = (u32, u32)> {
        row.map(|(term, count)| {
            let place = self.terms.binary_search(&term).expect("read for these documents");
            (place as u32, count)
        })
    }

    /// Sets α and the evidence of one document.
    pub fn read(&self, document: &WordCounts, dirichlet: &mut Dirichlet<f32>) {
        self.kind.read(document, dirichlet);
        if self.order.is_empty() {
            return;
        }
        let of_prior = dirichlet.alpha.clone();
        dirichlet.alpha.iter_mut().zip(&self.order).for_each(|(alpha, &k)| *alpha = of_prior[k]);
    }

    /// The topics φ of the fit, which stand in the place of β, in the prior's own order.
    pub fn in_own_order(&self, fit: Dirichlet<f32>) -> Dirichlet<f32> {
        let mut own = fit.beta.clone();
        for (own, row) in own.chunks_exact_mut(fit.topics).zip(fit.beta.chunks_exact(fit.topics)) {
            self.order.iter().zip(row).for_each(|(&k, &beta)| own[k] = beta);
        }
        Dirichlet { beta: own, ..fit }
    }

    /// What the passages of one document are about ([`ReadsNewDocuments::passage_topics`]), by topics in
    /// the prior's own order ([`Self::in_own_order`]).
    pub fn passage_topics(
        &self,
        passages: &WordCounts,
        topics: &Dirichlet<f32>,
    ) -> Option<Vec<f64>> {
        let shares = self.kind.passage_topics(passages, topics)?;
        if self.order.is_empty() {
            return Some(shares);
        }
        let rows = shares.chunks_exact(self.order.len());
        Some(rows.flat_map(|row| self.order.iter().map(|&k| row[k])).collect())
    }

    /// Whether one document, with the proportions θ of the fit's topics, is about none of them
    /// ([`ReadsNewDocuments::is_outside`]).
    pub fn is_outside(&self, document: &WordCounts, theta: &[f32]) -> Option<bool> {
        let mut own: Vec<f64> = theta.iter().map(|&share| share.into()).collect();
        for (&k, &share) in self.order.iter().zip(theta) {
            own[k] = share.into();
        }
        self.kind.is_outside(document, &own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::em::{EmStop, EpisodeTerms};
    use crate::nn::{Activation, DocumentInput, Dropout};
    use crate::prior::{AnyTape, FreeSettings, HandfulSettings, IwataSettings, Request};
    use crate::random::{Purpose, stream};
    use crate::storage::{Tensors, TermRows};
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

    /// How much α_nk of the prior `handful` can differ between document n read alone and among others.
    ///
    /// Its logit is h_n · A t_k / √D + a_k, and documents are the rows of that product: the kernel adds up
    /// the lanes of four rows in another order than those of one. In any order, a sum of D products in
    /// float32 is within D ε/2 Σ|h A t| of the exact one, so two orders differ by at most
    /// D ε Σ|h A t| ≤ D ε |h_n| |A t_k|. Since h_n = u_n + V max(0, W u_n + w) + v and u_n has the length
    /// √D, |h_n| ≤ √D (1 + |V| |W|) + |V| |w| + |v|. The product with 1/√D rounds by ε of itself, as if D
    /// were one more. Softplus moves by no more than its argument; with the addition of a_k it rounds by
    /// less than 8 ε (1 + α).
    fn most_by_reordering(tensors: &Tensors<f32>, k: usize, alpha: f32) -> f32 {
        let length = |values: &[f32]| values.iter().map(|x| x * x).sum::<f32>().sqrt();
        let norm = |name: &str| length(&tensors[name].values);
        let affinity = &tensors["topics.affinity"];
        let dimension = affinity.shape[1];
        let root = (dimension as f32).sqrt();
        let [first, first_bias, second, second_bias] = ["0.weight", "0.bias", "3.weight", "3.bias"]
            .map(|name| norm(&format!("document.{name}")));
        let document = root * (1.0 + second * first) + second * first_bias + second_bias;
        let topic = length(&affinity.values[k * dimension..(k + 1) * dimension]);
        let by_order = (dimension + 1) as f32 * document * topic / root;
        f32::EPSILON * (by_order + 8.0 * (1.0 + alpha))
    }

    #[test]
    fn documents_of_the_fit_have_its_alpha_and_its_evidence() {
        let handful =
            HandfulSettings { dimension: 8, hidden: 6, themes: 4, ..HandfulSettings::default() };
        let iwata = IwataSettings { hidden: 6, ..IwataSettings::default() };
        let documents = documents();
        let terms = EpisodeTerms::of(&documents, &WordCounts::new()).terms;
        for settings in [
            PriorSettings::Handful(handful),
            PriorSettings::Iwata(iwata),
            PriorSettings::Iwata(IwataSettings { corpus_representation: false, ..iwata }),
            PriorSettings::Iwata(IwataSettings {
                hidden_f_a: Some(9),
                representation_size: Some(4),
                activation: Activation::Tanh,
                input: DocumentInput::Shares,
                ..iwata
            }),
            PriorSettings::Free(FreeSettings::default()),
        ] {
            let prior = prior_of(settings);
            let (mut tape, mut fit) = (AnyTape::default(), Dirichlet::default());
            let request = Request::new(TOPICS, TermRows::All);
            prior.forward(&documents, request, &mut Dropout::off(), &mut tape, &mut fit);
            let topics = prior.topic_tensors(&tape);
            let tensors = prior.new_document_tensors(None, &topics);
            let new =
                NewDocumentPrior::from_tensors(settings, TERMS, TOPICS, &tensors, terms.clone())
                    .unwrap();
            let in_memory = NewDocumentPrior::of(&prior, None, &topics, terms.clone()).unwrap();
            let mut found = Dirichlet { topics: fit.topics, ..Dirichlet::default() };
            for n in 0..documents.documents() {
                let mut document = WordCounts::new();
                let place = |term: u32| new.terms.binary_search(&term).unwrap() as u32;
                document.push_row(documents.row(n).map(|(term, count)| (place(term), count)));
                in_memory.read(&document, &mut found);
                let without_file = found.clone();
                new.read(&document, &mut found);
                assert_eq!(without_file, found);
                let of_fit = &fit.alpha[n * fit.topics..(n + 1) * fit.topics];
                for (k, (&alone, &among)) in found.alpha.iter().zip(of_fit).enumerate() {
                    let most = match settings {
                        PriorSettings::Handful(_) => most_by_reordering(&tensors, k, among),
                        _ => 0.0,
                    };
                    assert!((alone - among).abs() <= most, "{settings:?}: {alone} and {among}");
                }
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

    #[test]
    fn topics_in_another_order_have_the_alpha_of_the_priors_own() {
        let iwata =
            IwataSettings { hidden: 6, corpus_representation: false, ..IwataSettings::default() };
        let settings = PriorSettings::Iwata(iwata);
        let prior = prior_of(settings);
        let tensors = prior.new_document_tensors(None, &Tensors::new());
        let read = |order: &[usize]| {
            let wanted: Vec<u32> = (0..TERMS as u32).collect();
            let of = NewDocumentPrior::from_tensors(settings, TERMS, TOPICS, &tensors, wanted);
            let mut document = WordCounts::new();
            document.push_row([(1, 2), (7, 1)]);
            let mut dirichlet = Dirichlet { topics: TOPICS, ..Dirichlet::default() };
            of.unwrap().in_order(order).read(&document, &mut dirichlet);
            dirichlet.alpha
        };
        let own = read(&[]);
        assert_eq!(read(&[2, 0, 1]), [own[2], own[0], own[1]]);
        assert!(own[0] != own[1] && own[1] != own[2], "{own:?}");
    }
}
