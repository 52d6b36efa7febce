"""Adaptive anonymity: suppressed cells and time, beside groups (plain k-anonymity).

Records are drawn around centers, 50 columns of up to 8 values, a tenth of the cells at random. A
tenth of the records wants k = 10, the others 4. ``python -m benchmarks.applications.anonymity
[RECORDS] [COLUMNS]`` takes minutes for 500,000 records.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.report import machine, spell_time, table


def records(n: int, d: int, seed: int = 0) -> dict[str, np.ndarray]:
    """A table of n records around n / 50 centers."""
    rng = np.random.default_rng(seed)
    centers = rng.integers(0, 8, (max(n // 50, 1), d), dtype=np.int8)
    cells = centers[rng.integers(0, len(centers), n)]
    wrong = rng.random((n, d), dtype=np.float32) < 0.1
    cells[wrong] = rng.integers(0, 8, int(wrong.sum()), dtype=np.int8)
    return {f"c{i}": cells[:, i] for i in range(d)}


def main(n: int, d: int) -> None:
    import pyarrow as pa

    from edgewise.apps import anonymize

    data = pa.table(records(n, d))
    wish = np.where(np.random.default_rng(1).random(n) < 0.1, 10, 4)
    anonymize(data.slice(0, min(n, 300)), wish[:300], max_iter=2)  # compiles
    rows = []
    for name, k, options in (
        ("cover, own k", wish, {}),
        ("groups, own k", wish, {"method": "groups"}),
        ("groups, k = 10 for all", 10, {"method": "groups"}),
    ):
        begin = time.perf_counter()
        found = anonymize(data, k, **options)
        spent = time.perf_counter() - begin
        rounds = ", ".join(f"{100 * one:.1f}" for one in found.rounds)
        rows.append([name, spell_time(spent), f"{100 * found.fraction:.1f}", rounds])
        print(rows[-1], flush=True)
    print(f"\n{n:,} records of {d} columns; {machine()}\n")
    print(table(["way", "time", "suppressed, percent", "rounds"], rows, words=1))


if __name__ == "__main__":
    main(*(map(int, sys.argv[1:]) if len(sys.argv) > 2 else (20_000, 50)))
