//! Phrases are terms of a fit: what a caller sees of them.
#![cfg(feature = "pretrained")]

use handful::views::Shown;
use handful::{Fit, FitSettings, Model};
use std::sync::OnceLock;

const BANK: &str = "The central bank watched mortgage rates again. Higher mortgage rates make houses dear, and mortgage \
     rates decide what a family borrows. The central bank looks at inflation before it moves mortgage rates.";
const GLACIER: &str = "Glaciers melt as the climate warms. Meltwater runs under the glacier and the ice slides to the \
     sea, where icebergs break off. The ice sheet loses more snow than falls in winter.";

fn fit() -> &'static Fit {
    static FIT: OnceLock<Fit> = OnceLock::new();
    FIT.get_or_init(|| {
        let model = Model::pretrained().unwrap();
        model.fit([BANK, GLACIER], &FitSettings::default().with_topics(2)).unwrap()
    })
}

/// The terms of document `n` of a fit, as often as they are placed.
fn placed(fit: &Fit, n: usize) -> Vec<&str> {
    fit.words(n).unwrap().into_iter().map(|word| word.term).collect()
}

#[test]
fn a_phrase_is_placed_as_one_word() {
    let words = fit().words(0).unwrap();
    let phrases: Vec<_> = words.iter().filter(|word| word.term == "mortgage rates").collect();
    assert_eq!(phrases.len(), 4);
    for phrase in &phrases {
        let written = BANK[phrase.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(written, "mortgage rates");
        assert!(!phrase.is_new);
        let sum: f64 = phrase.topics.iter().sum::<f64>() + phrase.background;
        assert!((sum - 1.0).abs() < 1e-9);
    }
    assert!(!placed(fit(), 0).iter().any(|term| ["mortgage", "rates"].contains(term)));
    // A reader counts words, not terms.
    let counted = fit().documents()[0].words;
    assert_eq!(counted as usize, words.len() + phrases.len());
}

#[test]
fn topics_have_a_probability_for_a_phrase_and_name_it() {
    let topics = fit().topics();
    let of_bank = topics.iter().position(|topic| topic.terms(10).contains(&"mortgage rates"));
    let of_bank = of_bank.expect("the phrase tells a topic");
    let by_probability = topics[of_bank].terms_by_relevance(1.0, 10).unwrap();
    assert!(by_probability.iter().any(|term| term.term == "mortgage rates"));
    assert!(fit().documents()[0].topics[of_bank] > 0.5);
    assert!(!topics[1 - of_bank].terms(10).contains(&"mortgage rates"));
}

#[test]
fn a_phrase_of_the_fit_is_found_where_a_further_document_says_it_once() {
    let text = "Rates of a mortgage differ, but mortgage rates of the bank fell.";
    let saved = tempfile::tempdir().unwrap();
    let directory = saved.path().join("topics");
    fit().save(&directory).unwrap();
    let opened = Fit::open(&directory).unwrap();
    let further = [fit().infer([text]).unwrap(), opened.infer([text]).unwrap()];
    for inferred in &further {
        let terms = placed(inferred, 0);
        assert_eq!(terms.iter().filter(|term| **term == "mortgage rates").count(), 1);
        assert!(terms.contains(&"rates") && terms.contains(&"mortgage"));
    }
    let json = |fit: &Fit| fit.to_json(&Shown::default().with_words()).unwrap();
    let documents = |fit: &Fit| {
        let all: serde_json::Value = serde_json::from_str(&json(fit)).unwrap();
        all["documents"].clone()
    };
    assert_eq!(documents(&further[0]), documents(&further[1]));
}

#[test]
fn a_document_has_the_same_topics_in_the_fit_and_in_infer() {
    let inferred = fit().infer([BANK, GLACIER]).unwrap();
    for (of_fit, again) in fit().documents().iter().zip(inferred.documents()) {
        for (a, b) in of_fit.topics.iter().zip(again.topics) {
            assert!((a - b).abs() < 0.05, "{:?} and {:?}", of_fit.topics, again.topics);
        }
        let background = [of_fit.background, again.background].map(Option::unwrap);
        assert!((background[0] - background[1]).abs() < 0.05, "{background:?}");
    }
}

#[test]
fn counts_may_name_a_phrase_of_the_fit() {
    let counts = vec![("mortgage rates", 3), ("bank", 1)];
    let inferred = fit().infer([&counts]).unwrap();
    let of_bank = |fit: &Fit, n: usize| fit.documents()[n].topics.to_vec();
    let [in_fit, by_counts] = [of_bank(fit(), 0), of_bank(&inferred, 0)];
    let main = |theta: &[f32]| usize::from(theta[1] > theta[0]);
    assert_eq!(main(&in_fit), main(&by_counts));
}
