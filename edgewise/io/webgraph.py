"""WebGraph's compressed graphs (BVGraph), read only: `.properties`, with `.graph` beside it.

A row of the BV format [1] has codes of its degree; of an earlier row that it repeats in part, of
the blocks that it repeats; of intervals of consecutive neighbors; and of the gaps between the
others. `.properties` says which codes these are. One thread decodes the rows one after the other,
in O(bits); files of offsets (`.offsets`, `.ef`) are not needed.

[1] P. Boldi, S. Vigna. The WebGraph framework I: compression techniques. WWW 2004.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import helper, inlined, kernel
from edgewise.base.cpu.bits import bit_length
from edgewise.base.cpu.team import going
from edgewise.base.errors import FileFormatError
from edgewise.base.parallel import launch
from edgewise.graph import Graph
from edgewise.io.binary import validated
from edgewise.io.files import free_memory, read_bytes

__all__ = ["read"]

_UNARY, _GAMMA, _DELTA, _ZETA = range(4)
_NAMES = ("UNARY", "GAMMA", "DELTA", "ZETA")
#: The parts of a row in the order of their codes, the flags that name them, and the usual codes.
_PARTS = {"OUTDEGREES": _GAMMA, "REFERENCES": _UNARY, "BLOCK_COUNT": _GAMMA, "BLOCKS": _GAMMA,
          "INTERVALS": _GAMMA, "RESIDUALS": _ZETA}  # fmt: skip
_TRUNCATED, _ARCS, _REFERENCE, _BLOCK, _INTERVALS, _RANGE, _ORDER = range(1, 8)
_REASONS = {
    _TRUNCATED: "the file ends",
    _ARCS: "more arcs than .properties says",
    _REFERENCE: "a reference to a vertex that is not before it, or beyond the window",
    _BLOCK: "a block of repeated neighbors beyond the row that is repeated",
    _INTERVALS: "more neighbors in intervals than its degree",
    _RANGE: "a neighbor that is no vertex",
    _ORDER: "a neighbor twice",
}


class Coding(NamedTuple):
    """The code of each part and its parameter, how far references go, the shortest interval."""

    codes: Any
    ks: Any
    window: int
    shortest: int


class Lists(NamedTuple):
    """Scratch for one row: the neighbors that are repeated, in intervals, and by gaps."""

    copied: Any
    runs: Any
    others: Any


def read(path: Path, *, directed: bool | None = None) -> Graph:
    """Return the graph of a `.properties` file and the `.graph` file beside it.

    Parameters
    ----------
    path : Path
        Either of the two files.
    directed : bool, optional
        The format holds arcs, so that the graph is directed by default. False is for files that
        have both arcs of each edge.

    Returns
    -------
    Graph

    Raises
    ------
    FileFormatError
        If a file is damaged, has codes other than unary, gamma, delta and zeta, or lacks the
        reverse of an arc where ``directed`` is False.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "arc.properties"
    ...     _ = path.write_text("graphclass=it.unimi.dsi.webgraph.BVGraph\\nnodes=2\\narcs=1\\n")
    ...     _ = (Path(folder) / "arc.graph").write_bytes(bytes([0b01011101, 0b11000000]))
    ...     read(path).edges()[1].tolist()
    [1]
    """
    about, bits = path.with_suffix(".properties"), path.with_suffix(".graph")
    facts = _facts(about)
    n, m = _number(about, facts, "nodes", None), _number(about, facts, "arcs", None)
    if n >= 2**31:
        raise FileFormatError(about, f"graphs of at most 2^31 - 1 vertices can be read, got {n}")
    coding = _coding(about, facts)
    data = read_bytes(bits)
    if not n <= 8 * len(data) + 1 or m >= 2**62:
        raise FileFormatError(bits, f"truncated: {len(data)} bytes for {n} vertices and {m} arcs")
    if (need := 4 * min(m, n * n) + 20 * n) > (free := free_memory()):
        raise FileFormatError(about, f"{m} arcs take {need} bytes, of which {free} are free")
    words = np.append(data, np.zeros(24 - len(data) % 8, np.uint8)).view(">u8").astype(np.uint64)
    indptr, indices = np.zeros(n + 1, np.int64), np.empty(min(m, n * n), np.int32)
    lists = Lists(*np.empty((3, n), np.int32))
    found = np.zeros(2, np.int64)
    launch(_decode, words, 8 * len(data), coding, indptr, indices, lists, found, work=1)
    fault, vertex = found.tolist()
    if fault:
        raise FileFormatError(bits, f"vertex {vertex}: {_REASONS[fault]}")
    if indptr[-1] != m:
        raise FileFormatError(bits, f"{indptr[-1]} arcs, but .properties says {m}")
    if directed is False:
        return validated(bits, Graph(indptr, indices, directed=False))
    return Graph(indptr, indices, directed=True)


def _facts(path: Path) -> dict[str, str]:
    """The lines ``key=value`` of a file of properties."""
    lines = read_bytes(path).tobytes().decode("latin-1").splitlines()
    pairs = [line.partition("=") for line in lines if not line.lstrip().startswith(("#", "!"))]
    facts = {key.strip().lower(): value.strip() for key, _, value in pairs}
    kind = facts.get("graphclass", "")
    if not kind.endswith("BVGraph"):
        raise FileFormatError(path, f"graphclass must be BVGraph, got {kind!r}")
    if facts.get("endianness", "big") != "big":
        raise FileFormatError(path, f"endianness must be big, got {facts['endianness']!r}")
    return facts


def _number(path: Path, facts: dict[str, str], key: str, usual: int | None) -> int:
    text = facts.get(key, "" if usual is None else str(usual))
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise FileFormatError(path, f"{key} must be a whole number, got {text!r}")
    return int(text)


def _coding(path: Path, facts: dict[str, str]) -> Coding:
    """Which codes the parts of rows have."""
    zeta = _number(path, facts, "zetak", 3)
    chosen = {part: (code, zeta) for part, code in _PARTS.items()}
    flags = [flag.strip() for flag in facts.get("compressionflags", "").split("|")]
    for flag in filter(None, flags):
        part, _, name = flag.upper().rpartition("_")
        k = int(name[4:]) if name[:4] == "ZETA" and name[4:].isdecimal() else zeta
        name = name.rstrip("0123456789")
        if part == "OFFSETS":
            continue
        if part not in chosen or name not in _NAMES:
            raise FileFormatError(path, f"the flag {flag!r} of compressionflags is not known")
        chosen[part] = _NAMES.index(name), k
        if part == "BLOCKS" and not any("BLOCK_COUNT" in one.upper() for one in flags):
            chosen["BLOCK_COUNT"] = chosen[part]
    codes, ks = zip(*chosen.values(), strict=True)
    if not all(1 <= k <= 16 for k in ks):
        raise FileFormatError(path, f"zetak must be from 1 to 16, got {max(ks)}")
    window = _number(path, facts, "windowsize", 7)
    return Coding(codes, ks, window, _number(path, facts, "minintervallength", 4))


@inlined
def _bits(words, place, count):
    """``count`` bits from a place on, as a number; bits beyond the end of the file are 0."""
    if count == 0 or place >= np.int64(len(words) - 2) * 64:
        return np.uint64(0)
    word, shift = np.uint64(place) >> np.uint64(6), np.uint64(place) & np.uint64(63)
    found = words[word] << shift
    if shift > np.uint64(0):
        found |= words[word + np.uint64(1)] >> (np.uint64(64) - shift)
    return found >> np.uint64(64 - count)


@helper
def _unary(words, place):
    """The number of bits before the next 1, and the place after it; -1 if there is no 1."""
    total = np.int64(0)
    while place < np.int64(len(words) - 2) * 64:
        word = _bits(words, place, 64)
        if word != np.uint64(0):
            zeros = 64 - bit_length(word)
            return total + zeros, place + zeros + 1
        total += 64
        place += 64
    return np.int64(-1), place


@helper
def _number_at(words, place, code, k):
    """The number that starts at a place, and the place after it; -1 if none is there."""
    zeros, place = _unary(words, place)
    if code == _UNARY or zeros < 0 or zeros > 62:
        return zeros if code == _UNARY else np.int64(-1), place
    size = zeros
    if code == _ZETA:
        size = zeros * k + k - 1
    elif code == _DELTA:
        size = np.int64((np.uint64(1) << np.uint64(zeros)) | _bits(words, place, zeros)) - 1
        place += zeros
    if size < 0 or size > 61:
        return np.int64(-1), place
    number = np.int64(_bits(words, place, size))
    place += size
    if code != _ZETA:
        return number + (np.int64(1) << size) - 1, place
    low = np.int64(1) << (zeros * k)
    if number < low:
        return number + low - 1, place
    return 2 * number + np.int64(_bits(words, place, 1)) - 1, place + 1


@inlined
def _signed(number):
    """0, 1, 2, 3, 4 mean 0, -1, 1, -2, 2."""
    return (number >> np.int64(1)) ^ -(number & np.int64(1))


@kernel(borrows=True)
def _decode(me, team, control, words, end, coding, indptr, indices, lists, found):
    """All rows; what is wrong with which vertex, if something is."""
    if me > 0:
        return
    place = np.int64(0)
    for v in range(len(indptr) - 1):
        if v % 1024 == 0 and not going(control, v):
            return
        place, fault = _row(words, place, v, coding, indptr, indices, lists)
        if place > end:
            fault = _TRUNCATED
        if fault > 0:
            found[0], found[1] = fault, v
            return


@helper
def _row(words, place, v, coding, indptr, indices, lists):
    """Decode the neighbors of a vertex; the place after them, and what is wrong."""
    codes, ks, n = coding.codes, coding.ks, len(indptr) - 1
    start = indptr[v]
    degree, place = _number_at(words, place, codes[0], ks[0])
    indptr[v + 1] = start + degree
    if degree <= 0:
        return place, _TRUNCATED if degree < 0 else 0
    if degree > n or degree > len(indices) - start:
        return place, _ARCS
    rows = indptr, indices
    repeated, place, fault = _repeats(words, place, v, degree, coding, rows, lists.copied)
    if fault > 0:
        return place, fault
    inside, place, fault = _intervals(words, place, v, degree - repeated, coding, n, lists.runs)
    if fault > 0:
        return place, fault
    rest = degree - repeated - inside
    at = np.int64(v)
    for k in range(rest):
        gap, place = _number_at(words, place, codes[5], ks[5])
        at = at + _signed(gap) if k == 0 else at + 1 + gap
        if gap < 0 or at < 0 or at >= n:
            return place, _RANGE
        lists.others[k] = at
    return place, _merge(lists, repeated, inside, rest, indices, start)


@helper
def _repeats(words, place, v, degree, coding, rows, copied):
    """Copy what a row repeats of another; how many these are."""
    codes, ks, count = coding.codes, coding.ks, np.int64(0)
    indptr, indices = rows
    if coding.window == 0:
        return count, place, 0
    back, place = _number_at(words, place, codes[1], ks[1])
    if back == 0:
        return count, place, 0
    if back < 0 or back > v or back > coding.window:
        return count, place, _REFERENCE
    at, stop = indptr[v - back], indptr[v - back + 1]
    blocks, place = _number_at(words, place, codes[2], ks[2])
    if blocks < 0 or blocks > stop - at + 1:
        return count, place, _BLOCK
    for b in range(blocks + 1):  # the last one goes to the end of the row
        size = stop - at
        if b < blocks:
            size, place = _number_at(words, place, codes[3], ks[3])
            size += b > 0
        if size < 0 or size > stop - at or (b % 2 == 0 and count + size > degree):
            return count, place, _BLOCK
        if b % 2 == 0:
            for k in range(size):
                copied[count + k] = indices[at + k]
            count += size
        at += size
    return count, place, 0


@helper
def _intervals(words, place, v, left, coding, n, runs):
    """The neighbors that are consecutive; how many these are."""
    codes, ks, count = coding.codes, coding.ks, np.int64(0)
    if left == 0 or coding.shortest == 0:
        return count, place, 0
    intervals, place = _number_at(words, place, codes[4], ks[4])
    if intervals < 0 or intervals > left:
        return count, place, _INTERVALS
    at = np.int64(v)
    for k in range(intervals):
        step, place = _number_at(words, place, codes[4], ks[4])
        size, place = _number_at(words, place, codes[4], ks[4])
        at = at + _signed(step) if k == 0 else at + 1 + step
        size += coding.shortest
        if step < 0 or size < coding.shortest or size > left - count:
            return count, place, _INTERVALS
        if at < 0 or at + size > n:
            return count, place, _RANGE
        for j in range(size):
            runs[count + j] = at + j
        count += size
        at += size
    return count, place, 0


@helper
def _merge(lists, repeated, inside, rest, indices, start):
    """Merge three ascending lists to a row; whether a neighbor stands in it twice."""
    a = b = c = np.int64(0)
    none = np.int64(2) ** 31
    last = np.int64(-1)
    for k in range(repeated + inside + rest):
        x = np.int64(lists.copied[a]) if a < repeated else none
        y = np.int64(lists.runs[b]) if b < inside else none
        z = np.int64(lists.others[c]) if c < rest else none
        least = min(x, y, z)
        if least == last:
            return _ORDER
        if x == least:
            a += 1
        elif y == least:
            b += 1
        else:
            c += 1
        last = least
        indices[start + k] = least
    return 0
