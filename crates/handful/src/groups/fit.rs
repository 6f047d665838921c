//! Fits each group by itself, on all threads.

use super::GroupRows;
use crate::error::ErrorKind;
use crate::fit::{FitSettings, IntoDocument};
use crate::model::Model;
use crate::{Error, Result};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fits each group by itself, on all threads, and keeps `terms` terms of each topic. The rows of a group
/// are those of [`Model::fit`] on its documents alone, whatever the other groups and the number of
/// threads are.
///
/// A group that cannot be fitted has the reason among its rows, and the others are fitted. Settings that
/// serve for no group are an error.
///
/// `observer` is called from many threads, before and during each fit. It hears how many groups are done,
/// and can end the work. Then the error is of kind interrupted.
pub fn fit_groups<G, D>(
    model: &Model,
    groups: &[G],
    settings: &FitSettings,
    terms: usize,
    observer: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<Vec<GroupRows>>
where
    G: AsRef<[D]> + Sync,
    D: Sync,
    for<'a> &'a D: IntoDocument,
{
    let config = &model.parts().config;
    settings.check(&config.prior, config.topics, (config.inference, config.em_steps))?;
    let done = AtomicUsize::new(0);
    let ask = || observer(done.load(Ordering::Relaxed));
    let fit = |group: &G| {
        if ask().is_break() {
            return Err(Error::interrupted("while groups were fitted"));
        }
        let rows = rows_of(model, group.as_ref(), settings, terms, &ask)?;
        done.fetch_add(1, Ordering::Relaxed);
        Ok(rows)
    };
    groups.par_iter().map(fit).collect()
}

fn rows_of<D>(
    model: &Model,
    documents: &[D],
    settings: &FitSettings,
    terms: usize,
    ask: &dyn Fn() -> ControlFlow<()>,
) -> Result<GroupRows>
where
    for<'a> &'a D: IntoDocument,
{
    if documents.is_empty() {
        return Ok(GroupRows::failed("has no documents; give at least one text"));
    }
    match model.fit_observed(documents, settings, &mut |_| ask()) {
        Ok(fit) => Ok(GroupRows::of(&fit, terms)),
        Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
        Err(error) => Ok(GroupRows::failed(error.to_string())),
    }
}

#[cfg(all(test, feature = "pretrained"))]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    const BEES: &str = "The queen bee left the hive; the beekeeper found honey and brood.";
    const BREAD: &str = "Knead flour, water and yeast; let the dough rise and bake the bread.";

    fn fitted(groups: &[Vec<&str>], threads: usize) -> Vec<GroupRows> {
        let model = Model::pretrained().unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let go_on = |_| ControlFlow::Continue(());
        pool.install(|| fit_groups(&model, groups, &FitSettings::default(), 5, &go_on)).unwrap()
    }

    #[test]
    fn a_group_has_the_numbers_of_its_fit_alone_on_any_number_of_threads() {
        let groups = [vec![BEES, BREAD], vec![BREAD], vec![BEES, BREAD, "Bees and bread."]];
        let fits = fitted(&groups, 1);
        assert_eq!(fits, fitted(&groups, 3));
        for (texts, rows) in groups.iter().zip(&fits) {
            let alone = Model::pretrained().unwrap().fit(texts, &FitSettings::default()).unwrap();
            for (one, row) in alone.documents().into_iter().zip(&rows.documents) {
                assert_eq!((one.id, one.topics), (row.document.as_str(), &row.proportions[..]));
                let main = row.proportions[row.main_topic as usize - 1];
                assert!(row.proportions.iter().all(|&other| other <= main));
            }
            for (topic, row) in alone.topics().into_iter().zip(&rows.topics) {
                assert_eq!(
                    (topic.share, topic.terms(5)),
                    (row.share, row.terms.iter().map(|term| term.as_str()).collect())
                );
            }
        }
    }

    #[test]
    fn a_group_without_documents_loses_no_other() {
        let rows = fitted(&[vec![], vec![BEES]], 1);
        assert!(rows[0].error.as_ref().unwrap().starts_with("has no documents"));
        assert_eq!((rows[0].topics.len(), rows[1].documents.len()), (0, 1));
    }

    #[test]
    fn rows_are_read_back_from_json_to_the_last_bit() {
        let rows = fitted(&[vec![BEES, BREAD]], 1);
        let json = serde_json::to_string(&rows).unwrap();
        assert_eq!(serde_json::from_str::<Vec<GroupRows>>(&json).unwrap(), rows);
    }

    #[test]
    fn settings_that_serve_for_no_group_are_an_error() {
        let (model, settings) =
            (Model::pretrained().unwrap(), FitSettings::default().with_topics(0));
        let fitted =
            fit_groups(&model, &[vec![BEES]], &settings, 5, &|_| ControlFlow::Continue(()));
        assert_eq!(fitted.unwrap_err().kind(), ErrorKind::BadSetting);
    }

    #[test]
    fn an_observer_ends_the_work() {
        let model = Model::pretrained().unwrap();
        let groups = vec![vec![BEES, BREAD]; 8];
        let flow = |done| if done < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let fitted = fit_groups(&model, &groups, &FitSettings::default(), 5, &flow);
        assert_eq!(fitted.unwrap_err().kind(), ErrorKind::Interrupted);
    }
}
