"""Subgraph queries beside the matchers of NetworkX and igraph, all assignments counted.

The large graph is for Edgewise and igraph only, without cycles of four, of which it has too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.applications.part import Part, timed

__all__ = ["QUERIES"]

TEXTS = {
    "triangle": "(a)-(b)-(c), (a)-(c)",
    "4-cycle": "(a)-(b)-(c)-(d), (a)-(d)",
    "labeled path": "(a:0)-(b:1)-(c:2)-(d:3)",
    "tailed triangle": "(a)-(b)-(c), (a)-(c), (c)-(d)",
}


def rows(quick: bool) -> Iterator[tuple]:
    import edgewise as ew
    from edgewise.algorithms.patterns.query_text import parse_query

    for n, large in ((30, False), (60, True)) if quick else ((500, False), (100_000, True)):
        graph = ew.generators.barabasi_albert(n, 4, seed=1)
        labels = np.arange(n) % 4
        for name, text in TEXTS.items():
            if large and name == "4-cycle":
                continue
            query = parse_query(text, directed=False)
            given = {"vertex_labels": labels} if any(query.labels) else {}
            counts, spent = set(), []
            ours(graph, text, query, given)  # compiles
            ways = (ours, 5), (by_igraph, 1 if large else 5), (by_networkx, 1)
            for count, turns in ways[:2] if large else ways:
                seconds, found = timed(partial(count, graph, text, query, given), turns)
                counts.add(found)
                spent.append(seconds)
            assert len(counts) == 1, counts
            yield name, text, n, found, *spent, *[None] * large


def ours(graph, text, query, given) -> int:
    import edgewise as ew

    return ew.query_match_count(graph, text, **given)


def by_igraph(graph, text, query, given) -> int:
    import igraph

    pattern = igraph.Graph(n=len(query.names), edges=list(query.edges))
    if not given:
        return graph.to_igraph().count_subisomorphisms_vf2(pattern)
    wanted = [int(label) for label in query.labels]
    return graph.to_igraph().count_subisomorphisms_vf2(
        pattern, color1=given["vertex_labels"].tolist(), color2=wanted
    )


def by_networkx(graph, text, query, given) -> int:
    import networkx as nx
    from networkx.algorithms.isomorphism import GraphMatcher

    whole, pattern = graph.to_networkx(), nx.Graph(list(query.edges))
    match = None
    if given:
        nx.set_node_attributes(whole, dict(enumerate(given["vertex_labels"].tolist())), "label")
        wanted = {v: int(label) for v, label in enumerate(query.labels)}
        nx.set_node_attributes(pattern, wanted, "label")

        def match(one, other):
            return one["label"] == other["label"]

    matcher = GraphMatcher(whole, pattern, node_match=match)
    return sum(1 for _ in matcher.subgraph_monomorphisms_iter())


QUERIES = Part(
    "Queries",
    "Barabási-Albert graphs with 4 edges per new vertex, all assignments counted; times of igraph "
    "and NetworkX include the conversion of the graph.",
    {"query": "word", "text": "word", "vertices": "count", "matches": "count", "Edgewise": "time",
     "igraph (VF2)": "time", "NetworkX": "time"},
    rows,
)  # fmt: skip
