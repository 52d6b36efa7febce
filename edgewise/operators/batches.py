"""Rows of a graph in host memory, brought to a device batch by batch [1].

A device has a contiguous range of the vertices, cut into batches of about equally many arcs. What
it is asked for is brought there, and operators that look at rows alone (`for_rows`) run on it as on
a graph; arrays over all vertices stay on the device throughout. On CPU threads nothing moves.

[1] M. Mandulak, S. Ghosh, S. M. Ferdous, M. Halappanavar, G. Slota. Efficient weighted graph
    matching on GPUs. SC 2024.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.graph.stored import Stored

__all__ = ["Batch", "Batches", "Source", "batches_on", "split"]

#: What a device's time is spent with, see `Batches.times`.
PHASES = ("transfer", "work")


class Source:
    """Rows in host memory: all of a graph's, with the weights of a call; None where all are one."""

    def __init__(self, graph: AnyGraph, weights: Any):
        self.indptr, self.indices, self.weights = graph.indptr, graph.indices, weights


class Batch:
    """The rows of vertices ``first, first + 1, ...`` on a device: what operators ask of a graph.

    Row i is that of vertex ``first + i``; its neighbors are vertices of the whole graph.
    """

    engine, one_device, directed, labels = "local", True, True, None

    def __init__(self, xp: Any, device: str, first: int, indptr: Any, indices: Any, weights: Any):
        self.xp, self.device, self.first = xp, device, first
        self.indptr, self.indices, self.weights = indptr, indices, weights
        self.stored = Stored(indptr, indices)
        self.num_vertices, self.num_arcs = len(indptr) - 1, len(indices)

    @property
    def id_dtype(self) -> np.dtype:
        """The integer type of vertex ids."""
        return self.indices.dtype


class Batches(Protocol):
    """One device and the batches of its range, numbered from 0.

    ``starts`` are the first vertices of the batches, and the end of the last one; ``times`` the
    seconds spent so far, by phase.
    """

    xp: Any
    starts: list[int]
    times: dict[str, float]

    def here(self) -> AbstractContextManager:
        """The block in which this device is the current one."""

    def bring(self, wanted: list[int]) -> Iterator[Batch]:
        """These batches, in any order; each is there until the next one is asked for."""

    def whole(self) -> Batch | None:
        """All rows of the range as one batch, if the buffers hold them all at once."""

    def close(self) -> None:
        """Give back what is held."""


def batches_on(
    name: str, source: Source, low: int, high: int, count: Any, *, beside: int
) -> Batches:
    """The vertices ``low..high`` on the device of this name, in so many batches.

    ``"auto"`` takes as few as fit the device's memory, of which the caller needs ``beside`` bytes.
    """
    kind = "cpu" if name == "cpu" else "cuda"
    made = import_module(f"edgewise.operators.{kind}.batches").batches
    return made(name, source, low, high, count, beside)


def split(indptr: np.ndarray, low: int, high: int, parts: int) -> list[int]:
    """Cut the vertices ``low..high`` where the ranges have about equally many arcs: all ends.

    >>> split(np.array([0, 4, 5, 6, 8]), 0, 4, 2)
    [0, 1, 4]
    """
    first, last = int(indptr[low]), int(indptr[high])
    wanted = first + (last - first) * np.arange(1, parts) // parts
    cuts = low + np.searchsorted(indptr[low:high], wanted)
    return [low, *np.clip(cuts, low, high).tolist(), high]
