"""A function over other globals: the copy, itself inside the copy, and the package."""

from __future__ import annotations

import edgewise as ew
from edgewise.base import atomic
from edgewise.base.rebind import package_with, rebound

FACTOR = 2


def scaled(x, more=1, *, extra=0):
    return x * FACTOR + more + extra


def falls(x):
    return 0 if x == 0 else FACTOR + falls(x - 1)


def closing(cell):
    return lambda x: x + cell


def tens(value):
    return 10 * value if isinstance(value, int) else value


def test_globals_cells_and_defaults():
    assert rebound(scaled, tens, lambda copy: copy)(1) == 21
    assert rebound(scaled, tens, lambda copy: copy)(1, extra=5) == 26
    assert rebound(closing(3), tens, lambda copy: copy)(1) == 31
    assert scaled(1) == 3 and FACTOR == 2


def test_a_function_that_calls_itself_finds_its_copy():
    made = {}

    def twin(value):
        return made.get("copy", value) if value is falls else tens(value)

    copy = rebound(falls, twin, lambda copy: made.setdefault("copy", copy))
    assert copy(3) == 60 and falls(3) == 6


def test_the_package_with_other_atomics():
    class Other:
        add = staticmethod(lambda array, index, value: "other")

    package = package_with(Other)
    assert package.atomic.add([0], 0, 1) == "other" and package.bfs is ew.bfs
    assert ew.atomic is atomic
