"""Sparse products on a grid against SciPy and against dense oracles: stages, masks, batches."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from edgewise.distributed import Grid, GridMatrix, distribute, summa
from edgewise.distributed.launcher import launch
from edgewise.distributed.rank_threads import run_threads
from edgewise.distributed.summa import row_batches, task
from edgewise.generators import path, rmat
from edgewise.graph import Graph
from edgewise.linalg import Matrix, Semiring, spgemm, spgemm_batches, spmv
from tests.algorithms.samples import shape as sample
from tests.distributed.grids import DISTRIBUTIONS, assert_same
from tests.linalg.oracles import WIDEST, dense_of, multiplied, same_matrix
from tests.tiers import later

SHAPES = [(1, 1), (1, 2), (2, 2), (2, 3), *map(later, [(3, 2), (5, 1), (1, 4), (3, 3), (4, 2)])]
SHAPES = pytest.mark.parametrize("shape", SHAPES)
NAMES = ("empty", "one vertex", "one loop", "edge and loops", "disconnected", "star", "clique")


def weighted(graph: Graph) -> Graph:
    """With a whole number per arc, negative ones and zeros among them."""
    u, v, _ = graph.arcs()
    weights = (3 * u.astype(np.int64) + 5 * v) % 7 - 2
    return Graph(graph.indptr, graph.indices, weights, directed=True)


GRAPHS = [
    *(sample(name, directed=False) for name in NAMES),
    *(weighted(graph) for graph in (path(1), path(9), rmat(6, edge_factor=4, seed=1))),
]


def random_matrix(seed: int, rows: int, columns: int, density: float = 0.25) -> Matrix:
    draw = np.random.default_rng(seed)
    cells = np.argwhere(draw.random((rows, columns)) < density)
    values = draw.integers(-4, 9, len(cells))
    return Matrix.from_entries(cells[:, 0], cells[:, 1], values, shape=(rows, columns))


@pytest.fixture(params=["held", "merged"])
def held(request, monkeypatch):
    """Multiply once when all parts are there, or in every stage, and merge."""
    if request.param == "merged":
        monkeypatch.setattr(summa, "HELD_BYTES", 0)


def on_ranks(work, shape):
    """What ``work(grid)`` gives, bitwise the same on all ranks."""
    first, *others = run_threads(lambda comm: work(Grid(comm, shape)), shape[0] * shape[1])
    for other in others:
        assert_same(other, first)
    return first


def arrays(matrix: Matrix) -> tuple:
    """A gathered matrix, in arrays that can be compared."""
    values = matrix.values if isinstance(matrix.values, tuple) else (matrix.values,)
    return matrix.shape, matrix.indptr, matrix.indices, *values


def back(found: tuple) -> Matrix:
    (rows, columns), indptr, indices, *values = found
    some = values[0] if len(values) == 1 else tuple(values)
    return Matrix(indptr, indices, some, num_columns=columns)


def product(left, right, ring, shape, *, distribution="striped", mask=None, **options) -> Matrix:
    """The product of matrices that are distributed and gathered."""

    def work(grid):
        def spread(one):
            return GridMatrix.from_matrix(one, grid=grid, distribution=distribution, seed=3)

        more = {} if mask is None else {"mask": spread(mask)}
        return arrays(spgemm(spread(left), spread(right), ring, **more, **options).gather())

    return back(on_ranks(work, shape))


@SHAPES
def test_graphs_against_scipy(shape, held):
    """The square and the cube of graphs, sums, and the number of entries."""

    def work(grid):
        found = []
        for k, graph in enumerate(GRAPHS):
            a = distribute(graph, grid=grid, distribution=DISTRIBUTIONS[k % 3], seed=4)
            square = spgemm(a, a)
            cube = spgemm(square, a, sort=True)
            assert cube.block.sorted_rows and cube.shape == (graph.num_vertices,) * 2
            sums = int(square.reduce()), cube.reduce_rows(), cube.reduce_columns()
            found.append((arrays(square.gather()), arrays(cube.gather()), square.nnz, *sums))
        return found

    for graph, (square, cube, nnz, total, rows, columns) in zip(
        GRAPHS, on_ranks(work, shape), strict=True
    ):
        want = graph.to_scipy().astype(np.int64)
        assert (back(square).to_scipy().toarray() == (want @ want).toarray()).all()
        assert (back(cube).to_scipy().toarray() == (want @ want @ want).toarray()).all()
        assert nnz == spgemm(graph, graph).nnz and total == (want @ want).sum()
        assert (rows == np.asarray((want @ want @ want).sum(1)).ravel()).all()
        assert (columns == np.asarray((want @ want @ want).sum(0)).ravel()).all()


@pytest.mark.parametrize("shape", [(2, 3), later((3, 2)), later((4, 1)), later((2, 2))])
@pytest.mark.parametrize("ring", ["min_plus", *map(later, ["max_second", "plus_pair"]), WIDEST])
def test_semirings_of_rectangles(ring, shape, held):
    """Shapes that no rank count divides, by the definition."""
    for k, (n, m, p) in enumerate([(13, 7, 19), (1, 5, 2), (4, 0, 3), (0, 3, 4)]):
        left, right = random_matrix(k, n, m), random_matrix(k + 9, m, p)
        found = product(left, right, ring, shape, distribution=DISTRIBUTIONS[k % 3])
        wanted = dense_of(spgemm(left, right, ring))
        assert same_matrix(found, wanted)
    ring = ring if isinstance(ring, Semiring) else Semiring(*_named(ring))
    left, right = random_matrix(1, 8, 9), random_matrix(2, 9, 7)
    assert same_matrix(product(left, right, ring, shape),
                       multiplied(ring, dense_of(left), dense_of(right)))  # fmt: skip


def _named(name):
    from edgewise.linalg import SEMIRINGS

    return SEMIRINGS[name].add, SEMIRINGS[name].multiply


@pytest.mark.slow
def test_booleans(held):
    left, right = random_matrix(3, 20, 15), random_matrix(4, 15, 18)
    found = product(left, right, "or_and", (2, 2))
    assert found.dtype == np.bool_ and found == spgemm(left, right, "or_and")
    bare = product(left.with_values(None), right.with_values(None), "any_pair", (2, 3))
    assert bare == spgemm(left.with_values(None), right.with_values(None), "any_pair")


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("shape", [(2, 3), later((1, 1)), later((2, 2)), later((3, 1))])
def test_masks(shape, complement, held):
    left, right, mask = (random_matrix(k, 24, 24, 0.3) for k in range(3))
    found = product(left, right, "plus_times", shape, mask=mask, complement=complement, sort=True)
    whole, allowed = dense_of(spgemm(left, right)), mask.to_dense().astype(bool) * 0
    allowed[np.repeat(np.arange(24), np.diff(mask.indptr)), mask.indices] = 1
    wanted = [
        [one if bool(free) != complement else None for one, free in zip(row, frees, strict=True)]
        for row, frees in zip(whole, allowed, strict=True)
    ]
    assert same_matrix(found, wanted)


@pytest.mark.slow
def test_tuples(held):
    """The shortest path of two edges, with the vertex in its middle."""
    left, right = random_matrix(6, 9, 8, 0.4), random_matrix(7, 8, 30, 0.4)
    both = left.with_values((left.values, left.indices.astype(np.int64)))
    through = Semiring(
        lambda a, b: a if a[0] < b[0] or (a[0] == b[0] and a[1] < b[1]) else b,
        lambda a, b: (a[0] + b, a[1]),
        ("highest", "highest"),
        dtype=(np.int64, np.int64),
    )
    assert product(both, right, through, (2, 2)) == spgemm(both, right, through)


@pytest.mark.parametrize("shape", [(2, 2), later((1, 2)), later((2, 3)), later((3, 1))])
def test_batches_keep_the_memory(shape):
    graph = rmat(9, edge_factor=8, seed=1)
    whole, memory = spgemm(graph, graph, sort=True), 384 << 10

    def work(grid):
        a = distribute(graph, grid=grid)
        rows, columns, values, done = [], [], [], []
        for first, part in spgemm_batches(a, a, memory=memory):
            done.append(first)
            assert part.block.nbytes <= memory
            here = part.gather()
            rows.append(np.repeat(np.arange(here.shape[0]), np.diff(here.indptr)))
            columns.append(here.indices)
            values.append(here.values)
        assert len(done) > 2 and sorted({*done}) == done
        with pytest.raises(ValueError, match=r"memory must be at least \d+ bytes"):
            spgemm(a, a, memory=1000)
        with pytest.raises(ValueError, match=r"memory must be at least \d+ bytes"):
            spgemm_batches(a, a, memory=1000)
        together = spgemm(a, a, memory=memory).gather()
        masked = spgemm(a, a, memory=memory, mask=a, sort=True).gather()
        found = (np.concatenate(one) for one in (rows, columns, values))
        return *found, *arrays(together)[1:], *arrays(masked)[1:]

    i, j, values, indptr, indices, sums, *masked = on_ranks(work, shape)
    assert Matrix.from_entries(i, j, values, shape=whole.shape) == whole
    assert len(i) == whole.nnz  # no entry is in two batches
    assert Matrix(indptr, indices, sums) == whole
    assert Matrix(*masked) == spgemm(graph, graph, mask=graph)


def test_what_the_symbolic_stages_count():
    """Equally many batches on all ranks, of all rows; the bound holds for what a rank computes."""
    graph = rmat(8, edge_factor=6, seed=2)

    def work(comm):
        a = distribute(graph, grid=Grid(comm, (2, 3)), distribution="block")
        job = task(a, a, "plus_times")
        batches = row_batches(job, 1 << 18)
        assert {batch.held > 0 for batch in row_batches(job, 1 << 24)} == {True}
        cuts = [batch.low for batch in batches] + [batches[-1].high]
        assert cuts[0] == 0 and cuts[-1] == a.numbering.of["row"].size and sorted(cuts) == cuts
        assert [batch.high for batch in batches] == cuts[1:]
        return len(batches)

    counts = run_threads(work, 6)
    assert {*counts} == {counts[0]} and counts[0] > 1


@pytest.mark.parametrize("shape", [(2, 3), later((1, 1)), later((3, 2))])
def test_matrices_from_shares(shape):
    """Every rank brings entries, some of them twice; the transpose, and what leads out."""
    size = shape[0] * shape[1]
    draw = np.random.default_rng(5)
    rows, columns = draw.integers(0, 11, 90), draw.integers(0, 17, 90)
    values = draw.integers(1, 9, 90)

    def work(comm):
        grid, mine = Grid(comm, shape), np.arange(90) % size == comm.rank
        a = GridMatrix.from_entries(rows[mine], columns[mine], values[mine], shape=(11, 17),
                                    grid=grid, distribution="random", seed=1)  # fmt: skip
        assert a.T.shape == (17, 11) and a.T.nnz == a.nnz and "11 x 17" in repr(a)
        return (arrays(a.gather()), arrays(a.T.gather()), int(a.reduce("max")),
                a.reduce_rows("min"), arrays(spgemm(a, a.T).gather()))  # fmt: skip

    first, *others = run_threads(work, size)
    for other in others:
        assert_same(other, first)
    want = Matrix.from_entries(rows, columns, values, shape=(11, 17))
    assert back(first[0]) == want and back(first[1]) == want.T
    assert first[2] == want.values.max()
    assert first[3].tolist() == [want.rows(i, i + 1).weights.min() for i in range(11)]
    assert back(first[4]) == spgemm(want, want.T)


def test_a_graph_from_a_product():
    """Two steps lead where one leads twice."""
    graph = path(7)

    def work(grid):
        a = distribute(graph, grid=grid)
        far = spgemm(a, a).to_graph()
        assert far.directed and far.layout == a.layout
        walks = spmv(spgemm(a, a), a.share(np.arange(7)))
        return far.row_lengths().gather(), walks.gather()

    lengths, walks = on_ranks(work, (2, 3))
    assert lengths.tolist() == [2, 2, 3, 3, 3, 2, 2]
    assert walks.tolist() == spmv(spgemm(graph, graph), np.arange(7)).tolist()


def test_refusals():
    graph, other = rmat(4, seed=1), rmat(5, seed=1)

    def work(grid):
        a, b = distribute(graph, grid=grid), distribute(other, grid=grid)
        shuffled = distribute(graph, grid=grid, distribution="random")
        for wrong, text in [
            ((a, b), r"right must have as many rows as left has columns \(16\), got 32"),
            ((a, graph), "right must be on the grid of left"),
            ((a, shuffled), "right must be laid out as the other operand"),
            ((graph, a), "right must be on one device"),
        ]:
            with pytest.raises(ValueError, match=text):
                spgemm(*wrong)
        with pytest.raises(ValueError, match="complement needs a mask"):
            spgemm(a, a, complement=True)
        with pytest.raises(ValueError, match=r"mask must have the shape of the product \(16, 16\)"):
            spgemm(a, a, mask=b)
        with pytest.raises(ValueError, match="mask must be laid out"):
            spgemm(a, a, mask=shuffled)
        with pytest.raises(ValueError, match="a graph needs rows and columns that are the same"):
            GridMatrix.from_matrix(random_matrix(0, 3, 4), grid=grid).to_graph()
        return 0

    assert on_ranks(work, (2, 2)) == 0


def test_ranks_that_call_differently():
    def work(comm):
        a = distribute(path(5), grid=Grid(comm, (1, 2)))
        spgemm(a, a, "min_plus" if comm.rank else "max_plus")

    with pytest.raises(RuntimeError, match=r"spgemm: semiring must be the same on all ranks"):
        run_threads(work, 2)


def products_of_processes(comm, shape):
    """A program for ranks that are processes."""
    grid = Grid(comm, shape)
    for graph in GRAPHS:
        a = distribute(graph, grid=grid, distribution="random", seed=2)
        assert spgemm(a, a).gather() == spgemm(graph, graph)
    left, right = random_matrix(1, 30, 17), random_matrix(2, 17, 22)
    a, b = (GridMatrix.from_matrix(one, grid=grid) for one in (left, right))
    assert spgemm(a, b, "or_and").gather() == spgemm(left, right, "or_and")
    parts = [part.gather().nnz for _, part in spgemm_batches(a, b, memory="64KiB")]
    assert sum(parts) == spgemm(left, right).nnz
    return len(parts)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 2), (2, 3)])
def test_mpi(shape):
    pytest.importorskip("mpi4py")
    ranks = shape[0] * shape[1]
    found = launch(products_of_processes, shape, ranks=ranks, timeout=300)
    assert {*found} == {found[0]}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_any_shape_of_grid_and_operands(seed, held):
    """Random shapes, layouts, densities, masks and limits of memory."""
    draw = np.random.default_rng(seed)
    shape, (n, m, p) = tuple(draw.integers(1, 5, 2).tolist()), draw.integers(0, 50, 3).tolist()
    density, distribution = draw.random() ** 3, DISTRIBUTIONS[seed % 3]
    left, right = random_matrix(seed, n, m, density), random_matrix(seed + 1, m, p, density)
    options = {}
    if draw.random() < 0.6:
        options = {"mask": random_matrix(seed + 2, n, p, draw.random()),
                   "complement": bool(draw.random() < 0.5)}  # fmt: skip
    memory = [None, 60_000, 100_000][seed % 3]
    found = product(left, right, "plus_times", shape, distribution=distribution, memory=memory,
                    **options)  # fmt: skip
    assert found == spgemm(left, right, **options)


def peak_of_a_process(comm, memory):
    """How much more memory a rank holds at most while batches come and go, and their number."""
    a = distribute(rmat(11, edge_factor=8, seed=1), grid=Grid(comm, (2, 2)))
    spgemm(a, a, mask=a)
    tracemalloc.start()
    before, parts = tracemalloc.get_traced_memory()[0], 0
    for _, part in spgemm_batches(a, a, memory=memory):
        parts += 1
        del part
    return tracemalloc.get_traced_memory()[1] - before, parts


@pytest.mark.slow
def test_processes_keep_the_memory():
    pytest.importorskip("mpi4py")
    memory = 2 << 20
    found = launch(peak_of_a_process, memory, ranks=4, timeout=300)
    assert all(peak <= memory and parts > 3 for peak, parts in found), found
