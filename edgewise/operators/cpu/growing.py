"""Arrays that grow with what is written to them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from edgewise.base.memory import free_memory

__all__ = ["Growing"]

#: The part of the free memory that the bound may take.
_PART = 4


class Growing:
    """Arrays of one length: at most ``bound``, about ``estimate()``; ``make(size)`` makes them.

    An entry takes ``width`` bytes. Memory that is not written is not taken, so where the bound
    fits a quarter of the free memory, the arrays never move. MemoryError, which ends with ``hint``,
    is raised where they will not fit the free memory: systems end processes that fill it.
    """

    def __init__(
        self, make: Callable[[int], tuple], width: int, bound: int, estimate: Callable[[], int],
        hint: str = "",
    ):  # fmt: skip
        self.make, self.bound, self.capacity = make, bound, bound
        self.width, self.hint = width, hint
        if bound * width > free_memory() // _PART:
            self.capacity = min(bound, estimate())
            self._check(self.capacity)
        self.arrays = make(self.capacity)

    def reserve(self, used: int, more: int) -> None:
        """Make space for more entries."""
        if used + more <= self.capacity:
            return
        self._check(used + more)
        self.capacity = max(used + more, min(self.bound, self.capacity * 3 // 2))
        old, self.arrays = self.arrays, self.make(self.capacity)
        for one, other in zip(_each_of(old), _each_of(self.arrays), strict=True):
            other[:used] = one[:used]

    def _check(self, entries: int) -> None:
        needed, free = entries * self.width, free_memory()
        if needed > free:
            raise MemoryError(
                f"the result takes about {needed:,} bytes, but only {free:,} are free{self.hint}"
            )

    def cut(self, used: int) -> tuple:
        """The arrays without the space that was not needed."""
        for one in _each_of(self.arrays):
            one.resize(used, refcheck=False)  # shorter: nothing is copied
        return self.arrays


def _each_of(arrays: tuple) -> list[np.ndarray]:
    """The arrays of a tuple, in which one may be a tuple itself."""
    return [one for given in arrays for one in (given if isinstance(given, tuple) else (given,))]
