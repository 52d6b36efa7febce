"""The HTML page of ``edgewise protein-families``: families, similarities, steps and times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from edgewise.cli.report import page
from edgewise.cli.report.page import Tile
from edgewise.cli.report.svg import Chart, Scale
from edgewise.cli.terminal import number, percent

if TYPE_CHECKING:
    from edgewise.apps.protein_families import ProteinFamilies

__all__ = ["families_report"]

_BINS, _FAMILIES, _MEMBERS = 20, 12, 8
_DRAWN = 240  # sequences in the picture of the network


def families_report(found: ProteinFamilies, name: str) -> str:
    """The whole page as text."""
    counts, pairs = found.network.counts, found.network.pairs
    several = int((found.sizes > 1).sum())
    about = f"{number(counts['sequences'])} protein sequences, {number(counts['letters'])} letters"
    shown = [
        Tile("sequences", number(counts["sequences"])),
        Tile("families", number(len(found.sizes))),
        Tile("with two or more members", number(several)),
        Tile("similar pairs", number(counts["edges"])),
    ]
    parts = [
        page.header(name, about),
        page.tiles(shown),
        '<div class="cards">',
        page.card("Sizes of families", _sizes(found.sizes), _size_facts(found.sizes)),
        page.card("Identity of similar pairs", _identities(pairs["identity"]), _facts(found)),
        page.card("Similar pairs, by family", _blocks(found), []),
        page.section("From sequences to edges", page.facts(_steps(counts))),
        _largest(found),
        page.timings(found.network.seconds),
        "</div>",
        page.footer([
            "A family is a Markov cluster of the similarity network. An edge is an alignment that "
            "passes all filters; its weight is its score in bits, corrected for composition."
        ]),
    ]  # fmt: skip
    return page.page(f"{name}: protein families", parts)


def _sizes(sizes: np.ndarray) -> str | None:
    """The number of families of each size, on logarithmic axes."""
    size, count = np.unique(sizes, return_counts=True)
    x, y = (Scale.around([1.0, *map(float, values)], log=True) for values in (size, count))
    chart = Chart(x, y, "members", "families")
    titles = [
        f"{number(c)} families of {number(s)}"
        for s, c in zip(size.tolist(), count.tolist(), strict=True)
    ]
    points = list(zip(size.tolist(), count.tolist(), strict=True))
    return chart.dots(points, "dot s1", titles, 3.6).svg("families by size")


def _size_facts(sizes: np.ndarray) -> list[tuple[str, ...]]:
    return [
        ("largest", number(int(sizes.max(initial=0)))),
        ("of one member", number(int((sizes == 1).sum()))),
    ]


def _identities(identity: np.ndarray) -> str | None:
    """How many pairs have which part of their letters in common."""
    if not len(identity):
        return None
    counts, edges = np.histogram(100 * identity, _BINS, (0, 100))
    chart = Chart(Scale(0, 100), Scale.around(counts.tolist(), zero=True), "identity, %", "pairs")
    spans = [
        (float(edges[i]), float(edges[i + 1]), float(c)) for i, c in enumerate(counts.tolist()) if c
    ]
    titles = [f"{low:.0f} to {high:.0f}%: {number(int(c))} pairs" for low, high, c in spans]
    return chart.bars(spans, "bar s1", titles).svg("pairs by identity")


def _facts(found: ProteinFamilies) -> list[tuple[str, ...]]:
    pairs = found.network.pairs
    if not len(pairs["identity"]):
        return []
    cover = np.minimum(pairs["left_coverage"], pairs["right_coverage"])
    inside = found.families[pairs["left"]] == found.families[pairs["right"]]
    return [
        ("median identity", percent(float(np.median(pairs["identity"])))),
        ("median coverage", percent(float(np.median(cover)))),
        ("within families", percent(float(inside.mean()))),
    ]


def _blocks(found: ProteinFamilies) -> str | None:
    """The adjacency matrix of the largest families, with members of a family side by side."""
    several = int(found.sizes[found.sizes > 1].sum())
    order = np.argsort(found.families, kind="stable")[: min(several, _DRAWN)]
    place = np.full(len(found.families), -1)
    place[order] = np.arange(len(order))
    left, right = place[found.network.pairs["left"]], place[found.network.pairs["right"]]
    both = np.flatnonzero((left >= 0) & (right >= 0))
    if not len(both):
        return None
    scale = Scale(0, max(len(order), 2))
    chart = Chart(scale, scale, "sequences, by family", "sequences, by family")
    names, bits = found.names, found.network.pairs["bits"]
    for same, style in ((True, "dot s1"), (False, "dot s2")):
        some = [
            e for e in both.tolist()
            if (found.families[order[left[e]]] == found.families[order[right[e]]]) == same
        ]  # fmt: skip
        titles = [
            f"{names[order[left[e]]]} and {names[order[right[e]]]}: {bits[e]:.0f} bits"
            for e in some
        ]
        points = [(int(left[e]), int(right[e])) for e in some]
        chart.dots(points, style, titles, 1.8)
        chart.dots([(b, a) for a, b in points], style, titles, 1.8)
    return chart.legend([("dot s1", "same family"), ("dot s2", "other")]).svg("pairs by family")


def _steps(counts: dict[str, int]) -> list[tuple[str, ...]]:
    names = {
        "k-mers": "distinct spaced k-mers", "candidates": "pairs with a good seed",
        "cells": "cells of dynamic programs",
        "aligned": "pairs with a good score", "edges": "edges",
    }  # fmt: skip
    return [(text, number(counts[name])) for name, text in names.items()]


def _largest(found: ProteinFamilies) -> str:
    rows = []
    for family in range(min(_FAMILIES, int((found.sizes > 1).sum()))):
        members = np.flatnonzero(found.families == family)
        some = ", ".join(found.names[i] for i in members[:_MEMBERS].tolist())
        more = ", ..." if len(members) > _MEMBERS else ""
        rows.append((str(family), number(len(members)), some + more))
    if not rows:
        return ""
    table = page.listing(rows, ("family", "members", "sequences"), name="families")
    return page.section("Largest families", table, wide=True)
