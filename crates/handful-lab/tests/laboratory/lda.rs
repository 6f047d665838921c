//! What the LDA methods learn from.

use crate::support::{corpora, settings, vocabulary};
use handful::internals::em::EmStop;
use handful::internals::numeric::largest;
use handful_lab::Comparison;
use handful_lab::methods::{Lesson, Recipe};

#[test]
fn topics_of_the_task_have_its_words_on_top_and_topics_of_all_do_not_change_with_it() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c2", 0).unwrap();
    let learn = |recipe: Recipe| recipe.learn(&experiment.material).unwrap().learned;
    let individual = learn(Recipe::LdaIndividual { topics: 2 });
    let all = learn(Recipe::LdaAll { topics: 2 });
    let mut of_all = Vec::new();
    for (number, task) in experiment.tasks.iter().enumerate() {
        let of_task =
            individual.topic_model(&task.support, number, EmStop::Steps(0)).unwrap().unwrap();
        let largest = largest(&of_task.weights, 1)[0] as usize;
        let top = of_task.top_terms(largest, 3);
        assert!(top.iter().all(|top| task.support.terms().contains(&top.term)));
        let folded = all.topic_model(&task.support, number, EmStop::Steps(0)).unwrap().unwrap();
        of_all.push(folded.word_probabilities);
    }
    of_all.dedup();
    assert_eq!(of_all.len(), 1);
}

#[test]
fn a_fourth_part_is_never_worse_on_the_validation_tasks() {
    let (corpora, vocabulary) = (corpora(), vocabulary());
    let comparison = Comparison::new(settings(), &corpora, &vocabulary).unwrap();
    let experiment = comparison.experiment("c2", 0).unwrap();
    let three = Recipe::SmoothedUnigram.learn(&experiment.material).unwrap();
    let four = Recipe::SmoothedLda.learn(&experiment.material).unwrap();
    assert_eq!((three.weights.len(), four.weights.len()), (3, 4));
    for weights in [&three.weights, &four.weights] {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let on_validation = |lesson: &Lesson| -> f64 {
        let tasks = experiment.material.validation_tasks().unwrap();
        let task = |(n, task)| lesson.learned.log_likelihood(task, n, EmStop::Steps(0));
        tasks.iter().enumerate().map(task).sum()
    };
    assert!(on_validation(&four) >= on_validation(&three) - 1e-6);
}
