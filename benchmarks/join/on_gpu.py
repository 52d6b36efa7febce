"""Verification of pairs on a GPU beside CPU threads: pairs a second, by the size of sets.

The sets are made: most elements of a pair are equal or differ in a letter, so that every pair goes
all the way to its matching. Scores are compared.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.report import machine, table

__all__ = ["measure_join_on_gpu"]

#: Elements of a set, and pairs that are verified.
_SIZES = {4: 1_000_000, 12: 500_000, 32: 100_000, 100: 20_000, 400: 4000, 900: 2000}
_SETS, _ELEMENTS = 2000, 400_000  # at most
_LIKE, _THRESHOLD, _AHEAD = 20, 0.6, 10
_METHODS = ("exact", "greedy", "paz_schwartzman")


def measure_join_on_gpu(
    trials: int, folder: Path, tell: Callable[[str], None], *, device: str, quick: bool = False
) -> str:
    """Measure every size; the report in Markdown, also written to ``folder``."""
    use_threads(2)
    rows = []
    for size, count in {4: 500, 40: 100}.items() if quick else _SIZES.items():
        for method in _METHODS:
            rows.append(_measure(size, count, method, trials, device))
            tell(f"{rows[-1]}")
    text = _markdown(rows, trials)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "join-cuda.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "join-cuda.md").write_text(f"# join-cuda\n\n{text}\n")
    return text


def _measure(size: int, count: int, method: str, trials: int, device: str) -> dict[str, Any]:
    from edgewise.join.corpus import corpus
    from edgewise.join.on_gpu import to_gpu
    from edgewise.join.verify import verify

    made = _made(size)
    sets = corpus(made)
    rng = np.random.default_rng(1)
    left = np.sort(rng.integers(0, len(made), count)).astype(np.int32)
    near = left // _LIKE * _LIKE + rng.integers(0, _LIKE, count)
    pairs = left, near.astype(np.int32)
    places = {"cpu": sets, "gpu": sets if device == "cpu" else to_gpu(sets, device)}
    row: dict[str, Any] = {"size": size, "pairs": count, "method": method}
    scores = {}
    for name, place in places.items():
        spent = []
        for _ in range(trials + 1):  # the first compiles
            begin = time.perf_counter()
            scores[name] = verify(place, pairs, _THRESHOLD, method=method)
            spent.append(time.perf_counter() - begin)
        row[name] = count / median(spent[1:])
    ours, theirs = (np.nan_to_num(scores[name]) for name in ("gpu", "cpu"))
    both = (ours > 0) & (theirs > 0)
    row["found"] = int(np.count_nonzero(theirs))
    row["other"] = int(np.count_nonzero((ours > 0) != (theirs > 0)))
    row["difference"] = float(np.abs(ours - theirs)[both].max(initial=0.0))
    return row


def _made(size: int) -> list[list[str]]:
    """Sets in groups that are alike: of the same elements, some with a letter more."""
    draw = random.Random(size)
    made: list[list[str]] = []
    for _ in range(min(_SETS, _ELEMENTS // size) // _LIKE):
        words = ["".join(draw.choices("abcdefghijkl", k=8)) for _ in range(size)]
        made += [
            [word + draw.choice("xyz") if draw.random() < 0.3 else word for word in words]
            for _ in range(_LIKE)
        ]
    return made


def _markdown(rows: list[dict[str, Any]], trials: int) -> str:
    lines = [
        [str(row["size"]), row["method"], f"{row['pairs']:,}", f"{row['cpu']:,.0f}",
         f"{row['gpu']:,.0f}", f"{row['gpu'] / row['cpu']:.1f}", f"{row['found']:,}",
         f"{row['other']}", f"{row['difference']:.1e}"]
        for row in rows
    ]  # fmt: skip
    ratios = [row["gpu"] / row["cpu"] for row in rows if row["method"] == "exact"]
    mark = "PASS" if min(ratios) >= _AHEAD else "MISS"
    head = ["elements", "method", "pairs", "2 threads, pairs a second", "GPU, pairs a second"]
    head += ["times faster", "found", "found by one only", "largest difference"]
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, beside 2 threads: `python -m "
        f"benchmarks join --device cuda`. Made sets, threshold {_THRESHOLD}; medians of {trials} "
        "turns, with the ids of pairs going to the GPU and the scores coming back.",
        f"- {mark}: exact verification is {min(ratios):.1f} to {max(ratios):.1f} times faster than "
        f"2 threads, at least {_AHEAD}.",
        table(head, lines),
    ])  # fmt: skip
