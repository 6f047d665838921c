//! How training shows its progress.

use super::Mode;
use crate::args::CommonFlags;
use handful::train::{Progress, TrainSettings, Validation};
use std::time::{Duration, Instant};

/// Lines come at validations; a run without them says something this often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The display of a training run.
pub struct TrainingDisplay {
    mode: Mode,
    verbose: bool,
    max_steps: u64,
    start: Instant,
    first_step: u64,
    last_line: Instant,
    loss: Option<f64>,
    last: Option<Validation>,
    best: Option<Validation>,
}

impl TrainingDisplay {
    pub fn new(settings: &TrainSettings, common: &CommonFlags) -> Self {
        let template = "{bar:28} {pos}/{len} steps, {msg}, {eta} left";
        let mode = Mode::new(settings.max_steps, template, common);
        let now = Instant::now();
        Self {
            mode,
            verbose: common.verbose,
            max_steps: settings.max_steps,
            start: now,
            first_step: 0,
            last_line: now,
            loss: None,
            last: None,
            best: None,
        }
    }

    /// A line above the progress.
    pub fn say(&self, line: &str) {
        self.mode.say(line);
    }

    pub fn show(&mut self, progress: &Progress) {
        match *progress {
            Progress::Resumed { step } => {
                self.first_step = step;
                self.start = Instant::now();
                if let Mode::Bar(bar) = &self.mode {
                    bar.set_position(step);
                    bar.reset_eta();
                }
                self.say(&format!("going on after step {step}"));
            }
            Progress::Stepped { step, loss } => {
                // A single episode's loss jumps; what is shown is a running mean.
                self.loss = Some(self.loss.map_or(loss, |mean| 0.99 * mean + 0.01 * loss));
                match &self.mode {
                    Mode::Bar(bar) => {
                        bar.set_position(step);
                        bar.set_message(self.message());
                    }
                    Mode::Lines if self.last_line.elapsed() >= LINE_EVERY => self.line(step),
                    _ => {}
                }
            }
            Progress::Validated { validation, best } => {
                self.last = Some(validation);
                if best {
                    self.best = Some(validation);
                }
                match &self.mode {
                    Mode::Bar(bar) => bar.set_message(self.message()),
                    _ => self.line(validation.step),
                }
            }
            Progress::Saved { step } => {
                if self.verbose {
                    self.say(&format!("checkpoint after step {step}"));
                }
            }
        }
    }

    pub fn finish(&self) {
        self.mode.finish();
    }

    fn message(&self) -> String {
        let mut message = format!("loss {:.3}", self.loss.unwrap_or(f64::NAN));
        if let (Some(last), Some(best)) = (self.last, self.best) {
            message += &format!(
                ", validation perplexity {:.1} (best {:.1} at step {})",
                last.perplexity, best.perplexity, best.step
            );
        }
        message
    }

    fn line(&mut self, step: u64) {
        self.last_line = Instant::now();
        let taken = step.saturating_sub(self.first_step).max(1) as f64;
        let left =
            self.start.elapsed().as_secs_f64() / taken * self.max_steps.saturating_sub(step) as f64;
        let message = self.message();
        self.say(&format!("step {step}/{}, {message}, {left:.0} s left", self.max_steps));
    }
}
