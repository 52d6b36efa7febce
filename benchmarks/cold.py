"""What a first call waits for: kernels that an algorithm needs, and the time to compile them.

Each row is a process of its own with an empty kernel folder. Times are of the processor, so that
another program on the machine does not count. An algorithm's are without reading or building the
graph, which is a row of its own; the first row is the whole of a first session, imports included.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.report import machine, table

__all__ = ["FIRST", "RECORD", "count_kernels", "measure_cold", "rows", "told"]

#: What somebody tries first, in one process.
FIRST = ("read", "bfs", "pagerank", "connected_components")
_SESSION = """
import json, sys, time
import edgewise as ew
graph = ew.read(sys.argv[1])
ew.bfs(graph, 0), ew.pagerank(graph), ew.connected_components(graph)
from edgewise.base.compiler import kernels_loaded
print(json.dumps({"kernels": kernels_loaded(), "seconds": round(time.process_time(), 2)}))
"""
_LIMITS = {"first": 12.0, "other": 8.0}
_FOLDER = Path(__file__).resolve().parents[1]
#: What was measured last.
RECORD = _FOLDER / "benchmarks" / "results" / "cold.json"


def rows() -> list[str]:
    """Everything that is measured alone: reading, building, and every algorithm."""
    from edgewise.algorithms import ALGORITHMS

    return ["read", "build", *ALGORITHMS]


def measure_cold(names: list[str], folder: Path, tell: Callable[[str], None]) -> str:
    """Measure every row; the report in Markdown, also written to ``folder``."""
    found = [{"name": ", ".join(FIRST), **_session()}]
    tell(_line(found[0]))
    for name in names:
        found.append({"name": name, **_child("-m", "benchmarks.cold", "alone", name)})
        tell(_line(found[-1]))
    folder.mkdir(parents=True, exist_ok=True)
    record = {"machine": machine(), "rows": found}
    text = told(record)
    (folder / "cold.json").write_text(json.dumps(record, indent=1) + "\n")
    (folder / "cold.md").write_text(f"# cold\n\n{text}\n")
    return text


def told(record: dict[str, Any]) -> str:
    """A record in Markdown: the page shows the one that a test holds algorithms to."""
    shown = [
        [row["name"], str(row["kernels"]), f"{row['seconds']:.1f}", _verdict(row, i)]
        for i, row in enumerate(record["rows"])
    ]
    text = f"{record['machine']}. Processor seconds, each from an empty kernel folder.\n\n"
    return text + table(["first call of", "kernels", "s", "limit"], shown)


def count_kernels(names: list[str]) -> dict[str, int]:
    """How many kernels each one needs, compiled or from the disk, in processes of their own.

    They are children of one process that has Numba and a graph at hand, which is far quicker.
    """
    from edgewise.base.compiler import kernels_loaded

    _prepare("build")
    found = {}
    for name in names:
        _prepare(name)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                before = kernels_loaded()
                _run(name)
                os.write(writer, str(kernels_loaded() - before).encode())
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        with open(reader) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        if not text:
            raise RuntimeError(f"{name} failed")
        found[name] = int(text)
    return found


def _session() -> dict[str, Any]:
    """A user's first lines of Python, imports included."""
    with tempfile.TemporaryDirectory() as folder:
        return _child("-c", _SESSION, str(_small_file(Path(folder))))


def _child(*arguments: str) -> dict[str, Any]:
    """One process with an empty folder: its kernels and processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "EDGEWISE_CACHE_DIR": folder, "EDGEWISE_NUM_THREADS": "2"},
            cwd=_FOLDER,
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])


def _run(name: str) -> None:
    """Read a file, build a graph, or run an algorithm, once."""
    import edgewise
    from edgewise.algorithms import ALGORITHMS
    from edgewise.cli.sample import run_on_sample

    if name == "build":
        edgewise.Graph.from_edges([0, 1], [1, 2])
    elif name == "read":
        with tempfile.TemporaryDirectory() as folder:
            edgewise.read(_small_file(Path(folder)))
    else:
        run_on_sample(ALGORITHMS[name], False, _weights(name))


def _small_file(folder: Path) -> Path:
    """A file of edges."""
    import numpy as np

    path = folder / "graph.txt"
    ends = np.random.default_rng(1).integers(0, 500, (4000, 2))
    path.write_text("".join(f"{u} {v}\n" for u, v in ends.tolist()))
    return path


def _prepare(name: str) -> None:
    """What an algorithm is given is not its own: a graph of its kind."""
    from numba import types

    from edgewise.base.cpu.crew import lead_address, serve
    from edgewise.cli.sample import bipartite_sample, sample_graph

    lead_address()  # kernels of the thread team itself
    serve.compile((types.int64[::1], types.int64))
    if name not in ("read", "build"):
        sample_graph(False, _weights(name)), bipartite_sample(_weights(name))


def _weights(name: str) -> str | None:
    """Matchings and shortest paths are for weighted graphs, the others rarely."""
    return (
        "float64"
        if name in ("sssp", "minimum_spanning_tree") or name.startswith("matching.")
        else None
    )


def _line(row: dict[str, Any]) -> str:
    return f"{row['name']}: {row['kernels']} kernels, {row['seconds']:.1f} s"


def _verdict(row: dict[str, Any], place: int) -> str:
    limit = _LIMITS["first" if place == 0 else "other"]
    return f"{limit:g}" if row["seconds"] <= limit else f"**{limit:g}, missed**"


def _main(mode: str, *names: str) -> None:
    if mode == "count":
        print(json.dumps(count_kernels(list(names) or rows())))
        return
    from edgewise.base.compiler import kernels_loaded

    for name in names:
        _prepare(name)
    before, start = kernels_loaded(), time.process_time()
    for name in names:
        _run(name)
    seconds, kernels = time.process_time() - start, kernels_loaded() - before
    print(json.dumps({"kernels": kernels, "seconds": round(seconds, 2)}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
