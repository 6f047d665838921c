//! How a fit shows its progress, if it takes long.

use super::{LINE_EVERY, Mode};
use crate::args::CommonFlags;
use handful::Progress;
use handful::fit::Part;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const PIECES: &str = "{bar:28} {msg} {pos}/{len}, {eta} left";

/// A fit that is done by then shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The display of a fit and of its report.
pub struct FitDisplay<'a> {
    common: &'a CommonFlags,
    start: Instant,
    last_line: Instant,
    shown: Option<(Part, Mode)>,
}

impl<'a> FitDisplay<'a> {
    pub fn new(common: &'a CommonFlags) -> Self {
        let now = Instant::now();
        Self { common, start: now, last_line: now, shown: None }
    }

    pub fn show(&mut self, progress: Progress) -> ControlFlow<()> {
        let Progress { part, done, of, .. } = progress;
        let what = match part {
            Part::ChoosingTopics => "trying numbers of topics",
            Part::Grouping => "grouping documents",
            Part::Reporting => "writing the report",
            _ => "fitting",
        };
        if self.start.elapsed() < PATIENCE {
            return ControlFlow::Continue(());
        }
        if self.shown.as_ref().is_none_or(|(shown, _)| *shown != part) {
            self.finish();
            self.shown = Some((part, Mode::new(of as u64, PIECES, self.common)));
        }
        let (_, mode) = self.shown.as_ref().expect("set above");
        match mode {
            Mode::Bar(bar) => {
                bar.set_position(done as u64);
                bar.set_message(what);
            }
            Mode::Lines if self.last_line.elapsed() >= LINE_EVERY => {
                mode.say(&format!("{what} {done}/{of}"));
                self.last_line = Instant::now();
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    pub fn finish(&mut self) {
        if let Some((_, Mode::Bar(bar))) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}
