"""Compressed rows beside plain ones: bytes per edge in several orders, and times of algorithms.

Sizes are those of row starts and neighbors. Times are medians; plain and compressed runs take
turns, after one run of each that is not counted. Algorithms run on the undirected graph. Coded
weights are compared by the processor time of one thread, for which a busy machine will do.

A run that measures some parts only keeps the others in the file of results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.bv_bits import bv_bits
from benchmarks.graphs import MissingGraphError, data_folder
from benchmarks.report import machine, spell_time, table

__all__ = ["GRAPHS", "PARTS", "QUICK", "measure_compression"]

#: Files, and whether their edges are directed.
GRAPHS = {
    "cnr-2000": ("cnr-2000.txt.gz", True),
    "com-dblp": ("com-dblp.csv.gz", False),
    "soc-Slashdot": ("soc-Slashdot0902.txt.gz", True),
    "ego-twitter": ("ego-twitter-weighted.csv.gz", True),
    "github-map": ("github-map-v2.txt.gz", False),
    "kron18": None,
    "kron20": None,
}
QUICK = ("kron10",)
PARTS = ("sizes", "bv", "times", "weights")
#: The order in which times are measured, beside the given one.
ORDER = "rabbit"
#: So many distinct weights, which fit into codes of one byte.
_WEIGHTS = 64


def measure_compression(
    names: Sequence[str], trials: int, folder: Path, say: Callable[[str], Any],
    parts: Sequence[str] = PARTS,
) -> str:  # fmt: skip
    """Measure these parts of all graphs, write the results, and return them as text."""
    path = folder / "compression.json"
    found = {one["graph"]: one for one in json.loads(path.read_text())} if path.exists() else {}
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        try:
            graph = _load(name)
        except MissingGraphError as error:
            say(f"{name}: {error}")
            continue
        one = found.setdefault(name, {"graph": name})
        one.update(vertices=graph.num_vertices, edges=graph.num_edges, plain=graph.nbytes)
        for part in parts:
            one[part] = _MEASURES[part](graph, trials)
        say(f"{name}: measured")
        path.write_text(json.dumps([*found.values()], indent=1) + "\n")
    text = _text([*found.values()])
    (folder / "compression.md").write_text(text)
    return text


def _load(name: str) -> Any:
    import edgewise as ew

    if name.startswith("kron"):
        return ew.generators.rmat(int(name.removeprefix("kron")), seed=27)
    file, directed = GRAPHS[name]
    path = data_folder() / "graphs" / file
    if not path.exists():
        raise MissingGraphError(f"its file {path.name} is not on this machine")
    graph = ew.read(path, format="edges", columns=(0, 1), directed=directed)
    return graph.without_self_loops()


def _sizes(graph: Any, trials: int) -> list[dict[str, Any]]:
    from edgewise.cli.compression import sizes_by_order

    return sizes_by_order(graph)


def _bv(graph: Any, trials: int) -> dict[str, int]:
    """Bytes of WebGraph's format, in the given order and where compressed rows are smallest."""
    import edgewise as ew

    orders = dict.fromkeys(("natural", _sizes(graph, trials)[0]["order"]))
    return {order: bv_bits(ew.ordering.reorder(graph, order)) // 8 for order in orders}


def _times(graph: Any, trials: int) -> list[dict[str, Any]]:
    """Seconds of every algorithm on the plain and the compressed graph, in two orders."""
    import edgewise as ew

    undirected = graph.to_undirected() if graph.directed else graph
    found = []
    for order in ("natural", ORDER):
        plain = ew.ordering.reorder(undirected, order).with_labels(None)
        packed, source = plain.compress(), int(plain.degrees().argmax())
        calls: dict[str, Callable[[Any], Any]] = {
            "bfs": lambda one, source=source: ew.bfs(one, source),
            "connected_components": ew.connected_components,
            "pagerank": ew.pagerank,
            "triangle_count": ew.triangle_count,
            "louvain": ew.communities.louvain,
        }
        kinds = {"plain": plain, "compressed": packed}
        found += [
            {"algorithm": name, "order": order, **_in_turns(call, kinds, trials, perf_counter)}
            for name, call in calls.items()
        ]
    return found


def _weights(graph: Any, trials: int) -> list[dict[str, Any]]:
    """Seconds of one processor with plain rows, compressed ones, and these with coded weights."""
    import edgewise as ew

    graph = graph.to_undirected() if graph.directed else graph
    lengths = np.random.default_rng(1).integers(1, _WEIGHTS + 1, graph.num_edges)
    plain = graph.with_labels(None).with_weights(lengths.astype(np.float64))
    kinds = {"plain": plain, "compressed": plain.compress(),
             "coded": plain.compress(weights="dictionary")}  # fmt: skip
    source = int(plain.degrees().argmax())
    calls: dict[str, Callable[[Any], Any]] = {
        "sssp": lambda one: ew.sssp(one, source),
        "pagerank": ew.pagerank,
        "louvain": ew.communities.louvain,
        "locally_dominant": ew.matching.locally_dominant,
    }
    with ew.threads(1):
        return [
            {"algorithm": name, **_in_turns(call, kinds, trials, process_time)}
            for name, call in calls.items()
        ]


def _in_turns(
    call: Callable[[Any], Any], kinds: dict[str, Any], trials: int, clock: Callable[[], float]
) -> dict[str, float]:
    """The median time of a call for each kind of graph."""
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for trial in range(trials + 1):
        for kind, graph in kinds.items():
            begin = clock()
            call(graph)
            if trial:
                times[kind].append(clock() - begin)
    return {kind: median(each) for kind, each in times.items()}


_MEASURES = {"sizes": _sizes, "bv": _bv, "times": _times, "weights": _weights}


def _text(found: list[dict[str, Any]]) -> str:
    sizes, times, weights = [], [], []
    for one in found:
        edges, plain = one["edges"], one["plain"]
        of = [("plain", plain)]
        of += [(size["order"], size["bytes"]) for size in one.get("sizes", ())]
        of += [(f"{order}, WebGraph's BV", size) for order, size in one.get("bv", {}).items()]
        sizes += [
            ["" if turn else one["graph"], what, f"{size / edges:.2f}", f"{plain / size:.2f}"]
            for turn, (what, size) in enumerate(of)
        ]
        times += [
            [one["graph"], row["order"], row["algorithm"], spell_time(row["plain"]),
             spell_time(row["compressed"]), f"{row['compressed'] / row['plain']:.2f}"]
            for row in one.get("times", ())
        ]  # fmt: skip
        weights += [
            [one["graph"], row["algorithm"], spell_time(row["plain"]),
             spell_time(row["compressed"]), spell_time(row["coded"]),
             f"{row['coded'] / row['plain']:.2f}", f"{row['coded'] / row['compressed']:.2f}"]
            for row in one.get("weights", ())
        ]  # fmt: skip
    parts = [
        "# Compressed graphs",
        machine(),
        "Bytes per edge of the file's graph, row starts included, by the order of the vertices "
        '("natural": as given). WebGraph\'s BV is computed, without its offsets, in the given '
        "order and in the smallest one: `benchmarks/bv_bits.py`.",
        table(["graph", "order", "bytes per edge", "times smaller"], sizes),
        "Times on the undirected graph; the ratio is compressed to plain:",
        table(["graph", "order", "algorithm", "plain", "compressed", "ratio"], times, words=3),
        f"Weights, {_WEIGHTS} distinct values of 8 bytes: processor time of one thread with plain "
        "rows, with compressed rows, and with these and weights in a dictionary:",
        table(["graph", "algorithm", "plain", "compressed", "and coded weights",
               "coded to plain", "coded to compressed"], weights, words=2),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"
