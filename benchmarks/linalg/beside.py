"""Times of sparse products beside SciPy, SuiteSparse:GraphBLAS and MKL, 2 threads.

Every library has a process of its own and its own form of the matrix. They take turns task by task,
and the least time counts. The sums of all entries of the results are compared.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.driver import use_threads
from benchmarks.linalg.libraries import LIBRARIES, MODULES, answering
from benchmarks.linalg.problems import PROBLEMS, TASKS, Problem, problem_of
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["measure_linalg"]

Row = dict[str, Any]
#: Goals: the operation, beside whom, and at most which share of its time.
_GOALS = (
    ("A*A", "SuiteSparse", 0.8), ("A*A", "SciPy", 0.6), ("(A*A).*A", "SuiteSparse", 0.6),
    ("A*P", "SuiteSparse", 0.8), ("A*P", "SciPy", 0.6),
    ("SpMSpV", "SuiteSparse", 1.0), ("SpMV", "SciPy", 1.0),
)  # fmt: skip
#: User semirings, beside the same operation with plus and times.
_USER = 1.2


def measure_linalg(
    names: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], None],
    threads: int = 2,
) -> str:  # fmt: skip
    """Measure every matrix: see `measure_suite`."""
    use_threads(threads)

    def measure(problem: Problem) -> list[Row]:
        with TemporaryDirectory() as files:
            return _measure(problem, trials, limit, Path(files), tell)

    suite = Suite("linalg", PROBLEMS, problem_of, measure, markdown)
    return measure_suite(suite, names, folder, tell)


def _measure(
    problem: Problem, trials: int, limit: float, files: Path, tell: Callable[[str], None]
) -> list[Row]:
    tell(f"{problem.name}: {problem.matrix.shape[0]:,} rows, {problem.matrix.nnz:,} entries")
    there = [name for name in LIBRARIES if find_spec(MODULES[name])]
    for name in sorted(set(LIBRARIES) - set(there)):
        tell(f"  {name} is left out: it is not installed")
    peers = {name: Peer(answering, name, problem, files) for name in there}
    best: dict[tuple[str, str, str], Row] = {}
    try:
        for task in TASKS:
            asked = dict.fromkeys(there)
            for _ in range(trials):
                for who in list(asked):
                    reply = peers[who].ask(task, limit)
                    if not _keep(problem, task, who, reply, best):
                        del asked[who]
            tell("  " + ", ".join(
                f"{row['who']} {_cell(row)}" for key, row in best.items() if key[:2] == task
            ) + f" for {' '.join(task)}")  # fmt: skip
    finally:
        for peer in peers.values():
            peer.stop()
    return [*best.values()]


def _keep(problem: Problem, task: tuple, who: str, reply: Any, best: dict) -> bool:
    """Keep the least time and the sum; False if there is nothing to ask for again."""
    if reply is None:
        return False
    row = best.setdefault((*task, who), {
        "graph": problem.name, "entries": problem.matrix.nnz, "task": task[0], "ring": task[1],
        "who": who, "date": time.strftime("%Y-%m-%d"),
    })  # fmt: skip
    if isinstance(reply, str):
        row.setdefault("note", reply)
        return False
    seconds, total = reply
    row["seconds"], row["total"] = min(seconds, row.get("seconds", seconds)), total
    return True


def markdown(rows: list[Row]) -> str:
    """A table for each matrix, tasks by libraries, and the goals."""
    days = " and ".join(sorted({row["date"] for row in rows}))
    parts = [f"Measured {days} on {machine()}, 2 threads: `python -m benchmarks linalg`. "
             "Cells are the least time."]  # fmt: skip
    for graph in dict.fromkeys(row["graph"] for row in rows):
        some = [row for row in rows if row["graph"] == graph]
        parts += [f"## {graph}, {some[0]['entries']:,} entries", _table(some)]
    return "\n\n".join([*parts, "\n".join(_verdicts(rows))]).strip()


def _table(rows: list[Row]) -> str:
    cells = {(row["task"], row["ring"], row["who"]): _cell(row) for row in rows}
    tasks = dict.fromkeys((row["task"], row["ring"]) for row in rows)
    lines = [
        [task.replace("*", "\\*"), ring, *(cells.get((task, ring, who), "") for who in LIBRARIES)]
        for task, ring in tasks
    ]
    return table(["operation", "semiring", *LIBRARIES], lines)


def _cell(row: Row) -> str:
    """The time, or why there is none: an error by its class."""
    return spell_time(row["seconds"]) if "seconds" in row else row.get("note", "").partition(":")[0]


def _verdicts(rows: list[Row]) -> list[str]:
    """Whether goals are met on every row, and whether results agree."""
    timed = {(row["graph"], row["task"], row["ring"], row["who"]): row
             for row in rows if "seconds" in row}  # fmt: skip
    told = []
    for kind, peer, most in _GOALS:
        shares = [
            (row["seconds"] / timed[graph, task, ring, peer]["seconds"], f"{task} on {graph}")
            for (graph, task, ring, who), row in timed.items()
            if who == "Edgewise" and task.split()[0] == kind and ring == "plus_times"
            and (graph, task, ring, peer) in timed
        ]  # fmt: skip
        if shares:
            told.append(_verdict(max(shares), most, f"of {peer}'s time"))
        told += _untimed(rows, kind, peer)
    own = [
        (row["seconds"] / timed[graph, task, "plus_times", who]["seconds"], f"{task} on {graph}")
        for (graph, task, ring, who), row in timed.items()
        if who == "Edgewise" and ring == "user" and (graph, task, "plus_times", who) in timed
    ]
    if own:
        told.append(_verdict(max(own), _USER, "of plus-times with the user's functions"))
    for (graph, task, ring, who), row in timed.items():
        ours = timed.get((graph, task, ring, "Edgewise"))
        if ours and not math.isclose(ours["total"], row["total"], rel_tol=1e-9):
            told.append(f"- MISS: {task} {ring} on {graph} differs from {who}'s.")
    return told


def _untimed(rows: list[Row], kind: str, peer: str) -> list[str]:
    """The rows of a goal that have no time of ours or of the other library's."""
    cells = {(row["task"], row["graph"], row["who"]): row for row in rows
             if row["task"].split()[0] == kind and row["ring"] == "plus_times"}  # fmt: skip
    told = []
    for task, graph, who in cells:
        ours, theirs = cells[task, graph, who], cells.get((task, graph, peer))
        if who == "Edgewise" and theirs and not ("seconds" in ours and "seconds" in theirs):
            mark = "MISS" if "seconds" in theirs else "PASS" if "seconds" in ours else "OPEN"
            told.append(f"- {mark}: {task} on {graph} has no share of {peer}'s time: Edgewise "
                        f"{_cell(ours)}, {peer} {_cell(theirs)}.")  # fmt: skip
    return told


def _verdict(worst: tuple[float, str], most: float, of: str) -> str:
    mark = "PASS" if worst[0] <= most else "MISS"
    return f"- {mark}: {worst[1]} takes {worst[0]:.2f} {of}, the largest; at most {most:g}."
