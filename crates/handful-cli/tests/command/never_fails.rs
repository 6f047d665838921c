//! Whatever one to fifty documents are, they have topics.

use crate::support::{BRIEF, TINY, Workspace, text};
use serde_json::Value;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A case: documents, flags, and what a warning says; none must come where it is empty.
struct Case {
    name: &'static str,
    documents: fn() -> Vec<String>,
    flags: &'static str,
    warning: &'static str,
}

const NOTHING_KNOWN: &str = "none of the documents has a word that the model, which is English,";
const NOT_ENGLISH: &str = "the model is English and knows few of the words";

const CASES: &[Case] = &[
    Case { name: "one document", documents: || vec![text(1)], flags: "", warning: "" },
    Case { name: "one word", documents: || vec!["anchor".into()], flags: "", warning: "" },
    Case {
        name: "one word, as many topics as there can be",
        documents: || vec!["anchor".into()],
        flags: "--topics 50",
        warning: "",
    },
    Case {
        name: "more topics than documents",
        documents: || vec![text(1)],
        flags: "--topics 50",
        warning: "",
    },
    Case { name: "one topic", documents: || texts(5), flags: "--topics 1", warning: "" },
    Case {
        name: "an empty document among others",
        documents: || vec![text(1), String::new(), text(2)],
        flags: "",
        warning: "",
    },
    Case {
        name: "more empty documents than topics",
        documents: || [vec![text(1)], vec![String::new(); 9]].concat(),
        flags: "",
        warning: "",
    },
    Case { name: "identical documents", documents: || vec![text(1); 3], flags: "", warning: "" },
    Case {
        name: "more identical documents than topics",
        documents: || vec![text(1); 20],
        flags: "--topics 2",
        warning: "",
    },
    Case { name: "fifty documents", documents: || texts(50), flags: "", warning: "" },
    Case { name: "more documents than a handful", documents: || texts(51), flags: "", warning: "" },
    Case {
        name: "as many, and their own number of topics",
        documents: || texts(51),
        flags: "--topics auto",
        warning: "",
    },
    Case {
        name: "fifty documents and topics",
        documents: || texts(50),
        flags: "--topics 50",
        warning: "",
    },
    Case {
        name: "100,000 words in one document",
        documents: || vec![vec![text(1); 2_500].join("\n"), text(2)],
        flags: "",
        warning: "",
    },
    Case {
        name: "one word 100,000 times",
        documents: || vec!["anchor ".repeat(100_000)],
        flags: "--topics 10",
        warning: "",
    },
    Case {
        name: "until EM converges",
        documents: || vec![text(1), String::new(), "anchor".into()],
        flags: "--until-converged --topics 5",
        warning: "",
    },
    Case { name: "no EM", documents: || texts(3), flags: "--em-steps 0", warning: "" },
    Case {
        name: "nothing at all",
        documents: || vec![String::new()],
        flags: "",
        warning: NOTHING_KNOWN,
    },
    Case {
        name: "unknown words only",
        documents: || vec!["abracadabra hocuspocus".into(), "simsalabim".into()],
        flags: "",
        warning: NOTHING_KNOWN,
    },
    Case {
        name: "stop words only",
        documents: || vec!["the and of".into()],
        flags: "--topics 50",
        warning: NOTHING_KNOWN,
    },
    Case {
        name: "emoji only",
        documents: || vec!["😀🎉👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿".into()],
        flags: "",
        warning: NOTHING_KNOWN,
    },
    Case {
        name: "Chinese only",
        documents: || vec!["船长在港口等待潮水。".into(), "风和日丽".into()],
        flags: "",
        warning: NOTHING_KNOWN,
    },
    Case {
        name: "Greek beside English",
        documents: || vec![text(1), "Ο καπετάνιος περιμένει στο λιμάνι.".into()],
        flags: "",
        warning: NOT_ENGLISH,
    },
    Case {
        name: "Chinese beside English",
        documents: || vec![text(1), "船长在港口等待潮水。".into()],
        flags: "",
        warning: NOT_ENGLISH,
    },
    Case {
        name: "Arabic with an English word",
        documents: || vec!["ينتظر القبطان في الميناء anchor حتى يأتي المد".into()],
        flags: "",
        warning: NOT_ENGLISH,
    },
    Case {
        name: "emoji beside English",
        documents: || vec![text(1), "😀🎉".into()],
        flags: "",
        warning: "",
    },
    Case {
        name: "all words ignored",
        documents: || vec!["anchor tide".into()],
        flags: "--ignore-words anchor,tide",
        warning: NOTHING_KNOWN,
    },
    Case {
        name: "paragraphs of nothing",
        documents: || vec!["\n\n --\n\n".into(), "anchor\n\ntide".into()],
        flags: "--split paragraphs",
        warning: "",
    },
];

fn texts(number: u64) -> Vec<String> {
    (0..number).map(text).collect()
}

/// No case may take longer, on a busy machine; alone, each takes less than a tenth of a second.
const LONGEST: Duration = Duration::from_secs(10);

static TRAINED: LazyLock<Workspace> = LazyLock::new(|| {
    let workspace = Workspace::with_corpora();
    workspace.run(&format!("train corpora -o model --themes 8 -q {TINY}")).success();
    workspace
});

fn shares(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).collect()
}

fn is_distribution(shares: &[f64]) -> bool {
    (shares.iter().sum::<f64>() - 1.0).abs() < 1e-4
        && shares.iter().all(|share| (0.0..=1.0001).contains(share))
}

#[test]
fn one_to_fifty_documents_have_topics_whatever_they_are() {
    for Case { name, documents, flags, warning } in CASES {
        let workspace = Workspace::new();
        for file in TRAINED.names("model") {
            workspace.write(&format!("model/{file}"), TRAINED.read(&format!("model/{file}")));
        }
        let documents = documents();
        for (n, text) in documents.iter().enumerate() {
            workspace.write(&format!("documents/{n:02}.txt"), text);
        }
        let before = Instant::now();
        let line = format!("fit documents --model model {flags} --out topics --json");
        let fit = workspace.run(&line).success();
        assert!(before.elapsed() < LONGEST, "{name}: {:?}", before.elapsed());
        // Three topics are asked for, whether the documents have them or not.
        let warnings = fit.err.lines().filter(|line| !line.ends_with("would hold next to nothing"));
        assert_eq!(warnings.count() == 0, warning.is_empty(), "{name}: {}", fit.err);
        assert!(fit.err.contains(warning), "{name}: {}", fit.err);
        // What topics gain over none is a number, where there is anything to tell it from.
        let gain = &fit.json()["gain"];
        let figures = ["perplexity", "smoothed_unigram", "lower_by"];
        let is_finite = |figure: &&str| gain[*figure].is_f64();
        assert!(gain.is_null() || figures.iter().all(is_finite), "{name}: {gain}");
        let split = if flags.contains("--split") { "--split paragraphs" } else { "" };
        let infer = format!("infer documents --topic-model topics {split} --json");
        for answer in [&fit.json(), &workspace.run(&infer).success().json()] {
            let topics = answer["topics"].as_array().unwrap();
            let found = answer["documents"].as_array().unwrap();
            assert!(found.len() >= documents.len(), "{name}");
            let mut weight = 0.0;
            for document in found {
                let proportions = shares(&document["topics"]);
                assert_eq!(proportions.len(), topics.len(), "{name}");
                assert!(is_distribution(&proportions), "{name}: {document}");
                assert!((0.0..=1.0).contains(&document["background"].as_f64().unwrap()), "{name}");
            }
            for topic in topics {
                weight += topic["weight"].as_f64().unwrap();
                assert!(!topic["terms"].as_array().unwrap().is_empty(), "{name}");
            }
            assert!((0.0..1.0001).contains(&weight), "{name}: {weight}");
        }
        // People get to see it, too.
        let people = workspace.run("inspect topics").success().out;
        assert!(!people.contains("NaN") && !people.contains("inf"), "{name}: {people}");
    }
}

#[test]
fn documents_without_a_known_word_have_topics_with_every_prior() {
    for prior in ["handful --themes 8", "iwata", "free", "maml"] {
        let workspace = Workspace::with_corpora();
        workspace.run(&format!("train corpora --prior {prior} -o model -q {BRIEF}")).success();
        workspace.write("odd.txt", "abracadabra hocuspocus");
        workspace.write("blank.txt", " \n");
        workspace.write("known.txt", text(1));
        for documents in ["odd.txt", "blank.txt", "odd.txt blank.txt"] {
            for flags in ["", "--until-converged"] {
                let line = format!("--json {documents} {flags}");
                let fit = workspace.run(&format!("fit --model model {line} --out topics --force"));
                let fit = fit.success();
                assert!(fit.err.contains(NOTHING_KNOWN), "{prior}: {}", fit.err);
                let infer = format!("infer known.txt --topic-model topics {line}");
                for answer in [fit.json(), workspace.run(&infer).success().json()] {
                    let weights = answer["topics"].as_array().unwrap().iter();
                    let weight: f64 = weights.map(|topic| topic["weight"].as_f64().unwrap()).sum();
                    assert!((0.01..1.0001).contains(&weight), "{prior}: {answer}");
                    for document in answer["documents"].as_array().unwrap() {
                        assert!(is_distribution(&shares(&document["topics"])), "{prior}");
                    }
                }
            }
        }
    }
}
