"""Repairs of a `Stream` beside static calls, by the size of the batch; and `Graph.updated`.

A batch has as many edges to add, at random, as edges to remove. A repair is `Stream.update` with
one answer, and the call that returns it. Beside it is what there is without a stream:
`Graph.updated` and the static call; and the static call alone, on a graph that is made already.
Static ranks have the same bound of their error. Medians over several batches; kernels are compiled
before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.report import machine, spell_time, table
from edgewise.dynamic import Stream

__all__ = ["GRAPHS", "QUICK", "SIZES", "measure_dynamic"]

GRAPHS = ("rmat17", "road400")
QUICK = ("rmat8",)
SIZES = (10, 100, 1_000, 10_000, 1_000_000)
#: The source of searches: the graphs are numbered so that it is the vertex of highest degree.
HUB = 0
#: The change at which a static call stops, for an error of at most 1e-7, as that of a stream.
TOL = 1e-7 * 0.15 / 0.85
#: The answer of a stream, and the static call beside it.
ANSWERS: dict[str, tuple[Callable[[Stream], Any], Callable[[Any], Any]]] = {
    "components": (lambda s: s.components(), ew.connected_components),
    "core_number": (lambda s: s.core_number(), ew.core_number),
    "triangles": (lambda s: s.triangles(), ew.triangles),
    "bfs": (lambda s: s.bfs(HUB), lambda g: ew.bfs(g, HUB)),
    "sssp": (lambda s: s.sssp(HUB), lambda g: ew.sssp(g, HUB)),
    "matching": (lambda s: s.matching(), ew.matching.locally_dominant),
    "pagerank": (lambda s: s.pagerank(), lambda g: ew.pagerank(g, tol=TOL)),
    "personalized_pagerank": (lambda s: s.personalized_pagerank(HUB),
                              lambda g: ew.personalized_pagerank(g, HUB, tol=TOL)),
    "louvain": (lambda s: s.communities(), ew.communities.louvain),
    "leiden": (lambda s: s.communities(method="leiden"), ew.communities.leiden),
}  # fmt: skip


def measure_dynamic(
    names: tuple[str, ...], sizes: tuple[int, ...], trials: int, device: str, folder: Path,
    command: str, tell: Callable[[str], None],
) -> str:  # fmt: skip
    """Measure all; the report in Markdown, also written to ``folder``."""
    for answer in ANSWERS:  # compile
        _repairs(_graph("rmat8").to(device), answer, 10, 2)
    _merges(_graph("rmat8").to(device), 10, 1)
    rows: list[dict[str, Any]] = []
    for name in names:
        graph = _graph(name).to(device)
        shape = {"graph": name, "vertices": graph.num_vertices, "edges": graph.num_edges}
        for answer in (*_PLAIN, *ANSWERS):
            measure = _PLAIN.get(answer, _repairs)
            given = () if answer in _PLAIN else (answer,)
            cells = [measure(graph, *given, size, trials) for size in sizes]
            rows.append({**shape, "answer": answer, "cells": cells})
            tell(" | ".join(_line(rows[-1])))
    found = {"machine": machine(), "device": device, "threads": ew.get_threads(),
             "command": command, "sizes": sizes, "trials": trials}  # fmt: skip
    text = _markdown({**found, "rows": rows})
    folder.mkdir(parents=True, exist_ok=True)
    suite = "dynamic" if device == "cpu" else "dynamic-cuda"
    (folder / f"{suite}.json").write_text(json.dumps({**found, "rows": rows}, indent=1) + "\n")
    (folder / f"{suite}.md").write_text(f"# {suite}\n\n{text}\n")
    return text


def _graph(name: str) -> Any:
    """A graph with whole weights from 1 to 255, by name and size."""
    word = name.rstrip("0123456789")
    size = int(name[len(word) :])
    make = {"rmat": lambda: ew.generators.rmat(size, seed=1),
            "road": lambda: ew.generators.road(size, size, seed=1)}  # fmt: skip
    graph = make[word]()
    places = np.arange(graph.num_vertices)
    hub = int(graph.degrees().argmax())
    places[[HUB, hub]] = hub, HUB
    graph = graph.permute(places)
    weights = np.random.default_rng(1).integers(1, 256, graph.num_edges) * 1.0
    return graph.with_weights(weights)


def _batch(graph: Any, size: int, turn: int) -> tuple[Any, Any]:
    """Edges to add and to remove, together as many as the batch has."""
    rng = np.random.default_rng([size, turn])
    n, half = graph.num_vertices, max(size // 2, 1)
    us, vs, _ = graph.to("cpu").edges()
    gone = rng.choice(len(us), min(half, len(us) // 2), replace=False)
    weights = rng.integers(1, 256, half) * 1.0
    return (*rng.integers(0, n, (2, half)), weights), (us[gone], vs[gone])


def _repairs(graph: Any, answer: str, size: int, trials: int) -> dict[str, Any]:
    """Median times of repairs and of static calls."""
    repaired, static = ANSWERS[answer]
    stream, ours, theirs, merged = Stream(graph), [], [], []
    repaired(stream)
    for turn in range(trials):
        before = stream.graph
        add, remove = _batch(before, size, turn)
        merged.append(_seconds(graph, lambda: before.updated(add, remove)))  # noqa: B023
        ours.append(
            _seconds(graph, lambda: (stream.update(add, remove), repaired(stream)))  # noqa: B023
        )
        later = stream.graph
        theirs.append(_seconds(graph, lambda: static(later)))  # noqa: B023
    found = {"size": size, "ours": median(ours), "static": median(theirs)}
    return {**found, "updated": median(merged)}


def _alone(graph: Any, size: int, trials: int) -> dict[str, Any]:
    """Median times of `Stream.update` without answers, and of `Graph.updated`."""
    stream, ours, theirs = Stream(graph), [], []
    for turn in range(trials):
        before = stream.graph
        add, remove = _batch(before, size, turn)
        ours.append(_seconds(graph, lambda: stream.update(add, remove)))  # noqa: B023
        theirs.append(_seconds(graph, lambda: before.updated(add, remove)))  # noqa: B023
    return {"size": size, "ours": median(ours), "static": median(theirs)}


def _merges(graph: Any, size: int, trials: int) -> dict[str, Any]:
    """Median times of `Graph.updated`, and of building the same graph from arrays."""
    ours, theirs = [], []
    for turn in range(trials):
        add, remove = _batch(graph, size, turn)
        ours.append(_seconds(graph, lambda: graph.updated(add, remove)))  # noqa: B023
        arrays = graph.updated(add, remove).edges()
        build = partial(ew.Graph.from_edges, *arrays, num_vertices=graph.num_vertices)
        theirs.append(_seconds(graph, build))
    return {"size": size, "ours": median(ours), "static": median(theirs)}


_PLAIN: dict[str, Callable[..., dict[str, Any]]] = {"updated": _merges, "Stream.update": _alone}


def _seconds(graph: Any, call: Callable[[], Any]) -> float:
    _wait(graph)
    start = time.perf_counter()
    call()
    _wait(graph)
    return time.perf_counter() - start


def _wait(graph: Any) -> None:
    """Wait until the device of the graph has done what it was given."""
    if graph.device != "cpu":
        graph.xp.cuda.Device().synchronize()


def _line(row: dict[str, Any]) -> list[str]:
    cells = [f"{spell_time(one['ours'])} ({_gains(one)})" for one in row["cells"]]
    static = spell_time(median(one["static"] for one in row["cells"]))
    return [row["graph"], row["answer"], static, *cells]


def _gains(cell: dict[str, Any]) -> str:
    """How many times faster than the call beside it, and than that call alone if it is of two."""
    whole = cell["static"] + cell.get("updated", 0.0)
    gains = f"{whole / cell['ours']:.2g}"
    return f"{gains}; {cell['static'] / cell['ours']:.2g}" if "updated" in cell else gains


def _markdown(record: dict[str, Any]) -> str:
    where = f"{record['threads']} threads" if record["device"] == "cpu" else record["device"]
    shapes = {row["graph"]: f"{row['graph']} has {row['vertices']:,} vertices and "
              f"{row['edges']:,} edges" for row in record["rows"]}  # fmt: skip
    heads = [f"batch of {size:,}" for size in record["sizes"]]
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {record['machine']}, {where}: "
        f"`{record['command']}`. {'; '.join(shapes.values())}.",
        "Cells are the time of a repair and, in parentheses, how many times faster it is than "
        "`Graph.updated` and the static call; after the semicolon, than the static call alone, on "
        "a graph that is made already. For `updated` the comparison is building the graph from "
        "arrays, and for `Stream.update`, which keeps no answers there, it is `updated`.",
        table(["Graph", "Answer", "Static call", *heads], [_line(row) for row in record["rows"]]),
    ])  # fmt: skip
