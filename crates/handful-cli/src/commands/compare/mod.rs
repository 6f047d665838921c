//! `handful compare`: experiments in, tables and figures out.

mod show;

use super::{open_model, read_corpora};
use crate::args::{CommonFlags, CompareArgs};
use crate::output;
use crate::progress::ComparisonDisplay;
use handful::internals::corpus::{Corpora, Corpus, build_vocabulary, corpora_from};
use handful::reading::RawDocument;
use handful::text::{TextSettings, Tokenizer, Vocabulary};
use handful::{Error, Result};
use handful_lab::blends::{Blends, BlendsFolder, BlendsRecord};
use handful_lab::groups::{GivenVectors, GroupsFolder, GroupsRecord, MixedHandfuls};
use handful_lab::number::{NumberFolder, NumberOfTopics, NumberRecord};
use handful_lab::range::{RangeFolder, RangeOfUse, RangeRecord, RangeRequest};
use handful_lab::results::{Folder, ResultsFolder, has_lines_of};
use handful_lab::telling::{Telling, TellingFolder, TellingRecord};
use handful_lab::{
    Comparison, FinishedModel, KeyOf, PassageVectors, Plan, Protocol, Reader, Settings, run,
};
use show::{show_blends, show_comparison, show_groups, show_number, show_range, show_telling};
use std::path::Path;

pub fn compare(args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<()> {
    if let Some(folder) = &args.table {
        return table(folder, args, common);
    }
    let out = args.out.as_deref().expect("the flags' parser asks for it");
    let settings = args.settings(common.seed)?;
    if args.groups {
        return groups(args, common, out);
    }
    if args.blends {
        return blends(args, common, out, settings);
    }
    if args.number {
        return number(args, common, out, settings);
    }
    if args.telling {
        return telling(args, common, out, settings);
    }
    if let Some(request) = args.range_request()? {
        return range(args, common, out, settings, &request);
    }
    let request = args.request()?;
    let model = finished_model(args)?;
    let (corpora, vocabulary) = read(args, common)?;
    let mut comparison = Comparison::new(settings, &corpora.corpora, &vocabulary)?;
    if let Some(model) = &model {
        comparison = comparison.with_model(model)?;
        warn_if_seen(model, &asked(&corpora, args), common);
    }
    let wanted = request.wanted(&comparison)?;
    show_comparison(&conduct(&comparison, wanted, out, common)?, &[], common)
}

fn groups(args: &CompareArgs, common: &CommonFlags, out: &Path) -> anyhow::Result<()> {
    let (methods, repeats) = args.groups_request()?;
    args.task_shape()?.check()?;
    let model = finished_model(args)?;
    let (corpora, vocabulary) = read(args, common)?;
    let mixed = mixed_handfuls(args, common, (&corpora.corpora, &vocabulary), model)?;
    let wanted = mixed.wanted(&methods, repeats)?;
    show_groups(&conduct(&mixed, wanted, out, common)?, common)
}

fn blends(
    args: &CompareArgs,
    common: &CommonFlags,
    out: &Path,
    settings: Settings,
) -> anyhow::Result<()> {
    let (methods, repeats) = args.blends_request()?;
    let model = finished_model(args)?;
    let read = Read::of(args, common)?;
    let (corpora, reader) = (&read.corpora.corpora, read.reader());
    let mut blends = Blends::new(settings, &args.subjects(), corpora, &read.documents, reader)?;
    blends.left_out().iter().for_each(|sentence| output::warn(common.quiet, sentence));
    if let Some(model) = model {
        warn_if_seen(&model, blends.asked(), common);
        blends = blends.with_model(model)?;
    }
    if let Some(file) = args.passage_vectors() {
        blends = blends.with_vectors(PassageVectors::read(file)?);
    }
    let wanted = blends.wanted(&methods, repeats)?;
    show_blends(&conduct(&blends, wanted, out, common)?, common)
}

fn number(
    args: &CompareArgs,
    common: &CommonFlags,
    out: &Path,
    settings: Settings,
) -> anyhow::Result<()> {
    let (methods, repeats) = args.number_request()?;
    let model = finished_model(args)?;
    let read = Read::of(args, common)?;
    let (corpora, reader, documents) = (&read.corpora.corpora, read.reader(), args.documents());
    let mut number = NumberOfTopics::new(settings, &documents, corpora, &read.documents, reader)?;
    number.left_out().iter().for_each(|sentence| output::warn(common.quiet, sentence));
    if let Some(model) = model {
        warn_if_seen(&model, &number.asked(), common);
        number = number.with_model(model)?;
    }
    if let Some(file) = args.passage_vectors() {
        number = number.with_vectors(PassageVectors::read(file)?);
    }
    let wanted = number.wanted(&methods, repeats)?;
    show_number(&conduct(&number, wanted, out, common)?, common)
}

fn telling(
    args: &CompareArgs,
    common: &CommonFlags,
    out: &Path,
    settings: Settings,
) -> anyhow::Result<()> {
    let (methods, repeats) = args.telling_request()?;
    let shapes = args.task_shapes()?;
    let model = finished_model(args)?;
    let read = Read::of(args, common)?;
    let (corpora, reader) = (&read.corpora.corpora, read.reader());
    let mut telling = Telling::new(settings, &shapes, corpora, &read.documents, reader)?;
    telling.left_out().iter().for_each(|sentence| output::warn(common.quiet, sentence));
    if let Some(model) = model {
        warn_if_seen(&model, &telling.asked(), common);
        telling = telling.with_model(model)?;
    }
    if let Some(file) = args.passage_vectors() {
        telling = telling.with_vectors(PassageVectors::read(file)?);
    }
    let wanted = telling.wanted(&methods, repeats)?;
    show_telling(&conduct(&telling, wanted, out, common)?, common)
}

fn range(
    args: &CompareArgs,
    common: &CommonFlags,
    out: &Path,
    settings: Settings,
    request: &RangeRequest,
) -> anyhow::Result<()> {
    let model = finished_model(args)?;
    let (corpora, vocabulary) = read(args, common)?;
    let mut range = RangeOfUse::new(settings, &corpora.corpora, &vocabulary)?;
    if let Some(model) = &model {
        range = range.with_model(model)?;
        warn_if_seen(model, &asked(&corpora, args), common);
    }
    let wanted = request.wanted(&range)?;
    let left_out = request.left_out(&range)?;
    left_out.iter().for_each(|sentence| output::warn(common.quiet, sentence));
    show_range(&conduct(&range, wanted, out, common)?, common)
}

/// Stands for the built-in model where a directory is asked for.
const BUILT_IN: &str = "built-in";

/// Opens the model that is to be asked, before the corpora are read: that takes longer.
fn finished_model(args: &CompareArgs) -> Result<Option<FinishedModel>> {
    let Some(directory) = args.model.as_deref() else { return Ok(None) };
    let directory = Some(directory).filter(|directory| *directory != Path::new(BUILT_IN));
    open_model(directory).map(FinishedModel::new).map(Some)
}

/// The mixed handfuls of some corpora, with what methods are given beside them.
fn mixed_handfuls<'a>(
    args: &CompareArgs,
    common: &CommonFlags,
    (corpora, vocabulary): (&'a [Corpus], &'a Vocabulary),
    model: Option<FinishedModel>,
) -> Result<MixedHandfuls<'a>> {
    let settings = args.settings(common.seed)?;
    let mut mixed = MixedHandfuls::new(settings, args.task_shape()?, corpora, vocabulary)?;
    mixed.left_out().iter().for_each(|sentence| output::warn(common.quiet, sentence));
    if let Some(model) = model {
        warn_if_seen(&model, mixed.asked(), common);
        mixed = mixed.with_model(model)?;
    }
    if let Some(file) = args.document_vectors() {
        let vectors = GivenVectors::read(file, mixed.asked())?;
        vectors.warning.iter().for_each(|warning| output::warn(common.quiet, warning));
        mixed = mixed.with_vectors(vectors);
    }
    Ok(mixed)
}

/// The corpora that are targets.
fn asked<'a>(corpora: &'a Corpora, args: &CompareArgs) -> Vec<&'a Corpus> {
    let is_target =
        |corpus: &&Corpus| args.targets.is_empty() || args.targets.contains(&corpus.name);
    corpora.corpora.iter().filter(is_target).collect()
}

/// A figure on a corpus that shaped the model says nothing about new ones.
fn warn_if_seen(model: &FinishedModel, asked: &[&Corpus], common: &CommonFlags) {
    let warning = model.has_seen(asked.iter().map(|corpus| &*corpus.name));
    warning.iter().for_each(|warning| output::warn(common.quiet, warning));
}

fn table(folder: &Path, args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let expect_no_targets = |problem: &str| match args.targets[..] {
        [] => Ok(()),
        _ => Err(Error::bad_setting("--targets", problem, "leave it out")),
    };
    if args.groups || has_lines_of::<GroupsRecord>(folder) {
        let folder = GroupsFolder::open(folder)?;
        expect_no_targets("mixed handfuls have no targets")?;
        return show_groups(&folder, common);
    }
    if args.blends || has_lines_of::<BlendsRecord>(folder) {
        let folder = BlendsFolder::open(folder)?;
        expect_no_targets("blends have no targets")?;
        return show_blends(&folder, common);
    }
    if args.number || has_lines_of::<NumberRecord>(folder) {
        let folder = NumberFolder::open(folder)?;
        expect_no_targets("numbers of topics have no targets")?;
        return show_number(&folder, common);
    }
    if args.telling || has_lines_of::<TellingRecord>(folder) {
        let folder = TellingFolder::open(folder)?;
        expect_no_targets("telling has no targets")?;
        return show_telling(&folder, common);
    }
    if has_lines_of::<RangeRecord>(folder) {
        expect_no_targets("the tables of a range of settings show no topics")?;
        return show_range(&RangeFolder::open(folder)?, common);
    }
    show_comparison(&ResultsFolder::open(folder)?, &args.targets, common)
}

/// The corpora as read, and counted.
struct Read {
    documents: Vec<RawDocument>,
    text: TextSettings,
    corpora: Corpora,
    vocabulary: Vocabulary,
}

impl Read {
    /// Reads the corpora. All targets share one vocabulary, as in the paper, because perplexities over
    /// different vocabularies cannot be compared.
    fn of(args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<Self> {
        let text = args.text.settings()?;
        let documents = read_corpora(&args.corpora, &args.reading, common)?;
        let vocabulary = build_vocabulary(&documents, &[], &text)?;
        let tokenizer = Tokenizer::new(&text);
        let corpora = corpora_from(&documents, &tokenizer, &vocabulary, text.min_document_words)?;
        corpora.warnings.iter().for_each(|warning| output::warn(common.quiet, warning));
        Ok(Self { documents, text, corpora, vocabulary })
    }

    /// Reads texts as the corpora were read.
    fn reader(&self) -> Reader<'_> {
        Reader::new(&self.text, &self.vocabulary)
    }
}

/// Reads the corpora, and keeps nothing but their counts.
fn read(args: &CompareArgs, common: &CommonFlags) -> anyhow::Result<(Corpora, Vocabulary)> {
    let Read { corpora, vocabulary, .. } = Read::of(args, common)?;
    Ok((corpora, vocabulary))
}

/// Runs the wanted experiments that are not done yet.
fn conduct<P: Protocol>(
    protocol: &P,
    wanted: Vec<(KeyOf<P::Line>, P::Recipe)>,
    out: &Path,
    common: &CommonFlags,
) -> Result<Folder<P::Line>> {
    let mut folder = Folder::for_protocol(out, protocol)?;
    let plan = Plan::new(wanted, &folder.records);
    folder.write_tasks(protocol, &plan.occasions)?;
    let threads = rayon::current_num_threads();
    let mut display = ComparisonDisplay::new(&plan, &folder.records, threads, common);
    let failed = run(protocol, &plan, threads, &mut folder, &mut |event| display.show(&event))?;
    display.finish();
    if failed > 0 {
        let experiments = if failed == 1 { "experiment" } else { "experiments" };
        let problem = format!("{failed} {experiments} failed, for the reasons given above");
        let remedy = "change what they name, and run it in another folder";
        return Err(Error::input(out.display().to_string(), problem, remedy));
    }
    Ok(folder)
}
