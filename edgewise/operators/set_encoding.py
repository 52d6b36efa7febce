"""How the rows of `edgewise.operators.sets` are written, for every engine.

A row is a number of whole bytes, wherever it begins in ``data``: its size, doubled (and one more
where it is a bitmap), then its members. These are the gaps between ascending ids, less one each, or
where the set holds an eighth of all vertices a bitmap of them. Numbers are written seven bits to a
byte, the lowest first, with the eighth set where more follow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["SetRows", "longest_row", "put_number", "take_number"]


class SetRows(NamedTuple):
    """The bytes of rows, where each row begins, and the number of vertices."""

    data: Any
    starts: Any
    num_vertices: int


def longest_row(num_vertices: int) -> int:
    """So many bytes are enough for every set of these vertices."""
    return num_vertices // 8 + num_vertices // 120 + 16


def put_number(data, at, number):
    """Write a number into a row's bytes, seven bits to each; where the next one goes.

    Engines compile this.
    """
    while number >= 128:
        data[at] = np.uint8((number & 127) | 128)
        number >>= 7
        at += 1
    data[at] = np.uint8(number)
    return at + 1


def take_number(data, at):
    """The number that is written here, and where the next one is. Engines compile this."""
    byte = np.int64(data[at])
    at += 1
    if byte < 128:
        return byte, at
    number, shift = byte & 127, 7
    while True:
        byte = np.int64(data[at])
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
