//! Standard output, and how errors become a sentence and an exit status.

use crate::flags;
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use handful::internals::error::{printable, printable_json, printable_lines};
use handful::{Error, ErrorKind};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What messages call standard output.
const OUTPUT: &str = "standard output";

/// Whether standard output was closed before the command began.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Says that standard output was closed before the command began. The command cannot find out: Rust
/// opens /dev/null in its place.
pub fn output_is_closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// Refuses to work for a result that nobody would get.
pub fn expect_open() -> Result<(), Error> {
    if !IS_CLOSED.load(Ordering::Relaxed) {
        return Ok(());
    }
    let remedy = "leave it open, or send it to /dev/null if you do not want the result";
    Err(Error::unwritable(OUTPUT, "is closed", remedy))
}

/// Prints what clap says, help or what is wrong with the words. Names of files may be among the words.
pub fn print_usage(said: &clap::Error, words: &[OsString]) {
    let is_printable = |word: &OsString| {
        let word = word.to_string_lossy();
        printable(&word) == word
    };
    let _ = if words.iter().all(is_printable) {
        said.print()
    } else {
        write!(io::stderr(), "{}", printable_lines(&said.to_string()))
    };
}

/// Prints lines on standard output. What a terminal would obey in them is shown instead.
pub fn print(text: &str) -> anyhow::Result<()> {
    write(&printable_lines(text))
}

fn write(text: &str) -> anyhow::Result<()> {
    write_to(&mut io::stdout().lock(), text)
}

/// Writes text to standard output, `out`, at once. A reader that has gone stays an error of its own.
fn write_to(out: &mut impl Write, text: &str) -> anyhow::Result<()> {
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => error.into(),
        _ => Error::write(Path::new(OUTPUT), error).into(),
    })
}

/// Prints text with colours, all else in which is printable. Removes the colours if standard output is not a terminal or `NO_COLOR` is
/// set.
pub fn print_styled(text: &str) -> anyhow::Result<()> {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => print(&strip_str(text).to_string()),
        _ => write_to(&mut anstream::stdout().lock(), text),
    }
}

/// Prints a JSON value on one line.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    write(&format!("{}\n", printable_json(&serde_json::to_string(value)?)))
}

/// Prints a line on standard error. Ignores failures: `eprintln!` would panic if the reader of a
/// pipe has gone.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Prints a warning on standard error, unless `quiet` is set.
pub fn warn(quiet: bool, warning: &str) {
    if !quiet {
        say(&format!("handful: warning: {warning}"));
    }
}

/// Whether the reader of standard output has gone, which is no error.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns the error as one sentence, in the command's words.
pub fn sentence(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Error>() {
        // The sentence includes the cause already.
        Some(error) => flags::sentence(error),
        None => format!("{error:#}"),
    }
}

/// Returns 2 for an error that the user can fix (bad input, bad flag), and 1 for anything else.
pub fn exit_status(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Error>() {
        Some(error) if error.kind() != ErrorKind::Interrupted => 2,
        _ => 1,
    }
}
