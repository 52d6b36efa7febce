"""Work arrays of a traversal on CUDA, kept with the graph: a call costs what it touches.

A call borrows the graph's workspace and hands it back as clean as it was: stamps need no cleaning
because the number that is stamped only ever rises, sums hold their identity again, and a launch
clears the barriers of the one before. While one call has it, another finds none and makes its own;
a call that fails hands nothing back. There is one for each device and stream.

Arrays are made when first asked for; docs/decisions/0006-cuda-engine.md lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import current_device, current_stream
from edgewise.base.cuda.launches import Packed, lasting
from edgewise.base.cuda.mapped_memory import Report
from edgewise.graph import Graph
from edgewise.operators.cuda.state import check_work
from edgewise.operators.workspace import Filled, borrowed

__all__ = ["Sync", "Workspace", "workspace"]

#: Stamps above this start again, in an array of zeros.
_LAST_STAMP = 1 << 30
#: Words between those that blocks wait on.
_APART = 32


class Sync(NamedTuple):
    """What blocks of a launch tell each other by; all zero when it begins."""

    counters: Any
    tickets: Any
    control: Any
    state: Any
    spent: Any  # the words of the launch before, which this one clears


def workspace(graph: Graph) -> borrowed:
    """The graph's workspace on the current device and stream, for a ``with`` block."""
    key = "traversal", current_device(), current_stream()
    return borrowed(graph, key, lambda: Workspace(graph))


class Workspace(Filled):
    """Arrays over the vertices of one graph."""

    def __init__(self, graph: Graph):
        super().__init__(graph.num_vertices)
        self.xp = graph.xp
        self.stamp = 0  # the greatest number that is stamped anywhere
        self._arrays: dict[Any, Any] = {}
        self._packed: dict[Any, Any] = {}
        self._reports: dict[int, Report] = {}
        self.programs: dict[Any, Any] = {}  # of `propagate`, by kind
        words = self.xp.zeros(8 * _APART, np.int64)
        self._words = words[: 4 * _APART], words[4 * _APART :]
        self._turn = 0

    def array(self, name: str, count: int, dtype: Any, make: str = "empty") -> Any:
        """The array of a name, of any content (``"empty"``), or zero when it is made."""
        key = name, count, np.dtype(dtype).char
        found = self._arrays.get(key)
        if found is None:
            check_work("propagate", (count, dtype))
            found = self._arrays[key] = lasting(getattr(self.xp, make)(count, dtype))
        return found

    def report(self, count: int) -> Report:
        """So many words for the host."""
        if count not in self._reports:
            self._reports[count] = Report(self.xp, count)
        return self._reports[count]

    def filled(self, count: int, dtype: np.dtype, identity: Any) -> Any:
        """An array of ``identity``; whoever changes an element writes it back."""

        def make(count: int, identity: Any, dtype: np.dtype) -> Any:
            check_work("propagate", (count, dtype))
            return lasting(self.xp.full(count, identity, dtype))

        return self.lend(count, dtype, identity, make)

    def stamps(self) -> Any:
        """A number for every vertex, none above ``stamp``; who stamps higher raises that."""
        stamps = self.array("stamps", self.n, np.int32, "zeros")
        if self.stamp > _LAST_STAMP:
            stamps[:], self.stamp = 0, 0
        return stamps

    def sync(self) -> Sync:
        """The words of the next launch."""
        self._turn = 1 - self._turn
        mine, spent = self._words[self._turn], self._words[1 - self._turn]
        counters, tickets, control, state = (mine[i * _APART :][:_APART] for i in range(4))
        return Sync(counters, tickets, control.view(np.int32), state, spent)

    def packed(self, key: tuple, make: Callable[[Sync], Any]) -> Packed:
        """What ``make`` gives for the next launch, laid out once and kept."""
        key = self._turn, *key
        if key not in self._packed:
            self._packed[key] = Packed(make(self.sync()))
        else:
            self._turn = 1 - self._turn
        return self._packed[key]

    def laid_out(self, key: tuple, make: Callable[[], Any]) -> Packed:
        """What ``make`` gives, laid out once and kept under a key: arrays that always stay."""
        if key not in self._packed:
            self._packed[key] = Packed(make())
        return self._packed[key]
