"""What the times are held against, one verdict for each row and target.

Edgewise is to be faster than every library on every row; where a library comes within 1.3 of GAP's
time, as fast is enough. Beside GAP's own binaries it may take 1.15 times as long (1.3 for shortest
paths, and less time for triangles). Without them the ratios to NetworKit and SciPy stand in, as GAP
reaches them. A user's own shortest paths may take 1.5 times as long as the built-in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import median
from typing import NamedTuple

from benchmarks.driver import Cell
from benchmarks.tasks import OWN, TASKS

__all__ = ["Verdict", "judge", "typical"]

_GAP_LIMITS = {
    "bfs": 1.15,
    "sssp": 1.3,
    "pagerank": 1.15,
    "connected_components": 1.15,
    "triangle_count": 1.0,
    "betweenness_centrality": 1.15,
}
_GAP_GRAPHS = ("kron18", "kron20", "road1000")
_NEAR_GAP = 1.3

#: On kron18: the peer, and how many times faster than it GAP was.
_STAND_IN = {
    "bfs": ("networkit", 7.4),
    "sssp": ("scipy", 5.0),
    "pagerank": ("networkit", 1.5),
    "connected_components": ("networkit", 4.3),
    "triangle_count": ("networkit", 3.0),
}
_OWN_GRAPHS, _OWN_LIMIT = ("kron20", "road1000"), 1.5
_MEMORY_GRAPH, _MEMORY_LIMIT = "kron20", 3.0


class Verdict(NamedTuple):
    """Whether one row meets one target."""

    row: str
    target: str
    measured: str
    met: bool


def judge(cells: Iterable[Cell]) -> list[Verdict]:
    """The verdicts on all rows that Edgewise has a time in."""
    rows: dict[tuple[str, str], dict[str, Cell]] = {}
    for cell in cells:
        rows.setdefault((cell.task, cell.graph), {})[cell.peer] = cell
    return [
        verdict
        for (task, graph), row in rows.items()
        if "edgewise" in row
        for verdict in _verdicts(task, graph, row)
    ]


def typical(cell: Cell | None) -> float | None:
    """The median time of a cell; None if it has none."""
    return median(cell.seconds) if cell and cell.seconds else None


def _verdicts(task: str, graph: str, row: dict[str, Cell]) -> Iterator[Verdict]:
    name, ours = f"{TASKS[task].title}, {graph}", typical(row["edgewise"])
    if ours is None or row["edgewise"].wrong:
        problem = row["edgewise"].wrong or row["edgewise"].note or "no time"
        yield Verdict(name, "a right answer", problem, False)
        return
    gap = typical(row.get("gap"))
    yield from _beside_libraries(name, row, ours, gap)
    if gap is not None and graph in _GAP_GRAPHS:
        limit = _GAP_LIMITS[task]
        target = f"at least {1 / limit:.2f} times GAP's speed" if limit > 1 else "faster than GAP"
        met = ours <= limit * gap if limit > 1 else ours < gap
        yield Verdict(name, target, f"{gap / ours:.2f}", met)
    if gap is None and graph == "kron18" and task in _STAND_IN:
        peer, factor = _STAND_IN[task]
        theirs = typical(row.get(peer))
        if theirs is not None:
            target = f"{factor:.1f} times faster than {peer}"
            yield Verdict(name, target, f"{theirs / ours:.2f}", theirs >= factor * ours)
    own = typical(row.get("own_propagate"))
    if own is not None and graph in _OWN_GRAPHS:
        target = f"a user's own at most {_OWN_LIMIT} times slower than the built-in"
        yield Verdict(name, target, f"{own / ours:.2f}", own <= _OWN_LIMIT * ours)
    if task == "build" and graph == _MEMORY_GRAPH and row["edgewise"].memory:
        times = row["edgewise"].memory / row["edgewise"].given
        target = f"peak memory under {_MEMORY_LIMIT:.0f} times the input"
        yield Verdict(name, target, f"{times:.2f}", times < _MEMORY_LIMIT)


def _beside_libraries(
    name: str, row: dict[str, Cell], ours: float, gap: float | None
) -> Iterator[Verdict]:
    """One verdict over all libraries; it names the one that comes closest."""
    times = {
        peer: seconds
        for peer, cell in row.items()
        if peer not in ("edgewise", "gap", *OWN)
        and not cell.wrong
        and (seconds := typical(cell)) is not None
    }
    if not times:
        return
    closest = min(times, key=times.__getitem__)
    near = gap is not None and times[closest] <= _NEAR_GAP * gap
    target = "as fast as every library" if near else "faster than every library"
    met = ours <= times[closest] if near else ours < times[closest]
    yield Verdict(name, target, f"{times[closest] / ours:.2f} ({closest})", met)
