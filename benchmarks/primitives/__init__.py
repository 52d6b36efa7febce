"""The primitives beside the fastest libraries that have them, and on a GPU.

Rows are kept by family: every module of this package has ``ROWS``. On CPU each library has a
process of its own with the same number of threads, and turns go A B C, A B C, ...; the first call
of each warms up, and its answer is compared. GBBS, or any other program, joins in by
``EDGEWISE_PRIMITIVES="GBBS=COMMAND"``: the command is given the row's name and the graph in the GAP
Benchmark Suite's file format (with weights for trees), and the last word that it prints is its time
in seconds; a program without this primitive fails.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from statistics import median
from typing import Any

from benchmarks.driver import use_threads
from benchmarks.graphs import MissingGraphError, data_folder, data_for
from benchmarks.peer import Peer
from benchmarks.primitives.row import Row
from benchmarks.report import machine, spell_time, table

__all__ = ["GRAPHS", "QUICK", "gpu_line", "graph_of", "keep_gpu_line", "measure_primitives",
           "measure_primitives_on_gpu", "rows", "seconds_on"]  # fmt: skip

GRAPHS = ("kron18", "kron18-directed", "cnr-2000", "com-dblp", "road1000")
QUICK = ("kron8", "kron8-directed", "road16")
#: A turn repeats a call until it has taken so long; calls longer than this are not repeated.
_TURN, _LONG = 0.2, 10.0
_OURS = "Edgewise"
_GPU_HEAD = ["primitive", "graph", "GPU", "2 CPU threads", "times faster"]


def rows() -> list[Row]:
    """All rows, family by family."""
    found = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return [row for module in found for row in getattr(module, "ROWS", ())]


@cache
def graph_of(name: str) -> Any:
    """A graph by name: those of `benchmarks.graphs`; R-MAT directed; cnr-2000 as the web links."""
    import edgewise
    from edgewise import generators

    if name.endswith("-directed"):
        scale = int(name.removeprefix("kron").removesuffix("-directed"))
        return generators.rmat(scale, seed=27, directed=True)
    if name == "cnr-2000":
        path = data_folder() / "graphs" / "cnr-2000.txt.gz"
        if not path.exists():
            raise MissingGraphError(f"{path.name} is not there")
        return edgewise.read(path, directed=True)
    data = data_for(name)
    return edgewise.Graph(data.indptr, data.indices, data.weights)


def measure_primitives(
    names: list[str], only: list[str], trials: int, limit: float, folder: Path,
    tell: Callable[[str], None],
) -> str:  # fmt: skip
    """Measure the rows named (all if none is); the report in Markdown, also in ``folder``."""
    use_threads(min(2, os.cpu_count() or 1))
    kept = folder / "primitives.json"
    cells = (
        {tuple(cell[:2]): cell for cell in json.loads(kept.read_text())} if kept.exists() else {}
    )
    folder.mkdir(parents=True, exist_ok=True)
    text = ""
    for name, row in _chosen(names, only):
        try:
            seconds, notes = _measure(row, name, trials, limit)
        except MissingGraphError as error:
            tell(f"{name}: {error}")
            continue
        cells[row.name, name] = [row.name, name, seconds, notes]
        tell(f"{row.name} | {name} | " + ", ".join(
            f"{peer} {spell_time(took) if took else notes[peer]}" for peer, took in seconds.items()
        ))  # fmt: skip
        text = _markdown([*cells.values()], trials)
        kept.write_text(json.dumps([*cells.values()], indent=1))
        (folder / "primitives.md").write_text(f"# primitives\n\n{text}\n")
    return text


def _chosen(names: list[str], only: list[str]) -> Iterator[tuple[str, Row]]:
    """Graph after graph, its rows: those of its kind, whatever its size.

    Rows that are named are measured on any graph that is directed, or not, as theirs are.
    """
    like = _is_directed if only else _kind
    for name in names:
        for row in rows():
            if like(name) in map(like, row.graphs) and (not only or row.name in only):
                yield name, row


def _kind(name: str) -> str:
    return "".join(letter for letter in name if not letter.isdigit())


def _is_directed(name: str) -> bool:
    return name.endswith("-directed") or name == "cnr-2000"


def _measure(
    row: Row, graph: str, trials: int, limit: float
) -> tuple[dict[str, float | None], dict[str, str]]:
    """The median seconds of each library, None if it has no time, and what is to be said of it."""
    graph_of(graph)  # whether it is there
    peers = {peer: Peer(_prepare, row.name, graph, peer) for peer in (_OURS, *row.peers)}
    spent: dict[str, list[float]] = {peer: [] for peer in peers}
    notes: dict[str, str] = {}
    try:
        answers = {peer: process.ask("answer", limit) for peer, process in peers.items()}
        for peer, answer in answers.items():
            if isinstance(answer, str):
                notes[peer] = answer
            elif peer != _OURS and _differ(row, answers[_OURS], answer):
                notes[peer] = "another answer"
        for _ in range(trials):
            for peer, process in peers.items():
                if isinstance(answers[peer], str) or (spent[peer] and answers[peer][0] > _LONG):
                    continue
                took = process.ask("time", limit)
                if not isinstance(took, str):
                    spent[peer].append(took)
    finally:
        for process in peers.values():
            process.stop()
    for name, seconds in _programs(row.name, graph):
        spent[name] = seconds
    return {peer: median(took) if took else None for peer, took in spent.items()}, notes


def _differ(row: Row, ours: Any, theirs: Any) -> bool:
    """Do two answers differ? Not if one of them was not to be had, or they cannot be compared."""
    return bool(row.same) and not isinstance(ours, str) and not row.same(ours[1], theirs[1])


def _prepare(row_name: str, graph_name: str, peer: str) -> Callable[[str], Any]:
    row = next(row for row in rows() if row.name == row_name)
    prepare, run = (row.prepare, row.run) if peer == _OURS else row.peers[peer]
    given = prepare(graph_of(graph_name))
    return partial(_answer, run, given)


def _answer(run: Callable[[Any], Any], given: Any, task: str) -> Any:
    if task == "answer":
        begin = time.perf_counter()
        answer = run(given)
        return time.perf_counter() - begin, answer
    begin, calls = time.perf_counter(), 0
    while calls == 0 or time.perf_counter() - begin < _TURN:
        run(given)
        calls += 1
    return (time.perf_counter() - begin) / calls


def _programs(row: str, graph: str) -> Iterator[tuple[str, list[float]]]:
    given = os.environ.get("EDGEWISE_PRIMITIVES", "")
    for name, _, command in (entry.partition("=") for entry in given.split(";") if entry):
        with tempfile.TemporaryDirectory() as folder:
            path = _serialized(graph, Path(folder), weighted=row == "minimum_spanning_tree")
            done = subprocess.run(
                [*shlex.split(command), row, str(path)], capture_output=True, text=True, check=False
            )
        if done.returncode == 0 and done.stdout.split():
            yield name, [float(done.stdout.split()[-1])]


def _serialized(graph: str, folder: Path, *, weighted: bool) -> Path:
    """The file of a graph; directed ones are not kept."""
    if not graph_of(graph).directed:
        return data_for(graph).serialized(weighted=weighted)
    import edgewise

    path = folder / f"{graph}.sg"
    edgewise.write(graph_of(graph).with_weights(None), path)
    return path


def _markdown(cells: list, trials: int) -> str:
    lines = []
    for name, graph, seconds, notes in cells:
        ours = seconds.get(_OURS)
        others = {peer: took for peer, took in seconds.items() if peer != _OURS and took}
        best = min(others, key=lambda peer: others[peer]) if others else None
        said = ", ".join(f"{peer}: {note}" for peer, note in notes.items())
        told = ", ".join(
            f"{peer} {spell_time(took)}"
            for peer, took in sorted(others.items(), key=lambda x: x[1])
        )
        ratio = f"{others[best] / ours:.2f}" if ours and best else ""
        lines.append([name, graph, spell_time(ours) if ours else "", told, ratio, said])
    head = ["primitive", "graph", _OURS, "others, fastest first", "times faster", "notes"]
    return f"{machine()}. Medians of {trials} turns.\n\n{table(head, lines)}"


def measure_primitives_on_gpu(
    names: list[str], only: list[str], trials: int, folder: Path, tell: Callable[[str], None]
) -> str:
    """Our own rows on the GPU beside two CPU threads of the same machine."""
    text = ""
    for name, row in _chosen(names, only):
        try:
            there = seconds_on("cuda", row, graph_of(name), trials)
            line = gpu_line(row, name, there, seconds_on("cpu", row, graph_of(name), 1))
        except Exception as error:  # the row says so, the others go on
            line = [row.name, name, "", "", f"{type(error).__name__}: {error}"[:100]]
        tell(" | ".join(line))
        text = keep_gpu_line(line, trials, folder)
    return text


def seconds_on(device: str, row: Row, graph: Any, trials: int) -> float:
    """The median seconds of a row's calls on a device, after one that warms up."""
    from edgewise import threads

    graph = graph.to(device)
    given, spent = row.prepare(graph), []
    with threads(2):
        for _ in range(1 + trials):
            begin = time.perf_counter()
            row.run(given)
            if device != "cpu":
                graph.xp.cuda.Device().synchronize()
            spent.append(time.perf_counter() - begin)
    return median(spent[1:])


def gpu_line(row: Row, graph: str, there: float, here: float | None) -> list[str]:
    """A line of the table; seconds on CPU threads may be missing."""
    ratio = f"{here / there:.1f}" if here else ""
    return [row.name, graph, spell_time(there), spell_time(here) if here else "", ratio]


def keep_gpu_line(line: list[str], trials: int, folder: Path) -> str:
    """Put a line in the place of an older one, in the files too; the table in Markdown."""
    kept = folder / "primitives-cuda.json"
    cells = {tuple(c[:2]): c for c in json.loads(kept.read_text())} if kept.exists() else {}
    cells[tuple(line[:2])] = line
    folder.mkdir(parents=True, exist_ok=True)
    text = f"{machine()}. Medians of {trials} calls.\n\n{table(_GPU_HEAD, [*cells.values()])}"
    kept.write_text(json.dumps([*cells.values()], indent=1))
    (folder / "primitives-cuda.md").write_text(f"# primitives on a GPU\n\n{text}\n")
    return text
