//! `HANDFUL_SIMD`, which names the SIMD instructions to use.

use crate::support::Workspace;

#[test]
fn a_level_that_this_machine_does_not_have_is_refused() {
    let workspace = Workspace::with_corpora();
    let message = workspace.run_after("export HANDFUL_SIMD=mmx", "fit corpora").refusal();
    let begins = "HANDFUL_SIMD: `mmx` is not a SIMD level of this machine; use one of scalar";
    assert!(message.starts_with(begins), "{message}");
}

#[test]
fn a_level_that_every_machine_has_fits_documents() {
    let workspace = Workspace::with_corpora();
    workspace.run_after("export HANDFUL_SIMD=scalar", "fit corpora -q").success();
    workspace.run_after("export HANDFUL_SIMD=", "fit corpora -q").success();
}
