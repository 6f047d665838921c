//! How long runs show their progress: a bar on a terminal, lines elsewhere, nothing when quiet.

mod comparison;
mod training;

pub use comparison::ComparisonDisplay;
pub use training::TrainingDisplay;

use crate::args::CommonFlags;
use crate::output;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

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
            let bar = ProgressBar::new(length);
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.expect("the template is well formed"));
            bar.enable_steady_tick(Duration::from_millis(500));
            Self::Bar(bar)
        } else {
            Self::Lines
        }
    }

    /// A line above the progress.
    fn say(&self, line: &str) {
        match self {
            Self::Quiet => {}
            Self::Lines => output::say(line),
            Self::Bar(bar) => bar.println(line),
        }
    }

    fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.abandon();
        }
    }
}
