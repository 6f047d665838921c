//! Programs that some tests need and not every machine has.

use std::env;
use std::process::{Command, Stdio};

/// Whether a test can go on: a program answers. Where it is missing the test is skipped, and says so;
/// where everything has to be tested (`CI=true`) that is an error.
pub fn is_there(program: &str, args: &[&str], test: &str) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let answers = command.status().is_ok_and(|status| status.success());
    let required = env::var("CI").is_ok_and(|value| value == "true");
    assert!(answers || !required, "{test} needs `{program} {}`", args.join(" "));
    if !answers {
        eprintln!("skipped: {test} needs `{program} {}`", args.join(" "));
    }
    answers
}

/// The Python that has pyLDAvis: `HANDFUL_PYTHON`, or the usual one.
pub fn python() -> String {
    env::var("HANDFUL_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}
