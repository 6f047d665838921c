//! Numbers and the inner loops over many of them.
//!
//! Everything above is generic over the scalar type [`Real`], so that the float32 code that trains is
//! the very code that float64 tests check against exact gradients.

mod gamma_functions;
pub mod kernels;
mod largest;
mod real;
mod simd_level;
mod softplus;

pub use gamma_functions::{digamma, log_gamma, trigamma};
pub use largest::largest;
pub use real::Real;
pub use simd_level::{SimdLevel, arch};
pub use softplus::{FLOOR, softplus, softplus_backward};
