//! The `handful` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if closed_output::was_found() {
        handful_cli::output_is_closed();
    }
    ExitCode::from(handful_cli::run(std::env::args_os()))
}

/// Whether standard output was closed, as by `>&-`. Only who looks before `main` can tell: Rust then opens
/// /dev/null in its place, and all that is printed would be lost without a word.
#[cfg(target_os = "linux")]
mod closed_output {
    use std::sync::atomic::{AtomicBool, Ordering};

    static IS_CLOSED: AtomicBool = AtomicBool::new(false);

    // The linker's list of what runs before `main`.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        IS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
    }

    pub fn was_found() -> bool {
        IS_CLOSED.load(Ordering::Relaxed)
    }
}
