"""What it takes to convert a NetworkX graph, and to import NetworkX with the backend installed.

The graphs are random, with a million edges between 100,000 nodes: integers, or strings. Every call
converts anew. NetworkX is imported in processes of their own, by turns with and without the
backend's entry points.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.script_times import environments

__all__ = ["measure_conversion"]

#: The most seconds that a conversion should take.
_WANTED = {"integers": 0.35, "strings": 1.2}
_IMPORT = (  # what hides the backend loads importlib.metadata beforehand
    "import importlib.metadata, time; began = time.process_time(); import networkx; "
    "print(time.process_time() - began, 'edgewise' in networkx.utils.backends.backends)"
)


def measure_conversion(
    trials: int, folder: Path, tell: Callable[[str], Any], edges: int = 1_000_000
) -> str:
    """Measure conversions and imports; the table, which is also written to the folder."""
    rows = [_converted(nodes, edges, trials, tell) for nodes in _WANTED]
    found = {"edges": edges, "conversion": rows, "import": _imported(5 * trials, tell)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "networkx-conversion.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / "networkx-conversion.md").write_text(report(found))
    return report(found)


def _converted(nodes: str, edges: int, trials: int, tell: Callable[[str], Any]) -> dict[str, Any]:
    """The least seconds of some conversions of a graph whose nodes are of one kind."""
    import edgewise as ew
    from edgewise.networkx.compact import compact
    from edgewise.networkx.dispatch import backend

    graph = _random(nodes, edges)

    def arrays() -> Any:
        graph.__networkx_cache__.clear()
        return compact(backend.convert_from_nx(graph)).graph

    row = {
        "nodes": nodes,
        "edges": graph.number_of_edges(),
        "backend": _least(arrays, trials),
        "Graph.from_networkx": _least(lambda: ew.Graph.from_networkx(graph), trials),
        "wanted": _WANTED[nodes],
    }
    tell(str(row))
    return row


def _random(nodes: str, edges: int) -> Any:
    """A random graph; its names are those that its rows hold, as in a graph that was read."""
    import networkx as nx

    from edgewise import generators

    u, v, _ = generators.gnm_random(max(edges // 10, 5), edges, seed=1).edges()
    names: list[Any] = [*range(max(edges // 10, 5))]
    if nodes == "strings":
        names = [f"node {i}" for i in names]
    graph = nx.Graph(backend="networkx")
    graph.add_nodes_from(names)
    ends = ([*map(names.__getitem__, side.tolist())] for side in (u, v))
    graph.add_edges_from(zip(*ends, strict=True))
    return graph


def _least(call: Callable[[], Any], trials: int) -> float:
    """The least seconds of a few calls, after one that loads kernels."""
    call()
    best = float("inf")
    for _ in range(trials):
        gc.collect()
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def _imported(trials: int, tell: Callable[[str], Any]) -> dict[str, float]:
    """The least processor seconds of ``import networkx`` without the backend, and with it."""
    seconds = {"absent": float("inf"), "installed": float("inf")}
    with tempfile.TemporaryDirectory() as where:
        ways = environments(Path(where))
        for _ in range(trials + 1):
            for name, way in (("absent", "absent"), ("installed", "off")):
                command = [sys.executable, "-W", "ignore", "-c", _IMPORT]
                done = subprocess.run(command, env=ways[way], capture_output=True, text=True,
                                      check=True)  # fmt: skip
                taken, known = done.stdout.split()
                if (known == "True") != (name == "installed"):
                    raise RuntimeError(
                        f"NetworkX finds the backend: {known}, although it is {name}"
                    )
                seconds[name] = min(seconds[name], float(taken))
    tell(f"import networkx: {seconds}")
    return seconds


def report(found: dict[str, Any]) -> str:
    """A table of conversions, and a sentence on imports."""
    absent, installed = (1000 * found["import"][way] for way in ("absent", "installed"))
    lines = [
        "# Conversion from NetworkX",
        "",
        "Seconds to convert a random graph, least of several calls: for the backend, and by",
        "`Graph.from_networkx`. The last column is the goal of the backend.",
        "",
        "| nodes | edges | backend | `Graph.from_networkx` | goal |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in found["conversion"]:
        times = (row["backend"], row["Graph.from_networkx"], row["wanted"])
        cells = " | ".join(f"{one:.2f} s" for one in times)
        lines.append(f"| {row['nodes']} | {row['edges']:,} | {cells} |")
    lines += [
        "",
        f"`import networkx` takes {absent:.0f} ms without the backend and {installed:.0f} ms with",
        "it (processor time, least of several by turns).",
    ]
    return "\n".join(lines) + "\n"
