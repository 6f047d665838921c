//! Shows the progress of training.

use super::{LINE_EVERY, Mode};
use crate::args::CommonFlags;
use handful::TrainProgress;
use handful::internals::prior::{StartPart, Starting};
use handful::internals::train::{Progress, TrainSettings, Validation};
use handful::model::Prepared;
use std::time::Instant;

/// The bar of the steps, and the bar of the parts before and after them.
const STEPS: &str = "{bar:28} {pos}/{len} steps, {msg}, {eta} left";
const PART: &str = "{bar:28} {msg} {pos}/{len}, {eta} left";

/// The display of a training run.
pub struct TrainingDisplay {
    mode: Mode,
    verbose: bool,
    max_steps: u64,
    /// The current part, if it is not the steps.
    part: Option<&'static str>,
    /// When the current part, or the steps, began.
    start: Instant,
    first_step: u64,
    last_line: Instant,
    loss: Option<f64>,
    last: Option<Validation>,
    best: Option<Validation>,
}

impl TrainingDisplay {
    pub fn new(settings: &TrainSettings, common: &CommonFlags) -> Self {
        let mode = Mode::new(settings.max_steps, STEPS, common);
        let now = Instant::now();
        Self {
            mode,
            verbose: common.verbose,
            max_steps: settings.max_steps,
            part: None,
            start: now,
            first_step: 0,
            last_line: now,
            loss: None,
            last: None,
            best: None,
        }
    }

    /// A line above the progress.
    fn say(&self, line: &str) {
        self.mode.say(line);
    }

    pub fn show(&mut self, progress: &TrainProgress) {
        match progress {
            TrainProgress::Prepared(prepared) => self.show_prepared(prepared),
            TrainProgress::Run(progress) => self.show_run(progress),
            TrainProgress::NewWords { done, of } => {
                self.show_part("learning what to expect of new words", *done, *of);
            }
            _ => {}
        }
    }

    fn show_prepared(&self, prepared: &Prepared) {
        self.say(&format!(
            "{} corpora to train on, {} to validate on, {} left out; {} documents, {} terms",
            prepared.training_corpora,
            prepared.validation_corpora,
            prepared.excluded,
            prepared.documents,
            prepared.terms
        ));
        if prepared.documents_left_out > 0 {
            let left_out = prepared.documents_left_out;
            self.say(&format!("{left_out} documents with too few known words are left out"));
        }
    }

    fn show_run(&mut self, progress: &Progress) {
        match *progress {
            Progress::Starting(Starting { part, done, of }) => {
                let what = match part {
                    StartPart::WordVectors => "finding word vectors",
                    StartPart::Themes => "finding themes",
                };
                self.show_part(what, done, of);
            }
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
                if self.part.take().is_some() {
                    self.start = Instant::now();
                    self.first_step = step;
                    self.mode.begin(self.max_steps, STEPS);
                }
                // Shows a running mean, because the loss of a single episode jumps.
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

    /// How far some work is that is no steps.
    fn show_part(&mut self, what: &'static str, done: usize, of: usize) {
        let is_new = self.part.replace(what) != Some(what);
        if is_new {
            self.start = Instant::now();
            self.last_line = self.start;
            self.mode.begin(of as u64, PART);
        }
        match &self.mode {
            Mode::Bar(bar) => {
                bar.set_position(done as u64);
                bar.set_message(what);
            }
            Mode::Lines if is_new => self.say(what),
            Mode::Lines if self.last_line.elapsed() >= LINE_EVERY => {
                self.last_line = Instant::now();
                let left = self.seconds_left(done as u64, (of - done) as u64);
                self.say(&format!("{what} {done}/{of}, {left:.0} s left"));
            }
            _ => {}
        }
    }

    fn line(&mut self, step: u64) {
        self.last_line = Instant::now();
        let taken = step.saturating_sub(self.first_step);
        let left = self.seconds_left(taken, self.max_steps.saturating_sub(step));
        let message = self.message();
        self.say(&format!("step {step}/{}, {message}, {left:.0} s left", self.max_steps));
    }

    /// Estimates how long `left` pieces will take, from the time of the `done` ones.
    fn seconds_left(&self, done: u64, left: u64) -> f64 {
        self.start.elapsed().as_secs_f64() / done.max(1) as f64 * left as f64
    }
}
