"""Decimal text to numbers inside kernels, correctly rounded.

`whole` reads an id, `number` a weight. A number is taken as a mantissa of at most 19 digits and a
power of ten. If both are small their quotient or product is exact (Clinger [1]); otherwise one
64 by 128 bit product with a table of powers of five settles the rounding of nearly every input
(Lemire [2]). What is left, such as subnormals or 20 digits and more, is reported as odd: its syntax
is right, and the caller asks Python's ``float`` or ``int`` for its value.

[1] W. D. Clinger. How to read floating point numbers accurately. PLDI 1990.
[2] D. Lemire. Number parsing at a gigabyte per second. Software: Practice and Experience, 2021.
"""

from __future__ import annotations

import re

import numpy as np

from edgewise.base.cache import helper

__all__ = ["BAD", "INTEGER", "ODD", "ODD_INTEGER", "ODD_REAL", "REAL", "number", "settled", "whole"]

#: What `number` found.
BAD, INTEGER, REAL, ODD_INTEGER, ODD_REAL = range(5)

#: The bits of a NaN that stands for an odd number.
ODD = np.uint64(0xFFF8 << 48)

_NUMBER = re.compile(rb"[-+.0-9eE]+")
_LEAST, _MOST = -325, 308
_LARGEST = np.uint64(2**63 - 1)
_U = np.uint64


def _powers_of_five() -> np.ndarray:
    """The leading 128 bits of 5**q for q in _LEAST.._MOST.

    Rounded down; rounded up for -27 <= q < 0, where a product can lie exactly half way [2].
    """
    words = []
    for q in range(_LEAST, _MOST + 1):
        power = 5**q if q >= 0 else (1 << (3 * -q + 128)) // 5**-q
        shift = power.bit_length() - 128
        power = power >> shift if shift > 0 else power << -shift
        power += -27 <= q < 0
        words.append((power >> 64, power & (2**64 - 1)))
    return np.array(words, np.uint64)


_NAN, _INFINITY = np.frombuffer(b"nan", np.uint8), np.frombuffer(b"infinity", np.uint8)
_FIVES = _powers_of_five()
_TENS = np.array([10.0**q for q in range(23)])


@helper(forceinline=True)
def whole(data, pos, end, ends):
    """A whole number at ``pos``: ``(position after it, value, found)``.

    ``ends[byte]`` is not 0 for a byte that may follow. ``found`` is 1, or 0 if there is no whole
    number, or -1 if it exceeds 63 bits.
    """
    begin = pos
    value = _U(0)
    while pos < end:
        digit = data[pos] - np.uint8(48)
        if digit > _U(9):
            break
        value = value * _U(10) + digit
        pos += 1
    found = 1
    if pos == begin or (pos < end and ends[data[pos]] == 0):
        found = 0
    elif pos - begin > 18:
        while data[begin] == 48 and begin < pos - 1:
            begin += 1
        if pos - begin > 19 or value > _LARGEST:
            found = -1
    return pos, np.int64(value), found


@helper
def number(data, pos, end, ends):
    """A decimal number at ``pos``: ``(position after it, value, what was found)``."""
    begin = pos
    negative = pos < end and data[pos] == 45
    if pos < end and (negative or data[pos] == 43):
        pos += 1
    start = pos
    mantissa, digits, exponent, seen, point = _U(0), 0, 0, 0, False
    while pos < end:
        digit = data[pos] - np.uint8(48)
        if digit <= _U(9):
            seen += 1
            if digits > 0 or digit > _U(0):
                digits += 1
                if digits <= 19:
                    mantissa = mantissa * _U(10) + digit
            if point:
                exponent -= 1
        elif data[pos] == 46 and not point:
            point = True
        else:
            break
        pos += 1
    real = point
    if seen == 0:
        return _word(data, start, end, ends, negative)
    if pos < end and (data[pos] == 101 or data[pos] == 69):
        pos, power = _exponent(data, pos + 1, end)
        if pos < 0:
            return begin, 0.0, BAD
        exponent += power
        real = True
    if pos < end and ends[data[pos]] == 0:
        return begin, 0.0, BAD
    if not real and (digits > 19 or mantissa > _U(2**53)):
        return pos, 0.0, ODD_INTEGER
    if digits > 19:
        return pos, 0.0, ODD_REAL
    value = _nearest(mantissa, exponent)
    if value < 0:
        return pos, 0.0, ODD_REAL
    return pos, -value if negative else value, REAL if real else INTEGER


@helper
def _exponent(data, pos, end):
    """The digits after an ``e``: the position after them, or -1, and their value."""
    negative = pos < end and data[pos] == 45
    if pos < end and (negative or data[pos] == 43):
        pos += 1
    begin, power = pos, 0
    while pos < end and data[pos] - np.uint8(48) <= _U(9):
        if power < 100000:
            power = power * 10 + np.int64(data[pos]) - 48
        pos += 1
    return (-1 if pos == begin else pos), (-power if negative else power)


@helper
def _word(data, pos, end, ends, negative):
    """``inf``, ``infinity`` or ``nan`` at ``pos``, in any case of letters."""
    stop = pos
    while stop < end and ends[data[stop]] == 0:
        stop += 1
    size = stop - pos
    if size == 3 and _same(data, pos, size, _NAN):
        return stop, np.nan, REAL
    if (size == 3 or size == 8) and _same(data, pos, size, _INFINITY):
        return stop, -np.inf if negative else np.inf, REAL
    return pos, 0.0, BAD


@helper
def _same(data, pos, size, word):
    same = True
    for i in range(size):
        same &= data[pos + i] | np.uint8(32) == word[i]
    return same


@helper
def _nearest(mantissa, exponent):
    """The float64 nearest to ``mantissa * 10**exponent``; -1 if that takes more than is here."""
    if mantissa == _U(0):
        return 0.0
    if mantissa <= _U(2**53):
        if 0 <= exponent <= 22:
            return np.float64(mantissa) * _TENS[exponent]
        if -22 <= exponent < 0:
            return np.float64(mantissa) / _TENS[-exponent]
    if exponent < _LEAST or exponent > _MOST:
        return -1.0
    zeros = 0
    while mantissa >> _U(63) == _U(0):
        mantissa <<= _U(1)
        zeros += 1
    high, low = _product(mantissa, _FIVES[exponent - _LEAST, 0])
    if high & _U(0x1FF) == _U(0x1FF):  # the bits below the rounding point may still change
        carry, _ = _product(mantissa, _FIVES[exponent - _LEAST, 1])
        low += carry
        if low < carry:
            high += _U(1)
    if low == _U(2**64 - 1) and not -27 <= exponent <= 55:
        return -1.0
    top = high >> _U(63)
    bits = high >> (top + _U(9))
    power = ((217706 * exponent) >> 16) + 1086 + np.int64(top) - zeros
    if power <= 0 or power >= 2046:
        return -1.0
    half_way = low <= _U(1) and -4 <= exponent <= 23 and bits << (top + _U(9)) == high
    if half_way and bits & _U(3) == _U(1):  # round to even
        bits &= ~_U(1)
    bits = (bits + (bits & _U(1))) >> _U(1)
    if bits >= _U(2**53):
        bits = _U(2**52)
        power += 1
    bits = (bits & _U(2**52 - 1)) | (_U(power) << _U(52))
    return np.uint64(bits).view(np.float64)


@helper
def _product(a, b):
    """The 128 bits of ``a * b``: high word, low word."""
    mask = _U(0xFFFFFFFF)
    a_high, a_low, b_high, b_low = a >> _U(32), a & mask, b >> _U(32), b & mask
    cross = a_high * b_low + (a_low * b_low >> _U(32))
    middle = a_low * b_high + (cross & mask)
    return a_high * b_high + (cross >> _U(32)) + (middle >> _U(32)), a * b


def settled(text: np.ndarray, weights: np.ndarray, kinds: int, real: bool) -> np.ndarray:
    """The weights as int64 if all are whole numbers of that size, else float64.

    ``kinds`` has a bit for each kind that was found. An odd weight is a NaN with the bits of `ODD`:
    its low bits are its place in the text.
    """
    odd = np.zeros(0, np.int64)
    if kinds & (1 << ODD_INTEGER | 1 << ODD_REAL):
        odd = np.flatnonzero(weights.view(np.uint64) >> np.uint64(51) == 0x1FFF)
    places = (weights[odd].view(np.uint64) & ~ODD).tolist()
    matches = (_NUMBER.match(text.data, place) for place in places)
    tokens = [match[0] for match in matches if match]
    if not real and not kinds & (1 << REAL | 1 << ODD_REAL):
        exact = [int(token) if len(token) < 1000 else 2**63 for token in tokens]
        if all(-(2**63) <= value < 2**63 for value in exact):
            weights[odd] = 0
            whole_weights = weights.astype(np.int64)
            whole_weights[odd] = exact
            return whole_weights
    weights[odd] = [float(token) for token in tokens]
    return weights
