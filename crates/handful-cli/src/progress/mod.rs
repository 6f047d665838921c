//! Shows the progress of long runs: a bar on a terminal, lines elsewhere, nothing with `--quiet`.

mod comparison;
mod fitting;
mod groups;
mod training;

pub use comparison::ComparisonDisplay;
pub use fitting::FitDisplay;
pub use groups::GroupDisplay;
pub use training::TrainingDisplay;

use crate::args::CommonFlags;
use crate::output;
use handful::internals::error::printable;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// Where there is no bar, lines come at most this often, but for a training's validations.
const LINE_EVERY: Duration = Duration::from_secs(10);

enum Mode {
    Quiet,
    Lines,
    Bar(ProgressBar),
}

impl Mode {
    fn new(length: u64, template: &str, common: &CommonFlags) -> Self {
        if common.quiet {
            Self::Quiet
        } else if stderr().is_terminal() {
            Self::Bar(bar(length, template))
        } else {
            Self::Lines
        }
    }

    /// Starts a new bar.
    fn begin(&mut self, length: u64, template: &str) {
        if let Self::Bar(before) = self {
            before.finish_and_clear();
            *before = bar(length, template);
        }
    }

    /// Prints a line above the progress.
    fn say(&self, line: &str) {
        match self {
            Self::Quiet => {}
            Self::Lines => output::say(line),
            Self::Bar(bar) => bar.println(printable(line)),
        }
    }

    fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.abandon();
        }
    }
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(length).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
