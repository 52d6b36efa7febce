"""The applications, part by part: `measure_applications` keeps the rows and writes the report."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.applications.alignment import ALIGNMENT
from benchmarks.applications.anonymity import ANONYMITY
from benchmarks.applications.beliefs import BELIEFS
from benchmarks.applications.grids import POWER_GRID, SOLVERS
from benchmarks.applications.part import Part
from benchmarks.applications.queries import QUERIES
from benchmarks.applications.tasks import TASKS
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["PARTS", "measure_applications"]

PARTS: dict[str, Part] = {
    "anonymity": ANONYMITY, "alignment": ALIGNMENT, "queries": QUERIES, "tasks": TASKS,
    "beliefs": BELIEFS, "power-grid": POWER_GRID, "solvers": SOLVERS,
}  # fmt: skip


def measure_applications(
    names: list[str], folder: Path, tell: Callable[[str], None], *, quick: bool = False
) -> str:
    """Measure the parts with these names: see `measure_suite`."""

    def measure(name: str) -> list[dict[str, Any]]:
        rows, about = [], {"part": name, "date": time.strftime("%Y-%m-%d"), "machine": machine()}
        for values in PARTS[name].rows(quick):
            rows.append(about | dict(zip(PARTS[name].columns, values, strict=True)))
            tell(f"{name}: " + ", ".join(_cells(PARTS[name], rows[-1])))
        return rows

    suite = Suite("applications", tuple(PARTS), lambda name: name, measure, _markdown, key="part")
    return measure_suite(suite, names, folder, tell)


def _markdown(rows: list[dict[str, Any]]) -> str:
    parts = []
    for name, part in PARTS.items():
        mine = [row for row in rows if row["part"] == name]
        if mine:
            lines = [_cells(part, row) for row in mine]
            words = [kind == "word" for kind in part.columns.values()].index(False)
            parts += [
                f"## {part.title}",
                f"{part.about} {mine[0]['date']}, {mine[0]['machine']}.",
                table(list(part.columns), lines, words),
            ]
    return "\n\n".join(parts)


def _cells(part: Part, row: dict[str, Any]) -> list[str]:
    spell = {"word": str, "count": "{:,}".format, "time": spell_time, "percent": "{:.1f}".format,
             "ratio": "{:.3f}".format}  # fmt: skip
    return ["" if row[name] is None else spell[kind](row[name])
            for name, kind in part.columns.items()]  # fmt: skip
