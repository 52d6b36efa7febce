"""A table of edges between names that is read within a memory limit: time, and peak of memory.

The table is a Parquet file of random edges between UUIDs. Each limit is a process of its own, which
has read a small table before its memory is watched. The last row has no limit.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import machine, spell_bytes, spell_time, table

__all__ = ["measure_names"]

_PIECE = 500_000  # edges that are drawn at a time


def measure_names(
    edges: int, names: int, limits: Sequence[str], folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure each limit, and none; the report in Markdown, also written to ``folder``."""
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "edges.parquet"
        _write(path.with_name("few.parquet"), 1000, 100)
        _write(path, edges, names)
        size = path.stat().st_size
        for limit in (*limits, ""):
            found = _read_alone(path, limit)
            rise = "" if found["rise"] is None else spell_bytes(found["rise"])
            lines.append([limit or "none", spell_time(found["seconds"]), rise])
            tell(" | ".join(lines[-1]))
    text = (
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}: `python -m benchmarks names`. A "
        f"Parquet file of {spell_bytes(size)} with {edges:,} directed edges between {names:,} "
        "UUIDs. Memory is the peak of resident memory above that before the call.\n\n"
        f"{table(['limit', 'time', 'peak of memory'], lines, words=1)}\n"
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "names.md").write_text(f"# names\n\n{text}")
    return text


def _write(path: Path, edges: int, names: int) -> None:
    """Random edges between random UUIDs, as text without a dictionary."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    raw = rng.integers(0, 256, (names, 16), np.uint8)
    hexes = (one.tobytes().hex() for one in raw)
    every = pa.array([f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}" for h in hexes])
    schema = pa.schema({"source": pa.string(), "target": pa.string()})
    with parquet.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for start in range(0, edges, _PIECE):
            count = min(_PIECE, edges - start)
            ends = [every.take(pa.array(rng.integers(0, names, count))) for _ in "st"]
            writer.write_table(pa.table(ends, schema=schema), 100_000)


def _read_alone(path: Path, limit: str) -> dict[str, Any]:
    arguments = [sys.executable, "-m", "benchmarks.names", str(path), limit]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def _read(path: str, limit: str) -> None:
    """Read the file in this process; prints its time and how far its memory rose."""
    import edgewise as ew
    from benchmarks.worker import memory_of

    options: Any = {"directed": True} | ({"memory": limit} if limit else {})
    ew.read(Path(path).with_name("few.parquet"), **options)
    spent: list[float] = []

    def read() -> None:
        begin = time.perf_counter()
        ew.read(path, **options)
        spent.append(time.perf_counter() - begin)

    print(json.dumps({"rise": memory_of(read), "seconds": spent[0]}))


if __name__ == "__main__":
    _read(sys.argv[1], sys.argv[2])
