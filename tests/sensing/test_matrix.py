"""Traffic matrices: what they are made of, sums, other ids, graphs, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import bfs, pagerank
from edgewise.sensing import Packets, TrafficMatrix, total

links = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 100)), max_size=30)


def matrix_of(links):
    columns = np.array(links, np.int64).reshape(-1, 3).T
    return TrafficMatrix.from_links(*columns)


def content(matrix):
    source, destination, packets = (column.tolist() for column in matrix.links)
    return {ends: packets[i] for i, ends in enumerate(zip(source, destination, strict=True))}


@given(links, links, links)
def test_sums_add_link_by_link(one, two, three):
    wanted = {}
    for source, destination, packets in (*one, *two, *three):
        wanted[source, destination] = wanted.get((source, destination), 0) + packets
    a, b, c = map(matrix_of, (one, two, three))
    assert content(total([a, b, c])) == wanted
    assert a + b + c == c + (a + b) == total([a, b, c])
    assert (a + b).num_packets == a.num_packets + b.num_packets


def test_sums_of_ids_of_both_widths():
    near, far = (TrafficMatrix(kind([1]), kind([2]), [3]) for kind in (np.uint32, np.uint64))
    both = near + far
    assert both.source.dtype == np.uint64
    assert content(both) == {(1, 2): 6}
    assert near == far


def test_times_of_sums_span_those_of_all():
    one = TrafficMatrix([1], [2], [3], start=10, stop=20)
    two = TrafficMatrix([1], [2], [3], start=5, stop=15)
    assert (total([one, two]).start, total([one, two]).stop) == (5, 20)
    assert (total([one, TrafficMatrix([1], [2], [3])]).start) == 10


def test_a_matrix_is_frozen_and_pickles():
    matrix = TrafficMatrix([1, 2], [2, 2], [3, 1], start=1, stop=9)
    with pytest.raises(AttributeError, match="frozen"):
        matrix.packets = None
    with pytest.raises(ValueError, match="read-only"):
        matrix.packets[0] = 2
    again = pickle.loads(pickle.dumps(matrix))
    assert again == matrix
    assert (again.start, again.stop) == (1, 9)
    assert hash(again) == hash(matrix)
    assert matrix != 3


def test_other_ids():
    matrix = TrafficMatrix.from_links([1, 2, 3], [2, 3, 3], [5, 6, 7], start=1, stop=2)
    far = matrix.permuted(lambda ids: np.uint64(2**64 - 1) - ids)
    assert far.shape == (2**64, 2**64)
    assert content(far) == {
        (2**64 - 1 - s, 2**64 - 1 - d): p for (s, d), p in content(matrix).items()
    }
    assert far.quantities() == matrix.quantities()
    assert (far.start, far.stop) == (1, 2)
    with pytest.raises(ValueError, match="each of 3 ids one of its own, got 3 ids, 1 of them"):
        matrix.permuted(lambda ids: ids * 0)


@pytest.mark.parametrize("offset", [0, 2**63], ids=["near", "far"])
def test_the_graph_of_a_matrix(offset):
    ids = np.array([30, 10, 20, 10, 20], np.uint64) + np.uint64(offset)
    matrix = TrafficMatrix.from_links(ids[:4], ids[1:], [4, 3, 2, 1])
    graph = matrix.to_graph()
    graph.validate()
    assert graph.directed
    assert graph.labels.values.tolist() == [offset + 10, offset + 20, offset + 30]
    assert graph.edge_weight(graph.vertex(offset + 10), graph.vertex(offset + 20)) == 4
    assert graph.edge_weight(graph.vertex(offset + 30), graph.vertex(offset + 10)) == 4
    assert graph.transposed.degrees().tolist() == [2, 1, 0]


@pytest.mark.slow
def test_algorithms_run_on_the_graph_of_a_matrix():
    graph = TrafficMatrix.from_links([1, 2, 3], [2, 3, 1], [1, 1, 2**40]).to_graph()
    assert pagerank(graph).tolist() == pytest.approx([1 / 3] * 3)
    assert bfs(graph, graph.vertex(1)).distance.tolist() == [0, 1, 2]


def test_addresses_as_labels():
    matrix = TrafficMatrix(np.uint64([0x7F000001]), np.uint64([2**63 + 10]), [1])
    assert matrix.to_graph(labels="address").labels.values.tolist() == [
        "127.0.0.1",
        "ipv6-800000000000000a",
    ]
    with pytest.raises(ValueError, match="labels must be one of 'id', 'address', got 'name'"):
        matrix.to_graph(labels="name")
    assert TrafficMatrix([], [], []).to_graph().num_vertices == 0


def test_a_matrix_of_packets_is_one_window():
    packets = Packets(np.uint32([5, 5, 1]), np.uint32([6, 6, 1]), np.array([7, 8, 9]))
    matrix = TrafficMatrix.from_packets(packets)
    assert content(matrix) == {(1, 1): 1, (5, 6): 2}
    assert (matrix.start, matrix.stop) == (7, 9)
    assert repr(matrix) == "TrafficMatrix(2 links, 3 packets, 2**32 x 2**32, 32 B)"
    assert TrafficMatrix.from_packets(packets.cut(0, 0)).num_packets == 0


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            ([1, 1], [2, 2], [1, 1]),
            r"none twice, got \(1, 2\) after \(1, 2\); from_links takes any",
        ),
        (([2, 1], [2, 2], [1, 1]), r"sorted .* got \(1, 2\) after \(2, 2\)"),
        (([1], [2, 3], [1]), "one entry per link, got 1, 2 and 1"),
        (([1], [2], [0]), "packets must be 1 or more on every link, got 0"),
        (([1], [2], [0.5]), "packets must be whole numbers, got dtype float64"),
        (([-1], [2], [1]), "source must be ids of 0 or more, got -1"),
        (([[1]], [2], [1]), "source must be one-dimensional"),
    ],
)
def test_wrong_links(columns, message):
    with pytest.raises((TypeError, ValueError), match=message):
        TrafficMatrix(*columns)
    if "from_links" in message or "sorted" in message:
        assert TrafficMatrix.from_links(*columns).num_packets == 2
    else:
        with pytest.raises((TypeError, ValueError), match=message):
            TrafficMatrix.from_links(*columns)
