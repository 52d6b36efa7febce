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
_BINS = 128


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
    """One panel for each order, all on one logarithmic scale; white has no edges at all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    from edgewise.algorithms.ordering.reorder import names, places_by_name
    from edgewise.ordering import log_gap, spy

    orders = [order for order in _PANELS[name] if order in names()]
    figure = Figure(figsize=(2.2 * len(orders), 2.95), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    places = [places_by_name(graph, order) for order in orders]
    counts = [np.log1p(spy(graph, one, bins=_BINS)) for one in places]
    most = max(one.max() for one in counts)
    panels = zip(figure.subplots(1, len(orders), squeeze=False)[0], orders, places, counts,
                 strict=True)  # fmt: skip
    for axes, order, one, shown in panels:
        masked = np.ma.masked_equal(shown, 0)
        axes.imshow(masked, cmap="YlGnBu", vmin=0, vmax=most, interpolation="nearest")
        bits = log_gap(graph, one) / max(graph.num_arcs, 1)
        axes.set_title(f"{order.replace('_', ' ')}\n{bits:.1f} bits an arc", fontsize=8)
        axes.set_xticks([])
        axes.set_yticks([])
    figure.suptitle(f"{name}: {graph.num_vertices:,} vertices", fontsize=9)
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    picture.quantize(48).save(path, optimize=True)
