"""Sparse products against dense oracles: semirings, masks, batches, threads."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.linalg import Matrix, Semiring, select, spgemm, spgemm_batches


def oracle(left, right, add, multiply, allowed=None):
    """The product as a dictionary from places to values, by the definition."""
    found: dict = {}
    for i in range(left.shape[0]):
        for e in range(left.indptr[i], left.indptr[i + 1]):
            k, a = left.indices[e], 1 if left.values is None else left.values[e]
            for f in range(right.indptr[k], right.indptr[k + 1]):
                place = i, int(right.indices[f])
                if allowed is None or allowed(place):
                    new = multiply(a, 1 if right.values is None else right.values[f])
                    found[place] = add(found[place], new) if place in found else new
    return found


def entries(matrix):
    """The entries of a matrix as a dictionary."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    places = list(zip(rows.tolist(), matrix.indices.tolist(), strict=True))
    assert len(set(places)) == len(places)
    return dict(zip(places, matrix.values.tolist(), strict=True))


def random_matrix(rng, rows, columns, density, dtype=np.int64):
    cells = rng.random((rows, columns)) < density
    values = rng.integers(-4, 5, np.count_nonzero(cells)).astype(dtype)
    i, j = np.nonzero(cells)
    indptr = np.searchsorted(i, np.arange(rows + 1))
    return Matrix(indptr, j, values, num_columns=columns)


@pytest.fixture(params=[1, 2])
def team(request):
    with ew.threads(request.param):
        yield request.param


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("shape", [(0, 0, 0), (1, 1, 1), (4, 0, 5), (3, 5, 70), (30, 20, 90)])
def test_against_the_definition(shape, sort, team):
    rng = np.random.default_rng(sum(shape))
    for density in (0.05, 0.5):
        left = random_matrix(rng, *shape[:2], density)
        right = random_matrix(rng, *shape[1:], density)
        found = spgemm(left, right, sort=sort)
        assert found.shape == (shape[0], shape[2]) and found.dtype == np.int64
        assert entries(found) == oracle(left, right, lambda a, b: a + b, lambda a, b: a * b)
        if sort:
            found.validate()


def test_hub_rows_on_all_threads(team):
    """A star squared has one full row, and blocks of very different size."""
    star = ew.generators.star(3000)
    found = spgemm(star, star)
    want = star.to_scipy() @ star.to_scipy()
    assert found.nnz == want.nnz and (found.to_scipy() - want).count_nonzero() == 0


def test_large_products(team):
    graph = ew.generators.rmat(11, edge_factor=16, seed=3)
    want = (graph.to_scipy() @ graph.to_scipy()).tocsr()
    for sort in (False, True):
        found = spgemm(graph, graph, sort=sort)
        assert found.nnz == want.nnz and abs(found.to_scipy() - want).max() == 0


@pytest.mark.parametrize("name", ["min_plus", "max_times", "plus_pair", "or_and", "any_second"])
def test_named_semirings(name, team):
    rng = np.random.default_rng(5)
    left, right = random_matrix(rng, 12, 15, 0.3), random_matrix(rng, 15, 40, 0.3)
    found = entries(spgemm(left, right, name))
    rules = {
        "min_plus": (min, lambda a, b: a + b),
        "max_times": (max, lambda a, b: a * b),
        "plus_pair": (lambda a, b: a + b, lambda a, b: 1),
        "or_and": (lambda a, b: a or b, lambda a, b: bool(a and b)),
    }
    if name in rules:
        assert found == oracle(left, right, *rules[name])
        return
    every = oracle(left, right, lambda a, b: a | b, lambda a, b: {b})
    assert found.keys() == every.keys() and all(found[at] in every[at] for at in every)


def test_functions_and_tuples(team):
    """The shortest path of two edges, with the vertex in its middle."""
    rng = np.random.default_rng(6)
    left, right = random_matrix(rng, 9, 8, 0.4), random_matrix(rng, 8, 60, 0.4)
    both = Matrix(left.indptr, left.indices, (left.values, left.indices.astype(np.int64)),
                  num_columns=8)  # fmt: skip
    through = Semiring(
        lambda a, b: a if a[0] < b[0] or (a[0] == b[0] and a[1] < b[1]) else b,
        lambda a, b: (a[0] + b, a[1]),
        ("highest", "highest"),
        dtype=(np.int64, np.int64),
    )
    found = spgemm(both, right, through, sort=True)
    want = oracle(left, right, min, lambda a, b: a + b)
    rows = np.repeat(np.arange(9), np.diff(found.indptr))
    for i, j, length, k in zip(rows, found.indices, *found.values, strict=True):
        assert want[i, j] == length == left.to_scipy()[i, k] + right.to_scipy()[k, j]
    user = Semiring(lambda a, b: a + b, lambda a, b: a * b, zero=0)
    assert spgemm(left, right, user) == spgemm(left, right)


@pytest.mark.parametrize("dtype", [np.bool_, np.int32, np.float32, np.float64])
def test_types(dtype):
    rng = np.random.default_rng(7)
    left, right = (random_matrix(rng, 20, 20, 0.2, dtype) for _ in range(2))
    found = spgemm(left, right)
    assert found.dtype == (np.int64 if dtype == np.bool_ else dtype)
    want = left.values.dtype.type(1)
    assert np.array_equal(found.to_dense(), (left.to_dense() * want).astype(found.dtype)
                          @ right.to_dense().astype(found.dtype))  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(0, 40), columns=st.integers(0, 150),
       density=st.floats(0, 0.5), complement=st.booleans(), sort=st.booleans())  # fmt: skip
def test_masks(seed, rows, columns, density, complement, sort):
    rng = np.random.default_rng(seed)
    left, right = random_matrix(rng, rows, 30, density), random_matrix(rng, 30, columns, density)
    mask = random_matrix(rng, rows, columns, rng.random())
    held = set(entries(mask))
    found = spgemm(left, right, mask=mask, complement=complement, sort=sort)
    want = oracle(left, right, lambda a, b: a + b, lambda a, b: a * b,
                  lambda place: (place in held) != complement)  # fmt: skip
    assert entries(found) == want
    if sort:
        found.validate()


def test_masks_of_hubs(team):
    """Long rows of the right operand are searched for the few columns of the mask."""
    graph = ew.generators.rmat(11, edge_factor=16, seed=4)
    a = graph.to_scipy().tocsr()
    want = (a @ a).multiply(a)
    found = spgemm(graph, graph, mask=graph)
    assert found.sorted_rows and abs(found.to_scipy() - want).max() == 0
    back = Matrix(graph.indptr, graph.indices, sorted_rows=False)
    assert spgemm(graph, back, mask=back) == found


def test_batches_keep_the_memory():
    graph = ew.generators.rmat(10, edge_factor=8, seed=1)
    whole = spgemm(graph, graph, sort=True)
    parts = list(spgemm_batches(graph, graph, memory="256KiB", sort=True))
    assert len(parts) > 10
    assert [first for first, _ in parts] == np.cumsum([0] + [p.shape[0] for _, p in parts])[
        :-1
    ].tolist()
    assert all(part.nbytes <= 256 << 10 for _, part in parts)
    assert np.array_equal(np.concatenate([p.indices for _, p in parts]), whole.indices)
    assert np.array_equal(np.concatenate([p.values for _, p in parts]), whole.values)
    assert spgemm(graph, graph, memory="256KiB", sort=True) == whole
    with pytest.raises(ValueError, match=r"memory must be at least \d+ bytes"):
        spgemm(graph, graph, memory=1000)
    with pytest.raises(ValueError, match=r"memory must be at least \d+ bytes"):
        list(spgemm_batches(graph, graph, memory=1000))


@pytest.mark.parametrize("options", [{}, {"sort": True}, {"complement": True}])
def test_every_accumulator_gives_the_same(monkeypatch, options):
    """A place for each column, or hash tables and bitmaps, as for very many columns."""
    graph = ew.generators.rmat(9, seed=4)
    matrix = Matrix.from_graph(graph, weights=np.arange(graph.num_arcs) % 7 - 2.0)
    given = {**options, "mask": matrix} if "complement" in options else options
    found = spgemm(matrix, matrix, **given)
    monkeypatch.setattr("edgewise.linalg.cpu.spgemm_result._PLACES", 0)
    assert spgemm(matrix, matrix, **given) == found
    square = (matrix.to_scipy() @ matrix.to_scipy()).toarray()
    if "complement" in options:
        square[matrix.to_scipy().toarray() != 0] = 0
        zeros = select(matrix, lambda value: value == 0)  # entries of the mask, too
        square[zeros.with_values(None).to_dense() != 0] = 0
    assert np.array_equal(found.to_dense(), square)


@pytest.mark.parametrize("team", [1, 2])
def test_batches_take_no_more_than_the_memory(team):
    """The peak of what is allocated, beside the operands and 24 bytes per row."""
    graph, memory = ew.generators.rmat(10, seed=2), 1 << 20
    with ew.threads(team):
        for _, part in spgemm_batches(graph, graph, memory=memory):  # compiles
            del part
        tracemalloc.start()
        try:
            for _, part in spgemm_batches(graph, graph, memory=memory):
                del part
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert memory // 2 < peak < memory + 24 * graph.num_vertices + (1 << 15)


def test_results_larger_than_memory_are_estimated(monkeypatch, team):
    monkeypatch.setattr("edgewise.operators.cpu.growing._PART", 1 << 60)
    graph = ew.generators.rmat(10, edge_factor=8, seed=2)
    want = graph.to_scipy() @ graph.to_scipy()
    assert abs(spgemm(graph, graph).to_scipy() - want).max() == 0
    monkeypatch.setattr("edgewise.operators.cpu.growing.free_memory", lambda: 1 << 16)
    with pytest.raises(MemoryError, match=r"only 65,536 are free: spgemm_batches makes one part"):
        spgemm(graph, graph)


def test_many_columns():
    """Columns far apart are numbered first: tables are as long as there are entries."""
    far = 1 << 40
    right = Matrix([0, 2, 3], [5, far - 1, 5], [2, 3, 4], num_columns=far)
    mask = Matrix([0, 2], [7, far - 1], num_columns=far)
    left = Matrix([0, 2], [0, 1], [1, 1], num_columns=2)
    found = spgemm(left, right, sort=True)
    assert found.indices.tolist() == [5, far - 1] and found.values.tolist() == [6, 3]
    assert spgemm(left, right, mask=mask).indices.tolist() == [far - 1]


def test_refusals():
    a, b = Matrix([0, 1], [2], num_columns=3), Matrix([0, 1], [0], num_columns=1)
    with pytest.raises(ValueError, match=r"right must have as many rows as left has columns"):
        spgemm(a, b)
    with pytest.raises(ValueError, match="complement needs a mask"):
        spgemm(b, b, complement=True)
    with pytest.raises(ValueError, match="mask must have the shape"):
        spgemm(b, b, mask=a)
    with pytest.raises(ew.CompileError, match="cannot be compiled"):
        spgemm(b, b, Semiring(lambda a, b: a + b, lambda a, b: [a][object()], zero=0))
