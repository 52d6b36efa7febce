"""The command line: ``python -m benchmarks COMMAND``; ``--help`` lists the commands."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import report
from benchmarks.driver import Cell, measure, use_threads
from benchmarks.gap import gap_folder
from benchmarks.graphs import GRAPHS, QUICK_GRAPHS, MissingGraphError, data_for
from benchmarks.targets import typical
from benchmarks.tasks import OWN, PEERS, TASKS

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)
console = Console()

_RESULTS = Path(__file__).resolve().parent / "results"

Names = Annotated[str, typer.Option(help="Names with commas between; all by default.")]
Trials = Annotated[int, typer.Option(min=1, help="Turns that every peer takes in a row.")]
Limit = Annotated[float, typer.Option(min=1, help="Seconds after which a run is given up.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads for the peers that have them.")]
Quick = Annotated[bool, typer.Option("--quick", help="Small graphs, one turn; for trying it out.")]
Output = Annotated[Path | None, typer.Option(help="Where the results go; not into the docs then.")]


@app.command()
def gap(
    graphs: Names = "",
    algorithms: Names = "",
    peers: Names = "",
    trials: Trials = 5,
    limit: Limit = 120,
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure the six algorithms, building and reading beside other libraries."""
    _suite("gap", graphs, algorithms, peers, trials, limit, threads, quick, output)


@app.command()
def build(
    graphs: Names = "kron20",
    peers: Names = "",
    trials: Trials = 5,
    limit: Limit = 120,
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure building alone, on 16 million edges."""
    _suite("gap", graphs, "build", peers, trials, limit, threads, quick, output)


@app.command()
def read(
    graphs: Names = "",
    peers: Names = "",
    trials: Trials = 5,
    limit: Limit = 120,
    threads: Threads = 2,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure reading alone."""
    _suite("gap", graphs, "read", peers, trials, limit, threads, quick, output)


@app.command()
def ids(
    edges: Annotated[int, typer.Option(help="Edges in the files.")] = 2_000_000,
    trials: Trials = 15,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure what it costs to make vertices of the ids that occur alone."""
    from benchmarks.ids import measure_ids

    folder = _folder(quick, output)
    edges, trials = (1000, 1) if quick else (edges, trials)
    text = measure_ids(edges, trials, folder, console.print)
    if folder == _RESULTS:
        report.include("ids", text)


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
    folder = _folder(quick, output)
    text = growth.measure_growth(range(first, last + 1), trials, folder, console.print)
    console.print(text)
    if folder == _RESULTS:
        report.include("growth", text, pictures=[folder / "growth.svg"])


@app.command()
def cold(algorithms: Names = "", quick: Quick = False, output: Output = None) -> None:
    """Measure what first calls wait for: kernels and their compilation, from an empty folder."""
    from benchmarks.cold import measure_cold, rows

    names = _chosen(algorithms, rows(), "algorithms")
    folder = _folder(quick or bool(algorithms), output)
    measure_cold(names, folder, console.print)
    if folder == _RESULTS:
        from docs import tables

        tables.main([])


@app.command()
def operators(trials: Trials = 5, quick: Quick = False, output: Output = None) -> None:
    """Measure small calls on large graphs, and passes beside other ways to do the same."""
    from benchmarks.operators import measure_operators

    folder = _folder(quick, output)
    text = measure_operators(1 if quick else trials, folder, console.print, quick=quick)
    if folder == _RESULTS:
        report.include("operators", text)


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

    names = _chosen(graphs, QUICK if quick else GRAPHS[device], "graphs", allowed=None)
    chosen = _chosen(tasks, TASKS, "tasks")
    folder = _folder(quick, output)
    trials = 1 if quick else trials
    text = measure_before(checkout, names, chosen, device, trials, folder, console.print)
    if folder == _RESULTS:
        report.include(f"before-{device}", text)


@app.command()
def gpu(trials: Trials = 9, quick: Quick = False, output: Output = None) -> None:
    """Check and time the algorithms on a GPU."""
    from benchmarks.gpu import measure_gpu

    folder = _folder(quick, output)
    text = measure_gpu(trials, folder, console.print, quick=quick)
    if folder == _RESULTS:
        report.include("gpu", text)


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

    names = _chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
    folder = _folder(quick, output)
    text = measure_matching(names, 1 if quick else trials, limit, exact, folder, console.print)
    console.print(text)
    if folder == _RESULTS:
        report.include("matching", text)


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

    folder, trials = _folder(quick, output), 1 if quick else trials
    if device != "cpu":
        suite = "communities-cuda"
        text = measure_on_gpu(trials, folder, console.print, quick=quick, device=device)
    else:
        suite, names = "communities", _chosen(graphs, QUICK if quick else GRAPHS, "graphs",
                                              allowed=None)  # fmt: skip
        text = measure_communities(names, trials, limit, folder, console.print)
    console.print(text)
    if folder == _RESULTS:
        report.include(suite, text)


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

    names = _chosen(graphs, QUICK if quick else GRAPHS, "graphs", allowed=None)
    folder, trials = _folder(quick, output), 1 if quick else trials
    wanted = [name.strip() for name in only.split(",") if name.strip()]
    if device == "cpu":
        text = measure_primitives(names, wanted, trials, limit, folder, console.print)
    else:
        text = measure_primitives_on_gpu(names, wanted, trials, folder, console.print)
    console.print(text)
    if folder == _RESULTS:
        report.include("primitives" if device == "cpu" else "primitives-cuda", text)


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
    names = _chosen(graphs, QUICK if quick else usual, "graphs", allowed=None)
    folder = _folder(quick, output)
    trials = 1 if quick else trials
    text, pictures = measure_ordering(
        names, trials, limit, device, folder, console.print, every=every
    )
    if folder == _RESULTS:
        suite = "ordering" if device == "cpu" else "ordering-cuda"
        report.include(suite, text, pictures=pictures)


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
    names = _chosen(graphs, QUICK if quick else usual, "graphs", allowed=None)
    folder = _folder(quick, output)
    text = measure_refinement(names, device, folder, console.print)
    if folder == _RESULTS:
        report.include("refinement" if device == "cpu" else "refinement-cuda", text)


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

    names = _chosen(tables, QUICK if quick else TABLES, "tables", allowed=None)
    folder = _folder(quick, output)
    text = measure_cells(names, 1 if quick else trials, limit, folder, console.print)
    console.print(text)
    if folder == _RESULTS:
        report.include("cells", text)


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

    folder, trials = _folder(quick, output), 1 if quick else trials
    number = 1 << 18 if quick else count(packets or str(USUAL if device == "cpu" else 1 << 28))
    if device == "cpu":
        suite = "sensing" if number <= USUAL else "sensing-large"
        names = _chosen(stages, STAGES, "stages")
        text = measure_sensing(number, names, trials, limit, folder, console.print, suite)
    else:
        suite = "sensing-cuda"
        text = measure_sensing_on_gpu(number, trials, folder, console.print, device=device)
    console.print(text)
    if folder == _RESULTS:
        report.include(suite, text)


@app.command()
def join(
    collections: Names = "",
    trials: Trials = 3,
    limit: Limit = 600,
    device: Annotated[str, typer.Option(help="cpu; or cuda, verification beside CPU.")] = "cpu",
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Measure fuzzy joins, beside others where variables name a Python that has them.

    EDGEWISE_PYTOKENJOIN: pytokenjoin; EDGEWISE_LINKERS: recordlinkage, splink and dedupe.
    """
    from benchmarks.join import COLLECTIONS, QUICK, measure_join, measure_join_on_gpu

    folder, trials = _folder(quick, output), 1 if quick else trials
    if device != "cpu":
        suite = "join-cuda"
        text = measure_join_on_gpu(trials, folder, console.print, device=device, quick=quick)
    else:
        suite = "join"
        names = _chosen(collections, QUICK if quick else COLLECTIONS, "collections", allowed=None)
        text = measure_join(names, trials, limit, folder, console.print)
    if folder == _RESULTS:
        report.include(suite, text)


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

    folder, trials = _folder(quick, output), 1 if quick else trials
    usual = suite.GRAPHS if device == "cpu" else suite.ON_GPU
    names = _chosen(graphs, suite.QUICK if quick else usual, "graphs", allowed=None)
    if device == "cpu":
        who = _chosen(only, [], "only", allowed=suite.everyone())
        how = suite.How(trials, limit, 640 if quick else runs, who, console.print)
        text = suite.measure_influence(names, _chosen(parts, suite.PARTS, "parts"), how, folder)
    else:
        text = suite.measure_influence_on_gpu(names, trials, folder, console.print, device=device)
    if folder == _RESULTS:
        report.include("influence" if device == "cpu" else "influence-cuda", text)


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

    folder = _folder(quick, output)
    text = measure_batches(10 if quick else scale, trials, device, folder, console.print)
    if folder == _RESULTS:
        report.include("batches", text)


@app.command()
def strategies(trials: Trials = 9, quick: Quick = False, output: Output = None) -> None:
    """Show which strategy wins when on a GPU."""
    from benchmarks.strategies import measure_strategies

    folder = _folder(quick, output)
    text = measure_strategies(trials, folder, console.print, quick)
    if folder == _RESULTS:
        report.include("strategies", text)


@app.command()
def grid(
    parts: Names = "",
    trials: Trials = 5,
    quick: Quick = False,
    output: Output = None,
) -> None:
    """Count, model and measure what a grid of ranks takes."""
    from benchmarks.grid import PARTS, measure_grid

    names = _chosen(parts, PARTS, "parts")
    folder = _folder(quick, output)
    text, pictures = measure_grid(names, 1 if quick else trials, folder, console.print, quick)
    if folder == _RESULTS:
        report.include("grid", text, pictures=pictures)


def _suite(name, graphs, algorithms, peers, trials, limit, threads, quick, output) -> None:
    """Measure row after row; the files are whole after each."""
    use_threads(threads)
    tasks = _chosen(algorithms, TASKS, "algorithms")
    names = _chosen(peers, _all_peers(), "peers", allowed=(*PEERS, "networkx", "gap", *OWN))
    trials = 1 if quick else trials
    command = shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]])
    results = report.Results(name, _folder(quick, output), command, threads)
    for graph in _chosen(graphs, QUICK_GRAPHS if quick else GRAPHS, "graphs", allowed=None):
        try:
            data = data_for(graph)
        except MissingGraphError as problem:
            console.print(f"{graph} is left out: {problem}")
            continue
        except ValueError as problem:
            raise typer.BadParameter(str(problem), param_hint="graphs") from None
        for row in measure(data, tasks, names, trials=trials, limit=limit):
            results.add(row)
            _show(row)
    for verdict in results.verdicts():
        mark = "[green]PASS[/]" if verdict.met else "[red]MISS[/]"
        console.print(f"{mark} {verdict.row}: {verdict.target}: {verdict.measured}")
    if results.folder == _RESULTS:
        report.include(name, results.markdown())


def _show(row: list[Cell]) -> None:
    """One row on the terminal; what a peer cannot do is left to the report."""
    table = Table(title=f"{TASKS[row[0].task].title}, {row[0].graph}", title_justify="left")
    for column in ("peer", "median", "least", "most", "ratio", "memory", "note"):
        table.add_column(column, justify="left" if column in ("peer", "note") else "right")
    ours = next((typical(cell) for cell in row if cell.peer == "edgewise"), None)
    for cell in row:
        memory = report.spell_bytes(cell.memory) if cell.memory else ""
        if cell.seconds:
            spread = typical(cell), min(cell.seconds), max(cell.seconds)
            times = [report.spell_time(seconds) for seconds in spread]
            ratio = f"{typical(cell) / ours:.2f}" if ours else ""
            table.add_row(cell.peer, *times, ratio, memory, cell.wrong and f"WRONG: {cell.wrong}")
        elif not cell.missing:
            table.add_row(cell.peer, *[""] * 5, cell.note)
    console.print(table)


def _all_peers() -> tuple[str, ...]:
    try:
        return (*PEERS, *(["gap"] if gap_folder() else []), *OWN)
    except FileNotFoundError as problem:
        raise typer.BadParameter(str(problem)) from None


def _chosen(text: str, default, option: str, allowed=()) -> list[str]:
    """The names in an option, each checked."""
    names = [name.strip() for name in text.split(",") if name.strip()] or list(default)
    allowed = default if allowed == () else allowed
    for name in names:
        if allowed is not None and name not in allowed:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(allowed)}", param_hint=option)
    return names


def _folder(quick: bool, output: Path | None) -> Path:
    """Trials go elsewhere than the results that the docs show."""
    return output or (_RESULTS.parent / "data" / "quick" if quick else _RESULTS)


if __name__ == "__main__":
    app()
