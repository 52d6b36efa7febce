"""The families of algorithms beside other libraries, and on a GPU."""

from __future__ import annotations

import shlex
import sys
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
def matching(
    graphs: Names = "",
    trials: Trials = 3,
    limit: Limit = 120,
    exact: Annotated[float, typer.Option(help="Seconds to look for the optimum.")] = 120,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure matchings beside NetworKit's, and how near they are to the optimum."""
    from benchmarks.matching import GRAPHS, QUICK, measure_matching

    names = chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
    folder = folder_for(quick, output)
    text = measure_matching(names, 1 if quick else trials, limit, exact, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def communities(
    graphs: Names = "",
    trials: Trials = 3,
    limit: Limit = 120,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CPU.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure communities beside other libraries': time, modularity, the truth."""
    from benchmarks.communities import GRAPHS, QUICK, measure_communities, measure_on_gpu

    folder, trials = folder_for(quick, output), 1 if quick else trials
    if device != "cpu":
        text = measure_on_gpu(trials, folder, console.print, quick=quick, device=device)
    else:
        names = chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
        text = measure_communities(names, trials, limit, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def primitives(
    graphs: Names = "",
    only: Annotated[str, typer.Option(help="Names of rows, with commas between them.")] = "",
    trials: Trials = 5,
    limit: Limit = 120,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CPU.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure the primitives beside the fastest libraries that have them."""
    from benchmarks.primitives import (
        GRAPHS,
        QUICK,
        measure_primitives,
        measure_primitives_on_gpu,
    )

    names = chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
    folder, trials = folder_for(quick, output), 1 if quick else trials
    wanted = [name.strip() for name in only.split(",") if name.strip()]
    if device == "cpu":
        text = measure_primitives(names, wanted, trials, limit, folder, console.print)
    else:
        text = measure_primitives_on_gpu(names, wanted, trials, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def ordering(
    graphs: Names = "",
    trials: Trials = 2,
    limit: Annotated[float, typer.Option(min=1, help="Seconds for one order of a graph.")] = 60,
    device: Annotated[str, typer.Option(help="Where algorithms run: cpu, or cuda.")] = "cpu",
    every: Annotated[
        bool, typer.Option("--every", help="All orders, also of large graphs.")
    ] = False,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure the orders of the vertices, and what algorithms gain by them."""
    from benchmarks.ordering import GENERATED, GRAPHS, QUICK, measure_ordering

    usual = GRAPHS if device == "cpu" else GENERATED
    names = chosen(graphs, QUICK if quick else usual, "graphs", allowed=None)
    folder = folder_for(quick, output)
    trials = 1 if quick else trials
    measure_ordering(names, trials, limit, device, folder, console.print, every=every)
    publish(folder)


@app.command()
def refinement(
    graphs: Names = "",
    device: Annotated[str, typer.Option(help="Where it runs: cpu, or cuda.")] = "cpu",
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure what refinement of an order gains and costs, in parallel and sequentially."""
    use_threads(threads)
    from benchmarks.refinement import GENERATED, GRAPHS, QUICK, measure_refinement

    usual = GRAPHS if device == "cpu" else GENERATED
    names = chosen(graphs, QUICK if quick else usual, "graphs", allowed=None)
    folder = folder_for(quick, output)
    measure_refinement(names, device, folder, console.print)
    publish(folder)


@app.command()
def scanpy(
    sizes: Names = "",
    seeds: Annotated[int, typer.Option(help="Calls with different seeds.")] = 5,
    limit: Limit = 900,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure Leiden communities of cells beside scanpy's."""
    from benchmarks.single_cell import QUICK, SIZES, measure_single_cell

    names = chosen(sizes, QUICK if quick else SIZES, "sizes", allowed=None)
    folder = folder_for(quick, output)
    text = measure_single_cell(names, 1 if quick else seeds, limit, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def columns(
    scale: Annotated[int, typer.Option(help="The graph has 2**scale vertices.")] = 18,
    trials: Trials = 7,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure what columns cost that no call names."""
    from benchmarks.columns import measure_columns

    folder = folder_for(quick, output)
    scale, trials = (8, 1) if quick else (scale, trials)
    console.print(measure_columns(scale, trials, folder, console.print))
    publish(folder)


@app.command()
def dynamic(
    graphs: Names = "",
    sizes: Annotated[str, typer.Option(help="Sizes of batches, with commas.")] = "",
    trials: Trials = 3,
    device: Annotated[str, typer.Option(help="Where it runs: cpu, or cuda.")] = "cpu",
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure repairs of a stream beside static calls, by the size of the batch."""
    use_threads(threads)
    from benchmarks.dynamic import GRAPHS, QUICK, SIZES, measure_dynamic

    names = chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
    many = tuple(int(one) for one in sizes.split(",")) if sizes else SIZES
    many, trials = ((10,), 1) if quick else (many, trials)
    command = shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]])
    folder = folder_for(quick, output)
    console.print(measure_dynamic(names, many, trials, device, folder, command, console.print))
    publish(folder)


@app.command()
def cells(
    tables: Names = "",
    trials: Trials = 3,
    limit: Limit = 900,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure clusters of points beside PhenoGraph's."""
    from benchmarks.cells import QUICK, TABLES, measure_cells

    names = chosen(tables, QUICK if quick else TABLES, "tables", allowed=None)
    folder = folder_for(quick, output)
    text = measure_cells(names, 1 if quick else trials, limit, folder, console.print)
    console.print(text)
    publish(folder)


@app.command()
def sensing(
    packets: Annotated[
        str, typer.Option(help="How many synthetic packets: 2^24, or 2^28 on a GPU, by default.")
    ] = "",
    stages: Names = "",
    trials: Trials = 5,
    limit: Limit = 300,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, by itself.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure network sensing, stage by stage, beside python-graphblas and pandas."""
    from benchmarks.sensing import STAGES, USUAL, measure_sensing, measure_sensing_on_gpu
    from edgewise.cli.counts import count

    folder, trials = folder_for(quick, output), 1 if quick else trials
    number = 1 << 18 if quick else count(packets or str(USUAL if device == "cpu" else 1 << 28))
    if device == "cpu":
        suite = "sensing" if number <= USUAL else "sensing-large"
        names = chosen(stages, STAGES, "stages")
        text = measure_sensing(number, names, trials, limit, folder, console.print, suite)
    else:
        text = measure_sensing_on_gpu(number, trials, folder, console.print, device=device)
    console.print(text)
    publish(folder)


@app.command()
def join(
    collections: Names = "",
    trials: Trials = 3,
    limit: Limit = 600,
    device: Annotated[str, typer.Option(help="cpu; or cuda, verification beside CPU.")] = "cpu",
    growth: Annotated[bool, typer.Option("--growth", help="Of up to 2.2 million titles.")] = False,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure fuzzy joins, beside others where variables name a Python that has them.

    EDGEWISE_PYTOKENJOIN: pytokenjoin; EDGEWISE_LINKERS: recordlinkage, splink and dedupe.
    """
    from benchmarks.join import (
        COLLECTIONS,
        QUICK,
        measure_join,
        measure_join_growth,
        measure_join_on_gpu,
    )

    folder, trials = folder_for(quick, output), 1 if quick else trials
    if growth:
        measure_join_growth(limit, folder, console.print, quick=quick)
    elif device != "cpu":
        measure_join_on_gpu(trials, folder, console.print, device=device, quick=quick)
    else:
        names = chosen(collections, QUICK if quick else COLLECTIONS, "collections", allowed=None)
        measure_join(names, trials, limit, folder, console.print)
    publish(folder)


@app.command()
def influence(
    graphs: Names = "",
    parts: Names = "",
    only: Annotated[str, typer.Option(help="Programs or methods, with commas between.")] = "",
    trials: Trials = 3,
    limit: Limit = 120,
    runs: Annotated[int, typer.Option(min=1, help="By which spreads are known.")] = 10_000,
    device: Annotated[str, typer.Option(help="cpu, beside others; or cuda, beside CPU.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure seeds, their spread and simulation, beside programs that variables name.

    EDGEWISE_RIPPLES: a folder with imm and opimc; EDGEWISE_SUBSIM, EDGEWISE_OPIM: the programs;
    EDGEWISE_INFLUENCE_PYTHON: a Python with pynetim, ndlib and cynetdiff.
    """
    from benchmarks import influence as suite

    folder, trials = folder_for(quick, output), 1 if quick else trials
    usual = suite.GRAPHS if device == "cpu" else suite.ON_GPU
    names = chosen(graphs, suite.QUICK if quick else usual, "graphs", allowed=None)
    if device == "cpu":
        who = chosen(only, [], "only", allowed=suite.everyone())
        how = suite.How(trials, limit, 640 if quick else runs, who, console.print)
        suite.measure_influence(names, chosen(parts, suite.PARTS, "parts"), how, folder)
    else:
        suite.measure_influence_on_gpu(names, trials, folder, console.print, device=device)
    publish(folder)


@app.command()
def compression(
    graphs: Names = "",
    trials: Trials = 5,
    parts: Names = "",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure compressed rows beside plain ones: bytes per edge, and times of algorithms.

    Parts are sizes, bv (the size of WebGraph's format), times and weights; all by default. The
    others stay as they are in the results.
    """
    from benchmarks.compression import GRAPHS, PARTS, QUICK, measure_compression

    names = chosen(graphs, QUICK if quick else tuple(GRAPHS), "graphs", allowed=None)
    folder, wanted = folder_for(quick, output), chosen(parts, PARTS, "parts")
    text = measure_compression(names, 1 if quick else trials, folder, console.print, wanted)
    console.print(text)
    publish(folder)


@app.command()
def names(
    edges: Annotated[int, typer.Option(help="Edges of the table.")] = 5_000_000,
    vertices: Annotated[int, typer.Option(help="UUIDs among which they are.")] = 500_000,
    limits: Annotated[str, typer.Option(help="Memory limits, separated by commas.")] = "256MiB",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure how a table of names is read within a memory limit: time and peak."""
    from benchmarks.names import measure_names

    folder = folder_for(quick, output)
    edges, vertices = (20_000, 2_000) if quick else (edges, vertices)
    text = measure_names(edges, vertices, limits.split(","), folder, console.print)
    console.print(text)
    publish(folder)
