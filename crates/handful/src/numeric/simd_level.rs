//! Which SIMD instructions the kernels use: the best of the processor, or a chosen level.

use crate::{Error, Result};
use pulp::Arch;
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::sync::OnceLock;

/// A set of SIMD instructions that the kernels can be restricted to.
///
/// Kernels use the best level of the processor. The environment variable `HANDFUL_SIMD` names another,
/// for tests and benchmarks; it is read once, when the first kernel runs. The library ignores a name that
/// this machine does not have and uses the best level instead: a kernel cannot return an error. A program
/// that wants to refuse such a name calls [`SimdLevel::from_environment`] at its start, as `handful` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimdLevel {
    /// No SIMD in the explicit kernels; the compiler uses what every processor of the kind has.
    Scalar,
    /// x86-64 with AVX2 and FMA: 16 registers of 8 numbers.
    Avx2,
    /// x86-64 with AVX-512: 32 registers of 16 numbers.
    Avx512,
    /// The best of a processor that is not an x86-64.
    Native,
}

/// The level of all kernels in this process, with what they dispatch on.
static IN_USE: OnceLock<(SimdLevel, Arch)> = OnceLock::new();

impl SimdLevel {
    /// The environment variable that names the level to use.
    pub const VARIABLE: &str = "HANDFUL_SIMD";

    const ALL: [Self; 4] = [Self::Scalar, Self::Avx2, Self::Avx512, Self::Native];

    /// The name, as `HANDFUL_SIMD` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Native => "native",
        }
    }

    /// The levels that this machine has, the best last. There is always `scalar`.
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|level| level.arch().is_some()).collect()
    }

    /// The level that `HANDFUL_SIMD` names, or none where it is empty or not set.
    ///
    /// A name that is not a level of this machine is an error that lists those that are.
    pub fn from_environment() -> Result<Option<Self>> {
        env::var_os(Self::VARIABLE).map_or(Ok(None), |name| Self::named(&name))
    }

    fn named(name: &OsStr) -> Result<Option<Self>> {
        if name.is_empty() {
            return Ok(None);
        }
        let available = Self::available();
        let level = available.iter().find(|level| name == level.name());
        level.copied().map(Some).ok_or_else(|| {
            let names: Vec<&str> = available.iter().map(|level| level.name()).collect();
            Error::input(
                Self::VARIABLE,
                format!("`{}` is not a SIMD level of this machine", name.to_string_lossy()),
                format!("use one of {}, or leave it unset", names.join(", ")),
            )
        })
    }

    /// The level that the kernels use in this process.
    pub fn in_use() -> Self {
        in_use().0
    }

    /// What to dispatch on to use this level, if the machine has it.
    pub fn arch(self) -> Option<Arch> {
        match self {
            Self::Scalar => Some(Arch::Scalar),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().map(Arch::V3),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().map(Arch::V4),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Native => Some(Arch::new()),
            _ => None,
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What every kernel dispatches on.
#[inline]
pub fn arch() -> Arch {
    in_use().1
}

#[inline]
fn in_use() -> (SimdLevel, Arch) {
    *IN_USE.get_or_init(|| {
        let chosen = SimdLevel::from_environment().ok().flatten();
        let best = || SimdLevel::available().pop();
        let level = chosen.or_else(best).unwrap_or(SimdLevel::Scalar);
        (level, level.arch().unwrap_or(Arch::Scalar))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_s_levels_can_be_named_and_scalar_is_always_one() {
        let available = SimdLevel::available();
        assert_eq!(available[0], SimdLevel::Scalar);
        for level in available {
            assert_eq!(SimdLevel::named(level.name().as_ref()).unwrap(), Some(level));
        }
    }

    #[test]
    fn nothing_is_chosen_where_the_variable_is_empty() {
        assert_eq!(SimdLevel::named("".as_ref()).unwrap(), None);
    }

    #[test]
    fn a_name_that_is_no_level_is_refused_with_those_that_are() {
        for name in ["AVX2", "sse2", " scalar"] {
            let sentence = SimdLevel::named(name.as_ref()).unwrap_err().to_string();
            let begins = format!("HANDFUL_SIMD: `{name}` is not a SIMD level of this machine; ");
            assert!(sentence.starts_with(&begins), "{sentence}");
            assert!(sentence.contains("use one of scalar"), "{sentence}");
        }
    }

    #[test]
    fn a_level_that_the_machine_lacks_is_refused() {
        let lacking = SimdLevel::ALL.into_iter().filter(|level| level.arch().is_none());
        let mut lacking = lacking.peekable();
        assert!(lacking.peek().is_some(), "no machine has both `native` and `avx2`");
        for level in lacking {
            assert!(SimdLevel::named(level.name().as_ref()).is_err());
        }
    }

    #[test]
    fn the_kernels_use_the_level_of_the_environment_or_the_best() {
        let chosen = SimdLevel::from_environment().unwrap();
        let best = *SimdLevel::available().last().unwrap();
        assert_eq!(SimdLevel::in_use(), chosen.unwrap_or(best));
    }
}
