"""The command that measures generators."""

from __future__ import annotations

from typing import Annotated

import typer

from benchmarks.commands.options import (
    Names,
    Output,
    Quick,
    Threads,
    Trials,
    app,
    chosen,
    console,
    folder_for,
    publish,
)
from benchmarks.driver import use_threads

__all__ = ["generators"]


@app.command()
def generators(
    names: Names = "",
    scale: Annotated[int, typer.Option(min=10, help="2^scale vertices.")] = 20,
    trials: Trials = 3,
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure how many edges generators make in a second."""
    from benchmarks.generator_rates import GENERATED, measure_generators

    use_threads(threads)
    some = chosen(names, tuple(GENERATED), "names")
    scale, trials = (12, 1) if quick else (scale, trials)
    folder = folder_for(quick, output)
    console.print(measure_generators(scale, trials, some, folder, console.print))
    publish(folder)
