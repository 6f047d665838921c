//! Standard output, and how an error becomes a sentence and an exit status.

use crate::flags;
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use handful::{Error, ErrorKind};
use serde::Serialize;
use std::io::{self, Write};

/// Prints data on standard output.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints text with colours, which it loses where nobody would see them: on anything that is no
/// terminal, and where `NO_COLOR` says so.
pub fn print_styled(text: &str) -> anyhow::Result<()> {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => print(&strip_str(text).to_string()),
        _ => {
            let mut out = anstream::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
            Ok(())
        }
    }
}

/// Prints one JSON value, a line long.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string(value)?))
}

/// A line on standard error. Nobody has to read it: `eprintln!` would panic where the reader of a
/// pipe has left.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A warning on standard error, unless warnings are not wanted.
pub fn warn(quiet: bool, warning: &str) {
    if !quiet {
        say(&format!("handful: warning: {warning}"));
    }
}

/// Whether the reader of our output went away, which is its good right.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The error in one sentence, in the command's words.
pub fn sentence(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Error>() {
        // Its sentence has the cause in it already.
        Some(error) => flags::sentence(error),
        None => format!("{error:#}"),
    }
}

/// 2 for what the user can mend, else 1.
pub fn exit_status(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Error>() {
        Some(error) if error.kind() != ErrorKind::Interrupted => 2,
        _ => 1,
    }
}
