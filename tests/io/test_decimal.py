"""Decimal text to numbers: bit for bit what Python's float and int give."""

import random
import struct

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.cache import kernel
from edgewise.io.decimal import BAD, INTEGER, ODD_INTEGER, ODD_REAL, REAL, number, whole

ENDS = np.zeros(256, np.uint8)
ENDS[[10, 32, 44]] = 1


@kernel
def numbers(text, ends, values, kinds):
    pos = 0
    for i in range(len(values)):
        pos, values[i], kinds[i] = number(text, pos, len(text), ends)
        while text[pos] != 10:
            pos += 1
        pos += 1


@kernel
def wholes(text, ends, values, found):
    pos = 0
    for i in range(len(values)):
        pos, values[i], found[i] = whole(text, pos, len(text), ends)
        while text[pos] != 10:
            pos += 1
        pos += 1


def run(function, tokens, dtype):
    text = np.frombuffer("".join(f"{token}\n" for token in tokens).encode(), np.uint8)
    values, kinds = np.zeros(len(tokens), dtype), np.zeros(len(tokens), np.int64)
    function(text, ENDS, values, kinds)
    return values.tolist(), kinds.tolist()


def check(tokens):
    """Every token is what Python says, or is left to Python; the share that is left."""
    left = 0
    for token, value, kind in zip(tokens, *run(numbers, tokens, np.float64), strict=True):
        plain = token.lstrip("+-").isdigit()
        if kind in (ODD_INTEGER, ODD_REAL):
            assert plain == (kind == ODD_INTEGER), token
            float(token)
            left += 1
        else:
            assert kind == (INTEGER if plain else REAL), token
            assert struct.pack("d", value) == struct.pack("d", float(token)), token
    return left / len(tokens)


def test_shortest_floats():
    rng = random.Random(1)
    assert check([repr(rng.random()) for _ in range(20000)]) == 0
    assert check([repr(rng.uniform(-1e10, 1e10)) for _ in range(20000)]) == 0


def test_every_magnitude():
    rng = random.Random(2)
    bits = (struct.pack("Q", rng.getrandbits(64) & ~(1 << 52)) for _ in range(20000))
    values = (struct.unpack("d", word)[0] for word in bits)
    assert check([repr(value) for value in values if abs(value) < 1e308]) < 0.01
    tokens = [
        f"{rng.randrange(10**9)}.{rng.randrange(10**9):09}e{rng.randrange(-330, 300)}"
        for _ in range(20000)
    ]
    assert check(tokens) < 0.1


def test_half_way_between_two_floats():
    rng = random.Random(3)
    tokens = []
    for _ in range(5000):
        scaled = (2 * rng.randrange(2**52, 2**53) + 1) * 5 ** (k := rng.randrange(4))
        tokens.append(f"{scaled}e-{k}" if k else f"{scaled}.0")
        tokens.append(f"{2**53 + rng.randrange(2**10)}.5")
    check(tokens)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(allow_nan=False, width=64), min_size=1))
def test_floats_come_back(values):
    check([repr(value) for value in values])


@settings(max_examples=300, deadline=None)
@given(st.from_regex(r"[-+]?[0-9]{0,25}\.?[0-9]{0,25}([eE][-+]?[0-9]{1,4})?", fullmatch=True))
def test_syntax_is_that_of_float(token):
    try:
        float(token)
    except ValueError:
        assert run(numbers, [token], np.float64)[1] == [BAD]
    else:
        check([token])


def test_words():
    values, kinds = run(numbers, ["inf", "-Infinity", "+INF", "nan", "-NaN"], np.float64)
    assert kinds == [REAL] * 5
    assert values[:3] == [np.inf, -np.inf, np.inf]
    assert np.isnan(values[3:]).all()


@pytest.mark.parametrize(
    "token",
    ["", "-", "+", ".", "-.", "e5", "1e", "1e+", "1_000", "0x10", "infin", "na", "--1", "1.2.3"]
    + ["1a", "1 e5x", "\N{ARABIC-INDIC DIGIT ONE}", "infinity!", "1e5.0"],
)
def test_what_is_no_number(token):
    kind = run(numbers, [token], np.float64)[1]
    assert kind == ([INTEGER] if " " in token else [BAD])


def test_large_integers_are_left_to_python():
    exact = ["9007199254740992", "9007199254740993", "-9223372036854775808", "9" * 30]
    assert run(numbers, exact, np.float64)[1] == [INTEGER] + [ODD_INTEGER] * 3


def test_whole_numbers():
    tokens = ["0", "7", "007", "2147483648", "9223372036854775807", "0" * 30 + "5"]
    values, found = run(wholes, tokens, np.int64)
    assert values == [int(token) for token in tokens]
    assert found == [1] * len(tokens)


def test_what_is_no_whole_number():
    tokens = ["", "-1", "+1", "1.0", "x", "1x", "9223372036854775808", "9" * 19, "1" + "0" * 19]
    assert run(wholes, tokens, np.int64)[1] == [0] * 6 + [-1] * 3
