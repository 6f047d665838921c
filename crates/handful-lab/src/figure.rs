//! Draws line charts with error bars, as SVG.

use std::fmt::Write;

/// A chart of several series over the same values of x.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// The label of the x axis.
    pub x_label: String,
    /// The label of the y axis.
    pub y_label: String,
    /// The values of x, in increasing order of their positions.
    pub ticks: Vec<Tick>,
    /// The lines.
    pub series: Vec<Series>,
}

/// A value of x.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The value as text.
    pub label: String,
    /// The position on the axis, on any scale.
    pub place: f64,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// A point for each tick.
    pub points: Vec<Point>,
}

/// A point with its error bar, y ± error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub y: f64,
    /// Half the length of the bar.
    pub error: f64,
}

/// Colours that colour-blind readers can tell apart (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 380.0;
/// The edges of the plot area.
const LEFT: f64 = 78.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = HEIGHT - 58.0;
/// The distance of the first and last points from the edges.
const INSET: f64 = 28.0;
/// Half the width of the caps of an error bar.
const CAP: f64 = 5.0;

/// The y axis: from `low` to `high`, with a grid line at every multiple of `step`.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Chooses round limits that include all error bars.
    fn around(series: &[Series]) -> Self {
        let points = || series.iter().flat_map(|series| &series.points);
        let lowest = points().map(|point| point.y - point.error).fold(f64::INFINITY, f64::min);
        let highest = points().map(|point| point.y + point.error).fold(f64::NEG_INFINITY, f64::max);
        let span = if highest > lowest { highest - lowest } else { highest.abs().max(1.0) };
        let power = 10f64.powf((span / 5.0).log10().floor());
        let rounds = [1.0, 2.0, 5.0, 10.0].map(|round| round * power);
        let step = rounds.into_iter().find(|step| span / step <= 6.0).unwrap_or(span);
        let low = (lowest / step).floor() * step;
        let high = (highest / step).ceil() * step;
        Self { low, high: if high > low { high } else { low + step }, step }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let number = ((self.high - self.low) / self.step).round() as usize;
        (0..=number).map(|i| self.low + i as f64 * self.step)
    }

    fn label(&self, value: f64) -> String {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{value:.digits$}")
    }

    fn position(&self, y: f64) -> f64 {
        BOTTOM - (y - self.low) / (self.high - self.low) * (BOTTOM - TOP)
    }
}

impl LineChart {
    /// Returns the chart as an SVG file.
    pub fn to_svg(&self) -> String {
        let axis = Axis::around(&self.series);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" \
             font-size=\"13\" fill=\"#222\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
        );
        self.draw_axes(&axis, &mut svg);
        let middle = (self.series.len() as f64 - 1.0) / 2.0;
        for (i, series) in self.series.iter().enumerate() {
            // Draws points side by side, so that error bars do not hide each other.
            let shift = (i as f64 - middle) * self.distance();
            self.draw_series(series, shift, COLOURS[i % COLOURS.len()], &axis, &mut svg);
        }
        self.draw_legend(&mut svg);
        svg + "</svg>\n"
    }

    /// Returns the position of tick `i`.
    fn x(&self, i: usize) -> f64 {
        let first = self.ticks[0].place;
        let span = self.ticks[self.ticks.len() - 1].place - first;
        let share = if span > 0.0 { (self.ticks[i].place - first) / span } else { 0.0 };
        LEFT + INSET + share * (RIGHT - LEFT - 2.0 * INSET)
    }

    /// Returns the distance between the points of two series at the same tick. It is smaller if
    /// ticks are close, so that each point stays near its tick.
    fn distance(&self) -> f64 {
        let gaps = (1..self.ticks.len()).map(|i| self.x(i) - self.x(i - 1));
        let narrowest = gaps.fold(f64::INFINITY, f64::min);
        (2.0 * CAP).min(0.6 * narrowest / self.series.len() as f64)
    }

    fn draw_axes(&self, axis: &Axis, svg: &mut String) {
        for value in axis.ticks() {
            let y = axis.position(value);
            line(svg, (LEFT, y), (RIGHT, y), "#ddd", 1.0);
            text(svg, (LEFT - 8.0, y + 4.5), "end", &axis.label(value));
        }
        line(svg, (LEFT, BOTTOM), (RIGHT, BOTTOM), "#222", 1.0);
        line(svg, (LEFT, TOP), (LEFT, BOTTOM), "#222", 1.0);
        for (i, tick) in self.ticks.iter().enumerate() {
            let x = self.x(i);
            line(svg, (x, BOTTOM), (x, BOTTOM + 5.0), "#222", 1.0);
            text(svg, (x, BOTTOM + 20.0), "middle", &tick.label);
        }
        text(svg, ((LEFT + RIGHT) / 2.0, HEIGHT - 14.0), "middle", &self.x_label);
        let middle = (TOP + BOTTOM) / 2.0;
        let label = escaped(&self.y_label);
        add(
            svg,
            &format!(
                "<text transform=\"translate(20 {middle}) rotate(-90)\" \
                 text-anchor=\"middle\">{label}</text>"
            ),
        );
    }

    fn draw_series(
        &self,
        series: &Series,
        shift: f64,
        colour: &str,
        axis: &Axis,
        svg: &mut String,
    ) {
        let at = |(i, point): (usize, &Point)| (self.x(i) + shift, axis.position(point.y));
        let corners: Vec<String> = series
            .points
            .iter()
            .enumerate()
            .map(at)
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        add(
            svg,
            &format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                corners.join(" ")
            ),
        );
        for (i, point) in series.points.iter().enumerate() {
            let (x, y) = at((i, point));
            if point.error > 0.0 {
                let (low, high) =
                    (axis.position(point.y - point.error), axis.position(point.y + point.error));
                line(svg, (x, low), (x, high), colour, 1.5);
                for end in [low, high] {
                    line(svg, (x - CAP, end), (x + CAP, end), colour, 1.5);
                }
            }
            circle(svg, (x, y), colour);
        }
    }

    fn draw_legend(&self, svg: &mut String) {
        let width = |series: &Series| 30.0 + 7.5 * series.name.chars().count() as f64;
        let widths: f64 = self.series.iter().map(width).sum();
        let gaps = (self.series.len().max(2) - 1) as f64;
        let gap = ((RIGHT - LEFT - widths) / gaps).clamp(0.0, 24.0);
        let mut x = LEFT;
        for (i, series) in self.series.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            line(svg, (x, 20.0), (x + 24.0, 20.0), colour, 2.0);
            circle(svg, (x + 12.0, 20.0), colour);
            text(svg, (x + 30.0, 24.5), "start", &series.name);
            x += width(series) + gap;
        }
    }
}

fn add(svg: &mut String, element: &str) {
    writeln!(svg, "{element}").expect("a string takes every line");
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
    add(
        svg,
        &format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\"/>",
            from.0, from.1, to.0, to.1
        ),
    );
}

fn circle(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    add(svg, &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"));
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let words = escaped(words);
    add(svg, &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: &[(f64, f64)]) -> Vec<Series> {
        let points = points.iter().map(|&(y, error)| Point { y, error }).collect();
        vec![Series { name: "a<b".to_owned(), points }]
    }

    #[test]
    fn the_axis_has_a_few_round_numbers_around_all_bars() {
        for (points, low, high, step) in [
            (&[(350.0, 10.0), (330.0, 5.0)][..], 320.0, 360.0, 10.0),
            (&[(2785.8, 67.0), (6142.0, 19.9)], 2000.0, 7000.0, 1000.0),
            (&[(0.5, 0.009), (0.514, 0.0)], 0.49, 0.515, 0.005),
        ] {
            let axis = Axis::around(&series(points));
            for (computed, expected) in [(axis.low, low), (axis.high, high), (axis.step, step)] {
                assert!((computed - expected).abs() < 1e-9, "{computed} is not {expected}");
            }
            assert!((2..=8).contains(&axis.ticks().count()));
        }
    }

    #[test]
    fn values_that_are_all_the_same_can_be_drawn() {
        for y in [0.0, 400.0] {
            let axis = Axis::around(&series(&[(y, 0.0), (y, 0.0)]));
            assert!(axis.low <= y && y <= axis.high && axis.low < axis.high);
            assert!(axis.position(y).is_finite());
        }
    }

    fn chart(places: &[f64], series: Vec<Series>) -> LineChart {
        let tick = |&place: &f64| Tick { label: place.to_string(), place };
        LineChart {
            x_label: "x".to_owned(),
            y_label: "y & z".to_owned(),
            ticks: places.iter().map(tick).collect(),
            series,
        }
    }

    #[test]
    fn ticks_stand_at_their_places() {
        let chart = chart(&[1.0, 2.0, 5.0], series(&[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]));
        // From 78 + 28 to 540 − 28; a quarter of that is 101.5.
        assert_eq!([0, 1, 2].map(|i| chart.x(i)), [106.0, 207.5, 512.0]);
    }

    #[test]
    fn points_stay_nearer_to_their_tick_than_to_others() {
        let points: &[(f64, f64)] = &[(1.0, 0.0); 3];
        for number in 1..7 {
            let chart = chart(&[0.0, 1.0, 40.0], vec![series(points).remove(0); number]);
            let farthest = chart.distance() * (number as f64 - 1.0) / 2.0;
            assert!(farthest < (chart.x(1) - chart.x(0)) / 2.0, "{number}: {farthest}");
        }
    }

    #[test]
    fn names_are_escaped() {
        let chart = chart(&[7.0], series(&[(1.0, 0.5)]));
        let svg = chart.to_svg();
        assert!(svg.contains("a&lt;b") && svg.contains("y &amp; z") && !svg.contains("a<b"));
    }
}
