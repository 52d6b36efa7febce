"""Kernels from disk compute what their functions say, whatever was changed, planted or loaded.

Another process is played by functions that are made anew: what is compiled belongs to the objects.
Where addresses and names of one process could slip into another, there are two processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base import cache as module
from edgewise.base.cache import helper, kernel

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """A folder of kernels for this file alone."""
    path, outer = tmp_path_factory.mktemp("kernels"), os.environ.get("EDGEWISE_CACHE_DIR")
    os.environ["EDGEWISE_CACHE_DIR"] = str(path)
    yield path
    os.environ.pop("EDGEWISE_CACHE_DIR")
    if outer is not None:
        os.environ["EDGEWISE_CACHE_DIR"] = outer


def around(function):
    function = helper(function)

    @kernel
    def apply(out):
        out[0] = function(out[0])

    return apply


def value(apply, start=3, dtype=np.float64) -> float:
    out = np.array([start], dtype)
    apply(out)
    return float(out[0])


PROGRAM = """
G = {glob}
TABLE = np.array([0.0, {entry}])

def callee(x):
    return x * {factor} + TABLE[1]

callee_ = numba.njit(callee) if compiled else callee

def outer(cell):
    def f(x, k={default}):
        return callee_(x) + G + cell * k
    return f

f = outer({cell})
"""
FIRST = {"glob": 1, "entry": 2, "factor": 3, "default": 1, "cell": 5}


def program(values, compiled=True):
    scope = {"np": np, "numba": numba, "compiled": compiled, "__name__": "__main__"}
    exec(PROGRAM.format(**values), scope)
    return scope


def edit(scope, part, new) -> None:
    """Change a living program as its user might."""
    if part == "glob":
        scope["G"] = new
    elif part == "entry":
        scope["TABLE"][1] = new
    elif part == "factor":
        scope["callee"].__code__ = program(FIRST | {"factor": new})["callee"].__code__
    elif part == "default":
        scope["f"].__defaults__ = (new,)
    else:
        names = scope["f"].__code__.co_freevars
        scope["f"].__closure__[names.index("cell")].cell_contents = new


def check_edits(edits) -> None:
    """After each change a program made anew from what it is now must find nothing wrong."""
    values = dict(FIRST)
    living = program(values)
    apply = around(living["f"])
    for part, new, dtype in [("glob", 1, "f8"), *edits]:
        edit(living, part, new)
        values[part] = new
        value(apply, dtype=dtype)  # may still hold what was there, as always with Numba
        wanted = program(values, compiled=False)["f"](3)
        assert value(around(program(values)["f"]), dtype=dtype) == wanted, (values, dtype)


edits = st.lists(
    st.tuples(
        st.sampled_from(sorted(FIRST)), st.sampled_from([2, 7]), st.sampled_from(["f8", "i8"])
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=5)
@given(edits)
def test_edited_programs_compute_what_they_say(edits):
    check_edits(edits)


@pytest.mark.slow
@settings(max_examples=80)
@given(edits)
def test_many_edited_programs_compute_what_they_say(edits):
    check_edits(edits)


def test_a_global_changed_between_two_calls_leaves_no_wrong_kernel():
    """Twice: where the kernel itself holds it, and where a function that it calls does."""
    for name in ("f", "g"):
        source = "G = 2\ndef g(x): return x * G\ng = numba.njit(g)\ndef f(x): return g(x) * 1"
        source += " + G" if name == "f" else ""
        scopes = [{"numba": numba, "__name__": "__main__"} for _ in range(3)]
        for scope in scopes:
            exec(source, scope)
        apply = around(scopes[0]["f"])
        assert value(apply) == (8 if name == "f" else 6)
        scopes[0]["G"] = 10
        value(apply, dtype=np.int64)  # compiled anew, from the new value or around the old one
        assert value(around(scopes[1]["f"]), dtype=np.int64) == (8 if name == "f" else 6)
        scopes[2]["G"] = 10
        assert value(around(scopes[2]["f"]), dtype=np.int64) == (40 if name == "f" else 30)


def test_a_function_compiled_before_with_another_error_model():
    """What a callee takes over from its first caller is not kept as if it were a kernel's."""
    source = "def g(x): return 1.0 / (x - 3)\ng = numba.njit(g)\ndef f(x): return g(x)"
    scopes = [{"numba": numba, "__name__": "__main__"} for _ in range(2)]
    for scope in scopes:
        exec(source, scope)
    with pytest.raises(ZeroDivisionError):
        scopes[0]["g"](3.0)  # compiled on its own, where this is an error
    with pytest.raises(ZeroDivisionError):
        value(around(scopes[0]["f"]))
    assert value(around(scopes[1]["f"])) == np.inf


def test_a_whole_file_that_is_no_kernel_is_a_miss(monkeypatch):
    import pickle

    def twice(x):
        return x + x

    assert value(around(twice)) == 6
    assert sum(around(twice).stats.cache_hits.values()) == 0
    for planted in (pickle.dumps("no kernel"), pickle.dumps((1, 2)), b"", b"\x80\x04no pickle"):
        monkeypatch.setattr(module, "kept", lambda name, key, planted=planted: planted)
        apply = around(twice)
        assert value(apply) == 6 and sum(apply.stats.cache_hits.values()) == 0


CHILD = """
import ctypes, json, sys
import numba, numpy as np
from edgewise.base.cache import helper, kernel

def around(function):
    function = helper(function)

    @kernel
    def apply(out):
        out[0] = function(out[0])

    return apply

LARGE, SPARSE = np.full(200_000, 5.0), np.arange(20.0)[::2]
labs = ctypes.CDLL(None).labs
labs.argtypes, labs.restype = [ctypes.c_long], ctypes.c_long

@numba.njit
def even(x):
    return 1.0 if x == 0 else odd(x - 1)

@numba.njit
def odd(x):
    return 0.0 if x == 0 else even(x - 1)

def falling(step):
    @numba.njit
    def f(x):
        return x if x < 1 else f(x - step) + 1000
    return f

cases = {
    "large": lambda x: LARGE[int(x)],
    "strided": lambda x: SPARSE[int(x)],
    "foreign": lambda x: float(labs(int(-x))),
    "circle": even,
}
steps = sys.argv[1:]
report = {}
for name, function in [*cases.items(), *((step, falling(float(step))) for step in steps)]:
    apply, out = around(function), np.array([4.0])
    apply(out)
    report[name] = [float(out[0]), sum(apply.stats.cache_hits.values())]
print(json.dumps(report))
"""


def test_a_second_process_loads_no_addresses_and_no_names_of_the_first(tmp_path):
    """Large and strided arrays, foreign functions, functions that call each other in a circle.

    And recursive functions of the same name: each process compiles one and loads another.
    """
    import json

    environment = {**os.environ, "EDGEWISE_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    right = {"large": 5.0, "strided": 8.0, "foreign": 4.0, "circle": 1.0}
    falls = {"1": 4000.0, "2": 2000.0, "4": 1000.0}
    for steps, found in ((["1"], []), (["2", "1"], ["1"]), (["4", "1", "2"], ["1", "2"])):
        done = subprocess.run(
            [sys.executable, "-c", CHILD, *steps],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        values = {name: value for name, (value, _) in report.items()}
        assert values == right | {step: falls[step] for step in steps}
        assert [name for name, (_, hits) in report.items() if hits] == found
