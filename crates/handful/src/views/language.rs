//! In which language documents were read, in a sentence.

use crate::fit::Fit;
use crate::text::Language;

/// Says which language was taken, unless all is English.
pub(super) fn sentence(fit: &Fit) -> Option<String> {
    let language = fit.language()?;
    let languages = fit.languages();
    if languages.len() > 1 {
        let count = |it: &crate::text::LanguageCount| format!("{} {}", it.documents, it.language);
        let counts: Vec<String> = languages.iter().map(count).collect();
        let counts = counts.join(", ");
        return Some(format!(
            "The documents are in several languages ({counts}), and read as {language}."
        ));
    }
    (language != Language::ENGLISH).then(|| format!("The documents are read as {language}."))
}
