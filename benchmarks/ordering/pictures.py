"""Spy plots before and after, by binning: small pictures for the docs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graphs import MissingGraphError
from benchmarks.ordering.graphs import graph_of

__all__ = ["draw"]

_PANELS = {
    "rotor": ("natural", "random", "reverse_cuthill_mckee", "nested_dissection"),
    "github-map": ("natural", "random", "rabbit", "hub_sort"),
    "cnr-2000": ("natural", "random", "rabbit", "layered_label_propagation"),
}
_BINS = 160


def draw(names: list[str], folder: Path) -> Iterator[Path]:
    """A picture for each of these graphs that has one."""
    for name in names:
        if name not in _PANELS:
            continue
        try:
            graph = graph_of(name)
        except MissingGraphError:
            continue
        path = folder / f"spy-{name}.png"
        _picture(name, graph, path)
        yield path


def _picture(name: str, graph: Any, path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from edgewise.algorithms.ordering.arrange import names, places_by_name
    from edgewise.ordering import log_gap, spy

    orders = [order for order in _PANELS[name] if order in names()]
    figure = Figure(figsize=(2.6 * len(orders), 3), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, order in zip(np.atleast_1d(figure.subplots(1, len(orders))), orders, strict=True):
        places = places_by_name(graph, order)
        axes.imshow(np.log1p(spy(graph, places, bins=_BINS)), cmap="magma_r", vmin=0)
        bits = log_gap(graph, places) / max(graph.num_arcs, 1)
        title = f"{order.replace('_', ' ')}\n{bits:.1f} bits an arc"
        axes.set_title(title, fontsize=9)
        axes.set_xticks([])
        axes.set_yticks([])
    figure.suptitle(f"{name}: {graph.num_vertices:,} vertices", fontsize=10)
    figure.savefig(path, dpi=100)
