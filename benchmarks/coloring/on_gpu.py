"""Colorings on a GPU beside two CPU threads and the sequential greedy method's colors.

The graphs are R-MAT graphs and cubes with the 27-point stencil in random order, small ones first.
The largest cube has 104 million edges. Rows are told and written as they come. A step is left out
if it would exceed the time that is left, judged by the same step on the graph before. The command
says what it leaves out, and the report too. `--only` selects graphs and methods, and keeps the
other rows.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.report import machine, spell_time, table

__all__ = ["measure_coloring_on_gpu"]

Row = dict[str, Any]
_METHODS = {
    "jones_plassmann": "distance_1",
    "speculative": "distance_1",
    "distance_2": "distance_2",
}
_OPTIONS = {"distance_2": {"method": "speculative"}}  # which is the default on a GPU alone
_SIZES = ((16, 50), (20, 100), (22, 200))
#: Goals: times faster than 2 threads, and of the sequential colors.
_FASTER, _SHARE = 20.0, 1.10


class _Clock:
    """What is left of a budget of seconds, and what each step took per edge."""

    def __init__(self, budget: float, tell: Callable[[str], None]) -> None:
        self.begin, self.rates = time.perf_counter(), {}
        self.budget, self.tell = budget, tell

    def spent(self) -> float:
        return time.perf_counter() - self.begin

    def run(
        self, step: tuple[str, ...], edges: int, function: Callable[..., Any], *args: Any
    ) -> Any:
        """What a function returns, or None if it would take too long."""
        if self.spent() + 1.5 * self.rates.get(step, 0.0) * edges > self.budget:
            self.tell(f"  left out after {self.spent():.0f} s: {', '.join(step)}, {edges:,} edges")
            return None
        begin = self.spent()
        found = function(*args)
        self.rates[step] = (self.spent() - begin) / max(edges, 1)
        return found


def measure_coloring_on_gpu(
    trials: int, folder: Path, tell: Callable[[str], None], *, device: str = "cuda",
    quick: bool = False, only: Sequence[str] = (), budget: float = 150.0,
) -> str:  # fmt: skip
    """Measure all graphs; the report in Markdown, also written to ``folder``.

    ``only`` has names of graphs and of methods. With names of one sort, all of the other count.
    """
    known = [name for name, *_ in _graphs(quick)]
    if unknown := [name for name in only if name not in known and name not in _METHODS]:
        raise ValueError(f"only must have names of {[*known, *_METHODS]}, got {unknown}")
    chosen = [name for name in known if name in only] or known
    methods = [name for name in _METHODS if name in only] or list(_METHODS)
    kept = folder / "coloring-cuda.json"
    rows: list[Row] = json.loads(kept.read_text()) if only and kept.exists() else []
    text, clock = _markdown(rows), _Clock(budget, tell)
    folder.mkdir(parents=True, exist_ok=True)
    if not quick:
        for name, _, make in _graphs(True):  # compiles everything
            list(_measure(name, make(), device, 1, methods, _Clock(budget, tell)))
        tell(f"compiled after {clock.spent():.0f} s")
    for name, edges, make in _graphs(quick):
        graph = clock.run(("make", name.split()[0]), edges, make) if name in chosen else None
        if graph is None:
            continue
        tell(f"{name}: {graph}, after {clock.spent():.0f} s")
        for row in _measure(name, graph, device, trials, methods, clock):
            tell(f"  {row}")
            rows = [one for one in rows if _place(one) != _place(row)] + [row]
            rows.sort(key=_place)
            text = _markdown(rows)
            kept.write_text(json.dumps(rows, indent=1) + "\n")
            (folder / "coloring-cuda.md").write_text(f"# coloring-cuda\n\n{text}\n")
    return text


def _place(row: Row) -> tuple[int, int]:
    """The place of a row in the report."""
    names = [name for quick in (True, False) for name, *_ in _graphs(quick)]
    return names.index(row["graph"]), [*_METHODS].index(row["method"])


def _measure(
    name: str, graph: Any, device: str, trials: int, methods: Sequence[str], clock: _Clock
) -> Iterator[Row]:
    from edgewise import coloring, threads

    there, kind_of = graph.to(device), name.split()[0]
    for method in methods:
        kind = _METHODS[method]
        step = (kind_of, method)
        found = clock.run(("gpu", *step), graph.num_edges, _timed, there, method, trials)
        if found is None:
            continue
        seconds, colors = found
        valid, used, _ = coloring.verify_coloring(there, colors, kind=kind)
        row = {"graph": name, "m": graph.num_edges, "kind": kind, "method": method, "gpu": seconds,
               "colors": used, "fault": None if valid else "two vertices share a color",
               "cpu": None, "date": time.strftime("%Y-%m-%d")}  # fmt: skip
        row["sequential"] = clock.run(("one", *step), graph.num_edges, _one, graph, kind)
        with threads(2):
            other = clock.run(("two", *step), graph.num_edges, _timed, graph, method, 0)
        if other is not None:
            row["cpu"] = other[0]
            row["same"] = bool((other[1] == (colors.get() if device != "cpu" else colors)).all())
        yield row


def _graphs(quick: bool) -> Iterator[tuple[str, int, Callable[[], Any]]]:
    """Names, numbers of edges, and how each graph is made."""
    from edgewise import generators, ordering

    def rmat(scale: int) -> Any:
        return generators.rmat(scale, seed=27)

    def cube(side: int) -> Any:
        graph = generators.grid_3d(side, side, layers=side, diagonals=True)
        return graph.permute(ordering.random_order(graph, seed=27))

    for scale, side in ((10, 12),) if quick else _SIZES:
        yield f"R-MAT {scale}", 16 << scale, lambda scale=scale: rmat(scale)
        yield f"cube {side}", 13 * side**3, lambda side=side: cube(side)


def _one(graph: Any, kind: str) -> int:
    """The colors of the greedy method in natural order on one thread."""
    from edgewise import coloring, threads

    with threads(1):
        color = coloring.greedy if kind == "distance_1" else coloring.distance_2
        return int(color(graph, order="natural").max()) + 1


def _timed(graph: Any, method: str, trials: int) -> tuple[float, Any]:
    """The least seconds of a call, and the colors; the first of several calls warms up."""
    from edgewise import coloring

    spent = []
    for _ in range(trials + 1):
        begin = time.perf_counter()
        found = getattr(coloring, method)(graph, **_OPTIONS.get(method, {}))
        if graph.device != "cpu":
            graph.xp.cuda.Device().synchronize()
        spent.append(time.perf_counter() - begin)
    return min(spent[1:] or spent), found


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines, verdicts = [], []
    for row in rows:
        name, greedy = f"{row['method']} on {row['graph']}", row["sequential"]
        ahead = row["cpu"] / row["gpu"] if row["cpu"] else None
        lines.append([
            row["graph"], row["method"], f"{row['m']:,}", spell_time(row["gpu"]),
            spell_time(row["cpu"]) if ahead else "", f"{ahead:.1f}" if ahead else "",
            f"{row['colors']:,}", f"{greedy:,}" if greedy else "",
        ])  # fmt: skip
        if ahead:
            verdicts.append(f"- {_mark(ahead >= _FASTER)}: {name} is {ahead:.1f} times faster than "
                            f"2 threads, at least {_FASTER:g}.")  # fmt: skip
            verdicts.append(f"- {_mark(row['same'])}: {name} gives the colors of 2 threads.")
        if greedy:
            share = row["colors"] / greedy
            verdicts.append(f"- {_mark(share <= _SHARE)}: {name} uses {share:.2f} of the "
                            f"sequential greedy method's colors, at most {_SHARE:g}.")  # fmt: skip
        if row["fault"]:
            verdicts.append(f"- MISS: {name} is improper: {row['fault']}.")
    head = ["graph", "method", "edges", "GPU", "2 threads", "times faster", "colors",
            "sequential greedy"]  # fmt: skip
    days = " and ".join(sorted({row["date"] for row in rows}))
    about = (f"Measured {days} beside {machine()}: "
             "`python -m benchmarks coloring --device cuda`.")  # fmt: skip
    there = {(row["graph"], row["method"]) for row in rows}
    absent = [f"{method} on {name}" for name, *_ in _graphs(False) for method in _METHODS
              if (name, method) not in there]  # fmt: skip
    about += f" Not measured: {', '.join(absent)}." if absent else ""
    return "\n\n".join([about, table(head, lines), "\n".join(verdicts)])


def _mark(met: bool) -> str:
    return "PASS" if met else "MISS"
