//! `handful fit --report`: a page to look at.

use crate::support::{Browser, TINY, Workspace, text};
use serde_json::{Value, json};

fn page(workspace: &Workspace, name: &str) -> String {
    String::from_utf8(workspace.read(name)).unwrap()
}

/// A workspace with a model that has a background and any number of topics.
fn workspace() -> Workspace {
    let workspace = Workspace::with_model();
    workspace.run(&format!("train corpora -o own --themes 8 -q {TINY}")).success();
    workspace
}

/// A name and a text that do harm to a page that takes them for its own.
const HARMFUL: [&str; 2] = [
    "<script>alert(1)</script>",
    "Anchor & <b>captain</b> \"harbour' <img src=x onerror=alert(2)> {{ tide }} </script> wave -->",
];

#[test]
fn a_report_is_one_file_that_needs_nothing_else() {
    let workspace = Workspace::with_model();
    let answer = workspace.run("fit a.txt b.txt --model model --report out/report.html").success();
    assert!(answer.out.starts_with("Topics, by their share"), "{answer:?}");
    assert_eq!(workspace.names("out"), ["report.html"]);
    let page = page(&workspace, "out/report.html");
    for outside in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let is_inside = |(at, _): (usize, &str)| page[at + 6..].starts_with('#');
    assert!(page.match_indices("href=\"").all(is_inside));
    let again = workspace.run("fit a.txt b.txt --model model --report again.html").success();
    assert_eq!(again.out, answer.out);
    assert_eq!(self::page(&workspace, "again.html"), page);
}

#[test]
fn a_report_shows_the_figures_that_are_printed() {
    let workspace = workspace();
    let line = "fit a.txt b.txt c.txt --model own --report report.html --top 4 --seed 9";
    let fitted = workspace.run(&format!("{line} --json")).success().json();
    let page = page(&workspace, "report.html");
    for topic in fitted["topics"].as_array().unwrap() {
        let percent = (topic["weight"].as_f64().unwrap() * 100.0).round();
        let (number, name) = (&topic["number"], topic["name"].as_str().unwrap());
        let share = format!("<small title=\"of all words\">{percent}%</small>");
        let title = format!("<b>{number}</b> {name} {share}");
        assert!(page.contains(&title), "{title}");
        for term in topic["terms"].as_array().unwrap() {
            let shown = format!("<span class=\"term\">{}</span>", term["term"].as_str().unwrap());
            assert!(page.contains(&shown), "{shown}");
            let percent = term["probability"].as_f64().unwrap() * 100.0;
            let shown =
                if percent < 9.995 { format!("{percent:.2}%") } else { format!("{percent:.1}%") };
            assert!(page.contains(&format!("<span class=\"number\">{shown}")), "{shown}");
        }
    }
    for made in ["<td>9</td>", "own (prior handful)", "<td>32 terms</td>", "Handful 0."] {
        assert!(page.contains(made), "{made}");
    }
}

#[test]
fn what_the_user_wrote_is_shown_as_text() {
    let workspace = Workspace::with_model();
    let [id, text] = HARMFUL;
    workspace.write("documents.jsonl", json!({"id": id, "text": text}).to_string());
    workspace.run("fit documents.jsonl a.txt --model model --report report.html").success();
    let html = page(&workspace, "report.html");
    assert_eq!(html.matches("<script").count(), 1);
    assert!(!html.contains("<img") && !html.contains("<b>cap"));
    let Some(mut browser) = Browser::start("what_the_user_wrote_is_shown_as_text") else { return };
    browser.open(&workspace.path("report.html"), 1000, "light");
    let shown = browser.ask("document.querySelector('#words details').innerText");
    let shown: Vec<&str> = shown.as_str().unwrap().split_whitespace().collect();
    let written: Vec<&str> = id.split_whitespace().chain(text.split_whitespace()).collect();
    assert_eq!(shown, written);
    let summary = browser.ask("document.querySelector('#words summary').textContent.trim()");
    assert_eq!(summary, id);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn in_a_browser_every_section_is_there_and_fits_a_phone() {
    let workspace = workspace();
    let long = "supercalifragilistic".repeat(12);
    workspace.write("d.txt", format!("The anchor {long} tide.\n\nNew paragraph, {}", text(3)));
    workspace.run("fit a.txt b.txt c.txt d.txt --model own --report report.html").success();
    let Some(mut browser) = Browser::start("in_a_browser_every_section_is_there") else { return };
    let file = workspace.path("report.html");
    for (width, scheme) in [(360, "light"), (360, "dark"), (1100, "light"), (1100, "dark")] {
        browser.open(&file, width, scheme);
        let overflow =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(browser.ask(overflow), 0, "{width} px");
        let sections =
            browser.ask("[...document.querySelectorAll('main > section')].map(s => s.id)");
        assert_eq!(
            sections,
            json!(["topics", "mixtures", "tree", "map", "words", "choice", "gain", "made"])
        );
        let hidden =
            "[...document.querySelectorAll('h2, .card, .stack, .leaves li, .cut span, #map circle, summary, .made td')]
            .filter(e => e.getBoundingClientRect().width < 2).length";
        assert_eq!(browser.ask(hidden), 0, "{width} px");
        let paper = browser.ask("getComputedStyle(document.documentElement).backgroundColor");
        let expected = if scheme == "dark" { "rgb(22, 22, 21)" } else { "rgb(255, 255, 248)" };
        assert_eq!(paper, expected);
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn in_a_browser_words_have_their_topics_colours_and_tell_their_shares() {
    let workspace = workspace();
    workspace.write("d.txt", "The captain's anchor, the abracadabra and the tide.");
    workspace.run("fit a.txt b.txt d.txt --model own --report report.html").success();
    let test = "in_a_browser_words_have_their_topics_colours";
    let Some(mut browser) = Browser::start(test) else { return };
    browser.open(&workspace.path("report.html"), 1000, "light");
    let text = "#words details:nth-of-type(3) .text";
    let words = browser.ask(&format!(
        "[...document.querySelectorAll('{text} mark')].map(m => [m.textContent, m.className])"
    ));
    let class = |w: usize| words[w][1].as_str().unwrap();
    assert!(class(0).starts_with("word ") || class(0) == "background", "{words}");
    let names: Vec<&Value> = words.as_array().unwrap().iter().map(|word| &word[0]).collect();
    assert_eq!(names, ["captain", "anchor", "abracadabra", "tide"]);
    assert!(class(2).ends_with(" new"), "{words}");
    // The paint of a word is that of its topic's swatch.
    let paints = browser.ask(
        "[...document.querySelectorAll('mark.word')].map(m => {
            const topic = m.className.split(' ')[1];
            const swatch = document.querySelector('.legend .' + topic);
            const colour = e => getComputedStyle(e).getPropertyValue('--c');
            return colour(m) === colour(swatch) && getComputedStyle(m).backgroundColor !== 'rgba(0, 0, 0, 0)';
        })",
    );
    let paints = paints.as_array().unwrap().clone();
    // To a model that knows 32 words, most of them are usual, and grey.
    assert!(paints.len() > 5 && paints.iter().all(|paint| paint == true), "{paints:?}");
    // The tab key goes to one word of a document, the arrows to the next ones.
    let line = "getComputedStyle(document.activeElement, '::after').content";
    let stops =
        browser.ask(&format!("document.querySelectorAll('{text} [tabindex=\"0\"]').length"));
    assert_eq!(stops, 1);
    browser.ask(&format!("document.querySelector('{text} [tabindex=\"0\"]').focus()"));
    assert!(browser.ask(line).as_str().unwrap().starts_with("\"captain: "));
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    let said = browser.ask(line);
    assert!(said.as_str().unwrap().starts_with("\"abracadabra: new to the model, "), "{said}");
    // A term's probability is seen when it is walked to.
    browser.ask("document.querySelector('.terms li').focus()");
    let number = "getComputedStyle(document.activeElement.querySelector('.number')).opacity";
    assert_eq!(browser.ask(number), "1");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn in_a_browser_text_has_enough_contrast() {
    let workspace = workspace();
    workspace.run("fit a.txt b.txt c.txt --model own --topics 12 --report report.html").success();
    let Some(mut browser) = Browser::start("in_a_browser_text_has_enough_contrast") else { return };
    for scheme in ["light", "dark"] {
        browser.open(&workspace.path("report.html"), 1000, scheme);
        // Painted on a canvas, because colours may be written in any notation; what is seen of a
        // translucent background is its mixture with the paper.
        let least = browser.ask(
            "(() => {
                const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
                const paper = getComputedStyle(document.documentElement).backgroundColor;
                const seen = colours => {
                    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
                    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
                };
                const luminance = rgb => rgb.map(c => c / 255)
                    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
                const all = [...document.querySelectorAll('p, li, td, th, small, footer, mark, .label, .number')];
                return Math.min(...all.map(e => {
                    const style = getComputedStyle(e);
                    const under = seen([paper, style.backgroundColor]);
                    const [a, b] = [luminance(under), luminance(seen([paper, style.color]))];
                    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                }));
            })()",
        );
        assert!(least.as_f64().unwrap() >= 4.5, "{scheme}: {least}");
    }
}

/// The horizontal lines of a tree's branches: from, to.
fn branches(page: &str) -> Vec<(f64, f64)> {
    let tree = page.split("<section id=\"tree\"").nth(1).unwrap();
    let tree = tree.split("</section>").next().unwrap();
    let lines = tree.split(" d=\"M").skip(1).map(|path| {
        let number = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap();
            text[..end].parse().unwrap()
        };
        (number(path), number(path.split_once('H').unwrap().1))
    });
    lines.collect()
}

/// Where the cuts of a tree are drawn, and what is written there.
fn cuts(page: &str) -> Vec<(f64, String)> {
    let cut = |text: &str| {
        let (x, rest) = text.split_once('%').unwrap();
        let label = rest.split_once("<span>").unwrap().1.split('<').next().unwrap();
        (x.parse().unwrap(), label.to_owned())
    };
    page.split("style=\"--x:").skip(1).map(cut).collect()
}

#[test]
fn a_line_in_the_tree_crosses_as_many_branches_as_it_has_topics() {
    let workspace = Workspace::with_model();
    let answers =
        ["The train was late.", "The bus was full.", "Soup was cold.", "Bread was fresh."];
    let lines: String = (0..60)
        .map(|n| json!({"id": n.to_string(), "text": format!("{} {}", answers[n % 4], text(n as u64))}))
        .map(|line| format!("{line}\n"))
        .collect();
    workspace.write("many.jsonl", &lines);
    workspace.write("few.jsonl", lines.lines().take(9).collect::<Vec<_>>().join("\n"));
    for (documents, rows) in [("few", 9), ("many", 30)] {
        for flags in ["", "--granularity coarse", "--topics 4"] {
            let line = format!("fit {documents}.jsonl {flags} --report tree.html --force --json");
            let fit = workspace.run(&line).success().json();
            let page = page(&workspace, "tree.html");
            assert_eq!(page.matches("<li title=").count(), rows, "{line}");
            let branches = branches(&page);
            assert_eq!(branches.len(), 2 * rows - 1, "{line}");
            for (x, label) in cuts(&page) {
                let topics: usize = label.split(' ').rev().nth(1).unwrap().parse().unwrap();
                let crossed = branches.iter().filter(|(from, to)| *from < x && x < *to).count();
                assert_eq!(crossed, topics, "{line}: {label}");
            }
            let shown = page.split("class=\"cut shown\"").nth(1).unwrap();
            let nodes = fit["tree"]["topics"].as_array().unwrap();
            let topics = nodes.iter().filter(|node| !node.is_null()).count();
            let said = if topics == 1 { "1 topic<".into() } else { format!("{topics} topics<") };
            assert!(shown.split("</span>").next().unwrap().ends_with(&said[..said.len() - 1]));
        }
    }
}

#[test]
fn in_a_browser_every_document_stands_at_the_end_of_its_branch() {
    let workspace = workspace();
    let documents = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
    for (n, name) in documents.iter().enumerate() {
        workspace.write(name, text(n as u64));
    }
    let line = format!("fit {} --model own --report report.html", documents.join(" "));
    workspace.run(&line).success();
    let test = "in_a_browser_every_document_stands_at_the_end_of_its_branch";
    let Some(mut browser) = Browser::start(test) else { return };
    for width in [360, 1100] {
        browser.open(&workspace.path("report.html"), width, "light");
        let names = "[...document.querySelectorAll('.leaves li')].map(l => l.title).sort()";
        assert_eq!(browser.ask(names), json!(documents));
        let least =
            "Math.min(...[...document.querySelectorAll('.leaves b')].map(b => +b.innerText))";
        assert_eq!(browser.ask(least), json!(1), "topics are numbered from 1");
        let apart = browser.ask(
            "[...document.querySelectorAll('.leaves li')].map(leaf => {
                const title = [...document.querySelectorAll('#tree path title')];
                const branch = title.find(t => t.textContent === leaf.title).parentElement;
                const [line, row] = [branch.getBoundingClientRect(), leaf.getBoundingClientRect()];
                return Math.abs((line.top + line.bottom) / 2 - (row.top + row.bottom) / 2);
            })",
        );
        let apart = apart.as_array().unwrap();
        assert!(apart.iter().all(|apart| apart.as_f64().unwrap() < 2.0), "{width} px: {apart:?}");
    }
}

#[test]
fn any_number_of_topics_and_any_documents_make_a_report() {
    let workspace = workspace();
    workspace.write("empty.txt", "");
    workspace.write("strange.txt", "abracadabra");
    workspace.write("counts.jsonl", r#"{"id": "counted", "counts": {"anchor": 3, "tide": 1}}"#);
    let documents = "a.txt empty.txt strange.txt counts.jsonl";
    for topics in [1, 2, 3, 50] {
        let line =
            format!("fit {documents} --model own --topics {topics} --report report.html --force");
        let fit = workspace.run(&format!("{line} --json")).success().json();
        let page = page(&workspace, "report.html");
        assert_eq!(page.matches("<circle").count(), fit["topics"].as_array().unwrap().len());
        assert!(page.contains(">anchor ×3</mark>"), "counts are shown too");
        assert!(!page.contains("NaN") && !page.contains("inf%"));
    }
}

#[test]
fn an_output_that_exists_or_cannot_be_is_refused_before_any_work() {
    let workspace = Workspace::with_model();
    workspace.write("mine.txt", "years of work");
    for flag in ["report", "csv-topics", "csv-proportions", "pyldavis", "octis"] {
        let refused = |file: &str| {
            workspace.run(&format!("fit c.txt --model no-model --{flag} {file}")).refusal()
        };
        assert!(refused("mine.txt").starts_with("mine.txt: exists already"), "{flag}");
        assert!(refused("corpora").starts_with("corpora: is a folder"), "{flag}");
        assert!(refused("a.txt/x").contains("lies below a file"), "{flag}");
    }
    let message = workspace.run("fit c.txt --model no-model --report x --octis x").refusal();
    assert!(message.starts_with("x: is named for two outputs"), "{message}");
    assert_eq!(workspace.read("mine.txt"), b"years of work");
    workspace.run("fit c.txt --model model --report mine.txt --force").success();
    assert!(page(&workspace, "mine.txt").starts_with("<!doctype html>"));
}
