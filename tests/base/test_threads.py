"""The team of threads: how many there are, who runs what, failures, interrupts, many callers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from edgewise.base import threads as module
from edgewise.base.cache import kernel
from edgewise.base.cpu.scan import exclusive_scan
from edgewise.base.cpu.team import barrier, grab, rewind, stopped
from edgewise.base.threads import get_threads, launch, set_threads, threads

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _forget_settings():
    yield
    set_threads(None)


def test_set_threads_until_it_is_set_again():
    set_threads(3)
    assert get_threads() == 3
    set_threads(np.int64(2))
    assert get_threads() == 2
    set_threads(None)
    assert get_threads() == len(os.sched_getaffinity(0))


def test_threads_inside_a_block_and_nested():
    set_threads(4)
    with threads(2):
        assert get_threads() == 2
        with threads(7):
            assert get_threads() == 7
        assert get_threads() == 2
        set_threads(5)
        assert get_threads() == 2
    assert get_threads() == 5


def test_a_block_ends_with_an_exception_too():
    before = get_threads()
    with pytest.raises(KeyError), threads(9):
        raise KeyError
    assert get_threads() == before


def test_a_block_holds_for_its_own_python_thread_alone():
    set_threads(2)
    with threads(5), ThreadPoolExecutor(1) as pool:
        assert pool.submit(get_threads).result() == 2


@pytest.mark.parametrize("wrong", [0, -1, 1025, 1.5, True, "2", None])
def test_bad_numbers(wrong):
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024, got"):
        threads(wrong).__enter__()
    if wrong is not None:
        with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024, got"):
            set_threads(wrong)


def test_environment(monkeypatch):
    monkeypatch.setenv("EDGEWISE_NUM_THREADS", "3")
    assert get_threads() == 3
    set_threads(2)
    assert get_threads() == 2
    set_threads(None)
    for wrong in ("0", "many", "2.5"):
        monkeypatch.setenv("EDGEWISE_NUM_THREADS", wrong)
        with pytest.raises(ValueError, match=f"EDGEWISE_NUM_THREADS must be .* got '{wrong}'"):
            get_threads()
    monkeypatch.setenv("EDGEWISE_NUM_THREADS", "")
    assert get_threads() == len(os.sched_getaffinity(0))


def parts(size: int, **options: int | None) -> list[tuple[int, int, str]]:
    """(me, team, name of the thread) of every call that a launch makes."""
    seen = []

    def note(me, team, control):
        seen.append((me, team, threading.current_thread().name))

    with threads(size):
        launch(note, **options)
    return sorted(seen)


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_everyone_runs_once(size):
    here = threading.current_thread().name
    for _ in range(3):
        waited = parts(size)
        assert [(me, team) for me, team, _ in waited] == [(me, size) for me in range(size)]
        assert here not in {name for _, _, name in waited}
        brief = parts(size, work=module.SERIAL_WORK)
        assert [(me, team) for me, team, _ in brief] == [(me, size) for me in range(size)]
        assert brief[0][2] == here  # the caller takes part in short work


@pytest.mark.parametrize("work", [None, module.SERIAL_WORK])
def test_a_new_team_hires_whom_it_needs(monkeypatch, work):
    monkeypatch.setattr(module, "_team", module._Team())
    assert len(parts(3, work=work)) == 3
    assert len(parts(2, work=work)) == 2
    assert len(module._team.workers) == 3


def test_threads_that_cannot_be_started(monkeypatch):
    def refuse(number):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(module, "_team", module._Team())
    monkeypatch.setattr(module, "_Worker", refuse)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        parts(3)
    monkeypatch.undo()
    assert len(parts(3)) == 3


def test_a_launch_may_say_its_team():
    assert [me for me, _, _ in parts(2, team=4)] == [0, 1, 2, 3]
    assert [me for me, _, _ in parts(4, team=2)] == [0, 1]


def test_little_work_runs_on_the_caller_alone():
    assert parts(8, work=10) == [(0, 1, threading.current_thread().name)]


@kernel
def _meet(me, team, control, rounds, late):
    """Each round every thread adds one, and all see the full sum after the barrier."""
    for i in range(rounds):
        count = 0
        while True:
            low, high = grab(control, 0, 1, team * 10)
            if low == high:
                break
            count += high - low
        late[me] += count
        if not barrier(control, team):
            return
        total = 0
        for j in range(team):
            total += late[j]
        if total != team * 10 * (i + 1):
            late[team] += 1
        if not barrier(control, team):
            return
        if me == 0:
            rewind(control, 0)
        if not barrier(control, team):
            return


@pytest.mark.parametrize("size", [1, 2, 5])
def test_barriers_and_shared_work(size):
    late = np.zeros(size + 1, np.int64)
    with threads(size):
        launch(_meet, 50, late)
    assert late[:size].sum() == size * 10 * 50 and late[size] == 0


def test_calls_from_several_python_threads_at_once():
    """Queued behind one lock: each caller gets its own right answer, with its own team."""
    values = np.random.default_rng(0).integers(0, 9, 50_000)
    known = [0, *np.cumsum(values)]

    def work(number: int) -> bool:
        with threads(1 + number % 3):
            return all(exclusive_scan(values).tolist() == known for _ in range(3))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(12)))


def test_algorithms_from_several_python_threads_at_once():
    """While others change the number of threads."""
    import edgewise

    graph = edgewise.generators.triangular_mesh(120, 120)
    calls = (
        lambda: edgewise.bfs(graph, 0).distance.tolist(),
        lambda: edgewise.triangle_count(graph),
        lambda: edgewise.connected_components(graph).tolist(),
    )
    expected = [call() for call in calls]
    assert expected[1:] == [2 * 119 * 119, [0] * 120 * 120]

    def work(number: int) -> bool:
        edgewise.set_threads(1 + number % 4)
        return calls[number % 3]() == expected[number % 3]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(24)))


@kernel
def _fail(me, team, control, who):
    if me == who:
        raise ValueError("not today")
    while not stopped(control):
        pass


@pytest.mark.parametrize("work", [None, module.SERIAL_WORK])
@pytest.mark.parametrize("who", [0, 1, 2])
def test_a_failure_stops_the_others_and_is_raised(who, work):
    """Also the caller's own part; the next launch works."""
    with threads(3):
        with pytest.raises(ValueError, match="not today"):
            launch(_fail, who, work=work)
        assert len(parts(3)) == 3


def test_a_failure_on_the_caller_alone():
    with pytest.raises(ValueError, match="not today"):
        launch(_fail, 0, work=0)


def test_every_kind_of_exception():
    class Odd(BaseException):
        pass

    def fail(me, team, control):
        if me == 1:
            raise Odd
        while not control[0]:
            time.sleep(0.001)

    with threads(2), pytest.raises(Odd):
        launch(fail)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    ("work", "which"),
    [(None, 0), (None, 1), (None, 2), (module.SERIAL_WORK, 0), (module.SERIAL_WORK, 1)],
)
def test_an_interrupt_while_parts_are_given_out(monkeypatch, which, when, work):
    """Before or after any worker got its part: nobody waits for ever at a barrier."""
    parts(3)
    give, calls = module._Worker.give, []

    def interrupted(worker, number, job):
        calls.append(number)
        if when == "after":
            give(worker, number, job)
        if len(calls) == which + 1:
            raise KeyboardInterrupt
        if when == "before":
            give(worker, number, job)

    monkeypatch.setattr(module._Worker, "give", interrupted)
    late = np.zeros(4, np.int64)
    with threads(3):
        with pytest.raises(KeyboardInterrupt):
            launch(_meet, 1000, late, work=work)
        monkeypatch.undo()
        late[:] = 0
        launch(_meet, 5, late)
    assert late[:3].sum() == 3 * 10 * 5 and late[3] == 0


def run(program: str, **options) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


LONG = """
import sys, time
import numpy as np
from edgewise.base.cache import kernel
from edgewise.base.cpu.team import stopped
from edgewise.base.threads import launch, threads

@kernel
def wait(me, team, control, count, limit):
    while not stopped(control) and count[me] < limit:
        count[me] += 1

@kernel
def mark(me, team, control, count):
    count[me] = -1

count = np.zeros(2, np.int64)
with threads(2):
    launch(wait, np.zeros(2, np.int64), 1)  # compiled before anybody interrupts
    launch(mark, count)
    print("ready", flush=True)
    try:
        launch(wait, count, 2**62)
    except KeyboardInterrupt:
        print("interrupted", bool((count > 0).all()), flush=True)
    launch(mark, count)
    print(count.tolist())
"""


def test_control_c_stops_a_long_kernel():
    """Delivered in the middle of it; what comes after works."""
    process = run(LONG)
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (output, errors) == ("interrupted True\n[-1, -1]\n", "")


STORM = """
import signal, sys
import numpy as np
from edgewise.base.cpu.scan import exclusive_scan
from edgewise.base.threads import threads

class Bell(Exception):
    pass

def ring(*_):
    raise Bell

values = np.random.default_rng(0).integers(0, 9, 40_000)
known = np.concatenate([[0], np.cumsum(values)])
signal.signal(signal.SIGALRM, ring)
delays, rings = np.random.default_rng(1).uniform(1e-5, 1e-3, 400), 0
with threads(3):
    exclusive_scan(values)
    for delay in delays:
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            while True:
                assert (exclusive_scan(values) == known).all()
        except Bell:
            rings += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert (exclusive_scan(values) == known).all()
print(rings)
"""


def test_a_storm_of_signals():
    """Hundreds of exceptions out of a signal handler, anywhere in the launch: never a hang."""
    process = run(STORM)
    try:
        output, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert output.strip() == "400", errors
