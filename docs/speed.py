"""What the pages on speed are made from: tables, recorded reports, pictures.

`docs/tables.py` calls this. A page under ``docs/benchmarks`` holds pairs of marks,
``<!-- results: NAME -->`` and ``<!-- end of results -->``; between them goes the report
``benchmarks/results/NAME.md``. The tables of ``docs/speed.md`` come from the JSON files beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.report import Results, spell_time
from docs.bars import Bar, drawing
from docs.measured import RESULTS, Pair, Summary, on_cpu, on_gpu, small_graphs, summaries

__all__ = ["RESULT", "TABLES", "pictures", "with_results"]

PAGES = Path(__file__).resolve().parent
RESULT = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end of results -->)", re.DOTALL)
_VERDICT = re.compile(r"^- (PASS|MISS|OPEN): ", re.MULTILINE)
_GROUPS = {
    "gap": "GAP algorithms",
    "files": "Building and reading",
    "primitives": "Other algorithms",
    "communities": "Communities",
    "matching": "Matching",
    "coloring": "Coloring",
    "ordering": "Vertex order",
    "influence": "Influence",
    "sensing": "Network sensing",
    "join": "Fuzzy join",
    "cells": "Clusters of points",
}


def with_results(text: str) -> str:
    """The text of a page with the recorded reports in it."""
    prose = RESULT.sub(r"\1\3", text)
    return RESULT.sub(
        lambda mark: f"{mark[1]}\n{report(mark[2], _under_heading(prose, mark[1]))}\n\n{mark[3]}",
        prose,
    )


def _under_heading(prose: str, mark: str) -> bool:
    """Has the page a heading of its own above the mark?"""
    return "\n## " in prose[: prose.index(mark)]


def report(name: str, deeper: bool = False) -> str:
    """A recorded report without its title, its goals at the end; headings one level deeper.

    >>> "**missed**: " in report("influence")
    True
    """
    text = (RESULTS / f"{name}.md").read_text().partition("\n")[2].strip()
    lines = text.split("\n")
    goals = [line for line in lines if _VERDICT.match(line)]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line for line in lines if line not in goals))
    if goals:
        words = {"PASS": "- met: ", "MISS": "- **missed**: ", "OPEN": "- open: "}
        told = (_VERDICT.sub(lambda mark: words[mark[1]], goal) for goal in goals)
        text += "\n\n## Goals\n\n" + "\n".join(told)
    return re.sub(r"^#", "##", text, flags=re.MULTILINE).strip() if deeper else text.strip()


def pictures() -> dict[Path, bytes]:
    """The pictures of the pages: the two of the summary, and those that benchmarks drew."""
    drawn = {"speed-cpu.svg": cpu_picture(), "speed-gpu.svg": gpu_picture()}
    made = {PAGES / name: text.encode() for name, text in drawn.items()}
    for path in sorted(RESULTS.glob("*.svg")) + sorted(RESULTS.glob("*.png")):
        folder = PAGES if path.name.startswith("spy-") else PAGES / "benchmarks"
        made[folder / path.name] = path.read_bytes()
    return made


def cpu_picture() -> str:
    """A bar for every task, in groups."""
    bars = []
    for family, pairs in on_cpu().items():
        bars += [Bar(_GROUPS[family]), *_bars(pairs)] if pairs else []
    return drawing("Two CPU threads beside the fastest peer", bars,
                   about="beside the fastest library, mean and range",
                   mark="beside C++ programs")  # fmt: skip


def gpu_picture() -> str:
    """A bar for every task: beside others on a GPU, then beside two CPU threads."""
    both = on_gpu()
    bars = [Bar("Gunrock 2, LD-GPU"), *_bars(both["gpu"]), Bar("Edgewise, 2 CPU threads")]
    beside = sorted(_bars(both["threads"]), key=lambda bar: -(bar.mean or 0))
    return drawing("One H200 GPU beside other GPU programs and two CPU threads", [*bars, *beside],
                   about="mean and range over graphs")  # fmt: skip


def _bars(pairs: list[Pair]) -> list[Bar]:
    made = []
    for task, (library, program) in summaries(pairs).items():
        mark = program.mean if program else None
        if library:
            span = library.pairs[0].ahead, library.pairs[-1].ahead
            made.append(Bar(task, library.mean, *span, mark))
        else:
            made.append(Bar(task, mark=mark))
    return made


def cpu() -> str:
    """A heading and a table for every family."""
    return "\n\n".join(
        f"### {_GROUPS[family]}\n\n{_beside_peers(pairs)}"
        for family, pairs in on_cpu().items()
        if pairs
    )


def _beside_peers(pairs: list[Pair]) -> str:
    """A row for every task: the graph in the middle, the range, and C++ programs."""
    found = summaries(pairs)
    programs = any(program for _, program in found.values())
    head = ["algorithm", "graph", "Edgewise", "fastest library", "times faster (all graphs)"]
    lines = []
    for task, (library, program) in found.items():
        cells = _cells(library or program)
        lines.append([f"`{task}`" if _is_name(task) else task, *cells])
        if programs:
            lines[-1].append(f"{program.typical.peer}: {_range(program)}" if program else "")
    return _table([*head, *(["C++ program (all graphs)"] if programs else [])], lines)


def beside(family: str) -> str:
    """A row for every task on a GPU."""
    found = summaries(on_gpu()[family])
    lines = [[f"`{task}`" if _is_name(task) else task, *_cells(summary)]
             for task, (summary, _) in found.items() if summary]  # fmt: skip
    head = ["algorithm", "graph", "GPU", "peer", "times faster (all graphs)"]
    return _table(head, lines)


def building() -> str:
    """The rows of the GAP suite that build and read graphs."""
    results = Results("gap", RESULTS, "", 2)
    results.cells = [cell for cell in results.cells if cell.task in ("build", "read")]
    parts = ("Times faster than each library", results.ratios(), "Medians and spread",
             results.times(), "Peak memory of building", results.memory())  # fmt: skip
    return (
        "\n"
        + "\n\n".join(f"## {part}" if i % 2 == 0 else part for i, part in enumerate(parts))
        + "\n"
    )


def small() -> str:
    """A row for every small graph."""
    lines = []
    for graph, (edges, pairs) in small_graphs().items():
        behind = sum(pair.ahead < 1 for pair in pairs)
        ours = spell_time(median(pair.ours for pair in pairs))
        ahead = [pair.ahead for pair in pairs]
        lines.append([graph, f"{edges:,}", f"{len(pairs)}", ours, _bold(median(ahead)),
                      f"{_bold(min(ahead))} to {_bold(max(ahead))}", f"{behind}"])  # fmt: skip
    return _table(["graph", "edges", "calls", "median time", "times faster, median", "range",
                   "calls where the peer is ahead"], lines)  # fmt: skip


def _cells(summary: Summary | None) -> list[str]:
    assert summary is not None  # a task has a library or a program
    pair = summary.typical
    peer = f"{pair.peer}{' (C++)' if pair.program else ''}, {spell_time(pair.theirs)}"
    span = f" ({_range(summary)})" if len(summary.pairs) > 1 else ""
    return [pair.graph, spell_time(pair.ours), peer, _bold(pair.ahead) + span]


def _bold(ahead: float) -> str:
    """A number; in bold if the peer is ahead."""
    text = f"{ahead:.2f}" if ahead < 10 else f"{ahead:.1f}" if ahead < 100 else f"{ahead:.0f}"
    return f"**{text}**" if ahead < 1 else text


def _range(summary: Summary) -> str:
    least, most = summary.pairs[0].ahead, summary.pairs[-1].ahead
    return _bold(least) if len(summary.pairs) == 1 else f"{_bold(least)} to {_bold(most)}"


def _is_name(task: str) -> bool:
    return re.fullmatch(r"[\w.]+", task) is not None


def _table(head: list[str], lines: Iterable[list[str]]) -> str:
    rule = ["---", "---", *["--:"] * (len(head) - 2)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *lines])


TABLES: dict[str, Callable[[], str]] = {
    "speed_cpu": cpu,
    "speed_building": building,
    "speed_gpu": partial(beside, "gpu"),
    "speed_threads": partial(beside, "threads"),
    "speed_small": small,
}
