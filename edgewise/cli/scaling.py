"""A picture of scaling: modeled time and bytes per rank over the number of ranks.

Both axes are logarithmic; the dashed line is the law of two-dimensional distributions, by which
both fall as the square root of the number of ranks.
"""

from __future__ import annotations

from typing import Any, BinaryIO

__all__ = ["check_plot", "draw"]

_COLORS = {
    "time": "#1f4e79",
    "computing": "#2e8b57",
    "talking": "#c0504d",
    "bytes": "#1f4e79",
    "law": "#808080",
}
_STEPS = (1, 2, 3, 5)


def check_plot() -> None:
    """ImportError that says how to get matplotlib, if it is not there."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'edgewise[plot]'") from None


def draw(found: dict[str, Any], file: BinaryIO, kind: str) -> None:
    """Draw what ``edgewise simulate-grid`` found."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    runs = [run for run in found["runs"] if run["time_s"] is not None]
    runs.sort(key=lambda run: run["ranks"])
    ranks = [run["ranks"] for run in runs]
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    times = [run["time_s"] * 1e3 for run in runs]
    _line(left, ranks, times, "time", lw=6, alpha=0.35)  # one of the others may lie on it
    for key, name in (("computation_s", "computing"), ("communication_s", "talking")):
        _line(left, ranks, [run[key] * 1e3 for run in runs], name)
    _law(left, ranks, times)
    sizes = [run["bytes_per_rank"] / 1e6 for run in runs]
    _line(right, ranks, sizes, "bytes", "the rank that sends most")
    _law(right, ranks, sizes)
    for axes, title in ((left, "modeled time (ms)"), (right, "megabytes sent per rank")):
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_xlabel("ranks")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(ranks, [str(rank) for rank in ranks])
        axes.minorticks_off()
        axes.yaxis.set_major_locator(LogLocator(subs=_STEPS if _narrow(axes) else (1,)))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9)
    about = f"{found['algorithm']} on {found['graph']}, {found['model']['name']} model"
    figure.suptitle(about, x=0.01, ha="left", fontsize=11, fontweight="bold")
    figure.savefig(file, format=kind, dpi=150)


def _line(
    axes: Any, ranks: list, values: list, key: str, name: str | None = None, **style: Any
) -> None:
    look = {"marker": "o", "ms": 4, "lw": 1.6, "color": _COLORS[key], "label": name or key}
    axes.plot(ranks, values, **(look | style))


def _narrow(axes: Any) -> bool:
    """Do the values span less than two powers of ten, so that these alone would be few ticks?"""
    low, high = axes.get_ylim()
    return high < 100 * low


def _law(axes: Any, ranks: list, values: list) -> None:
    """1 / sqrt(p), through the first point that is not zero."""
    start = next((i for i, value in enumerate(values) if value > 0), None)
    if start is not None:
        law = [values[start] * (ranks[start] / rank) ** 0.5 for rank in ranks]
        axes.plot(ranks, law, ls="--", lw=1.2, color=_COLORS["law"], label=r"$1/\sqrt{p}$")
