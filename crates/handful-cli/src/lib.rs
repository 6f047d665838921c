//! The `handful` command: topic models from a handful of documents.
//!
//! Data goes to standard output, everything else to standard error. The exit status is 0, or 2
//! for what the user can mend, or 1.

mod args;
mod commands;
mod files;
mod flags;
mod groups;
mod output;
#[cfg(feature = "parquet")]
mod parquet_documents;
#[cfg(feature = "parquet")]
mod parquet_file;
#[cfg(feature = "parquet")]
mod parquet_pages;
mod progress;

use args::{Cli, Command};
use clap::Parser;
use handful::Error;
use handful::internals::numeric::SimdLevel;
use std::ffi::OsString;
use std::io::Write;

pub use output::output_is_closed;

/// The insides, for the fuzz targets of this workspace. Nothing here is promised to stay.
#[doc(hidden)]
pub mod internals {
    use crate::groups::{GroupOutput, Identity, Journal, grouped};
    use handful::reading::RawDocument;
    #[cfg(feature = "parquet")]
    use handful::reading::{ReadSettings, Reading};
    use handful::{FitSettings, Model, Result};
    use std::path::Path;

    /// Reads the documents of a Parquet file.
    #[cfg(feature = "parquet")]
    pub fn read_parquet(path: &Path, settings: &ReadSettings) -> Result<Reading> {
        crate::parquet_documents::read(path, settings, &mut settings.max_input_size.clone())
    }

    /// Opens the journal of a run that fits the groups of these documents, or begins one, and writes the
    /// file `out` of the groups that it has. Returns how many these are.
    pub fn write_from_journal(
        model: &Model,
        documents: Vec<RawDocument>,
        out: &Path,
    ) -> Result<usize> {
        let out = GroupOutput::claim(out, true)?;
        let identity = Identity::of(model, &FitSettings::default(), 10, &grouped(documents));
        let journal = Journal::open(&out, &identity, false)?;
        out.write(&journal)?;
        Ok(journal.finished())
    }
}

/// Runs the command with these words, the first of which is its own name. Returns the exit status.
///
/// If its standard output was closed before it began, say so with [`output_is_closed`].
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let status = match Cli::try_parse_from(&words) {
        Ok(cli) => status_of(&cli),
        // A call for help is an error of clap's, too.
        Err(said) => {
            output::print_usage(&said, &words);
            u8::try_from(said.exit_code()).unwrap_or(2)
        }
    };
    // Whoever calls this function may never end the way a Rust program does, which would flush.
    let _ = std::io::stdout().flush();
    status
}

fn status_of(cli: &Cli) -> u8 {
    match carry_out(cli) {
        Ok(()) => 0,
        Err(error) if output::is_broken_pipe(&error) => 0,
        Err(error) => {
            output::say(&format!("handful: {}", output::sentence(&error)));
            output::exit_status(&error)
        }
    }
}

fn carry_out(cli: &Cli) -> anyhow::Result<()> {
    SimdLevel::from_environment()?;
    if cli.command.prints(cli.common.json) {
        output::expect_open()?;
    }
    let threads = cli.common.threads.map_or(0, |threads| threads as usize);
    // Within the pool, so that work need not be handed over to it from outside again and again.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        let problem = format!("cannot be started ({error})");
        Error::bad_setting("threads", problem, "give fewer with `threads`")
    })?;
    pool.install(|| match &cli.command {
        Command::Fit(args) => commands::fit(args, &cli.common),
        Command::Lda(args) => commands::lda(args, &cli.common),
        Command::Infer(args) => commands::infer(args, &cli.common),
        Command::Train(args) => commands::train(args, &cli.common),
        Command::Evaluate(args) => commands::evaluate(args, &cli.common),
        Command::Compare(args) => commands::compare(args, &cli.common),
        Command::Compact(args) => commands::compact(args, &cli.common),
        Command::Inspect(args) => commands::inspect(args, &cli.common),
        Command::Name(args) => commands::name(args, &cli.common),
        Command::Licenses => commands::licenses(&cli.common),
    })
}
