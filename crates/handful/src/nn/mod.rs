//! The small neural networks of a prior: feed-forward layers, dropout, gradients, Adam.
//!
//! A weight's gradient is never built as a matrix. The backward pass leaves a [`Gradient`], the
//! factors of a product. The optimiser multiplies them out row by row, when it updates the row.

mod activation;
mod adam;
mod adam_rows;
mod clipping;
mod deferral;
mod document_input;
mod dropout;
mod feed_forward;
mod gradient;
mod linear;
mod network;
mod parameter;
mod stored_rows;
mod term_layers;
mod term_softmax;
mod touched;

pub use activation::Activation;
pub use adam::{Adam, AdamSettings};
pub use document_input::DocumentInput;
pub use dropout::Dropout;
pub use feed_forward::{FeedForward, FeedForwardTape};
pub use gradient::{EpisodeGradient, Gradient};
pub use linear::Linear;
pub use network::{Network, NetworkTape};
pub use parameter::{Parameter, all_finite};
pub use stored_rows::StoredRows;
pub use term_layers::{TermInput, TermOutput, TermOutputTape};
pub use term_softmax::{TermSoftmax, TermSoftmaxTape};
