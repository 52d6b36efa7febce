"""What an anonymizer knows: hash tables of addresses that grow, see `edgewise.sensing.cpu.known`.

A search on all threads finds what is known and claims slots for the rest. The claimed addresses
are anonymized together, and the chunks that have them are searched again. So each address is
anonymized once, however many packets have it, and what is known costs one look.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.parallel import get_threads, launch, threads
from edgewise.graph.csr import frozen
from edgewise.operators import for_each
from edgewise.sensing.packets import hashed

if TYPE_CHECKING:
    from edgewise.sensing.cpu.known import Progress

__all__ = ["KnownIPv4", "KnownIPv6"]

_LEAST = 1 << 16  # slots of a new table
_LARGE = 1 << 22  # from here on a table doubles; before, it grows fourfold


class _Known(ABC):
    """A table at most half full, and how it is searched."""

    words_per_slot: int

    def __init__(self, mapping: Callable[[np.ndarray], np.ndarray]):
        self.mapping, self.count = mapping, 0
        self.seed = np.frombuffer(os.urandom(8), np.uint64)[0]
        self.table = self._table(_LEAST)

    def _table(self, slots: int) -> Any:
        """An empty table."""
        from edgewise.sensing.cpu.known import Table

        words = np.zeros(slots * self.words_per_slot, np.uint64)
        return Table(words, np.uint64(65 - slots.bit_length()), self.seed)

    def _search(self, size: int, dtype: Any, *args: Any) -> np.ndarray:
        """What becomes of ``size`` addresses; ``args`` say to the kernel which ones."""
        from edgewise.sensing.cpu.known import CHUNK

        out, todo = np.zeros(size, dtype), np.ones(-(-size // CHUNK), np.bool_)
        with threads(get_threads()):  # the same team throughout, whatever others set meanwhile
            while not self._searched(args, todo, out):
                pass
            if todo.any():  # all of them are known now
                self._searched(args, todo, out)
        return out

    def _searched(self, args: tuple, todo: np.ndarray, out: np.ndarray) -> bool:
        """Search once, and anonymize what was claimed; False if there was too little space."""
        from edgewise.sensing.cpu.known import Progress

        team = get_threads()
        capacity = min((self._slots // 2 - self.count) // team, len(out))
        claims, counts = np.empty((team, capacity), np.int64), np.zeros(team, np.int64)
        full = np.zeros(1, np.bool_)
        self._launch(args, Progress(todo, out, claims, counts, full))
        self._settle(np.concatenate([row[:used] for row, used in zip(claims, counts, strict=True)]))
        self.count += int(counts.sum())
        if full[0]:
            self._grow()
        return not full[0]

    @property
    def _slots(self) -> int:
        return len(self.table.words) // self.words_per_slot

    def _grow(self) -> None:
        """Move all to a larger table, in the same order: slots are the first bits of hashes."""
        old, self.table = self.table, self._table(self._slots * (4 if self._slots < _LARGE else 2))
        self._move(old.words)

    @abstractmethod
    def _launch(self, args: tuple, progress: Progress) -> None:
        """Search on all threads."""

    @abstractmethod
    def _settle(self, slots: np.ndarray) -> None:
        """Anonymize the addresses that were put in these slots."""

    @abstractmethod
    def _move(self, words: np.ndarray) -> None:
        """Put all addresses of an older table into this one."""


class KnownIPv4(_Known):
    """IPv4 addresses: ``mapping`` takes distinct ones, as uint32, to the anonymized ones."""

    words_per_slot = 1

    def __init__(self, mapping: Callable[[np.ndarray], np.ndarray]):
        super().__init__(mapping)
        self.zero = np.uint64(mapping(np.zeros(1, np.uint32))[0])

    def look_up(self, ids: np.ndarray, wide: np.ndarray) -> np.ndarray:
        """The anonymized ids, of the same type; those that are rows are taken from ``wide``."""
        strange = np.zeros(1, np.bool_)
        out = self._search(len(ids), ids.dtype, _fixed(ids), wide, strange)
        if strange[0]:
            raise ValueError(
                "packets must have IPv4 addresses or rows of their table as ids, and some have "
                "neither: they may already have been given ids or anonymized"
            )
        return out

    def _launch(self, args: tuple, progress: Progress) -> None:
        from edgewise.sensing.cpu.known import search

        ids, wide, strange = args
        launch(search, ids, wide, self.zero, self.table, strange, progress, work=len(ids))

    def _settle(self, slots: np.ndarray) -> None:
        words = self.table.words
        words[slots] |= self.mapping((words[slots] >> np.uint64(32)).astype(np.uint32))

    def _move(self, words: np.ndarray) -> None:
        from edgewise.sensing.cpu.known import move

        for_each(len(words), move, (words, self.table))


class KnownIPv6(_Known):
    """IPv6 addresses: ``mapping`` takes distinct ones, as two words each; they have hashed ids."""

    words_per_slot = 3

    def look_up(self, addresses: np.ndarray) -> np.ndarray:
        """The ids of the anonymized addresses."""
        return self._search(len(addresses), np.uint64, _fixed(addresses))

    def _launch(self, args: tuple, progress: Progress) -> None:
        from edgewise.sensing.cpu.known import search_wide

        launch(search_wide, *args, self.table, progress, work=len(args[0]))

    def _settle(self, slots: np.ndarray) -> None:
        if len(slots):
            words = self.table.words.reshape(-1, 3)
            words[slots, 0] = hashed(self.mapping(words[slots, 1:]))

    def _move(self, words: np.ndarray) -> None:
        from edgewise.sensing.cpu.known import move_wide

        for_each(len(words) // 3, move_wide, (words, self.table))


def _fixed(array: np.ndarray) -> np.ndarray:
    """Contiguous and read-only, wherever it comes from: the kernel is compiled for one kind."""
    return frozen(np.ascontiguousarray(array))
