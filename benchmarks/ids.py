"""What it costs to make vertices of the ids that occur alone: beside reading ids as they are.

Edge lists of the same random edges: ids without gaps, counted from 1, and with gaps (two in seven
do not occur). ``ids="as_is"`` takes ids as positions and looks for no gaps.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.report import machine, spell_time, table
from edgewise.io import read

__all__ = ["measure_ids"]


def measure_ids(edges: int, trials: int, folder: Path, tell: Callable[[str], None]) -> str:
    """Measure each file; the report in Markdown, also written to ``folder``."""
    rng = np.random.default_rng(1)
    n = max(edges // 4, 2)
    ids = np.sort(rng.choice(7 * n // 5, n, replace=False))
    ends = rng.integers(0, n, (edges, 2))
    ends[:n, 0] = np.arange(n)
    kinds = {"0 to n - 1": ends, "1 to n": ends + 1, "with gaps": ids[ends]}
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, rows in kinds.items():
            path = Path(scratch) / "edges.txt"
            np.savetxt(path, rows, fmt="%d")
            for directed in (False, True):
                times = _turns(path, directed, trials)
                found, as_is = map(statistics.median, times.values())
                kind = f"{name}, {'directed' if directed else 'undirected'}"
                lines.append([kind, spell_time(as_is), spell_time(found), f"{found / as_is:.2f}"])
                tell(" | ".join(lines[-1]))
    head = ["ids", "ids taken as they are", "unused ids left out", "times slower"]
    text = f"{machine()}\n\n{edges:,} edges, medians of {trials} turns.\n\n{table(head, lines)}\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ids.md").write_text(f"# ids\n\n{text}")
    return text


def _turns(path: Path, directed: bool, trials: int) -> dict[str, list[float]]:
    """Seconds of reading, both ways in turns; the first of each warms up."""
    times: dict[str, list[float]] = {"auto": [], "as_is": []}
    for turn in range(trials + 1):
        for ids, seconds in times.items():
            start = time.perf_counter()
            read(path, directed=directed, ids=ids)
            if turn:
                seconds.append(time.perf_counter() - start)
    return times
