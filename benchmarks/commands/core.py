"""The core: ids, growth, first calls, operators, versions, the GPU."""

from __future__ import annotations

from pathlib import Path
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


@app.command()
def ids(
    edges: Annotated[int, typer.Option(help="Edges in the files.")] = 2_000_000,
    trials: Trials = 15,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure what it costs to make vertices of the ids that occur alone."""
    from benchmarks.ids import measure_ids

    folder = folder_for(quick, output)
    edges, trials = (1000, 1) if quick else (edges, trials)
    measure_ids(edges, trials, folder, console.print)
    publish(folder)


@app.command()
def growth(
    scales: Annotated[str, typer.Option(help="First and last scale.")] = "14-21",
    trials: Trials = 5,
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Show how time and memory grow with the size of the graph."""
    from benchmarks import growth

    first, last = (8, 11) if quick else map(int, scales.split("-"))
    use_threads(threads)
    folder = folder_for(quick, output)
    text = growth.measure_growth(range(first, last + 1), trials, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def cold(algorithms: Names = "", quick: Quick = False, output: Output = None) -> None:
    """Measure what first calls wait for: kernels and their compilation, from an empty folder."""
    from benchmarks.cold import measure_cold, rows

    names = chosen(algorithms, rows(), "algorithms")
    folder = folder_for(quick or bool(algorithms), output)
    measure_cold(names, folder, console.print)
    publish(folder)


@app.command()
def operators(trials: Trials = 5, quick: Quick = False, output: Output = None) -> None:
    """Measure small calls on large graphs, and passes beside other ways to do the same."""
    from benchmarks.operators import measure_operators

    folder = folder_for(quick, output)
    measure_operators(1 if quick else trials, folder, console.print, quick=quick)
    publish(folder)


@app.command()
def before(
    checkout: Annotated[Path, typer.Argument(help="Another checkout, to compare with.")],
    graphs: Names = "",
    tasks: Names = "",
    device: Annotated[str, typer.Option(help="Where the graphs are: cpu, or cuda.")] = "cpu",
    trials: Trials = 7,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure this version beside another one, by turns."""
    from benchmarks.before import GRAPHS, QUICK, TASKS, measure_before

    names = chosen(graphs, QUICK if quick else GRAPHS[device], "graphs", allowed=None)
    wanted = chosen(tasks, TASKS, "tasks")
    folder = folder_for(quick, output)
    trials = 1 if quick else trials
    measure_before(checkout, names, wanted, device, trials, folder, console.print)


@app.command()
def small(
    tasks: Names = "",
    threads: Threads = 2,
    trials: Trials = 5,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure calls on small graphs beside igraph and SciPy."""
    from benchmarks.small import measure_small

    only = chosen(tasks, (), "tasks", allowed=None)
    folder = folder_for(quick or bool(tasks), output)
    measure_small(threads, trials, only, folder, console.print, quick=quick)
    publish(folder)


@app.command()
def busy(
    threads: Threads = 2, trials: Trials = 7, quick: Quick = False, output: Output = None
) -> None:
    """Measure calls beside as many busy processes as there are threads."""
    from benchmarks.busy import measure_busy

    folder = folder_for(quick, output)
    measure_busy(threads, 1 if quick else trials, folder, console.print, quick=quick)
    publish(folder)


@app.command("threads")
def by_threads(
    counts: Annotated[str, typer.Option(help="Numbers of threads.")] = "1,2,4,8,16",
    scale: Annotated[int, typer.Option(help="The scale of the R-MAT graph.")] = 20,
    tasks: Names = "",
    trials: Trials = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure how calls scale with the number of threads."""
    from benchmarks.threads import measure_threads

    only = chosen(tasks, (), "tasks", allowed=None)
    numbers = [1, 2] if quick else [int(one) for one in counts.split(",")]
    folder = folder_for(quick or bool(tasks), output)
    measure_threads(numbers, 10 if quick else scale, trials, only, folder, console.print)
    publish(folder)


@app.command()
def gpu(trials: Trials = 9, quick: Quick = False, output: Output = None) -> None:
    """Check and time the algorithms on a GPU."""
    from benchmarks.gpu import measure_gpu

    folder = folder_for(quick, output)
    measure_gpu(trials, folder, console.print, quick=quick)
    publish(folder)
