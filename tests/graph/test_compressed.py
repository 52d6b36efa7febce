"""Compressed graphs: equal to the plain ones, smaller, and a graph like any other."""

from __future__ import annotations

import copy
import importlib
import pickle

import numpy as np
import pytest

from edgewise import generators, triangle_count
from edgewise.base.bit_blocks import Blocks
from edgewise.base.coded import Coded
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io import read, write

ODD = {
    "empty": Graph.from_edges([], [], num_vertices=0),
    "no edges": Graph.from_edges([], [], num_vertices=3),
    "one vertex": Graph.from_edges([0], [0]),
    "star": generators.star(300),
    "directed": Graph.from_edges([0, 0, 5, 5], [1, 9, 0, 5], directed=True),
    "rmat": generators.rmat(10, seed=3),
    "weighted": generators.road(20, 20, seed=1),
    "labels": Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2.0]),
}


@pytest.mark.parametrize("name", ODD)
def test_it_equals_the_plain_graph(name):
    plain = ODD[name]
    packed = plain.compress()
    assert packed == plain and plain == packed and hash(packed) == hash(plain)
    assert packed.is_compressed and not plain.is_compressed and packed.compress() is packed
    assert packed.num_arcs == plain.num_arcs and packed.num_edges == plain.num_edges
    assert packed.longest_row == plain.longest_row
    assert packed.num_self_loops == plain.num_self_loops and packed.id_dtype == plain.id_dtype
    assert np.array_equal(packed.indptr, plain.indptr)
    assert np.array_equal(packed.indices, plain.indices)
    packed.validate()
    back = packed.decompress()
    assert back == plain and not back.is_compressed and plain.decompress() is plain


def test_it_is_smaller_and_says_so():
    plain = generators.grid_2d(100, 100)
    packed = plain.compress()
    assert packed.nbytes * 3 < plain.nbytes
    assert "compressed" in repr(packed) and "compressed" not in repr(plain)
    stored = packed.stored
    assert packed.nbytes == stored.indptr.nbytes + stored.indices.nbytes


@pytest.mark.parametrize("name", ["directed", "weighted", "labels"])
def test_copies_and_pickles(name):
    packed = ODD[name].compress()
    again = pickle.loads(pickle.dumps(packed))
    assert again == packed and again.is_compressed
    own = copy.deepcopy(packed)
    assert own == packed and own.is_compressed
    assert not np.shares_memory(own.stored.indices.words, packed.stored.indices.words)
    assert copy.copy(packed) is packed


def test_the_transpose_is_compressed_and_finds_its_arcs_on_demand():
    plain = generators.rmat(8, seed=1, directed=True)
    packed = plain.compress()
    assert packed.transposed.is_compressed and packed.transposed == plain.transposed
    assert "_arc_ids" not in packed.transposed.__dict__
    assert np.array_equal(packed.transposed.arc_ids, plain.transposed.arc_ids)
    assert packed.transposed is packed.transposed


def test_other_weights_and_labels_share_the_rows():
    plain = generators.star(300)
    packed, values = plain.compress(), np.arange(300.0)
    weighted = plain.with_weights(values)
    found = packed.with_weights(values).with_labels([f"v{i}" for i in range(301)])
    assert found.is_compressed and found.weights.tolist() == weighted.weights.tolist()
    assert found.stored is packed.stored and found.label(3) == "v3"


@pytest.mark.slow
def test_transformations_give_plain_graphs():
    plain = ODD["rmat"]
    packed, places = plain.compress(), np.random.default_rng(1).permutation(plain.num_vertices)
    some = np.arange(0, plain.num_vertices, 3)
    assert packed.permute(places) == plain.permute(places)
    assert packed.subgraph(some) == plain.subgraph(some)
    assert packed.contract(places // 8).graph == plain.contract(places // 8).graph
    assert packed.neighbors(5).tolist() == plain.neighbors(5).tolist()
    assert packed.edges()[1].tolist() == plain.edges()[1].tolist()


@pytest.mark.parametrize("name", ["directed", "weighted", "rmat"])
def test_questions_about_a_vertex_unpack_its_row_alone(monkeypatch, name):
    plain = ODD[name]
    packed = plain.compress()
    packed.num_self_loops  # noqa: B018
    monkeypatch.setattr(Blocks, "unpack", None)
    for v in range(0, plain.num_vertices, 7):
        row = packed.neighbors(v)
        assert row.tolist() == plain.neighbors(v).tolist() and row.dtype == plain.indices.dtype
        assert not row.flags.writeable and packed.degree(v) == plain.degree(v)
        assert packed.rows(v, v + 1).indices.tolist() == row.tolist()
        for u in (0, v, plain.num_vertices - 1):
            assert packed.has_edge(v, u) == plain.has_edge(v, u)
            if packed.has_edge(v, u):
                assert packed.edge_weight(v, u) == plain.edge_weight(v, u)


def test_degrees_with_self_loops():
    graph = generators.rmat(9, seed=2)
    plain = Graph.from_edges(*graph.edges()[:2], num_vertices=512)
    loops = np.arange(0, 512, 5)
    plain = plain.updated(add=(loops, loops))
    expected = np.bincount(np.concatenate(plain.edges()[:2]), minlength=512)
    assert plain.num_self_loops >= len(loops)
    assert np.array_equal(plain.degrees(), expected)
    assert np.array_equal(plain.compress().degrees(), expected)


def test_too_little_memory_is_said_before_rows_are_unpacked(monkeypatch):
    packed = ODD["rmat"].compress()
    monkeypatch.setattr("edgewise.graph.stored.free_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="bytes unpacked, but only 1,000 bytes are free"):
        packed.indices  # noqa: B018


@pytest.mark.parametrize("name", ODD)
def test_files_keep_the_compressed_form(tmp_path, name):
    packed, path = ODD[name].compress(), tmp_path / "packed.ew"
    write(packed, path)
    for options in ({}, {"verify": True}, {"trusted": True}, {"memory_map": False}):
        found = read(path, **options)
        assert found.is_compressed and found == ODD[name]
    write(read(path), path)
    assert read(path, verify=True) == ODD[name]
    write(read(path), tmp_path / "plain.mtx")
    assert read(tmp_path / "plain.mtx") == ODD[name]


def test_damaged_files_are_refused_or_harmless(tmp_path):
    path = tmp_path / "packed.ew"
    write(ODD["rmat"].compress(), path)
    content, random = path.read_bytes(), np.random.default_rng(4)
    refused = 0
    for place in random.integers(512, len(content), 60):
        broken = bytearray(content)
        broken[place] ^= 1 << random.integers(8)
        path.write_bytes(broken)
        with pytest.raises(FileFormatError):
            read(path, verify=True)
        try:
            graph = read(path)
        except FileFormatError:
            refused += 1
            continue
        assert 0 <= graph.indices.min() <= graph.indices.max() < graph.num_vertices
        assert graph.indptr[0] == 0 and (np.diff(graph.indptr) >= 0).all()
    assert refused > 20
    path.write_bytes(content[: len(content) - 8])
    with pytest.raises(FileFormatError, match="truncated"):
        read(path)


def test_rows_for_triangles_are_compressed_if_memory_is_short(monkeypatch):
    graph = generators.rmat(11, seed=5)
    small, expected = graph.compress(), triangle_count(graph)
    home = importlib.import_module("edgewise.graph.orient")
    assert not home.orient(small).rows.is_compressed
    monkeypatch.setattr(home, "free_memory", lambda: 0)
    assert home.orient(small).rows.is_compressed and not home.orient(graph).rows.is_compressed
    assert triangle_count(small) == expected


CODED = {
    "floats": generators.road(20, 20, seed=1).with_weights(np.arange(488) % 9 / 4),
    "integers": Graph.from_edges([0, 1, 2], [1, 2, 2], [-5, 1 << 40, 7]),
    "many": generators.star(1000).with_weights(np.arange(1000) * 0.5),
    "NaN": Graph.from_edges([0, 1], [1, 2], [np.nan, np.inf]),
    "directed": Graph.from_edges([0, 1, 2], [1, 2, 0], [4.0, 2.0, 4.0], directed=True),
    "no edges": Graph.from_edges([], [], np.zeros(0), num_vertices=2),
}


@pytest.mark.parametrize("name", CODED)
def test_coded_weights_are_the_same(tmp_path, name):
    plain = CODED[name]
    coded = plain.compress().compress(weights="dictionary")
    codes = coded.stored_weights
    assert isinstance(codes, Coded) and codes.codes.itemsize == 1 + (name == "many")
    assert coded == plain and coded.weights.dtype == plain.weights.dtype
    assert coded.compress(weights="dictionary") is coded and coded.decompress() == plain
    assert coded.nbytes < plain.nbytes or plain.num_arcs < 100
    for other in (pickle.loads(pickle.dumps(coded)), coded.copy(), coded.transposed.transposed):
        assert other == plain and isinstance(other.stored_weights, Coded)
    assert coded.with_labels(None).stored_weights is codes and coded.with_weights(None) == (
        plain.with_weights(None))  # fmt: skip
    write(coded, tmp_path / "coded.ew")
    for options in ({}, {"verify": True}, {"trusted": True}, {"memory_map": False}):
        found = read(tmp_path / "coded.ew", **options)
        assert found == plain and isinstance(found.stored_weights, Coded)
    if plain.num_edges:
        u, v, weight = (side[-1].item() for side in plain.edges())
        np.testing.assert_equal(coded.edge_weight(u, v), weight)


def test_rounded_weights():
    plain = generators.star(4).with_weights([0.1, 1e-3, 3.0, 7.0])
    half, single = (plain.compress(weights=how) for how in ("float16", "float32"))
    expected = plain.weights.astype(np.float16).astype(np.float32)
    assert half.weights.tolist() == expected.tolist() and half.weights.dtype == np.float32
    assert single.weights.tolist() == plain.weights.astype(np.float32).tolist()
    assert plain.with_weights(None).compress(weights="float16").weights is None
    with pytest.raises(ValueError, match="the weights must fit float16, got 70000.0"):
        plain.with_weights([1.0, 70000.0, 2.0, np.inf]).compress(weights="float16")
    with pytest.raises(ValueError, match="weights must be one of 'dictionary', "):
        plain.compress(weights="int8")
    wide = generators.star(70_000).with_weights(np.arange(70_000.0))
    with pytest.raises(ValueError, match="at most 65,536 distinct values to be coded"):
        wide.compress(weights="dictionary")


def test_damaged_codes_are_refused(tmp_path):
    coded, path = CODED["floats"].compress(weights="dictionary"), tmp_path / "coded.ew"
    write(coded, path)
    content = path.read_bytes()
    codes = coded.stored_weights.codes.tobytes()
    path.write_bytes(content.replace(codes, b"\x09" + codes[1:]))
    with pytest.raises(FileFormatError, match="wcodes must be below 9, the table's size"):
        read(path)
