"""Colors of sparse Jacobians and Hessians beside SciPy, asdex and CasADi, where these are there.

Every library has a process of its own and its own form of the pattern, so that conversions do not
count. Ours takes a matrix of SciPy, and its time is of the whole compression, with the recovery
prepared. All use one thread, so processor times are compared: other programs hardly change them.
Every coloring is checked by its definition: is each entry read from a product by itself? A coloring
for substitution is checked by a recovery.

asdex and CasADi take the columns (Jacobians) or a star coloring (Hessians), with their defaults.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.graphs import MissingGraphError, data_folder
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["PATTERNS", "QUICK", "determined", "measure_derivatives", "pattern_of"]

Row = dict[str, Any]
PATTERNS = ("five1000", "nine500", "cube40", "random20", "arrow100000", "bcsstk16")
QUICK = ("five20", "arrow100", "random6")
METHODS: dict[str, dict[str, tuple[str, ...]]] = {
    "Jacobian": {
        "Edgewise": ("best", "natural"),
        "SciPy": ("group_columns",),
        "asdex": ("columns",),
        "CasADi": ("columns",),
    },
    "Hessian": {
        "Edgewise": ("direct", "substitution"),
        "asdex": ("star",),
        "CasADi": ("star",),
    },
}
_REPEATS = 3
#: Goals: times faster on a pattern of so many rows, and colors more than the best of the others.
_FASTER, _ROWS = 10.0, 1_000_000


def measure_derivatives(
    names: list[str], limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every pattern: see `measure_suite`."""
    use_threads(2)
    there = {name for kind in METHODS.values() for name in kind if find_spec(name.lower())}

    def load(name: str) -> tuple[str, Any]:
        return name, pattern_of(name)

    def measure(given: tuple[str, Any]) -> list[Row]:
        name, matrix = given
        tell(f"{name}: {matrix.shape[0]:,} x {matrix.shape[1]:,}, {matrix.nnz:,} entries")
        found = []
        for library in sorted(there):
            with Peer(_answering, library, name) as peer:
                for kind in _kinds(name):
                    for method in METHODS[kind].get(library, ()):
                        row = {"pattern": name, "n": matrix.shape[0], "entries": matrix.nnz,
                               "kind": kind, "who": f"{library} {method}",
                               "date": time.strftime("%Y-%m-%d")}  # fmt: skip
                        found.append(_with_reply(row, matrix, peer.ask((kind, method), limit)))
                        tell(f"  {kind}, {row['who']}: {_cell(found[-1])}")
        return found

    suite = Suite("coloring-derivatives", PATTERNS, load, measure, markdown, "pattern")
    return measure_suite(suite, names, folder, tell)


def _kinds(name: str) -> tuple[str, ...]:
    """Columns of an arrow are all different, and a random pattern is not symmetric."""
    return {"arrow": ("Hessian",), "random": ("Jacobian",)}.get(
        re.sub(r"\d+$", "", name), ("Jacobian", "Hessian")
    )


def _with_reply(row: Row, matrix: Any, reply: Any) -> Row:
    if isinstance(reply, str):
        return row | {"note": reply}
    seconds, colors, recovered = reply
    used = int(colors.max(initial=-1)) + 1
    good = recovered if recovered is not None else determined(matrix, colors, row["kind"])
    return row | {"seconds": seconds, "colors": used} | ({} if good else {"wrong": True})


def determined(matrix: Any, colors: np.ndarray, kind: str) -> bool:
    """Whether each entry is the only one of its color in its row, or (Hessians) in its column."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    single = _single(rows, colors[matrix.indices])
    if kind == "Hessian":
        single |= _single(matrix.indices, colors[rows])
    return bool(single.all())


def _single(lines: np.ndarray, colors: np.ndarray) -> np.ndarray:
    keys = lines.astype(np.int64) * (int(colors.max(initial=0)) + 1) + colors
    order = np.argsort(keys, kind="stable")
    new = np.ones(len(keys) + 1, bool)
    new[1:-1] = keys[order][1:] != keys[order][:-1]
    found = np.empty(len(keys), bool)
    found[order] = new[:-1] & new[1:]
    return found & (colors >= 0)


def pattern_of(name: str) -> Any:
    """A matrix of ones: five<side>, nine<side>, cube<side>, random<scale>, arrow<n> or bcsstk16."""
    from scipy.sparse import csr_array, eye_array

    from edgewise import generators

    if name == "bcsstk16":
        path = data_folder() / "graphs" / "bcsstk16.triples.txt.gz"
        if not path.exists():
            raise MissingGraphError(f"there is no {path.name} beside the checkout")
        rows, columns = np.loadtxt(path, usecols=(0, 1), dtype=np.int64).T
        return _ones(rows, columns, int(max(rows.max(), columns.max())) + 1)
    kind, size = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
    n = int(size)
    if kind == "random":
        n = 1 << n
        sources, targets, _ = generators.random_bipartite(n, n, m=4 * n, seed=27).edges()
        return csr_array((np.ones(len(sources)), (sources, targets - n)), shape=(n, n))
    if kind == "arrow":  # with a band beside the diagonal
        ids = np.arange(1, n)
        return _ones(np.append(ids - 1, 0 * ids), np.append(ids, ids), n)
    if kind == "cube":
        graph = generators.grid_3d(n, n, layers=n, diagonals=True)
    elif kind in ("five", "nine"):
        graph = generators.grid_2d(n, n, diagonals=kind == "nine")
    else:
        raise ValueError(f"pattern must be one of {', '.join(PATTERNS)}, or alike, got {name!r}")
    ones = np.ones(graph.num_arcs)
    table = csr_array((ones, graph.indices, graph.indptr), shape=graph.shape)
    return csr_array(table + eye_array(graph.num_vertices))


def _ones(rows: Any, columns: Any, n: int) -> Any:
    from scipy.sparse import csr_array, eye_array

    half = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    whole = csr_array(half + half.T + eye_array(n))
    whole.data[:] = 1
    return whole


def _answering(library: str, name: str) -> Callable[[tuple[str, str]], Any]:
    matrix = pattern_of(name)
    make = _LIBRARIES[library](matrix)

    def answer(task: tuple[str, str]) -> tuple[float, np.ndarray, bool | None]:
        run, spent = make(*task), []
        while len(spent) <= _REPEATS:  # the first warms up
            begin = time.process_time()
            found = run()
            spent.append(time.process_time() - begin)
            if spent[-1] > 2:
                break
        colors, recovered = found, None
        if library == "Edgewise":
            colors = found.colors if task[0] == "Hessian" else found.column_colors
            if task[1] == "substitution":
                again = found.recover(found.compress(matrix))
                recovered = bool(abs(again - matrix).max() < 1e-9)
        return min(spent[1:] or spent), np.asarray(colors), recovered

    return answer


def _edgewise(matrix: Any) -> Callable[[str, str], Callable[[], Any]]:
    from edgewise import coloring

    def make(kind: str, method: str, given: Any = matrix) -> Callable[[], Any]:
        if kind == "Jacobian":
            return lambda: coloring.jacobian_coloring(given, order=method)
        return lambda: coloring.hessian_coloring(given, method=method)

    small = pattern_of("five12")
    for kind, libraries in METHODS.items():
        for method in libraries["Edgewise"]:
            make(kind, method, small)()  # compiles, or loads
    return make


def _scipy(matrix: Any) -> Callable[[str, str], Callable[[], Any]]:
    from scipy.optimize._numdiff import group_columns

    return lambda kind, method: lambda: group_columns(matrix, 0)


def _asdex(matrix: Any) -> Callable[[str, str], Callable[[], Any]]:
    import asdex

    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
    pattern = asdex.SparsityPattern(rows, matrix.indices.astype(np.int32), matrix.shape)

    def make(kind: str, method: str) -> Callable[[], Any]:
        if kind == "Jacobian":
            return lambda: asdex.jacobian_coloring_from_sparsity(pattern, mode="fwd").colors
        return lambda: asdex.hessian_coloring_from_sparsity(pattern).colors

    return make


def _casadi(matrix: Any) -> Callable[[str, str], Callable[[], Any]]:
    import casadi

    by_column = matrix.tocsc()
    pattern = casadi.Sparsity(*matrix.shape, by_column.indptr.tolist(), by_column.indices.tolist())

    def make(kind: str, method: str) -> Callable[[], Any]:
        def run() -> np.ndarray:
            found = pattern.uni_coloring() if kind == "Jacobian" else pattern.star_coloring()
            colors = np.full(matrix.shape[1], -1)
            colors[np.asarray(found.row())] = found.get_col()
            return colors

        return run

    return make


_LIBRARIES = {"Edgewise": _edgewise, "SciPy": _scipy, "asdex": _asdex, "CasADi": _casadi}


def markdown(rows: list[Row]) -> str:
    """A table, and the goals."""
    days = " and ".join(sorted({row["date"] for row in rows}))
    parts = [
        f"Measured {days} on {machine()}: `python -m benchmarks coloring --derivatives`. Cells are "
        "colors and the least processor time. Every coloring is checked; wrong ones are marked."
    ]
    verdicts = []
    for kind in METHODS:
        some = [row for row in rows if row["kind"] == kind]
        methods = list(dict.fromkeys(
            name for library, words in METHODS[kind].items() for word in words
            if (name := f"{library} {word}") in {row["who"] for row in some}
        ))  # fmt: skip
        cells = {(row["pattern"], row["who"]): row for row in some}
        lines = [
            [name, f"{n:,}",
             *(_cell(cells[name, who]) if (name, who) in cells else "" for who in methods)]
            for name, n in dict.fromkeys((row["pattern"], row["n"]) for row in some)
        ]  # fmt: skip
        if some:
            parts += [f"## {kind}s", table(["pattern", "rows", *methods], lines)]
        for name in dict.fromkeys(row["pattern"] for row in some):
            verdicts += _verdicts(kind, [row for row in some if row["pattern"] == name])
    return "\n\n".join([*parts, "\n".join(verdicts)]).strip()


def _cell(row: Row) -> str:
    if "seconds" not in row:
        return row.get("note", "")
    return f"{row['colors']:,}, {spell_time(row['seconds'])}" + (" (wrong)" * ("wrong" in row))


def _verdicts(kind: str, rows: list[Row]) -> list[str]:
    """Beside the best of the others: colors, and on large patterns the time."""
    done = [row for row in rows if "seconds" in row]
    ours = [row for row in done if row["who"].startswith("Edgewise")]
    others = [row for row in done if row not in ours and "wrong" not in row]
    if not ours or not others:
        return []
    name, told = rows[0]["pattern"], []
    fewest = min(others, key=lambda row: row["colors"])
    best = ours[0]  # the default
    told.append(f"- {_mark(best['colors'] <= fewest['colors'])}: the {kind} of {name} needs "
                f"{best['colors']:,} colors, {fewest['who']} {fewest['colors']:,}.")  # fmt: skip
    if rows[0]["n"] >= _ROWS:
        for row in others:
            ahead = row["seconds"] / best["seconds"]
            told.append(f"- {_mark(ahead >= _FASTER)}: the {kind} of {name} is colored "
                        f"{ahead:.2f} times as fast as by {row['who']}, at least "
                        f"{_FASTER:g}.")  # fmt: skip
    return told


def _mark(met: bool) -> str:
    return "PASS" if met else "MISS"
