//! A colour for each topic: the same wherever the topic is shown. The first topics, which are the largest, have
//! those that differ most.

use anstyle::{Ansi256Color, Color, Style};

/// Colours on light paper, on dark paper, and in a terminal (of its 256 colours).
///
/// On paper they were searched for: as far from each other as eight colours can be for those who see
/// red and green, or blue and yellow, alike, and at least three times as bright as the paper or three
/// times as dark. In a terminal nobody knows whether the paper is dark.
const COLOURS: [(u32, u32, u8); 8] = [
    (0x1965b9, 0xb4b2ff, 32),
    (0xae4414, 0xb15612, 166),
    (0x43a38e, 0x43b19d, 36),
    (0xa77fe4, 0x9871d6, 98),
    (0xcb8315, 0xe38f25, 178),
    (0x31207b, 0x84f3e8, 61),
    (0x6c0205, 0xfae15f, 131),
    (0x684864, 0x2d787e, 65),
];

/// What tells topics of one colour apart in a page: a pattern for areas and a kind of underline for
/// words. Up to eight topics need none.
#[cfg(feature = "report")]
const PATTERNS: [(&str, &str); 6] = [
    ("repeating-linear-gradient(45deg, var(--gap) 0 2px, transparent 2px 6px)", "double"),
    ("repeating-linear-gradient(-45deg, var(--gap) 0 2px, transparent 2px 6px)", "dashed"),
    ("repeating-linear-gradient(90deg, var(--gap) 0 2px, transparent 2px 5px)", "dotted"),
    ("repeating-linear-gradient(0deg, var(--gap) 0 2px, transparent 2px 5px)", "wavy"),
    ("radial-gradient(var(--gap) 1.5px, transparent 2px) 0 0 / 6px 6px", "double"),
    (
        "conic-gradient(var(--gap) 25%, transparent 0 50%, var(--gap) 0 75%, transparent 0) 0 0 / 8px 8px",
        "dashed",
    ),
];

/// The colour of topic `k` in a page, as red, green and blue: on light paper, and on dark paper. Topics
/// from the ninth on have the colours of earlier ones.
pub fn topic_colours(k: usize) -> [[u8; 3]; 2] {
    let (light, dark, _) = COLOURS[k % COLOURS.len()];
    [light, dark].map(|colour| {
        let [_, red, green, blue] = colour.to_be_bytes();
        [red, green, blue]
    })
}

/// The classes of a topic in a page.
#[cfg(feature = "report")]
pub(super) fn classes(k: usize) -> String {
    let (pattern, colour) = (k / COLOURS.len(), k % COLOURS.len());
    match pattern {
        0 => format!("c{colour}"),
        _ => format!("c{colour} p{}", (pattern - 1) % PATTERNS.len()),
    }
}

/// The style of a topic in a terminal.
pub(super) fn style(k: usize) -> Style {
    let (_, _, colour) = COLOURS[k % COLOURS.len()];
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(colour))))
}

/// The style sheet that the classes belong to.
#[cfg(feature = "report")]
pub(super) fn style_sheet() -> String {
    let light = colour_rules(COLOURS.map(|(light, _, _)| light), "#fff9");
    let dark = colour_rules(COLOURS.map(|(_, dark, _)| dark), "#0009");
    let mut css = format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n");
    for (i, (pattern, underline)) in PATTERNS.iter().enumerate() {
        css += &format!(".p{i} {{ --pattern: {pattern}; --underline: {underline}; }}\n");
    }
    css
}

/// Rules for colours, what is written on them, and the gaps of patterns.
#[cfg(feature = "report")]
fn colour_rules(colours: [u32; 8], gap: &str) -> String {
    let rule = |(i, colour): (usize, u32)| {
        let on = if contrast(colour, 0) > contrast(colour, 0xffffff) { "#000" } else { "#fff" };
        format!(".c{i} {{ --c: #{colour:06x}; --on: {on}; --gap: {gap}; }}\n")
    };
    colours.into_iter().enumerate().map(rule).collect()
}

/// Red, green and blue as amounts of light (sRGB).
#[cfg(any(test, feature = "report"))]
fn light([red, green, blue]: [u8; 3]) -> [f64; 3] {
    [red, green, blue].map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

/// How much brighter one colour is than the other, as WCAG 2 defines it.
#[cfg(any(test, feature = "report"))]
fn contrast(a: u32, b: u32) -> f64 {
    let luminance = |colour: u32| {
        let [_, red, green, blue] = colour.to_be_bytes();
        let [red, green, blue] = light([red, green, blue]);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in `style.css`.
    const PAPER: [u32; 2] = [0xfffff8, 0x161615];

    fn on_paper(paper: usize) -> [u32; 8] {
        COLOURS.map(|(light, dark, _)| [light, dark][paper])
    }

    #[test]
    fn colours_stand_out_from_the_paper_and_can_be_written_on() {
        for (paper, &colour_of_paper) in PAPER.iter().enumerate() {
            let css = include_str!("report/style.css");
            assert!(css.contains(&format!("--paper: #{colour_of_paper:06x}")));
            for colour in on_paper(paper) {
                assert!(contrast(colour, colour_of_paper) >= 3.0, "{colour:06x}");
                assert!(contrast(colour, 0).max(contrast(colour, 0xffffff)) >= 4.5, "{colour:06x}");
            }
        }
        assert!((contrast(0, 0xffffff) - 21.0).abs() < 1e-9);
    }

    /// What is seen without one kind of cones, in amounts of light: Machado, Oliveira and Fernandes,
    /// "A physiologically-based model for simulation of color vision deficiency", 2009.
    const SIGHTS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    /// Lightness and two opponent colours, in which equal distances look alike: Ottosson's Oklab.
    fn oklab(light: [f64; 3]) -> [f64; 3] {
        let times = |matrix: [[f64; 3]; 3], v: [f64; 3]| {
            matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>())
        };
        let cones = [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ];
        let opponents = [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ];
        times(opponents, times(cones, light).map(f64::cbrt))
    }

    #[test]
    fn colours_differ_for_every_eye() {
        for (paper, sight) in
            [0, 1].into_iter().flat_map(|paper| SIGHTS.map(|sight| (paper, sight)))
        {
            let seen = on_paper(paper).map(|colour| {
                let [_, red, green, blue] = colour.to_be_bytes();
                let light = light([red, green, blue]);
                let mix = |row: [f64; 3]| row.iter().zip(light).map(|(a, b)| a * b).sum::<f64>();
                oklab(sight.map(|row| mix(row).clamp(0.0, 1.0)))
            });
            for i in 0..seen.len() {
                for j in 0..i {
                    let difference = seen[i].iter().zip(seen[j]).map(|(a, b)| (a - b).powi(2));
                    let distance = difference.sum::<f64>().sqrt();
                    assert!(distance > 0.12, "{i} and {j} on paper {paper}: {distance:.3}");
                }
            }
        }
    }
}
