"""Cut, communication volume, balance and time of partitions beside other packages', 2 threads.

Every package has a process of its own. They take turns, one seed after the other. The cut and the
volume are means over the seeds, and the least time counts. Edgewise goes on with more seeds, for
the balance. All figures of a partition are computed here, by other code than the packages'.
Some methods can be measured alone; the rows of the others stay.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.partitioning.graphs import GRAPHS, MESHES, Arcs, arcs_of, quality
from benchmarks.partitioning.packages import METHODS, MODULES, ON_MESHES, answering
from benchmarks.partitioning.report import cell, markdown
from benchmarks.peer import Peer
from benchmarks.suite import Suite, measure_suite

__all__ = ["K", "Times", "measure_partitioning"]

Row = dict[str, Any]
K = (2, 16, 64, 256)


class Times(NamedTuple):
    """How many seeds are tried, and how long."""

    seeds: int  # of every package
    ours: int  # of Edgewise, for the balance
    limit: float  # seconds of one call
    budget: float = np.inf  # seconds for one graph and k, after which no seed is begun
    timed: bool = True  # not on a busy machine


def measure_partitioning(
    names: list[str], parts: tuple[int, ...], times: Times, folder: Path,
    tell: Callable[[str], None], only: tuple[str, ...] = (),
) -> str:  # fmt: skip
    """Measure every graph: see `measure_suite`. ``only`` names methods; others keep their rows."""
    use_threads(2)
    known = [f"{name} {method}" for name, methods in METHODS.items() for method in methods]
    if unknown := set(only) - set(known):
        raise ValueError(f"only must name methods of {', '.join(known)}, got {unknown.pop()!r}")

    def measure(arcs: Arcs) -> list[Row]:
        tell(f"{arcs.name}: {arcs.n:,} vertices, {len(arcs.indices) // 2:,} edges")
        with TemporaryDirectory() as files:
            found = list(_measure(arcs, parts, times, Path(files), tell, only or tuple(known)))
        return _with_others(found, folder / "partitioning.json", arcs.name) if only else found

    suite = Suite("partitioning", GRAPHS, arcs_of, measure, markdown)
    return measure_suite(suite, names, folder, tell)


def _measure(
    arcs: Arcs, parts: tuple[int, ...], times: Times, files: Path, tell: Callable[[str], None],
    wanted: tuple[str, ...],
) -> Iterator[Row]:  # fmt: skip
    missing = [name for name, module in MODULES.items() if find_spec(module) is None]
    if missing:
        tell(f"  left out, not installed: {', '.join(missing)}")
    if arcs.name in GRAPHS and arcs.name not in MESHES:
        missing += ON_MESHES
    asked = [(name, method) for name, methods in METHODS.items() for method in methods
             if f"{name} {method}" in wanted and name not in missing]  # fmt: skip
    peers = {name: Peer(answering, name, arcs, files) for name in dict(asked)}
    try:
        for k in parts:
            rows = {(name, method): {"graph": arcs.name, "n": arcs.n, "m": len(arcs.indices) // 2,
                                     "k": k, "who": f"{name} {method}", "seconds": [], "cut": [],
                                     "volume": [], "imbalance": [],
                                     "limit": times.limit, "date": time.strftime("%Y-%m-%d")}
                    for name, method in asked}  # fmt: skip
            begin = time.monotonic()
            for seed in range(max(times.seeds, times.ours)):
                if seed > 0 and time.monotonic() - begin > times.budget:
                    tell(f"  k {k}: no seed from {seed} on, after {times.budget:g} s")
                    break
                for (name, method), row in rows.items():
                    turns = times.ours if name == "Edgewise" else times.seeds
                    if seed < turns and "note" not in row:
                        reply = peers[name].ask((method, k, seed), times.limit)
                        _turn(arcs, k, row, reply, timed=times.timed and seed < times.seeds)
            for row in rows.values():
                tell(f"  k {k}, {row['who']}: {cell(row)}")
            yield from rows.values()
    finally:
        for peer in peers.values():
            peer.stop()


def _turn(arcs: Arcs, k: int, row: Row, reply: Any, *, timed: bool) -> None:
    if isinstance(reply, str):
        row["note"] = reply
        return
    seconds, parts = reply
    if timed:
        row["seconds"].append(seconds)
    for name, value in quality(arcs, parts, k)._asdict().items():
        row[name].append(value)


def _with_others(found: list[Row], kept: Path, graph: str) -> list[Row]:
    """New rows among those that the graph has already, in the order of the methods."""
    old = json.loads(kept.read_text()) if kept.exists() else []
    new = {(row["k"], row["who"]) for row in found}
    stay = [row for row in old if row["graph"] == graph and (row["k"], row["who"]) not in new]
    order = [f"{name} {method}" for name, methods in METHODS.items() for method in methods]
    return sorted(found + stay, key=lambda row: (row["k"], order.index(row["who"])))
