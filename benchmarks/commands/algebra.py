"""Sparse products, and what is made of them: Markov clusters and families of proteins."""

from __future__ import annotations

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
def linalg(
    graphs: Names = "",
    trials: Trials = 3,
    limit: Limit = 120,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CuPy.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure sparse products beside SciPy, SuiteSparse:GraphBLAS and MKL, or CuPy."""
    from benchmarks import linalg as suite

    folder, trials = folder_for(quick, output), 1 if quick else trials
    if device != "cpu":
        options = {"device": device, "quick": quick}
        text = suite.measure_linalg_on_gpu(trials, folder, console.print, **options)
    else:
        names = chosen(graphs, suite.QUICK if quick else suite.PROBLEMS, "graphs", allowed=None)
        text = suite.measure_linalg(names, trials, limit, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def markov(
    graphs: Names = "",
    limit: Limit = 1200,
    device: Annotated[str, typer.Option(help="cpu, beside mcl; or cuda, beside CPU.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure Markov clustering beside mcl: processor time of one thread, and agreement."""
    from benchmarks.communities import MARKOV, measure_markov, measure_markov_on_gpu

    folder, names = folder_for(quick, output), chosen(graphs, MARKOV, "graphs")
    if device != "cpu":
        text = measure_markov_on_gpu(names, folder, console.print, device=device, quick=quick)
    else:
        text = measure_markov(names, limit, folder, console.print, quick=quick)
    console.print(text)
    publish(folder)


@app.command()
def proteins(
    limit: Limit = 300,
    budget: Annotated[
        float, typer.Option(min=0, help="Seconds after which no program is begun.")
    ] = 1400,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CPU.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure protein families beside MMseqs2 and DIAMOND with mcl; on a GPU, alignments."""
    from benchmarks.proteins import measure_alignments_on_gpu, measure_families

    folder = folder_for(quick, output)
    if device != "cpu":
        text = measure_alignments_on_gpu(folder, console.print, device=device, quick=quick)
    else:
        text = measure_families(limit, folder, console.print, budget=budget, quick=quick)
    console.print(text)
    publish(folder)
