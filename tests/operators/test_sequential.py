"""`sequential`: one call on one thread, that Ctrl-C ends and observers can follow."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from edgewise.base import threads
from edgewise.base.observe import Trace, observe
from edgewise.operators.sequential import going, sequential
from tests.conftest import ROOT

pytestmark = pytest.mark.host


def count_up(control, out, limit):
    while out[0] < limit:
        if out[0] % 1024 == 0 and not going(control, out[0]):
            return
        out[0] += 1


@pytest.mark.parametrize("work", [1, 1 << 30])
def test_called_once(work):
    out = np.zeros(1, np.int64)
    sequential(count_up, (out, 5000), steps=5000, work=work)
    assert out[0] == 5000


def test_bad_functions():
    out = np.zeros(1, np.int64)
    with pytest.raises(TypeError, match="function must take 2 argument"):
        sequential(count_up, out, steps=1)
    with pytest.raises(TypeError, match=r"state\[1\] must be an array or a number, got str"):
        sequential(count_up, (out, "x"), steps=1)


def test_observers_hear_how_far_it_is(monkeypatch):
    monkeypatch.setattr(threads, "HEARTBEAT", 0.02)
    out, limit = np.zeros(1, np.int64), 300_000_000
    with observe(Trace()) as trace:
        sequential(count_up, (out, limit), steps=limit, work=limit)
    assert out[0] == limit and len(trace.rows) > 1
    assert {(row["phase"], row["total"]) for row in trace.rows} == {("count_up", limit)}
    done = [row["done"] for row in trace.rows]
    assert done == sorted(done) and 0 < done[-1] <= limit
    assert [row["iteration"] for row in trace.rows] == list(range(len(done)))


def test_an_observer_may_stop_it(monkeypatch):
    monkeypatch.setattr(threads, "HEARTBEAT", 0.02)
    out = np.zeros(1, np.int64)

    def enough(iteration, **counts):
        raise TimeoutError("enough")

    start = time.perf_counter()
    with observe(enough), pytest.raises(TimeoutError, match="enough"):
        sequential(count_up, (out, 2**62), steps=2**62)
    assert time.perf_counter() - start < 30
    sequential(count_up, (out, int(out[0]) + 10), steps=10)


LONG = """
import numpy as np
from edgewise.operators.sequential import sequential
from tests.operators.test_sequential import count_up

out = np.zeros(1, np.int64)
sequential(count_up, (out, 10), steps=10)
print("ready", flush=True)
try:
    sequential(count_up, (out, 2**62), steps=2**62)
except KeyboardInterrupt:
    print("interrupted", bool(out[0] > 10))
"""


def test_control_c_ends_it():
    process = subprocess.Popen(
        [sys.executable, "-c", LONG], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[0] == "interrupted True\n"
    finally:
        process.kill()
