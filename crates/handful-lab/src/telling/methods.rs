//! The methods that name topics by terms.

use super::own_tf_idf::own_tf_idf;
use super::{TellingAnswer, TellingTask, class_tf_idf};
use crate::clustering::{k_means, nmf};
use crate::given::Supplies;
use crate::groups::{GroupingLesson, GroupingRecipe, TRAINING_STREAM, gram_of, largest_topics};
use crate::methods::{self, MODEL};
use crate::{GivenKind, Settings, TERMS_SHOWN};
use handful::internals::numeric::largest;
use handful::internals::random::{Purpose, stream};
use handful::text::Vocabulary;
use handful::{Fit, FitSettings, Result};
use rand_chacha::ChaCha8Rng;

/// A method that names topics by terms.
#[derive(Debug, PartialEq)]
pub struct TellingMethod {
    /// The name in the command and in results.
    pub id: &'static str,
    /// How the method works.
    pub design: Naming,
}

/// How to find topics, and to name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// With a model that was trained elsewhere, as [`handful::Model::fit`] and [`handful::Topic::terms`]
    /// have it.
    FinishedModel,
    /// With class-based tf-idf on the groups of that model.
    ClassTfIdf,
    /// With class-based tf-idf on k-means of vectors of the documents that were made elsewhere.
    ClassTfIdfGiven,
    /// With a non-negative factorisation of tf-idf, whose weights were learned from other corpora.
    Nmf,
    /// The same, with weights of the handful alone.
    NmfOwn,
    /// With the most probable terms of the topics of the comparison's method of the same name.
    Topics,
}

/// All methods that name topics by terms.
pub static TELLING_METHODS: [TellingMethod; 6] = {
    const fn naming(id: &'static str, design: Naming) -> TellingMethod {
        TellingMethod { id, design }
    }
    [
        naming(MODEL, Naming::FinishedModel),
        naming("class-tf-idf", Naming::ClassTfIdf),
        naming("class-tf-idf-given", Naming::ClassTfIdfGiven),
        naming("nmf", Naming::Nmf),
        naming("nmf-own", Naming::NmfOwn),
        naming("lda-ind", Naming::Topics),
    ]
};

/// Returns the method with this name.
pub fn telling_method(id: &str) -> Result<&'static TellingMethod> {
    let problem = "there is none of that name that tells topics by terms";
    methods::by_name(&TELLING_METHODS, |method| method.id, id, problem, "`all`")
}

impl TellingMethod {
    /// Returns what to learn for tasks of K subjects. Methods with equal recipes share what was
    /// learned.
    pub fn recipe(&self, settings: &Settings, subjects: usize) -> GroupingRecipe {
        match self.design {
            Naming::FinishedModel | Naming::ClassTfIdf => GroupingRecipe::FinishedModel,
            Naming::ClassTfIdfGiven | Naming::NmfOwn => GroupingRecipe::Nothing,
            Naming::Nmf => GroupingRecipe::Vectors { svd: false },
            Naming::Topics => {
                let method = methods::method(self.id).expect("the comparison has it");
                GroupingRecipe::of_topics(method, settings, subjects)
            }
        }
    }

    /// What the method must be given beside the corpora.
    pub fn asks_for(&self) -> Option<GivenKind> {
        self.design.asks_for()
    }
}

impl Naming {
    pub(super) fn asks_for(self) -> Option<GivenKind> {
        match self {
            Self::FinishedModel | Self::ClassTfIdf => Some(GivenKind::Model),
            Self::ClassTfIdfGiven => Some(GivenKind::PassageVectors),
            Self::Nmf | Self::NmfOwn | Self::Topics => None,
        }
    }
}

/// What methods answer tasks with.
pub(super) struct Means<'a> {
    /// What was learned.
    pub(super) lesson: &'a GroupingLesson,
    /// The seed of everything random.
    pub(super) seed: u64,
    /// The terms of all corpora.
    pub(super) vocabulary: &'a Vocabulary,
    /// What was made elsewhere.
    pub(super) supplies: &'a Supplies,
}

impl Means<'_> {
    /// Answers task `number`.
    pub(super) fn answer(
        &self,
        design: Naming,
        task: &TellingTask,
        number: usize,
    ) -> Result<TellingAnswer> {
        let topics = task.subjects();
        let mut stream =
            stream(self.seed, Purpose::Clustering, TRAINING_STREAM + 1 + number as u64);
        match design {
            Naming::FinishedModel => {
                let fit = self.fit(task)?;
                let terms = |topic: &handful::Topic<'_>| {
                    topic.terms(TERMS_SHOWN).into_iter().map(str::to_owned).collect()
                };
                let terms = fit.topics().iter().map(terms).collect();
                Ok(TellingAnswer { groups: largest_topics(fit.topic_model()), terms })
            }
            Naming::ClassTfIdf => {
                let fit = self.fit(task)?;
                let groups = largest_topics(fit.topic_model());
                Ok(self.by_class_tf_idf(task, groups, fit.topics().len()))
            }
            Naming::ClassTfIdfGiven => {
                let groups = self.given_groups(task, &mut stream)?;
                Ok(self.by_class_tf_idf(task, groups, topics))
            }
            Naming::Nmf => {
                let weighed = self.lesson.vectors().matrix(&task.counts);
                Ok(self.by_nmf(&weighed, topics, &mut stream))
            }
            Naming::NmfOwn => Ok(self.by_nmf(&own_tf_idf(&task.counts), topics, &mut stream)),
            Naming::Topics => {
                let model = self.lesson.topic_model(&task.counts, number)?;
                let name = |k: usize| {
                    self.spelled(model.top_terms(k, TERMS_SHOWN).into_iter().map(|top| top.term))
                };
                let terms = (0..model.topics).map(name).collect();
                Ok(TellingAnswer { groups: largest_topics(&model), terms })
            }
        }
    }

    /// Fits the handful as users do.
    fn fit(&self, task: &TellingTask) -> Result<Fit> {
        let texts: Vec<&str> = task.handful.iter().map(|document| &*document.text).collect();
        let settings = FitSettings::default().with_topics(task.subjects()).without_held_out_words();
        self.supplies.model()?.model.fit(&texts, &settings)
    }

    /// Groups the vectors that were given for the documents, each of which is one passage.
    fn given_groups(&self, task: &TellingTask, stream: &mut ChaCha8Rng) -> Result<Vec<usize>> {
        let vectors = self.supplies.vectors("class-tf-idf-given")?;
        let rows = (0..task.handful.len()).map(|n| vectors.of(&task.key, n, 0));
        let rows = rows.collect::<Result<Vec<&[f64]>>>()?;
        Ok(k_means(&gram_of(&rows), task.subjects(), stream))
    }

    /// Names each component by its largest entries.
    fn by_nmf(
        &self,
        (terms, matrix): &(Vec<u32>, Vec<Vec<f64>>),
        topics: usize,
        stream: &mut ChaCha8Rng,
    ) -> TellingAnswer {
        let factors = nmf(matrix, topics, stream);
        let name = |part: &Vec<f64>| {
            let best = largest(part, TERMS_SHOWN).into_iter().map(|j| j as usize);
            self.spelled(best.filter(|&j| part[j] > 0.0).map(|j| terms[j]))
        };
        let terms = factors.parts.iter().map(name).collect();
        TellingAnswer { groups: factors.largest(), terms }
    }

    fn by_class_tf_idf(
        &self,
        task: &TellingTask,
        groups: Vec<usize>,
        topics: usize,
    ) -> TellingAnswer {
        let named = class_tf_idf(&task.counts, &groups, topics, TERMS_SHOWN);
        let terms = named.into_iter().map(|terms| self.spelled(terms.into_iter())).collect();
        TellingAnswer { groups, terms }
    }

    fn spelled(&self, terms: impl Iterator<Item = u32>) -> Vec<String> {
        terms.map(|term| self.vocabulary.term(term).to_owned()).collect()
    }
}
