//! The `handful` command: topic models from a handful of documents.
//!
//! Data goes to standard output, everything else to standard error. The exit status is 0, or 2
//! for what the user can mend, or 1.

mod args;
mod commands;
mod files;
mod flags;
mod output;
mod progress;

use args::{Cli, Command};
use clap::Parser;
use handful::internals::numeric::SimdLevel;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::say(&format!("handful: {}", output::sentence(&error)));
            ExitCode::from(output::exit_status(&error))
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    SimdLevel::from_environment()?;
    let threads = cli.common.threads.map_or(0, |threads| threads as usize);
    // Within the pool, so that work need not be handed over to it from outside again and again.
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(|| match &cli.command {
        Command::Fit(args) => commands::fit(args, &cli.common),
        Command::Infer(args) => commands::infer(args, &cli.common),
        Command::Train(args) => commands::train(args, &cli.common),
        Command::Evaluate(args) => commands::evaluate(args, &cli.common),
        Command::Compare(args) => commands::compare(args, &cli.common),
        Command::Compact(args) => commands::compact(args, &cli.common),
        Command::Inspect(args) => commands::inspect(args, &cli.common),
        Command::Name(args) => commands::name(args, &cli.common),
    })
}
