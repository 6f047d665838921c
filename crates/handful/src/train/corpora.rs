//! Divides corpora into those for training, those for validation, and those left out.

use crate::corpus::Corpus;
use crate::random::{Purpose, stream};
use crate::{Error, Result};
use rand::RngExt;

/// How to choose the validation corpora.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidationChoice {
    /// The corpora with these names.
    Named(Vec<String>),
    /// This number of corpora, drawn by the seed. With 0 there is no validation.
    Drawn(usize),
}

/// Corpora by their role.
#[derive(Clone, Debug)]
pub struct TrainingCorpora<'a> {
    /// The corpora that episodes are drawn from.
    pub training: Vec<&'a Corpus>,
    /// The corpora that early stopping uses.
    pub validation: Vec<&'a Corpus>,
    /// The corpora that nothing uses.
    pub excluded: Vec<&'a Corpus>,
}

impl<'a> TrainingCorpora<'a> {
    /// Assigns the corpora to their roles.
    pub fn choose(
        corpora: &'a [Corpus],
        excluded: &[String],
        validation: &ValidationChoice,
        seed: u64,
    ) -> Result<Self> {
        let known: Vec<&str> = corpora.iter().map(|corpus| &*corpus.name).collect();
        for name in excluded {
            expect_known("exclude", name, &known)?;
        }
        let (excluded, mut training): (Vec<_>, Vec<_>) =
            corpora.iter().partition(|corpus| excluded.contains(&corpus.name));
        let mut chosen = Vec::new();
        match validation {
            ValidationChoice::Named(names) => {
                for name in names {
                    expect_known("validation", name, &known)?;
                    if excluded.iter().any(|corpus| corpus.name == *name) {
                        return Err(Error::bad_setting(
                            format!("corpus {name}"),
                            "is both excluded and asked for as validation",
                            "take it out of one of the two",
                        ));
                    }
                }
                (chosen, training) =
                    training.into_iter().partition(|corpus| names.contains(&corpus.name));
            }
            ValidationChoice::Drawn(number) => {
                if *number > 0 && *number >= training.len() {
                    return Err(Error::setting(
                        "validation_corpora",
                        number,
                        format!(
                            "less than the number of usable corpora, {}, so that one is left to \
                             train on",
                            training.len()
                        ),
                    ));
                }
                let mut stream = stream(seed, Purpose::ValidationCorpora, 0);
                for _ in 0..*number {
                    chosen.push(training.remove(stream.random_range(0..training.len())));
                }
                chosen.sort_by(|a, b| a.name.cmp(&b.name));
            }
        }
        if training.is_empty() {
            return Err(Error::input(
                "the corpora",
                "none is left to train on",
                "give more corpora, or exclude fewer",
            ));
        }
        Ok(Self { training, validation: chosen, excluded })
    }
}

/// Refuses the name of a corpus that does not exist, and suggests the nearest name that does.
pub fn expect_known(role: &str, name: &str, known: &[&str]) -> Result<()> {
    if known.contains(&name) {
        return Ok(());
    }
    let nearest = known.iter().min_by_key(|known| strsim::levenshtein(known, name));
    let remedy = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "there are no usable corpora at all".to_owned(),
    };
    let problem = "there is no usable corpus of that name";
    Err(Error::unknown(role, name, problem, remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::WordCounts;

    fn corpora() -> Vec<Corpus> {
        let mut documents = WordCounts::new();
        documents.push_row([(0, 1)]);
        let names = ["arts", "games", "science", "sound", "web"];
        let corpus = |name: &str| Corpus {
            name: name.to_owned(),
            ids: vec!["0".to_owned()],
            documents: documents.clone(),
        };
        names.into_iter().map(corpus).collect()
    }

    #[test]
    fn every_corpus_has_one_role() {
        let corpora = corpora();
        for seed in 0..20 {
            let excluded = ["games".to_owned()];
            let choice = ValidationChoice::Drawn(2);
            let chosen = TrainingCorpora::choose(&corpora, &excluded, &choice, seed).unwrap();
            let mut all: Vec<&str> = [&chosen.training, &chosen.validation, &chosen.excluded]
                .into_iter()
                .flatten()
                .map(|corpus| &*corpus.name)
                .collect();
            all.sort_unstable();
            assert_eq!(all, ["arts", "games", "science", "sound", "web"]);
            assert_eq!((chosen.training.len(), chosen.validation.len()), (2, 2));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let named = ValidationChoice::Named(vec!["sciense".to_owned()]);
        let error = TrainingCorpora::choose(&corpora(), &[], &named, 1).unwrap_err();
        assert!(error.to_string().contains("did you mean `science`?"), "{error}");
    }

    #[test]
    fn something_must_be_left_to_train_on() {
        let corpora = corpora();
        for choice in [
            ValidationChoice::Drawn(5),
            ValidationChoice::Named(corpora.iter().map(|corpus| corpus.name.clone()).collect()),
        ] {
            assert!(TrainingCorpora::choose(&corpora, &[], &choice, 1).is_err());
        }
    }
}
