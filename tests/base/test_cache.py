"""Kernels on disk, in fresh processes: found again when nothing changed, made anew when it did.

Each process writes which of its kernels it found (``hits``), with the values that they compute.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from edgewise.algorithms import ALGORITHMS
from edgewise.base.store import cache_directory
from tests.tiers import later

ROOT = Path(__file__).resolve().parents[2]

USER = """
import numpy as np
import tools
from tools import borrowed

SCALE = {scale}
TABLE = np.array([1.0, {entry}])

def same(x):
    return x + 100.0

def constant(x):
    return x + {constant}

def uses_global(x):
    return x * SCALE

def uses_array(x):
    return x * TABLE[1]

def make(cell):
    return lambda x: x * cell

def makes_more(x):
    return (lambda y: y - {inner})(x)

def through_module(x):
    return tools.user.tools.borrowed(x)  # the modules know each other

def by_name(x):
    return borrowed(x)

FUNCTIONS = {{
    "same": same,
    "constant": constant,
    "lambda": lambda x: x + {in_lambda},
    "closure": make({cell}),
    "other closure": make(7.0),
    "global": uses_global,
    "array": uses_array,
    "inner function": makes_more,
    "other module": through_module,
    "imported name": by_name,
}}
"""

TOOLS = """
import numba
import user
from deeper import last

@numba.njit
def borrowed(x):
    return last(x) - 1.0
"""

DEEPER = """
import numba

@numba.njit
def last(x):
    return x - {deeper}
"""

MAIN = """
import json
import sys
import numpy as np
from edgewise.base.cache import helper, kernel
from edgewise.base.threads import launch
from user import FUNCTIONS

def around(function):
    function = helper(function)

    @kernel
    def apply(me, team, control, out):
        out[0] = function(out[0])

    return apply

report = {}
for name in sys.argv[1:] or FUNCTIONS:
    function = FUNCTIONS[name]
    apply, out = around(function), np.array([10.0])
    launch(apply, out, work=0)
    hits = sum(apply.stats.cache_hits.values())
    report[name] = [hits, out[0]]
print(json.dumps(report))
"""

VALUES = {"scale": 2.0, "entry": 3.0, "constant": 1.0, "inner": 4.0, "in_lambda": 5.0,
          "cell": 6.0, "deeper": 8.0}  # fmt: skip
FIRST = {"same": 110, "constant": 11, "lambda": 15, "closure": 60, "other closure": 70,
         "global": 20, "array": 30, "inner function": 6, "other module": 1,
         "imported name": 1}  # fmt: skip


def python(folder: Path, cache: Path, *arguments: str, package: Path = ROOT) -> str:
    """Run Python in ``folder`` with a cache of its own; what it prints."""
    environment = {**os.environ, "EDGEWISE_CACHE_DIR": str(cache), "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_user(folder: Path, **changes: float) -> None:
    """Write the user's program and modules, with other constants where told so."""
    folder.mkdir(exist_ok=True)
    values = VALUES | changes
    (folder / "user.py").write_text(USER.format(**values))
    (folder / "tools.py").write_text(TOOLS)
    (folder / "deeper.py").write_text(DEEPER.format(**values))
    (folder / "main.py").write_text(MAIN)


def run_user(
    folder: Path, cache: Path, *names: str, **changes: float
) -> tuple[set[str], dict[str, float]]:
    """The names of the kernels that were found, and the values of all, or of those named."""
    write_user(folder, **changes)
    report = json.loads(python(folder, cache, "main.py", *names))
    hits = {name for name, (hit, _) in report.items() if hit}
    return hits, {name: value for name, (_, value) in report.items()}


def kernels(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.kernel"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """A cache that one process has filled with the first values."""
    folder = tmp_path_factory.mktemp("cache")
    hits, values = run_user(tmp_path_factory.mktemp("first"), folder)
    assert hits == set() and values == FIRST
    assert len(kernels(folder)) == len(FIRST)
    return folder


def test_nothing_changed(cache, tmp_path):
    """Functions, lambdas and closures; it is the content that counts, not the folder."""
    before = {path.name: path.stat().st_mtime_ns for path in kernels(cache)}
    hits, values = run_user(tmp_path, cache)
    assert hits == set(FIRST) and values == FIRST
    assert {path.name: path.stat().st_mtime_ns for path in kernels(cache)} == before


def test_everything_changed(cache, tmp_path):
    """A constant, a lambda's, a cell, a global, an array, an inner function, a helper's helper."""
    hits, values = run_user(tmp_path, cache, scale=3.0, entry=4.0, constant=2.0, inner=5.0,
                            in_lambda=6.0, cell=7.5, deeper=7.0)  # fmt: skip
    assert hits == {"same", "other closure"}
    assert values == {"same": 110, "constant": 12, "lambda": 16, "closure": 75,
                      "other closure": 70, "global": 30, "array": 40, "inner function": 5,
                      "other module": 2, "imported name": 2}  # fmt: skip


def test_a_helper_in_another_module_changed(cache, tmp_path):
    """Two calls away: only what goes through it is made anew."""
    hits, values = run_user(tmp_path, cache, deeper=6.0)
    assert hits == set(FIRST) - {"other module", "imported name"}
    assert values == FIRST | {"other module": 3, "imported name": 3}


def test_a_damaged_file_is_a_miss_and_is_written_again(cache, tmp_path):
    own = tmp_path / "cache"
    shutil.copytree(cache, own)
    for number, path in enumerate(kernels(own)):
        content = bytearray(path.read_bytes())
        if number % 4 == 0:
            del content[len(content) // 2 :]
        elif number % 4 == 1:
            content.clear()
        elif number % 4 == 2:
            content[len(content) // 3] ^= 64
        else:
            content = bytearray(b"not a kernel at all")
        path.write_bytes(content)
    names = {path.name for path in kernels(own)}
    hits, values = run_user(tmp_path / "user", own)
    assert hits == set() and values == FIRST
    assert {path.name for path in kernels(own)} == names
    hits, values = run_user(tmp_path / "user", own)
    assert hits == set(FIRST) and values == FIRST


def test_a_folder_that_cannot_be_written(tmp_path):
    """Everything works, only slower: here the folder would lie inside a file."""
    (tmp_path / "file").write_text("in the way")
    hits, values = run_user(tmp_path / "user", tmp_path / "file" / "cache", "same")
    assert hits == set() and values == {"same": 110}


def test_processes_fill_one_cache_together(tmp_path):
    """Each kernel is compiled by one of them; the others find it."""
    own, names = tmp_path / "cache", ("same", "closure", "other module")
    first = {name: FIRST[name] for name in names}
    write_user(tmp_path / "user")
    environment = {**os.environ, "EDGEWISE_CACHE_DIR": str(own), "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen(
            [sys.executable, "main.py", *names],
            cwd=tmp_path / "user",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    hits = dict.fromkeys(names, 0)
    for process in running:
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        for name, (hit, value) in json.loads(output).items():
            hits[name] += hit
            assert value == first[name]
    assert hits == dict.fromkeys(names, len(running) - 1)
    assert len(kernels(own)) == len(names)
    assert sorted(path.name for path in own.iterdir() if path.suffix != ".kernel") == [".claims"]
    assert run_user(tmp_path / "user", own, *names)[0] == set(names)


#: Counts what is compiled; put before a program, to be looked at after it.
COUNTING = """
from numba.core import event
class Count(event.Listener):
    compiled = 0
    def on_start(self, event):
        Count.compiled += 1
    def on_end(self, event):
        pass
event.register("numba:compile", Count())
"""

LIBRARY = (
    COUNTING
    + """
import numpy as np
import edgewise
graph = edgewise.Graph([0, 1, 2], [1, 0])
ones = lambda weight: weight
found = edgewise.reduce_neighbors(graph, None, ones, np.zeros(2), reduce=edgewise.ADD)
print(found.tolist(), "compiled" if Count.compiled else "found")
"""
)


def test_a_helper_of_the_library_changed(tmp_path):
    """A copy of the package: its comments do not count, its code does.

    The kernels are those of this checkout: a copy of the same content is the same.
    """
    kept = cache_directory()
    python(tmp_path, kept, "-c", LIBRARY)
    shutil.copytree(ROOT / "edgewise", tmp_path / "edgewise")
    for path in (tmp_path / "edgewise" / "base").rglob("*.py"):
        text = path.read_text()
        path.write_text("# A comment.\n" + re.sub('"""([A-Z])', '"""New: \\1', text))
    source = tmp_path / "edgewise" / "operators" / "element_access.py"
    text = "# Lines move.\n\n" + source.read_text()
    assert text.count('"""What kernels') == text.count("return lambda weights, e: 1\n") == 1
    source.write_text(text.replace('"""What kernels', '"""What all kernels'))
    answer = python(tmp_path, kept, "-c", LIBRARY, package=tmp_path).strip()
    assert answer == "[1.0, 1.0] found"
    source.write_text(text.replace("lambda weights, e: 1\n", "lambda weights, e: 2\n"))
    answer = python(tmp_path, tmp_path / "own", "-c", LIBRARY, package=tmp_path).strip()
    assert answer == "[2.0, 2.0] compiled"


BFS = """
import edgewise
graph = edgewise.Graph.from_edges([0, 1, 2], [1, 2, 3])
print(edgewise.bfs(graph, 0).distance.tolist())
"""
ADVANCE = """
import edgewise, numpy as np
graph = edgewise.Graph.from_edges([0, 1, 2], [1, 2, 3])
best = np.array([0.0, np.inf, np.inf, np.inf])
start = edgewise.frontier(graph, 0)
edgewise.advance(graph, start, lambda value: value + 2, best, reduce=edgewise.MIN)
print(best.tolist())
"""


@pytest.mark.parametrize(
    ("program", "answer"),
    [later(BFS, "[0, 1, 2, 3]"), (ADVANCE, "[0.0, 2.0, inf, inf]")],
    ids=["bfs", "advance"],
)
def test_a_second_process_ends_within_one_and_a_half_seconds(program, answer, tmp_path):
    """In all, from start to exit; the best of several, by the processor's clock.

    The wall's clock would measure who else is at work on the machine; nothing here waits.
    """
    kept = cache_directory()
    assert python(tmp_path, kept, "-c", program).strip() == answer
    counted = python(tmp_path, kept, "-c", COUNTING + program + "print(Count.compiled)")
    assert counted.split("\n")[-2] == "0", "a kernel was compiled again"
    best_wall = best = float("inf")
    for _ in range(5):
        start, before = time.perf_counter(), os.times()
        assert python(tmp_path, kept, "-c", program).strip() == answer
        after = os.times()
        best_wall = min(best_wall, time.perf_counter() - start)
        spent = after.children_user + after.children_system
        best = min(best, spent - before.children_user - before.children_system)
        if best_wall <= 1.0:
            break
    print(f"second process: {best_wall:.2f} s, of which the processor {best:.2f} s")
    assert min(best, best_wall) <= 1.5


BLAS = """
import sys
import numba
import numpy as np
from edgewise.base.cache import kernel

@kernel
def touch(me, team, control, out):
    out[0] = 1.0

touch(0, 1, None, np.zeros(1))
assert "scipy.linalg" not in sys.modules
assert numba.njit(lambda a: a @ a)(np.eye(2)).tolist() == [[1.0, 0.0], [0.0, 1.0]]
assert "scipy.linalg" in sys.modules
"""


def test_scipys_linear_algebra_is_loaded_by_those_who_use_it(cache, tmp_path):
    python(tmp_path, cache, "-c", BLAS)


NO_MODULE = (
    COUNTING
    + """
code = '''
import edgewise
graph = edgewise.Graph.from_edges([0, 1], [1, 2])
def claim(source, target, edge, owner):
    return edgewise.atomic.cas(owner, target, -1, source) == -1
found = edgewise.advance(graph, edgewise.frontier(graph, [1]), claim, graph.full(-1))
print(sorted(found.ids.tolist()))
'''
import sys
exec(code, {"__name__": sys.argv[1]})
print("compiled" if Count.compiled else "found")
"""
)


def test_the_module_of_a_function_does_not_count(tmp_path):
    """Whether it can be imported or not: what a kernel needs of a function is in the kernel."""
    for module, wanted in (("no-such.module", "compiled"), ("no-other", "found"), ("sys", "found")):
        assert python(tmp_path, tmp_path, "-c", NO_MODULE, module) == f"[0, 2]\n{wanted}\n"


UNKNOWN = """
import sys, warnings
warnings.simplefilter("ignore")
from edgewise.algorithms import ALGORITHMS
from edgewise.base import cache
from edgewise.base.fingerprint import Survey, UnknownError
from edgewise.cli.sample import run_on_sample

def survey(function):
    try:
        return Survey(function)
    except UnknownError as error:
        print(name, function, error.__cause__)
        raise

cache.Survey = survey
for name in sys.argv[1:]:
    row = ALGORITHMS[name]
    run_on_sample(row, "directed" in row.needs, None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_the_content_of_every_kernel_is_known(part, tmp_path):
    """Kernels of unknown content are compiled in every process, and keep old values of globals."""
    names = list(ALGORITHMS)[part::8]
    assert python(tmp_path, cache_directory(), "-c", UNKNOWN, *names) == ""
