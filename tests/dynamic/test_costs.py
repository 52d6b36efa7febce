"""What a batch costs, counted in steps: never more than a share of a static call, or of the log."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph
from edgewise.dynamic import Stream, changing, contacts, path_repair, worklist
from edgewise.dynamic.slack_rows import SlackRows

ROAD = ew.generators.road(60, 60, seed=1).with_weights(None)


def batches(graph, count, size):
    rng, (us, vs, _) = np.random.default_rng(size), graph.edges()
    for _ in range(count):
        gone = rng.integers(0, len(us), size)
        yield tuple(rng.integers(0, graph.num_vertices, (2, size))), (us[gone], vs[gone])


@pytest.fixture
def spent(monkeypatch):
    """The work of each limited part of a repair, as a share of what it may be."""
    shares = []

    class Counted(worklist.Budget):
        def __init__(self, static):
            super().__init__(static)
            self.whole = self.left
            shares.append(0.0)

        def spend(self, work):
            shares[-1] += work / self.whole
            super().spend(work)

    for name in ("path_repair", "core_repair", "matching_repair"):
        monkeypatch.setattr(f"edgewise.dynamic.{name}.Budget", Counted)
    monkeypatch.setattr(worklist, "LEAST", 500)
    return shares


@pytest.mark.parametrize("name", ["components", "core_number", "bfs", "matching"])
def test_a_repair_does_a_share_of_the_work_of_a_static_call(name, spent):
    """New roads change distances everywhere: a repair is given up soon, and rarely tried again."""
    stream = Stream(ROAD)
    static = {"components": ew.connected_components, "core_number": ew.core_number,
              "matching": lambda g: ew.matching.locally_dominant(g).mate,
              "bfs": lambda g: ew.bfs(g, 0).distance}[name]  # fmt: skip

    def answer():
        found = getattr(stream, name)(*([0] if name == "bfs" else []))
        return found.distance if name == "bfs" else found.mate if name == "matching" else found

    answer()
    for add, gone in batches(ROAD, 12, 25):
        stream.update(add, gone)
        assert answer().tolist() == static(stream.graph).tolist()
    assert spent and max(spent) < 1.5  # what is found out by the last step comes on top
    if name in ("bfs", "components"):
        assert sum(share > 1 for share in spent) == 2  # the first batch, and the fifth


def test_repairs_wait_longer_and_longer_after_failures(monkeypatch):
    monkeypatch.setattr(worklist, "LEAST", 0)
    monkeypatch.setattr(worklist, "SHARE", 0)
    stream, tried, n = Stream(ew.generators.path(500)), [], 500
    stream.bfs(0)
    start = path_repair.PathRepair.start
    monkeypatch.setattr(path_repair.PathRepair, "start",
                        lambda self: (tried.append(turn), start(self))[1])  # fmt: skip
    for turn in range(22):
        stream.update(remove=([n - turn - 2], [n - turn - 1]))
        assert stream.bfs(0).distance.tolist() == [*range(n - turn - 1), *[2**31 - 1] * (turn + 1)]
    assert tried == [0, 4, 20]


def test_large_batches_copy_no_rows(monkeypatch):
    """They merge frozen graphs; rows that change in place are made when a small batch comes."""
    made = []
    monkeypatch.setattr(changing, "LEAST", 0)
    monkeypatch.setattr(SlackRows, "_copied", lambda *args: made.append(args))
    stream = Stream(ROAD)
    graph = ROAD
    for add, gone in batches(ROAD, 3, 400):
        assert stream.update(add, gone).added > 0
        graph = graph.updated(add, gone)
        assert stream.graph == graph
    assert not made


@pytest.mark.parametrize("spread", [1, 40])
def test_a_window_costs_the_contacts_that_come_and_go(spread, monkeypatch):
    """However many batches are in the window: each contact is logged and dropped once or so."""
    steps = []
    for name in ("heappush", "heappop"):
        step = getattr(contacts, name)
        monkeypatch.setattr(contacts, name,
                            lambda *args, step=step: (steps.append(1), step(*args))[1])  # fmt: skip
    stream = Stream(Graph.from_edges([], [], num_vertices=50), window=100)
    rng, size = np.random.default_rng(1), 3
    for now in range(300):
        times = now + rng.integers(0, spread, size)
        stream.update(add=tuple(rng.integers(0, 50, (2, size))), times=times)
    assert len(steps) <= 2 * size * 300


WEIGHTED = Graph.from_edges([0], [1], [1.0], num_vertices=4, edge_columns={"time": [1]})


@pytest.mark.parametrize(("times", "kinds"), [
    ([50, 10, 50, 60], (int, int)),
    ([50, 10, 50, 60], (int, float)),
    (["2024-01-02", "2024-01-01", "2024-01-02", "2024-01-03"], ("M8[D]", "M8[s]")),
])  # fmt: skip
def test_the_latest_time_has_the_weight(times, kinds):
    """In one batch and across batches, in whatever order they come; at a tie the later batch."""
    dates = isinstance(times[0], str)
    times = np.array(times, kinds[0]) if dates else np.array(times)
    window = np.timedelta64(90, "D") if dates else 90
    stream = Stream(Graph.from_edges([], [], np.array([]), num_vertices=4), window=window)
    found = []
    for at, (time, weight) in enumerate(zip(times, [5.0, 9.0, 6.0, 2.0], strict=True)):
        stream.update(([1], [0], [weight]), times=np.array([time]).astype(kinds[at % 2]))
        found.append(stream.graph.weights[0])
    assert found == [5, 5, 6, 2]
    stream.update(([0, 0], [1, 1], [3.0, 4.0]), times=np.array([times[3], times[1]]))
    assert stream.graph.weights[0] == 3


def test_a_window_over_weights_of_a_graph():
    stream = Stream(WEIGHTED, window=10)
    stream.update(([0, 2], [1, 3], [7.0, 8.0]), times=[0, 1])
    assert stream.graph.weights.tolist() == [1, 1, 8, 8]
    stream.update(([4], [5], [2.0]), times=[3])  # new vertices
    stream.update(([0], [1], [3.0]), times=[2])
    assert [float(stream.graph.edge_weight(u, u + 1)) for u in (0, 2, 4)] == [3, 8, 2]
    assert stream.advance(12).removed == 2
    stream.update(([0], [1], [6.0]), times=[5])
    assert stream.graph.edge_weight(0, 1) == 6


def test_an_interrupted_update_is_never_used(monkeypatch):
    stream = Stream(ew.generators.path(9))
    stream.components()

    def interrupt(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SlackRows, "remove", interrupt)
        with pytest.raises(KeyboardInterrupt):
            stream.update(remove=([3], [4]))
    for use in (stream.components, stream.update, lambda: stream.graph):
        with pytest.raises(RuntimeError, match="interrupted during an update"):
            use()


def test_time_needs_a_window():
    with pytest.raises(ValueError, match="time needs a window"):
        Stream(WEIGHTED.with_columns(edges={"time": None}), time="when")
