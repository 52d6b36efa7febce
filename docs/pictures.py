"""The picture of communities on the first page: ``python -m docs.pictures`` writes it again.

A random graph with planted communities (LFR), placed by igraph; the color of a vertex is the
community that Leiden found for it, and its size is its PageRank.
"""

from __future__ import annotations

from pathlib import Path
from random import seed

import numpy as np

import edgewise as ew

PATH = Path(__file__).resolve().parent / "assets" / "communities.svg"
WIDTH, HEIGHT, MARGIN = 960, 460, 14
COLORS = ("#4e79a7", "#e07b39", "#3f9b6b", "#c94f5d", "#7a6fb0", "#b8860b", "#2f8f9d", "#a35e8f",
          "#6b8e23", "#8d6e63", "#5c7cfa", "#d6619b")  # fmt: skip


def draw() -> str:
    """The picture as SVG."""
    graph = ew.generators.lfr_benchmark(600, average_degree=9, mu=0.1, seed=11)[0]
    component = ew.connected_components(graph)
    graph = graph.subgraph(component == np.bincount(component).argmax())
    found = np.asarray(ew.communities.leiden(graph, deterministic=True))
    rank = ew.pagerank(graph)
    spots, colors = places(graph), np.unique(found, return_inverse=True)[1]
    sources, targets, _ = graph.edges()
    between = found[sources] != found[targets]
    lines = [strokes(spots, sources[between], targets[between], "#999", 0.2)]
    for one in range(colors.max() + 1):
        color, inside = COLORS[one % len(COLORS)], ~between & (colors[sources] == one)
        lines.append(strokes(spots, sources[inside], targets[inside], color, 0.4))
        lines.append(f'<g fill="{color}">')
        for v in np.flatnonzero(colors == one):
            radius = 1.6 + 5.5 * np.sqrt(rank[v] / rank.max())
            x, y = spots[v]
            lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}"/>')
        lines.append("</g>")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none">'
    return "\n".join([head, *lines, "</svg>", ""])


def strokes(spots, sources, targets, color: str, opacity: float) -> str:
    """Straight lines between the ends of edges, as one path."""
    ends = np.concatenate([spots[sources], spots[targets]], axis=1)
    steps = "".join(f"M{a:.0f} {b:.0f}L{c:.0f} {d:.0f}" for a, b, c, d in ends)
    return f'<path d="{steps}" stroke="{color}" opacity="{opacity}"/>'


def places(graph: ew.Graph) -> np.ndarray:
    """Where each vertex is drawn, in pixels."""
    seed(1)  # igraph draws from Python's generator
    layout = graph.to_igraph().layout_fruchterman_reingold(niter=3000)
    spots = np.array(layout.coords)
    spots -= np.quantile(spots, 0.002, axis=0)
    spots /= np.quantile(spots, 0.998, axis=0)
    size = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    return spots.clip(0, 1) * size + MARGIN


if __name__ == "__main__":
    PATH.write_text(draw())
