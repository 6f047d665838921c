//! Reports how well methods grouped mixed handfuls.

use super::perplexity::{bold, or_empty, p_text, plus_minus};
use super::{Grid, Report, Scores, counted, folder_name, no_experiment, steps};
use crate::groups::{
    GROUPING_METHODS, GroupingMethod, GroupsFolder, GroupsKey, GroupsRecord, TaskShape,
};
use crate::statistics::{Better, Mean, Ranked, rank};
use handful::Result;

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupingScore {
    /// The method's id.
    pub method: &'static str,
    /// The purity of its groups.
    pub purity: GroupingMeasure,
    /// The normalised mutual information of its groups and the corpora.
    pub nmi: GroupingMeasure,
    /// The adjusted Rand index of its groups and the corpora. `None` if not all results have it.
    pub ari: Option<GroupingMeasure>,
}

impl GroupingScore {
    /// The measures in the order of the tables.
    fn measures(&self) -> impl Iterator<Item = GroupingMeasure> {
        [Some(self.purity), Some(self.nmi), self.ari].into_iter().flatten()
    }
}

/// How many measures the tables have: results may lack the adjusted Rand index.
fn measures(rows: &[GroupingScore]) -> usize {
    rows.iter().map(|row| row.measures().count()).max().unwrap_or(0)
}

/// One measure of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupingMeasure {
    /// Over the tasks of all repeats, paired with those of other methods.
    pub over_tasks: Ranked,
    /// Over the means of the repeats. The tasks of one repeat are drawn from the same few corpora,
    /// and some corpora are easier than others. So this is the standard error for other corpora.
    pub over_repeats: Mean,
}

type GroupScores<'a> = Scores<'a, GroupingMethod, GroupsRecord>;

impl Report<GroupingScore> {
    /// Creates the report of a folder with results on mixed handfuls.
    pub fn of_groups(folder: &GroupsFolder) -> Result<Self> {
        let belongs = |method: &GroupingMethod, key: &GroupsKey| key.method == method.id;
        let scores = Scores::among(&GROUPING_METHODS, folder.records.iter(), belongs);
        if scores.methods.is_empty() {
            return Err(no_experiment(folder.path()));
        }
        let rows = grouping_scores(&scores);
        let files =
            [("groups-summary.csv", csv(&rows)), ("groups-by-repeat.csv", by_repeat(&scores))];
        Ok(Self {
            markdown: heading(folder) + &markdown(&scores, &rows),
            files: files.map(|(name, grid)| (name.to_owned(), grid.to_csv())).into(),
            scores: rows,
        })
    }
}

fn grouping_scores(scores: &GroupScores<'_>) -> Vec<GroupingScore> {
    if scores.occasions.is_empty() {
        return Vec::new();
    }
    let measures = |values: fn(&GroupsRecord) -> &[f64]| {
        let tasks = |records: &Vec<&GroupsRecord>| -> Vec<f64> {
            records.iter().flat_map(|record| values(record)).copied().collect()
        };
        let samples: Vec<Vec<f64>> = scores.records.iter().map(tasks).collect();
        let over_repeats = |records: &Vec<&GroupsRecord>| {
            let means: Vec<f64> = records.iter().map(|r| Mean::of(values(r)).mean).collect();
            Mean::of(&means)
        };
        let repeats = scores.records.iter().map(over_repeats);
        let pairs = rank(&samples, Better::Higher).into_iter().zip(repeats);
        pairs
            .map(|(over_tasks, over_repeats)| GroupingMeasure { over_tasks, over_repeats })
            .collect::<Vec<_>>()
    };
    let purities = measures(|record| &record.task_purities);
    let nmis = measures(|record| &record.task_nmis);
    let is_whole = |record: &&GroupsRecord| record.task_aris.len() == record.course.tasks;
    // Methods are ranked together, or not at all.
    let aris = scores.records.iter().flatten().all(is_whole);
    let aris = aris.then(|| measures(|record| &record.task_aris));
    let methods = scores.methods.iter().zip(purities).zip(nmis).enumerate();
    methods
        .map(|(m, ((method, purity), nmi))| GroupingScore {
            method: method.id,
            purity,
            nmi,
            ari: aris.as_ref().map(|aris| aris[m]),
        })
        .collect()
}

fn markdown(scores: &GroupScores<'_>, rows: &[GroupingScore]) -> String {
    let repeats = "± over repeats";
    let mut grid = Grid::new(&["method"]);
    let names = ["purity", "mutual information", "adjusted Rand index"];
    for name in &names[..measures(rows)] {
        grid.header.extend([*name, repeats, "p"].map(str::to_owned));
    }
    for row in rows {
        let mut cells = vec![row.method.to_owned()];
        for GroupingMeasure { over_tasks, over_repeats } in row.measures() {
            let Ranked { mean, p_value, is_among_best } = over_tasks;
            cells.push(bold(plus_minus(&mean, 3), is_among_best));
            cells.push(over_repeats.standard_error.map_or(String::new(), |e| format!("{e:.3}")));
            cells.push(p_value.map_or(String::new(), p_text));
        }
        grid.rows.push(cells);
    }
    format!(
        "\n## Mixed handfuls\n\nMean and standard error over the tasks of {}.{} The tasks of a repeat \
         share its corpora: the standard error over repeats is the one for other corpora. Bold: not \
         different from the best at the 5% level by a t-test paired over tasks, whose p is given.\n\n{}",
        counted(scores.occasions.len(), "repeat"),
        scores.missing(),
        grid.to_markdown()
    )
}

fn csv(rows: &[GroupingScore]) -> Grid {
    let mut grid = Grid::new(&["method"]);
    for name in &["purity", "nmi", "ari"][..measures(rows)] {
        let columns =
            ["", "_standard_error", "_standard_error_over_repeats", "_p_value", "_among_best"];
        grid.header.extend(columns.map(|column| format!("{name}{column}")));
    }
    grid.header.extend(["tasks", "repeats"].map(str::to_owned));
    for row in rows {
        let mut cells = vec![row.method.to_owned()];
        for GroupingMeasure { over_tasks, over_repeats } in row.measures() {
            let Ranked { mean, p_value, is_among_best } = over_tasks;
            cells.extend([
                mean.mean.to_string(),
                or_empty(mean.standard_error),
                or_empty(over_repeats.standard_error),
                or_empty(p_value),
                is_among_best.to_string(),
            ]);
        }
        cells.push(row.purity.over_tasks.mean.count.to_string());
        cells.push(row.purity.over_repeats.count.to_string());
        grid.rows.push(cells);
    }
    grid
}

fn by_repeat(scores: &GroupScores<'_>) -> Grid {
    let mut grid = Grid::new(&["repeat", "method", "purity"]);
    let rest = ["purity_standard_error", "nmi", "nmi_standard_error"];
    grid.header.extend(rest.map(str::to_owned));
    let with_ari = scores.records.iter().flatten().all(|record| !record.task_aris.is_empty());
    if with_ari {
        grid.header.extend(["ari", "ari_standard_error"].map(str::to_owned));
    }
    grid.header.push("tasks".to_owned());
    for (i, repeat) in scores.occasions.iter().enumerate() {
        for (method, records) in scores.methods.iter().zip(&scores.records) {
            let mut cells = vec![repeat.to_string(), method.id.to_owned()];
            let GroupsRecord { task_purities, task_nmis, task_aris, .. } = records[i];
            let aris = with_ari.then_some(task_aris);
            for values in [task_purities, task_nmis].into_iter().chain(aris) {
                let Mean { mean, standard_error, .. } = Mean::of(values);
                cells.extend([mean.to_string(), or_empty(standard_error)]);
            }
            cells.push(records[i].course.tasks.to_string());
            grid.rows.push(cells);
        }
    }
    grid
}

fn heading(folder: &GroupsFolder) -> String {
    let settings = &folder.identity.settings;
    let (shape, corpora) = (TaskShape::of(settings), folder.identity.corpora.len());
    let held_out = shape.held_out();
    let validation = shape.validation(corpora, settings.validation_corpora);
    let TaskShape { corpora: classes, documents_of_each } = shape;
    format!(
        "# {}\n\n{corpora} corpora, {} terms. In each repeat {held_out} corpora are held out, \
         {validation} validate and {} train; a task is {documents_of_each} documents of each of \
         {classes} of those held out, to be put into {classes} groups; there are {} tasks. {}, \
         seed {}.\n",
        folder_name(folder.path()),
        folder.identity.terms,
        corpora.saturating_sub(validation + held_out),
        settings.tasks,
        steps(settings),
        settings.training.seed,
    )
}
