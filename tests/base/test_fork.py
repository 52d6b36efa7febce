"""Processes made by fork and by spawn after threads were used, and signals: nothing hangs.

Each case is a program of its own, ended by force if it takes too long.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

COMMON = """
import multiprocessing, os, sys, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of fork with threads
import numpy as np
import edgewise
from edgewise.base import threads as module

module.SERIAL_WORK = 0  # even this little work is shared

def answer(number=0):
    graph = edgewise.generators.grid_2d(50, 50)
    with edgewise.threads(2):
        return int(edgewise.bfs(graph, number).distance.sum())

"""

FORK = """
if __name__ == "__main__":
    known = answer()
    child = os.fork()
    if child == 0:
        os._exit(0 if answer() == known else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert answer() == known
    print("done")
"""

FORK_TWICE = """
if __name__ == "__main__":
    known = answer()
    child = os.fork()
    if child == 0:
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if answer() == known else 1)
        good = os.waitpid(grandchild, 0)[1] == 0
        os._exit(0 if good and answer() == known else 1)
    assert os.waitpid(child, 0)[1] == 0
    print("done")
"""

FORK_AMID_A_LAUNCH = """
def hold(me, team, control, entered, leave):
    entered.set()
    leave.wait()

if __name__ == "__main__":
    known = answer()
    entered, leave = threading.Event(), threading.Event()
    other = threading.Thread(target=module.launch, args=(hold, entered, leave))
    other.start()
    entered.wait()  # another Python thread holds the lock and the team
    child = os.fork()
    if child == 0:
        os._exit(0 if answer() == known else 1)
    status = os.waitpid(child, 0)[1]
    leave.set()
    other.join()
    assert status == 0 and answer() == known
    print("done")
"""

FORK_AMID_COMPILING = """
import numba
from edgewise.base.cache import kernel

body = "".join(f"    x = x * {i}.5 + (x % {i + 1})\\n" for i in range(80))
exec(f"def long(x):\\n{body}    return x")

NOW = time.time()  # never compiled before

@kernel
def half(me, team, control, out):
    out[0] = out[0] / 2 + 0 * NOW

if __name__ == "__main__":
    compiled, started = numba.njit(long), threading.Event()

    def compile_it():
        started.set()
        compiled(1.0)

    other = threading.Thread(target=compile_it)
    other.start()
    started.wait()
    time.sleep(0.2)
    child = os.fork()
    if child == 0:
        out = np.array([3.0])
        half(0, 1, None, out)
        os._exit(0 if out[0] == 1.5 else 1)
    assert os.waitpid(child, 0)[1] == 0
    other.join()
    print("done")
"""

#: Another thread is loading modules; several times, to come at different moments.
FORK_AMID_A_FIRST_CALL = """
import multiprocessing, os, sys, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)
import edgewise

def first():
    graph = edgewise.Graph.from_edges([0, 1, 2], [1, 2, 3])
    return edgewise.bfs(graph, 0).distance.tolist()

if __name__ == "__main__":
    other = threading.Thread(target=first)
    other.start()
    children = []
    for wait in (0, 0.05, 0.2, 0.2):
        time.sleep(wait)
        child = os.fork()
        if child == 0:
            os._exit(0 if first() == [0, 1, 2, 3] else 1)
        children.append(child)
    assert all(os.waitpid(child, 0)[1] == 0 for child in children)
    other.join()
    print("done")
"""

FORK_AMID_A_PROPERTY = """
from edgewise.graph import properties

if __name__ == "__main__":
    entered, leave = threading.Event(), threading.Event()
    graph, same = [edgewise.Graph.from_edges([0, 1], [1, 2]) for _ in range(2)]
    count = properties.longest_row

    def slowly(graph):
        entered.set()
        leave.wait()
        return count(graph)

    properties.longest_row = slowly
    other = threading.Thread(target=lambda: graph.longest_row)
    other.start()
    entered.wait()
    child = os.fork()
    if child == 0:
        leave.set()
        os._exit(0 if same.longest_row == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
    leave.set()
    other.join()
    print("done")
"""

SIGNAL_AMID_A_LAUNCH = """
import signal

def hold(me, team, control, leave):
    leave.wait()

if __name__ == "__main__":
    known, heard = answer(), []
    for work in (None, 1 << 20):  # the caller waits; the caller takes part
        leave = threading.Event()

        def handler(number, frame):
            heard.append(answer())  # the team is taken
            leave.set()

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with edgewise.threads(2):
            module.launch(hold, leave, work=work)
    assert heard == [known, known] and answer() == known
    print("done")
"""

POOL = """
if __name__ == "__main__":
    known = answer()
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        assert pool.map(answer, [0, 0, 0, 0]) == [known] * 4
    assert answer() == known
    print("done")
"""

EXECUTOR = """
from concurrent.futures import ProcessPoolExecutor

if __name__ == "__main__":
    known = answer()
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(answer, [0, 0, 0])) == [known] * 3
    print("done")
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(FORK, id="os.fork"),
        pytest.param(FORK_TWICE, id="a child of a child"),
        pytest.param(FORK_AMID_A_LAUNCH, id="amid a launch"),
        pytest.param(FORK_AMID_COMPILING, id="amid compiling"),
        pytest.param(FORK_AMID_A_FIRST_CALL, id="amid a first call"),
        pytest.param(FORK_AMID_A_PROPERTY, id="amid a property"),
        pytest.param(SIGNAL_AMID_A_LAUNCH, id="a signal amid a launch"),
        pytest.param(POOL.format(method="fork"), id="pool by fork"),
        pytest.param(POOL.format(method="spawn"), id="pool by spawn"),
        pytest.param(EXECUTOR, id="executor"),
    ],
)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_it_ends_and_is_right(program, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(program if "import edgewise\n" in program else COMMON + program)
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
