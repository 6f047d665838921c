//! The front door: texts in, topics out, from one model that never changes.
#![cfg(feature = "pretrained")]

use handful::fit::Part;
use handful::views::{Shown, Summary};
use handful::{ErrorKind, Fit, FitSettings, Model, Progress, Topics};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::thread;

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::pretrained().unwrap())
}

const TEXTS: [&str; 4] = [
    "The bees left the hive in May; the queen and half of the workers went with them. \
     A beekeeper found the swarm in an apple tree, and the honey was lost.",
    "A hive needs forty pounds of honey to bring its bees through the winter. Varroa mites \
     weaken the bees, so the beekeeper looks at the brood in autumn.",
    "Knead flour, water, salt and yeast; let the dough rise, then bake the bread until the crust \
     is brown. A hot oven and a little steam make a better crust.",
    "Bread dough that rises overnight in the cold has more flavour when it is baked. Rye flour \
     needs more water than wheat flour, and a longer rest.",
];

/// Everything that a program could see of a fit, to the last bit.
fn all(fit: &Fit) -> String {
    fit.to_json(&Shown::default().with_sentences(2).with_words()).unwrap()
}

#[test]
fn texts_pairs_and_counts_can_be_fitted() {
    let settings = FitSettings::default().with_topics(2);
    let by_text = model().fit(TEXTS, &settings).unwrap();
    let ids: Vec<&str> = by_text.documents().iter().map(|document| document.id).collect();
    assert_eq!(ids, ["0", "1", "2", "3"]);
    let pairs: Vec<(String, &str)> =
        (0..).zip(TEXTS).map(|(n, text): (u32, &str)| (n.to_string(), text)).collect();
    assert_eq!(all(&model().fit(&pairs, &settings).unwrap()), all(&by_text));
    let owned: Vec<String> = TEXTS.iter().map(|&text| text.to_owned()).collect();
    assert_eq!(all(&model().fit(owned, &settings).unwrap()), all(&by_text));
    let counts = [vec![("bees", 3), ("hive", 2)], vec![("bread", 3), ("flour", 2)]];
    let by_counts = model().fit(&counts, &settings).unwrap();
    let main = |n: usize| by_counts.documents()[n].topics[0] > 0.5;
    assert_ne!(main(0), main(1));
    assert!(by_counts.words(0).is_none());
}

#[test]
fn no_documents_at_all_are_refused() {
    let none: [&str; 0] = [];
    for settings in [FitSettings::default(), FitSettings::default().with_topics(2)] {
        let error = model().fit(none, &settings).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert_eq!(error.to_string(), "the documents: there are none; give at least one");
    }
}

#[test]
fn eight_threads_on_one_model_get_the_bits_of_one() {
    // Each with its own number of topics and its own new words.
    let work = |thread: usize| {
        let new = format!("zzyx{}", char::from(b'a' + thread as u8));
        let texts: Vec<String> = TEXTS.iter().map(|text| format!("{text} {new} {new}.")).collect();
        let topics = if thread == 7 { Topics::Auto } else { Topics::Number(1 + thread % 4) };
        let settings = FitSettings::default().with_topics(topics).with_seed(thread as u64);
        let fit = model().fit(&texts, &settings).unwrap();
        (all(&fit), all(&fit.infer(["honey and flour"]).unwrap()))
    };
    let alone: Vec<_> = (0..8).map(work).collect();
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|i| scope.spawn(move || work(i))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(alone == together);
    // And the model is as it was.
    assert_eq!(work(0), alone[0]);
    assert!(alone[3].0.contains("zzyxd") && !alone[3].0.contains("zzyxc"));
}

#[test]
fn a_model_and_a_fit_can_be_shared_among_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<Model>();
    shared::<Fit>();
    shared::<FitSettings>();
    fn sent<T: Send + Sync + 'static>() {}
    sent::<handful::Error>();
}

#[test]
fn a_model_that_was_opened_and_saved_again_is_the_same_model() {
    // Weights that stay in their file until they are needed are there when they are saved.
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    model().save(&first).unwrap();
    let opened = Model::open(&first).unwrap();
    opened.fit(TEXTS, &FitSettings::default().with_topics(2)).unwrap();
    opened.save(&second).unwrap();
    for file in ["config.json", "model.safetensors", "vocabulary.txt", "README.md"] {
        let read = |directory: &std::path::Path| std::fs::read(directory.join(file)).unwrap();
        assert!(read(&first) == read(&second), "{file}");
    }
    let shipped = include_bytes!("../pretrained/model.safetensors");
    assert!(std::fs::read(second.join("model.safetensors")).unwrap() == shipped);
}

#[test]
fn later_documents_get_the_same_from_memory_and_from_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let settings = FitSettings::default().with_topics(2).without_words(["May"]);
    let fit = model().fit(TEXTS, &settings).unwrap();
    let later = [("honey", "Honey, varroa and a hive in May."), ("none", ""), ("loaf", "A loaf.")];
    let in_memory = fit.infer(later).unwrap();
    fit.save(folder.path().join("topics")).unwrap();
    let opened = Fit::open(folder.path().join("topics")).unwrap();
    let from_directory = opened.infer(later).unwrap();
    assert_eq!(all(&in_memory), all(&from_directory));
    // What was opened can be saved again, and is the same.
    opened.save(folder.path().join("again")).unwrap();
    for file in ["config.json", "topics.safetensors", "vocabulary.txt", "documents.jsonl"] {
        let read = |name: &str| std::fs::read(folder.path().join(name).join(file)).unwrap();
        assert!(read("topics") == read("again"), "{file}");
    }
}

#[test]
fn an_observer_hears_of_progress_and_can_end_the_work() {
    let mut heard: Vec<Progress> = Vec::new();
    let fit = model()
        .fit_observed(TEXTS, &FitSettings::default(), &mut |progress| {
            heard.push(progress);
            ControlFlow::Continue(())
        })
        .unwrap();
    // Subjects are asked at once, and then comes the fit itself.
    assert_eq!(heard.iter().filter(|it| it.part == Part::ChoosingTopics).count(), 1);
    assert_eq!(heard.last().unwrap().part, Part::Fitting);
    let mut left = 2;
    let mut end_it = |_: Progress| {
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let error = model().fit_observed(TEXTS, &FitSettings::default(), &mut end_it).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    let error =
        fit.report_observed(&Shown::default(), &mut |_| ControlFlow::Break(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

#[test]
fn every_word_has_its_place() {
    let fit = model().fit(TEXTS, &FitSettings::default().with_topics(2)).unwrap();
    for (n, text) in TEXTS.iter().enumerate() {
        let words = fit.words(n).unwrap();
        assert_eq!(words.len() as u64, fit.documents()[n].words);
        for word in words {
            assert_eq!(text[word.range].to_lowercase(), word.term);
            let sum = word.topics.iter().sum::<f64>() + word.background;
            assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", word.term);
        }
    }
}

#[test]
fn the_json_is_the_summary_and_can_be_read_back() {
    let fit = model().fit(TEXTS, &FitSettings::default()).unwrap();
    let shown = Shown::default().with_terms(5).with_words();
    let summary = fit.summary(&shown).unwrap();
    let read: Summary = serde_json::from_str(&fit.to_json(&shown).unwrap()).unwrap();
    assert_eq!(read, summary);
    assert_eq!(summary.version, 1);
    assert!(summary.choice.is_some() && summary.topics.iter().all(|topic| topic.terms.len() == 5));
}

#[test]
fn settings_that_no_fit_can_have_are_refused_by_name() {
    for settings in [
        FitSettings::default().with_topics(99),
        FitSettings::default().with_topics(0),
        FitSettings::default().with_em_steps(1 << 40),
    ] {
        let error = model().fit(TEXTS, &settings).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadSetting, "{error}");
    }
    let fit = model().fit(TEXTS, &FitSettings::default().with_topics(2)).unwrap();
    let error = fit.summary(&Shown::default().with_relevance(2.0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadSetting);
}

#[test]
fn a_fit_from_a_directory_says_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let fit = model().fit(TEXTS, &FitSettings::default().with_topics(2)).unwrap();
    fit.save(folder.path().join("topics")).unwrap();
    let error = fit.save(folder.path().join("topics")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exists);
    fit.save_replacing(folder.path().join("topics")).unwrap();
    let opened = Fit::open(folder.path().join("topics")).unwrap();
    assert_eq!(opened.topics()[1].terms(8), fit.topics()[1].terms(8));
    assert_eq!(opened.documents(), fit.documents());
    assert!(opened.words(0).is_none() && opened.new_words().is_empty());
    for error in [opened.pyldavis().err(), opened.report().err()] {
        assert!(error.unwrap().to_string().contains("keeps no documents"));
    }
}

#[test]
fn a_report_is_a_file_that_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let fit = model().fit(TEXTS, &FitSettings::default().with_topics(2)).unwrap();
    let (report, file) = (fit.report().unwrap(), folder.path().join("report.html"));
    report.write(&file).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), report.html());
    assert_eq!(report.write(&file).unwrap_err().kind(), ErrorKind::Exists);
}

/// Documents of about fifty words each, of two subjects in turn.
fn many_texts(count: usize) -> Vec<String> {
    let sentences: Vec<&str> =
        TEXTS.iter().flat_map(|text| text.split_inclusive(['.', ';'])).collect();
    let half = sentences.len() / 2;
    let text = |n: usize| {
        let sentence = |i: usize| sentences[n % 2 * half + (n / 2 + i * (1 + n / 7)) % half];
        (0..4).map(sentence).collect::<Vec<_>>().join(" ")
    };
    (0..count).map(text).collect()
}

#[test]
fn many_documents_are_grouped_by_a_sample_and_told_so() {
    let texts = many_texts(1_200);
    let fit = model().fit(&texts, &FitSettings::default().with_topics(2)).unwrap();
    let main: Vec<usize> = (0..1_200).map(|n| fit.topic_model().main_topic(n)).collect();
    let right = (0..1_200).filter(|&n| (main[n] == main[0]) == (n % 2 == 0)).count();
    assert!(right > 1_180, "{right}");
    assert!(fit.warnings()[0].contains("1000 of the 1200 were compared"), "{:?}", fit.warnings());
    assert!(fit.tree().is_none());
}

#[test]
fn a_fit_of_many_documents_moves_and_can_be_ended() {
    let texts = many_texts(1_200);
    let ended_at = |last: usize| {
        let (mut heard, mut parts) = (0, Vec::new());
        let settings = FitSettings::default().with_topics(2);
        let fitted = model().fit_observed(&texts, &settings, &mut |progress: Progress| {
            heard += 1;
            parts.push((progress.part, progress.done, progress.of));
            if heard == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (fitted.map_err(|error| error.kind()), parts)
    };
    let (fitted, parts) = ended_at(usize::MAX);
    assert!(fitted.is_ok());
    assert!(parts.iter().any(|it| it.0 == Part::Grouping));
    assert!(parts.iter().filter(|it| it.0 == Part::Fitting).count() > 3);
    // It never goes back within a part, and never past the end.
    assert!(parts.windows(2).all(|two| two[0].0 != two[1].0 || two[0].1 <= two[1].1));
    assert!(parts.iter().all(|&(_, done, of)| done <= of));
    for last in [1, parts.len() / 2, parts.len()] {
        assert_eq!(ended_at(last).0.unwrap_err(), ErrorKind::Interrupted, "at {last}");
    }
}

#[cfg(feature = "report")]
#[test]
fn a_report_of_two_thousand_documents_is_smaller_than_five_megabytes() {
    let fit = model().fit(many_texts(2_000), &FitSettings::default()).unwrap();
    let report = fit.report().unwrap();
    assert!(report.html().len() < 5_000_000, "{}", report.html().len());
    assert!(report.html().contains("of the 2000 documents"));
}

#[test]
fn a_fit_and_a_model_are_the_same_when_sent_as_files() {
    let settings = FitSettings::default().with_topics(2);
    let mut fit = model().fit(TEXTS, &settings).unwrap();
    fit.name_topic(0, "mine").unwrap();
    let files = fit.to_files().unwrap();
    let again = Fit::of_files(&files).unwrap();
    assert_eq!(again.documents(), fit.documents());
    assert_eq!(again.topics()[0].name(), "mine");
    assert_eq!(again.to_files().unwrap(), files);
    let more = ["honey and flour"];
    assert_eq!(
        again.infer(more).unwrap().documents()[0].topics,
        fit.infer(more).unwrap().documents()[0].topics
    );
    let sent = Model::of_files(&model().to_files(), "sent").unwrap();
    assert_eq!(sent.fit(TEXTS, &settings).unwrap().documents(), fit.documents());
    assert_eq!(sent.name(), "sent");
}

#[test]
fn the_files_in_memory_are_those_of_the_directory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("topics");
    let fit = model().fit(TEXTS, &FitSettings::default()).unwrap();
    fit.save(&path).unwrap();
    let files = fit.to_files().unwrap();
    let mut names: Vec<String> = std::fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.iter().eq(files.keys()), "{names:?}");
    for (name, content) in &files {
        assert_eq!(&std::fs::read(path.join(name)).unwrap(), content, "{name}");
    }
}

#[test]
fn files_that_are_missing_or_damaged_are_named() {
    let files = model().fit(TEXTS, &FitSettings::default()).unwrap().to_files().unwrap();
    for name in ["config.json", "vocabulary.txt", "topics.safetensors", "documents.jsonl"] {
        let mut fewer = files.clone();
        fewer.remove(name);
        let message = Fit::of_files(&fewer).unwrap_err().to_string();
        assert!(message.contains(name), "{message}");
        let mut damaged = files.clone();
        damaged.insert(name.to_owned(), vec![0xff; 20]);
        let error = Fit::of_files(&damaged).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn the_text_of_a_document_is_at_hand_until_it_is_saved() {
    let fit = model().fit(TEXTS, &FitSettings::default()).unwrap();
    assert_eq!(fit.text(2), Some(TEXTS[2]));
    assert_eq!(Fit::of_files(&fit.to_files().unwrap()).unwrap().text(2), None);
}
