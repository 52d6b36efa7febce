"""GAP's algorithms, building and reading beside other libraries."""

from __future__ import annotations

import shlex
import sys

import typer
from rich.table import Table

from benchmarks import report
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
from benchmarks.driver import Cell, measure, use_threads
from benchmarks.gap import gap_folder
from benchmarks.graphs import GRAPHS, QUICK_GRAPHS, MissingGraphError, data_for
from benchmarks.targets import typical
from benchmarks.tasks import OWN, PEERS, TASKS


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


def _suite(name, graphs, algorithms, peers, trials, limit, threads, quick, output) -> None:
    """Measure row after row; the files are whole after each."""
    use_threads(threads)
    tasks = chosen(algorithms, TASKS, "algorithms")
    names = chosen(peers, _all_peers(), "peers", allowed=(*PEERS, "networkx", "gap", *OWN))
    trials = 1 if quick else trials
    command = shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]])
    results = report.Results(name, folder_for(quick, output), command, threads)
    for graph in chosen(graphs, QUICK_GRAPHS if quick else GRAPHS, "graphs", allowed=None):
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
    publish(results.folder)


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
