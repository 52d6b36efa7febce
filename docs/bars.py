"""Bars on a logarithmic axis as SVG: how many times faster, a row per algorithm.

Written by hand, so that the same numbers give the same bytes. The background is transparent, and
the grays can be read on white and on black.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from math import log10
from typing import NamedTuple

__all__ = ["Bar", "drawing"]

_WIDTH, _LEFT, _RIGHT, _ROW, _TOP = 780, 260, 60, 19, 76
_TEXT, _FAINT, _AHEAD, _BEHIND, _MARK = "#808080", "#80808055", "#3f7fbf", "#d9822b", "#808080"


class Bar(NamedTuple):
    """One row: the mean, the range it lies in, and the mean beside programs, if there are any.

    A bar without a mean is the title of a group.
    """

    name: str
    mean: float | None = None
    least: float = 1
    most: float = 1
    mark: float | None = None


def drawing(title: str, bars: Iterable[Bar], *, about: str, mark: str = "") -> str:
    """The picture; ``about`` and ``mark`` say in the legend what bars and diamonds stand for."""
    bars = list(bars)
    values = [one for bar in bars for one in (bar.least, bar.most, bar.mark) if one]
    low, high = min([0.5, *values]) * 0.9, max(values) * 1.1
    height = _TOP + _ROW * len(bars) + 34
    bottom = _TOP + _ROW * len(bars)

    def at(value: float) -> float:
        share = log10(value / low) / log10(high / low)
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" font-family="system-ui, sans-serif" font-size="12" '
        f'fill="{_TEXT}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<text x="24" y="18" font-size="15" font-weight="600">{escape(title)}</text>',
        *_legend(about, mark, any((bar.mean or 1) < 1 for bar in bars)),
    ]
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if low <= tick <= high:
            strong = f'stroke="{_TEXT}" stroke-width="1.5"' if tick == 1 else f'stroke="{_FAINT}"'
            x = at(tick)
            parts.append(f'<line x1="{x}" y1="{_TOP - 6}" x2="{x}" y2="{bottom}" {strong}/>')
            for y in (_TOP - 10, bottom + 16):
                parts.append(f'<text x="{x}" y="{y}" text-anchor="middle">{tick:g}</text>')
    for y in (_TOP - 10, bottom + 16):
        parts.append(f'<text x="{_LEFT - 24}" y="{y}" text-anchor="end">times faster</text>')
    for i, one in enumerate(bars):
        parts += _row(one, _TOP + _ROW * i, at)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend(about: str, mark: str, behind: bool) -> list[str]:
    """What colors and diamonds mean, from left to right."""
    made: list[str] = []
    x = 24.0
    for color, text in ((_AHEAD, about), (_BEHIND, "peer ahead" if behind else "")):
        if text:
            made.append(f'<rect x="{x:.0f}" y="29" width="18" height="9" fill="{color}"/>')
            made.append(f'<text x="{x + 24:.0f}" y="38">{escape(text)}</text>')
            x += 44 + 6.2 * len(text)
    if mark:
        made += [_diamond(x, 33.5), f'<text x="{x + 10:.0f}" y="38">{escape(mark)}</text>']
    return made


def _row(bar: Bar, top: float, at: Callable[[float], float]) -> list[str]:
    middle = top + _ROW / 2
    bold = ' font-weight="600"' if bar.mean is None and bar.mark is None else ""
    made = [
        f'<text x="{_LEFT - 10}" y="{middle + 4}" text-anchor="end"{bold}>{escape(bar.name)}</text>'
    ]
    if bar.mean is not None:
        left, right = sorted((at(1), at(bar.mean)))
        color = _AHEAD if bar.mean >= 1 else _BEHIND
        made.append(
            f'<rect x="{left}" y="{top + 4}" width="{max(right - left, 1):.1f}" '
            f'height="{_ROW - 8}" fill="{color}"/>'
        )
        if bar.most > bar.least:
            made.append(
                f'<line x1="{at(bar.least)}" y1="{middle}" x2="{at(bar.most)}" y2="{middle}" '
                f'stroke="{_TEXT}" stroke-width="1.5"/>'
            )
        end = max(at(one) for one in (bar.mean, bar.most, bar.mark or bar.mean, 1))
        made.append(f'<text x="{end + 8:.1f}" y="{middle + 4}">{_figure(bar.mean)}</text>')
    if bar.mark is not None:
        made.append(_diamond(at(bar.mark), middle))
        if bar.mean is None:
            made.append(
                f'<text x="{max(at(bar.mark), at(1)) + 10:.1f}" y="{middle + 4}">'
                f"{_figure(bar.mark)}</text>"
            )
    return made


def _diamond(x: float, y: float) -> str:
    return (
        f'<path d="M{x} {y - 5}l5 5l-5 5l-5 -5z" fill="{_MARK}" stroke="#ffffff" '
        'stroke-width="0.8"/>'
    )


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"
