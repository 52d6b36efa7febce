"""Benchmarks that go over graphs (or tables), one after the other, and keep what they measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.graphs import MissingGraphError

__all__ = ["Suite", "measure_suite"]


class Suite(NamedTuple):
    """What is measured, and how it is told."""

    name: str
    known: tuple[str, ...]  # the graphs in the order of the report; others come last
    load: Callable[[str], Any]  # a graph by its name
    measure: Callable[[Any], list[dict[str, Any]]]  # the rows of a graph
    markdown: Callable[[list[dict[str, Any]]], str]  # the report on all rows
    key: str = "graph"  # where a row has the graph's name


def measure_suite(suite: Suite, names: list[str], folder: Path, tell: Callable[[str], None]) -> str:
    """Measure every graph; the report in Markdown, also written to ``folder``.

    A graph that was measured before is measured anew, the others stay. One that is not there, or
    needs a library that is not, is left out.
    """
    kept = folder / f"{suite.name}.json"
    rows = json.loads(kept.read_text()) if kept.exists() else []
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        try:
            graph = suite.load(name)
        except (MissingGraphError, ImportError) as problem:
            tell(f"{name} is left out: {problem}")
            continue
        found = suite.measure(graph)
        rows = [row for row in rows if row[suite.key] != name] + found
        rows.sort(key=lambda row: [*suite.known, row[suite.key]].index(row[suite.key]))
        kept.write_text(json.dumps(rows, indent=1) + "\n")
    text = suite.markdown(rows)
    (folder / f"{suite.name}.md").write_text(f"# {suite.name}\n\n{text}\n")
    return text
