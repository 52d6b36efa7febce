"""Checkpoints of long jobs on a grid: `checkpoint`.

Algorithms and operators mark loops (`edgewise.base.checkpoints.resumable`). Each loop of a job has
a number, in the order in which they begin. When it is time, all ranks save the state of the loop
that runs, each in a file of its own; then rank 0 names it in ``state.json``. Two files take turns,
so a job that is killed while it saves still has the state before. A job that starts again runs as
before: a loop that has a state goes on from there, and one that was too short to be saved runs
again. Loops inside loops are part of their rounds.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.checkpoints import Loop, as_given, keeping
from edgewise.base.checks import check_number
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.calls import content
from edgewise.distributed.frontier import GridFrontier
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.matrix import GridMatrix
from edgewise.distributed.shares import together
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.linalg.borrow import listed

__all__ = ["checkpoint"]

_STATE = "state.json"


@contextmanager
def checkpoint(grid: Grid, folder: str | os.PathLike, *, every: float = 60.0) -> Iterator[None]:
    """Return a context in which algorithms save their state, and go on from what was saved.

    If a job is killed, start it again with the same program, graph, ranks and folder: it goes on
    where it was, and its answer is the same. When the block ends well, the files are removed.
    Collective.

    Saved are the loops of `propagate`, to which BFS, SSSP and core numbers owe their rounds, of
    `pagerank`, `connected_components`, `label_propagation`, `markov_clustering`, of the sources of
    `betweenness_centrality` and `edge_betweenness_centrality`, and of each level of `louvain`.
    Other algorithms run from the beginning.

    Parameters
    ----------
    grid : Grid
        The grid of the graphs, with at least two ranks.
    folder : path
        A folder for this job alone, that all ranks can access, also after a restart.
    every : float
        The seconds between two savings. At most this much work of a loop is lost.

    Raises
    ------
    ValueError
        If the folder has the state of another job: of another call, graph or grid.
    RankError
        If a rank cannot save or load its state.

    Examples
    --------
    >>> import tempfile
    >>> import edgewise as ew
    >>> from edgewise.distributed import distribute
    >>> from edgewise.distributed.rank_threads import run_threads
    >>> def program(comm):
    ...     graph = distribute(ew.generators.karate_club(), grid=Grid(comm))
    ...     with checkpoint(graph.grid, folder, every=300):
    ...         return int(ew.core_number(graph).max())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run_threads(program, 4)
    [4, 4, 4, 4]
    """
    every = check_number(every, "every")
    if grid.size == 1:
        raise ValueError("grid must have at least two ranks for checkpoints, got one")
    found = _Keeper(grid, Path(folder), every)
    with keeping(found):
        yield
    found.remove()


class _Keeper:
    """The checkpoints of one job, on one rank."""

    def __init__(self, grid: Grid, folder: Path, every: float):
        self.grid, self.folder, self.every = grid, folder, every
        self.call, self.count, self.depth = "", 0, 0
        state: dict[str, Any] = {}
        with together(grid.world, f"opening {folder}"):
            if grid.rank == 0:
                folder.mkdir(parents=True, exist_ok=True)
                if (folder / _STATE).exists():
                    state = json.loads((folder / _STATE).read_text())
        state = grid.world.gather_objects(state)[0]
        shape = state.get("shape", list(grid.shape))
        if shape != list(grid.shape):
            raise ValueError(
                f"{folder} has the state of a job on a {shape[0]}x{shape[1]} grid, this one is "
                f"{grid.shape[0]}x{grid.shape[1]}"
            )
        #: What was saved of each loop by its number: its identity and the turn of its files.
        self.saved: dict[str, Any] = state.get("loops", {})
        self.last = time.monotonic()

    def calls(self, function: Callable, args: tuple, options: dict[str, Any]) -> None:
        """Note the public call that the next loops are part of."""
        given = content((function.__module__, function.__qualname__, args, options))
        self.call = hashlib.blake2b(repr(given).encode(), digest_size=16).hexdigest()

    @contextmanager
    def loop(self, graph: AnyGraph, name: str) -> Iterator[Loop]:
        """See `edgewise.base.checkpoints.resumable`."""
        if self.depth or not isinstance(graph, GridGraph) or graph.grid is not self.grid:
            yield as_given
            return
        self.depth += 1
        number, self.count = str(self.count), self.count + 1
        try:
            yield _SavedLoop(self, graph, name, number)
        finally:
            self.depth -= 1

    def due(self) -> bool:
        """Is it time, by the clock of rank 0?"""
        late = self.grid.rank == 0 and time.monotonic() - self.last >= self.every
        return bool(self.grid.world.allreduce(np.array([late], np.int64), "max")[0])

    def save(self, number: str, identity: str, told: list, arrays: dict[str, np.ndarray]) -> None:
        """Write the state of a loop; it counts once rank 0 has noted it."""
        turn = 1 - self.saved.get(number, {"turn": 1})["turn"]
        state = {**self.saved, number: {"identity": identity, "turn": turn}}
        with together(self.grid.world, f"saving to {self.folder}"):
            packed = np.frombuffer(json.dumps(told).encode(), np.uint8)
            whole: dict[str, Any] = {"told": packed, **arrays}
            with _replaced(self.file(number, turn)) as file:
                np.savez(file, **whole)
        with together(self.grid.world, f"saving to {self.folder}"):
            if self.grid.rank == 0:
                noted = {"shape": list(self.grid.shape), "loops": state}
                with _replaced(self.folder / _STATE) as file:
                    file.write(json.dumps(noted).encode())
        self.saved, self.last = state, time.monotonic()

    def load(self, number: str) -> tuple[list, dict[str, np.ndarray]]:
        """What `save` has written."""
        file = self.file(number, self.saved[number]["turn"])
        with together(self.grid.world, f"loading {file}"), np.load(file) as found:
            arrays = dict(found)
            told = json.loads(arrays.pop("told").tobytes())
        return told, arrays

    def file(self, number: str, turn: int) -> Path:
        """The file of this rank for a loop."""
        return self.folder / f"loop-{number}-{turn}-rank-{self.grid.rank:05}.npz"

    def remove(self) -> None:
        """Remove the files of a job that has ended well."""
        if self.grid.rank == 0:
            (self.folder / _STATE).unlink(missing_ok=True)
        self.grid.world.barrier()  # a state that is named has its files
        for number in self.saved:
            for turn in (0, 1):
                self.file(number, turn).unlink(missing_ok=True)
        self.grid.world.barrier()
        if self.grid.rank == 0:
            with suppress(OSError):  # something else is in it
                self.folder.rmdir()


class _SavedLoop:
    """One loop; see `edgewise.base.checkpoints.Loop`."""

    def __init__(self, keeper: _Keeper, graph: GridGraph, name: str, number: str):
        self.keeper, self.graph, self.name, self.number = keeper, graph, name, number
        self.identity = ""

    def __call__(self, *values: Any) -> tuple:
        keeper = self.keeper
        if self.identity:
            if keeper.due():
                keeper.save(self.number, self.identity, *_described(values))
            return values
        self.identity = self._identified(values)
        if self.number not in keeper.saved:
            return values
        if keeper.saved[self.number]["identity"] != self.identity:
            raise ValueError(
                f"{keeper.folder} has the state of another job: give each job a folder of its own, "
                "and start a job again with the same calls and graphs"
            )
        return _restored(self.graph, values, *keeper.load(self.number))

    def _identified(self, values: tuple) -> str:
        """A checksum of the call, of the graph and of the state with which the loop begins."""
        block, (told, arrays) = self.graph.block, _described(values)
        parts = [host(block.indptr), host(block.indices), *arrays.values()]
        if block.weights is not None:
            parts.append(host(block.weights))
        found = hashlib.blake2b(digest_size=16)
        for part in parts:
            found.update(np.ascontiguousarray(part).view(np.uint8).data if part.size else b"")
        mine = self.name, self.keeper.call, repr(told), found.hexdigest()
        every = self.keeper.grid.world.gather_objects(mine)
        return hashlib.blake2b(repr(every).encode(), digest_size=16).hexdigest()


@contextmanager
def _replaced(path: Path) -> Iterator[Any]:
    """A file that replaces another when it is complete and on the disk."""
    draft = path.with_name(f".{path.name}.draft")
    with open(draft, "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _described(values: tuple) -> tuple[list, dict[str, np.ndarray]]:
    """What each value is, and the arrays by the places of the values."""
    told: list[Any] = []
    arrays: dict[str, np.ndarray] = {}
    seen: dict[int, str] = {}

    def add(place: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return {"tuple": [add(f"{place}_{k}", one) for k, one in enumerate(value)]}
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (bool, int, float, str)):
            return {"plain": value}
        if id(value) in seen:
            return {"same": seen[id(value)]}
        seen[id(value)] = place
        if isinstance(value, GridMatrix):
            block = value.block
            for name, one in enumerate([block.indptr, block.indices, *listed(block.values)]):
                arrays[f"{place}_{name}"] = host(one)
            return {"matrix": block.sorted_rows}
        if isinstance(value, GridFrontier):
            if value.local is not None:
                arrays[place] = host(value.local)
            return {"frontier": value.count, "all": value.local is None}
        arrays[place] = host(value.local if isinstance(value, (VertexArray, ArcArray)) else value)
        return {"array": type(value).__name__}

    for place, value in enumerate(values):
        told.append(add(f"v{place}", value))
    return told, arrays


def _restored(graph: GridGraph, values: tuple, told: list, arrays: dict[str, np.ndarray]) -> tuple:
    """The values that were saved; arrays of a tuple are written to."""
    made: dict[str, Any] = {}

    def find(place: str, about: dict[str, Any], given: Any) -> Any:
        if "matrix" in about:
            made[place] = _matrix(place, about["matrix"], given, arrays)
            return made[place]
        if "plain" in about:
            return about["plain"]
        if "same" in about:
            return made[about["same"]]
        array = graph.block.xp.asarray(arrays[place]) if place in arrays else None
        if "frontier" in about:
            made[place] = GridFrontier(graph, array, about["frontier"])
        else:
            kinds = {"VertexArray": VertexArray, "ArcArray": ArcArray}
            kind = kinds.get(about["array"])
            made[place] = array if kind is None else kind(graph, array)
        return made[place]

    def fill(place: str, about: dict[str, Any], given: tuple) -> tuple:
        for k, (one, into) in enumerate(zip(about["tuple"], given, strict=True)):
            if "array" in one:
                part = into.local if isinstance(into, (VertexArray, ArcArray)) else into
                part[...] = graph.block.xp.asarray(arrays[f"{place}_{k}"])
        return given

    return tuple(
        fill(f"v{k}", about, given) if "tuple" in about else find(f"v{k}", about, given)
        for k, (about, given) in enumerate(zip(told, values, strict=True))
    )


def _matrix(
    place: str, sorted_rows: bool, given: GridMatrix, arrays: dict[str, np.ndarray]
) -> GridMatrix:
    """A matrix that was saved, on the ranks where the given one is."""
    indptr, indices, *values = (
        arrays[f"{place}_{k}"] for k in range(2 + len(listed(given.block.values)))
    )
    found = tuple(values) if isinstance(given.block.values, tuple) else (*values, None)[0]
    options = {"num_columns": given.block.shape[1], "sorted_rows": sorted_rows}
    return given._with(given.block._like(indptr, indices, found, **options))
