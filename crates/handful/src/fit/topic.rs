//! A topic of a fit, as a caller looks at it.

use super::fitted::Fit;
use crate::text::base_form;
use crate::topic_model::{RankedTerm, Spelling, TellingTerm, TermEvidence, TermOrder};
use crate::{Error, Result};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Terms that name a topic.
const IN_NAME: usize = 3;

/// Terms of a topic, one of which a quote should say: as many as are usually shown beside it.
const IN_QUOTES: usize = 10;

/// Ranked terms that are looked at for words of the documents.
const LOOKED_AT: usize = 1000;

/// How many words of the documents follow the telling terms at most.
const LESS_TELLING: usize = 100;

/// The longest name, in characters.
const LONGEST_NAME: usize = 100;

/// A topic of a fit. The first has the largest share of all words.
#[derive(Clone, Copy, Debug)]
pub struct Topic<'a> {
    /// Its index, from 0: the column of every document's proportions.
    pub id: usize,
    /// Its share of all words.
    pub share: f64,
    pub(super) fit: &'a Fit,
}

/// A term of a topic: a word or a phrase.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TopicTerm<'a> {
    /// The term, in the form that the topic says most.
    pub term: &'a str,
    /// Its other forms in the documents: `immigrants` beside `immigrant`; and what is listed with it: `khan`
    /// beside `genghis khan`, or `central bank` beside `bank`.
    pub forms: &'a [String],
    /// How probable it is in the topic, in any form.
    pub probability: f32,
    /// Its relevance: how probable it is, and how much more so than usual.
    pub relevance: f64,
    /// How much it tells of the topic, by what the topic's first term tells; 0 if that is not known.
    pub telling: f64,
}

impl<'a> Topic<'a> {
    /// Its number, from 1, as people are shown it.
    pub fn number(&self) -> usize {
        self.id + 1
    }

    /// Its name: the user's ([`Fit::name_topic`]), or its first terms.
    pub fn name(&self) -> Cow<'a, str> {
        let config = &self.fit.saved().config;
        if let Some(name) = config.names.get(self.id).and_then(Option::as_deref) {
            return Cow::Borrowed(name);
        }
        Cow::Owned(self.terms(IN_NAME).join(", "))
    }

    /// Whether its name is the user's.
    pub fn has_own_name(&self) -> bool {
        self.fit.saved().config.names.get(self.id).is_some_and(Option::is_some)
    }

    /// The `most` terms that tell most of the topic. There may be fewer.
    pub fn terms(&self, most: usize) -> Vec<&'a str> {
        self.weighted_terms(most).into_iter().map(|term| term.term).collect()
    }

    /// The same terms with their probabilities.
    pub fn weighted_terms(&self, most: usize) -> Vec<TopicTerm<'a>> {
        match self.fit.telling_terms().get(self.id).filter(|told| !told.is_empty()) {
            Some(told) => told.iter().take(most).map(TopicTerm::of_telling).collect(),
            None => self.terms_in(self.fit.usual_order(), most),
        }
    }

    /// The terms by relevance λ log φ + (1 − λ) log(φ / p): 1 shows the likeliest terms, 0 those that
    /// are rare elsewhere.
    pub fn terms_by_relevance(&self, lambda: f64, most: usize) -> Result<Vec<TopicTerm<'a>>> {
        Ok(self.terms_in(&*self.fit.order(Some(lambda))?, most))
    }

    /// The terms that are shown: by relevance if that is the order, else the telling ones.
    pub(crate) fn shown_terms(&self, order: &TermOrder, most: usize) -> Vec<TopicTerm<'a>> {
        match order.lambda() {
            Some(_) => self.terms_in(order, most),
            None => self.weighted_terms(most),
        }
    }

    fn terms_in(&self, order: &TermOrder, most: usize) -> Vec<TopicTerm<'a>> {
        let (fit, hidden) = (self.fit, self.fit.stop_terms());
        let ranked = order.top(fit.topic_model(), self.id, most.saturating_add(hidden.len()));
        let shown = ranked.into_iter().filter(|top| !hidden.contains(&top.term)).take(most);
        shown.map(|top| self.of_ranked(top)).collect()
    }

    fn of_ranked(&self, top: RankedTerm) -> TopicTerm<'a> {
        TopicTerm {
            term: self.fit.saved().vocabulary.term(top.term),
            forms: &[],
            probability: top.probability,
            relevance: top.relevance,
            telling: 0.0,
        }
    }
}

impl<'a> TopicTerm<'a> {
    fn of_telling(line: &'a TellingTerm) -> Self {
        let TellingTerm { term, forms, probability, relevance, telling, .. } = line;
        Self { term, forms, probability: *probability, relevance: *relevance, telling: *telling }
    }
}

impl Fit {
    /// Calls topic `id` by a name of the user's, in every view and in a directory. An empty name gives it its
    /// first terms for a name again.
    ///
    /// ```
    /// # #[cfg(feature = "pretrained")] {
    /// # use handful::{FitSettings, Model};
    /// let model = Model::pretrained()?;
    /// let mut fit = model.fit(&["Rents rise, tenants leave."], &FitSettings::default().with_topics(1))?;
    /// fit.name_topic(0, "Housing")?;
    /// assert_eq!(fit.topics()[0].name(), "Housing");
    /// # }
    /// # Ok::<(), handful::Error>(())
    /// ```
    pub fn name_topic(&mut self, id: usize, name: &str) -> Result<()> {
        let topics = self.saved.config.topics;
        if id >= topics {
            let remedy = format!("give a number from 1 to {topics}");
            let problem = format!("is no topic: there are {topics}");
            return Err(Error::input(format!("topic {}", id + 1), problem, remedy));
        }
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            let remedy = format!("give at most {LONGEST_NAME} characters that can be printed");
            let place = format!("name of topic {}", id + 1);
            return Err(Error::input(place, "is too long or cannot be printed", remedy));
        }
        let names = &mut self.saved.config.names;
        names.resize(topics, None);
        names[id] = (!name.is_empty()).then_some(name);
        if names.iter().all(Option::is_none) {
            names.clear();
        }
        Ok(())
    }

    /// The first terms of each topic in any form, by their indices: a quote should say one of them.
    pub(super) fn first_terms(&self) -> Vec<HashSet<u32>> {
        let vocabulary = &self.saved.vocabulary;
        let of_line = |line: TopicTerm<'_>| -> Vec<u32> {
            let forms = line.forms.iter().map(|form| &**form).chain([line.term]);
            forms.filter_map(|form| vocabulary.index(form)).collect()
        };
        let first = |topic: Topic<'_>| {
            topic.weighted_terms(IN_QUOTES).into_iter().flat_map(of_line).collect()
        };
        self.topics().into_iter().map(first).collect()
    }

    /// The terms that tell each topic; none if it is not known how many words topics are made of.
    pub(crate) fn telling_terms(&self) -> &[Vec<TellingTerm>] {
        if !self.saved.terms.is_empty() {
            return &self.saved.terms;
        }
        self.found_terms.get_or_init(|| self.find_terms())
    }

    fn find_terms(&self) -> Vec<Vec<TellingTerm>> {
        let model = self.topic_model();
        let known = model.background.as_ref().filter(|it| !it.topic_words.is_empty());
        let Some(background) = known.filter(|_| self.is_whole()) else { return Vec::new() };
        let (counts, mixing) = (self.counts(), self.mixing.as_ref());
        let vocabulary = &self.saved.vocabulary;
        let evidence = TermEvidence::of(model, background, counts, mixing);
        let spelling = Spelling::of(background, &evidence, vocabulary);
        let mut terms = model.telling_terms(background, &evidence, vocabulary, &spelling);
        let mut said: HashMap<u32, (u64, u64)> = HashMap::new();
        for (&term, &count) in counts.terms().iter().zip(counts.counts()) {
            let (words, documents) = said.entry(term).or_default();
            (*words, *documents) = (*words + u64::from(count), *documents + 1);
        }
        for (k, told) in terms.iter_mut().enumerate() {
            let others = self.less_telling(k, told, &said, &spelling);
            told.extend(others);
        }
        terms
    }

    /// Words of the documents after the telling ones, in the usual order of terms, each in the topic alone
    /// that says it most. Words that look misspelled are left out here, too, and so are forms of the terms before
    /// them, their phrases and their words. `said` has how often each term is said, and by how many documents.
    fn less_telling(
        &self,
        k: usize,
        told: &[TellingTerm],
        said: &HashMap<u32, (u64, u64)>,
        spelling: &Spelling<'_>,
    ) -> Vec<TellingTerm> {
        let (model, vocabulary) = (self.topic_model(), &self.saved.vocabulary);
        let is_word = |word: &str| vocabulary.index(word).is_some();
        let base = |word| base_form(word, is_word).into_owned();
        let told = told.iter().flat_map(|line| line.forms.iter().chain([&line.term]));
        let mut told: HashSet<String> = told.flat_map(|term| term.split(' ').map(base)).collect();
        let line = |top: RankedTerm| {
            let &(count, documents) = said.get(&top.term)?;
            let (j, term) = (top.term as usize, vocabulary.term(top.term));
            let is_most = (0..model.topics).all(|l| model.probability(l, j) <= top.probability);
            let words: Vec<String> = term.split(' ').map(base).collect();
            let is_told = words.iter().any(|word| told.contains(word));
            if !is_most || is_told || spelling.is_misspelled(top.term, count) {
                return None;
            }
            told.extend(words);
            Some(TellingTerm {
                term: term.to_owned(),
                forms: Vec::new(),
                probability: top.probability,
                relevance: top.relevance,
                telling: 0.0,
                count,
                documents,
            })
        };
        let ranked = self.usual_order().top(model, k, LOOKED_AT.min(model.terms));
        ranked.into_iter().filter_map(line).take(LESS_TELLING).collect()
    }
}
