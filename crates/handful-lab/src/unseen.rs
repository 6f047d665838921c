//! Corpora that no method learns from: which are held out in each repeat, and what the others are
//! for.

use handful::internals::corpus::{Corpus, choose};
use handful::internals::random::{Purpose, stream};
use handful::internals::train::{TrainingCorpora, ValidationChoice};
use handful::{Error, Result};
use rand::{Rng, RngExt};

/// The most corpora that a sentence names.
const NAMED: usize = 3;

/// The stream for drawing held-out corpora. Task n, counted from 0, uses this + 1 + n.
const CORPORA_STREAM: u64 = 0;

/// Which corpora a method needs, beside those that it is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// None.
    Nothing,
    /// Corpora to train on.
    Training,
    /// Corpora to train on, and some to validate on.
    Validation,
}

/// Corpora of which some are held out of everything that is learned, others in each repeat.
#[derive(Clone, Debug)]
pub(crate) struct UnseenCorpora<'a> {
    /// All corpora, sorted by name.
    pub(crate) corpora: &'a [Corpus],
    /// The corpora that may be held out, in the same order.
    pub(crate) asked: Vec<&'a Corpus>,
    /// The number held out in each repeat.
    pub(crate) held_out: usize,
    /// The number of validation corpora that were asked for.
    pub(crate) validation: usize,
}

/// The corpora of one repeat.
#[derive(Clone, Debug)]
pub(crate) struct HeldOut<'a> {
    /// The repeat's own seed.
    pub(crate) seed: u64,
    /// The corpora that no method learns from.
    pub(crate) corpora: Vec<&'a Corpus>,
    /// What the others are for.
    pub(crate) roles: TrainingCorpora<'a>,
}

/// Returns the number of the draw of a repeat, where each setting has draws of its own.
pub(crate) fn draw_number(repeat: usize, setting: usize) -> u64 {
    ((repeat as u64) << 32) + setting as u64
}

/// Returns the number of the stream that task `number` of a repeat is drawn from.
pub(crate) fn task_stream(number: usize) -> u64 {
    CORPORA_STREAM + 1 + number as u64
}

/// The number of validation corpora where `held_out` of `corpora` corpora are held out: as many as
/// were `asked` for, or none if they leave nothing to train on.
pub(crate) fn validation(corpora: usize, held_out: usize, asked: usize) -> usize {
    if corpora > held_out.saturating_add(asked) { asked } else { 0 }
}

/// Shuffles the documents of a task, so that their order reveals nothing.
pub(crate) fn shuffle<T>(documents: &mut [T], stream: &mut impl Rng) {
    for last in (1..documents.len()).rev() {
        documents.swap(last, stream.random_range(0..=last));
    }
}

impl<'a> UnseenCorpora<'a> {
    /// Draws the corpora held out in the `number`-th draw of a purpose.
    pub(crate) fn draw(&self, seed: u64, purpose: Purpose, number: u64) -> Result<HeldOut<'a>> {
        // Uses 32 bits, which every JSON reader represents exactly.
        let seed = u64::from(stream(seed, purpose, number).next_u32());
        let mut chosen = Vec::new();
        let mut corpora = stream(seed, purpose, CORPORA_STREAM);
        choose(self.asked.len(), self.held_out, &mut corpora, &mut chosen);
        chosen.sort_unstable();
        let corpora: Vec<&Corpus> = chosen.iter().map(|&i| self.asked[i]).collect();
        let roles = self.roles(&corpora, seed)?;
        Ok(HeldOut { seed, corpora, roles })
    }

    /// The roles of the corpora. Where they are too few to validate on some, or to train on any, no
    /// method learns from them ([`Self::expect_enough`]).
    fn roles(&self, held_out: &[&'a Corpus], seed: u64) -> Result<TrainingCorpora<'a>> {
        let corpora = self.corpora;
        if corpora.len() == held_out.len() {
            let (training, validation) = (Vec::new(), Vec::new());
            return Ok(TrainingCorpora { training, validation, excluded: held_out.to_vec() });
        }
        let names: Vec<String> = held_out.iter().map(|corpus| corpus.name.clone()).collect();
        let validation = validation(corpora.len(), self.held_out, self.validation);
        TrainingCorpora::choose(corpora, &names, &ValidationChoice::Drawn(validation), seed)
    }

    /// Refuses corpora too few for what a method learns from. `what` names the tasks.
    pub(crate) fn expect_enough(&self, needs: Needs, what: &str) -> Result<()> {
        let (mixed, validation) = (self.held_out, self.validation);
        let (least, others, remedy) = match needs {
            Needs::Nothing => return Ok(()),
            Needs::Training => (mixed + 1, " and one to train on".to_owned(), "give more corpora"),
            Needs::Validation => (
                mixed + validation + 1,
                format!(", {validation} to validate on and one to train on"),
                "give more corpora or lower `validation_corpora`",
            ),
        };
        let there = self.corpora.len();
        if there >= least {
            return Ok(());
        }
        let problem = format!("there are {there}, but {what} need {least}: {mixed} to mix{others}");
        Err(Error::input("the corpora", problem, remedy))
    }

    /// Returns a sentence about the corpora that are never asked because they have fewer than `least`
    /// of what a task needs, if there are any.
    pub(crate) fn left_out(&self, least: &str) -> Option<String> {
        let is_asked = |corpus: &Corpus| self.asked.iter().any(|asked| asked.name == corpus.name);
        let left_out = self.corpora.iter().filter(|corpus| !is_asked(corpus));
        let names: Vec<&str> = left_out.map(|corpus| &*corpus.name).collect();
        let (corpora, are) = match names.len() {
            0 => return None,
            1 => ("corpus has", "is"),
            _ => ("corpora have", "are"),
        };
        let more = if names.len() > NAMED { ", …" } else { "" };
        Some(format!(
            "{} {corpora} fewer than {least} and {are} never asked: {}{more}",
            names.len(),
            names[..names.len().min(NAMED)].join(", "),
        ))
    }
}
