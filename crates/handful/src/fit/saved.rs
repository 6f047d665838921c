//! A fit as a directory.

use super::fitted::{Fit, Further, Source};
use crate::Result;
use crate::corpus::WordCounts;
use crate::model_dir::{SavedTopicModel, new_document_tensors};
use crate::prior::Prior;
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
        let tensors = match &*self.further {
            Further::Model { model, heads, new_terms } => {
                model.prior.new_document_tensors(new_terms.as_ref(), heads)
            }
            Further::Directory(file) => new_document_tensors(file)?,
        };
        self.saved.save(directory, (self.tree(), self.telling_terms()), &tensors, replace)
    }

    /// Opens a directory that [`Self::save`] wrote. Of the documents it has the numbers, but not the
    /// texts.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self> {
        let directory = directory.as_ref();
        let (saved, tensors) = SavedTopicModel::load(directory)?;
        let sources = saved.documents.iter().map(|_| Source::Absent).collect();
        let further = Arc::new(Further::Directory(tensors));
        let mut fit = Fit::new(saved, WordCounts::new(), sources, further, Vec::new());
        fit.place = Some(directory.display().to_string());
        Ok(fit)
    }
}
