"""Compressed rows beside plain ones: bytes per edge in several orders, and times of algorithms.

Sizes are those of row starts and neighbors. Times are medians; plain and compressed runs take
turns, after one run of each that is not counted. Algorithms run on the undirected graph.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.bv_bits import bv_bits
from benchmarks.graphs import MissingGraphError, data_folder
from benchmarks.report import machine, spell_time, table

__all__ = ["GRAPHS", "QUICK", "measure_compression"]

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
#: The order in which times are measured, beside the given one.
ORDER = "rabbit"


def measure_compression(
    names: Sequence[str], trials: int, folder: Path, say: Callable[[str], Any]
) -> str:
    """Measure all graphs, write the results, and return them as text."""
    found = []
    for name in names:
        try:
            graph = _load(name)
        except MissingGraphError as error:
            say(f"{name}: {error}")
            continue
        found.append({"graph": name, "vertices": graph.num_vertices, "edges": graph.num_edges,
                      "plain": graph.nbytes, "bv": bv_bits(graph) // 8, "sizes": _sizes(graph),
                      "times": _times(graph, trials)})  # fmt: skip
        say(f"{name}: measured")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compression.json").write_text(json.dumps(found, indent=1) + "\n")
    text = _text(found)
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


def _sizes(graph: Any) -> list[dict[str, Any]]:
    from edgewise.cli.compression import sizes_by_order

    return sizes_by_order(graph)


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
        for name, call in calls.items():
            times: dict[str, list[float]] = {"plain": [], "compressed": []}
            for trial in range(trials + 1):
                for kind, one in (("plain", plain), ("compressed", packed)):
                    begin = perf_counter()
                    call(one)
                    if trial:
                        times[kind].append(perf_counter() - begin)
            found.append({"algorithm": name, "order": order,
                          **{kind: median(each) for kind, each in times.items()}})  # fmt: skip
    return found


def _text(found: list[dict[str, Any]]) -> str:
    sizes, times = [], []
    for one in found:
        edges = one["edges"]
        sizes.append([one["graph"], "plain", f"{one['plain'] / edges:.2f}", "1.00"])
        sizes += [
            ["", size["order"], f"{size['bytes'] / edges:.2f}", f"{size['smaller']:.2f}"]
            for size in one["sizes"]
        ]
        bv = [f"{one['bv'] / edges:.2f}", f"{one['plain'] / one['bv']:.2f}"]
        sizes.append(["", "given, WebGraph's BV", *bv])
        times += [
            [one["graph"], row["order"], row["algorithm"], spell_time(row["plain"]),
             spell_time(row["compressed"]), f"{row['compressed'] / row['plain']:.2f}"]
            for row in one["times"]
        ]  # fmt: skip
    parts = [
        "# Compressed graphs",
        machine(),
        "Bytes per edge of the file's graph, row starts included, by the order of the vertices. "
        "WebGraph's BV is computed, without its offsets: `benchmarks/bv_bits.py`.",
        table(["graph", "order", "bytes per edge", "times smaller"], sizes),
        "Times on the undirected graph; the ratio is compressed to plain:",
        table(["graph", "order", "algorithm", "plain", "compressed", "ratio"], times, words=3),
    ]
    return "\n\n".join(parts) + "\n"
