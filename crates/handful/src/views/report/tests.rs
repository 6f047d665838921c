//! The parts of the page that no fit shows yet.

use super::*;
use crate::topic_model::Tried;

fn choice(perplexities: &[(usize, f64)]) -> ShownChoice {
    let tried = |&(topics, perplexity): &(usize, f64)| Tried { topics, perplexity };
    ShownChoice {
        tried: perplexities.iter().map(tried).collect(),
        numbers: Vec::new(),
        halves: None,
        sentence: "Two <will> do.".to_owned(),
    }
}

/// The section of the template that shows a choice, rendered alone.
fn rendered(choice: &ShownChoice, chosen: usize) -> String {
    let template = include_str!("template.html");
    let start = template.find("<section id=\"choice\"").unwrap();
    let end = start + template[start..].find("</section>").unwrap();
    let mut environment = Environment::new();
    environment.add_template("choice.html", &template[start..end]).unwrap();
    let view = choice::view(choice, chosen);
    let context = std::collections::BTreeMap::from([("choice", view)]);
    environment.get_template("choice.html").unwrap().render(Serde(context)).unwrap()
}

#[test]
fn the_choice_of_topics_is_a_plot_with_the_chosen_number_marked() {
    let html = rendered(&choice(&[(1, 120.0), (2, 100.0), (3, 110.0), (5, 140.0)]), 2);
    assert!(html.contains("<p>Two &lt;will&gt; do.</p>"), "{html}");
    assert_eq!(html.matches("<circle").count(), 4, "{html}");
    assert_eq!(html.matches("class=\"chosen\"").count(), 1, "{html}");
    assert!(html.contains("2: perplexity 100.0"), "{html}");
    // The best stands lowest, which in an SVG is the largest y; the worst highest.
    let ys: Vec<f64> = html
        .match_indices(" cy=\"")
        .map(|(at, _)| html[at + 5..].split('"').next().unwrap().parse().unwrap())
        .collect();
    assert!(ys[1] > ys[2] && ys[2] > ys[0] && ys[0] > ys[3], "{ys:?}");
    // The difference of 30 is three times that of 10.
    assert!(((ys[2] - ys[3]) / (ys[1] - ys[2]) - 3.0).abs() < 0.02, "{ys:?}");
}

#[test]
fn a_choice_by_subjects_is_a_plot_of_probabilities() {
    let number = |(topics, probability): (usize, f64)| crate::topic_model::LikelyNumber {
        topics,
        probability,
        groups: Vec::new(),
    };
    let numbers = [(1, 0.1), (2, 0.7), (3, 0.2)].map(number).to_vec();
    let html = rendered(&ShownChoice { numbers, ..choice(&[]) }, 2);
    assert_eq!(html.matches("<circle").count(), 3, "{html}");
    assert!(html.contains("2: 70%") && html.contains("How probable"), "{html}");
}

#[test]
fn a_choice_among_one_or_among_equals_can_be_drawn() {
    for perplexities in [&[(1, 120.0)][..], &[(1, 90.0), (2, 90.0)]] {
        let html = rendered(&choice(perplexities), 1);
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
        assert_eq!(html.matches("class=\"tick\"").count(), 1, "{html}");
    }
    assert!(choice::view(&choice(&[]), 1).is_none());
}

#[test]
fn one_is_not_called_many() {
    assert_eq!((counted(1, "topic"), counted(2, "topic")), ("1 topic".into(), "2 topics".into()));
}
