"""``import edgewise`` is light, its names are lazy, and type checkers see them."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import edgewise
from edgewise.algorithms import ALGORITHMS

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ["numba", "scipy", "cupy", "pandas", "pyarrow", "networkx", "matplotlib", "typer", "rich"]


def test_import_loads_no_large_library():
    loaded = run(f"import sys, edgewise; print([m for m in {HEAVY!r} if m in sys.modules])")
    assert loaded == "[]"


def test_import_takes_at_most_twice_as_long_as_numpy():
    ours, numpys = best_of_ten("edgewise"), best_of_ten("numpy")
    print(f"import edgewise {ours * 1e3:.1f} ms, import numpy {numpys * 1e3:.1f} ms")
    assert ours <= 2 * numpys


def test_every_public_name_loads():
    for name in edgewise.__all__:
        assert getattr(edgewise, name) is getattr(edgewise, name), name


def test_dir_lists_the_public_names():
    assert set(edgewise.__all__) < set(dir(edgewise))
    assert "__version__" in dir(edgewise)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'pagerang'"):
        edgewise.pagerang  # noqa: B018


def test_table_and_operators_are_public():
    import edgewise.operators

    assert {name for name in ALGORITHMS if "." not in name} <= set(edgewise.__all__)
    assert {name.partition(".")[0] for name in ALGORITHMS if "." in name} <= set(edgewise.__all__)
    assert set(edgewise.operators.__all__) - {"filter", "register"} <= set(edgewise.__all__)


def test_families_are_modules_to_import():
    """By a path of their own, which is the same module and loads nothing large."""
    for family in {name.partition(".")[0] for name in ALGORITHMS if "." in name}:
        home = f"edgewise.algorithms.{family}"
        loaded = run(
            f"import sys, edgewise.{family}; "
            f"print(edgewise.{family} is sys.modules['{home}'], edgewise.{family}.__spec__.name, "
            f"[m for m in {HEAVY!r} if m in sys.modules])"
        )
        assert loaded == f"True {home} []"


def test_parts_of_families_load_once():
    code = (
        "import sys, pickle; from edgewise.matching import greedy; import edgewise.matching as m; "
        "import edgewise.matching.greedy, edgewise.atomic, edgewise.generators; "
        "import edgewise.algorithms.matching.greedy as there; "
        "print(m.greedy is greedy is edgewise.matching.greedy is there, "
        "sys.modules['edgewise.matching.greedy'].greedy is greedy, "
        "pickle.loads(pickle.dumps(greedy)) is greedy)"
    )
    assert run(code) == "True True True"


@pytest.mark.parametrize("name", ["edgewise.bfs", "edgewise.matching.nothing", "edgewise.nothing"])
def test_what_is_no_module(name):
    with pytest.raises(ModuleNotFoundError, match="No module named 'edgewise"):
        import_module(name)


def test_type_checker_sees_the_types(tmp_path):
    pytest.importorskip("mypy")
    source = tmp_path / "client.py"
    source.write_text(
        "import edgewise\n"
        "graph = edgewise.Graph.from_edges([0], [1])\n"
        "reveal_type(edgewise.bfs(graph, 0))\n"
        "reveal_type(edgewise.get_threads())\n"
        "edgewise.bfs(graph)\n"
        "edgewise.pagerang\n"
        "import edgewise.matching\n"
        "reveal_type(edgewise.matching.suitor(graph))\n"
        "from edgewise.distributed import GridGraph\n"
        "def search(grid: GridGraph) -> None:\n"
        "    edgewise.bfs(grid, 0), edgewise.frontier(grid)\n"
        "    edgewise.frontier(5)\n"
    )
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir"]
    done = subprocess.run(
        [*command, str(tmp_path / "cache"), "--follow-imports=silent", str(source)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    lines = [line.partition("client.py:")[2] for line in done.stdout.splitlines()]
    assert any(line.startswith("3:") and "Paths" in line for line in lines), done.stdout
    assert any(line.startswith("4:") and "int" in line for line in lines), done.stdout
    assert any(line.startswith("5: error") and "source" in line for line in lines), done.stdout
    assert any(line.startswith("6: error") and "pagerang" in line for line in lines), done.stdout
    assert any(line.startswith("8:") and "Matching" in line for line in lines), done.stdout
    assert not any(line.startswith("11:") for line in lines), done.stdout
    assert any(line.startswith("12: error") and "AnyGraph" in line for line in lines), done.stdout


def best_of_ten(module: str) -> float:
    """Seconds that a fresh process takes for the import alone."""
    code = (
        "from time import perf_counter as now; start = now(); "
        f"import {module}; print(now() - start)"
    )
    return min(float(run(code)) for _ in range(10))


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_unknown_name_says_where_it_is():
    with pytest.raises(AttributeError, match="did you mean edgewise.communities.louvain"):
        edgewise.louvain  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean edgewise.pagerank"):
        edgewise.pagrank  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute '__nothing__'$"):
        edgewise.__nothing__  # noqa: B018


def test_without_a_compiler_it_says_so():
    program = "import edgewise as ew; ew.compute"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", f"{program}(ew.generators.path(3), None, lambda v, x: None, [])"],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode and "NUMBA_DISABLE_JIT is set" in done.stderr
