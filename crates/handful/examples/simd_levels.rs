//! Prints the SIMD levels that this machine has, a line each, the best last: the values of `HANDFUL_SIMD`.

use handful::internals::numeric::SimdLevel;

fn main() {
    SimdLevel::available().iter().for_each(|level| println!("{level}"));
}
