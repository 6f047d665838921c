//! Documents that mix topics: what a fit promises of them.
#![cfg(feature = "pretrained")]

use handful::fit::{EmStop, Granularity};
use handful::internals::corpus::WordCounts;
use handful::internals::prior::FitPrior;
use handful::internals::topic_model::TopicModel;
use handful::views::Shown;
use handful::{Fit, FitSettings, Model};
use std::collections::BTreeMap;
use std::sync::OnceLock;

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::pretrained().unwrap())
}

const BEES: [&str; 2] = [
    "The bees left the hive in May; the queen and half of the workers went with them. A beekeeper \
     found the swarm in an apple tree and shook it into a wooden box. In the new hive the workers \
     built wax combs within a week, and the queen laid eggs in the cells. By June the nurse bees fed \
     larvae with pollen and nectar, and foragers brought honey from lime trees and clover. The \
     beekeeper added a second box, smoked the colony gently and counted the frames with brood.",
    "A colony of honey bees needs forty pounds of honey to live through the winter. Varroa mites \
     weaken the larvae, so the beekeeper looks at the brood in autumn and treats the hive with acid. \
     Drones are thrown out by the workers once the nectar stops. The queen stops laying, and the bees \
     form a cluster on the combs to keep warm. In spring foragers collect willow pollen, the brood \
     nest grows, and wax cells are filled with nectar again.",
];

const ROCKETS: [&str; 2] = [
    "The rocket stood on the launch pad with its tanks full of liquid oxygen and kerosene. At ignition \
     nine engines produced enough thrust to lift the spacecraft off the ground. After two minutes the \
     first stage separated and the upper stage burned until the capsule reached orbit. Engineers at \
     mission control watched telemetry from the guidance computer. The astronauts docked with the \
     space station the next day, and the booster landed on a ship in the ocean.",
    "A satellite in low orbit circles the earth in ninety minutes. To reach it, the launch vehicle \
     must fly at eight kilometres a second. Solid boosters give thrust for the first minute, then the \
     main engine burns hydrogen and oxygen. NASA tested the new engine on a stand before the mission. \
     The spacecraft carries solar panels, an antenna and a small thruster that keeps it in orbit \
     while engineers send commands from the ground station.",
];

const BEE_HALF: &str = "Swarming bees follow their old queen out of the hive. Scouts look for a hollow tree, and the \
     swarm hangs on a branch until they return. The beekeeper brushes the workers into a box with wax \
     combs, and they begin to store honey. Within three weeks new brood hatches, nurse bees feed the \
     larvae with pollen, and foragers carry nectar from clover and lime trees back to the colony.";
const ROCKET_HALF: &str = "The launch of the rocket was delayed because a valve in the oxygen tank leaked. Engineers replaced \
     it, and two days later the engines ignited on the launch pad. The booster separated, the upper \
     stage fired its engine twice, and the satellite reached its orbit. Mission control received \
     telemetry from the spacecraft, unfolded the solar panels and tested the thrusters in orbit.";

fn joined() -> String {
    format!("{BEE_HALF}\n\n{ROCKET_HALF}")
}

/// Two pure documents of each subject, and one that joins both.
fn handful_of_five() -> Vec<String> {
    let pure = BEES.iter().chain(&ROCKETS).map(|&text| text.to_owned());
    pure.chain([joined()]).collect()
}

fn two_topics() -> FitSettings {
    FitSettings::default().with_topics(2)
}

/// The shares of a document, that of the bees first: the topic that the first document has most of.
fn shares(fit: &Fit, n: usize) -> [f32; 2] {
    let documents = fit.documents();
    let bees = usize::from(documents[0].topics[1] > documents[0].topics[0]);
    [documents[n].topics[bees], documents[n].topics[1 - bees]]
}

/// The mean share of a topic in the words of a text that stand in a range of it.
fn share_of_words(fit: &Fit, n: usize, topic: usize, range: std::ops::Range<usize>) -> f64 {
    let words = fit.words(n).unwrap();
    let within: Vec<f64> = words
        .iter()
        .filter(|word| range.contains(&word.range.start) && !word.topics.is_empty())
        // Of what the background leaves.
        .map(|word| word.topics[topic] / word.topics.iter().sum::<f64>())
        .collect();
    within.iter().sum::<f64>() / within.len() as f64
}

#[test]
fn a_text_that_joins_two_subjects_shows_both() {
    let fit = model().fit(handful_of_five(), &two_topics()).unwrap();
    let [bees, rockets] = shares(&fit, 4);
    let words = |text: &str| text.split_whitespace().count() as f32;
    let truth = words(BEE_HALF) / (words(BEE_HALF) + words(ROCKET_HALF));
    assert!((bees - truth).abs() < 0.2, "{bees} of {truth}");
    assert!((bees + rockets - 1.0).abs() < 1e-5);
}

#[test]
fn pure_documents_stay_pure() {
    let fit = model().fit(handful_of_five(), &two_topics()).unwrap();
    for n in 0..4 {
        let [bees, rockets] = shares(&fit, n);
        assert!(if n < 2 { bees } else { rockets } >= 0.75, "{n}: {bees} {rockets}");
    }
}

#[test]
fn words_of_a_joined_text_belong_to_their_halves() {
    let fit = model().fit(handful_of_five(), &two_topics()).unwrap();
    let bees = usize::from(fit.documents()[0].topics[1] > 0.5);
    let (middle, end) = (BEE_HALF.len(), joined().len());
    assert!(share_of_words(&fit, 4, bees, 0..middle) > 0.7);
    assert!(share_of_words(&fit, 4, 1 - bees, middle..end) > 0.7);
    // Sentences that speak for a topic are about it, also those of the joined text.
    let about_bees = [BEES[0], BEES[1], BEE_HALF];
    let is_right = |quote: &handful::fit::Quote<'_>, wanted: bool| {
        about_bees.iter().any(|text| text.contains(&quote.text)) == wanted
    };
    let quotes = fit.quotes(8);
    assert!(quotes[bees].iter().all(|quote| is_right(quote, true)), "{:?}", quotes[bees]);
    assert!(quotes[1 - bees].iter().all(|quote| is_right(quote, false)), "{:?}", quotes[1 - bees]);
    #[cfg(feature = "report")]
    assert!(fit.report().unwrap().html().contains("telemetry"));
}

#[test]
fn one_document_alone_shows_its_two_subjects() {
    let fit = model().fit([joined()], &two_topics()).unwrap();
    let document = fit.documents()[0];
    assert!(document.topics.iter().all(|&share| share > 0.3), "{:?}", document.topics);
    let (middle, end) = (BEE_HALF.len(), joined().len());
    let first = share_of_words(&fit, 0, 0, 0..middle);
    let bees = usize::from(first < 0.5);
    let right =
        [share_of_words(&fit, 0, bees, 0..middle), share_of_words(&fit, 0, 1 - bees, middle..end)];
    assert!(right.iter().all(|&share| share > 0.7), "{right:?}");
}

#[test]
fn the_order_of_documents_changes_no_shares() {
    let texts = handful_of_five();
    let fit = model().fit(&texts, &two_topics()).unwrap();
    let turned: Vec<&String> = texts.iter().rev().collect();
    let other = model().fit(turned, &two_topics()).unwrap();
    let bees = usize::from(other.documents()[4].topics[1] > other.documents()[4].topics[0]);
    for n in 0..5 {
        let share = other.documents()[4 - n].topics[bees];
        assert!((shares(&fit, n)[0] - share).abs() < 1e-4, "{n}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let fitted = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let fit = pool.install(|| model().fit(handful_of_five(), &two_topics()).unwrap());
        fit.to_json(&Shown::default().with_sentences(2).with_words()).unwrap()
    };
    assert_eq!(fitted(1), fitted(3));
}

#[test]
fn any_handful_of_texts_has_shares_that_sum_to_one() {
    let texts = handful_of_five();
    let (bees, rocket, joined) = (&texts[0][..], &texts[2][..], &texts[4][..]);
    let handfuls: [&[&str]; 9] = [
        &["", bees, rocket, ""],
        &[bees, rocket, joined],
        &[bees, rocket],
        &[joined, ""],
        &["bees"],
        &["", ""],
        &[bees, bees, bees, bees],
        &["xyzzy plugh", bees],
        &[bees, "rocket", "honey bees", joined],
    ];
    for texts in handfuls {
        for topics in [1, 2, 3, 6, 20] {
            let fit = model().fit(texts, &FitSettings::default().with_topics(topics)).unwrap();
            assert!((fit.topics().iter().map(|topic| topic.share).sum::<f64>()) < 1.001);
            for (n, document) in fit.documents().iter().enumerate() {
                let sum: f32 = document.topics.iter().sum();
                assert!((sum - 1.0).abs() < 1e-4, "{texts:?} {topics}: {:?}", document.topics);
                let words = fit.words(n).unwrap();
                let counted: usize = words.iter().map(|word| word.term.split(' ').count()).sum();
                assert_eq!(counted as u64, document.words);
            }
        }
    }
}

#[test]
fn documents_given_as_counts_are_fitted_whole() {
    // Their words have no order to go by: each is fitted whole, by the prior and EM alone.
    let vocabulary = &model().parts().vocabulary;
    let counted = |text: &String| -> BTreeMap<String, u32> {
        let mut counts = BTreeMap::new();
        for word in text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase) {
            if vocabulary.index(&word).is_some() {
                *counts.entry(word).or_default() += 1;
            }
        }
        counts
    };
    let counts: Vec<Vec<(String, u32)>> =
        handful_of_five().iter().map(|text| counted(text).into_iter().collect()).collect();
    let mut rows = WordCounts::new();
    for counts in &counts {
        let index = |(word, count): &(String, u32)| (vocabulary.index(word).unwrap(), *count);
        rows.push_row(counts.iter().map(index).collect::<BTreeMap<_, _>>());
    }
    let fit = model().fit(&counts, &two_topics()).unwrap();
    let stop = EmStop::Steps(model().parts().config.em_steps);
    let prior = FitPrior::from(&model().parts().prior).with_topics(2);
    let mut whole = TopicModel::fit(prior, &rows, stop);
    whole.count_background(&rows, None);
    assert!(*fit.topic_model() == whole, "documents given as counts were not fitted whole");
}

/// A fit of the pure documents, in which no document joins subjects.
fn of_pure_documents() -> Fit {
    model().fit(BEES.iter().chain(&ROCKETS), &two_topics()).unwrap()
}

/// A part of each pure document's subject that the fit has not seen.
fn further() -> Vec<String> {
    vec![joined(), BEE_HALF.to_owned(), ROCKET_HALF.to_owned(), "honey bees".to_owned()]
}

#[test]
fn a_further_text_that_joins_two_topics_shows_both_and_pure_ones_stay_pure() {
    let fit = of_pure_documents();
    let bees = usize::from(fit.documents()[0].topics[1] > 0.5);
    let later = fit.infer(further()).unwrap();
    let share = |n: usize| later.documents()[n].topics[bees];
    let words = |text: &str| text.split_whitespace().count() as f32;
    let truth = words(BEE_HALF) / (words(BEE_HALF) + words(ROCKET_HALF));
    assert!((share(0) - truth).abs() < 0.2, "{} of {truth}", share(0));
    assert!(share(1) > 0.8 && share(2) < 0.2, "{} {}", share(1), share(2));
    let (middle, end) = (BEE_HALF.len(), joined().len());
    // Some of every word is the background's.
    let more = |topic: usize, range: std::ops::Range<usize>| {
        share_of_words(&later, 0, topic, range.clone())
            - share_of_words(&later, 0, 1 - topic, range)
    };
    let right = [more(bees, 0..middle), more(1 - bees, middle..end)];
    assert!(right.iter().all(|&more| more > 0.3), "{right:?}");
    for document in later.documents() {
        assert!((document.topics.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}

#[test]
fn a_further_text_is_read_alike_alone_and_from_a_directory() {
    let fit = of_pure_documents();
    let folder = tempfile::tempdir().unwrap();
    fit.save(folder.path().join("topics")).unwrap();
    let opened = Fit::open(folder.path().join("topics")).unwrap();
    let together = fit.infer(further()).unwrap();
    let from_directory = opened.infer(further()).unwrap();
    assert_eq!(from_directory.documents(), together.documents());
    for (n, text) in further().into_iter().enumerate() {
        let alone = fit.infer([text]).unwrap();
        assert_eq!(alone.documents()[0].topics, together.documents()[n].topics);
        assert_eq!(alone.words(0), together.words(n));
        assert_eq!(from_directory.words(n), together.words(n));
    }
}

#[test]
fn a_further_text_of_one_passage_is_about_one_thing_in_whatever_order() {
    let fit = of_pure_documents();
    let topics = |text: &str| fit.infer([text]).unwrap().documents()[0].topics.to_vec();
    // Eight words are one passage. All but the last are of the bees' topic.
    let (text, turned) = (
        "hive queen brood honey wax colony swarm launch",
        "launch swarm colony wax honey brood queen hive",
    );
    let bees = fit.documents()[0].topics;
    let main = (0..bees.len()).max_by(|&a, &b| bees[a].total_cmp(&bees[b])).unwrap();
    assert!(topics(text)[main] > 0.9, "{:?}", topics(text));
    assert_eq!(topics(turned), topics(text));
}

#[test]
fn further_documents_given_as_counts_are_read_whole() {
    let fit = of_pure_documents();
    let counts = |text: &str| -> Vec<(String, u32)> {
        let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        words.for_each(|word| *counts.entry(word.to_lowercase()).or_default() += 1);
        counts.into_iter().collect()
    };
    let topics = |fit: &Fit| fit.documents()[0].topics.to_vec();
    let short = counts("hive queen rocket orbit honey wax engine launch brood");
    let both = fit.infer([short.clone(), counts(&joined())]).unwrap();
    assert_eq!(topics(&fit.infer([short]).unwrap()), topics(&both));
    // Nobody knows in which order the words stood, so none has a place.
    assert_eq!(both.words(0), None);
    let text = fit.infer([joined()]).unwrap();
    assert_ne!(both.documents()[1].topics, text.documents()[0].topics);
}

#[test]
fn a_further_document_about_something_else_is_outside_the_topics() {
    let fit = of_pure_documents();
    let folder = tempfile::tempdir().unwrap();
    fit.save(folder.path().join("topics")).unwrap();
    let opened = Fit::open(folder.path().join("topics")).unwrap();
    let music =
        "The orchestra played a symphony by Mahler, and the audience applauded the conductor.";
    for fit in [&fit, &opened] {
        let later = fit.infer([BEE_HALF, music, &joined(), ""]).unwrap();
        let outside: Vec<Option<bool>> = later.documents().iter().map(|it| it.outside).collect();
        assert_eq!(outside, [Some(false), Some(true), Some(false), None]);
        assert!(
            later
                .warnings()
                .iter()
                .any(|it| it.starts_with("1 of 4 documents seems to be about none"))
        );
        // Its shares are no finding, so nobody draws them.
        assert_eq!(later.documents()[1].topics.len(), 2);
        let text = later.to_text(&Shown::default()).unwrap();
        let (_, after) =
            text.split_once("about none of the topics, as far as its words tell\n").unwrap();
        assert!(after.lines().next().unwrap().starts_with("  2 "), "{text}");
        let why = |id: &str| later.explanation_text(&later.explain(id).unwrap());
        assert!(
            why("1").ends_with("\n  It is about none of the topics, as far as its words tell.\n")
        );
        assert!(why("3").ends_with("\n  It has no words to tell by.\n"));
        assert!(why("0").contains("by the words"));
        #[cfg(feature = "report")]
        {
            let page = later.report().unwrap().html().to_owned();
            assert_eq!(page.matches("class=\"stack\"").count(), 2);
            assert!(page.contains(">about none of the topics, as far as its words tell<"));
        }
    }
    // The topics were made of these.
    assert!(fit.documents().iter().all(|document| document.outside.is_none()));
}

#[test]
fn one_text_alone_is_given_as_many_topics_as_it_has_subjects() {
    let topics = |text: &str| {
        let fit = model().fit([text], &FitSettings::default()).unwrap();
        assert_eq!(fit.documents()[0].topics.len(), fit.topics().len());
        fit.topics().len()
    };
    assert_eq!(topics(&joined()), 2);
    assert_eq!(topics(&BEES.join(" ")), 1);
    assert_eq!(topics(ROCKETS[0]), 1);
    assert_eq!(topics("honey bees"), 1);
    let fine = FitSettings::default().with_granularity(Granularity::Fine);
    assert_eq!(model().fit([BEES.join(" ")], &fine).unwrap().topics().len(), 2);
}
