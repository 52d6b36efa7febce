"""The report on partitions beside other packages': all rows, the means beside METIS, the goals.

A method that has not ended in time counts with the limit, so that a mean is at least what is told.
It has no cut: such rows are named.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, geometric_mean, median
from typing import Any

from benchmarks.partitioning.graphs import MESHES
from benchmarks.partitioning.packages import IMBALANCE, METHODS
from benchmarks.report import machine, spell_time, table

__all__ = ["cell", "markdown", "too_large"]

Row = dict[str, Any]
_METIS, _KAMINPAR, _KAHYPAR = "METIS k-way", "KaMinPar default", "Mt-KaHyPar default"
_DEFAULT, _HIGH, _SPECTRAL = (f"Edgewise {name}" for name in METHODS["Edgewise"][1:])
#: The limit of rows that do not say theirs.
_LIMIT = 40.0


def markdown(rows: list[Row]) -> str:
    """All cuts and times, the geometric means beside METIS, and the goals."""
    days = " and ".join(sorted({row["date"] for row in rows}))
    known = [f"{name} {method}" for name, methods in METHODS.items() for method in methods]
    methods = sorted({row["who"] for row in rows}, key=known.index)
    cases = {(row["graph"], row["k"]): {} for row in rows}
    for row in rows:
        cases[row["graph"], row["k"]][row["who"]] = row
    lines = [[graph, str(k), *(cell(found[who]) if who in found else "" for who in methods)]
             for (graph, k), found in cases.items()]  # fmt: skip
    balance = "PASS" if too_large(rows, "Edgewise") == 0 else "MISS"
    ours = [row for row in rows if row["who"].startswith("Edgewise")]
    meshes = {case: found for case, found in cases.items() if case[0] in MESHES}
    return "\n\n".join([
        f"Measured {days} on {machine()}, 2 threads: `python -m benchmarks partitioning`. Parts "
        "may be "
        f"{100 * IMBALANCE:g} percent larger than the mean. Cells are the mean cut and the least "
        "time, or the mean cut alone if the machine was busy. " + _seeds(rows),
        table(["graph", "k", *methods], lines),
        "## Beside METIS",
        "Geometric means over the rows that both have; partitions whose largest part is too large "
        "are counted.",
        table(["method", "cut", "volume", "time", "too large", "largest imbalance"],
              [_means(rows, cases, who) for who in methods], words=1),
        "\n".join([
            *_goal(cases, _DEFAULT, _METIS, "cut", 1.0),
            *_goal(cases, _DEFAULT, _KAMINPAR, "seconds", 2.0),
            *_goal(cases, _HIGH, _KAHYPAR, "cut", 1.03),
            *_goal(meshes, _SPECTRAL, _METIS, "cut", 1.3),
            f"- {balance}: {too_large(rows, 'Edgewise')} of {sum(len(row['cut']) for row in ours)} "
            "partitions of ours have a part that is too large.",
        ]),
    ])  # fmt: skip


def _seeds(rows: list[Row]) -> str:
    """How many seeds the means are over."""
    told = []
    for name, chosen in (("Edgewise", True), ("the others", False)):
        counts = [len(row["cut"]) for row in rows
                  if row["cut"] and row["who"].startswith("Edgewise") == chosen]  # fmt: skip
        if counts:
            low, high, mid = min(counts), max(counts), median(counts)
            one = f"{high} seed{'s' * (high > 1)}"
            span = one if low == high else f"{low} to {one} (median {mid:g})"
            told.append(f"{name} over {span}")
    return f"Means: {', '.join(told)}." if told else ""


def cell(row: Row) -> str:
    """The mean cut and the least time, or why there is none."""
    if not row["cut"]:
        return row.get("note", "")
    cut = f"{fmean(row['cut']):,.0f}"
    return f"{cut}, {spell_time(min(row['seconds']))}" if row["seconds"] else cut


def _means(rows: list[Row], cases: dict, who: str) -> list[str]:
    ratios = [_ratio(cases, who, _METIS, what) for what in ("cut", "volume", "seconds")]
    own = [row for row in rows if row["who"] == who]
    if not all(row["seconds"] for row in own if row["cut"]):
        ratios[-1] = None  # a mean over some rows would not be that of the others
    worst = max((max(row["imbalance"]) for row in own if row["cut"]), default=0.0)
    tries = sum(len(row["cut"]) for row in own)
    return [who, *(f"{ratio:.3f}" if ratio else "" for ratio in ratios),
            f"{too_large(rows, who)} of {tries}", f"{100 * worst:.1f} %"]  # fmt: skip


def _ratio(
    cases: dict, who: str, other: str, what: str, late: list[tuple[str, int]] | None = None
) -> float | None:
    """The geometric mean of one's figure over another's; cases in ``late`` count with the limit."""
    pick = min if what == "seconds" else fmean
    shares = []
    for case, found in cases.items():
        one, two = found.get(who, {}), found.get(other, {})
        if not two.get(what):
            continue
        if one.get(what):
            shares.append((pick(one[what]) + 1e-9) / (pick(two[what]) + 1e-9))  # 0 may be a cut
        elif what == "seconds" and case in (late or ()):
            shares.append(max(one.get("limit", _LIMIT) / pick(two[what]), 1.0))
    return geometric_mean(shares) if shares else None


def _goal(cases: dict, who: str, other: str, what: str, most: float) -> Iterator[str]:
    late = [case for case, found in cases.items()
            if found.get(who, {}).get("note", "").startswith(">")
            and found.get(other, {}).get("cut")]  # fmt: skip
    ratio = _ratio(cases, who, other, what, late)
    if ratio is None:
        return
    mark, word = "PASS" if ratio <= most else "MISS", "time" if what == "seconds" else what
    least, more = "", ""
    if late:
        names = ", ".join(f"{graph} with {k}" for graph, k in late)
        rows = sum(bool(found.get(other, {}).get("cut")) for found in cases.values())
        more = f" of {rows - len(late)} of {rows} rows; it did not end in time for {names} parts"
        if what == "seconds":
            least = "at least "
            more = f"; it did not end in time for {names} parts, where the limit counts"
    yield (f"- {mark}: the {word} of {who} is {least}{ratio:.3f} of that of {other}, geometric "
           f"mean{more}, at most {most:g}.")  # fmt: skip


def too_large(rows: list[Row], who: str) -> int:
    """How many partitions have a part larger than allowed; a hair is rounding."""
    found = [value for row in rows if row["who"].startswith(who) for value in row["imbalance"]]
    return sum(value > IMBALANCE + 1e-9 for value in found)
