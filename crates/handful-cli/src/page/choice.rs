//! The choice of the number of topics as a plot.

use handful::topic_model::TopicChoice;
use serde_json::{Value, json};
/// Why there are as many topics as there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownChoice {
    /// Numbers of topics tried, in increasing order, with the perplexity of held-out words.
    pub perplexities: Vec<(usize, f64)>,
    /// What they say, in a sentence.
    pub sentence: String,
}

impl ShownChoice {
    /// What was tried for so many documents, and what came of it.
    pub fn of(choice: &TopicChoice, documents: usize) -> Self {
        let perplexities: Vec<(usize, f64)> =
            choice.candidates.iter().map(|tried| (tried.topics, tried.perplexity())).collect();
        let support = if documents == 1 { "supports" } else { "support" };
        let (documents, topics) = (counted(documents, "document"), counted(choice.topics, "topic"));
        let is_last = choice.candidates.last().is_some_and(|last| last.topics == choice.topics);
        let why = if perplexities.iter().any(|(_, perplexity)| !perplexity.is_finite()) {
            "there are too few words to tell"
        } else if is_last {
            "more were not tried"
        } else {
            "more would split hairs, for they predict held-out words no better"
        };
        let sentence = format!("{documents} {support} {topics}: {why}.");
        let mut letters = sentence.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        Self { perplexities, sentence: first.unwrap_or_default() + letters.as_str() }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let tried: Vec<String> = self
            .perplexities
            .iter()
            .map(|(topics, perplexity)| format!("{topics}: {perplexity:.0}"))
            .collect();
        let tried = tried.join("  ");
        format!("\n{}\n  perplexity of held-out words by topics: {tried}\n", self.sentence)
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let tried = self.perplexities.iter();
        let tried: Vec<Value> = tried
            .map(|(topics, perplexity)| json!({"topics": topics, "perplexity": perplexity}))
            .collect();
        json!({"tried": tried, "sentence": self.sentence})
    }
}

/// A small number as a word, and what it counts.
fn counted(number: usize, what: &str) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned());
    format!("{word} {what}{}", if number == 1 { "" } else { "s" })
}

use serde::Serialize;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 170.0;
/// Room for the labels on the left and below, and for half a point above and on the right.
const LEFT: f64 = 56.0;
const BELOW: f64 = 26.0;
const EDGE: f64 = 10.0;

#[derive(Debug, Serialize)]
pub struct ChoiceView<'a> {
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
pub fn view(choice: &ShownChoice, chosen: usize) -> Option<ChoiceView<'_>> {
    let perplexities = || choice.perplexities.iter().map(|&(_, perplexity)| perplexity);
    let best = perplexities().min_by(f64::total_cmp)?;
    let worst = perplexities().max_by(f64::total_cmp)?;
    let steps = (choice.perplexities.len() - 1).max(1) as f64;
    let room = HEIGHT - BELOW - 2.0 * EDGE;
    // The best stands lowest.
    let y = |perplexity: f64| match worst - best {
        range if range > 0.0 => EDGE + room * (worst - perplexity) / range,
        _ => EDGE + room / 2.0,
    };
    let x = |i: usize| LEFT + (WIDTH - LEFT - EDGE) * i as f64 / steps;
    let point = |(i, &(topics, perplexity)): (usize, &(usize, f64))| Point {
        x: rounded(x(i)),
        y: rounded(y(perplexity)),
        topics,
        chosen: topics == chosen,
        title: format!("{topics}: perplexity {perplexity:.1}"),
    };
    let points: Vec<Point> = choice.perplexities.iter().enumerate().map(point).collect();
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
