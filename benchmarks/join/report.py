"""The report on fuzzy joins: tables in Markdown, and which targets are met."""

from __future__ import annotations

from typing import Any

from benchmarks.report import machine, spell_bytes, spell_time, table

__all__ = ["markdown"]

_FILTERS = ("prefix", "length", "positional", "joint", "candidates")
_AHEAD, _RECALL, _MEMORY, _MINUTES = 50, 0.99, 4 << 30, 5


def markdown(rows: list[dict[str, Any]]) -> str:
    """The whole report."""
    days = sorted({row["date"] for row in rows})
    links = [row for row in rows if "linkage" in _first(row)]
    return "\n\n".join(
        filter(
            None,
            [
                f"Measured {' to '.join(dict.fromkeys((days[0], days[-1])))} on {machine()}, 2 "
                "threads: `python -m benchmarks join`. Words and items are compared by 3-grams "
                "(Jaccard); times are medians.",
                _targets(rows),
                "## By thresholds",
                _thresholds(rows),
                "## By sizes",
                _shares(rows),
                "## By verification",
                _methods(rows),
                "## Beside pytokenjoin",
                _beside(rows),
                "## Linkage" if links else "",
                _linkage(links) if links else "",
                "## Beside tools that link records" if links else "",
                _linkers(links) if links else "",
            ],
        )
    )


def _thresholds(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        for level, cell in row["thresholds"].items():
            counts = [f"{cell['tally'][name]:,}" if "tally" in cell else "" for name in _FILTERS]
            memory = spell_bytes(cell["memory"]) if "memory" in cell else ""
            lines.append([row["collection"], level, *_times(cell), *counts, _pairs(cell), memory])
    head = ["collection", "threshold", "time", "verification", *_FILTERS, "pairs", "memory"]
    return (
        "Columns prefix and length count the index entries that pass these filters; positional and "
        "joint count pairs of distinct sets. Pairs that pass the joint filter are verified. "
        "Candidates count repeated sets, too. Memory is the peak beyond the input.\n\n"
        + table(head, lines)
    )


def _shares(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        for share, cell in row["shares"].items():
            verified = cell["tally"]["joint"] if "tally" in cell else 0
            each = cell["verification"] / verified if verified else None
            lines.append([
                f"{row['collection']} at {row['usual']}", f"{float(share):.0%}", *_times(cell),
                f"{verified:,}", spell_time(each) if each else "", _pairs(cell),
            ])  # fmt: skip
    head = ["collection", "sets", "time", "verification", "verified", "for each", "pairs"]
    return table(head, lines)


def _methods(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        for name, cell in row["methods"].items():
            quality = [f"{cell[key]:.4f}" if key in cell else "" for key in ("recall", "precision")]
            names = [f"{row['collection']} at {row['usual']}", name]
            lines.append([*names, *_times(cell), _pairs(cell), *quality])
    head = ["collection", "method and bound", "time", "verification", "pairs", "recall"]
    return table([*head, "precision"], lines)


def _beside(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        ours, theirs = row["thresholds"][str(row["usual"])], row["pytokenjoin"]
        ratio = peak = ""
        if "seconds" in ours and "seconds" in theirs:
            ratio = f"{theirs['seconds'] / ours['seconds']:.1f}"
            peak = spell_bytes(theirs["peak"])
        more = theirs.get("difference", 0)
        same = "" if "note" in theirs else f"{more:+,}" if more else "the same"
        lines.append([
            row["collection"], str(row["usual"]), _times(ours)[0], _times(theirs)[0], ratio,
            _pairs(ours), same, peak,
        ])  # fmt: skip
    head = ["collection", "threshold", "time", "pytokenjoin", "times faster", "pairs"]
    return table([*head, "pytokenjoin's pairs", "its peak memory"], lines)


def _linkage(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        for similarity, cells in (("jaccard", row["thresholds"]), ("edit", row.get("edit", {}))):
            for level, cell in cells.items():
                if "linkage" not in cell:
                    continue
                parts = _quality(cell)
                lines.append([row["collection"], similarity, level, *parts, _pairs(cell)])
    head = ["collection", "similarity", "threshold", "precision", "recall", "F1", "pairs"]
    return (
        "Only titles are compared (for discs, artist and title), and a record may match several "
        "others.\n\n" + table(head, lines)
    )


def _linkers(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        cells = {f"edgewise at {row['usual']}": row["thresholds"][str(row["usual"])]}
        for name, cell in (cells | row.get("linkers", {})).items():
            peak = spell_bytes(cell["peak"]) if "peak" in cell else ""
            lines.append(
                [row["collection"], name, _times(cell)[0], *_quality(cell), _pairs(cell), peak]
            )
    head = ["collection", "tool", "time", "precision", "recall", "F1", "pairs", "peak memory"]
    return (
        "These tools compare title, names and year, and learn a weight for each: recordlinkage "
        "(sorted neighborhood) and splink (blocking) without labels, dedupe from 100 matching and "
        "100 other pairs. Edgewise compares titles only.\n\n" + table(head, lines)
    )


def _quality(cell: dict[str, Any]) -> list[str]:
    """Precision, recall and F1 of a linkage."""
    if "linkage" not in cell:
        return ["", "", ""]
    p, r = cell["linkage"]["precision"], cell["linkage"]["recall"]
    return [f"{one:.3f}" for one in (p, r, 2 * p * r / (p + r) if p + r else 0.0)]


def _targets(rows: list[dict[str, Any]]) -> str:
    lines = []
    by_name = {row["collection"]: row for row in rows}
    if (row := by_name.get("yelp_sample")) and "seconds" in row["pytokenjoin"]:
        ours, theirs = row["thresholds"]["0.7"], row["pytokenjoin"]
        ahead = theirs["seconds"] / ours["seconds"]
        same = "the same pairs" if "difference" not in theirs else "other pairs"
        good = ahead >= _AHEAD and "difference" not in theirs
        lines.append((good, f"yelp_sample at 0.7: {ahead:.0f} times faster than pytokenjoin with "
                      f"{same}, at least {_AHEAD}"))  # fmt: skip
    if (row := by_name.get("reddit")) and "memory" in (cell := row["thresholds"]["0.8"]):
        good = cell["memory"] <= _MEMORY and cell["seconds"] <= 60 * _MINUTES
        lines.append((good, f"reddit titles at 0.8: {spell_time(cell['seconds'])} and "
                      f"{spell_bytes(cell['memory'])}, within minutes and 4 GiB"))  # fmt: skip
    lower = [
        (cell["recall"], f"{row['collection']}, {name}")
        for row in rows
        for name, cell in row["methods"].items()
        if name.endswith("lower") and "recall" in cell
    ]
    if lower:
        least, where = min(lower)
        lines.append((least >= _RECALL, f"the least recall with the lower bound is {least:.4f} "
                      f"({where}), at least {_RECALL}"))  # fmt: skip
    return "\n".join(f"- {'PASS' if good else 'MISS'}: {text}." for good, text in lines)


def _first(row: dict[str, Any]) -> dict[str, Any]:
    return next(iter(row["thresholds"].values()), {})


def _times(cell: dict[str, Any]) -> list[str]:
    if "seconds" not in cell:
        return [cell.get("note", ""), ""]
    return [spell_time(cell["seconds"]), spell_time(cell.get("verification", 0.0))]


def _pairs(cell: dict[str, Any]) -> str:
    return f"{cell['pairs']:,}" if "pairs" in cell else ""
