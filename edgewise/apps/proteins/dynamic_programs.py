"""Alignments of two sequences, row by row: both engines compile these functions.

Gaps are affine: one of n letters costs ``gap_open + (n - 1) * gap_extend``. ``best[j]`` is the best
score of an alignment that ends in row i and column j, ``down[j]`` of one that ends in a gap there.
Beside each score, `Trail` may carry where its alignment begins and what it consists of. Ties go to
the diagonal, then to the gap in the reference, and to the first cell of a row; gaps are opened
rather than extended. So scores are exact, and counts are those of one optimal alignment, the same
on every engine. Arrays are read at ``at + j * stride``: the rows of neighboring GPU threads
alternate.

O(m n) time, O(n) memory. Reference: O. Gotoh. An improved algorithm for matching biological
sequences. J. Mol. Biol. 1982. X-drop: Z. Zhang et al. A greedy algorithm for aligning DNA
sequences. J. Comput. Biol. 2000.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["COUNT", "FIELDS", "MATCH", "Costs", "Trail", "extension", "local_alignment"]

#: What `local_alignment` returns: ends are behind the last letter.
FIELDS = ("score", "left_begin", "left_end", "right_begin", "right_end", "matches", "columns")
#: In counts, a column of an alignment, and one of two equal letters.
COUNT, MATCH = np.int64(1), np.int64((1 << 32) + 1)
_NEVER = np.int32(-(1 << 30))
_32, _LOW = np.int64(32), np.int64(0xFFFFFFFF)


class Costs(NamedTuple):
    """What letters and gaps cost."""

    scores: Any  #: int8, one row of 32 per letter
    gap_open: Any  #: int32, of the first letter of a gap
    gap_extend: Any  #: int32, of each further letter


class Trail(NamedTuple):
    """Where the alignments of a row begin (row and column), and their matches and columns."""

    begin: Any
    count: Any
    down_begin: Any
    down_count: Any


def local_alignment(left, left_at, m, right, right_at, n, costs, center, band, enough, rows, trail):
    """The best local alignment near a diagonal: ``FIELDS``; without a trail, score and ends only.

    Column j of row i is considered if ``|j - i - center| <= band``. Rows that follow a score of
    ``enough`` are left out.
    """
    best, down, at, stride = rows
    for j in range(n):
        best[at + j * stride], down[at + j * stride] = 0, _NEVER
        if trail is not None:
            trail.begin[at + j * stride] = trail.count[at + j * stride] = 0
            trail.down_begin[at + j * stride] = trail.down_count[at + j * stride] = 0
    top, top_row, top_column = np.int32(0), -1, -1
    top_begin = top_count = np.int64(0)
    for i in range(max(0, -center - band), min(m, n - center + band)):
        low, high = max(0, i + center - band), min(n, i + center + band + 1)
        row = np.int64(left[left_at + i]) * 32
        across, before, diagonal = _NEVER, np.int32(0), np.int32(0)
        across_begin = across_count = before_begin = before_count = np.int64(0)
        diagonal_begin = diagonal_count = np.int64(0)
        if low > 0:
            diagonal = best[at + (low - 1) * stride]
            if trail is not None:
                diagonal_begin = trail.begin[at + (low - 1) * stride]
                diagonal_count = trail.count[at + (low - 1) * stride]
        for j in range(low, high):
            k = at + j * stride
            letter = right[right_at + j]
            above, value = best[k], diagonal + np.int32(costs.scores[row + letter])
            if trail is not None:
                begin, count = diagonal_begin, diagonal_count
                if diagonal == 0:
                    begin, count = (np.int64(i) << _32) | np.int64(j), np.int64(0)
                count += MATCH if letter == left[left_at + i] else COUNT
                diagonal_begin, diagonal_count = trail.begin[k], trail.count[k]
            diagonal = above
            if above - costs.gap_open >= down[k] - costs.gap_extend:
                below = above - costs.gap_open
                if trail is not None:
                    trail.down_begin[k], trail.down_count[k] = trail.begin[k], trail.count[k]
            else:
                below = down[k] - costs.gap_extend
            down[k] = below
            if before - costs.gap_open >= across - costs.gap_extend:
                across = before - costs.gap_open
                if trail is not None:
                    across_begin, across_count = before_begin, before_count
            else:
                across = across - costs.gap_extend
            if trail is not None:
                trail.down_count[k] += COUNT
                across_count += COUNT
                if below > value:
                    begin, count = trail.down_begin[k], trail.down_count[k]
                if across > max(value, below):
                    begin, count = across_begin, across_count
                trail.begin[k], trail.count[k] = begin, count
                before_begin, before_count = begin, count
            value = max(value, below, across, np.int32(0))
            best[k] = before = value
            if value > top:
                top, top_row, top_column = value, i, j
                if trail is not None:
                    top_begin, top_count = begin, count
        if top >= enough:
            break
    return (
        np.int64(top), top_begin >> _32, np.int64(top_row + 1), top_begin & _LOW,
        np.int64(top_column + 1), top_count >> _32, top_count & _LOW,
    )  # fmt: skip


def extension(left, left_at, m, right, right_at, n, step, costs, drop, floor, rows, counts):
    """The best alignment that begins at two letters, with cells of a low score left out.

    The sequences are read from ``left_at`` and ``right_at`` on, backwards if ``step`` is -1. A cell
    is left out if it scores less than the best of all rows before minus ``drop``, or less than
    ``floor``. Returns the score, the letters of either sequence, and the matches and columns of
    the alignment.
    """
    best, down, at, stride = rows
    tally, down_tally = counts
    best[at], down[at], tally[at] = 0, _NEVER, 0
    low, high, j = 0, 1, 1
    while j <= n and costs.gap_open + (j - 1) * costs.gap_extend <= min(drop, -floor):
        k = at + j * stride
        best[k], down[k] = -costs.gap_open - (j - 1) * costs.gap_extend, _NEVER
        tally[k] = j * COUNT
        j += 1
    high = j
    top, top_row, top_column, top_count = np.int32(0), 0, 0, np.int64(0)
    for i in range(1, m + 1):
        letter = left[left_at + (i - 1) * step]
        row, least = np.int64(letter) * 32, max(top - drop, floor)
        across, before, diagonal = _NEVER, _NEVER, _NEVER
        across_tally = before_tally = diagonal_tally = np.int64(0)
        first, last, j = n + 1, low, low
        while j <= n:
            k = at + j * stride
            above, above_down, above_tally = _NEVER, _NEVER, np.int64(0)
            if j < high:
                above, above_down, above_tally = best[k], down[k], tally[k]
            below, below_tally = above - costs.gap_open, above_tally + COUNT
            if below < above_down - costs.gap_extend:
                below, below_tally = above_down - costs.gap_extend, down_tally[k] + COUNT
            if before - costs.gap_open >= across - costs.gap_extend:
                across, across_tally = before - costs.gap_open, before_tally + COUNT
            else:
                across, across_tally = across - costs.gap_extend, across_tally + COUNT
            value, count = _NEVER, np.int64(0)
            if diagonal > _NEVER:
                other = right[right_at + (j - 1) * step]
                value = diagonal + np.int32(costs.scores[row + other])
                count = diagonal_tally + (MATCH if other == letter else COUNT)
            if below > value:
                value, count = below, below_tally
            if across > value:
                value, count = across, across_tally
            diagonal, diagonal_tally = above, above_tally
            if value < least:
                value = below = across = _NEVER
                if j >= high:
                    break
            else:
                first, last = min(first, j), j + 1
            best[k], down[k], tally[k], down_tally[k] = value, below, count, below_tally
            before, before_tally = value, count
            if value > top:
                top, top_row, top_column, top_count = value, i, j, count
            j += 1
        low, high = first, last
        if low >= high:
            break
    return np.int64(top), top_row, top_column, top_count >> _32, top_count & _LOW
