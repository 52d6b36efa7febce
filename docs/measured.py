"""Times of Edgewise and of its fastest peers, from ``benchmarks/results/*.json``.

A `Pair` is one row that was measured: our time, and the fastest peer's. Peers are libraries, or
programs: hand-written C++ that is run from the command line (GAP, GBBS, programs of papers).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, NamedTuple

__all__ = ["RESULTS", "Pair", "Summary", "on_cpu", "on_gpu", "small_graphs", "summaries"]

RESULTS = Path(__file__).resolve().parents[1] / "benchmarks" / "results"
_TASKS = {
    "bfs": "bfs",
    "sssp": "sssp",
    "pagerank": "pagerank, 20 iterations",
    "pagerank_converged": "pagerank, converged",
    "connected_components": "connected_components",
    "triangle_count": "triangle_count",
    "betweenness_centrality": "betweenness_centrality, one source",
}
_FILES = {"build": "building from arrays", "read": "reading a text file"}
_LIBRARIES = {"networkit": "NetworKit", "scipy": "SciPy", "graphblas": "GraphBLAS"}
_PROGRAMS = ("ColPack", "GAP", "GBBS", "Gorder", "OPIM-C", "Ripples", "SUBSIM")
_METHODS = {
    "louvain": ("NetworKit PLM", "igraph multilevel"),
    "leiden": ("NetworKit ParallelLeiden, 3", "igraph leiden, 10", "leidenalg leiden, 2"),
    "infomap": ("igraph infomap",),
    "label_propagation": ("NetworKit PLP",),
}
_STAGES = {
    "windows": "windows and their statistics",
    "sum": "sum of the windows",
    "total": "statistics of the sum",
    "analysis": "windows, sum and statistics",
    "apart": "the same, independent addresses",
    "whole": "end to end, from a file",
}
_SHORT = {"independent_cascade": "IC", "linear_threshold": "LT"}
_UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


class Pair(NamedTuple):
    """Our seconds on one graph, and those of the fastest peer of a kind."""

    task: str
    graph: str
    ours: float
    peer: str
    theirs: float

    @property
    def ahead(self) -> float:
        """How many times faster we are."""
        return self.theirs / self.ours

    @property
    def program(self) -> bool:
        """Is the peer a program, and no library?"""
        return self.peer.startswith(_PROGRAMS)


class Summary(NamedTuple):
    """A task over all graphs that one kind of peer has, least ahead first."""

    pairs: list[Pair]

    @property
    def typical(self) -> Pair:
        """The pair in the middle; of two, the one where we are less ahead."""
        return self.pairs[(len(self.pairs) - 1) // 2]

    @property
    def mean(self) -> float:
        return geometric_mean(pair.ahead for pair in self.pairs)


def summaries(pairs: list[Pair]) -> dict[str, tuple[Summary | None, Summary | None]]:
    """Each task's summary beside libraries, and beside programs.

    >>> pairs = [Pair("bfs", "a", 1, "SciPy", 3), Pair("bfs", "b", 1, "GAP", 0.5)]
    >>> [one.typical.ahead for one in summaries(pairs)["bfs"]]
    [3.0, 0.5]
    """
    found = {}
    for task in dict.fromkeys(pair.task for pair in pairs):
        sides = [[pair for pair in pairs if pair.task == task and pair.program is program]
                 for program in (False, True)]  # fmt: skip
        library, program = (
            Summary(sorted(side, key=lambda pair: pair.ahead)) if side else None for side in sides
        )
        found[task] = (library, program)
    return found


def on_cpu() -> dict[str, list[Pair]]:
    """All pairs on CPU threads, by family."""
    return {
        "gap": list(_gap(_TASKS)),
        "files": list(_gap(_FILES)),
        "primitives": list(_primitives()),
        "communities": list(_communities()),
        "matching": list(_matching()),
        "coloring": list(_coloring()),
        "ordering": list(_ordering()),
        "influence": list(_influence()),
        "sensing": list(_sensing()),
        "join": list(_join()),
        "cells": list(_cells()),
    }


def on_gpu() -> dict[str, list[Pair]]:
    """All pairs on a GPU: beside other GPU libraries, and beside two CPU threads of ours."""
    return {"gpu": list(_gpu()), "threads": list(_beside_threads())}


def small_graphs() -> dict[str, tuple[int, list[Pair]]]:
    """The edges of each small graph, and a pair for each task."""
    found: dict[str, tuple[int, list[Pair]]] = {}
    for row in load("small"):
        times = {_LIBRARIES.get(name, name): row[name] for name in ("igraph", "scipy")
                 if name in row}  # fmt: skip
        pair = next(fastest(row["task"], row["graph"], row["ours"], times))
        found.setdefault(row["graph"], (row["edges"], []))[1].append(pair)
    return found


def load(name: str) -> Any:
    """A recorded result."""
    return json.loads((RESULTS / f"{name}.json").read_text())


def fastest(task: str, graph: str, ours: float, times: dict[str, float]) -> Iterator[Pair]:
    """The fastest library, and the fastest program, if there are any."""
    pairs = [Pair(task, graph, ours, peer, seconds) for peer, seconds in times.items()]
    for program in (False, True):
        side = [pair for pair in pairs if pair.program is program]
        if side:
            yield min(side, key=lambda pair: pair.theirs)


def _gap(tasks: dict[str, str]) -> Iterator[Pair]:
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for cell in load("gap")["cells"]:
        if cell["task"] in tasks and cell["seconds"] and not cell["wrong"]:
            row = rows.setdefault((cell["task"], cell["graph"]), {})
            row[cell["peer"]] = median(cell["seconds"])
    for task in tasks:
        for (name, graph), row in rows.items():
            if name == task:
                times = {"GAP" if peer == "gap" else _LIBRARIES.get(peer, peer): seconds
                         for peer, seconds in row.items()
                         if peer != "edgewise" and not peer.startswith("own")}  # fmt: skip
                yield from fastest(tasks[task], graph, row["edgewise"], times)


def _primitives() -> Iterator[Pair]:
    for task, graph, seconds, notes in load("primitives"):
        ours = seconds.pop("Edgewise")
        times = {peer: took for peer, took in seconds.items()
                 if took and notes.get(peer) != "another answer"}  # fmt: skip
        yield from fastest(task, graph, ours, times)


def _communities() -> Iterator[Pair]:
    for row in load("communities"):
        seconds = {name: cell["seconds"] for name, cell in row["found"].items()}
        for task, peers in _METHODS.items():
            times = {peer.split(",")[0]: seconds[peer] for peer in peers if peer in seconds}
            yield from fastest(task, row["graph"], seconds[f"Edgewise {task}"], times)


def _matching() -> Iterator[Pair]:
    for row in load("matching"):
        for key, seconds in row["seconds"].items():
            if key.startswith("networkit "):
                method, task = key.removeprefix("networkit ").split(" / ")
                ours = row["seconds"][f"edgewise {task}"]
                peer = "NetworKit Suitor" if method == "suitor" else "NetworKit"
                yield Pair(task, row["graph"], ours, peer, seconds)


def _coloring() -> Iterator[Pair]:
    """Greedy methods beside ColPack in the same order, and the default order beside libraries."""
    if not (RESULTS / "coloring.json").exists():
        return
    rows: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for row in load("coloring"):
        if "seconds" in row and "wrong" not in row:
            cells = rows.setdefault((row["kind"], row["graph"]), {})
            cells[row["who"], row["method"]] = row["seconds"]
    for (kind, graph), cells in rows.items():
        task = "partial distance-2 coloring" if kind == "columns" else f"{kind} coloring"
        ours = {method: took for (who, method), took in cells.items() if who == "Edgewise"}
        times = {f"{who} {method}": took for (who, method), took in cells.items()
                 if who not in ("Edgewise", "ColPack")}  # fmt: skip
        if "greedy smallest_last" in ours:
            yield from fastest(task, graph, ours["greedy smallest_last"], times)
        for method, took in ours.items():
            if ("ColPack", method) in cells:
                order = method.partition(" ")[2].replace("_", " ")
                yield Pair(task, f"{graph}, {order}", took, "ColPack", cells["ColPack", method])


def _ordering() -> Iterator[Pair]:
    rows = {(row["graph"], row["order"]): row["order_s"] for row in load("ordering")
            if not row["refine"]}  # fmt: skip
    for (graph, order), seconds in rows.items():
        if order == "SciPy's RCM":
            task = "reverse_cuthill_mckee"
            yield Pair(task, graph, rows[graph, task], "SciPy", seconds)
    for row in load("gorder"):
        yield Pair("gorder, one thread", row["graph"], row["ours"], "Gorder", row["gorder"])


def _influence() -> Iterator[Pair]:
    problems: dict[tuple, dict[str, Any]] = {}
    for row in load("influence"):
        if row.get("seconds") and row["part"] in ("seeds", "simulation"):
            case = (row["part"], row["graph"], row["model"], row.get("k"), row.get("epsilon"))
            each = row["seconds"] / (row["runs"] if row["part"] == "simulation" else 1)
            problems.setdefault(case, {})[row["who"].removesuffix(" (1 thread)")] = each
    for (part, graph, model, k, epsilon), row in problems.items():
        short = f"{graph}, {_SHORT[model]}"
        if part == "simulation":
            times = {who: each for who, each in row.items() if who != "Edgewise"}
            yield from fastest("simulation, one run", short, row["Edgewise"], times)
            continue
        named = f"{short}, k {k}, epsilon {epsilon}"
        for method in ("IMM", "OPIM"):
            others = {who: took for who, took in row.items() if not who.startswith("Edgewise")
                      and ("IMM" in who) == (method == "IMM")}  # fmt: skip
            yield from fastest(f"seeds by {method}", named, row[f"Edgewise {method}"], others)


def _sensing() -> Iterator[Pair]:
    names = {"graphblas": "python-graphblas", "pandas": "pandas"}
    for suite in ("sensing", "sensing-large"):
        record = load(suite)
        for stage, task in _STAGES.items():
            row = record["rows"].get(stage, {})
            times = {peer: median(cell["seconds"]) for peer, cell in row.items() if cell["seconds"]}
            if "edgewise" in times and len(times) > 1:
                ours, graph = (
                    times.pop("edgewise"),
                    f"2^{record['packets'].bit_length() - 1} packets",
                )
                others = {names[peer]: seconds for peer, seconds in times.items()}
                yield from fastest(task, graph, ours, others)


def _join() -> Iterator[Pair]:
    for row in load("join"):
        ours = row["thresholds"][str(row["usual"])]["seconds"]
        if theirs := row["pytokenjoin"].get("seconds"):
            yield Pair("fuzzy_join", row["collection"], ours, "pytokenjoin", theirs)
        linkers = {name: cell["seconds"] for name, cell in row.get("linkers", {}).items()
                   if cell.get("seconds")}  # fmt: skip
        yield from fastest("linking records", row["collection"], ours, linkers)


def _cells() -> Iterator[Pair]:
    for row in load("cells"):
        for method in ("leiden", "louvain"):
            ours, theirs = (row["cells"][f"{who} {method}"] for who in ("edgewise", "phenograph"))
            graph = f"{row['n']:,} x {row['d']} points"
            task = f"clusters of points, {method}"
            yield Pair(task, graph, ours["seconds"], "PhenoGraph", theirs["seconds"])


def _gpu() -> Iterator[Pair]:
    for row in load("gpu"):
        if row["other"]:
            peer = "LD-GPU" if row["task"].startswith("matching") else "Gunrock 2"
            yield Pair(row["task"], row["graph"], row["call"] / 1e3, peer, row["other"] / 1e3)


def _beside_threads() -> Iterator[Pair]:
    threads = "2 CPU threads"
    for task, graph, there, here, _ in load("primitives-cuda"):
        yield Pair(task, graph, spelled(there), threads, spelled(here))
    for row in load("communities-cuda"):
        yield Pair("communities.louvain", row["graph"], row["gpu"]["whole"], threads,
                   row["cpu"]["whole"])  # fmt: skip
    for row in load("influence-cuda"):
        graph, model, k, what = row["case"]
        task = "influence.simulate" if what == "simulate" else what.replace("Edgewise", "seeds by")
        yield Pair(task, f"{graph}, {_SHORT[model]}, k {k}", row["gpu"], threads, row["cpu"])
    for row in load("join-cuda"):
        if row["method"] == "exact":
            gpu, cpu = (row["pairs"] / row[place] for place in ("gpu", "cpu"))
            task = "join, exact verification"
            yield Pair(task, f"sets of {row['size']}", gpu, threads, cpu)


def spelled(text: str) -> float:
    """The seconds in words such as "86.6 ms".

    >>> spelled("2.5 ms"), spelled("3 s")
    (0.0025, 3.0)
    """
    number, unit = re.fullmatch(r"([\d.]+) (µs|ms|s)", text).groups()  # type: ignore[union-attr]
    return float(number) * _UNITS[unit]
