"""Charts as inline SVG: scales with ticks, dots, lines and bars; colors come from the page's CSS.

A `Chart` has a horizontal and a vertical `Scale`, each linear or logarithmic. What is drawn carries
a tooltip (``<title>``), so that a picture can be read exactly without any script.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

__all__ = ["Chart", "Scale", "short"]

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 18, 16, 50
_SIZES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


class Scale(NamedTuple):
    """Maps ``low..high`` to 0..1, evenly in the value or in its logarithm."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def around(cls, values: Iterable[float], *, log: bool = False, zero: bool = False) -> Scale:
        """A scale with round ends that holds all values; with ``zero`` it begins there."""
        known = [value for value in values if value > 0 or not log]
        if not known:
            return cls(1, 10, log) if log else cls(0, 1, log)
        low, high = min(known), max(known)
        if log:
            low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
            return cls(low, high if high > low else low * 10, log)
        low = 0.0 if zero else low
        high = high if high > low else low + 1
        step = _step(low, high)
        return cls(math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step, log)

    def __call__(self, value: float) -> float:
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Round values with their texts; on a logarithmic scale powers of ten, or of more."""
        if self.log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            if last - first == 1:
                values = [k * 10.0**i for i in (first, last) for k in (1, 2, 5)]
                return [(v, short(v)) for v in values if self.low <= v <= self.high * 1.0001]
            every = max(1, math.ceil((last - first) / 7))
            return [(10.0**i, short(10.0**i)) for i in range(first, last + 1, every)]
        step = _step(self.low, self.high)
        count = math.floor((self.high - self.low) / step + 1e-6)
        size, letter = next((one for one in _SIZES if self.high >= one[0] * 100), (1.0, ""))
        digits = max(0, -math.floor(math.log10(step / size) + 1e-9))
        values = [self.low + i * step for i in range(count + 1)]
        return [(v, f"{v / size:,.{digits}f}{letter if v else ''}") for v in values]

    def between(self) -> list[float]:
        """Where a logarithmic scale of few decades has its faint lines."""
        if not self.log or math.log10(self.high / self.low) > 5:
            return []
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        return [k * 10.0**i for i in range(first, last) for k in range(2, 10)]


class Chart:
    """Draws into one SVG picture; every method returns the chart itself.

    A picture is stretched to its place on the page: its width is the one at which its texts have
    their size. A label that is empty takes no space.
    """

    def __init__(
        self,
        x: Scale,
        y: Scale,
        x_label: str,
        y_label: str,
        *,
        width: int = WIDTH,
        height: int = HEIGHT,
    ):
        self.x, self.y, self.width, self.height = x, y, width, height
        self.left = LEFT if y_label else LEFT - 14
        self.floor = height - (BOTTOM if x_label else BOTTOM - 22)
        self._parts: list[str] = []
        self._frame(x_label, y_label)

    def dots(
        self, points: Sequence[Sequence[float]], style: str, titles: Sequence[str], radius: float
    ) -> Chart:
        """A dot at each point, each with its tooltip."""
        for (a, b), title in zip(points, titles, strict=True):
            self._parts.append(
                f'<circle class="{style}" cx="{self._left(a)}" cy="{self._top(b)}" r="{radius}">'
                f"<title>{escape(title)}</title></circle>"
            )
        return self

    def line(self, points: Sequence[Sequence[float]], style: str) -> Chart:
        """A line through the points."""
        path = " ".join(f"{self._left(a)},{self._top(b)}" for a, b in points)
        self._parts.append(f'<polyline class="{style}" points="{path}"/>')
        return self

    def bars(
        self, spans: Sequence[tuple[float, float, float]], style: str, titles: Sequence[str]
    ) -> Chart:
        """A bar from ``low`` to ``high``, as tall as the third number, each with its tooltip."""
        for (low, high, value), title in zip(spans, titles, strict=True):
            left, right, top = self._left(low), self._left(high), self._top(value)
            gap = min(1.5, (right - left) / 6) if right - left > 3 else 0.0
            self._parts.append(
                f'<rect class="{style}" x="{left + gap:.2f}" y="{top:.2f}" rx="1.5" '
                f'width="{max(right - left - 2 * gap, 0.5):.2f}" height="{self.floor - top:.2f}">'
                f"<title>{escape(title)}</title></rect>"
            )
        return self

    def band(self, low: float, high: float, style: str, title: str) -> Chart:
        """A range of the vertical scale, shaded from side to side."""
        top, bottom = self._top(min(high, self.y.high)), self._top(max(low, self.y.low))
        width, height = self.width - RIGHT - self.left, max(bottom - top, 1.0)
        self._parts.append(
            f'<rect class="{style}" x="{self.left}" y="{top}" width="{width}" '
            f'height="{height:.2f}"><title>{escape(title)}</title></rect>'
        )
        return self

    def mark(self, value: float, text: str) -> Chart:
        """A dashed vertical line at ``value``, with a text on the side that has space."""
        left = self._left(value)
        before = self.x(value) > 0.55
        self._parts.append(
            f'<line class="mark" x1="{left}" x2="{left}" y1="{TOP}" y2="{self.floor}"/>'
            f'<text class="note" x="{left + (-7 if before else 7):.2f}" y="{TOP + 12}" '
            f'text-anchor="{"end" if before else "start"}">{escape(text)}</text>'
        )
        return self

    def legend(self, entries: Sequence[tuple[str, str]]) -> Chart:
        """What the styles mean, in the upper right corner; a ``dash`` stands for a line."""
        for i, (style, text) in enumerate(entries):
            right, top = self.width - RIGHT - 8, TOP + 14 + 18 * i
            sign = f'<circle class="{style}" r="3.5" cx="{right - 8}" cy="{top}"/>'
            if style.startswith("dash"):
                sign = (
                    f'<rect class="{style}" x="{right - 16}" y="{top - 1}" width="16" height="2"/>'
                )
            self._parts.append(
                f'<text class="note" x="{right - 22}" y="{top + 4}" text-anchor="end">'
                f"{escape(text)}</text>{sign}"
            )
        return self

    def svg(self, title: str) -> str:
        """The picture as text."""
        body = "".join(self._parts)
        return (
            f'<svg viewBox="0 0 {self.width} {self.height}" role="img" '
            f'aria-label="{escape(title, quote=True)}">{body}</svg>'
        )

    def _left(self, value: float) -> float:
        return round(self.left + self.x(value) * (self.width - self.left - RIGHT), 2)

    def _top(self, value: float) -> float:
        return round(self.floor - self.y(value) * (self.floor - TOP), 2)

    def _frame(self, x_label: str, y_label: str) -> None:
        left, right, floor = self.left, self.width - RIGHT, self.floor
        add = self._parts.append
        for value in self.x.between():
            at = self._left(value)
            add(f'<line class="faint" x1="{at}" x2="{at}" y1="{TOP}" y2="{floor}"/>')
        for value in self.y.between():
            at = self._top(value)
            add(f'<line class="faint" x1="{left}" x2="{right}" y1="{at}" y2="{at}"/>')
        for value, text in self.x.ticks():
            at = self._left(value)
            add(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP}" y2="{floor}"/>')
            add(f'<text class="tick" x="{at}" y="{floor + 18}" text-anchor="middle">{text}</text>')
        for value, text in self.y.ticks():
            at = self._top(value)
            add(f'<line class="grid" x1="{left}" x2="{right}" y1="{at}" y2="{at}"/>')
            add(f'<text class="tick" x="{left - 8}" y="{at + 4}" text-anchor="end">{text}</text>')
        add(f'<line class="axis" x1="{left}" x2="{right}" y1="{floor}" y2="{floor}"/>')
        middle = (left + right) / 2
        add(
            f'<text class="label" x="{middle}" y="{self.height - 8}" text-anchor="middle">'
            f"{escape(x_label)}</text>"
        )
        down = (TOP + floor) / 2
        add(
            f'<text class="label" transform="translate(14 {down}) rotate(-90)" '
            f'text-anchor="middle">{escape(y_label)}</text>'
        )


def short(value: float) -> str:
    """A power of ten, or any number, in few characters.

    >>> short(1), short(1000), short(2.5e6), short(1e-5), short(0.02)
    ('1', '1k', '2.5M', '10⁻⁵', '0.02')
    """
    for size, letter in _SIZES:
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    if value == 0 or abs(value) >= 0.001:
        return f"{value:.3g}"
    power = math.floor(math.log10(abs(value)))
    lead = value / 10**power
    text = "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return text if abs(lead - 1) < 1e-9 else f"{lead:.3g}·{text}"


def _step(low: float, high: float) -> float:
    """A round step that gives about five ticks: 1, 2 or 5 times a power of ten."""
    rough = (high - low) / 5
    power = 10 ** math.floor(math.log10(rough))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= rough * 0.999)
