"""Graphs that are larger than a memory limit."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import (
    Names,
    Output,
    Quick,
    app,
    chosen,
    console,
    folder_for,
    publish,
)


@app.command()
def outofcore(
    scale: Annotated[int, typer.Option(help="2**SCALE vertices.", min=8)] = 23,
    edge_factor: Annotated[int, typer.Option(help="Edges per vertex.", min=1)] = 32,
    memory: Annotated[str, typer.Option(help="The memory limit.")] = "1GiB",
    algorithms: Names = "",
    work: Annotated[Path | None, typer.Option(help="The folder of the graph.")] = None,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure a graph that is larger than a memory limit: building, and algorithms on it."""
    from benchmarks.outofcore import ALGORITHMS, measure_outofcore

    scale, edge_factor, memory = (12, 16, "64MiB") if quick else (scale, edge_factor, memory)
    names = chosen(algorithms, ALGORITHMS, "algorithms", allowed=ALGORITHMS)
    folder = folder_for(quick, output)
    with tempfile.TemporaryDirectory(dir=work, prefix="outofcore-") as here:
        text = measure_outofcore(
            scale, edge_factor, memory, names, Path(here), folder, console.print
        )
    console.print(text)
    publish(folder)
