//! Documents in other languages than English.

use crate::support::Workspace;
use serde_json::{Value, json};

/// Four German texts on two subjects, and one in French.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for (name, text) in [
        (
            "stock.txt",
            "Die Bienen fliegen aus dem Stock und sammeln Nektar. Der Imker hat die Waben geschleudert, und \
             der Honig der Bienen ist jetzt in den Gläsern.",
        ),
        (
            "imker.txt",
            "Im Winter sitzen die Bienen im Stock. Der Imker lässt ihnen genug Honig, denn ohne Nektar und \
             ohne Waben würden die Bienen sterben.",
        ),
        (
            "brot.txt",
            "Das Brot ist aus Mehl, Wasser und Salz. Der Teig muss gehen, bevor der Bäcker ihn in den Ofen \
             schiebt und das Brot gebacken wird.",
        ),
        (
            "ofen.txt",
            "Der Bäcker knetet den Teig mit Mehl und Hefe. Wenn der Ofen heiß ist, wird das Brot darin eine \
             Stunde lang gebacken, und das Salz macht den Teig fest.",
        ),
        (
            "ruche.txt",
            "L'eau de la rivière qu'il aime n'est pas loin de la ruche, et les abeilles de l'apiculteur y \
             vont aujourd'hui avec d'autres.",
        ),
    ] {
        workspace.write(name, text);
    }
    workspace
}

fn terms(fit: &Value) -> Vec<&str> {
    let topics = fit["topics"].as_array().unwrap().iter();
    let terms = topics.flat_map(|topic| topic["terms"].as_array().unwrap());
    terms.map(|term| term["term"].as_str().unwrap()).collect()
}

const GERMAN: &str = "stock.txt imker.txt brot.txt ofen.txt";

#[test]
fn german_is_detected_and_its_stop_words_are_not_shown() {
    let fit = workspace().run(&format!("fit {GERMAN} --topics 2 --top 60 --json")).success().json();
    assert_eq!((&fit["language"], &fit["languages"]), (&json!("de"), &Value::Null));
    let shown = terms(&fit);
    assert!(shown.contains(&"bienen") && shown.contains(&"teig"), "{shown:?}");
    // Words of the model, too: `die`, `war` and `hat` are English.
    for word in ["die", "der", "und", "den", "ist", "war", "hat", "in", "wird", "ohne"] {
        assert!(!shown.contains(&word), "{word}");
    }
    let main = |n: usize| {
        let shares = fit["documents"][n]["topics"].as_array().unwrap();
        shares[0].as_f64() > shares[1].as_f64()
    };
    assert!(main(0) == main(1) && main(2) == main(3) && main(0) != main(2));
}

#[test]
fn people_are_told_the_language_unless_it_is_english() {
    let workspace = workspace();
    let text = workspace.run(&format!("fit {GERMAN}")).success().out;
    assert!(text.contains("The documents are read as German."), "{text}");
    let mixed = workspace.run(&format!("fit {GERMAN} ruche.txt")).success().out;
    let sentence =
        "The documents are in several languages (4 German, 1 French), and read as German.";
    assert!(mixed.contains(sentence), "{mixed}");
    let report = format!("fit {GERMAN} ruche.txt --report report.html");
    workspace.run(&report).success();
    let html = String::from_utf8(workspace.read("report.html")).unwrap();
    assert!(html.contains(sentence) && html.contains("without German stop words"));
    workspace.write("en.txt", "The bees leave the hive in May, and the queen goes with them.");
    assert!(!workspace.run("fit en.txt").success().out.contains("English"));
}

#[test]
fn mixed_documents_are_counted_by_language() {
    let fit = workspace().run(&format!("fit ruche.txt {GERMAN} --json")).success().json();
    assert_eq!(fit["language"], "de");
    let counts = json!([
        {"language": "de", "documents": 4}, {"language": "fr", "documents": 1}
    ]);
    assert_eq!(fit["languages"], counts);
}

#[test]
fn a_language_and_stop_words_can_be_given() {
    let workspace = workspace();
    let fit = |flags: &str| {
        let line = format!("fit stock.txt ruche.txt --topics 1 --top 200 --json {flags}");
        workspace.run(&line).success().json()
    };
    let french = fit("--language fr");
    assert_eq!(french["language"], "fr");
    let shown = terms(&french);
    assert!(shown.contains(&"eau") && shown.contains(&"die"), "{shown:?}");
    for word in ["qu", "les", "aujourd", "hui", "autres"] {
        assert!(!shown.contains(&word), "{word}");
    }
    assert!(terms(&fit("--language de --stop-words none")).contains(&"und"));
    assert!(!terms(&fit("--language fr --stop-words de")).contains(&"und"));
    workspace.write("own.txt", "honig\n");
    let own = fit("--language de --stop-words own.txt");
    assert!(terms(&own).contains(&"und") && !terms(&own).contains(&"honig"));
}

#[test]
fn further_documents_are_read_in_the_language_of_the_fit() {
    let workspace = workspace();
    workspace.run(&format!("fit {GERMAN} --topics 2 --out topics")).success();
    workspace.write("more.txt", "Der Honig und die Waben");
    let line = "infer --topic-model topics more.txt --json";
    let inferred = workspace.run(line).success().json();
    assert_eq!(inferred["language"], "de");
    assert_eq!(inferred["documents"][0]["words"], 2);
    let again = workspace.run("inspect topics --json").success().json();
    assert_eq!(again["language"], "de");
}

#[test]
fn chinese_is_cut_into_words() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "蜜蜂在五月离开蜂巢，蜂王和它们一起飞走。养蜂人收集蜂蜜。");
    workspace.write("b.txt", "面包师用面粉和水做面包。他把面团放进烤箱。");
    let fit = workspace.run("fit a.txt b.txt --topics 2 --top 60 --json").success().json();
    assert_eq!(fit["language"], "zh");
    let shown = terms(&fit);
    assert!(shown.contains(&"蜜蜂") && shown.contains(&"面包"), "{shown:?}");
    assert!(!shown.contains(&"它们"), "{shown:?}");
}
