"""Cut, communication volume, balance and time of partitions beside other packages', 2 threads.

Every package has a process of its own. They take turns, one seed after the other. The cut and the
volume are means over the seeds, and the least time counts. Edgewise goes on with more seeds, for
the balance. All figures of a partition are computed here, by other code than the packages'.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean, geometric_mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.partitioning.graphs import GRAPHS, MESHES, Arcs, arcs_of, quality
from benchmarks.partitioning.packages import IMBALANCE, METHODS, MODULES, answering
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["K", "Times", "markdown", "measure_partitioning"]

Row = dict[str, Any]
K = (2, 16, 64, 256)
_METIS, _KAMINPAR, _KAHYPAR = "METIS k-way", "KaMinPar default", "Mt-KaHyPar default"
_DEFAULT, _HIGH, _SPECTRAL = (f"Edgewise {name}" for name in METHODS["Edgewise"][1:])


class Times(NamedTuple):
    """How many seeds are tried, and how long."""

    seeds: int  # of every package
    ours: int  # of Edgewise, for the balance
    limit: float  # seconds of one call
    budget: float = np.inf  # seconds for one graph and k, after which no seed is begun


def measure_partitioning(
    names: list[str], parts: tuple[int, ...], times: Times, folder: Path,
    tell: Callable[[str], None],
) -> str:  # fmt: skip
    """Measure every graph: see `measure_suite`."""
    use_threads(2)

    def measure(arcs: Arcs) -> list[Row]:
        tell(f"{arcs.name}: {arcs.n:,} vertices, {len(arcs.indices) // 2:,} edges")
        with TemporaryDirectory() as files:
            return list(_measure(arcs, parts, times, Path(files), tell))

    suite = Suite("partitioning", GRAPHS, arcs_of, measure, markdown)
    return measure_suite(suite, names, folder, tell)


def _measure(
    arcs: Arcs, parts: tuple[int, ...], times: Times, files: Path, tell: Callable[[str], None],
) -> Iterator[Row]:  # fmt: skip
    missing = [name for name, module in MODULES.items() if find_spec(module) is None]
    if missing:
        tell(f"  left out, not installed: {', '.join(missing)}")
    peers = {name: Peer(answering, name, arcs, files) for name in METHODS if name not in missing}
    try:
        for k in parts:
            rows = {(name, method): {"graph": arcs.name, "n": arcs.n, "m": len(arcs.indices) // 2,
                                     "k": k, "who": f"{name} {method}", "seconds": [], "cut": [],
                                     "volume": [], "imbalance": [],
                                     "date": time.strftime("%Y-%m-%d")}
                    for name in peers for method in METHODS[name]}  # fmt: skip
            begin = time.monotonic()
            for seed in range(max(times.seeds, times.ours)):
                if seed > 0 and time.monotonic() - begin > times.budget:
                    tell(f"  k {k}: no seed from {seed} on, after {times.budget:g} s")
                    break
                for (name, method), row in rows.items():
                    wanted = times.ours if name == "Edgewise" else times.seeds
                    if seed < wanted and "note" not in row:
                        reply = peers[name].ask((method, k, seed), times.limit)
                        _turn(arcs, k, row, reply, timed=seed < times.seeds)
            for row in rows.values():
                tell(f"  k {k}, {row['who']}: {_cell(row)}")
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


def markdown(rows: list[Row]) -> str:
    """All cuts and times, the geometric means beside METIS, and the goals."""
    days = " and ".join(sorted({row["date"] for row in rows}))
    methods = list(dict.fromkeys(row["who"] for row in rows))
    cases = {(row["graph"], row["k"]): {} for row in rows}
    for row in rows:
        cases[row["graph"], row["k"]][row["who"]] = row
    lines = [[graph, str(k), *(_cell(found[who]) if who in found else "" for who in methods)]
             for (graph, k), found in cases.items()]  # fmt: skip
    balance = "PASS" if _broken(rows, "Edgewise") == 0 else "MISS"
    ours = [row for row in rows if row["who"].startswith("Edgewise")]
    return "\n\n".join([
        f"Measured {days} on {machine()}, 2 threads: `python -m benchmarks partitioning`. Parts "
        f"may be {100 * IMBALANCE:g} percent larger than the mean. Cells are the mean cut and the "
        "least time.",
        table(["graph", "k", *methods], lines),
        "## Beside METIS",
        "Geometric means over the rows that both have; partitions whose largest part is too large "
        "are counted.",
        table(["method", "cut", "volume", "time", "too large", "largest imbalance"],
              [_means(rows, cases, who) for who in methods], words=1),
        "\n".join([
            *_goal(cases, _DEFAULT, _METIS, "cut", 1.0),
            *_goal(cases, _DEFAULT, _KAMINPAR, "seconds", 2.0),
            *_goal(cases, _HIGH, _KAHYPAR, "cut", 1.03),
            *_goal({case: found for case, found in cases.items() if case[0] in MESHES},
                   _SPECTRAL, _METIS, "cut", 1.3),
            f"- {balance}: {_broken(rows, 'Edgewise')} of {sum(len(row['cut']) for row in ours)} "
            "partitions of ours have a part that is too large.",
        ]),
    ])  # fmt: skip


def _cell(row: Row) -> str:
    if not row["cut"]:
        return row.get("note", "")
    return f"{fmean(row['cut']):,.0f}, {spell_time(min(row['seconds']))}"


def _means(rows: list[Row], cases: dict, who: str) -> list[str]:
    ratios = [_ratio(cases, who, _METIS, what) for what in ("cut", "volume", "seconds")]
    own = [row for row in rows if row["who"] == who]
    worst = max((max(row["imbalance"]) for row in own if row["cut"]), default=0.0)
    tries = sum(len(row["cut"]) for row in own)
    return [who, *(f"{ratio:.3f}" if ratio else "" for ratio in ratios),
            f"{_broken(rows, who)} of {tries}", f"{100 * worst:.1f} %"]  # fmt: skip


def _ratio(cases: dict, who: str, other: str, what: str) -> float | None:
    """The geometric mean of one's figure over another's."""
    pick = min if what == "seconds" else fmean
    pairs = [(pick(found[who][what]), pick(found[other][what])) for found in cases.values()
             if found.get(who, {}).get("cut") and found.get(other, {}).get("cut")]  # fmt: skip
    shares = [(a + 1e-9) / (b + 1e-9) for a, b in pairs]  # a cut may be nothing
    return geometric_mean(shares) if shares else None


def _goal(cases: dict, who: str, other: str, what: str, most: float) -> Iterator[str]:
    ratio = _ratio(cases, who, other, what)
    if ratio is not None:
        mark, word = "PASS" if ratio <= most else "MISS", "time" if what == "seconds" else what
        yield (f"- {mark}: the {word} of {who} is {ratio:.3f} of that of {other}, geometric mean, "
               f"at most {most:g}.")  # fmt: skip


def _broken(rows: list[Row], who: str) -> int:
    """How many partitions have a part larger than allowed; a hair is rounding."""
    found = [value for row in rows if row["who"].startswith(who) for value in row["imbalance"]]
    return sum(value > IMBALANCE + 1e-9 for value in found)
