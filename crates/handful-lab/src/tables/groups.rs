//! Reports how well methods grouped mixed handfuls.

use super::perplexity::{bold, or_empty, p_text, plus_minus};
use super::{Grid, Report, Scores, counted, folder_name, no_experiment};
use crate::groups::{
    CORPORA_OF_TASK, DOCUMENTS_OF_CORPUS, GROUPING_METHODS, GroupingMethod, GroupsFolder,
    GroupsKey, GroupsRecord, HELD_OUT,
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
    let methods = scores.methods.iter().zip(purities).zip(nmis);
    methods
        .map(|((method, purity), nmi)| GroupingScore { method: method.id, purity, nmi })
        .collect()
}

fn markdown(scores: &GroupScores<'_>, rows: &[GroupingScore]) -> String {
    let repeats = "± over repeats";
    let mut grid =
        Grid::new(&["method", "purity", repeats, "p", "mutual information", repeats, "p"]);
    for row in rows {
        let mut cells = vec![row.method.to_owned()];
        for GroupingMeasure { over_tasks, over_repeats } in [row.purity, row.nmi] {
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
    for name in ["purity", "nmi"] {
        let columns =
            ["", "_standard_error", "_standard_error_over_repeats", "_p_value", "_among_best"];
        grid.header.extend(columns.map(|column| format!("{name}{column}")));
    }
    grid.header.extend(["tasks", "repeats"].map(str::to_owned));
    for row in rows {
        let mut cells = vec![row.method.to_owned()];
        for GroupingMeasure { over_tasks, over_repeats } in [row.purity, row.nmi] {
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
    let rest = ["purity_standard_error", "nmi", "nmi_standard_error", "tasks"];
    grid.header.extend(rest.map(str::to_owned));
    for (i, repeat) in scores.occasions.iter().enumerate() {
        for (method, records) in scores.methods.iter().zip(&scores.records) {
            let mut cells = vec![repeat.to_string(), method.id.to_owned()];
            for values in [&records[i].task_purities, &records[i].task_nmis] {
                let Mean { mean, standard_error, .. } = Mean::of(values);
                cells.extend([mean.to_string(), or_empty(standard_error)]);
            }
            cells.push(records[i].tasks.to_string());
            grid.rows.push(cells);
        }
    }
    grid
}

fn heading(folder: &GroupsFolder) -> String {
    let settings = &folder.identity.settings;
    let (corpora, validation) = (folder.identity.corpora.len(), settings.validation_corpora);
    format!(
        "# {}\n\n{corpora} corpora, {} terms. In each repeat {HELD_OUT} corpora are held out, \
         {validation} validate and {} train; a task is {DOCUMENTS_OF_CORPUS} documents of each of \
         {CORPORA_OF_TASK} of those held out, to be put into {CORPORA_OF_TASK} groups; there are {} \
         tasks. T={}, seed {}.\n",
        folder_name(folder.path()),
        folder.identity.terms,
        corpora.saturating_sub(validation + HELD_OUT),
        settings.tasks,
        settings.training.em_steps,
        settings.training.seed,
    )
}
