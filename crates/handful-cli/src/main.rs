//! The `handful` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(handful_cli::run(std::env::args_os()))
}
