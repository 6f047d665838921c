//! The choice of the number of topics as a plot.

use super::super::choice::ShownChoice;
use super::super::words::percent;
use crate::topic_model::Tried;
use serde::Serialize;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 170.0;
/// Room for the labels on the left and below, and for half a point above and on the right.
const LEFT: f64 = 56.0;
const BELOW: f64 = 26.0;
const EDGE: f64 = 10.0;

#[derive(Debug, Serialize)]
pub(super) struct ChoiceView<'a> {
    width: f64,
    height: f64,
    /// Where the numbers of topics stand.
    axis: f64,
    sentence: &'a str,
    caption: &'static str,
    line: String,
    points: Vec<Point>,
    ticks: Vec<Tick>,
    description: String,
}

#[derive(Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    topics: usize,
    chosen: bool,
    title: String,
}

#[derive(Debug, Serialize)]
struct Tick {
    y: f64,
    label: String,
}

/// A number of topics in the plot.
struct Number {
    topics: usize,
    value: f64,
    /// The value as a label.
    label: String,
    title: String,
}

/// Probabilities, or perplexities, against numbers of topics, which stand at even distances; `None`
/// if there are none.
pub(super) fn view(choice: &ShownChoice, chosen: usize) -> Option<ChoiceView<'_>> {
    let numbers = numbers(choice);
    let by_value = |a: &&Number, b: &&Number| a.value.total_cmp(&b.value);
    let least = numbers.iter().min_by(by_value)?;
    let most = numbers.iter().max_by(by_value)?;
    let steps = (numbers.len() - 1).max(1) as f64;
    let room = HEIGHT - BELOW - 2.0 * EDGE;
    // The largest value stands highest.
    let y = |value: f64| match most.value - least.value {
        range if range > 0.0 => EDGE + room * (most.value - value) / range,
        _ => EDGE + room / 2.0,
    };
    let x = |i: usize| LEFT + (WIDTH - LEFT - EDGE) * i as f64 / steps;
    let point = |(i, number): (usize, &Number)| Point {
        x: rounded(x(i)),
        y: rounded(y(number.value)),
        topics: number.topics,
        chosen: number.topics == chosen,
        title: number.title.clone(),
    };
    let points: Vec<Point> = numbers.iter().enumerate().map(point).collect();
    let tick =
        |number: &Number| Tick { y: rounded(y(number.value) + 4.0), label: number.label.clone() };
    let ticks =
        if most.value > least.value { vec![tick(most), tick(least)] } else { vec![tick(least)] };
    let caption = match choice.numbers.is_empty() {
        true => {
            "Perplexity of hidden words of these documents (lower is better) against the number of \
             topics."
        }
        false => "How probable each number of subjects is.",
    };
    let line: Vec<String> = points.iter().map(|point| format!("{},{}", point.x, point.y)).collect();
    let titles: Vec<&str> = points.iter().map(|point| &*point.title).collect();
    Some(ChoiceView {
        width: WIDTH,
        height: HEIGHT,
        axis: HEIGHT - 6.0,
        sentence: &choice.sentence,
        caption,
        line: line.join(" "),
        description: titles.join("; "),
        ticks,
        points,
    })
}

/// What is known of each number of topics.
fn numbers(choice: &ShownChoice) -> Vec<Number> {
    let tried = choice.tried.iter().map(|&Tried { topics, perplexity }| Number {
        topics,
        value: perplexity,
        label: format!("{perplexity:.0}"),
        title: format!("{topics}: perplexity {perplexity:.1}"),
    });
    let likely = choice.numbers.iter().map(|number| Number {
        topics: number.topics,
        value: number.probability,
        label: percent(number.probability),
        title: format!("{}: {}", number.topics, percent(number.probability)),
    });
    tried.chain(likely).collect()
}

fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
