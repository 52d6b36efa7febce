"""The applications."""

from __future__ import annotations

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
def applications(parts: Names = "", quick: Quick = False, output: Output = None) -> None:
    """Measure applications: tables, alignments, queries, tasks, beliefs, grids and solvers."""
    from benchmarks.applications.study import PARTS, measure_applications

    folder, names = folder_for(quick, output), chosen(parts, PARTS, "parts")
    console.print(measure_applications(names, folder, console.print, quick=quick))
    publish(folder)
