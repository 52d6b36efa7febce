"""What the tests of formats share: texts as files, sample graphs, mangled bytes, a graph's laws."""

import numpy as np
import pytest

from edgewise.graph import Graph
from edgewise.io import read


@pytest.fixture
def load(path):
    """Reads a text as the file ``path``, which a module's own fixture names."""

    def load(text, **options):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read(path, **options)

    return load


@pytest.fixture
def random_graph():
    """Makes a graph with loops, isolated vertices and, if a dtype is given, weights of it."""

    def make(*, directed, dtype=None, n=60, m=200, seed=1, **options):
        rng = np.random.default_rng(seed)
        sources, targets = rng.integers(0, n - 5, (2, m))
        weights = None if dtype is None else rng.integers(-1000, 1000, m).astype(dtype)
        options = {"directed": directed, "num_vertices": n, "duplicates": "first", **options}
        return Graph.from_edges(sources, targets, weights, **options)

    return make


@pytest.fixture
def mangled():
    """Makes junk out of a file's bytes: cut, flipped, overwritten, stretched and shuffled."""

    def make(content, count, seed=0):
        rng = np.random.default_rng(seed)
        for _ in range(count):
            junk = bytearray(content)
            place = int(rng.integers(len(junk)))
            match rng.integers(6):
                case 0:
                    del junk[place:]
                case 1:
                    junk[place] ^= 1 << int(rng.integers(8))
                case 2:
                    junk[place : place + 8] = rng.integers(0, 256, 8, np.uint8).tobytes()
                case 3:
                    junk[place : place + 8] = b"\xff" * 8
                case 4:
                    junk[place:place] = rng.integers(0, 256, 4, np.uint8).tobytes()
                case 5:
                    del junk[place : place + int(rng.integers(1, 9))]
            yield bytes(junk)

    return make


@pytest.fixture
def check_graph():
    """Checks that the arrays of a graph obey its laws."""

    def check(graph):
        n = graph.num_vertices
        assert graph.indptr[0] == 0 and graph.indptr[-1] == len(graph.indices)
        assert (np.diff(graph.indptr) >= 0).all()
        assert graph.weights is None or len(graph.weights) == len(graph.indices)
        sources = np.repeat(np.arange(n), np.diff(graph.indptr))
        arcs = list(zip(sources.tolist(), graph.indices.tolist(), strict=True))
        assert all(0 <= v < n for _, v in arcs)
        assert arcs == sorted(set(arcs))
        if not graph.directed:
            assert {(v, u) for u, v in arcs} == set(arcs)

    return check
