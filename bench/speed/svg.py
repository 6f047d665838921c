"""Log-log plots as SVG: just enough for points, a line through them and a line of slope 1 to compare with."""

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 380, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 20, 48
STYLE = (
    "text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.axis{stroke:#333;fill:none}"
    ".reference{stroke:#999;stroke-dasharray:5 4;fill:none}.line{stroke:#0a6ebd;stroke-width:2;fill:none}.point{fill:#0a6ebd}"
)


@dataclass
class Panel:
    label: str
    points: list[tuple[float, float]]


class LogAxis:
    """Maps values to pixels; its ends are 1, 2 or 5 times a power of ten."""

    def __init__(self, values, start: float, end: float):
        ticks = [m * 10.0**e for e in range(-7, 10) for m in (1, 2, 5)]
        low = max(tick for tick in ticks if tick <= min(values) * 1.0001)
        high = min(tick for tick in ticks if tick >= max(values) * 0.9999 and tick > low)
        self.ticks = [tick for tick in ticks if low <= tick <= high]
        if len(self.ticks) > 7:
            self.ticks = [t for t in self.ticks if math.isclose(math.log10(t) % 1, 0, abs_tol=1e-9)] or self.ticks[::3]
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def tick_label(value: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def reference(points, y_low: float):
    """Slope 1 through the last point, cut to the panel."""
    (x0, _), (x1, y1) = points[0], points[-1]
    ends = [(x0, y1 * x0 / x1), (x1, y1)]
    if ends[0][1] < y_low:
        ends[0] = (x1 * y_low / y1, y_low)
    return ends


def path(points, x: LogAxis, y: LogAxis) -> str:
    return "M" + "L".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)


def draw(panel: Panel, x_label: str, offset: float) -> str:
    x = LogAxis([a for a, _ in panel.points], LEFT, WIDTH - RIGHT)
    y = LogAxis([b for _, b in panel.points], HEIGHT - BOTTOM, TOP)
    parts = [f'<g transform="translate({offset:g},0)">']
    for tick in x.ticks:
        parts.append(f'<path class="grid" d="M{x(tick):.1f},{TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x(tick):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tick_label(tick)}</text>')
    for tick in y.ticks:
        parts.append(f'<path class="grid" d="M{LEFT},{y(tick):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick_label(tick)}</text>')
    parts.append(f'<path class="axis" d="M{LEFT},{TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>')
    parts.append(f'<path class="reference" d="{path(reference(panel.points, y.low), x, y)}"/>')
    parts.append(f'<path class="line" d="{path(panel.points, x, y)}"/>')
    parts += [f'<circle class="point" cx="{x(a):.1f}" cy="{y(b):.1f}" r="3.5"/>' for a, b in panel.points]
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:g}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_label)}</text>')
    parts.append(f'<text transform="translate(14,{middle:g}) rotate(-90)" text-anchor="middle">{escape(panel.label)}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{TOP - 6}" text-anchor="end">dashed: slope 1</text>')
    return "\n".join([*parts, "</g>"])


def plot(x_label: str, panels: list[Panel]) -> str:
    width = WIDTH * len(panels)
    body = "\n".join(draw(panel, x_label, i * WIDTH) for i, panel in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}">\n'
        f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )
