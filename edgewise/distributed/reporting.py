"""The report of ``python -m edgewise.distributed.check``: Markdown, with all figures as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from edgewise.distributed.measuring import doubts

__all__ = ["differing_answers", "figures_in", "markdown"]

_FENCE = "```"


def markdown(found: dict[str, Any]) -> str:
    """The report as text."""
    return "\n".join(_lines(found)) + "\n"


def figures_in(text: str) -> dict[str, Any]:
    """The figures of a report.

    >>> found = {"communicators": {}, "missing": {"NCCL": "no GPU"}, "machines": [], "nodes": [],
    ...          "ranks": 0, "date": "", "started by": "a test"}
    >>> figures_in(markdown(found)) == found
    True
    """
    return json.loads(text.rpartition(f"{_FENCE}json")[2].rpartition(_FENCE)[0])


def differing_answers(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of strong scaling whose answer is not that of the smallest grid."""
    first: dict[str, float] = {}
    rows = [row for row in found.get("scaling", ()) if row["kind"] == "strong"]
    for row in rows:
        first.setdefault(row["algorithm"], row["answer"])
    return [row for row in rows if not _close(first[row["algorithm"]], row["answer"])]


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield "# Report of edgewise.distributed.check"
    yield ""
    nodes = len({*found["nodes"]})
    start = f"{found['ranks']} ranks on {nodes} machines, started by {found['started by']}"
    yield f"{found['date']}: {start}. Machines are numbered; their names are not in this file."
    yield from _communicators(found)
    yield from _machines(found)
    for name, about in found["communicators"].items():
        yield from _times(name, about)
    if "scaling" in found:
        yield from _scaling(found)
        yield from _model(found)
    yield from ("", "## All figures", "", f"{_FENCE}json", json.dumps(found, indent=1), _FENCE)


def _table(heads: list[str], rows: Iterable[list[Any]]) -> Iterator[str]:
    yield ""
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(str(one).replace("|", "\\|") for one in row) + " |"


def _communicators(found: dict[str, Any]) -> Iterator[str]:
    yield from ("", "## Communicators")
    rows = []
    for name, about in found["communicators"].items():
        wrong = [f"{one}: {text}" for one, text in about["right"].items() if text != "right"]
        right = f"{len(about['right'])} collectives give right answers"
        rows.append([name, "WRONG" if wrong else "right", "; ".join(wrong) or right])
    rows += [[name, "not checked", why] for name, why in found["missing"].items()]
    yield from _table(["communicator", "state", "details"], rows)


def _machines(found: dict[str, Any]) -> Iterator[str]:
    yield from ("", "## Machines")
    ranks: dict[str, list[int]] = {}
    for rank, facts in enumerate(found["machines"]):
        text = ", ".join(f"{key} {value}" for key, value in facts.items() if key != "device")
        ranks.setdefault(f"machine {found['nodes'][rank]}: {text}", []).append(rank)
    yield from _table(["ranks", "what they run on"],
                      ([_ranges(some), text] for text, some in ranks.items()))  # fmt: skip


def _ranges(ranks: list[int]) -> str:
    """
    >>> _ranges([0, 1, 2, 5])
    '0-2, 5'
    """
    parts: list[list[int]] = []
    for rank in ranks:
        if parts and parts[-1][1] == rank - 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    return ", ".join(f"{low}-{high}" if low < high else str(low) for low, high in parts)


def _times(name: str, about: dict[str, Any]) -> Iterator[str]:
    for group, link in about["groups"].items():
        yield from ("", f"## {name}: {group} ({link['ranks']} ranks)", "")
        width = link["bandwidth_bytes_per_s"]
        yield (f"Latency {_time(link['latency_s'])} per step, bandwidth "
               f"{'not known' if width is None else f'{width / 1e9:.3g} GB/s'}; the median error "
               f"of the model is {link['error']:.0%}.")  # fmt: skip
        if text := doubts(link):
            yield from ("", f"**Warning: {text}.**")
        kinds = list(dict.fromkeys(row["collective"] for row in link["rows"]))
        sizes: dict[int, dict[str, str]] = {}
        for at, row in enumerate(link["rows"]):
            size = link["rows"][at - at % len(kinds)]["bytes"]
            sizes.setdefault(size, {})[row["collective"]] = _time(row["seconds"])
        rows = ([size, *(row[kind] for kind in kinds)] for size, row in sizes.items())
        yield from _table(["bytes per rank", *kinds], rows)


def _scaling(found: dict[str, Any]) -> Iterator[str]:
    yield from ("", f"## Scaling ({found['scaled with']})", "")
    yield ("R-MAT graphs with weights. Strong: the same graph on all numbers of ranks, which must "
           "give the same answer. Weak: as many arcs per rank.")  # fmt: skip
    base: dict[tuple, dict[str, Any]] = {}
    rows, differs = [], differing_answers(found)
    for row in found["scaling"]:
        key = row["kind"], row["algorithm"]
        first = base.setdefault(key, row)
        gain = first["seconds"] / row["seconds"]
        same = "DIFFERS" if row in differs else "same" if row["kind"] == "strong" else ""
        rows.append([*key, row["ranks"], row["scale"], row["edges"], _time(row["seconds"]),
                     f"{gain:.2f}", same])  # fmt: skip
    heads = ["kind", "algorithm", "ranks", "scale", "edges", "time", "first time / time", "answer"]
    yield from _table(heads, rows)


def _model(found: dict[str, Any]) -> Iterator[str]:
    model = found["model"]
    yield from ("", "## The model", "")
    yield (f"Between nodes {_time(model['latency_s'])} per step and "
           f"{model['bandwidth_bytes_per_s'] / 1e9:.3g} GB/s per node; inside a node "
           f"{_time(model['node_latency_s'])} and "
           f"{model['node_bandwidth_bytes_per_s'] / 1e9:.3g} GB/s; {model['ranks_per_node']} ranks "
           "per node. Links that this job does not have are those of a typical network. The speed "
           "of computing is that of the smallest grid; the other rows test the model.")  # fmt: skip
    rows = []
    for row in found["compared"]:
        real = row["measured_s"]
        rows.append([row["kind"], row["algorithm"], row["ranks"], row["scale"],
                     _time(row["model_s"]), f"{row['talking_s'] / row['model_s']:.0%}",
                     "" if real is None else _time(real),
                     "" if real is None else f"{row['model_s'] / real:.2f}"])  # fmt: skip
    heads = ["kind", "algorithm", "ranks", "scale", "model", "of it communication", "measured",
             "model / measured"]  # fmt: skip
    yield from _table(heads, rows)


def _time(seconds: float) -> str:
    """
    >>> _time(2.5e-6), _time(0.031), _time(4.2)
    ('2.5 us', '31 ms', '4.2 s')
    """
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1 or unit == "us":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError
