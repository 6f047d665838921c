//! The terms that a topic shows, as a caller sees them.
#![cfg(feature = "pretrained")]

use handful::{Fit, FitSettings, Model};

#[test]
fn a_topic_that_is_short_of_terms_is_not_filled_up_with_misspelled_words() {
    let answers = [
        "There is too much imigration and the borders are open.",
        "Immigration should be controlled at the border.",
        "Taxes are too high for working families.",
        "The economy needs jobs and lower taxes.",
        "Jobs for young people, and better schools.",
        "Schools need teachers and money.",
    ];
    let settings = FitSettings::default().with_topics(2);
    let fit = Model::pretrained().unwrap().fit(answers, &settings).unwrap();
    let topics = fit.topics();
    let of_borders = topics.iter().find(|topic| topic.terms(100).contains(&"immigration"));
    // Few words are about borders, so all that are well spelled are shown.
    let terms = of_borders.expect("two answers say it").terms(100);
    assert!(terms.len() < 10 && terms.contains(&"open"), "{terms:?}");
    assert!(topics.iter().all(|topic| !topic.terms(100).contains(&"imigration")));
}

const STEPPE: [&str; 2] = [
    "Genghis Khan united the tribes of the steppe. The army of Genghis Khan rode west, and Genghis Khan took \
     the cities. After his death the sons of the Khan divided the empire. They ruled from tents of felt.",
    "The Mongol empire was founded by Genghis Khan, whose horsemen shot arrows from the saddle. Genghis Khan \
     traded horses and silk. The Khan sent letters to the west.",
];

const METAL: [&str; 2] = [
    "The International Tin Council stopped trading in London. The Tin Council owed money to banks and brokers. \
     The price of tin fell after the Tin Council ran out of money. The council met creditors again.",
    "Malaysia and other producers of tin said the Tin Council must pay its debts. The Tin Council bought metal \
     to hold prices up. Mines closed, and prices fell on the metal exchange.",
];

#[test]
fn a_phrase_and_its_words_take_one_of_ten_places() {
    let settings = FitSettings::default().with_topics(2);
    let texts = STEPPE.into_iter().chain(METAL);
    let fit = Model::pretrained().unwrap().fit(texts, &settings).unwrap();
    for (phrase, words) in
        [("genghis khan", ["genghis", "khan"]), ("tin council", ["tin", "council"])]
    {
        let topic = fit.topics().into_iter().find(|topic| topic.terms(10).contains(&phrase));
        let topic = topic.expect("the phrase tells a topic");
        let terms = topic.terms(100);
        assert!(!words.iter().any(|word| terms.contains(word)), "{terms:?}");
        assert_eq!(topic.terms(10).len(), 10);
        let lines = topic.weighted_terms(10);
        let line = lines.iter().find(|line| line.term == phrase).unwrap();
        // All of them are said alone, too, but for the first.
        let alone: Vec<&str> = words.into_iter().filter(|word| *word != "genghis").collect();
        assert!(alone.iter().all(|word| line.forms.iter().any(|form| form == word)), "{line:?}");
    }
    // A directory keeps the same terms.
    let folder = tempfile::tempdir().unwrap();
    fit.save(folder.path().join("topics")).unwrap();
    let opened = Fit::open(folder.path().join("topics")).unwrap();
    for (topic, kept) in fit.topics().iter().zip(opened.topics()) {
        assert_eq!(topic.weighted_terms(100), kept.weighted_terms(100));
    }
}
