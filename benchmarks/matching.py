"""Matchings beside NetworKit's: times, and weights relative to the optimum or to a bound on it.

After Tables 4.1, 4.2 and 4.4 of Mandulak's thesis. Every library has a process of its own and its
own form of the graph; they take turns method by method, two threads each, and every matching of
Edgewise is verified. The optimum is rustworkx's (weights as whole numbers, 20 bits after the
point), where it is found within the limit; elsewhere the bound is that of `paz_schwartzman`'s
duals, which the optimum may be far below.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.graphs import MissingGraphError, data_folder
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["GRAPHS", "QUICK", "measure_matching"]

#: The last five are small enough for the optimum to be found.
GRAPHS = ("kron20", "cnr-2000", "com-dblp", "ego-twitter", "rotor", "cond-mat-2005", "ca-HepPh",
          "4elt", "wiki-Vote", "ego-Facebook", "rome99")  # fmt: skip
QUICK = ("kron10",)
_FILES = {
    "cnr-2000": "cnr-2000.txt.gz",
    "com-dblp": "com-dblp.csv.gz",
    "ego-twitter": "ego-twitter-weighted.csv.gz",
    "rotor": "rotor.graph.gz",
    "cond-mat-2005": "cond-mat-2005.weighted.txt.gz",
    "ca-HepPh": "ca-HepPh.txt.gz",
    "4elt": "4elt.graph.gz",
    "wiki-Vote": "wiki-Vote.txt.gz",
    "ego-Facebook": "facebook_combined.txt.gz",
    "rome99": "rome99.gr",
}
#: Seconds of runs that are not counted; a run that takes so many is not repeated in its turn.
_WARM, _LONG = 0.1, 2.0
#: Neighbors that a vertex may have in the b-matching.
_B = 3
_OURS = ("locally_dominant", "suitor", "greedy", "path_growing", "paz_schwartzman", "two_thirds",
         "b_suitor")  # fmt: skip
_THEIRS = {"locally_dominant": "suitor", "suitor": "suitor", "greedy": "suitor",
           "path_growing": "path_growing", "b_suitor": "b_suitor"}  # fmt: skip


class Edges(NamedTuple):
    """A weighted undirected graph: every edge once."""

    name: str
    n: int
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    own: bool  # are the weights the graph's own, or drawn?


def measure_matching(
    names: list[str], trials: int, limit: float, exact: float, folder: Path,
    tell: Callable[[str], None],
) -> str:  # fmt: skip
    """Measure every graph: see `measure_suite`."""
    use_threads(2)

    def measure(edges: Edges) -> list[dict[str, Any]]:
        return [_measure(edges, trials, limit, exact, tell)]

    suite = Suite("matching", GRAPHS, _edges, measure, _markdown)
    return measure_suite(suite, names, folder, tell)


def _edges(name: str) -> Edges:
    import edgewise

    if name.startswith("kron"):
        graph = edgewise.generators.rmat(int(name[4:]), seed=27)
    else:
        path = data_folder() / "graphs" / _FILES[name]
        if not path.exists():
            raise MissingGraphError(f"there is no {path.name} beside the checkout")
        how = {"com-dblp": {"format": "edges"}, "cond-mat-2005": {"columns": (0, 1, 2)}}.get(
            name, {}
        )
        graph = edgewise.read(path, **how)
    graph = graph.to_undirected() if graph.directed else graph
    graph = graph.without_self_loops()
    sources, targets, weights = graph.edges()
    own = weights is not None
    if weights is None:
        weights = 1 - np.random.default_rng(1).random(len(sources))
    keep = np.isfinite(weights)  # two edges of cond-mat-2005 are infinite
    return Edges(name, graph.num_vertices, sources[keep].astype(np.int64),
                 targets[keep].astype(np.int64), weights[keep].astype(np.float64), own)  # fmt: skip


def _measure(edges: Edges, trials, limit, exact, tell) -> dict[str, Any]:
    """Times and weights on one graph, by method."""
    tell(f"{edges.name}: {edges.n:,} vertices, {len(edges.sources):,} edges")
    row: dict[str, Any] = {"graph": edges.name, "n": edges.n, "m": len(edges.sources),
                           "own": edges.own, "seconds": {}, "weight": {}}  # fmt: skip
    peers = {
        "edgewise": Peer(_answering, _serve_edgewise, edges),
        "networkit": Peer(_answering, _serve_networkit, edges),
    }
    try:
        for method in _OURS:
            asked = [("edgewise", method)]
            if method in _THEIRS:
                asked.append(("networkit", _THEIRS[method]))
            spent: dict[tuple[str, str], list[float]] = {key: [] for key in asked}
            for turn in range(trials + 1):  # the first warms up
                for peer, task in list(spent):
                    reply = peers[peer].ask(task, limit)
                    if isinstance(reply, str):
                        tell(f"  {peer} {task}: {reply}")
                        spent.pop((peer, task))
                        continue
                    seconds, about = reply
                    if turn:
                        spent[peer, task].append(seconds)
                    row["weight"][f"{peer} {task}"] = about["weight"]
                    row["bound"] = about.get("bound", row.get("bound"))
            for (peer, task), seconds in spent.items():
                key = f"{peer} {task}" if peer == "edgewise" else f"{peer} {task} / {method}"
                row["seconds"][key] = median(seconds)
                tell(f"  {key}: {spell_time(median(seconds))}")
    finally:
        for peer in peers.values():
            peer.stop()
    row["optimum"] = _optimum(edges, exact, tell)
    return row


def _answering(serve: Callable, edges: Edges) -> Callable[[str], Any]:
    """What a process answers: the seconds that a task took, and what is to say of its result."""
    methods = serve(edges)

    def answer(task: str) -> Any:
        seconds, result = _timed(methods[task], once=task == "exact")
        return seconds, methods["about"](task, result)

    return answer


def _timed(run: Callable[[], Any], *, once: bool) -> tuple[float, Any]:
    """The median of three runs, after others for a tenth of a second; one run, if it is long."""
    begin = time.perf_counter()
    result = run()
    first = time.perf_counter() - begin
    if once or first > _LONG:
        return first, result
    while time.perf_counter() - begin < _WARM:
        run()
    spent = []
    for _ in range(3):
        begin = time.perf_counter()
        result = run()
        spent.append(time.perf_counter() - begin)
    return median(spent), result


def _serve_edgewise(edges: Edges) -> dict[str, Callable]:
    from edgewise import Graph, matching

    graph = Graph.from_edges(edges.sources, edges.targets, edges.weights, num_vertices=edges.n)

    def about(task: str, result: Any) -> dict[str, Any]:
        if task != "b_suitor":
            verdict = matching.verify_matching(graph, result)
            dominant = verdict.dominant or task not in ("locally_dominant", "suitor", "greedy")
            if not (verdict.valid and dominant):
                raise AssertionError(f"{task} is wrong: {verdict.reason}")
        found = {"weight": result.weight}
        return found | ({"bound": result.upper_bound} if hasattr(result, "upper_bound") else {})

    names = [name for name in _OURS if name != "b_suitor"]
    methods: dict[str, Callable] = {name: partial(getattr(matching, name), graph) for name in names}
    return {**methods, "b_suitor": lambda: matching.b_suitor(graph, _B), "about": about}


def _serve_networkit(edges: Edges) -> dict[str, Callable]:
    import networkit as nk

    nk.setNumberOfThreads(int(os.environ["OMP_NUM_THREADS"]))
    ends = (edges.sources, edges.targets)
    graph = nk.GraphFromCoo((edges.weights, ends), n=edges.n, weighted=True)

    def about(task: str, result: Any) -> dict[str, Any]:
        if task == "b_suitor":
            return {"weight": result.getBMatching().weight()}
        return {"weight": result.getMatching().weight(graph)}

    return {
        "suitor": lambda: nk.matching.SuitorMatcher(graph, False, False).run(),
        "path_growing": lambda: nk.matching.PathGrowingMatcher(graph).run(),
        "b_suitor": lambda: nk.matching.BSuitorMatcher(graph, _B).run(),
        "about": about,
    }


def _optimum(edges: Edges, limit: float, tell: Callable[[str], None]) -> float | None:
    """The greatest weight, if rustworkx finds it in time."""
    peer = Peer(_answering, _serve_exact, edges)
    try:
        begin = time.perf_counter()
        reply = peer.ask("exact", limit)
    finally:
        peer.stop()
    if isinstance(reply, str):
        tell(f"  optimum: {reply}")
        return None
    tell(f"  optimum: {reply[1]['weight']:.6g} after {time.perf_counter() - begin:.0f} s")
    return reply[1]["weight"]


def _serve_exact(edges: Edges) -> dict[str, Callable]:
    import rustworkx as rx

    scale = 1 if edges.own and (edges.weights == np.round(edges.weights)).all() else 1 << 20
    graph = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(edges.n))
    whole = np.round(edges.weights * scale).astype(np.int64).tolist()
    graph.add_edges_from(list(zip(edges.sources.tolist(), edges.targets.tolist(), whole,
                                  strict=True)))  # fmt: skip
    weight = {(u, v): w for u, v, w in zip(edges.sources.tolist(), edges.targets.tolist(),
                                           edges.weights.tolist(), strict=True)}  # fmt: skip

    def exact() -> Any:
        return rx.max_weight_matching(graph, weight_fn=int)

    def about(task: str, result: Any) -> dict[str, Any]:
        return {"weight": sum(weight[min(e), max(e)] for e in result)}

    return {"exact": exact, "about": about}


def _markdown(found: list[dict[str, Any]]) -> str:
    parts = [
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, 2 threads: "
        "`python -m benchmarks matching`. Weights are the graph's own on "
        f"{', '.join(r['graph'] for r in found if r['own']) or 'none'}, else uniform in (0, 1].",
        "## Times, and how many times faster than NetworKit",
        table(["graph", "edges", *_OURS], [_times(row) for row in found]),
        "NetworKit's Suitor is the peer of `locally_dominant`, `suitor` and `greedy`; its path "
        f"growing and b-Suitor (b = {_B}) are the peers of ours. Each pair took turns.",
        "## Weight, in percent of the optimum where it is known, else of an upper bound (<)",
        table(["graph", "against", *_OURS, "NetworKit's Suitor"], [_weights(row) for row in found]),
    ]
    exact = [row for row in found if row["optimum"]]
    for title, method in (("Half-approximate", "locally_dominant"), ("2/3", "two_thirds")):
        if exact:
            share = geometric_mean(
                row["weight"][f"edgewise {method}"] / row["optimum"] for row in exact
            )
            parts.append(f"{title}: {100 * (1 - share):.2f} percent below the optimum on geometric "
                         f"mean, over {', '.join(row['graph'] for row in exact)}.")  # fmt: skip
    return "\n\n".join(parts)


def _times(row: dict[str, Any]) -> list[str]:
    cells = []
    for method in _OURS:
        ours = row["seconds"].get(f"edgewise {method}")
        theirs = row["seconds"].get(f"networkit {_THEIRS.get(method)} / {method}")
        ratio = f" ({theirs / ours:.2f})" if ours and theirs else ""
        cells.append(f"{spell_time(ours)}{ratio}" if ours else "")
    return [row["graph"], f"{row['m']:,}", *cells]


def _weights(row: dict[str, Any]) -> Iterator[str]:
    whole = row["optimum"] or row.get("bound")
    yield row["graph"]
    yield "optimum" if row["optimum"] else "< bound"
    for key in (*(f"edgewise {method}" for method in _OURS), "networkit suitor"):
        weight = row["weight"].get(key)
        shown = weight is not None and whole and key != "edgewise b_suitor"
        yield f"{100 * weight / whole:.2f}" if shown else ""
