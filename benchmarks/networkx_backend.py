"""The NetworkX backend beside NetworkX, nx-parallel and graphblas-algorithms.

Every time is that of one call. "kept" is with the converted graph in the cache, "converted" with
the conversion. Results are used as scripts do: generators are exhausted, dicts asked for one key.
"""

from __future__ import annotations

import gc
import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

__all__ = ["CALLS", "GRAPHS", "QUICK", "measure_networkx"]

GRAPHS = ("com-dblp", "soc-Slashdot0902", "wiki-Vote", "grid300")
QUICK = ("grid30",)
#: How each backend other than NetworkX is called; their packages.
PEERS = {"edgewise": "edgewise", "parallel": "nx_parallel", "graphblas": "graphblas_algorithms"}
#: Seconds that NetworkX may take for single calls, if that is more than the limit.
LONGER = {("com-dblp", "louvain_communities"): 300.0}

#: What is measured, on an undirected graph and its first node.
CALLS: dict[str, Callable[..., Any]] = {
    "connected_components": lambda nx, G, s, **o: [*nx.connected_components(G, **o)],
    "single_source_shortest_path_length": lambda nx, G, s, **o: (
        nx.single_source_shortest_path_length(G, s, **o)[s]
    ),
    "bfs_edges": lambda nx, G, s, **o: [*nx.bfs_edges(G, s, **o)],
    "single_source_dijkstra_path_length": lambda nx, G, s, **o: (
        nx.single_source_dijkstra_path_length(G, s, **o)[s]
    ),
    "pagerank": lambda nx, G, s, **o: nx.pagerank(G, **o)[s],
    "core_number": lambda nx, G, s, **o: nx.core_number(G, **o)[s],
    "triangles": lambda nx, G, s, **o: nx.triangles(G, **o)[s],
    "clustering": lambda nx, G, s, **o: nx.clustering(G, **o)[s],
    "betweenness_centrality, k=10": lambda nx, G, s, **o: nx.betweenness_centrality(
        G, k=10, seed=1, **o
    )[s],
    "louvain_communities": lambda nx, G, s, **o: nx.community.louvain_communities(G, seed=1, **o),
    "minimum_spanning_tree": lambda nx, G, s, **o: nx.minimum_spanning_tree(G, **o),
    "all_shortest_paths, the first ten": lambda nx, G, s, **o: [
        *islice(nx.all_shortest_paths(G, s, s, **o), 10)
    ],
    "greedy_color": lambda nx, G, s, **o: nx.greedy_color(G, **o)[s],
}


def measure_networkx(
    graphs: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], Any]
) -> str:
    """Measure all calls on some graphs; the table, which is also written to the folder."""
    import networkx as nx

    nx.config.warnings_to_ignore.add("cache")
    peers = [name for name, package in PEERS.items() if find_spec(package)]
    rows = []
    for name in graphs:
        graph = read(nx, name)
        source = next(iter(graph))
        tell(f"{name}: {len(graph):,} nodes, {graph.number_of_edges():,} edges")
        for title, call in CALLS.items():
            row: dict[str, Any] = {"graph": name, "call": title}
            plain = partial(call, nx, graph, source, backend="networkx")
            longest = max(limit, LONGER.get((name, title), 0.0))
            row["networkx"] = _time(plain, 1, longest)
            row["limit"] = row["networkx"] is None
            row["networkx"] = longest if row["limit"] else row["networkx"]
            for peer in peers:
                row |= _peer(nx, call, graph, source, peer, trials, limit)
            rows.append(row)
            tell(_line(row))
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "networkx.json").write_text(json.dumps(rows, indent=1) + "\n")
            (folder / "networkx.md").write_text(_report(rows))
    return _report(rows)


def _peer(nx: Any, call: Any, graph: Any, source: Any, peer: str, trials: int, limit: float) -> Any:
    """The times of one backend, or None where it has no such function."""

    def once() -> Any:
        return call(nx, graph, source, backend=peer)

    def anew() -> Any:
        graph.__networkx_cache__.clear()
        return once()

    try:
        once()  # kernels are compiled or loaded
    except Exception:  # it has no such function, or does not load with this version of NetworkX
        if peer == "edgewise":
            raise
        return {f"{peer} kept": None, f"{peer} converted": None}
    return {f"{peer} kept": _time(once, trials, limit),
            f"{peer} converted": _time(anew, trials, limit)}  # fmt: skip


def _time(call: Callable[[], Any], trials: int, limit: float) -> float | None:
    """The least time of a few calls within the limit; None if the first one exceeds it."""
    best, begun = float("inf"), time.perf_counter()
    for _ in range(trials):
        gc.collect()
        start = time.perf_counter()
        try:
            with _at_most(limit):
                call()
        except TimeoutError:
            break
        best = min(best, time.perf_counter() - start)
        if time.perf_counter() - begun > limit:
            break
    return None if best == float("inf") else best


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Interrupt Python code that takes longer, where the system has such a timer."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def read(nx: Any, name: str) -> Any:
    """A graph of the shared data, or a grid of streets."""
    if name.startswith("grid"):
        side = int(name.removeprefix("grid"))
        return nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side, backend="networkx"))
    import edgewise as ew
    from benchmarks.graphs import data_folder

    path = next((data_folder() / "graphs").glob(f"{name}.*"))
    found = ew.read(path, directed=False) if path.name.endswith(".csv.gz") else ew.read(path)
    graph = nx.Graph(found.to_networkx())
    graph.remove_edges_from([*nx.selfloop_edges(graph)])
    return graph


def _line(row: dict[str, Any]) -> str:
    times = [f"{name} {value:.4g} s" for name, value in row.items() if isinstance(value, float)]
    return f"  {row['call']}: " + ", ".join(times)


def _report(rows: list[dict[str, Any]]) -> str:
    """A table: seconds of NetworkX, and how many times faster the others are."""
    others = [name for name in rows[0] if name not in ("graph", "call", "networkx", "limit")]
    lines = [
        "# The NetworkX backend",
        "",
        "Seconds of NetworkX, and how many times faster each backend is: with the converted graph",
        "kept, and with conversion. NetworkX was stopped at a limit where the time begins with >.",
        "",
        "| graph | call | NetworkX | " + " | ".join(others) + " |",
        "|---|---|---:|" + "---:|" * len(others),
    ]
    for row in rows:
        cells = [row["networkx"] / row[name] if row[name] else None for name in others]
        more = "> " * row["limit"]
        told = " | ".join("–" if one is None else f"{more}{one:.3g}" for one in cells)
        taken = f"{more}{row['networkx']:.3g} s"
        lines.append(f"| {row['graph']} | `{row['call']}` | {taken} | {told} |")
    return "\n".join(lines) + "\n"
