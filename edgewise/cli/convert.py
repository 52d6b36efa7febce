"""``edgewise convert IN OUT``: read a graph in one format, write it in another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from edgewise.cli.reading import GraphFile
from edgewise.cli.streams import COMMENT, OUTPUT_FORMAT, check_output, is_stream, write_graph
from edgewise.cli.terminal import number, show, steps

__all__ = ["convert"]


def convert(
    file: GraphFile,
    output: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")
    ],
    output_format: OUTPUT_FORMAT = None,
    comment: COMMENT = False,
    quiet: bool = False,
) -> None:
    """Read a graph in one format and write it in another; suffixes choose the formats.

    What an .ew file holds is verified, so that damage is not passed on.
    """
    check_output(output, output_format, comment=comment)
    with steps(2, quiet=quiet) as step:
        step("reading")
        graph = file.read(verify=True) if file.has_checksums else file.read()
        file.tell(quiet=quiet)
        step("writing")
        write_graph(graph, output, output_format, comment=comment)
    if not quiet and not is_stream(output):
        edges, vertices = number(graph.num_edges), number(graph.num_vertices)
        show(f"{output}: {vertices} vertices, {edges} edges")
