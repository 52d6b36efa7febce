"""Colorings and partitions beside other libraries, and on a GPU."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from benchmarks.commands.options import (
    Limit,
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
def coloring(
    graphs: Names = "",
    trials: Trials = 3,
    limit: Limit = 120,
    colpack: Annotated[
        str, typer.Option(envvar="EDGEWISE_COLPACK", help="The program that calls ColPack.")
    ] = "",
    known: Annotated[
        bool, typer.Option("--known", help="On graphs of known chromatic number, with a picture.")
    ] = False,
    derivatives: Annotated[
        bool,
        typer.Option(
            "--derivatives", help="Jacobians and Hessians beside SciPy, asdex, CasADi and ColPack."
        ),
    ] = False,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CPU.")] = "cpu",
    only: Annotated[
        str, typer.Option(help='On a GPU: graphs and methods, such as "R-MAT 22,distance_2".')
    ] = "",
    budget: Annotated[
        float, typer.Option(min=0, help="On a GPU: seconds after which no step is begun.")
    ] = 150,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure colorings beside other libraries': colors and time.

    ColPack is called as PROGRAM FILE.mtx KIND ORDER TRIALS COLORS: it reads a pattern, colors it
    TRIALS times (KIND: distance_1, distance_2, columns; with --derivatives also star, acyclic,
    implicit_star_bicoloring, explicit_star_bicoloring, modified_star_bicoloring,
    greedy_star_bicoloring; ORDER: natural, largest_first, smallest_last, incidence_degree,
    dynamic_largest_first, random), prints "seconds S" for each, and writes the colors to COLORS,
    one a line. A bicoloring has the rows first, and -1 for a neutral row or column.
    """
    from benchmarks import coloring as suite

    folder, trials = folder_for(quick, output), 1 if quick else trials
    os.environ["EDGEWISE_COLPACK"] = colpack
    if known:
        text = suite.measure_known(folder, console.print, quick=quick)
    elif derivatives:
        usual = suite.QUICK_PATTERNS if quick else suite.PATTERNS
        names = chosen(graphs, usual, "graphs", allowed=None)
        text = suite.measure_derivatives(names, limit, folder, console.print)
    elif device != "cpu":
        words = [name.strip() for name in only.split(",") if name.strip()]
        options = {"device": device, "quick": quick, "only": words, "budget": budget}
        text = suite.measure_coloring_on_gpu(trials, folder, console.print, **options)
    else:
        names = chosen(graphs, suite.QUICK if quick else suite.PROBLEMS, "graphs", allowed=None)
        text = suite.measure_coloring(names, trials, limit, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def partitioning(
    graphs: Names = "",
    k: Annotated[str, typer.Option(help="Numbers of parts; 2, 16, 64, 256 by default.")] = "",
    trials: Trials = 3,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of ours, for the balance.")] = 20,
    limit: Limit = 300,
    budget: Annotated[
        float, typer.Option(min=0, help="Seconds per graph and k after which no seed is begun.")
    ] = 600,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CPU.")] = "cpu",
    fill: Annotated[
        bool, typer.Option("--fill", help="Fill-in beside METIS's and SuperLU's orders instead.")
    ] = False,
    balance: Annotated[
        bool, typer.Option("--balance", help="Only the balance of ours over the seeds, no times.")
    ] = False,
    only: Annotated[
        str, typer.Option(help='Methods, such as "Edgewise spectral"; others keep their rows.')
    ] = "",
    times: Annotated[bool, typer.Option(help="Without times, on a busy machine.")] = True,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure partitions beside METIS, KaHIP, KaMinPar and Mt-KaHyPar: cut, volume, balance, time.

    Packages that are not installed are left out: pymetis, kahip, kaminpar, mtkahypar.
    """
    from benchmarks import partitioning as suite

    folder, trials, seeds = folder_for(quick, output), *((1, 2) if quick else (trials, seeds))
    names = chosen(graphs, suite.QUICK if quick else suite.GRAPHS, "graphs", allowed=None)
    if fill:
        meshes = names if graphs or quick else list(suite.MESHES)
        text = suite.measure_fill(meshes, folder, console.print)
    elif balance:
        parts = tuple(map(int, chosen(k, map(str, suite.K[:2] if quick else suite.K), "k", None)))
        text = suite.measure_balance(names, parts, seeds, folder, console.print, budget)
    elif device != "cpu":
        options = {"device": device, "quick": quick}
        text = suite.measure_partitioning_on_gpu(trials, folder, console.print, **options)
    else:
        parts = tuple(map(int, chosen(k, map(str, suite.K[:2] if quick else suite.K), "k", None)))
        turns = suite.Times(trials, seeds, limit, budget, times)
        methods = tuple(name.strip() for name in only.split(",") if name.strip())
        text = suite.measure_partitioning(names, parts, turns, folder, console.print, methods)
    console.print(text)
    publish(folder)
