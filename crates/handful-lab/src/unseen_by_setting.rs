//! Which corpora may be held out for each setting of a protocol.

use crate::setting_key::Setting;
use crate::unseen::{Needs, UnseenCorpora};
use handful::internals::corpus::Corpus;
use handful::{Error, Result};
use std::collections::BTreeMap;

/// What the tasks of a setting need.
pub(crate) struct TaskNeeds {
    /// What the tasks are called: `tasks of 6 documents`.
    pub(crate) tasks: String,
    /// The least number of documents of each corpus.
    pub(crate) documents: usize,
    /// The least number of words of a document.
    pub(crate) words: usize,
    /// The least number of corpora.
    pub(crate) corpora: usize,
    /// The number of corpora to hold out, if there are as many.
    pub(crate) held_out: usize,
    /// What to do if there are too few.
    pub(crate) remedy: &'static str,
}

/// For each setting, the corpora of which some are held out.
#[derive(Clone, Debug)]
pub(crate) struct UnseenBySetting<'a, S> {
    all: &'a [Corpus],
    by_setting: BTreeMap<S, UnseenCorpora<'a>>,
    /// Sentences about corpora that are too small, and about settings for which too few are left.
    pub(crate) left_out: Vec<String>,
}

impl<'a, S: Setting> UnseenBySetting<'a, S> {
    /// Leaves out each of the settings for which corpora are too few or too small. Refuses corpora that
    /// are so for all of them. `documents` says how many documents of a corpus can be used.
    pub(crate) fn new(
        settings: &[S],
        (all, validation): (&'a [Corpus], usize),
        needs: impl Fn(S) -> TaskNeeds,
        documents: impl Fn(&str) -> usize,
    ) -> Result<Self> {
        let (mut by_setting, mut left_out, mut refusal) = (BTreeMap::new(), Vec::new(), None);
        for &setting in settings {
            let needs = needs(setting);
            let has_enough = |corpus: &&Corpus| documents(&corpus.name) >= needs.documents;
            let asked: Vec<&Corpus> = all.iter().filter(has_enough).collect();
            let least = format!("{} documents of {} words", needs.documents, needs.words);
            if asked.len() < needs.corpora {
                let problem = format!(
                    "{} of {} have at least {least}, but {} need {}",
                    asked.len(),
                    all.len(),
                    needs.tasks,
                    needs.corpora,
                );
                left_out.push(format!("{setting} is left out: {problem}"));
                refusal = Some(Error::input("the corpora", problem, needs.remedy));
                continue;
            }
            let held_out = needs.held_out.min(asked.len());
            let unseen = UnseenCorpora { corpora: all, asked, held_out, validation };
            left_out.extend(unseen.left_out(&least));
            by_setting.insert(setting, unseen);
        }
        match refusal.filter(|_| by_setting.is_empty()) {
            Some(refusal) => Err(refusal),
            None => Ok(Self { all, by_setting, left_out }),
        }
    }

    /// All corpora, sorted by name.
    pub(crate) fn all(&self) -> &'a [Corpus] {
        self.all
    }

    /// The corpora whose documents are asked, in the order of the corpora.
    pub(crate) fn asked(&self) -> Vec<&'a Corpus> {
        let is_asked = |corpus: &&Corpus| {
            let mut asked = self.by_setting.values().flat_map(|unseen| &unseen.asked);
            asked.any(|asked| asked.name == corpus.name)
        };
        self.all.iter().filter(is_asked).collect()
    }

    /// The settings that are not left out.
    pub(crate) fn settings(&self) -> Vec<S> {
        self.by_setting.keys().copied().collect()
    }

    /// The corpora of a setting that is not left out.
    pub(crate) fn of(&self, setting: S) -> &UnseenCorpora<'a> {
        &self.by_setting[&setting]
    }

    /// Refuses corpora too few for what methods learn from.
    pub(crate) fn expect_enough(&self, needs: Option<Needs>) -> Result<()> {
        let Some(needs) = needs else { return Ok(()) };
        self.by_setting.values().try_for_each(|unseen| unseen.expect_enough(needs, S::TASKS))
    }
}
