"""The NetworkX backend, and single functions beside other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import (
    Limit,
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


@app.command()
def networkx(
    graphs: Names = "",
    trials: Trials = 3,
    limit: Limit = 15,
    threads: Threads = 2,
    scripts: Annotated[
        bool, typer.Option(help="Small scripts with and without the backend instead.")
    ] = False,
    gallery: Annotated[
        Path | None, typer.Option(help="With --scripts: those below NetworkX's folder examples.")
    ] = None,
    conversion: Annotated[
        bool, typer.Option(help="Conversions of a million edges, and imports of NetworkX instead.")
    ] = False,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure the NetworkX backend beside NetworkX and its other backends."""
    from benchmarks.gallery_times import measure_gallery
    from benchmarks.networkx_backend import GRAPHS, QUICK, measure_networkx
    from benchmarks.networkx_conversion import measure_conversion
    from benchmarks.script_times import measure_scripts, report

    if gallery is not None:
        console.print(measure_gallery(gallery, folder_for(quick, output), console.print))
        return
    if scripts:
        found = measure_scripts(1 if quick else trials, folder_for(quick, output), console.print)
        console.print(report(found))
        return
    use_threads(threads)
    folder = folder_for(quick, output)
    if conversion:
        edges = 10_000 if quick else 1_000_000
        console.print(measure_conversion(1 if quick else trials, folder, console.print, edges))
        publish(folder)
        return
    names = chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
    console.print(measure_networkx(names, 1 if quick else trials, limit, folder, console.print))
    publish(folder)


@app.command()
def functions(
    only: Names = "",
    trials: Trials = 3,
    limit: Limit = 15,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure functions without a benchmark of their own, beside other libraries, on one thread."""
    from benchmarks.functions import measure_functions

    told = [one.strip() for one in only.split(",") if one.strip()]
    folder = folder_for(quick, output)
    text = measure_functions(
        told, 1 if quick else trials, limit, folder, console.print, quick=quick
    )
    console.print(text)
