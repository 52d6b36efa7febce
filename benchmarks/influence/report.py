"""The report on influence: tables in Markdown, and which targets are met."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.report import machine, spell_bytes, spell_time, table

__all__ = ["markdown"]

Row = dict[str, Any]
#: Times of the fastest other program; of the spread of hill climbing; bytes.
_AHEAD, _NEAR, _MEMORY = 5, 0.99, 4 << 30
_SMALL, _OURS = 0.13, ("Edgewise IMM", "Edgewise OPIM")
#: Programs that the authors of methods wrote for their papers; all others are made to be used.
_PAPERS = ("OPIM-C", "SUBSIM")
_SHORT = {"independent_cascade": "IC", "linear_threshold": "LT"}
_EXPLAINED = {
    "seeds": "Our time is that of the whole call; other programs report their own, without reading "
    "the graph. Peak memory is that of the whole process, ours with Python and its libraries. "
    "`simulate` rates the seeds of all programs with the same random numbers.",
    "simulation": "Started from the 50 vertices of highest degree. The last column is the distance "
    "of a mean from ours, in standard errors of both.",
    "quality": "50 seeds, rated by `simulate`. PageRank is that of the reversed graph; `celf` is "
    "hill climbing with lazy evaluation.",
}


def markdown(rows: list[Row]) -> str:
    """The whole report."""
    if not rows:
        return ""
    days = sorted({row["date"] for row in rows})
    measured = " to ".join(dict.fromkeys((days[0], days[-1])))
    parts = [
        f"Measured {measured} on {machine()}, 2 threads: `python -m benchmarks influence`. "
        "Probabilities are those of the weighted cascade; times are medians.",
        "\n".join(f"- {'PASS' if good else 'MISS'}: {text}." for good, text in _targets(rows)),
    ]
    for part, tell in (("seeds", _seeds), ("simulation", _simulation), ("quality", _quality)):
        if found := [row for row in rows if row["part"] == part]:
            parts += [f"## {part.capitalize()}", _EXPLAINED[part], *tell(found)]
    return "\n\n".join(filter(None, parts))


def _seeds(rows: list[Row]) -> Iterator[str]:
    for graph, here in _by(rows, "graph").items():
        who = sorted(_by(here, "who"), key=lambda one: one not in _OURS)  # ours come first
        problems = _by(here, "model", "k", "epsilon")
        head = ["model", "k", "epsilon", *who]
        yield f"### {graph}"
        yield "Times, and how many times faster our fastest is than the fastest other program:"
        yield table([*head, "times faster"], (
            [*_problem(case), *_cells(row, who, _time), _ahead(row)]
            for case, row in problems.items()
        ), words=1)  # fmt: skip
        yield "Samples, and the peak memory of the process:"
        yield table(head, ([*_problem(case), *_cells(row, who, _memory)]
                           for case, row in problems.items()), words=1)  # fmt: skip
        runs = " or ".join(f"{one:,}" for one in sorted({row.get("runs", 0) for row in here} - {0}))
        yield f"Spread of the seeds, by {runs or 'no'} runs:"
        yield table(head, ([*_problem(case), *_cells(row, who, _spread)]
                           for case, row in problems.items()), words=1)  # fmt: skip


def _simulation(rows: list[Row]) -> Iterator[str]:
    lines = []
    for (graph, model), row in _by(rows, "graph", "model").items():
        ours = row.get("Edgewise", {})
        for who, cell in row.items():
            if "mean" not in cell:
                lines.append([graph, _SHORT[model], who, cell.get("note", ""), *[""] * 4])
                continue
            each = cell["seconds"] / cell["runs"]
            ratio = away = ""
            if who != "Edgewise" and "mean" in ours:
                ratio = f"{each * ours['runs'] / ours['seconds']:,.0f}"
                error = math.hypot(*(one["std"] / math.sqrt(one["runs"]) for one in (ours, cell)))
                away = f"{abs(cell['mean'] - ours['mean']) / error:.1f}" if error else "0"
            lines.append([graph, _SHORT[model], who, f"{cell['runs']:,}", spell_time(each),
                          ratio, f"{cell['mean']:,.1f}", away])  # fmt: skip
    head = ["graph", "model", "library", "runs", "time per run", "times faster", "mean spread"]
    yield table([*head, "standard errors apart"], lines, words=3)


def _quality(rows: list[Row]) -> Iterator[str]:
    lines = []
    for (graph, model), row in _by(rows, "graph", "model").items():
        best = row.get("celf", {}).get("mean")
        for who, cell in row.items():
            share = f"{cell['mean'] / best:.4f}" if best and "mean" in cell else ""
            lines.append([graph, _SHORT[model], who, _time(cell), _spread(cell), share])
    head = ["graph", "model", "chosen by", "time", "spread", "spread / hill climbing's"]
    yield table(head, lines, words=3)


def _targets(rows: list[Row]) -> Iterator[tuple[bool, str]]:
    """Each target: whether it is met, and how it stands."""
    seeds = [row for row in rows if row["part"] == "seeds"]
    problems = list(_by(seeds, "graph", "model", "k", "epsilon").values())
    packages = [{who: cell for who, cell in row.items() if who not in _PAPERS} for row in problems]
    if pairs := [pair for row in packages if (pair := _no_worse(row))]:
        yield _speed(pairs, "our fastest method of no lower spread beside Ripples and Python "
                     "packages")  # fmt: skip
    for what, method, among in (
        ("our fastest method beside Ripples and Python packages", "", packages),
        ("our fastest method beside all programs", "", problems),
        ("our IMM beside other programs'", "IMM", problems),
    ):
        if pairs := [pair for row in among if (pair := _fastest(row, method))]:
            yield _speed(pairs, what)
            if not method:
                yield _no_lower(pairs)
    small = [
        row["peak"]
        for row in seeds
        if row["graph"] == "soc-Epinions1" and row["who"] in _OURS
        and row["epsilon"] == _SMALL and row.get("peak")
    ]  # fmt: skip
    if small:
        told = f"epsilon {_SMALL} on soc-Epinions1 takes at most {spell_bytes(max(small))}"
        yield max(small) <= _MEMORY, f"{told}, within 4 GiB"
    quality = [row for row in rows if row["part"] == "quality"]
    for (graph, model), row in _by(quality, "graph", "model").items():
        means = {who: cell["mean"] for who, cell in row.items() if "mean" in cell}
        if {"imm", "celf", "degree", "PageRank"} <= set(means):
            yield _near(f"{graph}, {_SHORT[model]}", means)


def _speed(pairs: list[tuple[Row, Row]], what: str) -> tuple[bool, str]:
    ahead = [theirs["seconds"] / ours["seconds"] for ours, theirs in pairs]
    enough = sum(one >= _AHEAD for one in ahead)
    return min(ahead) >= _AHEAD, (
        f"{what}, with the same guarantee: {min(ahead):.1f} to {max(ahead):.1f} times faster, "
        f"{_mean(ahead):.1f} in the geometric mean; at least {_AHEAD} in {enough} of "
        f"{len(ahead)} problems"
    )


def _no_lower(pairs: list[tuple[Row, Row]]) -> tuple[bool, str]:
    lower = sum(ours.get("high", 0) < theirs.get("low", 0) for ours, theirs in pairs)
    return lower == 0, (
        "its spread is below that of the fastest of others, beyond both confidence intervals, in "
        f"{lower} of {len(pairs)} problems"
    )


def _near(where: str, means: dict[str, float]) -> tuple[bool, str]:
    share = means["imm"] / means["celf"]
    ahead = means["imm"] / max(means["degree"], means["PageRank"])
    return share >= _NEAR and ahead > 1, (
        f"on {where}, IMM's seeds reach {share:.4f} of those that hill climbing's do, at least "
        f"{_NEAR}, and {ahead:.3f} times those that the better of degree and PageRank do"
    )


def _fastest(row: dict[str, Row], method: str = "") -> tuple[Row, Row] | None:
    """The fastest of ours and of others, or of those with a method; None if either has no time."""
    timed = {who: cell for who, cell in row.items() if "seconds" in cell and method in who}
    sides = [[cell for who, cell in timed.items() if (who in _OURS) == ours]
             for ours in (True, False)]  # fmt: skip
    if not all(sides):
        return None
    ours, theirs = (min(side, key=lambda cell: cell["seconds"]) for side in sides)
    return ours, theirs


def _no_worse(row: dict[str, Row]) -> tuple[Row, Row] | None:
    """The fastest of others, and of ours the fastest whose spread is not clearly below that."""
    pair = _fastest(row)
    if pair is None:
        return None
    least = pair[1].get("low", 0)
    good = {who: cell for who, cell in row.items()
            if who not in _OURS or cell.get("high", 0) >= least}  # fmt: skip
    return _fastest(good)


def _by(rows: list[Row], *names: str) -> dict[Any, Any]:
    """Rows by one name, as lists; by several, as tables from who to row."""
    found: dict[Any, Any] = {}
    for row in rows:
        if len(names) == 1:
            found.setdefault(row[names[0]], []).append(row)
        else:
            found.setdefault(tuple(row[name] for name in names), {})[row["who"]] = row
    return found


def _problem(case: tuple) -> list[str]:
    model, k, epsilon = case
    return [_SHORT[model], str(k), str(epsilon)]


def _cells(row: dict[str, Row], who: list[str], tell: Callable[[Row], str]) -> list[str]:
    return [tell(row.get(one, {})) for one in who]


def _time(cell: Row) -> str:
    if "seconds" in cell:
        return spell_time(cell["seconds"])
    note = cell.get("note", "")
    return note if note.startswith(">") else "failed" if note and "no such" not in note else ""


def _memory(cell: Row) -> str:
    parts = [f"{cell['samples']:,.0f}"] if cell.get("samples") else []
    return ", ".join(parts + ([spell_bytes(cell["peak"])] if cell.get("peak") else []))


def _spread(cell: Row) -> str:
    return f"{cell['mean']:,.1f}" if "mean" in cell else ""


def _ahead(row: dict[str, Row]) -> str:
    pair = _fastest(row)
    return f"{pair[1]['seconds'] / pair[0]['seconds']:.1f}" if pair else ""


def _mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))
