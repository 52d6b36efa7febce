"""Sequences read from FASTA files, as one array of letters.

>>> found = encoded({"P1": "MKVL", "P2": "mkwx"})
>>> found.names, found.text(1), found.lengths.tolist()
(['P1', 'P2'], 'MKWX', [4, 4])
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import CODES, LETTERS, NONE, SPACE
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.io.files import read_bytes

__all__ = ["Sequences", "check_pairs", "encoded", "read_fasta"]

#: Letters of a sequence, at most: positions and scores are 32-bit numbers.
_LONGEST = 1 << 24


class Sequences(NamedTuple):
    """Protein sequences.

    Attributes
    ----------
    names : list of str
        The name of each sequence, unique.
    letters : array of uint8
        The letters of all sequences, as positions in `alphabets.LETTERS`.
    starts : array of int64
        Sequence i has the letters ``starts[i]`` to ``starts[i + 1]``.
    """

    names: list[str]
    letters: np.ndarray
    starts: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """The number of letters of each sequence."""
        return np.diff(self.starts)

    def text(self, i: int) -> str:
        """One sequence as a string of upper-case letters."""
        return "".join(LETTERS[code] for code in self.letters[self.starts[i] : self.starts[i + 1]])


def encoded(sequences: Any) -> Sequences:
    """Return sequences from a mapping of names to strings, or from (name, string) pairs.

    Raises
    ------
    ValueError
        If a name occurs twice, or a sequence is empty or has other characters than letters.
    """
    pairs = sequences.items() if isinstance(sequences, Mapping) else sequences
    names, parts, seen = [], [], set()
    for name, text in pairs:
        if name in seen:
            raise ValueError(f"the name {name!r} occurs twice")
        seen.add(name)
        codes = CODES[np.frombuffer(str(text).encode("latin-1", "replace"), np.uint8)]
        codes = codes[codes != SPACE]
        if (codes == NONE).any() or not 0 < len(codes) <= _LONGEST:
            raise ValueError(f"sequence {name!r} must be 1 to {_LONGEST:,} amino acid letters")
        names.append(str(name))
        parts.append(codes)
    starts = offsets([len(part) for part in parts])
    return Sequences(names, np.concatenate([np.empty(0, np.uint8), *parts]), starts)


def read_fasta(path: str | os.PathLike) -> Sequences:
    """Return the protein sequences of a FASTA file.

    Parameters
    ----------
    path : path
        A FASTA file. Files that end in ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` are decompressed.

    Returns
    -------
    Sequences
        The sequences in the order of the file. The name of a sequence is the first word of its
        header line.

    Raises
    ------
    FileFormatError
        If the file has no sequences, text before the first header, a header without a name, a name
        twice, an empty sequence, or a character that is no amino acid.

    Notes
    -----
    Letters may be of lower case. B, Z and X are ambiguous amino acids, ``*`` is a stop. U is read
    as C, O as K, and J as X.
    """
    data = read_bytes(path)
    ends = np.append(np.flatnonzero(data == ord("\n")), len(data))
    begins = np.append(0, ends[:-1] + 1)
    filled = begins < len(data)
    begins, ends = begins[filled], ends[filled]  # line i is number i + 1
    heads = np.flatnonzero(data[begins] == ord(">")) if len(data) else np.empty(0, np.int64)
    codes = CODES[data]
    marks = np.zeros(len(data) + 1, np.int64)
    np.add.at(marks, begins[heads], 1)
    np.add.at(marks, ends[heads], -1)
    codes[np.cumsum(marks[:-1]) > 0] = SPACE  # header lines
    used = np.flatnonzero(codes != SPACE)
    _check(path, data, codes, used, begins, begins[heads])
    names = _names(path, data, begins[heads], ends[heads], heads)
    starts = np.append(np.searchsorted(used, begins[heads]), len(used))
    lengths = np.diff(starts)
    for wrong, reason in ((lengths == 0, "an empty sequence"), (lengths > _LONGEST, "too long")):
        if wrong.any():
            i = int(wrong.argmax())
            raise FileFormatError(path, f"{names[i]!r} has {reason}", int(heads[i]) + 1)
    return Sequences(names, codes[used], starts)


def _check(
    path: Any, data: np.ndarray, codes: np.ndarray, used: np.ndarray, begins: np.ndarray,
    heads: np.ndarray,
) -> None:  # fmt: skip
    """Refuse files without a header, text before the first, and characters that are no letters."""

    def line(place: int) -> int:
        return int(np.searchsorted(begins, place, side="right"))

    if len(used) and (not len(heads) or used[0] < heads[0]):
        raise FileFormatError(path, "a FASTA file begins with a line '>name'", line(used[0]))
    if not len(heads):
        raise FileFormatError(path, "the file has no sequences")
    wrong = used[codes[used] == NONE]
    if len(wrong):
        what = repr(chr(data[wrong[0]]))
        hint = "; gaps of an alignment must be removed" if what in ("'-'", "'.'") else ""
        raise FileFormatError(path, f"{what} is no amino acid{hint}", line(wrong[0]))


def _names(
    path: Any, data: np.ndarray, begins: np.ndarray, ends: np.ndarray, lines: np.ndarray
) -> list[str]:
    """The first word of each header."""
    names: list[str] = []
    first: dict[str, int] = {}
    for begin, end, line in zip(begins.tolist(), ends.tolist(), lines.tolist(), strict=True):
        words = data[begin + 1 : end].tobytes().split(None, 1)
        if not words:
            raise FileFormatError(path, "the header has no name", line + 1)
        try:
            name = words[0].decode()
        except UnicodeDecodeError:
            raise FileFormatError(path, "the header is not UTF-8", line + 1) from None
        if name in first:
            reason = f"the name {name!r} occurs twice, also in line {first[name]}"
            raise FileFormatError(path, reason, line + 1)
        first[name] = line + 1
        names.append(name)
    return names


def check_pairs(sequences: Sequences, left: Any, right: Any) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of pairs as arrays of int64, which are positions in the sequences."""
    left, right = (np.atleast_1d(np.asarray(side)) for side in (left, right))
    for name, side in (("left", left), ("right", right)):
        if side.ndim != 1 or (len(side) and side.dtype.kind not in "iu"):
            raise TypeError(f"{name} must be an array of positions, got {side.dtype}")
        if len(side) and not (side.min() >= 0 and side.max() < len(sequences.names)):
            raise ValueError(f"{name} must be positions below {len(sequences.names)}")
    if len(left) != len(right):
        raise ValueError(f"left and right must be of one length, got {len(left)}, {len(right)}")
    return left.astype(np.int64), right.astype(np.int64)
