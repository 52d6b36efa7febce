"""The pictures of what was sensed: quantities over windows, and distributions of sizes.

Each returns SVG text, or None where there is nothing to draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from edgewise.cli.report.svg import Chart, Scale
from edgewise.cli.terminal import number, percent

__all__ = ["Series", "distribution_picture", "series_picture"]

#: Windows that are drawn one by one; of more, the least and the largest of some in a row.
_MOST = 240


class Series(NamedTuple):
    """One quantity over all windows, with the range that is usual, if that is known."""

    values: np.ndarray
    usual: tuple[int, int] | None
    marked: Mapping[int, str]  #: what the windows outside of it say


def series_picture(series: Series, title: str, when: Sequence[str]) -> str | None:
    """One quantity over windows: the usual range shaded, the windows outside of it marked.

    ``when`` has a text for each window that says when it was, for its tooltip.
    """
    values = series.values
    if len(values) < 2:
        return None
    y = _vertical(values, series.usual)
    chart = Chart(Scale(0, max(len(values) - 1, 5)), y, "", "", width=360, height=190)
    if series.usual:
        low, high = series.usual
        chart.band(low, high, "band", f"usual: {number(low)} to {number(high)}")
    chart.line([(i, _inside(v, y)) for i, v in _thinned(values)], "line s1")

    def titled(i: int) -> str:
        return f"window {i}, {when[i]}: {series.marked.get(i) or number(int(values[i]))}"

    plain = range(len(values)) if len(values) <= _MOST else ()
    for windows, style, radius in (
        ([i for i in plain if i not in series.marked], "dot s1 hidden", 4.0),
        (list(series.marked)[:_MOST], "dot flag", 4.0),
    ):
        points = [(i, _inside(float(values[i]), y)) for i in windows]
        chart.dots(points, style, [titled(i) for i in windows], radius)
    return chart.svg(f"{title} over windows")


def distribution_picture(
    shown: Sequence[tuple[str, np.ndarray, Any]], things: str, measure: str
) -> str | None:
    """Distributions in bins of powers of two on logarithmic axes, each with the law that fits it.

    ``shown`` has a name, the counts of the bins, and the `Fit` of each.
    """
    shown = [one for one in shown if one[1].any()]
    if not shown:
        return None
    shares = [counts / counts.sum() for _, counts, _ in shown]
    last = max(int(np.flatnonzero(part)[-1]) for part in shares)
    y = Scale.around([1, *(float(share) for part in shares for share in part if share)], log=True)
    x = Scale.around([1, 2.0 ** max(last, 3)], log=True)
    chart = Chart(x, y, measure, f"share of {things}")
    legend = []
    for i, ((name, counts, fit), part) in enumerate(zip(shown, shares, strict=True), 1):
        expected = fit.expected / counts.sum()
        law = [(2.0**k, float(share)) for k, share in enumerate(expected) if share >= y.low]
        if len(law) > 1:
            chart.line(law, f"line thin s{i}")
            legend.append((f"dash s{i}", f"{name}, fitted"))
        known = np.flatnonzero(part).tolist()
        titles = [
            f"{name}: {percent(float(part[k]))} of {things} have {_bin(k)} {measure}" for k in known
        ]
        chart.dots([(2.0**k, float(part[k])) for k in known], f"dot s{i}", titles, 3.6)
        legend.insert(2 * i - 2, (f"dot s{i}", name))
    return chart.legend(legend).svg(f"{things} by {measure}, on logarithmic axes")


def _bin(k: int) -> str:
    """Which values a bin counts.

    >>> _bin(0), _bin(1), _bin(4)
    ('1', '2', '9 to 16')
    """
    low, high = (1 << k >> 1) + 1, 1 << k
    return number(high) if k < 2 else f"{number(low)} to {number(high)}"


def _vertical(values: np.ndarray, usual: tuple[int, int] | None) -> Scale:
    """A scale for all values, and for the usual range as far as that has space for them."""
    least, most = float(values.min()), float(values.max())
    ends = [least, most]
    if usual:
        ends += [max(usual[0], least / 2), min(usual[1], most * 2)]
    if max(ends) >= 20 * max(min(ends), 1):
        scale = Scale.around([max(end, 1) for end in ends], log=True)
        return scale if min(ends) >= 1 else scale._replace(low=0.5)
    if max(ends) == min(ends):
        ends += [0.9 * least, 1.1 * most]
    return Scale.around(ends)


def _inside(value: float, scale: Scale) -> float:
    """The value, or the lowest one of a logarithmic scale, which has no place for 0."""
    return max(value, scale.low) if scale.log else value


def _thinned(values: np.ndarray) -> list[tuple[int, float]]:
    """The windows to draw a line through: all, or the least and the largest of some in a row."""
    count = len(values)
    if count <= _MOST:
        return list(enumerate(values.tolist()))
    points = []
    for part in np.array_split(np.arange(count), _MOST // 2):
        at = {int(part[np.argmin(values[part])]), int(part[np.argmax(values[part])])}
        points += [(i, float(values[i])) for i in sorted(at)]
    return points
