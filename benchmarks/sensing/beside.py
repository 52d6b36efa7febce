"""Packets a second in every stage, beside other libraries, by turns; and the memory that it takes.

The first call of a library warms it up, and its answer is compared with ours: the nine quantities
and five distributions of every window and of the sum.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_bytes, table
from benchmarks.sensing.given import WINDOW, Given
from benchmarks.sensing.stages import PEERS, STAGES
from benchmarks.worker import memory_of

__all__ = ["USUAL", "measure_sensing"]

#: How many packets, unless told.
USUAL = 1 << 24

#: Calls that take longer than this are timed once; million packets a second, and times faster.
_LONG, _RATE, _AHEAD = 8.0, 20, 10
#: With more packets than this, libraries come one after the other: for 2^26 of them GraphBLAS takes
#: some 15 GiB, of which it gives back little in between.
_TOGETHER = 1 << 25


def measure_sensing(
    count: int, stages: list[str], trials: int, limit: float, folder: Path,
    tell: Callable[[str], None], suite: str = "sensing",
) -> str:  # fmt: skip
    """Measure the stages on ``count`` packets; the report in Markdown, also in ``folder``."""
    use_threads(2)
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{suite}.json"
    rows = _kept(kept, count)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".sensing-") as place:
        given = Given(count, Path(place))
        given.write()
        tell(f"{count:,} packets, {spell_bytes(given.records.stat().st_size)} of records, "
             f"{spell_bytes(given.pcap.stat().st_size)} of capture")  # fmt: skip
        for stage in stages:
            rows[stage] = _row(stage, given, trials, limit)
            tell(f"{STAGES[stage]}: {_said(rows[stage], count)}")
            found = {"packets": count, "trials": trials, "rows": rows}
            kept.write_text(json.dumps(found, indent=1) + "\n")
    text = _markdown(rows, count, trials)
    (folder / f"{suite}.md").write_text(f"# {suite}\n\n{text}\n")
    return text


def _kept(path: Path, count: int) -> dict[str, Any]:
    """Rows that were measured before, on as many packets; they stay unless measured anew."""
    if not path.exists():
        return {}
    found = json.loads(path.read_text())
    return found["rows"] if found["packets"] == count else {}


def _row(stage: str, given: Given, trials: int, limit: float) -> dict[str, Any]:
    """What each library takes for one stage: seconds of every turn, bytes, or a note."""
    cells: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    with_it = [peer for peer in PEERS if hasattr(_library(peer), stage)]
    together = [with_it] if given.count <= _TOGETHER else [[peer] for peer in with_it]
    for names in together:
        cells |= _turns(stage, given, names, answers, trials, limit)
    return cells


def _turns(
    stage: str, given: Given, names: list[str], answers: dict[str, Any], trials: int, limit: float
) -> dict[str, Any]:
    """What some libraries take, by turns; their answers are compared with ours."""
    cells: dict[str, Any] = {}
    peers = {peer: Peer(_prepared, peer, stage, given.count, given.folder) for peer in names}
    try:
        answers |= {peer: process.ask("answer", limit) for peer, process in peers.items()}
        for peer in names:
            answer = answers[peer]
            cells[peer] = {"seconds": [], "note": answer if isinstance(answer, str) else ""}
            if not isinstance(answer, str) and not _same(answers.get("edgewise", ""), answer):
                cells[peer]["note"] = "another answer"
        able = {peer: peers[peer] for peer in names if not isinstance(answers[peer], str)}
        for _ in range(trials):
            for peer, process in able.items():
                if answers[peer][0] > _LONG and peer != "edgewise":  # ours has compiled, maybe
                    continue
                took = process.ask("time", limit)
                if not isinstance(took, str):
                    cells[peer]["seconds"].append(took)
        for peer, process in able.items():
            weighed = process.ask("memory", limit)
            if not isinstance(weighed, str):
                took, cells[peer]["memory"] = weighed
                cells[peer]["seconds"] = cells[peer]["seconds"] or [took]
    finally:
        for process in peers.values():
            process.stop()
    return cells


def _same(ours: Any, theirs: Any) -> bool:
    """Do two libraries say the same, if they say something that can be compared?"""
    if isinstance(ours, str) or ours[1] is None or theirs[1] is None:
        return True
    return all(map(np.array_equal, ours[1], theirs[1]))


@cache
def _library(peer: str) -> Any:
    return import_module(f"benchmarks.sensing.{peer}")


def _prepared(peer: str, stage: str, count: int, folder: Path) -> Callable[[str], Any]:
    """In a process of its own: all that is not timed, and then the answers to `_row`."""
    run = getattr(_library(peer), stage)(Given(count, folder))

    def answer(task: str) -> Any:
        begin = time.perf_counter()
        if task == "memory":
            taken = memory_of(run)
            return time.perf_counter() - begin, taken
        found = run()
        seconds = time.perf_counter() - begin
        if task == "time":
            return seconds
        alike = stage in ("analysis", "apart", "whole") or stage.startswith("batches")
        return seconds, found if alike else None

    return answer


def _rate(cell: dict[str, Any], count: int) -> float | None:
    """Million packets a second, by the median."""
    return count / median(cell["seconds"]) / 1e6 if cell and cell["seconds"] else None


def _figure(rate: float | None) -> str:
    return "" if rate is None else f"{rate:,.0f}" if rate >= 1000 else f"{rate:.3g}"


def _said(row: dict[str, Any], count: int) -> str:
    """A row on one line."""
    parts = [f"{PEERS[peer]} {_figure(_rate(cell, count)) or '-'} {cell['note']}".strip()
             for peer, cell in row.items()]  # fmt: skip
    return ", ".join(parts) + " (million packets a second)"


def _markdown(rows: dict[str, Any], count: int, trials: int) -> str:
    speed, memory, notes = [], [], []
    for stage in (name for name in STAGES if name in rows):
        row = rows[stage]
        rates = {peer: _rate(row.get(peer, {}), count) for peer in PEERS}
        ahead = [_figure(rates["edgewise"] / rates[peer]) if rates["edgewise"] and rates[peer]
                 else "" for peer in PEERS if peer != "edgewise"]  # fmt: skip
        speed.append([STAGES[stage], *map(_figure, rates.values()), *ahead])
        bytes_of = [row.get(peer, {}).get("memory") for peer in PEERS]
        memory.append([STAGES[stage], *(spell_bytes(one) if one else "" for one in bytes_of)])
        notes += [f"- {PEERS[peer]}, {STAGES[stage]}: {cell['note']}."
                  for peer, cell in row.items() if cell["note"]]  # fmt: skip
    titles = list(PEERS.values())
    head = ["stage", *titles, *(f"times faster than {title}" for title in titles[1:])]
    return "\n\n".join(filter(None, [
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, 2 threads: "
        f"`python -m benchmarks sensing{_asked(count)}`. "
        f"{count:,} synthetic packets, windows of {WINDOW:,}; "
        f"million packets a second, medians of {trials} turns (one turn if it took more "
        f"than {_LONG:g} seconds).",
        _targets(rows, count),
        "## Packets a second, in millions",
        table(head, speed, words=1),
        "## Peak memory beyond the input",
        table(["stage", *titles], memory, words=1),
        "\n".join(notes),
    ]))  # fmt: skip


def _asked(count: int) -> str:
    """The option that asks for so many packets."""
    power = count.bit_length() - 1
    return "" if count == USUAL else f" --packets {f'2^{power}' if count == 1 << power else count}"


def _targets(rows: dict[str, Any], count: int) -> str:
    lines = []
    if rate := _rate(rows.get("whole", {}).get("edgewise", {}), count):
        mark = "PASS" if rate >= _RATE else "MISS"
        lines.append(f"- {mark}: end to end from records {rate:.1f} million packets a second, at "
                     f"least {_RATE}.")  # fmt: skip
    cells = rows.get("analysis", {})
    ours, theirs = (_rate(cells.get(peer, {}), count) for peer in ("edgewise", "graphblas"))
    if ours and theirs:
        mark = "PASS" if ours >= _AHEAD * theirs else "MISS"
        lines.append(f"- {mark}: the analysis is {ours / theirs:.1f} times faster than "
                     f"python-graphblas's, at least {_AHEAD}.")  # fmt: skip
    return "\n".join(lines)
