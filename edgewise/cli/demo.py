"""``edgewise demo``: generate a graph, profile it, and say where the report is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from edgewise.base.compiling import clock
from edgewise.cli.profile import STEPS
from edgewise.cli.profile.command import present
from edgewise.cli.profile.graph_profile import measured
from edgewise.cli.streams import is_stream
from edgewise.cli.terminal import steps

__all__ = ["demo"]


def demo(
    scale: Annotated[
        int, typer.Option(min=4, max=26, metavar="N", help="The graph has 2**scale vertices.")
    ] = 16,
    report: Annotated[Path, typer.Option(metavar="FILE", help="The HTML report to write.")] = Path(
        "edgewise-report.html"
    ),
    seed: Annotated[
        int, typer.Option(metavar="N", help="Decides the graph and every random choice.")
    ] = 0,
    quiet: bool = False,
) -> None:
    """Generate an R-MAT graph, profile it, and write a report with charts."""
    from edgewise.generators import rmat

    with steps(len(STEPS) + 2, quiet=quiet) as step:
        step("generating")
        start = clock()
        graph = rmat(scale, seed=seed)
        made = clock() - start
        found = measured(graph, step, seed=seed)
    found["timings"] = {"generating": made, **found["timings"]}
    report = report if is_stream(report) else report.resolve()
    present(found, f"R-MAT graph of scale {scale}", report)
