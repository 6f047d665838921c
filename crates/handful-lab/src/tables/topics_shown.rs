//! Measures of the topics as shown to a person.

use super::perplexity::{or_empty, plus_minus};
use super::{Grid, Scores, counted};
use crate::results::{Record, ResultsFolder};
use crate::statistics::Mean;
use crate::topics_shown::{COMMON_TERMS, LEAST_SHARE, TERMS_SHOWN, TermsShown, TopicsShown};

/// The measures of the methods that have topics.
pub(super) struct TopicsShownTable {
    pub(super) markdown: String,
    pub(super) csv: Grid,
}

/// A ranking of terms, and its measures in a record.
type RankingColumn = (&'static str, fn(&TopicsShown) -> TermsShown);

const RANKINGS: [RankingColumn; 3] = [
    ("probability", |shown: &TopicsShown| shown.by_probability),
    ("relevance", |shown: &TopicsShown| shown.by_relevance),
    ("telling", |shown: &TopicsShown| shown.by_telling),
];

/// Creates the table of a folder. Returns `None` if no experiment has the measures.
pub(super) fn topics_shown(folder: &ResultsFolder) -> Option<TopicsShownTable> {
    let scores = Scores::of_records(folder, |record| record.topics_shown.is_some());
    if scores.occasions.is_empty() {
        return None;
    }
    let mut grid = Grid::new(&["method", "topics", "of two documents or more"]);
    let mut csv = Grid::new(&["method", "ranking", "topics", "shared"]);
    for (ranking, _) in RANKINGS {
        for name in ["coherence", "diversity", "common"] {
            grid.header.push(format!("{name}, by {ranking}"));
        }
    }
    for name in ["coherence", "diversity", "common"] {
        csv.header.extend([name.to_owned(), format!("{name}_standard_error")]);
    }
    csv.header.push("experiments".to_owned());
    for (method, records) in scores.methods.iter().zip(&scores.records) {
        let mean = |value: &dyn Fn(&TopicsShown) -> Option<f64>| mean(records, value);
        let topics = mean(&|shown| Some(shown.topics));
        let shared = mean(&|shown| Some(shown.shared));
        let mut row = vec![method.id.to_owned(), text(topics, 2), text(shared, 2)];
        for (ranking, terms) in RANKINGS {
            let measures = [
                mean(&|shown| terms(shown).coherence),
                mean(&|shown| terms(shown).diversity),
                mean(&|shown| terms(shown).common),
            ];
            row.extend(measures.map(|measure| text(measure, 3)));
            let mut line = vec![method.id.to_owned(), ranking.to_owned()];
            line.extend([topics, shared].map(|number| or_empty(number.map(|n| n.mean))));
            for measure in measures {
                line.push(or_empty(measure.map(|measure| measure.mean)));
                line.push(or_empty(measure.and_then(|measure| measure.standard_error)));
            }
            line.push(records.len().to_string());
            csv.rows.push(line);
        }
        grid.rows.push(row);
    }
    let markdown = format!(
        "\nTopics with at least {share:.0}% of a task's words, how many of them have at least \
         {share:.0}% of two documents or more, and of their top {TERMS_SHOWN} terms: coherence (NPMI \
         in the target's other documents), share of distinct terms, and share of the training \
         corpora's {COMMON_TERMS} most frequent terms; ranked by probability, by relevance to the \
         topic, and by relevance with usual terms last (telling, as `handful` shows them). Mean and \
         standard error over {} on {}.{}\n\n{}",
        counted(scores.occasions.len(), "experiment"),
        counted(scores.targets().len(), "target"),
        scores.missing(),
        grid.to_markdown(),
        share = 100.0 * LEAST_SHARE,
    );
    Some(TopicsShownTable { markdown, csv })
}

/// Computes the mean over the experiments that have the value.
pub(super) fn mean(
    records: &[&Record],
    value: &dyn Fn(&TopicsShown) -> Option<f64>,
) -> Option<Mean> {
    let shown = records.iter().filter_map(|record| record.topics_shown.as_ref());
    let values: Vec<f64> = shown.filter_map(value).collect();
    (!values.is_empty()).then(|| Mean::of(&values))
}

pub(super) fn text(mean: Option<Mean>, digits: usize) -> String {
    mean.map_or(String::new(), |mean| plus_minus(&mean, digits))
}
