"""``edgewise profile FILE``: a whole picture of one graph, on the terminal and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from edgewise.base.compiling import clock, compile_seconds
from edgewise.cli.profile import STEPS
from edgewise.cli.profile.graph_profile import measured
from edgewise.cli.reading import GraphFile, note_records
from edgewise.cli.terminal import print_json, show, steps

__all__ = ["present", "profile"]


def profile(
    file: GraphFile,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report with pictures, as one HTML page."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    samples: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="The number of random sources for distances."),
    ] = 64,
    top: Annotated[
        int, typer.Option(min=0, metavar="N", help="The number of top vertices to list.")
    ] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random numbers.")] = 0,
    weights: Annotated[
        str,
        typer.Option(
            metavar="weight|none",
            help="The weights of PageRank (larger means closer), or none.",
        ),
    ] = "none",
    quiet: bool = False,
) -> None:
    """Profile a graph: degrees, components, distances, triangles, cores and PageRank.

    Prints tables; --report also writes them with charts, as one self-contained HTML page.
    """
    with steps(len(STEPS) + 2, quiet=quiet) as step:
        step("reading")
        start = clock()
        graph = file.read()
        reading = clock() - start
        options = {
            "samples": samples,
            "top": top,
            "seed": seed,
            "weights": None if weights == "none" else weights,
        }
        found = measured(graph, step, **options)
    found["timings"] = {"reading": reading, **found["timings"]}
    found["notes"] = note_records(file.notes)
    present(found, Path(file.name).name, report, json=json)


def present(found: dict[str, Any], name: str, report: Path | None, *, json: bool = False) -> None:
    """Write the report, if asked for, and print the profile as tables or as JSON."""
    from edgewise import __version__
    from edgewise.cli.streams import is_stream, open_output

    if json and is_stream(report):
        raise ValueError("--json and --report - both write to standard output")
    if report is not None:
        from edgewise.cli.profile.report import html_report

        with open_output(report) as page:
            page.write(html_report(found, name).encode())
    if json:
        path = None if report is None else str(report)
        head = {"edgewise": __version__, "name": name, "report": path}
        print_json({**head, **found, "compiled_seconds": compile_seconds()})
        return
    if is_stream(report):
        return
    from edgewise.cli.profile.tables import terminal_tables

    show(terminal_tables(found, name))
    if report is not None:
        show(f"\nThe report is in {report}")
