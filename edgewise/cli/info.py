"""``edgewise info FILE``: what a graph file holds."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from edgewise.cli.options import GraphFile
from edgewise.cli.terminal import print_json, show, steps, table

__all__ = ["info"]


def info(
    file: GraphFile,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the whole content, not the header alone.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: bool = False,
) -> None:
    """What a graph file holds: kind, sizes, degrees, weights, labels."""
    with steps(2, quiet=quiet) as step:
        step("reading")
        graph = file.read(verify=True) if verify and file.has_checksums else file.read()
        step("looking")
        found = _facts(graph)
    found = {"file": str(file.path), "bytes": file.path.stat().st_size, **found}
    if verify:
        found["verified"] = True  # a damaged file has ended in an error by now
    if json:
        print_json(found)
    else:
        show(table(str(file.path), [(name.replace("_", " "), v) for name, v in found.items()][1:]))


def _facts(graph: Any) -> dict[str, Any]:
    degree = graph.degrees()
    found = {
        "directed": graph.directed,
        "vertices": graph.num_vertices,
        "edges": int(graph.num_edges),
        "self_loops": int(graph.num_self_loops),
        "largest_degree": int(degree.max(initial=0)),
        "mean_degree": float(degree.mean()) if len(degree) else None,
        "ids": str(graph.indices.dtype),
        "labels": None if graph.labels is None else _example(graph),
        "weights": None if graph.weights is None else str(graph.weights.dtype),
    }
    if graph.weights is not None and len(graph.weights):
        low, high = graph.weights.min(), graph.weights.max()
        found["smallest_weight"] = float(low) if np.isfinite(low) else str(low)
        found["largest_weight"] = float(high) if np.isfinite(high) else str(high)
    return found


def _example(graph: Any) -> str:
    names = [str(name) for name in graph.label(np.arange(min(3, graph.num_vertices)))]
    return ", ".join(names) + (", ..." if graph.num_vertices > 3 else "")
