//! A trained model.

use crate::Result;
use crate::fit::{Fit, FitSettings, IntoDocument, ProgressObserver, fit_documents, into_documents};
use crate::model_dir::{Directory, FileContents, ModelConfig, ModelParts};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A trained model: it reads a few documents and gives their topics.
///
/// A model never changes. A clone shares everything with the original, and many threads may fit with
/// one model at a time, each with its own number of topics and its own new words.
///
/// ```
/// # #[cfg(feature = "pretrained")] {
/// use handful::{FitSettings, Model};
///
/// let model = Model::pretrained()?;
/// let texts = [
///     "The bees left the hive in May; the queen and half of the workers went with them.",
///     "A hive needs forty pounds of honey to bring its bees through the winter.",
///     "Knead flour, water, salt and yeast; let the dough rise, then bake the bread.",
///     "Bread dough that rises overnight in the cold has more flavour when it is baked.",
/// ];
/// let fit = model.fit(&texts, &FitSettings::default().with_topics(2))?;
/// let main = |n: usize| fit.documents()[n].topics[0] > 0.5;
/// assert!(main(0) == main(1) && main(2) == main(3) && main(0) != main(2));
/// # }
/// # Ok::<(), handful::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    parts: Arc<ModelParts>,
    name: Arc<str>,
    /// Its directory, or what stands for it.
    place: Arc<str>,
}

impl Model {
    /// The built-in model, trained on English of many kinds.
    #[cfg(feature = "pretrained")]
    pub fn pretrained() -> Result<Self> {
        Ok(Self::of(ModelParts::pretrained()?, crate::model_dir::PRETRAINED))
    }

    /// Opens the directory of a model.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self> {
        let directory = directory.as_ref();
        let name = directory.file_name().unwrap_or(directory.as_os_str()).to_string_lossy();
        let place = directory.display().to_string().into();
        Ok(Self { place, ..Self::of(ModelParts::open(directory)?, &name) })
    }

    /// A model of its parts.
    #[doc(hidden)]
    pub fn of(parts: ModelParts, name: &str) -> Self {
        Self { parts: Arc::new(parts), name: name.into(), place: name.into() }
    }

    /// Finds the topics of documents: texts, pairs of an identifier and a text, or word counts
    /// ([`IntoDocument`]).
    ///
    /// The same model, documents and settings give the same numbers, to the last bit, however many
    /// threads there are.
    pub fn fit<D: IntoDocument>(
        &self,
        documents: impl IntoIterator<Item = D>,
        settings: &FitSettings,
    ) -> Result<Fit> {
        self.fit_observed(documents, settings, &mut |_| ControlFlow::Continue(()))
    }

    /// [`Self::fit`], watched: the observer hears how far the work is, and can end it. Then the error
    /// is of kind interrupted.
    pub fn fit_observed<D: IntoDocument>(
        &self,
        documents: impl IntoIterator<Item = D>,
        settings: &FitSettings,
        observer: &mut ProgressObserver<'_>,
    ) -> Result<Fit> {
        let ModelConfig { prior, topics, inference, em_steps, .. } = &self.parts.config;
        let settings = settings.check(prior, *topics, (*inference, *em_steps))?;
        let documents = into_documents(documents);
        fit_documents(&self.parts, (&self.name, &self.place), documents, &settings, observer)
    }

    /// Writes the model to a directory, whole or not at all. It must not exist.
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<()> {
        self.parts.save(directory.as_ref(), false)
    }

    /// [`Self::save`], in the place of a directory that Handful wrote.
    pub fn save_replacing(&self, directory: impl AsRef<Path>) -> Result<()> {
        self.parts.save(directory.as_ref(), true)
    }

    /// The files that [`Self::save`] would write, by their names: a model that can be sent elsewhere.
    pub fn to_files(&self) -> FileContents {
        let files = self.parts.files().into_iter();
        files.map(|(name, content)| (name.to_owned(), content)).collect()
    }

    /// The model of files that [`Self::to_files`] gave, with the name that results give for it.
    pub fn of_files(files: &FileContents, name: &str) -> Result<Self> {
        Ok(Self::of(ModelParts::load(Directory::in_memory(files))?, name))
    }

    /// The same model with weights rounded to 4, 8 and 16 bits once it is saved, and with a text
    /// about data and figures on its card, in Markdown.
    pub fn compacted(&self, about: Option<String>) -> Self {
        let mut parts = ModelParts::clone(&self.parts);
        parts.config.compact = true;
        parts.config.about = about.or(parts.config.about);
        Self { parts: Arc::new(parts), ..self.clone() }
    }

    /// The name that results give for it: that of its directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The directory that it was opened from, or its name.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Number of terms that the model knows.
    pub fn terms(&self) -> usize {
        self.parts.vocabulary.len()
    }

    /// The model card, in Markdown: what a person should know of the model.
    pub fn card(&self) -> String {
        self.parts.card()
    }

    /// What its directory holds.
    #[doc(hidden)]
    pub fn parts(&self) -> &ModelParts {
        &self.parts
    }
}
