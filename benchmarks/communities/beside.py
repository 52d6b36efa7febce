"""Communities beside NetworKit's, igraph's and leidenalg's: time, modularity, and the truth.

Every library has a process of its own and its own form of the graph, and comes after the others,
with two threads (igraph and leidenalg use one). Every labeling is rated here, by the same
function, and where the true communities are known by how well it agrees with them.

Other programs join in by ``EDGEWISE_COMMUNITIES="GVE=COMMAND;Grappolo=COMMAND"``: a command is
given a file with an edge, two numbers, on each line, and one to write the community of every vertex
to, a line each. If the last word that it prints is a number, that is its time in seconds.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.communities.graphs import GRAPHS, QUICK, Edges, edges_of
from benchmarks.driver import use_threads
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["GRAPHS", "QUICK", "measure_communities"]

#: Names of the rows that methods of the table have, and how they are called.
_OURS: dict[str, tuple[str, dict[str, Any]]] = {
    "louvain": ("communities.louvain", {}),
    "louvain, not refined": ("communities.louvain", {"refine": False}),
    "louvain, deterministic": ("communities.louvain", {"deterministic": True}),
    "leiden": ("communities.leiden", {}),
    "infomap": ("communities.infomap", {}),
    "ensemble": ("communities.ecg", {}),
    "label_propagation": ("communities.label_propagation", {}),
}
#: Runs that take longer than this are not repeated.
_LONG = 5.0


def measure_communities(
    names: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every graph: see `measure_suite`."""
    use_threads(2)

    def measure(edges: Edges) -> list[dict[str, Any]]:
        return [_measure(edges, trials, limit, tell)]

    suite = Suite("communities", GRAPHS, edges_of, measure, _markdown)
    return measure_suite(suite, names, folder, tell)


def _measure(edges: Edges, trials: int, limit: float, tell: Callable[[str], None]) -> dict:
    """What every method found on one graph, and how fast: the best of the trials."""
    from edgewise import Graph

    tell(f"{edges.name}: {edges.n:,} vertices, {len(edges.sources):,} edges")
    graph = Graph.from_edges(edges.sources, edges.targets, num_vertices=edges.n)
    found: dict[str, Any] = {}
    for library, serve in _peers().items():
        peer = Peer(_answering, serve, edges)
        try:
            methods = peer.ask("methods", limit)
            if isinstance(methods, str):
                tell(f"  {library}: {methods}")
                continue
            for method in methods:
                for turn in range(trials + 1):  # the first warms up, unless it is long
                    reply = peer.ask(method, limit)
                    if isinstance(reply, str):
                        tell(f"  {library} {method}: {reply}")
                        break
                    seconds, label = reply
                    rated = {"seconds": seconds, **_rated(graph, label, edges.truth)}
                    best = found.get(f"{library} {method}")
                    if best is None or turn == 1 or seconds < best["seconds"]:
                        found[f"{library} {method}"] = rated
                    if seconds > _LONG:
                        break
                if best := found.get(f"{library} {method}"):
                    tell(f"  {library} {method}: {spell_time(best['seconds'])}, "
                         f"modularity {best['modularity']:.4f}")  # fmt: skip
        finally:
            peer.stop()
    return {"graph": edges.name, "n": edges.n, "m": len(edges.sources), "found": found}


def _rated(graph: Any, label: np.ndarray, truth: np.ndarray | None) -> dict[str, Any]:
    """How good a labeling is."""
    from edgewise import communities

    _, label = np.unique(label, return_inverse=True)
    rated = {"modularity": communities.modularity(graph, label), "count": int(label.max()) + 1}
    if truth is not None:
        known = truth >= 0
        pair = label[known], truth[known]
        rated["nmi"] = communities.normalized_mutual_info_score(*pair)
        rated["ari"] = communities.adjusted_rand_score(*pair)
    return rated


def _answering(serve: Callable, edges: Edges) -> Callable[[str], Any]:
    """What a process answers: its methods, or the seconds that one took, and the labels."""
    methods = serve(edges)

    def answer(task: str) -> Any:
        if task == "methods":
            return list(methods)
        begin = time.perf_counter()
        result = methods[task]()
        seconds = time.perf_counter() - begin
        if isinstance(result, tuple):  # a program that has told its time
            return result
        return seconds, np.asarray(result() if callable(result) else result)

    return answer


def _peers() -> dict[str, Callable]:
    """Who takes part."""
    others = {"Edgewise": _serve_edgewise, "NetworKit": _serve_networkit, "igraph": _serve_igraph,
              "leidenalg": _serve_leidenalg}  # fmt: skip
    for pair in filter(None, os.environ.get("EDGEWISE_COMMUNITIES", "").split(";")):
        name, equals, command = pair.partition("=")
        if not equals:
            raise ValueError(f"EDGEWISE_COMMUNITIES must have NAME=COMMAND, got {pair!r}")
        others[name.strip()] = partial(_serve_program, command)
    return others


def _serve_edgewise(edges: Edges) -> dict[str, Callable]:
    from edgewise import Graph
    from edgewise.algorithms import ALGORITHMS

    graph = Graph.from_edges(edges.sources, edges.targets, num_vertices=edges.n)
    return {
        name: partial(ALGORITHMS[row].load(), graph, **options)
        for name, (row, options) in _OURS.items()
        if row in ALGORITHMS
    }


def _serve_networkit(edges: Edges) -> dict[str, Callable]:
    import networkit as nk

    nk.setNumberOfThreads(int(os.environ["OMP_NUM_THREADS"]))
    graph = nk.GraphFromCoo((edges.sources, edges.targets), n=edges.n)

    def run(made: Callable) -> Callable:
        method = made()
        method.run()
        return lambda: method.getPartition().getVector()

    return {
        "PLM": lambda: run(lambda: nk.community.PLM(graph, refine=False)),
        "PLM, refined": lambda: run(lambda: nk.community.PLM(graph, refine=True)),
        "ParallelLeiden, 3": lambda: run(lambda: nk.community.ParallelLeiden(graph, iterations=3)),
        "PLP": lambda: run(lambda: nk.community.PLP(graph)),
    }


def _serve_igraph(edges: Edges) -> dict[str, Callable]:
    import igraph

    graph = igraph.Graph(edges.n, np.stack([edges.sources, edges.targets], 1))
    by_modularity = partial(graph.community_leiden, "modularity")
    return {
        "multilevel": lambda: graph.community_multilevel().membership,
        "leiden, 10": lambda: by_modularity(n_iterations=10).membership,
        "infomap": lambda: graph.community_infomap(trials=1).membership,
    }


def _serve_leidenalg(edges: Edges) -> dict[str, Callable]:
    import igraph
    import leidenalg

    graph = igraph.Graph(edges.n, np.stack([edges.sources, edges.targets], 1))
    objective = leidenalg.ModularityVertexPartition
    return {"leiden, 2": lambda: leidenalg.find_partition(graph, objective, seed=1).membership}


def _serve_program(command: str, edges: Edges) -> dict[str, Callable]:
    """Another program: see above."""
    folder = Path(tempfile.mkdtemp())
    given, written = folder / "edges.txt", folder / "communities.txt"
    np.savetxt(given, np.stack([edges.sources, edges.targets], 1), "%d")

    def run() -> tuple[float, np.ndarray]:
        begin = time.perf_counter()
        asked = [*shlex.split(command), str(given), str(written)]
        printed = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()
        seconds = time.perf_counter() - begin
        try:
            seconds = float(printed[-1])
        except (IndexError, ValueError):
            pass
        return seconds, np.loadtxt(written, np.int64)

    return {"": run}


def _markdown(found: list[dict[str, Any]]) -> str:
    parts = [
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, 2 threads: "
        "`python -m benchmarks communities`. Graphs are undirected, without weights and loops. "
        "Times are those of the fastest run, after one that is not counted.",
        _targets(found),
    ]
    for row in found:
        known = any("nmi" in one for one in row["found"].values())
        head = ["method", "time", "modularity", "communities", *(["NMI", "ARI"] if known else [])]
        lines = []
        for method, one in row["found"].items():
            agree = [f"{one[name]:.3f}" for name in ("nmi", "ari")] if known else []
            lines.append([method.strip(), spell_time(one["seconds"]), f"{one['modularity']:.4f}",
                          f"{one['count']:,}", *agree])  # fmt: skip
        parts += [f"## {row['graph']}, {row['n']:,} vertices, {row['m']:,} edges"]
        parts += [table(head, lines)]
    return "\n\n".join(parts)


class _Half(NamedTuple):
    """A method of ours that must take half of the time of one, at the modularity of another."""

    ours: str
    fast: str
    called: str
    good: str
    known: str


_HALVES = (
    _Half("louvain", "NetworKit PLM", "PLM", "NetworKit PLM, refined", "refined PLM"),
    _Half("leiden", "NetworKit ParallelLeiden, 3", "ParallelLeiden (3 iterations)",
          "igraph leiden, 10", "igraph's Leiden (10)"),
)  # fmt: skip


def _targets(found: list[dict[str, Any]]) -> str:
    """Are `louvain`, `leiden` and `infomap` as good as others, and so much faster?"""
    judges: list[Callable[..., str]] = [
        *(partial(_judged, half) for half in _HALVES),
        _map_equation,
    ]
    return "\n".join(line for judge in judges
                     for row in found if (line := judge(row["graph"], row["found"])))  # fmt: skip


def _judged(half: _Half, graph: str, by: dict[str, Any]) -> str:
    """Half of a time, and a modularity less 0.002."""
    ours, fast, good = map(by.get, (f"Edgewise {half.ours}", half.fast, half.good))
    if not (ours and fast and good):
        return ""
    times = fast["seconds"] / ours["seconds"]
    ahead = ours["modularity"] - good["modularity"]
    mark = "PASS" if times >= 2 and ahead >= -0.002 else "MISS"
    return (f"- {mark}: {half.ours} on {graph} is {times:.2f} times faster than {half.called}, at "
            f"least 2; its modularity less that of {half.known} is {ahead:+.4f}, at least "
            "-0.002.")  # fmt: skip


def _map_equation(graph: str, by: dict[str, Any]) -> str:
    ours, infomap = by.get("Edgewise infomap"), by.get("igraph infomap")
    if not (ours and infomap):
        return ""
    times, text, good = infomap["seconds"] / ours["seconds"], "", True
    if "nmi" in ours:
        ahead = ours["nmi"] - infomap["nmi"]
        text, good = f"; its NMI less Infomap's is {ahead:+.3f}, at least -0.01", ahead >= -0.01
    mark = "PASS" if good and times >= 10 else "MISS"
    return (f"- {mark}: infomap on {graph} is {times:.1f} times faster than one trial of "
            f"igraph's Infomap, at least 10{text}.")  # fmt: skip
