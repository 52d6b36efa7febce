"""What ranks say to each other: a protocol of few collectives, and what follows from them.

Every rank of a communicator calls the same collectives in the same order. Arrays are contiguous,
one-dimensional, of plain numbers, in host memory or on the rank's GPU; results are where the
arguments were. A rank that fails ends all others (see `RankError`), so that nobody waits forever.
"""

from __future__ import annotations

import pickle
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np

from edgewise.base.offsets import offsets

__all__ = ["OPERATIONS", "Communicator", "RankError"]

#: The reductions that every implementation knows by name.
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": np.add,
    "min": np.minimum,
    "max": np.maximum,
}


class RankError(RuntimeError):
    """Another rank failed; the message names the rank and the cause."""


class Communicator(ABC):
    """A group of ranks, numbered from 0, and their collective operations."""

    rank: int
    size: int
    #: Does anybody want to know of `work`?
    priced = False
    #: How many graphs were made on this communicator; every rank takes part in making one.
    graphs = 0

    def allreduce(self, array: Any, op: str | Callable[[Any, Any], Any] = "sum") -> Any:
        """Return the elementwise reduction of the arrays of all ranks, bitwise equal on every rank.

        ``op`` is one of `OPERATIONS`, or a function of two arrays that returns a third. It is
        applied in the order of the ranks. ``array`` is not changed.
        """
        if self.size == 1:
            return array.copy()
        _check(array)
        if isinstance(op, str):
            if op not in OPERATIONS:
                raise ValueError(f"op must be one of {', '.join(OPERATIONS)}, got {op!r}")
            return self._allreduce(array, op)
        shares = [len(array) * k // self.size for k in range(self.size + 1)]
        counts = [high - low for low, high in zip(shares, shares[1:], strict=False)]
        received, _ = self.alltoallv(array, counts)
        mine = counts[self.rank]
        total = received[:mine].copy()
        for k in range(1, self.size):
            total = op(total, received[k * mine : (k + 1) * mine])
        return self.allgatherv(total, counts)[0]

    def broadcast(self, array: Any, root: int) -> Any:
        """Copy ``array`` of rank ``root`` into the array of every rank, of equal size and type."""
        if self.size == 1:
            return array
        _check(array)
        if not 0 <= root < self.size:
            raise ValueError(f"root must lie in 0..{self.size - 1}, got {root!r}")
        return self._broadcast(array, root)

    def allgatherv(self, array: Any, counts: Sequence[int] | None = None) -> tuple[Any, list[int]]:
        """Return the concatenated arrays of all ranks, and their lengths.

        If all ranks pass the lengths as ``counts``, they need not be exchanged.
        """
        if self.size == 1:
            return array, [len(array)]
        _check(array)
        if counts is None:
            counts = self.counts(len(array))
        elif len(counts) != self.size or counts[self.rank] != len(array):
            raise ValueError(
                f"counts must hold the lengths of all {self.size} arrays, here {len(array)}, "
                f"got {reprlib.repr(counts)}"
            )
        return self._allgatherv(array, list(counts)), list(counts)

    def counts(self, count: int) -> list[int]:
        """Return an array with one number from each rank."""
        return [count] if self.size == 1 else self._counts(count)

    def alltoallv(self, array: Any, counts: Sequence[int]) -> tuple[Any, list[int]]:
        """Return the data sent to this rank, in the order of the ranks, and the count of each.

        ``array`` holds the data for rank 0, then for rank 1, and so on; ``counts`` gives their
        lengths.
        """
        if self.size == 1:
            return array, list(counts)
        _check(array)
        if len(counts) != self.size or sum(counts) != len(array) or min(counts) < 0:
            raise ValueError(
                f"counts must be {self.size} numbers with the sum {len(array)}, "
                f"got {reprlib.repr(counts)}"
            )
        return self._alltoallv(array, list(counts))

    @abstractmethod
    def barrier(self) -> None:
        """Wait for all ranks."""

    @abstractmethod
    def split(self, color: int, key: int) -> Communicator:
        """Return the communicator of the ranks with the same ``color``, in the order of ``key``."""

    @abstractmethod
    def fail(self, error: BaseException) -> None:
        """Report a failure of this rank and end all ranks of the program."""

    def gather_objects(self, thing: Any) -> list[Any]:
        """Return small objects from all ranks; they are pickled, so this is slow."""
        packed = np.frombuffer(pickle.dumps(thing), np.uint8)
        whole, counts = self.allgatherv(packed)
        ends = offsets(counts)
        parts = zip(ends, ends[1:], strict=False)
        return [pickle.loads(whole[low:high].tobytes()) for low, high in parts]

    def check_same(self, what: str, thing: Any) -> None:
        """Raise an error on every rank that names the ranks whose ``thing`` is not rank 0's."""
        every = self.gather_objects(repr(thing))
        wrong = [k for k, other in enumerate(every) if other != every[0]]
        if wrong:
            raise RankError(
                f"{what} must be the same on all ranks: rank 0 has {every[0]}, "
                f"rank {wrong[0]} has {every[wrong[0]]}"
            )

    def check_all(self, what: str, error: BaseException | None) -> None:
        """Raise an error on every rank if any rank has an ``error``; names rank and cause."""
        every = self.gather_objects(None if error is None else f"{type(error).__name__}: {error}")
        for rank, cause in enumerate(every):
            if cause is not None:
                raise RankError(f"rank {rank} failed while {what}: {cause}") from error

    def agreed(self) -> AbstractContextManager[None]:
        """Return a context in which all ranks make the same calls, so calls are not compared."""
        return nullcontext()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Return a context that names a phase of communication; `simulate_grid` counts by phase."""
        yield

    def work(self, *, edges: int = 0, vertices: int = 0) -> None:
        """Report the amount of computation of this rank, which `simulate_grid` prices."""
        return

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Return a context in which broadcasts may be combined."""
        yield

    @abstractmethod
    def _allreduce(self, array: Any, op: str) -> Any: ...

    @abstractmethod
    def _broadcast(self, array: Any, root: int) -> Any: ...

    @abstractmethod
    def _counts(self, count: int) -> list[int]: ...

    @abstractmethod
    def _allgatherv(self, array: Any, counts: list[int]) -> Any: ...

    @abstractmethod
    def _alltoallv(self, array: Any, counts: list[int]) -> tuple[Any, list[int]]: ...


def _check(array: Any) -> None:
    if array.ndim != 1 or not array.flags.c_contiguous:
        raise ValueError(f"arrays must be one-dimensional and contiguous, got shape {array.shape}")
