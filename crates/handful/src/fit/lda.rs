//! A fit without a trained model: LDA of the documents alone.

use super::documents::{IntoDocument, into_documents, warn_of_ids};
use super::fitted::Fit;
use super::language::ReadAs;
use super::progress::{Part, ProgressObserver};
use super::run::{Fitted, ReadForFit, expect_documents};
use super::settings::FitSettings;
use crate::corpus::{WordCounts, read_documents};
use crate::em::Inference;
use crate::lda::{Lda, LdaFit, LdaFitting, LdaRecord, LdaSettings};
use crate::model_dir::{ModelParts, tokenizer};
use crate::prior::{AnyPrior, FreeSettings, PriorSettings};
use crate::random::{Purpose, stream};
use crate::storage::{Tensor, Tensors};
use crate::text::{IgnoredWords, TextSettings, Vocabulary};
use crate::topic_model::{Assessment, TopicModel};
use crate::{Error, Result};
use std::sync::Arc;

/// What results call the model.
const NAME: &str = "lda";

/// The prior of an LDA: one α for all documents, and one β.
const PRIOR: PriorSettings = PriorSettings::Free(FreeSettings {});

impl Fit {
    /// Finds the topics of documents by LDA, from their own words alone: no model has learned anything
    /// before. The number of topics and the course of the sampler are those of `sampling`; of `settings`
    /// count the language, stop words, words to ignore and the seed.
    ///
    /// The topics are means over samples of a collapsed Gibbs sampler. [`Fit::infer`] gives further
    /// documents their proportions by EM with the topics kept, where α counts like words that were seen.
    #[doc(hidden)]
    pub fn by_lda<D: IntoDocument>(
        documents: impl IntoIterator<Item = D>,
        settings: &FitSettings,
        sampling: &LdaSettings,
        observer: &mut ProgressObserver<'_>,
    ) -> Result<Self> {
        sampling.check()?;
        let documents = into_documents(documents);
        expect_documents(&documents)?;
        let settings = settings.clone().with_topics(sampling.topics).until_converged();
        let settings = settings.check(&PRIOR, sampling.topics, (Inference::Em, 0))?;
        let read_as = ReadAs::of(Some(&TextSettings::default()), &settings, &documents);
        let tokenizer = tokenizer(read_as.text.as_ref(), NAME, &documents)?;
        let ignored = IgnoredWords::new(&settings.ignore_words, &tokenizer);
        let nothing = Vocabulary::default();
        let mut read = read_documents(&documents, &tokenizer, &ignored, &nothing, true);
        // Nothing was known before, so no word is new.
        read.counted.unknown_words.fill(0);
        let counts = &read.counted.counts;
        if counts.total_words() == 0 {
            let remedy = "give texts with words that are neither stop words nor ignored";
            return Err(Error::input("the documents", "have no words", remedy));
        }
        let LdaFit { model, proportions } =
            sample(counts, read.vocabulary.len(), sampling, settings.seed, observer)?;
        let fitted = Fitted {
            topic_model: TopicModel::of_lda(&model, &proportions, counts),
            heads: Tensors::new(),
            assessment: Assessment::default(),
            tree: None,
            mixing: None,
        };
        let parts = as_model(&model, read.vocabulary.clone(), read_as.text.clone())?;
        let warnings = warn_of_ids(&documents).into_iter().collect();
        let read = ReadForFit { documents, read_as, read, new_terms: None, warnings };
        let mut fit = fitted.into_fit(&Arc::new(parts), NAME, read, &settings);
        let config = &mut fit.saved.config;
        let alpha = match config.order.is_empty() {
            true => model.alpha,
            false => config.order.iter().map(|&k| model.alpha[k]).collect(),
        };
        config.lda = Some(LdaRecord { settings: sampling.clone(), alpha, beta: model.beta });
        Ok(fit)
    }
}

/// All sweeps, watched.
fn sample(
    documents: &WordCounts,
    terms: usize,
    sampling: &LdaSettings,
    seed: u64,
    observer: &mut ProgressObserver<'_>,
) -> Result<LdaFit> {
    let stream = stream(seed, Purpose::Lda, 0);
    let mut fitting = LdaFitting::new(documents, terms, sampling, stream)?;
    for sweep in 0..sampling.sweeps {
        Part::Fitting.tell(sweep, sampling.sweeps, observer)?;
        fitting.advance();
    }
    Ok(fitting.finish())
}

/// The priors of an LDA as a model, which tells how further documents are read.
fn as_model(lda: &Lda, vocabulary: Vocabulary, text: Option<TextSettings>) -> Result<ModelParts> {
    let (terms, topics) = (lda.terms, lda.topics);
    let a: Vec<f32> = lda.alpha.iter().map(|&alpha| before_softplus(alpha)).collect();
    let b = Tensor {
        shape: vec![topics, terms],
        values: vec![before_softplus(lda.beta); topics * terms],
    };
    let tensors = Tensors::from([("a".to_owned(), Tensor::vector(&a)), ("b".to_owned(), b)]);
    let prior = AnyPrior::from_tensors(PRIOR, terms, topics, &tensors)?;
    Ok(ModelParts::new(PRIOR, prior, 0, vocabulary, text, None))
}

/// x with softplus(x) = y: log(eʸ − 1), without a power that overflows.
fn before_softplus(y: f64) -> f32 {
    (y + (-(-y).exp_m1()).ln()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::softplus;
    use std::ops::ControlFlow;

    #[test]
    fn hyperparameters_of_any_size_come_back() {
        for y in [1e-5, 0.01, 0.1, 1.0, 50.0, 1e3] {
            let found = f64::from(softplus(before_softplus(y)));
            assert!((found / y - 1.0).abs() < 1e-5, "{found} for {y}");
        }
    }

    fn texts() -> Vec<String> {
        let words = ["bee hive honey queen", "bread flour oven yeast"];
        (0..6).map(|n| format!("{} ", words[n % 2]).repeat(8)).collect()
    }

    #[test]
    fn documents_of_two_subjects_have_two_topics_and_further_ones_join_them() {
        let sampling =
            LdaSettings { topics: 2, sweeps: 200, burn_in: 100, ..LdaSettings::default() };
        let go_on = &mut |_| ControlFlow::Continue(());
        let fit = Fit::by_lda(texts(), &FitSettings::default(), &sampling, go_on).unwrap();
        let main = |fit: &Fit, n: usize| fit.topic_model().main_topic(n);
        let mains: Vec<usize> = (0..6).map(|n| main(&fit, n)).collect();
        assert!((0..6).all(|n| mains[n] == mains[n % 2]) && mains[0] != mains[1], "{mains:?}");
        assert!(fit.documents().iter().all(|document| document.unknown_words == 0));
        let more = fit.infer(["The queen left the hive.", "Flour and yeast."]).unwrap();
        assert_eq!([main(&more, 0), main(&more, 1)], [mains[0], mains[1]]);
        // The same after it was sent elsewhere.
        let again = Fit::of_files(&fit.to_files().unwrap()).unwrap();
        let found = again.infer(["The queen left the hive.", "Flour and yeast."]).unwrap();
        assert_eq!(found.documents(), more.documents());
        let record = again.saved().config.lda.as_ref().unwrap();
        assert_eq!((&record.settings, record.alpha.len()), (&sampling, 2));
    }

    #[test]
    fn an_observer_can_end_the_sampling() {
        let mut left = 3;
        let observer = &mut |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (settings, sampling) = (FitSettings::default(), LdaSettings::default());
        let error = Fit::by_lda(texts(), &settings, &sampling, observer).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Interrupted);
    }
}
