//! The choice of the number of topics as a plot.

use super::super::choice::ShownChoice;
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

/// Perplexities against numbers of topics, which stand at even distances; `None` where none was
/// tried.
pub(super) fn view(choice: &ShownChoice, chosen: usize) -> Option<ChoiceView<'_>> {
    let perplexities = || choice.tried.iter().map(|tried| tried.perplexity);
    let best = perplexities().min_by(f64::total_cmp)?;
    let worst = perplexities().max_by(f64::total_cmp)?;
    let steps = (choice.tried.len() - 1).max(1) as f64;
    let room = HEIGHT - BELOW - 2.0 * EDGE;
    // The best stands lowest.
    let y = |perplexity: f64| match worst - best {
        range if range > 0.0 => EDGE + room * (worst - perplexity) / range,
        _ => EDGE + room / 2.0,
    };
    let x = |i: usize| LEFT + (WIDTH - LEFT - EDGE) * i as f64 / steps;
    let point = |(i, &Tried { topics, perplexity }): (usize, &Tried)| Point {
        x: rounded(x(i)),
        y: rounded(y(perplexity)),
        topics,
        chosen: topics == chosen,
        title: format!("{topics}: perplexity {perplexity:.1}"),
    };
    let points: Vec<Point> = choice.tried.iter().enumerate().map(point).collect();
    let tick = |perplexity: f64| Tick {
        y: rounded(y(perplexity) + 4.0),
        label: format!("{perplexity:.0}"),
    };
    let ticks = if worst > best { vec![tick(worst), tick(best)] } else { vec![tick(best)] };
    let line: Vec<String> = points.iter().map(|point| format!("{},{}", point.x, point.y)).collect();
    let titles: Vec<&str> = points.iter().map(|point| &*point.title).collect();
    Some(ChoiceView {
        width: WIDTH,
        height: HEIGHT,
        axis: HEIGHT - 6.0,
        sentence: &choice.sentence,
        line: line.join(" "),
        description: titles.join("; "),
        ticks,
        points,
    })
}

fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
