"""Answers of a `Stream` equal those of a new graph after every batch."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise import Graph
from edgewise.communities import modularity
from edgewise.dynamic import Stream
from tests.tiers import later

N = 9
ENDS = st.tuples(st.integers(0, N), st.integers(0, N), st.integers(1, 4))
BATCHES = st.lists(
    st.tuples(st.lists(ENDS, max_size=9), st.lists(ENDS, max_size=9)), min_size=1, max_size=5
)
KINDS = [("undirected", None), ("undirected", np.float64), ("directed", None),
         ("directed", np.int64)]  # fmt: skip


def apply(edges, add, remove, directed):
    """Change a dictionary of edges as a batch changes a graph."""
    for u, v, _ in remove:
        edges.pop(ends(u, v, directed), None)
    for u, v, weight in add:
        edges[ends(u, v, directed)] = weight


def ends(u, v, directed):
    return (u, v) if directed or u <= v else (v, u)


def columns(batch, kind):
    us, vs, ws = np.array(batch, int).reshape(-1, 3).T
    return (us, vs) if kind is None else (us, vs, ws.astype(kind))


def made(edges, n, directed, kind):
    batch = columns([(u, v, w) for (u, v), w in edges.items()], kind)
    return Graph.from_edges(*batch, directed=directed, num_vertices=n)


def check(stream, graph, directed):
    """All answers against static ones."""
    assert stream.graph == graph
    for name in ("bfs", "sssp"):
        found, expected = getattr(stream, name)(0), getattr(ew, name)(graph, 0)
        assert found.distance.tolist() == expected.distance.tolist(), name
        assert found.distance.dtype == expected.distance.dtype
        check_parents(graph, found, name == "bfs")
    for source in (None, {0: 1.0}):
        found = stream.pagerank(personalization=source, tol=1e-9)
        exact = ew.pagerank(graph, personalization=source, tol=1e-14)
        assert abs(found.rank - exact).sum() <= found.error + 1e-12
        assert found.error < 1.1e-9
    if not directed:
        assert stream.components().tolist() == ew.connected_components(graph).tolist()
        assert stream.core_number().tolist() == ew.core_number(graph).tolist()
        assert stream.triangles().tolist() == ew.triangles(graph).tolist()
        assert stream.triangle_count() == ew.triangle_count(graph)
        found, expected = stream.matching(), ew.matching.locally_dominant(graph)
        assert found.mate.tolist() == expected.mate.tolist()
        assert found[1:] == pytest.approx(expected[1:])


def check_parents(graph, paths, unit):
    for v, parent in enumerate(paths.parent.tolist()):
        if v == 0:
            assert parent == 0
        elif parent < 0:
            assert paths.distance[v] in (np.inf, 2**31 - 1, 2**63 - 1)
        else:
            length = 1 if unit or graph.weights is None else graph.edge_weight(parent, v)
            assert paths.distance[parent] + length == paths.distance[v]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=25)
@given(start=st.lists(ENDS, max_size=14), batches=BATCHES)
def test_answers_equal_static_ones(kind, start, batches):
    directed, weights = kind[0] == "directed", kind[1]
    edges, n = {}, 3
    apply(edges, [one for one in start if max(one[:2]) < n], [], directed)
    stream = Stream(made(edges, n, directed, weights))
    check(stream, made(edges, n, directed, weights), directed)
    for add, remove in batches:
        before = set(edges)
        apply(edges, add, remove, directed)
        n = max([n, *(max(u, v) + 1 for u, v, _ in add)])
        found = stream.update(columns(add, weights), columns(remove, None))
        assert (found.added, found.removed) == (len(edges.keys() - before),
                                                len(before - edges.keys()))  # fmt: skip
        check(stream, made(edges, n, directed, weights), directed)


@pytest.mark.parametrize("graph", [
    ew.generators.rmat(8, seed=3), later(ew.generators.grid_2d(20, 20)),
], ids=["rmat", "grid"])  # fmt: skip
def test_larger_graphs(graph):
    rng = np.random.default_rng(1)
    graph = graph.with_weights(rng.integers(1, 5, graph.num_edges) * 1.0)
    stream = Stream(graph)
    n = graph.num_vertices
    for turn in range(8):
        check(stream, graph, False)
        size = (1, 30, 300)[turn % 3]
        us, vs, _ = graph.edges()
        gone = rng.integers(0, len(us), size)
        add = (*rng.integers(0, n, (2, size)), rng.integers(1, 5, size) * 1.0)
        stream.update(add, (us[gone], vs[gone]))
        graph = graph.updated(add, (us[gone], vs[gone]))


@pytest.mark.parametrize("communities", [False, True])
@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=25)
@given(start=st.lists(ENDS, max_size=14), batches=BATCHES)
def test_batches_of_a_large_share_make_new_rows(kind, communities, start, batches):
    """Nothing is repaired then but ranks and communities, which need the edges that differ."""
    directed, weights = kind[0] == "directed", kind[1]
    edges, n = {}, 3
    apply(edges, [one for one in start if max(one[:2]) < n], [], directed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.dynamic.changing.LEAST", 0)
        stream = Stream(made(edges, n, directed, weights))
        for add, remove in batches:
            if communities:
                stream.communities()
            before = dict(edges)
            apply(edges, add, remove, directed)
            n = max([n, *(max(u, v) + 1 for u, v, _ in add)])
            expected = counted(before, edges, {ends(*one[:2], directed) for one in remove}, weights)
            assert stream.update(columns(add, weights), columns(remove, None))[:3] == expected
            check(stream, made(edges, n, directed, weights), directed)


def counted(before, after, gone, weights):
    """The edges added, removed and changed; what is removed and added again counts nowhere."""
    same = before.keys() & after.keys() - gone
    changed = 0 if weights is None else sum(before[edge] != after[edge] for edge in same)
    return len(after.keys() - before.keys()), len(before.keys() - after.keys()), changed


def test_a_large_batch_that_changes_nothing_keeps_the_answers(monkeypatch):
    monkeypatch.setattr("edgewise.dynamic.changing.LEAST", 0)
    graph = ew.generators.rmat(6, seed=1)
    stream = Stream(graph)
    kept = stream.core_number(), stream.graph
    us, vs, _ = graph.edges()
    assert stream.update(add=(vs, us)) == (0, 0, 0, 0)
    assert "keeps core_number" in repr(stream) and stream.graph is kept[1]
    assert stream.core_number().tolist() == kept[0].tolist()
    assert stream.update(remove=(us[1:], vs[1:])).removed == graph.num_edges - 1
    assert stream.core_number().sum() == 2


def test_repairs_that_reach_too_far_start_again(monkeypatch):
    monkeypatch.setattr("edgewise.dynamic.worklist.LEAST", 60)
    n = 60
    stream = Stream(ew.generators.path(n))
    stream.bfs(0), stream.components()
    for add, remove in [(([0], [n - 1]), None), (None, ([3], [4])), (([3], [4]), None)]:
        stream.update(add, remove)
        assert stream.bfs(0).distance.tolist() == ew.bfs(stream.graph, 0).distance.tolist()
        assert stream.components().tolist() == ew.connected_components(stream.graph).tolist()


def test_a_star_that_grows_rises_by_many_cores():
    """More rounds than are repaired: computed from scratch."""
    stream = Stream(Graph.from_edges(*np.triu_indices(80, 1)))
    stream.core_number()
    stream.update(add=(np.full(80, 80), np.arange(80)))
    assert stream.core_number().tolist() == [80] * 81
    stream.update(remove=(np.full(80, 80), np.arange(80)))
    assert stream.core_number().tolist() == [79] * 80 + [0]


@pytest.mark.parametrize("method", ["louvain", "leiden"])
def test_communities_keep_their_quality(method):
    graph = ew.generators.planted_partition(8, 40, p_in=0.4, p_out=0.01, seed=5).graph
    stream, rng, n = Stream(graph), np.random.default_rng(2), graph.num_vertices
    label = stream.communities(method=method)
    for _ in range(4):
        us, vs, _ = stream.graph.edges()
        gone = rng.integers(0, len(us), 20)
        stream.update(add=tuple(rng.integers(0, n + 1, (2, 20))), remove=(us[gone], vs[gone]))
        now, n = stream.graph, stream.num_vertices
        old = np.concatenate([label, np.arange(len(label), n)])
        label = stream.communities(method=method)
        assert len(label) == n and (label <= np.arange(n)).all()
        assert (label[label] == label).all()  # the smallest vertex of each community
        assert modularity(now, label) >= modularity(now, old) - 1e-3
        static = getattr(ew.communities, method)(now)
        assert modularity(now, label) >= 0.97 * modularity(now, static)
        if method == "leiden":
            inside = now.where(edges=label[now.edges()[0]] == label[now.edges()[1]])
            assert ew.connected_components(inside).tolist() == label.tolist()


MADE = [
    lambda seed: ew.generators.rmat(7, seed=seed),
    lambda seed: ew.generators.planted_partition(6, 20, p_in=0.5, p_out=0.03, seed=seed).graph,
    lambda seed: ew.generators.grid_2d(12, 12),
]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("method", "margin"), [("louvain", 0.15), ("leiden", 0.05)])
def test_modularity_stays_near_that_of_a_static_call(method, margin, seed):
    """After random batches, of which the largest change a tenth to a quarter of the edges."""
    rng, graph = np.random.default_rng(seed), MADE[seed % len(MADE)](seed)
    stream, static = Stream(graph), getattr(ew.communities, method)
    stream.communities(method=method)
    for size in rng.choice([1, 10, 60], 6):
        us, vs, _ = stream.graph.edges()
        gone = rng.integers(0, len(us), size)
        stream.update(add=tuple(rng.integers(0, graph.num_vertices, (2, size))),
                      remove=(us[gone], vs[gone]))  # fmt: skip
        now = stream.graph
        least = modularity(now, static(now)) - margin
        assert modularity(now, stream.communities(method=method)) >= least


def test_communities_of_an_unchanged_graph_stay():
    stream = Stream(ew.generators.planted_partition(4, 5, p_in=1.0, p_out=0.0).graph)
    first = stream.communities()
    stream.update()
    assert stream.communities() is first


def test_a_sliding_window_has_the_last_contacts():
    rng, window = np.random.default_rng(4), 10
    contacts, now = [], 0
    stream = Stream(Graph.from_edges([], [], num_vertices=6), window=window)
    for _ in range(12):
        size = int(rng.integers(0, 6))
        batch = np.column_stack([rng.integers(0, 6, (size, 2)), now + rng.integers(-12, 6, size)])
        contacts += batch.tolist()
        now = max([now, *batch[:, 2].tolist()]) if contacts else now
        stream.update(add=(batch[:, 0], batch[:, 1]), times=batch[:, 2])
        latest = max((t for *_, t in contacts), default=0)
        expected = {(min(u, v), max(u, v)) for u, v, t in contacts if t > latest - window}
        us, vs, _ = stream.graph.edges()
        assert {*zip(us.tolist(), vs.tolist(), strict=True)} == expected
        assert stream.components().tolist() == ew.connected_components(stream.graph).tolist()
    assert stream.advance(latest + window).removed == len(expected)
    assert stream.graph.num_edges == 0


CONTACTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-9, 6)), max_size=8)


@pytest.mark.parametrize("directed", [False, True])
@settings(max_examples=40)
@given(window=st.integers(1, 15), first=CONTACTS, batches=st.lists(
    st.tuples(st.integers(0, 9), CONTACTS, st.one_of(st.none(), st.integers(0, 20))), max_size=5
))  # fmt: skip
def test_windows_have_the_edges_of_the_last_contacts(directed, window, first, batches):
    """Batches at later and later times, some of their contacts too old; the clock moves between."""
    us, vs, ts = np.array(first, int).reshape(-1, 3).T
    graph = Graph.from_edges(us, vs, directed=directed, num_vertices=7,
                             edge_columns={"time": ts}, duplicates={"time": "list"})  # fmt: skip
    stream, contacts = Stream(graph, window=window), list(first)
    latest, now = max((t for *_, t in first), default=-(10**9)), 0

    def check():
        expected = {ends(u, v, directed) for u, v, t in contacts if t > latest - window}
        assert stream.graph.num_edges == len(expected)
        assert expected == {*zip(*(one.tolist() for one in stream.graph.edges()[:2]), strict=True)}
        if not directed:
            assert stream.components().tolist() == ew.connected_components(stream.graph).tolist()
            assert stream.core_number().tolist() == ew.core_number(stream.graph).tolist()
        assert stream.bfs(0).distance.tolist() == ew.bfs(stream.graph, 0).distance.tolist()

    check()
    for step, batch, ahead in batches:
        now += step
        new = [(u, v, now + t) for u, v, t in batch]
        contacts += new
        latest = max([latest, *(t for *_, t in new)])
        us, vs, ts = np.array(new, int).reshape(-1, 3).T
        stream.update(add=(us, vs), times=ts)
        check()
        if ahead is not None:
            latest = max(latest, now + ahead)
            stream.advance(now + ahead)
            check()


@pytest.mark.parametrize("unit", ["D", "s", "ns", "list", "text"])
def test_windows_of_dates(unit):
    """The same batches with numbers and with dates; the window is in hours, times in days."""
    rng, first = np.random.default_rng(7), np.datetime64("2024-02-25")
    start = rng.integers(0, 9, 8)
    us, vs = rng.integers(0, 6, (2, 8))

    def dates(days):
        found = (first + days * np.timedelta64(1, "D")).astype(
            f"M8[{unit}]" if unit in ("D", "s", "ns") else "M8[D]"
        )
        return found.tolist() if unit == "list" else found.astype(str) if unit == "text" else found

    graphs = [
        Graph.from_edges(us, vs, num_vertices=6, edge_columns={"time": times},
                         duplicates={"time": "list"})
        for times in (start, np.asarray(dates(start), "M8"))
    ]  # fmt: skip
    plain = Stream(graphs[0], window=4)
    dated = Stream(graphs[1], window=timedelta(hours=96))
    for turn in range(8):
        add, days = tuple(rng.integers(0, 6, (2, turn))), 2 * turn + rng.integers(-4, 12, turn)
        expected = plain.update(add=add, times=days)
        assert dated.update(add=add, times=dates(days)) == expected
        assert dated.graph == plain.graph
        assert dated.components().tolist() == plain.components().tolist()
    later = 2 * turn + 13
    now = first + later * np.timedelta64(1, "D")
    assert dated.advance(now.item()) == plain.advance(later) and dated.graph == plain.graph
    empty = Stream(Graph.from_edges([], [], num_vertices=3), window=np.timedelta64(1, "h"))
    assert empty.update() == (0, 0, 0, 0)
    assert empty.update(([0, 1], [1, 2]), times=dates(np.array([3, 4]))) == (1, 0, 0, 0)


def test_windows_take_one_kind_of_time():
    timed = Graph.from_edges([0], [1], edge_columns={"time": [5]})
    days = np.array(["2024-05-03"], "M8[D]")
    dated = Graph.from_edges([0], [1], edge_columns={"time": days})
    with pytest.raises(TypeError, match="window must be a number, as 'time' has numbers"):
        Stream(timed, window=timedelta(days=1))
    with pytest.raises(TypeError, match="window must be a duration, as 'time' has dates"):
        Stream(dated, window=5)
    with pytest.raises(TypeError, match="window must be a duration such as"):
        Stream(dated, window="a day")
    with pytest.raises(TypeError, match="window must be a duration such as"):
        Stream(dated, window=np.timedelta64(1, "M"))
    with pytest.raises(ValueError, match="window must be positive"):
        Stream(dated, window=timedelta(0))
    stream = Stream(dated, window=timedelta(days=1))
    graph = stream.graph
    for times, message in [([5], "times must be dates"), (["noon"], "times must be dates"),
                           ([np.datetime64("NaT")], "times must be dates")]:  # fmt: skip
        with pytest.raises(TypeError, match=message):
            stream.update(([0], [1]), times=times)
    with pytest.raises(TypeError, match="now must be a date"):
        stream.advance(5)
    assert stream.graph is graph
    with pytest.raises(TypeError, match="times must be numbers"):
        Stream(timed, window=5).update(([0], [1]), times=days)


def test_a_window_over_a_graph_with_times():
    graph = Graph.from_edges([0, 1, 0, 2], [1, 2, 1, 3], edge_columns={"time": [1, 5, 9, 2]},
                             duplicates={"time": "list"})  # fmt: skip
    stream = Stream(graph, window=8)
    assert {*zip(*(x.tolist() for x in stream.graph.edges()[:2]), strict=True)} == {
        (0, 1), (1, 2), (2, 3)}  # fmt: skip
    assert stream.update(add=([0], [3]), times=[11]).removed == 1
    assert stream.graph.has_edge(0, 1) and not stream.graph.has_edge(2, 3)


def test_labels_become_vertices():
    stream = Stream(Graph.from_edges(["a"], ["b"]))
    stream.components()
    found = stream.update(add=(["b", "d"], ["c", "e"]))
    assert found == (2, 0, 0, 3)
    assert stream.labels.values.tolist() == ["a", "b", "c", "d", "e"]
    assert stream.components().tolist() == [0, 0, 0, 3, 3]
    assert stream.bfs("a").distance[stream.graph.vertex("c")] == 2


def test_weights_change():
    stream = Stream(Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 5.0]))
    assert stream.sssp(0).distance.tolist() == [0, 1, 2]
    assert stream.update(add=([1], [2], [9.0])) == (0, 0, 1, 0)
    assert stream.sssp(0).distance.tolist() == [0, 1, 5]
    assert stream.update(add=([1], [2], [9.0])) == (0, 0, 0, 0)


def test_bad_arguments_leave_the_stream_as_it_was():
    stream = Stream(Graph.from_edges([0, 1], [1, 2], [1.0, 2.0]))
    graph = stream.graph
    stream.sssp(0), stream.pagerank(), stream.matching()
    for add, message in [
        (([0], [1]), "add has no weights"),
        (([0], [1], [-1.0]), "weights must be"),
        (([0], [1], [0.0]), "weights must be positive"),
        (([0], [1], [np.inf]), "weights must be"),
        (([-1], [1], [1.0]), "negative"),
    ]:
        with pytest.raises(ValueError, match=message):
            stream.update(add=add)
        assert stream.graph is graph
    with pytest.raises(ValueError, match="times needs a stream with a window"):
        stream.update(times=[1])
    with pytest.raises(ValueError, match="advance needs"):
        stream.advance(3)
    with pytest.raises(ValueError, match="alpha must be below 1"):
        stream.pagerank(alpha=1)
    with pytest.raises(ValueError, match="tol must be positive"):
        stream.pagerank(tol=0)
    with pytest.raises(TypeError, match="personalization must be a dict"):
        stream.pagerank(personalization=[1, 2])
    with pytest.raises(ValueError, match="method must be one of"):
        stream.communities(method="infomap")
    with pytest.raises(ValueError, match="source must be"):
        stream.bfs(9)
    with pytest.raises(ValueError, match="no columns"):
        Stream(Graph.from_edges([0], [1], edge_columns={"year": [1]}))
    with pytest.raises(ValueError, match="window must be"):
        Stream(Graph.from_edges([0], [1]), window=0)
    directed = Stream(Graph.from_edges([0], [1], directed=True))
    for name in ("components", "core_number", "triangles", "matching"):
        with pytest.raises(ValueError, match="undirected"):
            getattr(directed, name)()
    whole = Stream(Graph.from_edges([0], [1], [3]))
    with pytest.raises(TypeError, match="must fit the stream's int64"):
        whole.update(add=([0], [2], [0.5]))
    calls = Stream(Graph.from_edges([], [], num_vertices=2), window=5)
    with pytest.raises(ValueError, match="remove must be None"):
        calls.update(remove=([0], [1]))
    with pytest.raises(ValueError, match="times must have one entry"):
        calls.update(add=([0], [1]))


def test_rows_that_grow_move_and_are_packed():
    """A pool that was full several times holds the same rows."""
    rng, stream = np.random.default_rng(3), Stream(Graph.from_edges([], [], num_vertices=40))
    graph = stream.graph
    for turn in range(40):
        add = tuple(rng.integers(0, 40, (2, 60)))
        gone = graph.edges()[:2] if turn % 9 == 8 else ([], [])
        stream.update(add, gone)
        graph = graph.updated(add, gone)
        assert stream.graph == graph
    assert "Stream(undirected, 40 vertices" in repr(stream)


def test_forget_starts_again():
    stream = Stream(Graph.from_edges([0], [1]))
    stream.core_number()
    assert "keeps core_number" in repr(stream)
    stream.forget()
    assert "keeps" not in repr(stream)
    assert stream.core_number().tolist() == [1, 1]


@pytest.mark.parametrize("method", ["louvain", "leiden"])
@settings(max_examples=12)
@given(start=st.lists(ENDS, max_size=30), batches=BATCHES)
def test_communities_stay_valid_and_no_worse(method, start, batches):
    """On one thread, moves never lose modularity, so neither does a repair."""
    us, vs, _ = np.array(start, int).reshape(-1, 3).T
    with ew.threads(1):
        stream = Stream(Graph.from_edges(us, vs, num_vertices=N + 1, duplicates="first"))
        label = stream.communities(method=method)
        for add, remove in batches:
            stream.update(columns(add, None), columns(remove, None))
            now, old = stream.graph, label
            label = stream.communities(method=method)
            assert label.shape == (N + 1,)
            members = [np.flatnonzero(label == one) for one in np.unique(label)]
            assert [one.min() for one in members] == np.unique(label).tolist()
            assert modularity(now, label) >= modularity(now, old) - 1e-9
            if method == "leiden":
                for one in members:
                    assert ew.is_connected(now.subgraph(one))
