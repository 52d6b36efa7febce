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
from numba import types

from edgewise.base import threads as module
from edgewise.base.cache import kernel
from edgewise.base.cpu import crew as crew_module
from edgewise.base.cpu.atomics import pause
from edgewise.base.cpu.futex import address
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
    assert get_threads() == module._available() <= len(os.sched_getaffinity(0))


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
    assert get_threads() == module._available() <= len(os.sched_getaffinity(0))


_thread = types.ExternalFunction("pthread_self", types.uint64())


@kernel
def _note(me, team, control, seen):
    seen[me, 0] += 1
    seen[me, 1] = team
    seen[me, 2] = _thread()


def parts(size: int, **options: int | None) -> list[tuple[int, int, int]]:
    """(me, team, id of the thread) of every call that a launch makes."""
    seen = np.zeros((16, 3), np.uint64)
    with threads(size):
        launch(_note, seen, **options)
    rows = seen.tolist()
    assert {calls for calls, _, _ in rows} <= {0, 1}
    return [(me, team, thread) for me, (calls, team, thread) in enumerate(rows) if calls]


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_everyone_runs_once(size):
    here = threading.get_ident()
    for _ in range(3):
        waited = parts(size)
        assert [(me, team) for me, team, _ in waited] == [(me, size) for me in range(size)]
        assert here not in {thread for _, _, thread in waited}
        assert len({thread for _, _, thread in waited}) == size
        brief = parts(size, work=module.SERIAL_WORK)
        assert [(me, team) for me, team, _ in brief] == [(me, size) for me in range(size)]
        assert brief[0][2] == here  # the caller takes part in short work


@pytest.mark.parametrize("work", [None, module.SERIAL_WORK])
def test_a_new_team_hires_whom_it_needs(monkeypatch, work):
    monkeypatch.setattr(module, "_team", module._Team())
    assert len(parts(3, work=work)) == 3
    assert len(parts(2, work=work)) == 2
    assert module._team.hired == 3


@pytest.mark.parametrize("which", ["serve", "_lead"])
def test_threads_that_cannot_be_started(monkeypatch, which):
    start = module._start

    def refuse(function, *args):
        if function.__name__ == which:
            raise RuntimeError("can't start new thread")
        return start(function, *args)

    monkeypatch.setattr(module, "_team", module._Team())
    monkeypatch.setattr(module, "_start", refuse)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        parts(3)
    monkeypatch.setattr(module, "_start", start)
    assert len(parts(3)) == 3


def test_a_launch_may_say_its_team():
    assert [me for me, _, _ in parts(2, team=4)] == [0, 1, 2, 3]
    assert [me for me, _, _ in parts(4, team=2)] == [0, 1]


def test_little_work_runs_on_the_caller_alone():
    assert parts(8, work=10) == [(0, 1, threading.get_ident())]


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


@pytest.mark.parametrize("when", ["before", "after", "heartbeat"])
def test_an_interrupt_around_the_start_of_a_launch(monkeypatch, when):
    """Before or after the leader has got it, or while the caller waits: nobody waits for ever."""
    parts(3)
    jobs, calls = module._team.jobs, []

    class Interrupted:
        def put(self, job):
            calls.append(job)
            if when == "after":
                jobs.put(job)
            if len(calls) == 1:
                raise KeyboardInterrupt
            jobs.put(job)

    def interrupt(control):
        raise KeyboardInterrupt

    if when != "heartbeat":
        monkeypatch.setattr(module._team, "jobs", Interrupted())
    late = np.zeros(4, np.int64)
    with threads(3):
        with pytest.raises(KeyboardInterrupt):
            launch(_meet, 10**7, late, meanwhile=interrupt if when == "heartbeat" else None)
        monkeypatch.undo()
        late[:] = 0
        launch(_meet, 5, late)
    assert late[:3].sum() == 3 * 10 * 5 and late[3] == 0


@kernel
def _dawdle(me, team, control, moments):
    """Thread 0 keeps the others waiting at a barrier until they nap."""
    for _ in range(3):
        if me == 0:
            for _ in range(moments):
                if stopped(control):
                    return
                pause()
        if not barrier(control, team):
            return


@pytest.mark.parametrize("work", [None, module.SERIAL_WORK])
def test_threads_that_nap_are_woken(work):
    """At a barrier, before a launch, and the leader at the end of one."""
    with threads(5):
        for moments in (0, 10**5, 10**6):
            launch(_dawdle, moments, work=work)
            time.sleep(0.01)
            assert len(parts(5, work=work)) == 5


NAPS = """
import time
import numpy as np
from edgewise.base.cache import kernel
from edgewise.base.threads import launch, threads

@kernel
def note(me, team, control, seen):
    seen[me] += 1

seen = np.zeros(12, np.int64)
with threads(12):
    for i in range(3000):
        end = time.perf_counter() + i % 150 * 4e-6
        while time.perf_counter() < end:
            pass
        launch(note, seen, work=1 << 20)
print(seen.min(), seen.max())
"""


def test_launches_that_come_while_threads_fall_asleep():
    """A thread that naps just as a launch begins was not woken: the launch never ended."""
    process = run(NAPS)
    try:
        output, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert output.strip() == "3000 3000", errors


@kernel
def _look(crew, answer):
    answer[0] = crew_module._crowded(address(crew, 0))


@pytest.mark.parametrize(
    "text, crowded",
    [("0.52 0.40 0.30 3/134 8561\n", False), ("9.9 9.9 9.9 4/134 8561\n", False),
     ("0.0 0.0 0.0 5/134 8561\n", True), ("0.0 0.0 0.0 12/134 8561\n", True),
     ("0.0 0.0", True), ("", True), (None, True)],
)  # fmt: skip
def test_more_threads_than_cores(tmp_path, text, crowded):
    """What Linux says of threads that want to run, here on four cores; without a word it is so."""
    (tmp_path / "loadavg").write_text(text or "")
    answer = np.zeros(1, np.int64)
    crew = crew_module.new_crew(2)
    with open(tmp_path / "loadavg", "rb") as file:
        crew[crew_module._LOAD // 8] = -1 if text is None else file.fileno()
        crew[crew_module._CORES // 8] = 4
        _look(crew, answer)
    assert bool(answer[0]) == crowded and crew[crew_module._READING // 8] == 0


@pytest.mark.parametrize(
    "text, hired, napping, team, expected",
    [("0 0 0 1/9 9", 1, 0, 4, 4), ("0 0 0 3/9 9", 1, 0, 4, 2), ("0 0 0 9/9 9", 1, 0, 4, 1),
     ("0 0 0 4/9 9", 4, 0, 4, 4), ("0 0 0 4/9 9", 4, 3, 4, 1), ("0 0 0 3/9 9", 1, 0, 2, 2),
     ("", 1, 0, 4, 4)],
)  # fmt: skip
def test_a_team_is_no_larger_than_the_free_cores(
    tmp_path, monkeypatch, text, hired, napping, team, expected
):
    """Four cores. Threads of the crew that spin are not others; those that nap do not run."""
    (tmp_path / "loadavg").write_text(text)
    crew = crew_module.new_crew(8)
    crew[crew_module._CORES // 8] = 4
    assert crew_module.free_cores(crew, hired, team) == team  # nobody has said that it is busy
    for one in range(1, napping + 1):
        place = crew_module._FIRST + one * crew_module._EACH + crew_module._NAPS
        crew[place // 8] = 1
    with open(tmp_path / "loadavg", "rb") as file:
        monkeypatch.setattr(crew_module, "_load_file", file.fileno)
        crew[crew_module._BUSY // 8] = 100
        assert crew_module.free_cores(crew, hired, team) == expected
    assert (crew[crew_module._BUSY // 8] == 0) == (expected == team)


def test_quotas_of_containers(tmp_path, monkeypatch):
    assert list(module._quotas(tmp_path)) == []
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert list(module._quotas(tmp_path)) == []
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    assert list(module._quotas(tmp_path)) == [2]
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu/cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "cpu/cpu.cfs_period_us").write_text("100000\n")
    assert list(module._quotas(tmp_path)) == [2]
    (tmp_path / "cpu/cpu.cfs_quota_us").write_text("400000\n")
    assert list(module._quotas(tmp_path)) == [2, 4]
    monkeypatch.setattr(module, "_quotas", lambda root: [1])
    module._available.cache_clear()
    assert module._available() == 1
    module._available.cache_clear()


def test_who_naps_hears_of_a_failure():
    with threads(3), pytest.raises(ValueError, match="not today"):
        launch(_fail_late)


@kernel
def _fail_late(me, team, control):
    if me == 0:
        for _ in range(10**6):
            pause()
        raise ValueError("not today")
    barrier(control, team)


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


def test_launches_on_one_thread_do_not_wait_for_each_other():
    """From Python threads that no interrupt reaches; the main thread's are led by another one."""
    both, found = threading.Barrier(2), []

    def meet(me, team, control):
        both.wait(60)
        found.append((me, team))

    def begin():
        with threads(1):
            launch(meet)

    callers = [threading.Thread(target=begin) for _ in range(2)]
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    assert found == [(0, 1)] * 2
