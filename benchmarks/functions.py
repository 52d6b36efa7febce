"""Functions without a benchmark of their own, beside igraph, NetworkX and SciPy, on small graphs.

Every library keeps the graph in its own form beforehand and answers the same question; where the
answer is a number that all must find, it is compared. Times are processor seconds of the least of a
few calls by turns. A peer that exceeds a limit is stopped.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import edgewise as ew
from benchmarks.graphs import data_folder
from benchmarks.networkx_backend import _at_most
from benchmarks.report import spell_time

__all__ = ["ROWS", "measure_functions"]

_FILES = {"email": "email-Eu-core.txt.gz", "cora": "cora.csv.gz", "wiki-Vote": "wiki-Vote.txt.gz",
          "hep": "ca-HepPh.txt.gz", "rome": "rome99.gr"}  # fmt: skip
_TRIAL = 100  # vertices of the graph with which a trial runs


class Given(NamedTuple):
    """A graph in the forms of the libraries, and a copy whose vertices are in another order."""

    ours: Any
    igraph: Any
    networkx: Any
    scipy: Any
    shuffled: Any

    @property
    def demand(self) -> np.ndarray:
        """What 20 vertices send to 20 others."""
        drawn = np.random.default_rng(1).permutation(self.ours.num_vertices)[:40]
        found = np.zeros(self.ours.num_vertices, np.int64)
        found[drawn[:20]], found[drawn[20:]] = -1, 1
        return found


class Row(NamedTuple):
    """One question: a call of each library, and a number in its answer that all agree on."""

    name: str
    graph: str
    calls: dict[str, Callable[[Given], Any]]
    number: Callable[[Any], Any] | None = None


def _rows() -> list[Row]:
    import networkx as nx

    def pairs_in(found: Any) -> int:
        return (
            len(found) if isinstance(found, set) else int((np.asarray(found.mate) >= 0).sum()) // 2
        )

    def laplacian(g: Given) -> Any:
        from scipy.sparse.csgraph import laplacian as of
        from scipy.sparse.linalg import eigsh

        return sorted(eigsh(of(g.scipy).astype(float), 2, sigma=-1e-3, which="LM")[0])[1]

    return [
        Row("gomory_hu_tree", "email", {
            "Edgewise": lambda g: ew.gomory_hu_tree(g.ours),
            "igraph": lambda g: g.igraph.gomory_hu_tree(),
        }),
        Row("global_minimum_cut", "email", {
            "Edgewise": lambda g: ew.global_minimum_cut(g.ours).value,
            "igraph": lambda g: g.igraph.mincut().value,
        }, float),
        Row("min_cost_flow", "rome", {
            "Edgewise": lambda g: ew.min_cost_flow(g.ours, demand=g.demand).cost,
            "NetworkX": lambda g: nx.network_simplex(g.networkx)[0],
        }, float),
        Row("matching.maximum_cardinality", "cora", {
            "Edgewise": lambda g: ew.matching.maximum_cardinality(g.ours),
            "NetworkX": lambda g: nx.max_weight_matching(g.networkx, weight=None),
        }, pairs_in),
        Row("is_isomorphic", "hep", {
            "Edgewise": lambda g: ew.is_isomorphic(g.ours, g.shuffled),
            "igraph": lambda g: g.igraph.isomorphic_bliss(_kept(g)),
        }, bool),
        Row("triad_census", "wiki-Vote", {
            "Edgewise": lambda g: ew.triad_census(g.ours)["300"],
            # without igraph, whose census crashes when it is interrupted
            "NetworkX": lambda g: nx.triadic_census(g.networkx)["300"],
        }, int),
        Row("communities.slpa", "hep", {
            "Edgewise": lambda g: ew.communities.slpa(g.ours),
            "NetworkX (fast label propagation)": lambda g: [
                *nx.community.fast_label_propagation_communities(g.networkx, seed=1)
            ],
        }),
        Row("communities.girvan_newman, two communities", "email", {
            "Edgewise": lambda g: ew.communities.girvan_newman(g.ours, max_communities=2),
            "NetworkX": lambda g: next(nx.community.girvan_newman(g.networkx)),
        }),
        Row("communities.greedy_modularity", "hep", {
            "Edgewise": lambda g: ew.communities.greedy_modularity(g.ours),
            "igraph": lambda g: g.igraph.community_fastgreedy().as_clustering(),
            "NetworkX": lambda g: nx.community.greedy_modularity_communities(g.networkx),
        }),
        Row("communities.k_clique_communities of 4", "email", {
            "Edgewise": lambda g: ew.communities.k_clique_communities(g.ours, k=4),
            "NetworkX": lambda g: [*nx.community.k_clique_communities(g.networkx, 4)],
        }),
        Row("k_shortest_paths of 50", "hep", {
            "Edgewise": lambda g: ew.k_shortest_paths(g.ours, *_ends(g), k=50).num_paths,
            "igraph": lambda g: len(g.igraph.get_k_shortest_paths(*_ends(g), k=50)),
            "NetworkX": lambda g: len(
                [*islice(nx.shortest_simple_paths(g.networkx, *_ends(g)), 50)]
            ),
        }, int),
        Row("simple_cycles up to 5 edges", "cora", {
            "Edgewise": lambda g: _cycles(g.ours),
            "NetworkX": lambda g: sum(1 for _ in nx.simple_cycles(g.networkx, 5)),
        }, int),
        Row("cycle_basis", "cora", {
            "Edgewise": lambda g: ew.cycle_basis(g.ours).num_paths,
            "igraph": lambda g: len(g.igraph.fundamental_cycles()),
            "NetworkX": lambda g: len(nx.cycle_basis(g.networkx)),
        }, int),
        Row("constraint", "hep", {
            "Edgewise": lambda g: float(np.nansum(ew.constraint(g.ours))),
            "igraph": lambda g: float(np.nansum(g.igraph.constraint())),
            "NetworkX": lambda g: float(np.nansum([*nx.constraint(g.networkx).values()])),
        }, lambda found: round(found, 2)),
        Row("voterank of 50", "hep", {
            "Edgewise": lambda g: ew.voterank(g.ours, k=50),
            "NetworkX": lambda g: nx.voterank(g.networkx, 50),
        }),
        Row("approximate_betweenness_centrality", "hep", {
            "Edgewise": lambda g: ew.approximate_betweenness_centrality(g.ours, epsilon=0.02),
            "igraph (exact)": lambda g: g.igraph.betweenness(),
        }),
        Row("algebraic_connectivity", "email", {
            "Edgewise": lambda g: ew.algebraic_connectivity(g.ours),
            "SciPy": laplacian,
            "NetworkX": lambda g: nx.algebraic_connectivity(g.networkx, weight=None, seed=1),
        }, lambda found: round(float(found), 3)),
    ]  # fmt: skip


ROWS = [row.name for row in _rows()]


def measure_functions(
    only: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], Any],
    *, quick: bool = False,
) -> str:  # fmt: skip
    """Measure rows on their graphs; the table, which is also written to the folder."""
    import networkx as nx

    nx.config.backend_priority.algos = []
    ew.set_threads(1)
    cells, graphs = [], dict[str, Given]()
    for row in _rows():
        if only and row.name not in only:
            continue
        if row.graph not in graphs:
            graphs[row.graph] = _read(row.graph, quick)
        given = graphs[row.graph]
        seconds = _turns(row, given, trials, limit)
        size = [given.ours.num_vertices, given.ours.num_edges]
        cells.append({"function": row.name, "graph": row.graph, "size": size, "seconds": seconds})
        tell(_line(cells[-1]))
    text = _report(cells, limit)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "functions.json").write_text(json.dumps(cells, indent=1) + "\n")
    (folder / "functions.md").write_text(text)
    return text


def _turns(row: Row, given: Given, trials: int, limit: float) -> dict[str, float | None]:
    """The least processor seconds of each library; None past the limit."""
    row.calls["Edgewise"](given)  # kernels are compiled or loaded
    best: dict[str, float | None] = dict.fromkeys(row.calls, float("inf"))
    answers = {}
    for _ in range(trials):
        for library, call in row.calls.items():
            if best[library] is None or 0.3 * limit < best[library] < float("inf"):
                continue
            gc.collect()
            begin = time.process_time()
            try:
                with _at_most(limit):
                    answers[library] = call(given)
            except TimeoutError:
                best[library] = None
                continue
            best[library] = min(best[library], time.process_time() - begin)
    if row.number is not None and len({row.number(found) for found in answers.values()}) > 1:
        told = {library: row.number(found) for library, found in answers.items()}
        raise RuntimeError(f"{row.name}: the libraries disagree: {told}")
    return best


def _read(name: str, quick: bool) -> Given:
    """The largest component of a graph in all forms; streets are without capacities."""
    directed = name in ("wiki-Vote", "rome")
    if quick:
        graph = ew.generators.watts_strogatz(_TRIAL, 6, p=0.2, seed=1)
        if directed:
            graph = ew.Graph.from_edges(*graph.arcs()[:2], directed=True)
        if name == "rome":
            graph = graph.with_weights(np.arange(graph.num_edges) % 9 + 1)
    else:
        path = data_folder() / "graphs" / _FILES[name]
        graph = ew.read(path, directed=name == "wiki-Vote").without_self_loops()
        graph = ew.largest_component(graph)
        if name == "rome":  # streets in both directions
            graph = ew.Graph.from_edges(*graph.arcs(), directed=True)
        weights = graph.weights if name == "rome" else None
        graph = ew.Graph(graph.indptr, graph.indices, weights, directed=directed)  # no labels
    order = np.random.default_rng(3).permutation(graph.num_vertices)
    u, v, _ = graph.edges()
    shuffled = ew.Graph.from_edges(
        order[u], order[v], num_vertices=graph.num_vertices, directed=graph.directed
    )
    theirs = graph.to_networkx()
    given = Given(graph, graph.to_igraph(), theirs, graph.to_scipy(), shuffled)
    if name == "rome":
        demand = given.demand.tolist()
        for node, data in theirs.nodes(data=True):
            data["demand"] = demand[node]
    return given


def _cycles(graph: Any) -> int:
    return ew.simple_cycles(graph, max_length=5, max_cycles=10**6).num_paths


def _ends(given: Given) -> tuple[int, int]:
    """Two vertices that are far apart in the numbering."""
    return 0, given.ours.num_vertices - 1


_MADE: dict[int, Any] = {}


def _kept(given: Given) -> Any:
    """The other copy for igraph, made once."""
    if id(given.shuffled) not in _MADE:
        _MADE[id(given.shuffled)] = given.shuffled.to_igraph()
    return _MADE[id(given.shuffled)]


def _line(cell: dict[str, Any]) -> str:
    ours, (n, m) = cell["seconds"]["Edgewise"], cell["size"]
    others = {name: one for name, one in cell["seconds"].items() if name != "Edgewise"}
    told = ", ".join(
        f"{name} {'stopped' if one is None else spell_time(one)}" for name, one in others.items()
    )
    known = [one for one in others.values() if one is not None]
    ratio = f"{min(known) / ours:.2g}" if known else "–"
    about = f"{cell['graph']} ({n:,}, {m:,})"
    return f"| {cell['function']} | {about} | {spell_time(ours)} | {told} | {ratio} |"


def _report(cells: list[dict[str, Any]], limit: float) -> str:
    lines = [
        "# Functions",
        "",
        "Processor time of one thread, the least of a few calls by turns. Beside each graph stand",
        f"its vertices and edges. A library is stopped after {limit:g} s.",
        "",
        "| function | graph | Edgewise | others | times faster |",
        "|---|---|---:|---|---:|",
        *map(_line, cells),
    ]
    return "\n".join(lines) + "\n"
