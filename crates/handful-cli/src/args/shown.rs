//! Flags that select what is shown of a fit, and which files it writes.

use super::TopicName;
use crate::files::FileKind;
use clap::Args;
use handful::views::Shown;
use std::path::{Path, PathBuf};

/// The heading of flags that select what is shown.
pub const SHOWN: &str = "What is shown";

/// Which terms of topics to show.
#[derive(Debug, Args)]
#[command(next_help_heading = SHOWN)]
pub struct TermFlags {
    /// Number of terms to show for each topic
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Order terms by relevance: L log p(term in topic) + (1-L) log(p(term in topic) / p(term)), so
    /// 1 shows the most probable terms and 0 those that are rare elsewhere [default: terms
    /// that tell the topic from usual speech and from the other topics, if the model knows usual
    /// speech, else 0.6]
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    relevance: Option<f64>,
    /// Show every document: of more than twenty, the terminal shows those that are typical of a topic
    #[arg(long)]
    all: bool,
}

impl TermFlags {
    /// What is shown of topics.
    pub fn shown(&self) -> Shown {
        let mut shown = Shown::default().with_terms(self.top);
        shown.relevance = self.relevance;
        shown.all_documents = self.all;
        shown
    }
}

/// What is shown of the topics and documents of a fit, and which files are written besides.
#[derive(Debug, Args)]
pub struct ShownFlags {
    /// Call a topic by a name of yours, such as 1="Housing"; repeat it for several
    #[arg(long = "name", value_name = "NUMBER=NAME", help_heading = SHOWN)]
    pub names: Vec<TopicName>,
    #[command(flatten)]
    terms: TermFlags,
    /// Where every word of every document belongs, in what `--json` prints
    #[arg(long, requires = "json", help_heading = SHOWN)]
    words: bool,
    /// Sentences of the documents to show for each topic: those whose words belong most to it
    /// [default: 0, in a report 3]
    #[arg(long, value_name = "N", help_heading = SHOWN)]
    sentences: Option<usize>,
    #[command(flatten)]
    files: FileFlags,
    /// Show and write nothing of the documents' texts but the topics' terms: no sentences, no documents
    /// word by word
    #[arg(long, conflicts_with_all = ["sentences", "words"], help_heading = SHOWN)]
    pub no_text: bool,
}

impl ShownFlags {
    /// What is shown of the fit.
    pub fn shown(&self) -> Shown {
        let mut shown = self.terms.shown();
        shown.sentences = self.sentences;
        shown.words = self.words;
        shown
    }

    /// The files to write besides.
    pub fn files(&self) -> Vec<(FileKind, &Path)> {
        let files = &self.files;
        [
            (FileKind::Report, &files.report),
            (FileKind::TopicsCsv, &files.csv_topics),
            (FileKind::ProportionsCsv, &files.csv_proportions),
            (FileKind::PyLdavis, &files.pyldavis),
            (FileKind::Octis, &files.octis),
        ]
        .into_iter()
        .filter_map(|(kind, path)| Some((kind, path.as_deref()?)))
        .collect()
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Files to write")]
struct FileFlags {
    /// A page to look at: topics, documents word by word, a map; one HTML file
    #[arg(long, value_name = "FILE", group = "outputs")]
    report: Option<PathBuf>,
    /// The topics' terms as CSV
    #[arg(long, value_name = "FILE", group = "outputs")]
    csv_topics: Option<PathBuf>,
    /// The documents' topic proportions as CSV
    #[arg(long, value_name = "FILE", group = "outputs")]
    csv_proportions: Option<PathBuf>,
    /// The arrays that `pyLDAvis.prepare` takes, as JSON
    #[arg(long, value_name = "FILE", group = "outputs")]
    pyldavis: Option<PathBuf>,
    /// The dictionary that OCTIS's measures take, as JSON
    #[arg(long, value_name = "FILE", group = "outputs")]
    octis: Option<PathBuf>,
}
