//! A fit as a directory.

use super::fitted::{Fit, Further, Source};
use crate::Result;
use crate::corpus::WordCounts;
use crate::model_dir::{
    Directory, FileContents, SavedTopicModel, claim_output, new_document_tensors,
};
use crate::prior::Prior;
use crate::storage::{Claim, Tensors};
use std::path::Path;
use std::sync::Arc;

impl Fit {
    /// Writes the topics to a directory, whole or not at all. It must not exist.
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<()> {
        self.write(directory.as_ref(), false)
    }

    /// [`Self::save`], in the place of a directory that Handful wrote.
    pub fn save_replacing(&self, directory: impl AsRef<Path>) -> Result<()> {
        self.write(directory.as_ref(), true)
    }

    fn write(&self, directory: &Path, replace: bool) -> Result<()> {
        self.save_claimed(&claim_output(directory, replace)?)
    }

    /// Writes the topics to a directory that was claimed before the work began.
    #[doc(hidden)]
    pub fn save_claimed(&self, claim: &Claim) -> Result<()> {
        let tensors = self.new_document_tensors()?;
        self.saved.save_claimed(claim, (self.tree(), self.telling_terms()), &tensors)
    }

    fn new_document_tensors(&self) -> Result<Tensors<f32>> {
        match &*self.further {
            Further::Model { model, heads, new_terms } => {
                Ok(model.prior.new_document_tensors(new_terms.as_ref(), heads))
            }
            Further::Directory(file) => new_document_tensors(file),
        }
    }

    /// The files that [`Self::save`] would write, by their names: a fit that can be sent elsewhere.
    ///
    /// ```
    /// # #[cfg(feature = "pretrained")] {
    /// # use handful::{Fit, FitSettings, Model};
    /// let model = Model::pretrained()?;
    /// let fit = model.fit(&["Bees and their hives.", "Bread needs flour."], &FitSettings::default())?;
    /// let again = Fit::of_files(&fit.to_files()?)?;
    /// assert_eq!(again.documents(), fit.documents());
    /// # }
    /// # Ok::<(), handful::Error>(())
    /// ```
    pub fn to_files(&self) -> Result<FileContents> {
        let tensors = self.new_document_tensors()?;
        let files = self.saved.files((self.tree(), self.telling_terms()), &tensors);
        Ok(files.into_iter().map(|(name, content)| (name.to_owned(), content)).collect())
    }

    /// The fit of files that [`Self::to_files`] gave. Like [`Self::open`], it has no texts.
    pub fn of_files(files: &FileContents) -> Result<Self> {
        Self::read(Directory::in_memory(files))
    }

    /// Opens a directory that [`Self::save`] wrote. Of the documents it has the numbers, but not the
    /// texts.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self> {
        Self::read(Directory::on_disk(directory.as_ref()))
    }

    fn read(directory: Directory<'_>) -> Result<Self> {
        let (saved, tensors) = SavedTopicModel::load(directory)?;
        let sources = saved.documents.iter().map(|_| Source::Absent).collect();
        let further = Arc::new(Further::Directory(tensors));
        let mut fit = Fit::new(saved, WordCounts::new(), sources, further, Vec::new());
        fit.place = Some(directory.path().display().to_string());
        Ok(fit)
    }
}
