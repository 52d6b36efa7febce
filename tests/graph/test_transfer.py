"""Graphs on a GPU: moving there and back, what works there, and what says that it does not.

Without a GPU, graphs "live" in the simulator, where their arrays are NumPy's: what runs no kernel
can be tried that way in any process.
"""

from __future__ import annotations

import pickle
from copy import deepcopy
from importlib.util import find_spec

import numpy as np
import pytest

import edgewise
from edgewise.base.errors import DeviceError
from edgewise.graph import CSR, Graph
from edgewise.graph.transfer import number_of, on_gpu
from tests.operators.engines import no_gpu

GRAPH = Graph.from_edges([0, 1], [1, 2])
#: With a loop, weights and labels.
FRIENDS = Graph.from_edges(["a", "b", "c", "a"], ["b", "c", "c", "d"], [0.5, np.nan, 2.0, 1.0])
ARCS = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 2], [1, 2, 3, 4], directed=True)


@pytest.fixture
def simulated(monkeypatch):
    monkeypatch.setattr("edgewise.base.cuda.device._SIMULATED", True)


@pytest.fixture
def gpu():
    if reason := no_gpu():
        pytest.skip(reason)


def test_here_is_itself():
    assert GRAPH.to("cpu") is GRAPH


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:-1", "cuda:one", ""])
def test_unknown_devices(device):
    with pytest.raises(ValueError, match=f"device must be 'cpu', 'cuda' .* got {device!r}"):
        GRAPH.to(device)
    with pytest.raises(ValueError, match="device must be"):
        edgewise.read("no such file.ew", device=device)


@pytest.mark.skipif(find_spec("cupy") is not None, reason="CuPy is installed")
def test_what_is_missing_is_said():
    with pytest.raises(DeviceError, match=r"not installed: pip install 'edgewise\[gpu\]'"):
        GRAPH.to("cuda")


class Elsewhere:
    """An array of a GPU, as far as it says itself."""

    def __init__(self, number=0):
        self.number = number

    def __dlpack_device__(self):
        return 2, self.number


def test_who_lives_on_a_gpu():
    class Managed:
        __cuda_array_interface__: dict = {}

    assert not on_gpu(GRAPH.indices, [0, 1])
    assert on_gpu(GRAPH.indices, Elsewhere()) and on_gpu(Managed())


def test_on_which_gpu_arrays_live():
    assert number_of(GRAPH.indices, Elsewhere(3), None) == 3
    with pytest.raises(ValueError, match="on one GPU, got arrays on cuda:0 and cuda:2"):
        number_of(Elsewhere(2), Elsewhere(0), Elsewhere(2))


@pytest.mark.parametrize("graph", [GRAPH, FRIENDS, ARCS, ARCS.transposed, CSR([0, 1], [4])])
def test_there_and_back(simulated, graph):
    there = graph.to("cuda")
    assert there.device == "cuda:0" and there.to("cuda") is there
    same(there, graph)


@pytest.mark.parametrize("graph", [FRIENDS, ARCS.transposed])
@pytest.mark.parametrize("again", [Graph.copy, deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_and_pickles_stay_there(simulated, graph, again):
    there = graph.to("cuda")
    twin = again(there)
    assert twin is not there and twin.device == "cuda:0"
    assert twin.indices is not there.indices
    same(twin, graph)


@pytest.mark.skipif(find_spec("cupy") is not None, reason="CuPy is installed")
def test_a_pickle_needs_the_device_it_was_on(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("edgewise.base.cuda.device._SIMULATED", True)
        kept = pickle.dumps(GRAPH.to("cuda"))
    with pytest.raises(DeviceError, match="a CUDA device needs CuPy"):
        pickle.loads(kept)


def test_equal_wherever_they_are(simulated):
    there = FRIENDS.to("cuda")
    for here in (FRIENDS, FRIENDS.to("cuda")):
        assert there == here and here == there
    assert there != GRAPH and there != FRIENDS.with_weights(None)
    assert hash(there) == hash(FRIENDS)
    assert repr(there) == repr(FRIENDS)[:-1] + ", cuda:0)"


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("to_scipy", lambda graph: graph.to_scipy()),
        ("to_networkx", lambda graph: graph.to_networkx()),
        ("to_pandas", lambda graph: graph.to_pandas()),
        ("to_arrow", lambda graph: graph.to_arrow()),
        ("write", lambda graph: edgewise.write(graph, "graph.ew")),
    ],
)
def test_what_needs_host_memory_says_so(simulated, name, call):
    reason = rf"{name} needs a graph in host memory, .* on cuda:0: graph\.to\("
    with pytest.raises(DeviceError, match=reason):
        call(FRIENDS.to("cuda"))


@pytest.mark.parametrize("graph", [GRAPH, FRIENDS, ARCS])
def test_parts_are_cut_out_there(simulated, graph):
    there, n = graph.to("cuda"), graph.num_vertices
    for chosen in (np.arange(n) % 3 > 0, np.arange(n)[::-1], [1, 0]):
        assert there.subgraph(chosen).to("cpu") == graph.subgraph(chosen)


@pytest.mark.parametrize("graph", [GRAPH, FRIENDS, ARCS])
def test_what_works_there(simulated, graph):
    there = graph.to("cuda")
    there.validate()
    for name in ("arcs", "edges", "degrees", "in_degrees", "degree_summary", "weight_summary"):
        for found, wanted in zip(
            listed(getattr(there, name)()), listed(getattr(graph, name)()), strict=True
        ):
            np.testing.assert_array_equal(found, wanted)
    assert there.neighbors(1).tolist() == graph.neighbors(1).tolist()
    assert there.rows(1, 2).indices.tolist() == graph.rows(1, 2).indices.tolist()
    same(there.without_self_loops(), graph.without_self_loops())
    same(there.with_weights(None), graph.with_weights(None))
    lengths = np.arange(1.0, graph.num_edges + 1)
    same(there.with_weights(lengths), graph.with_weights(lengths))
    names = [f"v{v}" for v in range(graph.num_vertices)]
    same(there.with_labels(names), graph.with_labels(names))
    assert there.table(there.degrees()).equals(graph.table(graph.degrees()))


def test_errors_are_the_same_there(simulated):
    there = FRIENDS.to("cuda")
    over_arcs = np.arange(FRIENDS.num_arcs)
    for call in (
        lambda graph: graph.with_weights(over_arcs),
        lambda graph: graph.with_weights([1.0]),
        lambda graph: graph.with_labels(["a"]),
    ):
        with pytest.raises(ValueError) as wanted:
            call(FRIENDS)
        with pytest.raises(ValueError) as found:
            call(there)
        assert str(found.value) == str(wanted.value)


def test_reading_to_a_device(simulated, tmp_path):
    edgewise.write(FRIENDS, tmp_path / "friends.ew")
    same(edgewise.read(tmp_path / "friends.ew", device="cuda"), FRIENDS)
    assert edgewise.read(tmp_path / "friends.ew").device == "cpu"


@pytest.mark.gpu
class TestOnAGpu:
    def test_copies_pickles_and_equality(self, gpu):
        for graph in (FRIENDS, ARCS.transposed):
            there = graph.to("cuda")
            assert there == graph and there == graph.to("cuda")
            for twin in (there.copy(), pickle.loads(pickle.dumps(there))):
                assert twin.device == there.device and twin == there
                same(twin, graph)
            assert repr(there) == repr(graph)[:-1] + ", cuda:0)"

    def test_what_works_there(self, gpu):
        for graph in (GRAPH, FRIENDS, ARCS):
            test_what_works_there(None, graph)
        test_errors_are_the_same_there(None)
        same(ARCS.to("cuda").to_undirected(), ARCS.to_undirected())

    def test_labels_and_tables_of_results_there(self, gpu):
        there = FRIENDS.to("cuda")
        ids = there.xp.asarray([2, 0])
        assert there.label(ids).tolist() == ["c", "a"]
        assert there.table({"degree": there.degrees()}).loc["a", "degree"] == 2
        assert there.label(there.neighbors("a")).tolist() == ["b", "d"]
        assert there.has_edge("c", "c") and not there.has_edge("a", "c")
        assert there.edge_weight("d", "a") == 1.0 and there.degree("b") == 2
        paths = edgewise.bfs(there, "a")
        assert there.table(paths).equals(FRIENDS.table(edgewise.bfs(FRIENDS, "a")))
        found = edgewise.connected_components(there)
        assert there.table(found, kind="members")["value"].tolist() == ["a"] * 4
        assert len(edgewise.frontier(there, ["a", "c"])) == 2
        shares = {"personalization": {"a": 1, "c": 2}, "weights": None}
        rank, wanted = (edgewise.pagerank(graph, **shares) for graph in (there, FRIENDS))
        np.testing.assert_allclose(rank.get(), wanted, atol=1e-7)

    def test_pairs_there(self, gpu):
        import cupy

        pairs = cupy.asarray([[0, 1], [1, 2]])
        assert Graph.from_edges(pairs).device == "cuda:0" and Graph.from_edges(pairs) == GRAPH
        assert Graph.from_edges(cupy.asarray([[0, 1, 3]])).weights.tolist() == [3, 3]

    def test_arrays_of_a_gpu_are_no_finished_rows(self, gpu):
        there = GRAPH.to("cuda")
        with pytest.raises(TypeError, match="indptr must be an array in host memory"):
            Graph(there.indptr, there.indices)

    def test_every_gpu_builds_its_own(self, gpu):
        import cupy

        from edgewise.generators import cuda

        for number in range(cupy.cuda.runtime.getDeviceCount()):
            with cupy.cuda.Device(number):
                ends = cupy.asarray([0, 1]), cupy.asarray([1, 2])
            there = Graph.from_edges(*ends)
            assert there.device == f"cuda:{number}" and there == GRAPH
            assert there.indices.device.id == number
            drawn = cuda.grid_2d(3, 4, device=f"cuda:{number}")
            assert drawn.device == f"cuda:{number}"


def listed(found):
    """What a method gives, in host memory, one after the other."""
    several = found if isinstance(found, tuple) else (found,)
    return [one.get() if hasattr(one, "get") else one for one in several]


def same(there, here):
    """Is it the graph, on the device?"""
    assert there.device == "cuda:0"
    back = there.to("cpu")
    assert back == here
    assert ("_arc_ids" in back.__dict__) == ("_arc_ids" in here.__dict__)
    if "_arc_ids" in here.__dict__:
        assert back.arc_ids.tolist() == here.arc_ids.tolist()
