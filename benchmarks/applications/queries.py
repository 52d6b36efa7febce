"""Subgraph queries beside the matchers of NetworkX and igraph.

All count every assignment of vertices to the names of a query. ``python -m
benchmarks.applications.queries`` takes minutes, most of them in NetworkX.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.report import machine, spell_time, table

QUERIES = {
    "triangle": "(a)-(b)-(c), (a)-(c)",
    "4-cycle": "(a)-(b)-(c)-(d), (a)-(d)",
    "labeled path": "(a:0)-(b:1)-(c:2)-(d:3)",
    "tailed triangle": "(a)-(b)-(c), (a)-(c), (c)-(d)",
}


def main() -> None:
    import edgewise as ew
    from edgewise.algorithms.patterns.query_text import parse_query

    graph = ew.generators.barabasi_albert(500, 4, seed=1)
    labels = np.arange(500) % 4
    rows = []
    for name, text in QUERIES.items():
        query = parse_query(text, directed=False)
        given = {"vertex_labels": labels} if any(query.labels) else {}
        counts, cells = {}, {}
        for way, count in (("edgewise", ours), ("igraph", by_igraph), ("NetworkX", by_networkx)):
            if way != "NetworkX":  # compile, or warm up
                count(graph, text, query, given)
            begin = time.perf_counter()
            counts[way] = count(graph, text, query, given)
            cells[way] = time.perf_counter() - begin
        assert len({*counts.values()}) == 1, counts
        rows.append([name, f"{counts['edgewise']:,}", *(spell_time(one) for one in cells.values())])
        print(rows[-1], flush=True)
    print(f"\n500 vertices, {graph.num_edges:,} edges; {machine()}\n")
    print(table(["query", "matches", "Edgewise", "igraph (VF2)", "NetworkX"], rows, words=1))


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


if __name__ == "__main__":
    main()
