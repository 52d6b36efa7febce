"""Colors and times beside other libraries', distance 1 and 2 and partial distance 2, 2 threads.

Every library has a process of its own and its own form of the graph. They take turns method by
method, and the least time counts. Every coloring is checked, by other code than the libraries'.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.coloring.libraries import COLPACK, METHODS, answering
from benchmarks.coloring.problems import PROBLEMS, Problem, fault, problem_of
from benchmarks.driver import use_threads
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["measure_coloring"]

Row = dict[str, Any]
_TITLES = {
    "distance 1": "Distance 1",
    "distance 2": "Distance 2",
    "columns": "Partial distance 2: columns of a matrix",
}
#: Goals: of ColPack's time in the same order, and colors more than its.
_SHARE, _MORE = 0.7, 1


def measure_coloring(
    names: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every problem: see `measure_suite`."""
    use_threads(2)

    def measure(problem: Problem) -> list[Row]:
        with TemporaryDirectory() as files:
            return _measure(problem, trials, limit, Path(files), tell)

    suite = Suite("coloring", PROBLEMS, problem_of, measure, markdown)
    return measure_suite(suite, names, folder, tell)


def _measure(
    problem: Problem, trials: int, limit: float, files: Path, tell: Callable[[str], None]
) -> list[Row]:
    rows, columns = problem.matrix.shape
    tell(f"{problem.name}: {rows:,} x {columns:,}, {problem.matrix.nnz:,} entries")
    libraries = {name for kind in problem.kinds for name in METHODS[kind] if _is_there(name, tell)}
    peers = {name: Peer(answering, name, problem, files) for name in sorted(libraries)}
    found: list[Row] = []
    try:
        for kind in problem.kinds:
            asked = [(name, method) for name, methods in METHODS[kind].items() if name in peers
                     for method in methods]  # fmt: skip
            best: dict[tuple[str, str], Row] = {}
            for _ in range(trials):
                for who in list(asked):
                    _turn(problem, kind, who, peers[who[0]].ask((kind, who[1]), limit), best)
                    if not best[who].get("seconds"):
                        asked.remove(who)
            for row in best.values():
                tell(f"  {kind}, {row['who']} {row['method']}: {_cell(row)}")
            found += best.values()
    finally:
        for peer in peers.values():
            peer.stop()
    return found


def _is_there(library: str, tell: Callable[[str], None]) -> bool:
    program = library == "ColPack"
    there = os.environ.get(COLPACK) if program else find_spec(library.lower())
    if not there:
        why = "no program is named by --colpack" if program else "it is not installed"
        tell(f"  {library} is left out: {why}")
    return bool(there)


def _turn(problem: Problem, kind: str, who: tuple[str, str], reply: Any, best: dict) -> None:
    """Keep the least time, the colors, and what is wrong."""
    rows, columns = problem.matrix.shape
    row = best.setdefault(who, {
        "graph": problem.name, "rows": rows, "columns": columns, "entries": problem.matrix.nnz,
        "kind": kind, "who": who[0], "method": who[1], "date": time.strftime("%Y-%m-%d"),
    })  # fmt: skip
    if isinstance(reply, str):
        if "seconds" not in row:
            row["note"] = reply
        return
    seconds, colors = reply
    row["seconds"] = min(seconds, row.get("seconds", seconds))
    used = int(colors.max(initial=-1)) + 1
    row["colors"] = min(used, row.get("colors", used))
    if problem_with := fault(problem, kind, colors):
        row["wrong"] = problem_with


def markdown(rows: list[Row]) -> str:
    """A table for each kind, methods by graphs, and the goals."""
    days = " and ".join(sorted({row["date"] for row in rows}))
    parts = [
        f"Measured {days} on {machine()}, 2 threads: "
        "`python -m benchmarks coloring --colpack PROGRAM`. Cells are colors and the least time. "
        "Every coloring is checked; improper ones are marked.",
    ]
    verdicts = []
    for kind, title in _TITLES.items():
        some = [row for row in rows if row["kind"] == kind]
        if some:
            parts += [f"## {title}", _table(some)]
            verdicts += _verdicts(kind, some)
    return "\n\n".join([*parts, "\n".join(verdicts)]).strip()


def _table(rows: list[Row]) -> str:
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    cells = {(row["who"], row["method"], row["graph"]): _cell(row) for row in rows}
    methods = dict.fromkeys((row["who"], row["method"].replace("_", " ")) for row in rows)
    spelled = {(who, method.replace("_", " ")): method for who, method, _ in cells}
    lines = [[who, method, *(cells.get((who, spelled[who, method], graph), "") for graph in graphs)]
             for who, method in methods]  # fmt: skip
    return table(["library", "method", *graphs], lines)


def _cell(row: Row) -> str:
    if "seconds" not in row:
        return row.get("note", "")
    return f"{row['colors']:,}, {spell_time(row['seconds'])}" + (" (improper)" * ("wrong" in row))


def _verdicts(kind: str, rows: list[Row]) -> list[str]:
    """Beside ColPack in the same order: the mean share of its time, and the most colors more."""
    timed = {(row["graph"], row["method"], row["who"]): row for row in rows if "seconds" in row}
    pairs = [(row, timed[graph, method, "ColPack"]) for (graph, method, who), row in timed.items()
             if who == "Edgewise" and (graph, method, "ColPack") in timed]  # fmt: skip
    told = []
    if wrong := [row for row in rows if row["who"] == "Edgewise" and "wrong" in row]:
        told.append(f"- MISS: {len(wrong)} colorings of ours for {kind} are improper.")
    if not pairs:
        return told
    share = geometric_mean(ours["seconds"] / theirs["seconds"] for ours, theirs in pairs)
    told.append(f"- {_mark(share <= _SHARE)}: greedy for {kind} takes {share:.2f} of ColPack's "
                f"time in the same order, geometric mean over {len(pairs)} pairs, at most "
                f"{_SHARE}.")  # fmt: skip
    ours, theirs = max((pair for pair in pairs if not pair[0]["method"].endswith("random")),
                       key=lambda pair: pair[0]["colors"] - pair[1]["colors"])  # fmt: skip
    more = ours["colors"] - theirs["colors"]
    told.append(f"- {_mark(more <= _MORE)}: greedy for {kind} uses at most {more} colors more than "
                f"ColPack in the same order ({ours['graph']}, {ours['method'].split()[1]}), "
                f"at most {_MORE}.")  # fmt: skip
    return told


def _mark(met: bool) -> str:
    return "PASS" if met else "MISS"
