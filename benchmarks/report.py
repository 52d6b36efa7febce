"""Tables of the results, as Markdown and JSON; `docs/speed.py` puts them into the pages.

The JSON file holds every cell. A run that measures some rows only replaces those rows in it, so a
long run can be made in parts; each row is always measured as a whole.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from benchmarks.driver import Cell
from benchmarks.targets import Verdict, judge, typical
from benchmarks.tasks import OWN, PEERS, TASKS

__all__ = ["Results", "machine", "spell_bytes", "spell_time", "table"]

_TITLES = {
    "edgewise": "Edgewise",
    "networkit": "NetworKit",
    "scipy": "SciPy",
    "graphblas": "GraphBLAS",
    "networkx": "NetworkX",
    "gap": "GAP",
    "own_propagate": "own, `propagate`",
    "own_loop": "own, loop of `advance`",
}


class Results:
    """The cells of one suite, kept in a folder as JSON and Markdown."""

    def __init__(self, name: str, folder: Path, command: str, threads: int):
        self.name, self.folder, self.threads = name, Path(folder), threads
        self.json = self.folder / f"{name}.json"
        self.cells, self.commands = [], [command]
        if self.json.exists():
            record = json.loads(self.json.read_text())
            self.cells = [Cell(**cell) for cell in record["cells"]]
            self.commands = list(dict.fromkeys([*record["commands"], command]))

    def add(self, row: list[Cell]) -> None:
        """Put a row in the place of an older one, and write the files."""
        fresh = {(cell.graph, cell.task) for cell in row}
        kept = [cell for cell in self.cells if (cell.graph, cell.task) not in fresh]
        self.cells = kept + [cell for cell in row if not _idle(cell)]
        self.folder.mkdir(parents=True, exist_ok=True)
        about = {"commands": self.commands, "machine": machine(), "threads": self.threads}
        record = {**about, "cells": [asdict(cell) for cell in self.cells]}
        _replace(self.json, json.dumps(record, indent=1) + "\n")
        _replace(self.folder / f"{self.name}.md", f"# {self.name}\n\n{self.markdown()}")

    def verdicts(self) -> list[Verdict]:
        return judge(self.sorted())

    def sorted(self) -> list[Cell]:
        """The cells by task, then in the order in which the graphs were measured."""
        tasks = list(TASKS)
        return sorted(self.cells, key=lambda cell: tasks.index(cell.task))

    def markdown(self) -> str:
        """The whole report."""
        parts = [self._heading(), "## Times faster than each peer", self.ratios()]
        parts += ["## Medians and spread", self.times()]
        if any(cell.peer in OWN for cell in self.cells):
            parts += ["## Shortest paths written with operators", self._own()]
        if any(cell.task == "build" for cell in self.cells):
            parts += ["## Peak memory of building", self.memory()]
        parts += ["## Goals", _verdict_table(self.verdicts())]
        if notes := self._notes():
            parts += ["## Empty cells and wrong answers", notes]
        return "\n\n".join(parts) + "\n"

    def _heading(self) -> str:
        dates = sorted({cell.date for cell in self.cells})
        versions = {cell.peer: cell.version for cell in self.cells if cell.version}
        versions = {_title(peer): v for peer, v in versions.items() if peer not in OWN}
        named = ", ".join(f"{title} {version}" for title, version in versions.items())
        days = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        commands = "\n".join(f"- `{command}`" for command in self.commands)
        return (
            f"Measured {days} on {machine()}, with {self.threads} threads. "
            f"Versions: {named}. A row that is measured again replaces the older one as a whole; "
            f"these are all commands:\n\n{commands}"
        )

    def ratios(self) -> str:
        """How many times faster Edgewise is: every peer's median over ours."""
        peers = [peer for peer in self._peers() if peer not in ("edgewise", *OWN)]
        lines = []
        for (task, graph), row in self._rows().items():
            ours = typical(row.get("edgewise"))
            line = [TASKS[task].title, graph, _spell(ours)]
            lines.append(line + [_ratio(row.get(peer), ours) for peer in peers])
        return table(["Task", "Graph", "Edgewise", *map(_title, peers)], lines)

    def times(self) -> str:
        """Every median, with the least and the most time."""
        peers = [peer for peer in self._peers() if peer not in OWN]
        lines = [
            [TASKS[task].title, graph, *(_spread(row.get(peer)) for peer in peers)]
            for (task, graph), row in self._rows().items()
        ]
        return table(["Task", "Graph", *map(_title, peers)], lines)

    def _own(self) -> str:
        peers = ["edgewise", *OWN]
        rows = {key: row for key, row in self._rows().items() if OWN[0] in row or OWN[1] in row}
        lines = [
            [graph, *(_spread(row.get(peer)) for peer in peers)]
            + [_ratio(row.get(peer), typical(row.get("edgewise"))) for peer in OWN]
            for (_, graph), row in rows.items()
        ]
        titles = ["built-in `sssp`", *map(_title, OWN)]
        return table(["Graph", *titles, *(f"{_title(p)} / built-in" for p in OWN)], lines)

    def memory(self) -> str:
        """Peak memory above what was held before, as a multiple of the two input arrays."""
        peers = [peer for peer in self._peers() if peer not in ("gap", *OWN)]
        lines = []
        for (task, graph), row in self._rows().items():
            if task == "build":
                given = spell_bytes(next(iter(row.values())).given)
                lines.append([graph, given, *(_share(row.get(peer)) for peer in peers)])
        return table(["Graph", "Input", *map(_title, peers)], lines)

    def _notes(self) -> str:
        """Why cells are empty or marked, equal reasons together."""
        reasons: dict[tuple[str, str, str], list[str]] = {}
        for cell in self.sorted():
            for text in filter(None, (cell.note, cell.wrong and f"wrong answer: {cell.wrong}")):
                key = (_title(cell.peer), TASKS[cell.task].title, text)
                reasons.setdefault(key, []).append(cell.graph)
        return "\n".join(
            f"- {peer}, {task} ({', '.join(graphs)}): {text}."
            for (peer, task, text), graphs in reasons.items()
        )

    def _peers(self) -> list[str]:
        found = {cell.peer for cell in self.cells}
        order = [*PEERS, "networkx", "gap", *OWN]
        return [peer for peer in order if peer in found]

    def _rows(self) -> dict[tuple[str, str], dict[str, Cell]]:
        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for cell in self.sorted():
            rows.setdefault((cell.task, cell.graph), {})[cell.peer] = cell
        return rows


def table(head: list[str], lines: Iterable[list[str]], words: int = 2) -> str:
    """A table in Markdown: the first columns are words, then come numbers, to the right."""
    rule = ["---" if i < words else "--:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *lines])


def machine() -> str:
    """The machine in words: cores, processor, memory, Python."""
    model = platform.processor() or platform.machine()
    memory = ""
    try:
        model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())[1]
        memory = spell_bytes(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) + ", "
    except (OSError, TypeError, ValueError):
        pass
    model = re.sub(r"\((R|TM)\)", "", model)
    return f"{os.cpu_count()} cores of {model}, {memory}Python {platform.python_version()}"


def spell_time(seconds: float) -> str:
    """Seconds in words of three figures."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or unit == "µs":
            return f"{_three(seconds * factor)} {unit}"
    raise AssertionError


def spell_bytes(count: float) -> str:
    """Bytes in words of three figures."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{_three(count)} {unit}"
        count /= 1024
    raise AssertionError


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _spell(seconds: float | None) -> str:
    return "" if seconds is None else spell_time(seconds)


def _ratio(cell: Cell | None, ours: float | None) -> str:
    theirs = typical(cell)
    if theirs is None or ours is None:
        return cell.note if cell and cell.note.startswith(">") else ""
    return f"{theirs / ours:.2f}" + (" (wrong)" if cell.wrong else "")


def _spread(cell: Cell | None) -> str:
    middle = typical(cell)
    if middle is None:
        return cell.note if cell and cell.note.startswith(">") else ""
    low, high = spell_time(min(cell.seconds)), spell_time(max(cell.seconds))
    return f"{spell_time(middle)} ({low} to {high})"


def _share(cell: Cell | None) -> str:
    if cell is None or not cell.memory or not cell.given:
        return ""
    return f"{spell_bytes(cell.memory)} ({cell.memory / cell.given:.1f})"


def _verdict_table(verdicts: list[Verdict]) -> str:
    met = sum(verdict.met for verdict in verdicts)
    lines = [
        [verdict.row, verdict.target, verdict.measured, "PASS" if verdict.met else "MISS"]
        for verdict in verdicts
    ]
    summary = f"{met} of {len(verdicts)} are met."
    return summary + "\n\n" + table(["Row", "Goal", "Measured", ""], lines)


def _idle(cell: Cell) -> bool:
    """A user's own shortest paths have no cell in the other rows."""
    return cell.peer in OWN and cell.missing


def _title(peer: str) -> str:
    return _TITLES.get(peer, peer)


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text)
    partial.replace(path)
