"""Several devices: matching in batches, strategies of moving data, the grid of processes."""

from __future__ import annotations

from typing import Annotated

import typer

from benchmarks.commands.options import (
    Names,
    Output,
    Quick,
    Trials,
    app,
    chosen,
    console,
    folder_for,
    publish,
)


@app.command()
def batches(
    scale: Annotated[int, typer.Option(help="Of the R-MAT graph.")] = 22,
    trials: Trials = 3,
    device: Annotated[str, typer.Option(help="Where the parts are: cuda, or cpu.")] = "cuda",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure matching with the edges in host memory, in batches and on several devices."""
    from benchmarks.batches import measure_batches

    folder = folder_for(quick, output)
    measure_batches(10 if quick else scale, trials, device, folder, console.print)
    publish(folder)


@app.command()
def strategies(trials: Trials = 9, quick: Quick = False, output: Output = None) -> None:
    """Show which strategy wins when on a GPU."""
    from benchmarks.strategies import measure_strategies

    folder = folder_for(quick, output)
    measure_strategies(trials, folder, console.print, quick)
    publish(folder)


@app.command()
def grid(
    parts: Names = "",
    trials: Trials = 5,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Count, model and measure what a grid of ranks takes."""
    from benchmarks.grid import PARTS, measure_grid

    names = chosen(parts, PARTS, "parts")
    folder = folder_for(quick, output)
    measure_grid(names, 1 if quick else trials, folder, console.print, quick)
    publish(folder)
