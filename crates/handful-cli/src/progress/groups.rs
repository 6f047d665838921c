//! How the fits of many groups show their progress.

use super::{LINE_EVERY, Mode};
use crate::args::CommonFlags;
use std::time::Instant;

const GROUPS: &str = "{bar:28} {pos}/{len} groups, {per_sec}, {eta} left";

/// The display of a run.
pub struct GroupDisplay {
    mode: Mode,
    of: usize,
    last_line: Instant,
}

impl GroupDisplay {
    /// A run that has `done` of its groups already.
    pub fn new(done: usize, of: usize, common: &CommonFlags) -> Self {
        let mode = Mode::new(of as u64, GROUPS, common);
        if done > 0 {
            mode.say(&format!("handful: goes on after {done} of {of} groups"));
        }
        if let Mode::Bar(bar) = &mode {
            bar.set_position(done as u64);
            // The rate is that of this run.
            bar.reset_eta();
        }
        Self { mode, of, last_line: Instant::now() }
    }

    pub fn show(&mut self, done: usize) {
        match &self.mode {
            Mode::Bar(bar) => bar.set_position(done as u64),
            Mode::Lines if self.last_line.elapsed() >= LINE_EVERY => {
                self.mode.say(&format!("fitted {done}/{} groups", self.of));
                self.last_line = Instant::now();
            }
            _ => {}
        }
    }

    pub fn finish(&self) {
        if let Mode::Bar(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}
