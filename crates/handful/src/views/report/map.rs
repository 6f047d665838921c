//! Topics as circles on a plane.

use super::super::palette;
use super::super::words::percent;
use crate::topic_model::TopicModel;
use serde::Serialize;

/// Width of the map, and its height at most.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 340.0;
/// The smallest circle.
const SPECK: f64 = 2.0;
/// Half the height of a digit.
const HALF_DIGIT: f64 = 4.5;

#[derive(Debug, Serialize)]
pub(super) struct MapView {
    width: f64,
    height: f64,
    circles: Vec<Circle>,
    caption: &'static str,
    description: String,
}

#[derive(Debug, Serialize)]
struct Circle {
    number: usize,
    colour: String,
    x: f64,
    y: f64,
    radius: f64,
    label_y: f64,
    /// Whether the circle is large enough for its label.
    inside: bool,
    /// Labels of specks would hide each other.
    labelled: bool,
    title: String,
}

/// The map of a model's topics. Areas are topics' weights; distances have the same scale both ways.
pub(super) fn view(model: &TopicModel) -> MapView {
    let places = model.map();
    let range = |axis: usize| {
        let along = || places.iter().map(|place| place[axis]);
        (along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (top, bottom)) = (range(0), range(1));
    let most = (150.0 / (model.topics as f64).sqrt()).min(56.0);
    let margin = most + 14.0;
    let scale = |length: f64, room: f64| if length > 1e-9 { room / length } else { f64::INFINITY };
    let scale =
        scale(right - left, WIDTH - 2.0 * margin).min(scale(bottom - top, HEIGHT - 2.0 * margin));
    // Topics that are all alike, or a single one, stand in the middle.
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let height = (bottom - top) * scale + 2.0 * margin;
    let heaviest = model.weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let circle = |k: usize| {
        let radius = (most * (model.weights[k] / heaviest).sqrt()).max(SPECK);
        let inside = radius >= 9.0;
        let x = WIDTH / 2.0 + (places[k][0] - (left + right) / 2.0) * scale;
        let y = height / 2.0 + (places[k][1] - (top + bottom) / 2.0) * scale;
        Circle {
            number: k + 1,
            colour: palette::classes(k),
            x: rounded(x),
            y: rounded(y),
            radius: rounded(radius),
            label_y: rounded(if inside { y + HALF_DIGIT } else { y - radius - 3.0 }),
            inside,
            labelled: radius > SPECK,
            title: format!("Topic {}: {} of all words", k + 1, percent(model.weights[k])),
        }
    };
    // Small circles on top of large ones.
    let circles: Vec<Circle> = model.by_weight().into_iter().map(circle).collect();
    let caption = match model.topics {
        1 => "There is one topic only, so there is nothing to compare it with.",
        2 => {
            "The farther apart, the more the topics’ words differ; the larger, the more of all words \
             a topic has. Two topics stand on a line."
        }
        _ => {
            "The nearer two topics, the more alike are their words (Jensen-Shannon divergence, scaled \
             to two dimensions); the larger, the more of all words a topic has."
        }
    };
    let titles: Vec<&str> = circles.iter().map(|circle| &*circle.title).collect();
    let description = titles.join("; ");
    MapView { width: WIDTH, height: rounded(height), circles, caption, description }
}

fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
