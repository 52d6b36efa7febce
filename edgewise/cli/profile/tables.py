"""A profile as tables for a terminal, two columns of them where the terminal is wide enough."""

from __future__ import annotations

import math
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from edgewise.cli.profile.facts import degree_columns, facts, file_notes, notes
from edgewise.cli.terminal import number, seconds, table, took

__all__ = ["terminal_tables"]

_BLOCKS = " ▁▂▃▄▅▆▇█"


def terminal_tables(profile: dict[str, Any], name: str) -> Group:
    """Everything a profile says, ready to print."""
    rows = facts(profile)
    rows["Distances"].append(("from 1 hop on", _sparkline(profile["distances"]["histogram"])))
    sections = [Padding(table(title, part), (0, 2, 1, 0)) for title, part in rows.items()]
    return Group(
        Text(name, style="bold underline"),
        *(Text(note) for note in file_notes(profile)),
        Text(),
        Columns(sections, padding=(0, 2)),
        _top(profile["ranks"]),
        Text(),
        _timings(profile["timings"]),
        Text(),
        *(Text(f"• {note}", style="dim") for note in notes(profile)),
    )


def _top(ranks: dict[str, Any]) -> Table:
    made = Table(title="Highest PageRank", title_justify="left", title_style="bold", box=None)
    made.add_column("", style="dim", justify="right")
    made.add_column("vertex", overflow="fold")
    sides = degree_columns(ranks)
    for name in sides.values():
        made.add_column(name, justify="right")
    made.add_column("score", justify="right")
    for place, row in enumerate(ranks["top"], 1):
        degrees = [number(row[side]) for side in sides]
        made.add_row(str(place), Text(number(str(row["vertex"]))), *degrees, f"{row['score']:.4g}")
    return made


def _timings(timings: dict[str, float]) -> Text:
    parts = ", ".join(f"{name} {seconds(value)}" for name, value in timings.items())
    return Text(f"Took {took(sum(timings.values()))}: {parts}", style="dim")


def _sparkline(histogram: dict[str, Any], most: int = 24) -> str:
    """The distribution of distances in one line of blocks.

    >>> _sparkline({"width": 1, "share": [0.0, 0.25, 0.5, 0.25]})
    '▄█▄'
    """
    shares = histogram["share"][1 if histogram["width"] == 1 else 0 :]
    if not shares:
        return "–"
    every = -(-len(shares) // most)
    sums = [sum(shares[i : i + every]) for i in range(0, len(shares), every)]
    return "".join(_BLOCKS[math.ceil(8 * value / max(sums))] for value in sums)
