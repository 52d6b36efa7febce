"""Graphs larger than a memory limit: an external sort into an .ew file, and algorithms on it.

An R-MAT graph is drawn in parts and written to a Parquet file, which `edgewise.convert` sorts
within the limit. Algorithms then run on the graph in memory, and on the mapped file within the
limit, first without the file in the system's cache ("cold") and then with it ("cached"). Beside
them stand the bytes read from the disk, and how long reading the file from end to end takes.
Memory is what the process has beyond what it had before, sampled every 5 ms.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.report import machine, spell_bytes, spell_time, table

__all__ = ["ALGORITHMS", "measure_outofcore"]

ALGORITHMS = ("bfs", "connected_components", "pagerank", "core_number", "label_propagation",
              "locally_dominant", "triangle_count")  # fmt: skip

_PART = 1 << 24  # edges that are drawn at once


def measure_outofcore(
    scale: int, edge_factor: int, memory: str, names: Sequence[str], work: Path, folder: Path,
    say: Callable[[str], Any],
) -> str:  # fmt: skip
    """Build and measure; files go to ``work``. Writes the results, and returns them as text."""
    import edgewise as ew

    edges, target = work / "edges.parquet", work / "graph.ew"
    small = work / "small.ew"
    ew.write(ew.generators.rmat(min(scale, 12), edge_factor=edge_factor), small)
    calls = {name: _calls()[name] for name in names}
    for call in calls.values():
        call(ew.read(small, memory="1GiB"))  # compile
    _draw(scale, edge_factor, edges)
    say(f"{edges.stat().st_size:,} bytes of edges are drawn")
    with _watched() as build:
        ew.convert(edges, target, memory=memory)
    graph = ew.read(target, trusted=True)
    found: dict[str, Any] = {
        "scale": scale, "edge_factor": edge_factor, "memory": memory,
        "vertices": graph.num_vertices, "arcs": graph.num_arcs, "bytes": graph.nbytes,
        "source": edges.stat().st_size, "build": build, "reading": _read(target), "times": [],
    }  # fmt: skip
    del graph
    say(f"built in {build['seconds']:.1f} s")
    text = _save(found, folder)
    for name, call in calls.items():
        row: dict[str, Any] = {"algorithm": name}
        for kind in ("cold", "cached"):
            if kind == "cold":
                _forget(target)
            with _watched() as row[kind]:
                limited = ew.read(target, trusted=True, memory=memory)
                try:
                    call(limited)
                except MemoryError as error:
                    row["refused"] = str(error)
            del limited
        found["times"].append(row)
        text = _save(found, folder)
        say(f"{name}: {row['cold']['seconds']:.1f} s, cached {row['cached']['seconds']:.1f} s")
    inside = ew.read(target, trusted=True, memory_map=False)
    for row, call in zip(found["times"], calls.values(), strict=True):
        begin = perf_counter()
        call(inside)
        row["inside"] = perf_counter() - begin
        text = _save(found, folder)
    return text


def _save(found: dict[str, Any], folder: Path) -> str:
    """Write what was found so far, also as text: a run takes long, and may be stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    text = _text(found)
    name = f"outofcore-{found['scale']}"
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / f"{name}.md").write_text(text)
    return text


def _calls() -> dict[str, Callable[[Any], Any]]:
    import edgewise as ew

    return {
        "bfs": lambda graph: ew.bfs(graph, int(graph.row_lengths().argmax())),
        "connected_components": ew.connected_components,
        "pagerank": ew.pagerank,
        "core_number": ew.core_number,
        "label_propagation": ew.communities.label_propagation,
        "locally_dominant": ew.matching.locally_dominant,
        "triangle_count": ew.triangle_count,
    }


def _draw(scale: int, edge_factor: int, path: Path) -> None:
    """Write the edges of an R-MAT graph to a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    import edgewise as ew

    count = edge_factor << scale
    schema = pa.schema([("source", pa.int32()), ("target", pa.int32())])
    with parquet.ParquetWriter(path, schema, use_dictionary=False, compression="none") as file:
        for low in range(0, count, _PART):
            part = low, min(low + _PART, count)
            ends = ew.generators.rmat_edges(scale, edge_factor=edge_factor, part=part)
            file.write_table(pa.table([*ends], schema=schema), row_group_size=1 << 20)


@contextmanager
def _watched() -> Iterator[dict[str, Any]]:
    """What a block takes: seconds, the most memory by kind, and bytes read from the disk."""
    found: dict[str, Any] = {}
    before, read, done = _resident(), _bytes_read(), threading.Event()
    most = dict.fromkeys((*before, "both"), 0)

    def watch() -> None:
        while not done.wait(0.005):
            grown = {kind: size - before[kind] for kind, size in _resident().items()}
            grown["both"] = sum(grown.values())
            for kind, size in grown.items():
                most[kind] = max(most[kind], size)

    thread = threading.Thread(target=watch)
    thread.start()
    begin = perf_counter()
    try:
        yield found
    finally:
        found["seconds"] = perf_counter() - begin
        done.set()
        thread.join()
        found.update(read=_bytes_read() - read, **most)


def _resident() -> dict[str, int]:
    """The resident memory of this process: its own, and pages of files."""
    with open("/proc/self/status") as file:
        lines = [line.split() for line in file if line.startswith(("RssAnon", "RssFile"))]
    return {name[:-1]: int(size) * 1024 for name, size, _ in lines}


def _bytes_read() -> int:
    with open("/proc/self/io") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("read_bytes"))


def _forget(path: Path) -> None:
    """Drop a file from the system's cache."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _read(path: Path) -> float:
    """How many seconds it takes to read a file from end to end, when it is not in the cache."""
    _forget(path)
    begin = perf_counter()
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 23):
            pass
    return perf_counter() - begin


def _text(found: dict[str, Any]) -> str:
    build, reading = found["build"], found["reading"]
    lines = []
    for row in found["times"]:
        inside = spell_time(row["inside"]) if "inside" in row else "–"
        if "refused" in row:
            lines.append([row["algorithm"], inside, *["refused"] * 2, *["–"] * 4])
            continue
        cold = row["cold"]
        least = cold["read"] / found["bytes"] * reading
        lines.append([
            row["algorithm"], inside, spell_time(row["cached"]["seconds"]),
            spell_time(cold["seconds"]), spell_bytes(cold["read"]), spell_time(least),
            spell_bytes(cold["RssAnon"]), spell_bytes(cold["both"]),
        ])  # fmt: skip
    rate = spell_bytes(found["bytes"] / reading)
    head = ["algorithm", "in memory", "limit, cached", "limit, cold", "read", "reading that alone",
            "own memory", "with pages"]  # fmt: skip
    parts = [
        "# Larger than memory",
        machine(),
        f"R-MAT of scale {found['scale']}: {found['vertices']:,} vertices, {found['arcs']:,} arcs, "
        f"{spell_bytes(found['bytes'])}. The limit is {found['memory']}.",
        f"Building from {spell_bytes(found['source'])} of Parquet took "
        f"{spell_time(build['seconds'])}, with {spell_bytes(build['RssAnon'])} of memory at most. "
        f"The file is read from end to end in {spell_time(reading)}, {rate} per second.",
        table(head, lines, words=1),
    ]
    return "\n\n".join(parts) + "\n"
