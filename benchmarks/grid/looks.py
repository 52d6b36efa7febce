"""How the pictures look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["BLUE", "GRAY", "RED", "finish"]

BLUE, RED, GRAY = "#1f4e79", "#c0504d", "#808080"


def finish(axes: Any, title: str, ranks: Sequence[int] = ()) -> None:
    """A title, a faint grid, plain numbers on a logarithmic axis, ticks at the numbers of ranks."""
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_title(title, loc="left", fontsize=10)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_yscale() == "log":
        low, high = axes.get_ylim()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    if ranks:
        axes.set_xticks(ranks, [str(p) for p in ranks])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("ranks")
