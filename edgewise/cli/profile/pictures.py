"""The pictures of a report: degrees, component sizes, distances, cores, ranks, timings.

Each takes its part of a profile and returns SVG text, or None where there is nothing to draw.
"""

from __future__ import annotations

import math
from typing import Any

from edgewise.cli.report.svg import Chart, Scale
from edgewise.cli.terminal import number

__all__ = [
    "component_picture",
    "core_picture",
    "degree_picture",
    "distance_picture",
    "rank_picture",
]


def degree_picture(degrees: dict[str, Any]) -> str | None:
    """Vertices of each degree on logarithmic axes: dots for exactly, a line for at least."""
    series = [(name, part["points"]) for name, part in degrees.items() if part["points"]]
    if not series:
        return None
    x = Scale.around([degree for _, points in series for degree, *_ in points], log=True)
    y = Scale.around([1, *(above for _, points in series for *_, above in points)], log=True)
    chart = Chart(x, y, "degree", "vertices")
    names = []
    for i, (name, points) in enumerate(series, 1):
        word = "degree" if name == "degree" else f"{name}-degree"
        titles = [
            f"{word} {number(degree)}: {number(count)} vertices, {number(above)} with at least that"
            for degree, count, above in points
        ]
        chart.line([(degree, above) for degree, _, above in points], f"line s{i}")
        chart.dots([(degree, count) for degree, count, _ in points], f"dot s{i}", titles, 2.6)
        names += [(f"dot s{i}", f"exactly this {word}"), (f"dash s{i}", f"at least this {word}")]
    return chart.legend(names).svg("Degree distribution on logarithmic axes")


def component_picture(components: dict[str, Any]) -> str | None:
    """How many components there are of each size, in bins that double."""
    bins = [one for one in components["bins"] if one["count"]]
    if not bins:
        return None
    x = Scale(0.5, _decade(bins[-1]["high"] + 0.5), log=True)
    y = Scale(0.5, _decade(max(one["count"] for one in bins) * 1.01), log=True)
    chart = Chart(x, y, "vertices in the component", "components")
    spans = [(one["low"] - 0.5, one["high"] + 0.5, float(one["count"])) for one in bins]
    titles = [f"{number(one['count'])} of {_span(one)} vertices" for one in bins]
    return chart.bars(spans, "bar s1", titles).svg("Component sizes on logarithmic axes")


def distance_picture(distances: dict[str, Any]) -> str | None:
    """The share of pairs at each distance, with the effective diameter marked."""
    width, shares = _at_most(160, **distances["histogram"])
    if not shares:
        return None
    spans = [
        (max(i * width - 0.5, 0.0), (i + 1) * width - 0.5, share * 100)
        for i, share in enumerate(shares)
        if share > 0
    ]
    x = Scale.around([0, max(5, len(shares) * width - 0.5)])
    y = Scale.around([0, 1.15 * max(share for *_, share in spans)])
    chart = Chart(x, y, "distance in hops", "% of connected pairs")
    titles = [
        f"{_hops(round(high + 0.5) - width, width)}: {share:.3g}% of the pairs"
        for _, high, share in spans
    ]
    chart.bars(spans, "bar s1", titles)
    effective = distances["effective_diameter"]
    return chart.mark(effective, f"90% within {number(round(effective, 2))}").svg(
        "Distances between vertices"
    )


def core_picture(cores: dict[str, Any]) -> str | None:
    """How many vertices lie in each k-core."""
    points = [(k, size) for k, size in cores["sizes"] if k and size]
    if not points:
        return None
    x = Scale.around([k for k, _ in points], log=True)
    y = Scale.around([size for _, size in points], log=True)
    chart = Chart(x, y, "k", "vertices in the k-core")
    titles = [f"{number(size)} vertices in the {k}-core" for k, size in points]
    return (
        chart.line(points, "line s1")
        .dots(points, "dot s1", titles, 2.6)
        .svg("Sizes of the k-cores on logarithmic axes")
    )


def rank_picture(ranks: dict[str, Any]) -> str | None:
    """PageRank against the position in the ranking."""
    points = [(place, score) for place, score in ranks["curve"] if score > 0]
    if not points:
        return None
    x = Scale.around([place for place, _ in points], log=True)
    y = Scale.around([score for _, score in points], log=True)
    chart = Chart(x, y, "position in the ranking", "PageRank")
    titles = [f"number {number(place)}: {score:.3g}" for place, score in points]
    return (
        chart.line(points, "line s1")
        .dots(points, "dot s1", titles, 2.2)
        .svg("PageRank by position on logarithmic axes")
    )


def _at_most(bars: int, width: int, share: list[float]) -> tuple[int, list[float]]:
    """A histogram with neighboring bins merged until there are few enough."""
    every = -(-len(share) // bars) or 1
    return width * every, [sum(share[i : i + every]) for i in range(0, len(share), every)]


def _decade(value: float) -> float:
    return 10.0 ** math.ceil(math.log10(value))


def _span(one: dict[str, int]) -> str:
    low, high = one["low"], one["high"]
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def _hops(first: int, width: int) -> str:
    if width > 1:
        return f"{first} to {first + width - 1} hops"
    return f"{first} hop" if first == 1 else f"{first} hops"
