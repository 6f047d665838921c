//! How a comparison shows its progress.

use super::Mode;
use crate::args::CommonFlags;
use crate::output;
use handful_lab::results::{Key, Record};
use handful_lab::{Event, Plan};
use std::collections::BTreeMap;

/// The display of a comparison.
pub struct ComparisonDisplay {
    mode: Mode,
    total: usize,
    done: usize,
    threads: usize,
    /// Experiments still to be made, by kind.
    left: BTreeMap<Kind, usize>,
    /// CPU seconds and number of the finished experiments, by kind.
    spent: BTreeMap<Kind, (f64, usize)>,
}

/// Experiments that take about the same time: method, topics, EM steps.
type Kind = (String, Option<usize>, Option<usize>);

fn kind(key: &Key) -> Kind {
    (key.method.clone(), key.topics, key.em_steps)
}

impl ComparisonDisplay {
    pub fn new(plan: &Plan, there: &[Record], threads: usize, common: &CommonFlags) -> Self {
        let mut left = BTreeMap::new();
        plan.keys().for_each(|key| *left.entry(kind(key)).or_default() += 1);
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

    pub fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Finished(record) => {
                self.note(record);
                self.finish_one(&record.key);
                let what = format!("{}: perplexity {:.1}", record.key, record.perplexity);
                let left = self.update(&what);
                if let Mode::Lines = self.mode {
                    let (done, total) = (self.done, self.total);
                    output::say(&format!("experiment {done}/{total}, {what}, {left}"));
                }
            }
            Event::Failed { key, error } => {
                self.finish_one(key);
                // Also where progress is not wanted.
                let line = format!("handful: {key} failed: {error}");
                match &self.mode {
                    Mode::Bar(bar) => bar.println(line),
                    _ => output::say(&line),
                }
            }
        }
    }

    pub fn finish(&self) {
        self.mode.finish();
    }

    fn note(&mut self, record: &Record) {
        let seconds = record.train_seconds + record.fit_seconds * record.tasks as f64;
        let (sum, number) = self.spent.entry(kind(&record.key)).or_default();
        *sum += seconds;
        *number += 1;
    }

    fn finish_one(&mut self, key: &Key) {
        self.done += 1;
        if let Some(left) = self.left.get_mut(&kind(key)) {
            *left -= 1;
        }
    }

    /// Moves the bar, and returns how long it may still take.
    fn update(&mut self, what: &str) -> String {
        let left = match self.seconds_left() {
            Some(seconds) => format!("{} left", duration(seconds)),
            None => "time left unknown".to_owned(),
        };
        if let Mode::Bar(bar) = &self.mode {
            bar.set_position(self.done as u64);
            bar.set_message(format!("{what}, {left}"));
        }
        left
    }

    /// What the experiments still to be made will take, if each takes as long as those of its kind
    /// did, or else as long as any did. Trainings that methods share are counted for each, so that
    /// it is rather less.
    fn seconds_left(&self) -> Option<f64> {
        let (sum, number) =
            self.spent.values().fold((0.0, 0), |(sum, n), (seconds, m)| (sum + seconds, n + m));
        let usual = (number > 0).then(|| sum / number as f64)?;
        let of_kind = |(kind, &left): (&Kind, &usize)| {
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
