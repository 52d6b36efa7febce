"""``edgewise profile FILE``: a whole picture of one graph, on the terminal and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from edgewise.base.compiling import clock, compile_seconds
from edgewise.cli.profile import STEPS, measure, prepare
from edgewise.cli.reading import GraphFile, note_records
from edgewise.cli.terminal import Steps, print_json, show, steps
from edgewise.graph import Graph

__all__ = ["measured", "present", "profile"]


def profile(
    file: GraphFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the report as an HTML page."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    samples: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="From how many random vertices to measure distances."
        ),
    ] = 64,
    top: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many top vertices to name.")
    ] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides every random choice.")] = 0,
    weighted: Annotated[
        bool,
        typer.Option("--weighted", help="Let PageRank follow the weights: larger means closer."),
    ] = False,
    quiet: bool = False,
) -> None:
    """A whole picture of one graph: degrees, components, distances, triangles, cores, ranks.

    Prints tables; with -o also writes them, with pictures, as one self-contained HTML page.
    """
    with steps(len(STEPS) + 2, quiet=quiet) as step:
        step("reading")
        start = clock()
        graph = file.read()
        reading = clock() - start
        options = {"samples": samples, "top": top, "seed": seed, "weighted": weighted}
        found = measured(graph, step, **options)
    found["timings"] = {"reading": reading, **found["timings"]}
    found["notes"] = note_records(file.notes)
    present(found, Path(file.name).name, output, json=json)


def measured(graph: Graph, step: Steps, **options: Any) -> dict[str, Any]:
    """The profile of a graph, with the preparation of the kernels as one more timing."""
    step("preparing")
    start = clock()
    prepare(graph, weighted=options.get("weighted", False))
    preparing = clock() - start
    found = measure(graph, step=step, **options)
    found["timings"] = {"preparing": preparing, **found["timings"]}
    return found


def present(found: dict[str, Any], name: str, output: Path | None, *, json: bool = False) -> None:
    """Write the report, if asked for, and print the profile as tables or as JSON."""
    from edgewise import __version__
    from edgewise.cli.streams import is_stream, open_output

    if json and is_stream(output):
        raise ValueError("--json and --output - both write to standard output")
    if output is not None:
        from edgewise.cli.profile.report import html_report

        with open_output(output) as page:
            page.write(html_report(found, name).encode())
    if json:
        report = None if output is None else str(output)
        head = {"edgewise": __version__, "name": name, "report": report}
        print_json({**head, **found, "compiled_seconds": compile_seconds()})
        return
    if is_stream(output):
        return
    from edgewise.cli.profile.tables import terminal_tables

    show(terminal_tables(found, name))
    if output is not None:
        show(f"\nThe report is in {output}")
