"""Where vertices are on a grid: arithmetic from ids to positions, blocks and local numbers.

A distribution gives every vertex a position, and the positions are cut into as many pieces as there
are ranks, in sizes that differ by one at most. A row block is C pieces in a row, a column block R,
and rank k owns piece k, which lies in its row block. *Striped*: vertex v goes to piece v mod p, so
that neighbors in id, often alike in degree, are dealt out evenly. *Block*: positions are ids.
*Random*: a permutation computed by a Feistel network [1]; nobody holds a table. *By parts*: the
vertices of part 0 come first, then those of part 1, and so on; every rank holds the table. On a
grid of R x 1 ranks, a rank then has all edges of its own vertices, and few lead to other ranks. On
a square grid, the edges inside parts are on the ranks of the diagonal.

A rank numbers the vertices of its row block and its column block from 0, in one of three ways [2]:
apart (type 0), or as one range if they overlap, from the row block's start (1) or the column
block's (2). All of it takes arrays of NumPy or CuPy.

[1] J. Black, P. Rogaway. Ciphers with arbitrary finite domains. CT-RSA 2002.
[2] G. Slota, M. Mandulak. Scaling distributed graph processing to hundreds of GPUs. ICPP 2025.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.random import check_seed, mix
from edgewise.graph.csr import index_dtype

__all__ = ["DISTRIBUTIONS", "Layout", "Numbering", "Range"]

DISTRIBUTIONS = ("striped", "block", "random")
_ROUNDS = 4


class Range(NamedTuple):
    """Positions from ``low`` to ``high - 1``."""

    low: int
    high: int

    @property
    def size(self) -> int:
        return self.high - self.low

    def common(self, other: Range) -> Range:
        """What both have; of no size if there is nothing."""
        low = max(self.low, other.low)
        return Range(low, max(low, min(self.high, other.high)))


class Layout:
    """The assignment of ``n`` vertices to R x C ranks.

    >>> layout = Layout(10, (2, 2))
    >>> layout.position(np.arange(10)).tolist()
    [0, 3, 6, 8, 1, 4, 7, 9, 2, 5]
    >>> layout.vertex(np.arange(10)).tolist()
    [0, 4, 8, 1, 5, 9, 2, 6, 3, 7]
    >>> layout.rows(1), layout.columns(0)
    (Range(low=6, high=10), Range(low=0, high=6))
    """

    def __init__(self, n: int, shape: tuple[int, int], distribution: str = "striped",
                 seed: int = 0, parts: Any = None):  # fmt: skip
        self.n, self.shape = int(n), (int(shape[0]), int(shape[1]))
        self.pieces = self.shape[0] * self.shape[1]
        self.distribution = check_choice(distribution, "distribution", DISTRIBUTIONS)
        self.seed = int(check_seed(seed))
        self.dtype = index_dtype(self.n)
        self._tables: tuple[Any, ...] = ()
        if parts is not None:
            self._tables = _by_parts(self.n, parts, self.distribution)
            self.distribution = "parts"

    @property
    def of_others(self) -> str:
        """The distribution of graphs with other vertices that are made of this one's."""
        return "striped" if self._tables else self.distribution

    def start(self, piece: Any) -> Any:
        """Return the first position of a piece."""
        each, more = divmod(self.n, self.pieces)
        if isinstance(piece, int):
            return piece * each + min(piece, more)
        return piece * each + piece.clip(None, more)

    def piece(self, positions: Any) -> Any:
        """Return the piece of each position."""
        each, more = divmod(self.n, self.pieces)
        large = more * (each + 1)
        before = positions // (each + 1)
        after = (positions - large) // max(each, 1) + more
        return _where(positions < large, before, after)

    def rows(self, r: int) -> Range:
        """Return the positions of row block ``r``."""
        columns = self.shape[1]
        return Range(self.start(r * columns), self.start((r + 1) * columns))

    def columns(self, c: int) -> Range:
        """Return the positions of column block ``c``."""
        rows = self.shape[0]
        return Range(self.start(c * rows), self.start((c + 1) * rows))

    def owned(self, rank: int) -> Range:
        """Return the positions of the piece that a rank owns."""
        return Range(self.start(rank), self.start(rank + 1))

    def rank(self, sources: Any, targets: Any) -> Any:
        """Return the rank that holds the arcs between the given positions."""
        rows, columns = self.shape
        return self.piece(sources) // columns * columns + self.piece(targets) // rows

    def position(self, ids: Any) -> Any:
        """Return the positions of vertices."""
        if self._tables:
            return _looked_up(self._tables[0], ids)
        if self.distribution == "block":
            return ids
        if self.distribution == "striped":
            return (self.start(ids % self.pieces) + ids // self.pieces).astype(ids.dtype)
        return self._walk(ids, range(_ROUNDS))

    def vertex(self, positions: Any) -> Any:
        """Return the vertices at the given positions."""
        if self._tables:
            return _looked_up(self._tables[1], positions)
        if self.distribution == "block":
            return positions
        if self.distribution == "striped":
            piece = self.piece(positions)
            within = positions - self.start(piece)
            return (within * self.pieces + piece).astype(positions.dtype)
        return self._walk(positions, range(_ROUNDS)[::-1])

    def _walk(self, numbers: Any, rounds: Any) -> Any:
        """Through the network until a number below ``n`` comes out; it is a bijection."""
        half = max(1, -(-(max(self.n, 2) - 1).bit_length() // 2))
        words, n = numbers.astype(np.uint64), np.uint64(self.n)
        words = self._shuffled(words, half, rounds)
        outside = words >= n
        while outside.any():
            words[outside] = self._shuffled(words[outside], half, rounds)
            outside = words >= n
        return words.astype(numbers.dtype)

    def _shuffled(self, words: Any, half: int, rounds: Any) -> Any:
        shift, mask = np.uint64(half), np.uint64((1 << half) - 1)
        left, right = words >> shift, words & mask
        forward = rounds[0] == 0
        with np.errstate(over="ignore"):
            for turn in rounds:
                key = np.uint64((self.seed * _ROUNDS + turn + 1) & 0xFFFFFFFFFFFFFFFF)
                if forward:
                    left, right = right, left ^ (mix(right ^ mix(key)) & mask)
                else:
                    left, right = right ^ (mix(left ^ mix(key)) & mask), left
        return (left << shift) | right

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        table = self._tables[0].tobytes() if self._tables else b""
        return self.n, self.shape, self.distribution, self.seed, table

    def numbering(self, rank: int) -> Numbering:
        """Return the local numbering of a rank."""
        r, c = divmod(rank, self.shape[1])
        return Numbering(self.rows(r), self.columns(c))

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"Layout({self.n:,} vertices, {rows}x{columns}, {self.distribution})"


class Numbering:
    """Local numbers for the positions of a row block and a column block.

    >>> [Numbering(Range(0, 4), Range(*b)).type for b in [(4, 8), (2, 6), (0, 2)]]
    [0, 1, 1]
    >>> apart = Numbering(Range(4, 6), Range(0, 2))
    >>> apart.local(np.array([4, 5, 0, 1])).tolist(), apart.positions().tolist()
    ([0, 1, 2, 3], [4, 5, 0, 1])
    """

    def __init__(self, rows: Range, columns: Range):
        self.of = {"row": rows, "column": columns}
        if rows.common(columns).size == 0:
            self.type, starts = 0, (0, rows.size)
            self.size = rows.size + columns.size
        else:
            low = min(rows.low, columns.low)
            self.type = 1 if rows.low <= columns.low else 2
            starts = (rows.low - low, columns.low - low)
            self.size = max(rows.high, columns.high) - low
        self.start = dict(zip(("row", "column"), starts, strict=True))

    def slice(self, side: str) -> slice:
        """The local numbers of a side: "row" or "column"."""
        return slice(self.start[side], self.start[side] + self.of[side].size)

    def local(self, positions: Any) -> Any:
        """The local numbers of positions that are in either block."""
        rows = self.of["row"]
        by_row = positions - (rows.low - self.start["row"])
        if self.type:
            return by_row
        by_column = positions - (self.of["column"].low - self.start["column"])
        inside = (positions >= rows.low) & (positions < rows.high)
        return _where(inside, by_row, by_column)

    def positions(self, xp: Any = np) -> Any:
        """The position of every local number."""
        if self.type:
            low = self.of["row"].low - self.start["row"]
            return xp.arange(low, low + self.size)
        return xp.concatenate([xp.arange(*self.of["row"]), xp.arange(*self.of["column"])])


def _by_parts(n: int, parts: Any, distribution: str) -> tuple[np.ndarray, np.ndarray]:
    """The position of each vertex, and the vertex at each position, part by part."""
    given = np.asarray(parts)
    if given.shape != (n,) or (n and given.dtype.kind not in "iu"):
        raise ValueError(f"parts must be one whole number per vertex ({n}), got {parts!r:.80}")
    if distribution != "striped":
        raise ValueError(f"distribution must be left out with parts, got {distribution!r}")
    vertices = np.argsort(given, kind="stable")
    positions = np.empty(n, np.int64)
    positions[vertices] = np.arange(n)
    return positions, vertices


def _looked_up(table: np.ndarray, at: Any) -> Any:
    """The entries of a table in host memory, where and as what the places are."""
    if not hasattr(at, "get"):  # not on a GPU
        return table[at].astype(at.dtype)
    import cupy

    return cupy.asarray(table[at.get()].astype(at.dtype))


def _where(condition: Any, yes: Any, no: Any) -> Any:
    if isinstance(condition, (bool, np.bool_)):
        return yes if condition else no
    return no + condition * (yes - no)
