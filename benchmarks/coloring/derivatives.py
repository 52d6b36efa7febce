"""Colors of sparse Jacobians and Hessians beside SciPy, asdex, CasADi and ColPack.

Every library has a process of its own and its own form of the pattern, so that conversions do not
count. Libraries that are not there are left out. Ours takes a matrix of SciPy, and its time is of
the whole compression, with the recovery prepared. All use one thread, so processor times are
compared: other programs hardly change them. Every coloring is checked by its definition: is each
entry read from a product by itself? A coloring of ours for substitution is checked by a recovery,
that of another library for cycles of two colors.

asdex and CasADi take the columns (Jacobians) or a star coloring (Hessians), with their defaults.
ColPack is the program of `libraries`, called with an order at a time. The coloring with the fewest
colors counts, with the time of its order; of bicolorings all variants of ColPack are called.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.coloring.libraries import COLPACK, ORDERS, colpack, write_pattern
from benchmarks.coloring.patterns import PATTERNS, QUICK, pattern_of
from benchmarks.driver import use_threads
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["METHODS", "PATTERNS", "QUICK", "determined", "measure_derivatives"]

Row = dict[str, Any]
METHODS: dict[str, dict[str, tuple[str, ...]]] = {
    "Jacobian": {
        "Edgewise": ("best", "natural"),
        "SciPy": ("group_columns",),
        "asdex": ("columns",),
        "CasADi": ("columns",),
        "ColPack": ("columns",),
    },
    "Hessian": {
        "Edgewise": ("direct", "substitution"),
        "asdex": ("star",),
        "CasADi": ("star",),
        "ColPack": ("star", "acyclic"),
    },
    "Bicoloring": {
        "Edgewise": ("direct", "substitution"),
        "ColPack": ("star",),
    },
}
_TITLES = {"Bicoloring": 'Jacobians with mode "both": products with the matrix and its transpose'}
#: The methods of others that one of ours is compared with; the first of ours with all.
_SAME = {("Hessian", "direct"): ("star",), ("Hessian", "substitution"): ("acyclic",),
         ("Bicoloring", "substitution"): ()}  # fmt: skip
_BICOLORINGS = ("implicit", "explicit", "modified", "greedy")
_REPEATS = 3
#: Goals: times faster on a pattern of so many rows, and colors more than the best of the others.
_FASTER, _ROWS = 10.0, 1_000_000


def measure_derivatives(
    names: list[str], limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every pattern: see `measure_suite`."""
    use_threads(2)
    there = {name for kind in METHODS.values() for name in kind if _is_there(name)}

    def load(name: str) -> tuple[str, Any]:
        return name, pattern_of(name)

    def measure(given: tuple[str, Any]) -> list[Row]:
        name, matrix = given
        tell(f"{name}: {matrix.shape[0]:,} x {matrix.shape[1]:,}, {matrix.nnz:,} entries")
        found = []
        for library in sorted(there):
            with TemporaryDirectory() as files, Peer(_answering, library, name, files) as peer:
                for kind in _kinds(name):
                    for method in METHODS[kind].get(library, ()):
                        row = {"pattern": name, "n": matrix.shape[0], "entries": matrix.nnz,
                               "kind": kind, "who": f"{library} {method}",
                               "date": time.strftime("%Y-%m-%d")}  # fmt: skip
                        found.append(
                            _asked(row, matrix, peer, _tasks(library, kind, method), limit)
                        )
                        tell(f"  {kind}, {row['who']}: {_cell(found[-1])}")
        return found

    suite = Suite("coloring-derivatives", PATTERNS, load, measure, markdown, "pattern")
    return measure_suite(suite, names, folder, tell)


def _is_there(library: str) -> bool:
    return bool(os.environ.get(COLPACK) if library == "ColPack" else find_spec(library.lower()))


def _kinds(name: str) -> tuple[str, ...]:
    """Columns of an arrow are all different, and a random pattern is not symmetric."""
    return {"arrow": ("Hessian", "Bicoloring"), "random": ("Jacobian",),
            "border": ("Bicoloring",), "tall": ("Bicoloring",), "wide": ("Bicoloring",)}.get(
        re.sub(r"\d+$", "", name), ("Jacobian", "Hessian")
    )  # fmt: skip


def _tasks(library: str, kind: str, method: str) -> list[tuple[str, ...]]:
    """What is asked for a cell: of ColPack each order and variant."""
    if library != "ColPack":
        return [(kind, method)]
    words = [f"{one}_star_bicoloring" for one in _BICOLORINGS] if kind == "Bicoloring" else [method]
    orders = [order for order in ORDERS if order != "dynamic_largest_first" or kind == "Hessian"]
    return [(kind, word, order) for word in words for order in orders]


def _asked(row: Row, matrix: Any, peer: Peer, tasks: list[tuple[str, ...]], limit: float) -> Row:
    """The best of the replies: a coloring that is right and has the fewest colors."""
    found = []
    for task in tasks:
        found.append(_with_reply(row, matrix, peer.ask(task, limit)) | {"order": task[2:]})
        if "note" in found[-1]:  # all orders count, or none
            return row | {"note": found[-1]["note"]}
    best = min(found, key=lambda one: ("wrong" in one, one["colors"]))
    return {name: value for name, value in best.items() if name != "order" or value}


def _with_reply(row: Row, matrix: Any, reply: Any) -> Row:
    if isinstance(reply, str):
        return row | {"note": reply}
    seconds, colors, good = reply
    sides = np.split(colors, [len(colors) - matrix.shape[1]])
    used = sum(len(np.unique(side[side >= 0])) for side in sides)
    if good is None:
        good = (without_two_colored_cycles(matrix, colors) if row["who"].endswith("acyclic")
                else determined(matrix, colors, row["kind"]))  # fmt: skip
    return row | {"seconds": seconds, "colors": used} | ({} if good else {"wrong": True})


def determined(matrix: Any, colors: np.ndarray, kind: str) -> bool:
    """Whether each entry is the only one of its color in its row, or in its column.

    The column counts for Hessians and bicolorings. These have the colors of the rows first.
    """
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    by_row, by_column = np.split(colors, [len(colors) - matrix.shape[1]])
    single = _single(rows, by_column[matrix.indices])
    if kind != "Jacobian":
        single |= _single(matrix.indices, (by_row if len(by_row) else by_column)[rows])
    return bool(single.all())


def without_two_colored_cycles(matrix: Any, colors: np.ndarray) -> bool:
    """Whether neighbors differ, and the edges between any two colors are a forest."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    upper = rows < matrix.indices
    ends = np.stack([rows[upper], matrix.indices[upper]]).astype(np.int64)
    classes = colors[ends]
    if (classes[0] == classes[1]).any() or (colors < 0).any():
        return False
    pair = classes.min(axis=0) * (int(colors.max(initial=0)) + 1) + classes.max(axis=0)
    known, places = np.unique(pair * len(colors) + ends, return_inverse=True)
    first, second = places.reshape(2, -1)  # a vertex once for each pair of colors
    shape = (len(known), len(known))
    parts = connected_components(coo_array((np.ones(len(first)), (first, second)), shape), False)
    return len(first) == len(known) - parts[0]


def _single(lines: np.ndarray, colors: np.ndarray) -> np.ndarray:
    keys = lines.astype(np.int64) * (int(colors.max(initial=0)) + 2) + colors + 1  # from -1 on
    order = np.argsort(keys, kind="stable")
    new = np.ones(len(keys) + 1, bool)
    new[1:-1] = keys[order][1:] != keys[order][:-1]
    found = np.empty(len(keys), bool)
    found[order] = new[:-1] & new[1:]
    return found & (colors >= 0)


def _answering(library: str, name: str, files: str) -> Callable[[Any], Any]:
    matrix = pattern_of(name)
    if library == "ColPack":
        return _colpack(matrix, Path(files))
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
            if task[0] == "Bicoloring":
                colors = np.concatenate([found.row_colors, colors])
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
        if kind == "Bicoloring":
            return lambda: coloring.jacobian_coloring(given, mode="both", method=method)
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


def _colpack(matrix: Any, files: Path) -> Callable[[tuple[str, str, str]], Any]:
    def answer(task: tuple[str, str, str]) -> tuple[float, np.ndarray, None]:
        kind, word, order = task
        file = files / f"{kind}.mtx"
        if not file.exists():
            write_pattern(matrix, file, symmetric=kind == "Hessian")
        return *colpack(file, word, order, 1, files / "colors.txt"), None

    return answer


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
            parts += [
                f"## {_TITLES.get(kind, f'{kind}s')}",
                table(["pattern", "rows", *methods], lines),
            ]
        for name in dict.fromkeys(row["pattern"] for row in some):
            verdicts += _verdicts(kind, [row for row in some if row["pattern"] == name])
    return "\n\n".join([*parts, "\n".join(verdicts)]).strip()


def _cell(row: Row) -> str:
    if "seconds" not in row:
        return row.get("note", "")
    return f"{row['colors']:,}, {spell_time(row['seconds'])}" + (" (wrong)" * ("wrong" in row))


def _verdicts(kind: str, rows: list[Row]) -> list[str]:
    """Beside the best of the others: colors, and on large patterns the time."""
    done, name, told = [row for row in rows if "seconds" in row], rows[0]["pattern"], []
    for place, method in enumerate(METHODS[kind]["Edgewise"]):
        ours = [row for row in done if row["who"] == f"Edgewise {method}"]
        same = _SAME.get((kind, method), () if place else None)
        others = [
            row
            for row in done
            if row["who"].partition(" ")[0] != "Edgewise"
            and "wrong" not in row
            and (same is None or row["who"].split()[1] in same)
        ]
        if not ours or not others:
            continue
        best, fewest = ours[0], min(others, key=lambda row: row["colors"])
        what = f"{kind} of {name}" + f" by {method}" * (method == "substitution")
        met = best["colors"] <= fewest["colors"] and "wrong" not in best
        told.append(f"- {_mark(met)}: the {what} needs {best['colors']:,} colors, "
                    f"{fewest['who']} {fewest['colors']:,}.")  # fmt: skip
        python = [row for row in others if not row["who"].startswith("ColPack")]
        for row in python if best["n"] >= _ROWS and not place else ():
            ahead = row["seconds"] / best["seconds"]
            told.append(f"- {_mark(ahead >= _FASTER)}: the {what} is colored {ahead:.2f} times as "
                        f"fast as by {row['who']}, at least {_FASTER:g}.")  # fmt: skip
    return told


def _mark(met: bool) -> str:
    return "PASS" if met else "MISS"
