//! First values that know the training corpora.

use super::themes::Themes;
use super::{Handful, HandfulSettings, Ingredient, first_vectors};
use crate::Result;
use crate::corpus::{Corpus, TfIdf, all_documents, draw_documents, unigram};
use crate::lda::{Lda, LdaFitting, LdaSettings};
use crate::numeric::Real;
use crate::prior::{KnownTerms, StartObserver, StartPart, Unigram};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Sweeps of the sampler that finds the themes, and those before the first sample.
const SWEEPS: usize = 300;
const BURN_IN: usize = 200;

/// Words of the documents in which themes are found. Where there are more, the sampler goes on with
/// the words of more documents for some sweeps: from a random start it would need as many sweeps as
/// with few words, and each takes longer.
const FIRST_WORDS: u64 = 3_000_000;
const MOST_WORDS: u64 = 12_000_000;
const LATER_SWEEPS: usize = 60;
const LATER_BURN_IN: usize = 30;

/// The least share of a term's occurrences that a theme must have for an entry of its own. What LDA
/// drew less often is chance, and most of what a model file would hold.
const LEAST_SHARE: f64 = 0.01;

impl<R: Real> Handful<R> {
    /// Random networks over the words of some corpora: vectors as given, or by a truncated singular
    /// value decomposition of the documents (tf-idf), b the logarithm of how frequent a word is, w how
    /// much it tells, themes by LDA. `None` where the observer ended the work.
    /// `without` leaves out a part.
    pub fn start(
        settings: HandfulSettings,
        without: Option<Ingredient>,
        (known, topics): (KnownTerms<'_>, usize),
        corpora: &[&Corpus],
        stream: &mut ChaCha8Rng,
        observer: &mut StartObserver<'_>,
    ) -> Result<Option<Self>> {
        let (terms, dimension) = (known.count, settings.dimension);
        let mut prior = Self::random(settings, terms, topics, stream);
        if let Some(ingredient) = without {
            prior.leave_out_part(ingredient);
        }
        let tf_idf = TfIdf::of(corpora, terms);
        let documents = tf_idf.vectors(corpora);
        let vectors = match known.vectors {
            Some(vectors) => Some(first_vectors::given(&documents, vectors)),
            None => first_vectors::decomposed(&documents, (terms, dimension), stream, observer),
        };
        let Some(vectors) = vectors else { return Ok(None) };
        let weight = &mut prior.parameters[prior.words.softmax.weight].values;
        if without != Some(Ingredient::VectorStart) {
            weight
                .iter_mut()
                .zip(vectors.iter().flatten())
                .for_each(|(x, &first)| *x = R::of(first));
        }
        // As long, on average, as random vectors would be.
        let squares: f64 = weight.iter().map(|x| x.to_f64().powi(2)).sum();
        let scale = R::of((terms as f64 / squares.max(1e-30)).sqrt());
        weight.iter_mut().for_each(|weight| *weight *= scale);
        let unigram = unigram(corpora, terms);
        let bias = &mut prior.parameters[prior.words.softmax.bias].values;
        for (bias, probability) in bias.iter_mut().zip(&unigram) {
            *bias = R::of(probability.ln());
        }
        prior.unigram = Unigram::new(unigram.into_iter().map(R::of).collect());
        let mean = tf_idf.idf().iter().sum::<f64>() / terms as f64;
        let importance = &mut prior.parameters[prior.words.importance].values;
        for (importance, idf) in importance.iter_mut().zip(tf_idf.idf()) {
            *importance = R::of(idf / mean.max(1e-30));
        }
        let stream = ChaCha8Rng::from_rng(stream);
        let Some(themes) = themes(corpora, terms, settings.themes, stream, observer)? else {
            return Ok(None);
        };
        prior.themes = themes;
        prior.learn_metric(corpora);
        Ok(Some(prior))
    }
}

/// The topics of the documents; `None` where the observer ended the work.
fn themes<R: Real>(
    corpora: &[&Corpus],
    terms: usize,
    count: usize,
    mut stream: ChaCha8Rng,
    observer: &mut StartObserver<'_>,
) -> Result<Option<Themes<R>>> {
    let first =
        LdaSettings { topics: count, sweeps: SWEEPS, burn_in: BURN_IN, ..LdaSettings::default() };
    let words: u64 = corpora.iter().map(|corpus| corpus.documents.total_words()).sum();
    let has_more = words > FIRST_WORDS;
    let some = if has_more {
        draw_documents(corpora, FIRST_WORDS, &mut stream)
    } else {
        all_documents(corpora)
    };
    let fitting = LdaFitting::new(&some, terms, &first, ChaCha8Rng::from_rng(&mut stream))?;
    let Some(mut lda) = sampled(fitting, SWEEPS, observer) else { return Ok(None) };
    if has_more {
        let later = LdaSettings { sweeps: LATER_SWEEPS, burn_in: LATER_BURN_IN, ..first };
        let more = draw_documents(corpora, MOST_WORDS, &mut stream);
        let fitting = LdaFitting::from_topics(&more, &lda, &later, stream)?;
        let Some(further) = sampled(fitting, LATER_SWEEPS, observer) else { return Ok(None) };
        lda = further;
    }
    let themes = Themes::from_probabilities(&lda.word_probabilities, &lda.alpha);
    Ok(Some(themes.without_rare(LEAST_SHARE)))
}

/// The topics after some sweeps; `None` where the observer ended the work.
fn sampled(
    mut fitting: LdaFitting<'_>,
    sweeps: usize,
    observer: &mut StartObserver<'_>,
) -> Option<Lda> {
    let work = StartPart::Themes.work(sweeps, observer, || fitting.advance());
    work.is_continue().then(|| fitting.finish().model)
}
