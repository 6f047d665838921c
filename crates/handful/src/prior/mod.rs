//! What gives Dirichlet parameters to documents: networks that read them, one fixed guess,
//! or gradient steps from it.

mod any;
mod free;
mod handful;
mod iwata;
mod maml;
mod new_document;
mod starting;

pub use any::{AnyPrior, AnyTape, PriorSettings};
pub use free::{Free, FreeTape};
pub use handful::{Handful, HandfulSettings, HandfulTape, Ingredient, NewWords};
pub use iwata::{Iwata, IwataSettings, IwataTape};
pub use maml::{Maml, MamlSettings, MamlTape};
pub use new_document::NewDocumentPrior;
pub use starting::{StartObserver, StartPart, Starting};

use crate::corpus::WordCounts;
use crate::em::{Dirichlet, PriorGradient};
use crate::nn::{Dropout, Gradient, Parameter};
use crate::numeric::Real;
use crate::storage::TermRows;

/// A map from documents to Dirichlet parameters, with weights Ψ that can be learned.
pub trait Prior<R: Real>: Send + Sync {
    /// What the backward pass needs of a forward pass; kept and reused.
    type Tape: Default + Send;

    /// K, the topics that are shown.
    fn topics(&self) -> usize;
    /// Whether α and β have one topic more, the last: a background that is kept apart.
    fn has_background(&self) -> bool {
        false
    }
    /// J
    fn terms(&self) -> usize;
    /// The weights Ψ.
    fn parameters(&self) -> &[Parameter<R>];
    /// The weights Ψ, to be changed.
    fn parameters_mut(&mut self) -> &mut [Parameter<R>];

    /// α and the evidence of the support, β of the wanted terms; what stands there for
    /// other terms is left open.
    fn forward(
        &self,
        support: &WordCounts,
        wanted: TermRows<'_>,
        dropout: &mut Dropout<'_>,
        tape: &mut Self::Tape,
        dirichlet: &mut Dirichlet<R>,
    );

    /// From the gradient with respect to α and β to that of the weights, one [`Gradient`] a
    /// parameter.
    ///
    /// `terms` are the vocabulary's indices of the local terms that `gradient` speaks of: those that the
    /// forward pass was asked for.
    fn backward(
        &self,
        support: &WordCounts,
        terms: &[u32],
        dirichlet: &Dirichlet<R>,
        gradient: &PriorGradient<R>,
        tape: &mut Self::Tape,
        gradients: &mut Vec<Gradient<R>>,
    );
}
