//! Shows the progress of a comparison.

use super::Mode;
use crate::args::CommonFlags;
use crate::{flags, output};
use handful::internals::error::printable;
use handful_lab::{Event, ExperimentKey, Line, Plan};
use std::collections::BTreeMap;

/// The display of a comparison.
pub struct ComparisonDisplay {
    mode: Mode,
    total: usize,
    done: usize,
    threads: usize,
    /// The number of remaining experiments, by kind.
    left: BTreeMap<String, usize>,
    /// The CPU seconds and the number of finished experiments, by kind.
    spent: BTreeMap<String, (f64, usize)>,
}

impl ComparisonDisplay {
    pub fn new<L: Line, R: PartialEq>(
        plan: &Plan<L::Key, R>,
        there: &[L],
        threads: usize,
        common: &CommonFlags,
    ) -> Self {
        let mut left = BTreeMap::new();
        plan.keys().for_each(|key| *left.entry(key.kind()).or_default() += 1);
        let total = plan.done + left.values().sum::<usize>();
        let template = "{bar:28} {pos}/{len} experiments, {msg}";
        let mode = Mode::new(total as u64, template, common);
        let spent = BTreeMap::new();
        let mut display = Self { mode, total, done: plan.done, threads, left, spent };
        there.iter().for_each(|record| display.note(record));
        if plan.done > 0 {
            display.mode.say(&format!("{} of {total} experiments are there already", plan.done));
        }
        display.update("starting");
        display
    }

    pub fn show<L: Line>(&mut self, event: &Event<'_, L>) {
        match event {
            Event::Finished(record) => {
                self.note(*record);
                self.finish_one(record.key());
                let what = format!("{}: {}", record.key(), record.outcome());
                let left = self.update(&what);
                if let Mode::Lines = self.mode {
                    let (done, total) = (self.done, self.total);
                    output::say(&format!("experiment {done}/{total}, {what}, {left}"));
                }
            }
            Event::Failed { key, error } => {
                self.finish_one(*key);
                // Failures are shown even if progress is not wanted.
                let line = format!("handful: {key} failed: {}", flags::sentence(error));
                match &self.mode {
                    Mode::Bar(bar) => bar.println(printable(&line)),
                    _ => output::say(&line),
                }
            }
        }
    }

    pub fn finish(&self) {
        self.mode.finish();
    }

    fn note(&mut self, record: &impl Line) {
        let (sum, number) = self.spent.entry(record.key().kind()).or_default();
        *sum += record.seconds();
        *number += 1;
    }

    fn finish_one(&mut self, key: &impl ExperimentKey) {
        self.done += 1;
        if let Some(left) = self.left.get_mut(&key.kind()) {
            *left -= 1;
        }
    }

    /// Moves the bar, and returns the estimated time left.
    fn update(&mut self, what: &str) -> String {
        let left = match self.seconds_left() {
            Some(seconds) => format!("{} left", duration(seconds)),
            None => "time left unknown".to_owned(),
        };
        if let Mode::Bar(bar) = &self.mode {
            bar.set_position(self.done as u64);
            bar.set_message(printable(&format!("{what}, {left}")).into_owned());
        }
        left
    }

    /// Estimates how long the remaining experiments will take, from the mean of their kind or, if
    /// none of that kind is done, from the mean of all. Trainings that methods share are counted
    /// for each method, so the actual time is rather shorter.
    fn seconds_left(&self) -> Option<f64> {
        let (sum, number) =
            self.spent.values().fold((0.0, 0), |(sum, n), (seconds, m)| (sum + seconds, n + m));
        let usual = (number > 0).then(|| sum / number as f64)?;
        let of_kind = |(kind, &left): (&String, &usize)| {
            let mean = self.spent.get(kind).map_or(usual, |(sum, number)| sum / *number as f64);
            left as f64 * mean
        };
        Some(self.left.iter().map(of_kind).sum::<f64>() / self.threads as f64)
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_that_suits_them() {
        assert_eq!(duration(12.3), "12 s");
        assert_eq!(duration(600.0), "10 min");
        assert_eq!(duration(7200.0), "2.0 h");
    }
}
