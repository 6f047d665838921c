//! The steps from documents to a fit.

use super::documents::warn_of_ids;
use super::fitted::{Fit, Further, Source};
use super::language::ReadAs;
use super::many;
use super::progress::{Part, ProgressObserver};
use super::settings::{CheckedFitSettings, Choice};
use crate::corpus::{ReadDocuments, TextWord, WordCounts, read_documents, warn_of_unfamiliar};
use crate::model_dir::{DocumentRecord, ModelParts, SavedTopicModel, tokenizer};
use crate::prior::{FitPrior, NewTerms, Prior};
use crate::reading::RawDocument;
use crate::storage::Tensors;
use crate::text::IgnoredWords;
use crate::topic_model::{
    Assessment, Chosen, DocumentTree, MOST_COMPARED, Mixing, SubjectChoice, TopicModel, TopicOrder,
};
use crate::{Error, Result};
use std::sync::Arc;

/// With more documents than this, no words are held out unless that is asked for: it takes long.
const MOST_FOR_CHOICE: usize = 50;

/// Fits documents with a model. Results call it by its name, errors by its place.
pub fn fit_documents(
    model: &Arc<ModelParts>,
    (name, place): (&str, &str),
    documents: Vec<RawDocument>,
    settings: &CheckedFitSettings,
    observer: &mut ProgressObserver<'_>,
) -> Result<Fit> {
    expect_documents(&documents)?;
    let ReadAs { text, languages } = ReadAs::of(model.config.text.as_ref(), settings, &documents);
    let tokenizer = tokenizer(text.as_ref(), place, &documents)?;
    let ignored = IgnoredWords::new(&settings.ignore_words, &tokenizer);
    let welcomes = model.new_word_prior().is_some();
    let mut read = read_documents(&documents, &tokenizer, &ignored, &model.vocabulary, welcomes);
    let mut new_terms = model.new_terms(&read.vocabulary, &read.counted.counts);
    if let Some(new_terms) = &mut new_terms {
        new_terms.add_phrases(read.join_phrases(&documents));
    }
    let ReadDocuments { vocabulary, counted, words } = read;
    let mut warnings: Vec<String> = warn_of_ids(&documents).into_iter().collect();
    warnings.extend(warn_of_unfamiliar(&documents, &counted, model.config.text.as_ref()));
    let asked = FitPrior {
        prior: &model.prior,
        topics: settings.topics,
        new_terms: new_terms.as_ref(),
        groups: None,
        own_words: false,
        inference: settings.inference,
        weight: 1.0,
    }
    .with_own_words();
    let documents_read = (&counted.counts, &words[..]);
    let mut fitted = fit_and_assess(asked, documents_read, settings, &mut warnings, observer)?;
    if !fitted.topic_model.is_sound() {
        return Err(ModelParts::overflow(place));
    }
    let given = asked.topics;
    while settings.choice == Choice::No && model.config.prior.gives_any_topics() {
        let held = fitted.topic_model.topics_that_hold(&counted.counts);
        if held == fitted.topic_model.topics {
            break;
        }
        let fewer = asked.with_topics(held);
        fitted = fit_and_assess(fewer, documents_read, settings, &mut warnings, observer)?;
    }
    if settings.choice == Choice::No {
        warnings.extend(warn_if_fewer(given, fitted.topic_model.topics));
    }
    let read = ReadForFit {
        documents,
        read_as: ReadAs { text, languages },
        read: ReadDocuments { vocabulary, counted, words },
        new_terms,
        warnings,
    };
    Ok(fitted.into_fit(model, name, read, settings))
}

/// Refuses a fit of nothing.
pub(super) fn expect_documents(documents: &[RawDocument]) -> Result<()> {
    match documents.is_empty() {
        true => Err(Error::input("the documents", "there are none", "give at least one")),
        false => Ok(()),
    }
}

/// The documents of a fit, and how they were read.
pub(super) struct ReadForFit {
    pub(super) documents: Vec<RawDocument>,
    pub(super) read_as: ReadAs,
    pub(super) read: ReadDocuments,
    pub(super) new_terms: Option<NewTerms>,
    pub(super) warnings: Vec<String>,
}

/// Documents as counts, and the words of those that are texts.
pub(super) type Read<'a> = (&'a WordCounts, &'a [Option<Vec<TextWord>>]);

/// Topics of documents.
pub(super) struct Fitted {
    pub(super) topic_model: TopicModel,
    /// How further documents are read.
    pub(super) heads: Tensors<f32>,
    /// What held-out words say.
    pub(super) assessment: Assessment,
    /// The tree of the documents, if they chose the number of topics by it.
    pub(super) tree: Option<DocumentTree>,
    /// What passages are about, if the documents were fitted in parts.
    pub(super) mixing: Option<Mixing>,
}

impl Fitted {
    /// The fit of documents that were read like this, with a model that results call by this name.
    pub(super) fn into_fit(
        mut self,
        model: &Arc<ModelParts>,
        name: &str,
        read: ReadForFit,
        settings: &CheckedFitSettings,
    ) -> Fit {
        let order = self.put_in_order();
        let Self { topic_model, heads, assessment, tree, mixing } = self;
        let ReadForFit { documents, read_as, read, new_terms, mut warnings } = read;
        let ReadDocuments { vocabulary, counted, words } = read;
        warnings.extend(warn_if_not_converged(&topic_model));
        let mut saved = SavedTopicModel::new(
            model,
            name.to_owned(),
            vocabulary,
            topic_model,
            DocumentRecord::all(&counted),
            assessment,
            settings.stop,
            settings.seed,
        );
        saved.config.ignored_words.clone_from(&settings.ignore_words);
        saved.config.text = read_as.text;
        saved.config.languages = read_as.languages;
        saved.config.tree = tree;
        saved.config.order = order;
        let further = Further::Model { model: Arc::clone(model), heads, new_terms };
        let sources = Source::all(documents, words);
        let mut fit = Fit::new(saved, counted.counts, sources, Arc::new(further), warnings);
        fit.mixing = mixing;
        fit
    }

    /// Puts the topics in the order of their shares. Returns, for each, which of the prior's it is; nothing
    /// if all were in order.
    fn put_in_order(&mut self) -> Vec<usize> {
        let order = TopicOrder::by_share(&self.topic_model);
        if order.is_identity() {
            return Vec::new();
        }
        order.order_model(&mut self.topic_model);
        order.order_choice(&mut self.assessment);
        self.mixing.iter_mut().for_each(|mixing| order.order_mixing(mixing));
        self.tree.iter_mut().for_each(|tree| order.order_tree(tree));
        order.places().to_vec()
    }
}

/// The topics, as many as are asked for or as the documents choose.
fn fit_and_assess(
    asked: FitPrior<'_>,
    read: Read<'_>,
    settings: &CheckedFitSettings,
    warnings: &mut Vec<String>,
    observer: &mut ProgressObserver<'_>,
) -> Result<Fitted> {
    let documents = read.0;
    let (stop, seed) = (settings.stop, settings.seed);
    let few = documents.documents() <= MOST_FOR_CHOICE;
    let are_many = documents.documents() > MOST_COMPARED;
    let chooses = match settings.choice {
        Choice::No => false,
        Choice::OfAFew => asked.prior.tells_subjects() || few,
        Choice::Yes => true,
    };
    if settings.choice != Choice::No && !chooses {
        warnings.push(untried(asked.topics));
    }
    if are_many {
        let how = if chooses { Some(settings.granularity) } else { None };
        if let Some(many) = many::fit(asked, read, (how, stop, seed), observer)? {
            warnings.push(many::said(documents.documents()));
            return Ok(many);
        }
    }
    let Chosen { topics, assessment, tree } = if chooses {
        let mut tell = |done, of| Part::ChoosingTopics.tell(done, of, observer);
        let granularity = settings.granularity;
        match SubjectChoice::of_only_text(asked, documents, read.1, granularity) {
            Some((topics, subjects)) => {
                let assessment = Assessment { subjects: Some(subjects), ..Assessment::default() };
                Chosen { topics, assessment, tree: None }
            }
            None => {
                let how = (granularity, seed);
                Assessment::choosing_observed(asked, documents, stop, how, &mut tell)?
            }
        }
    } else {
        Chosen { topics: asked.topics, assessment: Assessment::default(), tree: None }
    };
    Part::Fitting.tell(0, 1, observer)?;
    let groups = match &assessment.subjects {
        Some(subjects) => Some(subjects.numbers[topics - 1].groups.clone()),
        None => asked.prior.subject_groups(documents, asked.new_terms, topics),
    };
    let asked = asked.with_topics(topics);
    let asked = groups.as_deref().map_or(asked, |groups| asked.with_groups(groups));
    // Where numbers of topics were tried, held-out words have spoken already.
    let assesses = few && settings.held_out && assessment.tried.is_none();
    let fitted = fit_parts(asked, read, |asked, parts| {
        if assesses {
            let (model, heads, assessed) = Assessment::with_fit(asked, parts, stop, seed);
            return Ok((model, heads, Assessment { gain: assessed.gain, ..assessment }));
        }
        let (model, heads) = TopicModel::fit_for_more(asked, parts, stop);
        Ok((model, heads, assessment))
    })?;
    Ok(Fitted { tree, ..fitted })
}

/// Fits the documents in parts if their passages tell what they are about, else whole.
pub(super) fn fit_parts(
    asked: FitPrior<'_>,
    (documents, words): Read<'_>,
    fit: impl FnOnce(FitPrior<'_>, &WordCounts) -> Result<(TopicModel, Tensors<f32>, Assessment)>,
) -> Result<Fitted> {
    let mixing = Mixing::of(asked, documents, words);
    let (mut topic_model, heads, assessment) = match &mixing {
        None => fit(asked, documents)?,
        Some(mixing) => {
            let parts = mixing.parts(documents);
            let (model, heads, assessment) = fit(asked.with_groups(&parts.groups), &parts.counts)?;
            (mixing.merged(model, &parts, documents), heads, assessment)
        }
    };
    topic_model.count_background(documents, mixing.as_ref());
    Ok(Fitted { topic_model, heads, assessment, tree: None, mixing })
}

fn untried(topics: usize) -> String {
    format!(
        "more than {MOST_FOR_CHOICE} documents: they are given {topics} topics without trying how \
         many they support; `topics` auto does so, `topics` N gives another number"
    )
}

/// A warning if documents have fewer topics than were asked for.
fn warn_if_fewer(asked: usize, given: usize) -> Option<String> {
    (given < asked).then(|| {
        let others = if asked - given == 1 { "the other" } else { "the others" };
        let are = if given == 1 { "is" } else { "are" };
        format!("{given} of {asked} topics {are} given: {others} would hold next to nothing")
    })
}

/// A warning if EM was to converge and did not.
pub(super) fn warn_if_not_converged(topic_model: &TopicModel) -> Option<String> {
    (topic_model.converged == Some(false))
        .then(|| format!("EM did not converge within {} steps", topic_model.em_steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_which_topics_are_not_given() {
        let said = |given| warn_if_fewer(8, given);
        assert_eq!(said(8), None);
        let one = "7 of 8 topics are given: the other would hold next to nothing";
        assert_eq!(said(7).unwrap(), one);
        let several = "4 of 8 topics are given: the others would hold next to nothing";
        assert_eq!(said(4).unwrap(), several);
        let most = "1 of 8 topics is given: the others would hold next to nothing";
        assert_eq!(said(1).unwrap(), most);
    }
}
