"""The wait for the compiler: a clock without it, and who is told what."""

from __future__ import annotations

import gc
import io
import os
import pty
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from numba import njit

import edgewise as ew
from edgewise.base import compiler, compiling
from edgewise.base.cache import helper
from edgewise.base.compiling import clock, compile_seconds, kernels_compiled, telling
from edgewise.base.observe import Trace, notify, observe
from edgewise.operators import compute

GRAPH = ew.Graph.from_edges([0, 1], [1, 2])


class Terminal(io.StringIO):
    def isatty(self):
        return True


def fresh(number):
    """A function that no cache has seen, around a number of its own."""

    def function(v, array):
        array[v] = number + 0.5

    return function


@pytest.fixture
def cold(tmp_path, monkeypatch):
    monkeypatch.setenv("EDGEWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("EDGEWISE_QUIET", raising=False)


def test_the_clock_stands_still_while_something_compiles():
    start, before, compiled = clock(), time.perf_counter(), compile_seconds()
    with compiling.compiling():
        time.sleep(0.05)
        with compiling.compiling():
            time.sleep(0.05)
        assert clock() - start < 0.05
    assert clock() - start < 0.05 < time.perf_counter() - before
    wall = time.perf_counter() - before
    assert abs(clock() - start + compile_seconds() - compiled - wall) < 0.05
    time.sleep(0.02)
    assert clock() - start >= 0.02


def test_the_clock_never_goes_back_in_any_thread():
    seen, done = [], threading.Event()

    def look():
        while not done.is_set():
            seen.append(clock())

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(200):
        with compiling.compiling():
            pass
    done.set()
    thread.join()
    assert seen == sorted(seen)


def test_a_trace_leaves_compiling_out():
    with observe(Trace()) as trace:
        with compiling.compiling():
            time.sleep(0.05)
        notify(0)
    assert trace.rows[0]["seconds"] < 0.05


def test_an_error_of_the_compiler_ends_the_wait(cold):
    def wrong(v, array):
        array[v] = "text"

    told = []
    with telling(told.append), pytest.raises(TypeError):
        compute(GRAPH, None, wrong, (np.zeros(3),))
    assert told[-1] == ""
    assert clock() < clock() + 1 and compiling._depth == 0


def test_told_once_per_kernel_and_only_when_it_compiles(cold):
    told, count = [], kernels_compiled()
    array, function = np.zeros(3), fresh(1)
    with telling(told.append):
        compute(GRAPH, None, function, (array,))
        assert told == ["compiling compute, once for these types", ""]
        compute(GRAPH, None, function, (array,))
    assert len(told) == 2 and kernels_compiled() == count + 1
    assert array.tolist() == [1.5] * 3


def test_threads_of_the_team_tell_for_the_one_that_called(cold):
    many = ew.Graph.from_edges([0], [1], num_vertices=1 << 16)
    told = []
    with telling(told.append), ew.threads(2):
        compute(many, None, fresh(2), (many.full(0.0),))
    assert told == ["compiling compute, once for these types", ""]


def test_the_name_is_the_algorithm_that_was_called():
    told = []
    scope = {"__name__": "edgewise.operators.cpu.sweep", "compiling": compiling.compiling}
    exec("def sweep():\n with compiling(): pass", scope)
    outer = {"__name__": "edgewise.algorithms.ranking.somerank", "sweep": scope["sweep"]}
    exec("def _helper():\n sweep()\ndef somerank():\n _helper()", outer)
    with telling(told.append):
        scope["sweep"]()
        outer["somerank"]()
    assert told[::2] == [
        "compiling sweep, once for these types",
        "compiling somerank, once for these types",
    ]


def test_a_terminal_shows_a_line_that_goes_away(cold, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    compute(GRAPH, None, fresh(3), (np.zeros(3),))
    assert screen.getvalue() == "\r\x1b[Kcompiling compute, once for these types\r\x1b[K"


@pytest.mark.parametrize("why", ["pipe", "quiet", "closed", "none"])
def test_nobody_is_told_where_nobody_looks(cold, monkeypatch, why):
    screen = None if why == "none" else io.StringIO() if why == "pipe" else Terminal()
    if why == "closed":
        screen.close()
    if why == "quiet":
        monkeypatch.setenv("EDGEWISE_QUIET", "1")
    monkeypatch.setattr(sys, "stderr", screen)
    compute(GRAPH, None, fresh(4), (np.zeros(3),))
    assert why in ("closed", "none") or screen.getvalue() == ""


def test_a_notebook_shows_it_below_the_cell(cold, monkeypatch):
    shown = []

    def display(data, raw, display_id):
        shown.append(data["text/plain"])
        return SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))

    fake = SimpleNamespace(
        get_ipython=lambda: SimpleNamespace(kernel=object()),
        display=SimpleNamespace(display=display),
    )
    monkeypatch.setitem(sys.modules, "IPython", fake)
    compute(GRAPH, None, fresh(5), (np.zeros(3),))
    assert shown == ["compiling compute, once for these types", ""]


PROGRAM = """
import sys
import edgewise as ew
from edgewise.cli.terminal import steps
from edgewise.operators import compute

def function(v, array):
    array[v] = {number}

graph = ew.Graph.from_edges([0, 1], [1, 2])
with steps(1, quiet={quiet}) as step:
    step("working")
    compute(graph, None, function, (graph.full(0.0),))
"""


@pytest.mark.parametrize("quiet", [False, True])
def test_the_progress_of_a_command_tells(quiet):
    program = PROGRAM.format(number=time.time_ns(), quiet=quiet)  # compiled by nobody before
    _, shown = in_a_terminal("-c", program)
    assert (b"compiling compute, once for these types" in shown) is not quiet
    assert not quiet or shown == b""


@pytest.mark.slow
def test_a_command_from_an_empty_folder(cold, tmp_path):
    path = tmp_path / "triangle.txt"
    path.write_text("0 1\n1 2\n2 0\n")
    out, shown = in_a_terminal("-m", "edgewise", "run", "degree_centrality", str(path))
    assert b"compiling read, once for these types" in shown
    assert b"compiling degree_centrality, once for these types" in shown
    took = out.decode().split("degree_centrality: ")[1].split("\n")[0]
    assert "ms" in took, "compiling takes seconds, the algorithm does not"


def in_a_terminal(*arguments: str) -> tuple[bytes, bytes]:
    """Run Python with standard error in a terminal; what it wrote to its output, and there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "160", "TERM": "xterm"}
    environment.pop("EDGEWISE_QUIET", None)
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=theirs, env=environment
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 1 << 16):
            shown += part
    except OSError:  # how a terminal says that the other side has gone
        pass
    out = process.communicate()[0]
    os.close(ours)
    assert process.returncode == 0, shown.decode()
    return out, shown


def test_what_the_compiler_leaves_behind_is_collected(cold, monkeypatch):
    """It is in the oldest generation, which Python itself would not look at."""
    collections, growth = [], compiler._GROWTH
    note = lambda phase, info: collections.append(info["generation"])  # noqa: E731
    monkeypatch.setattr(compiler._listener, "blocks", 0)
    gc.callbacks.append(note)
    try:
        for number in (71, 72):
            monkeypatch.setattr(compiler, "_GROWTH", 1 if number == 71 else growth)
            collections.clear()
            compute(GRAPH, None, fresh(number), (np.zeros(3),))
            assert bool(collections.count(2)) == (number == 71)
    finally:
        gc.callbacks.remove(note)


def test_helpers_without_code_of_their_own():
    """They are linked into kernels; users' functions, and circles of functions, work as before."""
    array = np.zeros(3)
    compute(GRAPH, None, both_ways, (array,))
    assert array.tolist() == [10.0, 1.0, 14.0]
    assert doubled(3) == 6  # called from Python, too


@njit
def doubled(x):
    return 2 * x


@helper
def even(n):
    if n == 0:
        return 1
    return odd(n - 1)


@helper
def odd(n):
    if n == 0:
        return 0
    return even(n - 1)


def both_ways(v, array):
    array[v] = doubled(v) + 10 * even(v) - odd(v)
