//! The steps from documents to a fit.

use super::fitted::{Fit, Further, Source};
use super::progress::{Part, ProgressObserver};
use super::settings::{CheckedFitSettings, Choice};
use crate::Result;
use crate::corpus::{ReadDocuments, WordCounts, read_documents, warn_of_unfamiliar};
use crate::model_dir::{DocumentRecord, ModelParts, SavedTopicModel};
use crate::prior::{FitPrior, Prior};
use crate::reading::RawDocument;
use crate::storage::Tensors;
use crate::text::IgnoredWords;
use crate::topic_model::{Assessment, TopicModel};
use std::sync::Arc;

/// With more documents than this, no words are held out unless that is asked for: it takes long.
const MOST_FOR_CHOICE: usize = 50;

/// With more documents than this, they are not asked how many subjects they have unless that is asked
/// for: each two of them are compared.
const MOST_FOR_SUBJECTS: usize = 1000;

/// Fits documents with a model. Results call it by its name, errors by its place.
pub fn fit_documents(
    model: &Arc<ModelParts>,
    (name, place): (&str, &str),
    documents: Vec<RawDocument>,
    settings: &CheckedFitSettings,
    observer: &mut ProgressObserver<'_>,
) -> Result<Fit> {
    let tokenizer = model.tokenizer(place, &documents)?;
    let ignored = IgnoredWords::new(&settings.ignore_words, &tokenizer);
    let welcomes = model.new_word_prior().is_some();
    let ReadDocuments { vocabulary, counted, words } =
        read_documents(&documents, &tokenizer, &ignored, &model.vocabulary, welcomes);
    let mut warnings = Vec::new();
    warnings.extend(warn_of_unfamiliar(&documents, &counted, model.config.text.as_ref()));
    let new_terms = model.new_terms(&vocabulary, &counted.counts);
    let asked =
        FitPrior { prior: &model.prior, topics: settings.topics, new_terms: new_terms.as_ref() };
    let (topic_model, heads, assessment) =
        fit_and_assess(asked, &counted.counts, settings, &mut warnings, observer)?;
    if !topic_model.is_sound() {
        return Err(ModelParts::overflow(place));
    }
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
    let further = Further::Model { model: Arc::clone(model), heads, new_terms };
    let sources = Source::all(documents, words);
    Ok(Fit::new(saved, counted.counts, sources, Arc::new(further), warnings))
}

/// The topics, how further documents are read, and what held-out words say.
fn fit_and_assess(
    asked: FitPrior<'_>,
    documents: &WordCounts,
    settings: &CheckedFitSettings,
    warnings: &mut Vec<String>,
    observer: &mut ProgressObserver<'_>,
) -> Result<(TopicModel, Tensors<f32>, Assessment)> {
    let (stop, seed) = (settings.stop, settings.seed);
    let few = documents.documents() <= MOST_FOR_CHOICE;
    let most = if asked.prior.tells_subjects() { MOST_FOR_SUBJECTS } else { MOST_FOR_CHOICE };
    let chooses = match settings.choice {
        Choice::No => false,
        Choice::OfAFew => documents.documents() <= most,
        Choice::Yes => true,
    };
    if settings.choice == Choice::No && few && settings.held_out {
        Part::Fitting.tell(0, 1, observer)?;
        return Ok(Assessment::with_fit(asked, documents, stop, seed));
    }
    let (topics, assessment) = if chooses {
        let mut tell = |done, of| Part::ChoosingTopics.tell(done, of, observer);
        let how = (settings.granularity, seed);
        Assessment::choosing_observed(asked, documents, stop, how, &mut tell)?
    } else {
        if settings.choice == Choice::OfAFew {
            warnings.push(untried(asked.topics, most));
        }
        (asked.topics, Assessment::default())
    };
    Part::Fitting.tell(0, 1, observer)?;
    let asked = asked.with_topics(topics);
    if assessment.subjects.is_some() && few && settings.held_out {
        let (model, heads, Assessment { gain, .. }) =
            Assessment::with_fit(asked, documents, stop, seed);
        return Ok((model, heads, Assessment { gain, ..assessment }));
    }
    let (model, heads) = TopicModel::fit_for_more(asked, documents, stop);
    Ok((model, heads, assessment))
}

fn untried(topics: usize, most: usize) -> String {
    format!(
        "more than {most} documents: they are given {topics} topics without trying how \
         many they support; `topics` auto does so, `topics` N gives another number"
    )
}

/// A warning if EM was to converge and did not.
pub(super) fn warn_if_not_converged(topic_model: &TopicModel) -> Option<String> {
    (topic_model.converged == Some(false))
        .then(|| format!("EM did not converge within {} steps", topic_model.em_steps))
}
