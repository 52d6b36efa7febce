"""Seeds on a GPU beside two CPU threads of the same machine: time, and whether they are the same.

Graphs whose files are not there are left out; R-MAT is made.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.graphs import MissingGraphError
from benchmarks.influence.measure import EPSILONS, KS, MODELS, OURS
from benchmarks.influence.ours import LONG
from benchmarks.influence.problems import graph_of
from benchmarks.report import machine, spell_time, table

__all__ = ["GRAPHS", "measure_influence_on_gpu"]

GRAPHS = ("soc-Slashdot0902", "soc-Epinions1", "cnr-2000", "kron18", "kron20")
_AHEAD, _RUNS = 10, 1024
_HEAD = ["graph", "model", "k", "what", "GPU", "2 threads", "times faster", "samples", "spread"]


def measure_influence_on_gpu(
    names: list[str], trials: int, folder: Path, tell: Callable[[str], None], *, device: str
) -> str:
    """Measure every graph; the report in Markdown, also written to ``folder``."""
    use_threads(2)
    kept = folder / "influence-cuda.json"
    before = json.loads(kept.read_text()) if kept.exists() else []
    rows = {tuple(row["case"]): row for row in before}
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        try:
            graph = graph_of(name)
        except MissingGraphError as problem:
            tell(f"{name} is left out: {problem}")
            continue
        places = {"gpu": graph.to(device), "cpu": graph}
        for model, k, what in product(MODELS, KS, (*OURS, "simulate")):
            row = _measured(places, what, model, k, trials)
            rows[name, model, k, what] = {"case": [name, model, k, what], **row}
            tell(f"{name}, {model}, {k}, {what}: {row}")
            kept.write_text(json.dumps([*rows.values()], indent=1) + "\n")
            text = _markdown([*rows.values()], trials)
            (folder / "influence-cuda.md").write_text(f"# influence-cuda\n\n{text}\n")
    return _markdown([*rows.values()], trials)


def _measured(places: dict[str, Any], what: str, model: str, k: int, trials: int) -> dict[str, Any]:
    """Times in both places, and whether both have found the same."""
    from edgewise import threads

    row: dict[str, Any] = {}
    found = {}
    for place, graph in places.items():
        try:
            with threads(2):
                row[place], found[place] = _timed(graph, what, model, k, trials)
        except Exception as error:  # the row says so, the others go on
            return {**row, "note": f"{type(error).__name__}: {error}"[:200]}
    ours, theirs = found["gpu"], found["cpu"]
    if what == "simulate":
        return {**row, "same": ours.mean == theirs.mean, "spread": ours.mean}
    same = bool(np.array_equal(_here(ours.chosen), _here(theirs.chosen)))
    return {**row, "same": same, "samples": int(ours.samples), "spread": float(ours.spread)}


def _timed(graph: Any, what: str, model: str, k: int, trials: int) -> tuple[float, Any]:
    """The median seconds of calls, after a small one that loads the kernels, and what they find."""
    from edgewise.influence import maximize, simulate

    seeds = np.argsort(-_here(graph.degrees()), kind="stable")[:k]

    def run(epsilon: float = EPSILONS[-1], runs: int = _RUNS) -> Any:
        if what == "simulate":
            return simulate(graph, seeds, model=model, runs=runs)
        return maximize(graph, k, model=model, epsilon=epsilon, method=OURS[what])

    run(epsilon=0.9, runs=64)
    seconds: list[float] = []
    while len(seconds) < trials and (not seconds or seconds[0] < LONG):
        begin = time.perf_counter()
        found = run()
        seconds.append(time.perf_counter() - begin)
    return median(seconds), found


def _here(array: Any) -> np.ndarray:
    return array.get() if hasattr(array, "get") else np.asarray(array)


def _markdown(rows: list[dict[str, Any]], trials: int) -> str:
    lines = []
    ratios: dict[str, list[float]] = {}
    for row in rows:
        graph, model, k, what = row["case"]
        if "note" in row:
            lines.append([graph, model, str(k), what, row["note"], "", "", "", ""])
            continue
        ratio = row["cpu"] / row["gpu"]
        ratios.setdefault(what, []).append(ratio)
        samples = f"{row['samples']:,}" if "samples" in row else ""
        spread = f"{row['spread']:,.1f}" + ("" if row["same"] else " (not the same)")
        lines.append([graph, model, str(k), what, spell_time(row["gpu"]), spell_time(row["cpu"]),
                      f"{ratio:.1f}", samples, spread])  # fmt: skip
    verdicts = "\n".join(
        f"- {'PASS' if min(found) >= _AHEAD else 'MISS'}: {what} is {min(found):.1f} to "
        f"{max(found):.1f} times faster than 2 threads, at least {_AHEAD}."
        for what, found in ratios.items()
    )
    about = (
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, beside 2 threads: `python -m "
        f"benchmarks influence --device cuda`. Epsilon {EPSILONS[-1]}, {_RUNS:,} runs of "
        f"`simulate`; medians of {trials} calls."
    )
    return "\n\n".join(filter(None, [about, verdicts, table(_HEAD, lines, words=4)]))
