"""Joins of one collection after the other: by thresholds, by sizes, by methods, beside peers.

A process holds the collection and joins it as it is asked, so that memory is that of joins.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.join.peers import LINKERS, agreement, linked, tokenjoin
from benchmarks.join.report import markdown
from benchmarks.join.sets import COLLECTIONS, Collection, load
from benchmarks.peer import Peer
from benchmarks.suite import Suite, measure_suite
from benchmarks.worker import memory_of

__all__ = ["measure_join"]

THRESHOLDS = (0.6, 0.7, 0.8, 0.9)
SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
#: Where sizes and methods are compared; the paper's is 0.7. Titles are many, and all alike below;
#: large sets are all alike, too, but not that much.
USUAL, OTHER = 0.7, {"reddit": 0.8, "large-20000": 0.6}
METHODS = ("exact", "bounded", "greedy", "locally_dominant", "paz_schwartzman")


def measure_join(
    names: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every collection: see `measure_suite`."""
    use_threads(2)

    def measure(data: Collection) -> list[dict[str, Any]]:
        return [_measure(data, trials, limit, tell)]

    suite = Suite("join", COLLECTIONS, load, measure, markdown, key="collection")
    return measure_suite(suite, names, folder, tell)


def _measure(
    data: Collection, trials: int, limit: float, tell: Callable[[str], None]
) -> dict[str, Any]:
    usual = OTHER.get(data.name, USUAL)
    tell(f"{data.name}: {len(data.left):,} sets")
    row: dict[str, Any] = {
        "collection": data.name, "usual": usual, "trials": trials,
        "sets": [len(side) for side in (data.left, data.right) if side is not None],
        "date": time.strftime("%Y-%m-%d"),
    }  # fmt: skip
    with Peer(_prepared, data.name) as peer:

        def ask(threshold: float, share: float = 1.0, method: str = "exact", **more: Any) -> Any:
            asked = {"threshold": threshold, "share": share, "method": method, "trials": trials}
            found = peer.ask(asked | more, limit)
            tell(f"  {threshold:g}, {share:.0%}, {method} {more or ''}: {_said(found)}")
            return {"note": found} if isinstance(found, str) else found

        row["thresholds"] = {str(level): ask(level, memory=True) for level in THRESHOLDS}
        row["shares"] = {str(share): ask(usual, share) for share in SHARES}
        row["methods"] = {
            f"{method} {bound}": ask(usual, method=method, bound=bound)
            for method in METHODS
            for bound in (("lower",) if method in METHODS[:2] else ("lower", "upper"))
        }
        if data.truth is not None:
            row["edit"] = {
                str(level): ask(level, similarity="edit") for level in THRESHOLDS if level >= usual
            }
        exact = row["thresholds"][str(usual)]
        alone = data.name.startswith("large-")
        row["pytokenjoin"] = (
            {"note": "not asked"} if alone else tokenjoin(data, usual, limit, exact)
        )
    tell(f"  pytokenjoin: {row['pytokenjoin']}")
    if data.records is not None:
        row["linkers"] = {name: linked(name, data, limit) for name in LINKERS}
        tell(f"  linkers: {row['linkers']}")
    return row


def _prepared(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """In a process of its own: the collection, its parts, and the exact pairs to compare with."""
    from edgewise.join import fuzzy_join

    whole, parts, right = load(name), dict[float, Collection](), dict[Any, np.ndarray]()

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        share, threshold = asked["share"], asked["threshold"]
        data = parts.setdefault(share, whole.part(share))
        similarity = asked.get("similarity", "jaccard")
        options = {"threshold": threshold, "metric": similarity}
        given = {"method": asked["method"], "bound": asked.get("bound", "lower")} | options

        def run() -> Any:
            return fuzzy_join(data.left, data.right, **given)

        fuzzy_join(data.left[:100], data.right and data.right[:100], **given)  # compiles
        runs = [run()]
        if runs[0].seconds["in all"] < 20:
            runs += [run() for _ in range(asked["trials"] - 1)]
        found = runs[-1]
        keys = found.left << 32 | found.right
        case = (share, threshold, similarity)
        if asked["method"] == "exact":
            right[case] = keys
        elif case not in right:
            exact = fuzzy_join(data.left, data.right, **options)
            right[case] = exact.left << 32 | exact.right
        said = {
            "pairs": len(found), "tally": found.tally,
            "seconds": median(one.seconds["in all"] for one in runs),
            "verification": median(one.seconds["verification"] for one in runs),
            **agreement(keys, right[case]),
        }  # fmt: skip
        if data.truth is not None:
            said["linkage"] = agreement(keys, np.array([a << 32 | b for a, b in data.truth]))
        if asked.get("memory"):
            said["memory"] = memory_of(run)
        return said

    return answer


def _said(found: Any) -> str:
    if isinstance(found, str):
        return found
    parts = {name: found[name] for name in ("pairs", "seconds", "verification", "recall")}
    return ", ".join(f"{name} {value:.5g}" for name, value in parts.items())
