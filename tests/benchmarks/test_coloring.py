"""The benchmark of colorings on tiny problems."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmarks.coloring import (
    derivatives,
    measure_coloring,
    measure_coloring_on_gpu,
    measure_derivatives,
    measure_known,
)
from benchmarks.coloring.beside import markdown
from benchmarks.coloring.derivatives import determined, without_two_colored_cycles
from benchmarks.coloring.libraries import METHODS, answering
from benchmarks.coloring.patterns import pattern_of
from benchmarks.coloring.problems import fault, problem_of


def test_problems_and_faults():
    cube = problem_of("cube3")
    assert (cube.matrix.shape, cube.kinds) == ((27, 27), ("distance 1", "distance 2"))
    place = np.unravel_index(np.arange(27), (3, 3, 3))
    colors = sum(step * (side % 2) for step, side in zip((1, 2, 4), place, strict=True))
    assert fault(cube, "distance 1", colors) is None
    assert fault(cube, "distance 2", colors) == "two vertices of a row share a color"
    assert fault(cube, "distance 2", np.arange(27)) is None
    assert fault(cube, "distance 1", np.zeros(27, int)) == "two neighbors share a color"
    assert fault(cube, "distance 1", np.full(27, -1)) == "not every vertex has a color"
    pattern = problem_of("random5")
    assert (pattern.matrix.shape, pattern.matrix.nnz) == ((32, 32), 128)
    assert fault(pattern, "columns", np.arange(32)) is None
    assert fault(pattern, "columns", np.zeros(32, int)) == "two vertices of a row share a color"
    with pytest.raises(ValueError, match="graph must be kron<scale>"):
        problem_of("nowhere")


@pytest.mark.parametrize("library", ["igraph", "NetworkX", "SciPy"])
def test_libraries_give_proper_colors(library, tmp_path):
    pytest.importorskip(library.lower())
    kind = "columns" if library == "SciPy" else "distance 1"
    problem = problem_of("random5" if library == "SciPy" else "kron5")
    answer = answering(library, problem, tmp_path)
    for method in METHODS[kind][library]:
        seconds, colors = answer((kind, method))
        assert seconds > 0
        assert fault(problem, kind, colors) is None


def test_program_is_called_as_described(tmp_path, monkeypatch):
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "from pathlib import Path\n"
        "file, kind, order, trials, colors = sys.argv[1:]\n"
        "n = int(Path(file).read_text().splitlines()[1].split()[1])\n"
        "Path(colors).write_text('\\n'.join(map(str, range(n))))\n"
        "assert (kind, order) == ('distance_2', 'smallest_last')\n"
        "print('it talks', *(f'seconds {i + 1}.5' for i in range(int(trials))), sep='\\n')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("EDGEWISE_COLPACK", str(program))
    answer = answering("ColPack", problem_of("kron4"), tmp_path)
    seconds, colors = answer(("distance 2", "greedy smallest_last"))
    assert (seconds, colors.tolist()) == (1.5, list(range(16)))


def test_report_compares_with_colpack():
    row = {"graph": "a", "kind": "distance 1", "method": "greedy natural", "date": "2026-01-01"}
    ours = row | {"who": "Edgewise", "seconds": 1.0, "colors": 7}
    text = markdown([ours, row | {"who": "ColPack", "seconds": 2.0, "colors": 5}])
    assert "| Edgewise | greedy natural | 7, 1 s |" in text
    assert "- PASS: greedy for distance 1 takes 0.50 of ColPack's time" in text
    assert "- MISS: greedy for distance 1 uses at most 2 colors more than ColPack" in text
    assert "(improper)" in markdown([ours | {"wrong": "two neighbors share a color"}])


def test_patterns_and_what_determines_them():
    arrow = pattern_of("arrow6").toarray()
    assert (arrow == arrow.T).all() and arrow[0].all() and arrow.diagonal().all()
    assert pattern_of("five3").nnz == 33 and pattern_of("nine3").nnz == 49
    assert not (pattern_of("five3") != pattern_of("five3").T).nnz
    diagonal = csr_array(np.eye(3))
    assert determined(diagonal, np.zeros(3, int), "Jacobian")
    path = csr_array(np.array([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]]))
    assert not determined(path, np.array([0, 1, 0]), "Jacobian")
    assert determined(path, np.array([0, 1, 0]), "Hessian")  # each end of an edge will do
    assert not determined(path, np.array([-1, 0, 0]), "Hessian")
    square = csr_array(np.array([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]))
    assert not without_two_colored_cycles(square, np.array([0, 1, 1, 0]))
    assert without_two_colored_cycles(square, np.array([0, 1, 2, 0]))
    assert not without_two_colored_cycles(square, np.array([0, 0, 1, 2]))
    wide = pattern_of("wide16")
    assert wide.shape == (4, 16) and (wide != pattern_of("tall16").T).nnz == 0
    border = pattern_of("border12").toarray()
    assert border[::3].all() and border[:, ::3].all() and not border.all()
    cross = csr_array(np.array([[1.0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    sides = np.array([0, -1, -1, 0, -1, -1])  # rows, then columns
    assert determined(cross, sides, "Bicoloring")
    assert not determined(cross, np.where(np.arange(6) < 3, -1, sides), "Bicoloring")
    with pytest.raises(ValueError, match="pattern must be one of"):
        pattern_of("where3")


def test_report_on_derivatives():
    row = {"pattern": "five1000", "n": 1_000_000, "kind": "Jacobian", "date": "2026-01-01"}
    ours = row | {"who": "Edgewise best", "seconds": 1.0, "colors": 5}
    other = row | {"who": "asdex columns", "seconds": 2.0, "colors": 4}
    text = derivatives.markdown([ours, other])
    assert "| five1000 | 1,000,000 | 5, 1 s | 4, 2 s |" in text
    assert "- MISS: the Jacobian of five1000 needs 5 colors, asdex columns 4." in text
    assert "- MISS: the Jacobian of five1000 is colored 2.00 times as fast as by asdex" in text


def test_substitution_is_compared_with_acyclic_colorings():
    row = {"pattern": "five9", "n": 81, "kind": "Hessian", "date": "2026-01-01", "seconds": 1.0}
    named = {"Edgewise direct": 5, "Edgewise substitution": 4, "ColPack star": 6,
             "ColPack acyclic": 3}  # fmt: skip
    text = derivatives.markdown([row | {"who": who, "colors": n} for who, n in named.items()])
    assert "- PASS: the Hessian of five9 needs 5 colors, ColPack star 6." in text
    assert "- MISS: the Hessian of five9 by substitution needs 4 colors, ColPack acyclic 3." in text


def test_fewest_colors_of_several_orders_count(tmp_path, monkeypatch):
    """A program that gives each column a color of its own, but rows of a bicoloring are neutral."""
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "from pathlib import Path\n"
        "file, kind, order, _, colors = sys.argv[1:]\n"
        "rows, n = map(int, Path(file).read_text().splitlines()[1].split()[:2])\n"
        "found = [0 if (order, kind) == ('random', 'columns') else i for i in range(n)]\n"
        "found = [-1] * rows * ('bicoloring' in kind) + found\n"
        "Path(colors).write_text('\\n'.join(map(str, found)))\n"
        "print('seconds', {'natural': 2, 'random': 1}.get(order, 3))\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("EDGEWISE_COLPACK", str(program))
    monkeypatch.setattr(derivatives, "_is_there", lambda name: name == "ColPack")
    measure_derivatives(["five4", "wide20"], 60, tmp_path, lambda line: None)
    found = json.loads((tmp_path / "coloring-derivatives.json").read_text())
    assert not any("wrong" in row or "note" in row for row in found)
    told = {(row["pattern"], row["who"]): (row["colors"], row["order"]) for row in found}
    assert told["five4", "ColPack columns"] == (16, ["natural"])
    assert told["wide20", "ColPack star"] == (20, ["natural"])


def test_gpu_rows_can_be_selected(tmp_path):
    told = []
    options = {"device": "cpu", "quick": True}
    only = ["R-MAT 10", "jones_plassmann"]
    measure_coloring_on_gpu(0, tmp_path, told.append, only=only, **options)
    first = json.loads((tmp_path / "coloring-cuda.json").read_text())
    assert [(row["graph"], row["method"]) for row in first] == [tuple(only)]
    text = measure_coloring_on_gpu(0, tmp_path, told.append, only=["cube 12", only[1]], **options)
    rows = json.loads((tmp_path / "coloring-cuda.json").read_text())
    assert rows[0] == first[0] and [row["graph"] for row in rows] == ["R-MAT 10", "cube 12"]
    assert "distance_2 on R-MAT 22" in text.splitlines()[0]
    measure_coloring_on_gpu(0, tmp_path, told.append, only=["cube 12"], budget=0, **options)
    assert json.loads((tmp_path / "coloring-cuda.json").read_text()) == rows
    assert told[-1].startswith("  left out after 0 s: make, cube, 22,464 edges")
    with pytest.raises(ValueError, match="only must have names of"):
        measure_coloring_on_gpu(0, tmp_path, told.append, only=["R-MAT 11"], **options)


@pytest.mark.slow
def test_commands_on_tiny_problems(tmp_path, monkeypatch):
    monkeypatch.delenv("EDGEWISE_COLPACK", raising=False)
    told = []
    text = measure_coloring(["kron5", "random5"], 1, 120, tmp_path, told.append)
    rows = json.loads((tmp_path / "coloring.json").read_text())
    ours = [row for row in rows if row["who"] == "Edgewise"]
    assert [row for row in ours if "wrong" in row or "seconds" not in row] == []
    asked = sum(len(METHODS[kind]["Edgewise"]) for kind in METHODS)
    assert len(ours) == asked
    assert any("ColPack is left out" in line for line in told)
    assert "## Distance 2" in text
    text = measure_coloring_on_gpu(1, tmp_path, told.append, device="cpu", quick=True)
    assert "improper" not in text
    assert "MISS: speculative on cube 12 gives the colors" not in text
    measure_derivatives(["five6", "arrow9", "border9"], 60, tmp_path, told.append)
    found = json.loads((tmp_path / "coloring-derivatives.json").read_text())
    assert len(found) > 5 and not any("wrong" in one or "note" in one for one in found)
    measure_known(tmp_path, told.append, quick=True)
    known = json.loads((tmp_path / "coloring-known.json").read_text())
    assert all(row["colors"] >= row["known"] for row in known)
    assert (tmp_path / "coloring.svg").exists() == (find_spec("matplotlib") is not None)
