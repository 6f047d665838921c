//! In which language the documents of a fit are read.

use super::fitted::Fit;
use super::settings::CheckedFitSettings;
use crate::reading::{Content, RawDocument};
use crate::text::{
    DetectedLanguages, Language, LanguageCount, StopWords, TextSettings, detect_languages,
};

/// How the texts of a fit are read.
pub(super) struct ReadAs {
    /// How text becomes terms; `None` for a model that takes counts only.
    pub(super) text: Option<TextSettings>,
    /// How many documents are in each language, if they are in several.
    pub(super) languages: Vec<LanguageCount>,
}

impl ReadAs {
    /// As the user says; else in the language of most documents, if the model reads English; else as
    /// the model does.
    pub(super) fn of(
        model: Option<&TextSettings>,
        settings: &CheckedFitSettings,
        documents: &[RawDocument],
    ) -> Self {
        let Some(model) = model else { return Self { text: None, languages: Vec::new() } };
        let detected = match settings.language {
            None if language_of(model) == Some(Language::ENGLISH) => {
                detect_languages(documents.iter().filter_map(text_of))
            }
            _ => DetectedLanguages::default(),
        };
        let language = settings.language.or_else(|| detected.main());
        let mut text =
            language.map_or_else(|| model.clone(), |language| model.in_language(language));
        if let Some(stop_words) = &settings.stop_words {
            text.stop_words = stop_words.clone();
        }
        let counts = detected.counts();
        let languages = if counts.len() > 1 { counts.to_vec() } else { Vec::new() };
        Self { text: Some(text), languages }
    }
}

/// The language that settings are for. Without one they are for English if its stop words are left out;
/// only these tell.
fn language_of(text: &TextSettings) -> Option<Language> {
    let english = Some(Language::ENGLISH).filter(|_| text.stop_words == StopWords::English);
    text.language.or(english)
}

fn text_of(document: &RawDocument) -> Option<&str> {
    match &document.content {
        Content::Text(text) => Some(text),
        Content::Counts(_) => None,
    }
}

impl Fit {
    /// The language that texts are read in: that of most documents, or the one that was asked for.
    /// `None` if the model does not say which language it reads, or takes counts only.
    ///
    /// ```
    /// # #[cfg(feature = "pretrained")] {
    /// # use handful::{FitSettings, Model};
    /// let model = Model::pretrained()?;
    /// let texts = ["Die Bienen fliegen in ihren Stock.", "Das Brot ist aus Mehl und Wasser."];
    /// let fit = model.fit(&texts, &FitSettings::default())?;
    /// assert_eq!(fit.language().map(|language| language.code()), Some("de"));
    /// # }
    /// # Ok::<(), handful::Error>(())
    /// ```
    pub fn language(&self) -> Option<Language> {
        self.saved.config.text.as_ref().and_then(language_of)
    }

    /// How many documents are in each language, most first, if they are in several. Documents that are
    /// too short to tell are in none.
    pub fn languages(&self) -> &[LanguageCount] {
        &self.saved.config.languages
    }
}
