//! Flags of `handful fit`.

use super::{DocumentFlags, EmFlags, READING, TopicName};
use crate::files::FileKind;
use clap::{ArgGroup, Args, ValueEnum};
use handful::fit::Granularity;
use handful::reading::ReadSettings;
use handful::text::{Language, stop_words_of_name, words_of_list};
use handful::views::Shown;
use handful::{FitSettings, Result, Topics};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Find the topics of a few documents with a trained model.
///
/// Documents are files of text or HTML, folders of them, JSON lines or tables with a document per
/// row, or `-` for standard input.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("outputs").multiple(true)))]
pub struct FitArgs {
    /// Directory of a trained model [default: the built-in model]
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// Number of topics, from 1 to 50, or `auto`: as many as the documents have subjects [default: auto;
    /// the model's number with models of other kinds than `handful`]
    #[arg(long, allow_negative_numbers = true, value_name = "K")]
    topics: Option<TopicsFlag>,
    /// How finely the documents are told apart if they choose the number of topics
    #[arg(long, value_enum, default_value_t = GranularityFlag::Medium, value_name = "HOW")]
    granularity: GranularityFlag,
    #[command(flatten)]
    em: EmFlags,
    /// Directory to write the topic model to; with --group-column a .parquet, .jsonl or .csv file
    #[arg(long, value_name = "DIR", group = "outputs")]
    pub out: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, requires = "outputs")]
    pub force: bool,
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
    /// Words to leave out of the documents: a list separated by commas, or @FILE with one word per
    /// line
    #[arg(long, value_name = "LIST", help_heading = READING)]
    ignore_words: Option<String>,
    /// Language of the documents, by its two-letter code, such as `de`, or `auto`: that of most documents
    #[arg(long, value_name = "CODE", default_value = "auto", help_heading = READING)]
    language: String,
    /// Stop words to leave out of texts: `english`, `none`, the code of a language, or a file with one
    /// word per line [default: those of the language]
    #[arg(long, value_name = "LIST", help_heading = READING)]
    stop_words: Option<String>,
    /// Fit each group of documents by itself: those with the same value in this column or field. --out names
    /// the file for the results
    #[arg(long, value_name = "NAME", requires = "out", help_heading = READING)]
    #[arg(conflicts_with_all = ["names", "relevance", "all", "words", "sentences", "explain"])]
    #[arg(conflicts_with_all = ["report", "csv_topics", "csv_proportions", "pyldavis", "octis"])]
    pub group_column: Option<String>,
    #[command(flatten)]
    pub documents: DocumentFlags,
}

impl FitArgs {
    pub fn settings(&self, seed: u64) -> Result<FitSettings> {
        let ignored = self.ignore_words.as_deref().map_or(Ok(Vec::new()), words_of_list)?;
        let mut settings = FitSettings::default().with_seed(seed).without_words(ignored);
        settings.em_stop = self.em.stop();
        settings.topics = match self.topics {
            None => Topics::Usual,
            Some(TopicsFlag::Auto) => Topics::Auto,
            Some(TopicsFlag::Number(topics)) => Topics::Number(topics),
        };
        settings.granularity = self.granularity.into();
        settings.language = language_of(&self.language)?;
        settings.stop_words = self.stop_words.as_deref().map(stop_words_of_name).transpose()?;
        Ok(settings)
    }

    /// How to read the documents.
    pub fn reading(&self) -> ReadSettings {
        ReadSettings {
            group_column: self.group_column.clone(),
            ..self.documents.reading.settings()
        }
    }

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

/// The language of a code; `None` for `auto`.
fn language_of(code: &str) -> Result<Option<Language>> {
    if code == "auto" { Ok(None) } else { code.parse().map(Some) }
}

/// How finely documents are told apart.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum GranularityFlag {
    /// Fewer topics than there probably are subjects
    Coarse,
    /// As many topics as there probably are subjects
    Medium,
    /// More topics than there probably are subjects
    Fine,
}

impl From<GranularityFlag> for Granularity {
    fn from(flag: GranularityFlag) -> Self {
        match flag {
            GranularityFlag::Coarse => Self::Coarse,
            GranularityFlag::Medium => Self::Medium,
            GranularityFlag::Fine => Self::Fine,
        }
    }
}

/// How many topics to find.
#[derive(Clone, Copy, Debug)]
enum TopicsFlag {
    /// As many as the documents support.
    Auto,
    /// This many.
    Number(usize),
}

impl FromStr for TopicsFlag {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let number = text.parse().map(Self::Number);
        number.map_err(|_| "it must be a number from 1 to 50, or auto".to_owned())
    }
}

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
