"""The algorithms on one GPU: answers checked against CPU threads, then times beside the targets.

A call's time is the whole Python call, results left on the device. The kernels' time is what the
GPU itself was busy with, from events around every launch of ours (CuPy's own launches, which fill
and sort arrays, are not in it). The floor is the bytes that must move once over the bandwidth of a
plain copy, measured in the same run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import edgewise
from edgewise import generators
from edgewise.algorithms import ALGORITHMS

__all__ = ["busy", "measure_gpu"]

#: (row, graph): milliseconds to reach, and those of Gunrock 2 (2024), or of LD-GPU's authors for
#: matching, on the same kind of GPU, if known.
_TARGETS = {
    ("bfs", "rmat22"): (1.2, 6.4),
    ("bfs", "urand22"): (0.8, 5.5),
    ("bfs", "grid2000"): (28, 654),
    ("sssp", "rmat22"): (12, None),
    ("sssp", "grid2000"): (120, None),
    ("pagerank, one iteration", "rmat22"): (0.9, None),
    ("pagerank, one iteration", "urand22"): (0.9, None),
    ("connected_components", "rmat22"): (2, None),
    ("core_number", "rmat22"): (60, None),
    ("triangle_count", "rmat20"): (150, 1641),
    ("triangle_count", "rmat22"): (700, 7286),
    ("triangle_count", "urand22"): (None, 29.5),
    ("betweenness_centrality", "rmat22"): (10, 16.3),
    ("building", "urand22"): (120, None),
    ("matching.locally_dominant", "rmat22"): (5, 17.7),
    ("matching.locally_dominant", "urand22"): (3, 10.8),
    ("matching.locally_dominant", "grid2000"): (1.5, 6.3),
}
#: Much of these is CuPy's sorting, which the kernels' time leaves out.
_WITH_SORTS = ("building", "triangle_count")
_ITERATIONS = 20
_FUNCTIONS = {name: row.load() for name, row in ALGORITHMS.items()}


class Row(NamedTuple):
    """One measurement, in milliseconds; memory in bytes beyond the graph."""

    task: str
    graph: str
    call: float
    kernels: float
    launches: int
    floor: float
    memory: int
    right: bool
    target: float | None
    other: float | None


def measure_gpu(trials: int, folder: Path, tell: Callable[[str], None], *, quick: bool) -> str:
    """Check and time everything; the report in Markdown, also written to ``folder``."""
    import cupy

    sizes = (12, 10, 64) if quick else (22, 20, 2000)
    rows, speed = [], _copy_speed()
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    folder.mkdir(parents=True, exist_ok=True)
    text = ""
    for graph, name, whole in _graphs(*sizes):
        for row in _rows(graph, name, whole, speed, trials):
            rows.append(row)
            tell(_line(row))
            text = _markdown(rows, device, speed, trials)  # whole after each row
            (folder / "gpu.json").write_text(json.dumps([row._asdict() for row in rows], indent=1))
            (folder / "gpu.md").write_text(f"# gpu\n\n{text}\n")
        cupy.get_default_memory_pool().free_all_blocks()
    return text


def _graphs(scale: int, smaller: int, side: int) -> Iterator[tuple[Any, str, bool]]:
    """The graphs, their names, and whether all rows are measured or triangles alone."""
    yield generators.rmat(scale, seed=1), f"rmat{scale}", True
    yield generators.urand(scale, seed=1), f"urand{scale}", True
    yield generators.grid_2d(side, side), f"grid{side}", True
    yield generators.rmat(smaller, seed=1), f"rmat{smaller}", False


def _rows(graph: Any, name: str, whole: bool, speed: float, trials: int) -> Iterator[Row]:
    """All rows of one graph; the source is the vertex of most edges, of a grid the corner."""
    there = graph.to("cuda")
    source = 0 if name.startswith("grid") else int(graph.degrees().argmax())
    n, m, ids = graph.num_vertices, graph.num_arcs, graph.indices.itemsize
    rows_once = m * ids + 8 * n
    weighted = graph.with_weights(
        np.random.default_rng(1).integers(1, 65, graph.num_edges).astype(np.int32)
    )
    weighted_there = weighted.to("cuda")

    def call(task, here=graph, at=there, check=None, floor=rows_once, **options):
        function = _FUNCTIONS[task]
        arguments = (source,) if task in ("bfs", "sssp") else ()
        run = lambda on: _host(function(on, *arguments, **options))  # noqa: E731
        right = check is None or check(run(here), run(at))
        return _timed(
            lambda: function(at, *arguments, **options), task, name, floor, right, speed, trials
        )

    equal = lambda a, b: bool(np.array_equal(a, b))  # noqa: E731
    close = lambda a, b: bool(np.allclose(a, b, rtol=1e-6, atol=1e-12))  # noqa: E731
    if whole:
        yield call("bfs", check=equal, floor=8 * n)
        yield call("sssp", weighted, weighted_there, equal, rows_once + 4 * m)
        yield _own_sssp(weighted, weighted_there, name, source, rows_once + 4 * m, speed, trials)
        yield _matching(graph, name, speed, trials)
        yield _pagerank(graph, there, name, rows_once, close, speed, trials)
        yield call("connected_components", check=equal, floor=2 * n * (8 + ids))
        yield call("core_number", check=equal, floor=rows_once + 16 * n)
        if not name.startswith("grid"):  # paths across a grid are too many to count
            yield call("betweenness_centrality", check=close, floor=2 * rows_once, sources=[source])
        yield _building(graph, name, speed, trials)
    yield call("triangle_count", check=equal)


def _pagerank(graph, there, name, floor, close, speed, trials) -> Row:
    def run(on):
        try:
            return edgewise.pagerank(on, tol=0, max_iter=_ITERATIONS)
        except edgewise.ConvergenceError as error:
            return error.best

    right = close(run(graph), _host(run(there)))
    n, m = graph.num_vertices, graph.num_arcs
    moved = m * (graph.indices.itemsize) + n * (8 + 4 + 4 + 8)
    row = _timed(lambda: run(there), "pagerank", name, moved, right, speed, trials)
    target, other = _TARGETS.get(("pagerank, one iteration", name), (None, None))
    each = {"call": row.call / _ITERATIONS, "kernels": row.kernels / _ITERATIONS}
    return row._replace(
        task="pagerank, one iteration", target=target, other=other,
        launches=round(row.launches / _ITERATIONS), **each,
    )  # fmt: skip


def _own_sssp(graph, there, name, source, floor, speed, trials) -> Row:
    """A user's shortest paths in a few lines, as on CPU threads."""
    from benchmarks.peers.own_propagate import sssp

    wanted = edgewise.sssp(graph, source).distance.astype(np.float64)
    wanted[wanted == wanted.max(initial=2.0**53)] = np.inf  # whole numbers know no infinity
    right = bool(np.array_equal(_host(sssp(there, source)), wanted))
    return _timed(lambda: sssp(there, source), "sssp, a user's own", name, floor, right, speed,
                  trials)  # fmt: skip


def _matching(graph, name, speed, trials) -> Row:
    """Weights in (0, 1], as LD-GPU's authors drew them; once through the rows is the floor."""
    from edgewise import matching

    weighted = graph.with_weights(1 - np.random.default_rng(1).random(graph.num_edges))
    there = weighted.to("cuda")
    right = bool(np.array_equal(
        _host(matching.locally_dominant(there).mate), matching.locally_dominant(weighted).mate
    ))  # fmt: skip
    floor = graph.num_arcs * (graph.indices.itemsize + 8) + 8 * graph.num_vertices
    return _timed(lambda: _mates(there), "matching.locally_dominant", name, floor, right, speed,
                  trials)  # fmt: skip


def _mates(graph):
    from edgewise.algorithms.matching.locally_dominant import match_free

    mates = graph.full(-1, graph.indices.dtype)
    match_free(graph, mates, "weight")
    return mates


def _building(graph, name, speed, trials) -> Row:
    import cupy

    sources, targets, _ = graph.edges()
    drawn = np.random.default_rng(2).permutation(len(sources))
    us, vs = cupy.asarray(sources[drawn]), cupy.asarray(targets[drawn])

    def run():
        return edgewise.Graph.from_edges(us, vs, num_vertices=graph.num_vertices)

    right = run().to("cpu") == graph
    return _timed(run, "building", name, us.nbytes * 2 + graph.nbytes, right, speed, trials)


def _timed(run, task, graph, moved, right, speed, trials) -> Row:
    """The median of several calls; the launches and the memory of one more."""
    import cupy

    run()
    seconds = []
    for _ in range(trials):
        cupy.cuda.Device().synchronize()
        begin = time.perf_counter()
        run()
        cupy.cuda.Device().synchronize()
        seconds.append(time.perf_counter() - begin)
    kernels, launches = busy(run)
    target, other = _TARGETS.get((task, graph), (None, None))
    return Row(task, graph, 1e3 * median(seconds), kernels, launches, 1e3 * moved / speed,
               _memory(run), right, target, other)  # fmt: skip


def busy(run: Callable[[], Any]) -> tuple[float, int]:
    """Milliseconds between events around every launch, and how many there were."""
    import cupy

    from edgewise.base.cuda import kernels

    events: list[tuple[Any, Any]] = []
    launch = kernels.launch

    def timed(*args: Any) -> None:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        launch(*args)
        end.record()
        events.append((begin, end))

    kernels.launch = timed
    try:
        run()
        cupy.cuda.Device().synchronize()
    finally:
        kernels.launch = launch
    return sum(cupy.cuda.get_elapsed_time(*pair) for pair in events), len(events)


def _memory(run: Callable[[], Any]) -> int:
    """The most bytes that a call held at once, in CuPy's pool, beside what was there before."""
    from cupy.cuda import MemoryHook

    class Peak(MemoryHook):
        name, held, most = "peak", 0, 0

        def malloc_postprocess(self, **about: Any) -> None:
            self.held += about["mem_size"]
            self.most = max(self.most, self.held)

        def free_postprocess(self, **about: Any) -> None:
            self.held -= about["mem_size"]

    with Peak() as peak:
        run()
    return peak.most


def _copy_speed() -> float:
    """Bytes read and written a second by a plain copy of 4 GB."""
    import cupy

    a = cupy.ones(1 << 29)
    b = cupy.empty_like(a)
    times = []
    for _ in range(5):
        cupy.cuda.Device().synchronize()
        begin = time.perf_counter()
        b[:] = a
        cupy.cuda.Device().synchronize()
        times.append(time.perf_counter() - begin)
    return 2 * a.nbytes / min(times)


def _host(result: Any) -> Any:
    result = getattr(result, "distance", result)
    return result.get() if hasattr(result, "get") else result


def _line(row: Row) -> str:
    state = "" if row.right else "  WRONG"
    aim = "" if row.target is None else f"  target {row.target:g}"
    return (
        f"{row.task:26} {row.graph:9} call {row.call:9.3f} ms  kernels {row.kernels:9.3f} ms "
        f"in {row.launches}{aim}{state}"
    )


def _verdict(row: Row) -> str:
    """The target, and who meets it: the whole call, the kernels alone, or nobody."""
    if row.target is None:
        return ""
    if row.call <= row.target:
        return f"{row.target:g} ms, met"
    alone = row.kernels <= row.target and row.task not in _WITH_SORTS
    return f"{row.target:g} ms, {'met by the kernels alone' if alone else 'missed'}"


def _markdown(rows: list[Row], device: str, speed: float, trials: int) -> str:
    lines = [
        f"Measured {time.strftime('%Y-%m-%d')} on {device}, where a plain copy moves "
        f"{speed / 1e12:.2f} TB/s: `python -m benchmarks gpu`. Medians of {trials} calls after "
        "warm-up.",
        "",
        "| task | graph | call | kernels | Gunrock 2 or LD-GPU | times faster | memory floor "
        "| memory | goal | answer |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|---|",
    ]
    for row in rows:
        other, ahead = "", ""
        if row.other is not None:
            other, ahead = f"{row.other:g} ms", f"{row.other / row.call:.1f}"
        lines.append(
            f"| {row.task} | {row.graph} | {row.call:.2f} ms | {row.kernels:.2f} ms "
            f"| {other} | {ahead} | {row.floor:.3f} ms | {row.memory / 2**20:.0f} MiB "
            f"| {_verdict(row)} | {'right' if row.right else 'WRONG'} |"
        )
    return "\n".join(lines)
