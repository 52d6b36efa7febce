"""`Sets`: very many sets of vertices in few bytes, as `reach` finds them and `cover` reads them.

`edgewise.operators.set_encoding` says what a row looks like. A member costs one byte in sets of
more than a hundredth of the vertices, two or three in small ones, and never more than a bitmap;
eight more bytes for each set say where it begins.

Rows are written by whoever finds them, in blocks, and never moved on CPU threads: the array grows
in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.operators.set_encoding import SetRows, longest_row

__all__ = ["Sets"]


class Sets:
    """Compressed sets of vertices, numbered from 0, to which more sets can be added.

    `reach` makes them and adds to them; `from_rows` compresses given sets.

    Examples
    --------
    >>> sets = Sets.from_rows([[3, 1], [], [2]], num_vertices=5)
    >>> len(sets), sets.sizes.tolist(), sets.row(0).tolist(), sets.nbytes
    (3, [2, 0, 1], [1, 3], 29)
    """

    engine = "local"

    def __init__(self, num_vertices: int, device: str = "cpu", xp: Any = np):
        self.num_vertices, self.device, self.xp = num_vertices, device, xp
        self.data = xp.empty(0, np.uint8)
        self.used = 0  # bytes of ``data`` that are taken: rows, and what is left of blocks
        self.payload = 0  # bytes of rows
        self.ends: Any = None  # where the threads that wrote last go on
        self._starts = [xp.empty(0, np.int64)]

    @classmethod
    def from_rows(cls, rows: Any, *, num_vertices: int) -> Sets:
        """Return the sets of a list of lists of vertex ids, in host memory."""
        sets = cls(check_count(num_vertices, "num_vertices"))
        each = [np.unique(np.asarray(row, np.int64)) for row in rows]
        for i, row in enumerate(each):
            if len(row) and not 0 <= row[0] <= row[-1] < num_vertices:
                wrong = row[0] if row[0] < 0 else row[-1]
                last = num_vertices - 1
                raise ValueError(
                    f"rows must hold vertex ids from 0 to {last}, got {wrong} in row {i}"
                )
        indptr = offsets([len(row) for row in each])
        sets.add(*sets.write(indptr, np.concatenate([np.empty(0, np.int64), *each])))
        return sets

    def write(self, indptr: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, int]:
        """Append rows of ascending ids; return their start positions and total bytes."""
        from edgewise.operators.cpu.set_rows import pack

        data, starts = pack(self.num_vertices, indptr, ids)
        at, size = self.used, len(data)
        self.reserve(at + size)
        self.data[at : at + size] = data
        self.used = at + size
        return starts + at, size

    @property
    def starts(self) -> Any:
        """The position in ``data`` at which the row of each set begins."""
        if len(self._starts) > 1:
            self._starts = [self.xp.concatenate(self._starts)]
        return self._starts[0]

    @property
    def _rows(self) -> SetRows:
        return SetRows(self.data, self.starts, self.num_vertices)

    def reserve(self, size: int) -> None:
        """Grow ``data`` to at least the given size, with some spare capacity."""
        if size <= len(self.data):
            return
        size += len(self.data) // 8
        if self.xp is np and self.data.flags.owndata:
            self.data.resize(size, refcheck=False)  # in place, where the system can
        else:
            grown = self.xp.empty(size, np.uint8)
            grown[: self.used] = self.data[: self.used]
            self.data = grown

    def add(self, starts: Any, payload: int) -> None:
        """Append sets whose rows are in ``data``, given their total number of bytes."""
        self._starts.append(starts)
        self.payload += payload

    def _take_up(self, starts: Any, payload: int, memory: int | None) -> bool:
        """`add`, as far as all is within ``memory`` bytes; False if that is not all of them."""
        from edgewise.operators.cpu.set_rows import measure

        if memory is None or self.nbytes + payload + 8 * len(starts) <= memory:
            self.add(starts, payload)
            return True
        more = Sets(self.num_vertices, self.device, self.xp)
        more.data, more.used = self.data, self.used
        more.add(starts, payload)
        ends = np.cumsum(measure(more.to("cpu")._rows)[1] + 8)
        fit = int(np.searchsorted(ends, memory - self.nbytes, side="right"))
        if fit:
            self.add(starts[:fit], int(ends[fit - 1]) - 8 * fit)
        return False

    def __len__(self) -> int:
        return sum(map(len, self._starts))

    @property
    def nbytes(self) -> int:
        """The number of bytes of all rows and of their start positions."""
        return self.payload + 8 * len(self)

    @property
    def sizes(self) -> Any:
        """The number of members of each set."""
        from edgewise.operators.cpu.set_rows import measure

        return self.xp.asarray(measure(self.to("cpu")._rows)[0])

    def row(self, i: int) -> Any:
        """Return the members of one set, ascending, in host memory."""
        i = check_count(i, "i", 0, len(self) - 1)
        one = Sets(self.num_vertices)
        begin = int(self.starts[i])
        rows = self.data[begin : begin + longest_row(self.num_vertices)]
        one.data = rows if isinstance(rows, np.ndarray) else rows.get()
        one.add(np.zeros(1, np.int64), 0)
        return one.members()[1]

    def members(self) -> tuple[Any, Any]:
        """Return all sets uncompressed, in rows.

        Set i is at positions ``indptr[i]`` to ``indptr[i + 1] - 1``.
        """
        from edgewise.operators.cpu.set_rows import unpack

        indptr, ids = unpack(self.to("cpu")._rows)
        return self.xp.asarray(indptr), self.xp.asarray(ids)

    def to(self, device: str) -> Sets:
        """Return the sets on a device (``"cpu"`` or ``"cuda"``); unchanged if already there."""
        if device == self.device:
            return self
        if device == "cpu":
            from edgewise.base.cuda.device import host

            moved = Sets(self.num_vertices)
            moved.data, moved.used = host(self.data[: self.used]), self.used
            moved.add(host(self.starts), self.payload)
            return moved
        from edgewise.base.cuda.device import array_module, device_number

        number = device_number(device)
        if self.device != "cpu":
            return self if self.device == f"cuda:{number}" else self.to("cpu").to(device)
        moved = Sets(self.num_vertices, f"cuda:{number}", array_module())
        moved.data, moved.used = moved.xp.array(self.data[: self.used]), self.used
        moved.add(moved.xp.array(self.starts), self.payload)
        return moved

    def __repr__(self) -> str:
        return f"Sets({len(self)} sets of {self.num_vertices} vertices, {self.nbytes} bytes)"
