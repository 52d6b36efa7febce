"""Subgraph queries: all assignments of vertices are tried; texts that are wrong are named."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from edgewise import Graph, iter_query_matches, query_match_count, query_matches
from edgewise.algorithms.patterns import query_search
from edgewise.algorithms.patterns.searching import search
from edgewise.generators import complete
from tests.algorithms.samples import random_graph

CITY = np.array(["Rome", "Oslo", "Lima"])
UNDIRECTED = random_graph(14, 45).with_columns(
    vertices={"age": np.arange(14) * 7 % 10, "city": CITY[np.arange(14) % 3]}
)
DIRECTED = random_graph(12, 50, directed=True).with_columns(
    vertices={"age": np.arange(12) * 7 % 10, "city": CITY[np.arange(12) % 3]}
)


def assignments(graph, size, edges, holds=lambda *v: True, absent=()):
    """All assignments of different vertices, one by one."""
    arcs = {*zip(*(side.tolist() for side in graph.arcs()[:2]), strict=True)}
    return sorted(
        list(one)
        for one in permutations(range(graph.num_vertices), size)
        if all((one[u], one[v]) in arcs for u, v in edges)
        and not any((one[u], one[v]) in arcs for u, v in absent)
        and holds(*one)
    )


AGE, WHERE = UNDIRECTED.vertices["age"], np.asarray(UNDIRECTED.vertices["city"])
QUERIES = [
    ("(a)-(b)", 2, [(0, 1)], lambda a, b: True),
    ("(a)-(b), a < b", 2, [(0, 1)], lambda a, b: a < b),
    ("(a)-(b)-(c), (a)-(c)", 3, [(0, 1), (1, 2), (0, 2)], lambda a, b, c: True),
    ("(a)-(b)-(c),(c)-(a), a < b, b < c", 3, [(0, 1), (1, 2), (0, 2)],
     lambda a, b, c: a < b < c),
    ("(b)-(a)-(c), b != c, a.age >= 5, b.age < c.age", 3, [(0, 1), (1, 2)],
     lambda b, a, c: AGE[a] >= 5 and AGE[b] < AGE[c]),
    ("(a)-(b)-(c)-(d), a.city = 'Rome', d.city = a.city, c.age != 3", 4, [(0, 1), (1, 2), (2, 3)],
     lambda a, b, c, d: WHERE[a] == WHERE[d] == "Rome" and AGE[c] != 3),
    ("(a:Rome)-(b)-(c:Oslo)", 3, [(0, 1), (1, 2)],
     lambda a, b, c: WHERE[a] == "Rome" and WHERE[c] == "Oslo"),
    ("(a:Rome)-(b:Rome), (b)-(c), a < 7", 3, [(0, 1), (1, 2)],
     lambda a, b, c: WHERE[a] == WHERE[b] == "Rome" and a < 7),
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[0])
def test_as_all_assignments(query):
    text, size, edges, holds = query
    known = assignments(UNDIRECTED, size, edges, holds)
    found = query_matches(UNDIRECTED, text, vertex_labels="city")
    assert sorted(found.vertices.tolist()) == known and len(found.names) == size
    assert query_match_count(UNDIRECTED, text, vertex_labels="city") == len(known)
    parts = list(iter_query_matches(UNDIRECTED, text, vertex_labels="city", batch_size=3))
    rows = sorted(row for part in parts for row in part.tolist())
    assert rows == known and (len(known) < 10 or len(parts) > 1)
    for most in (1, 2, 11):
        few = query_matches(UNDIRECTED, text, vertex_labels=WHERE, max_matches=most).vertices
        assert len(few) == min(most, len(known)) and all(row in known for row in few.tolist())
        assert len({*map(tuple, few.tolist())}) == len(few)


def test_directed_and_induced():
    text, edges = "(a)->(b)<-(c), a < c", [(0, 1), (2, 1)]
    known = assignments(DIRECTED, 3, edges, lambda a, b, c: a < c)
    assert sorted(query_matches(DIRECTED, text).vertices.tolist()) == known
    alone = assignments(DIRECTED, 3, edges, lambda a, b, c: a < c, [(0, 2), (2, 0), (1, 0), (1, 2)])
    found = query_matches(DIRECTED, text, induced=True).vertices.tolist()
    assert sorted(found) == alone
    ring = assignments(DIRECTED, 3, [(0, 1), (1, 2), (2, 0)])
    assert query_match_count(DIRECTED, "(x)->(y)->(z)->(x)") == len(ring)


def test_labels_may_be_numbers():
    labels = np.arange(14) % 2
    known = assignments(UNDIRECTED, 2, [(0, 1)], lambda a, b: a % 2 == 1)
    found = query_matches(UNDIRECTED, "(a:1)-(b)", vertex_labels=labels)
    assert sorted(found.vertices.tolist()) == known and found.names == ("a", "b")


def test_nothing_is_found():
    path = Graph.from_edges([0, 1], [1, 2])
    found = query_matches(path, "(a)-(b)-(c), (a)-(c)")
    assert found.vertices.shape == (0, 3)
    assert query_match_count(path, "(a)-(b), a > 7") == 0
    assert list(iter_query_matches(path, "(a)-(b), a < 0")) == []


def test_a_limit_ends_the_search(monkeypatch):
    """The number of subgraphs that are searched for follows from the limit."""
    graph, asked = complete(40), []

    def watched(*arguments):
        asked.append(arguments[-1])
        return search(*arguments)

    monkeypatch.setattr(query_search, "search", watched)
    found = query_matches(graph, "(a)-(b)-(c), (a)-(c)", max_matches=2).vertices
    assert len(found) == 2 and asked == [2]
    late = query_matches(graph, "(a)-(b), a > 38, b < 20", max_matches=30).vertices.tolist()
    assert sorted(late) == [[39, v] for v in range(20)] and asked[1:] == [30, 240, 1920]


def test_columns_of_all_kinds_and_missing_values():
    days = np.array(["2020-01-01", "2021-05-01", "NaT"], "M8[D]")
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2]).with_columns(vertices={
        "day": days, "name": np.array(["x", None, "y"], object), "size": np.array([1.5, np.nan, 2])
    })  # fmt: skip

    def firsts(condition):
        return {*query_matches(graph, f"(a)-(b), {condition}").vertices[:, 0].tolist()}

    assert firsts("a.day > '2020-06-30'") == {1} and firsts("a.day != '2021-05-01'") == {0}
    assert firsts("a.name >= 'x'") == {0, 2} and firsts("a.name != 'x'") == {2}
    assert firsts("a.size != 2") == {0} and firsts("a.name != b.name") == {0, 2}
    for condition, message in (
        ("a.size > 'x'", "\"a.size > 'x'\" compares numbers with texts"),
        ("a.name = 3", "'a.name = 3' compares texts with numbers"),
        ("a = b.name", "compares numbers with texts"),
        ("a.day < 'soon'", "compares dates with texts"),
    ):
        with pytest.raises(TypeError, match=message):
            query_matches(graph, f"(a)-(b), {condition}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (7, "query must be a text"),
        ("", "separated by commas"),
        ("a < b", "must have an edge"),
        ("(a)", "must have an edge"),
        ("(a)-(b), 'x", "separated by commas"),
        ("(a)-(b", r"expected a vertex such as \(a\) or \(a:label\) at '\(b'"),
        ("(a)=(b)", "expected an edge at"),
        ("(a)->(b)", "edges are - in an undirected graph, got ->"),
        ("(a)-(a)", "edge to itself"),
        ("(a:x)-(b), (a:y)-(b)", "two labels"),
        ("(a)-(b), a ~ b", "expected edges"),
        ("(a)-(b), c < b", "is about c, which is in no edge"),
        ("(a)-(b), 1 < 2", "must be about a vertex"),
        ("(a)-(b), (c)-(d)", "connected"),
        ("(a)-(b)-(c)-(d)-(e)-(f)-(g)", "2 to 6 vertices"),
        ("(a)-(b), a.height < 3", "height"),
        ("(a:Rome)-(b)", "need vertex_labels"),
    ],
)
def test_wrong_queries_are_named(text, message):
    with pytest.raises((ValueError, TypeError), match=message):
        query_matches(UNDIRECTED, text)


def test_wrong_labels_are_named():
    with pytest.raises(ValueError, match="no vertex has the label 'Bonn'; labels are Lima"):
        query_match_count(UNDIRECTED, "(a:Bonn)-(b)", vertex_labels="city")
    with pytest.raises(ValueError, match="one entry per vertex"):
        query_match_count(UNDIRECTED, "(a:1)-(b)", vertex_labels=[1, 2])
    with pytest.raises(ValueError, match="edges are -> or <-"):
        query_match_count(DIRECTED, "(a)-(b)")
    with pytest.raises(ValueError, match="batch_size"):
        iter_query_matches(UNDIRECTED, "(a)-(b)", batch_size=0)
