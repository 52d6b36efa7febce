"""``edgewise convert IN OUT``: read a graph in one format, write it in another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from edgewise.cli.reading import GraphFile
from edgewise.cli.streams import COMMENT, OUTPUT_FORMAT, check_output, is_stream, write_graph
from edgewise.cli.terminal import number, show, steps
from edgewise.cli.usage_errors import suggestion

__all__ = ["convert"]


def convert(
    file: GraphFile,
    output: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")
    ],
    output_format: OUTPUT_FORMAT = None,
    comment: COMMENT = False,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Reorder the vertices, by auto, degree, reverse_cuthill_mckee or another order; "
            "their ids are kept as labels.",
        ),
    ] = None,
    refine: Annotated[
        Literal["log_gap", "linear_gap"] | None,
        typer.Option(metavar="log_gap|linear_gap", help="Refine the order for this metric."),
    ] = None,
    compress: Annotated[
        bool,
        typer.Option("--compress", help="Compress the rows; only .ew files store them so."),
    ] = False,
    compress_weights: Annotated[
        Literal["dictionary", "float16", "float32"] | None,
        typer.Option(
            metavar="dictionary|float16|float32",
            help="Compress the rows, and keep weights as codes into a table, or round them.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of random orders.")] = 0,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Sort the edges on disk within this limit, as 4GiB, into an .ew file.",
        ),
    ] = None,
    quiet: bool = False,
) -> None:
    """Convert a graph file to another format; the suffixes determine the formats.

    The contents of an .ew file are verified first.
    """
    check_output(output, output_format, comment=comment)
    if memory is not None:
        others = {"--order": order, "--refine": refine, "--output-format": output_format,
                  "--comment": comment or None, "--compress-weights": compress_weights}  # fmt: skip
        _within(file, output, memory, others, compress=compress, quiet=quiet)
        return
    if order is not None:
        _check_order(order)
    compress = compress or compress_weights is not None
    if compress:
        _check_stores_compressed(output, output_format)
    arranging = order is not None or refine is not None
    with steps(2 + arranging, quiet=quiet) as step:
        step("reading")
        graph = file.read(verify=True) if file.has_checksums else file.read()
        file.tell(quiet=quiet)
        if arranging:
            from edgewise.algorithms.ordering.reorder import reorder

            step("ordering")
            graph = reorder(graph, order or "natural", refine_metric=refine, seed=seed)
        graph = graph.compress(weights=compress_weights) if compress else graph.decompress()
        step("writing")
        write_graph(graph, output, output_format, comment=comment)
    if not quiet and not is_stream(output):
        edges, vertices = number(graph.num_edges), number(graph.num_vertices)
        show(f"{output}: {vertices} vertices, {edges} edges")


def _within(
    file: GraphFile, output: Path, memory: str, others: dict[str, object], *, compress: bool,
    quiet: bool,
) -> None:  # fmt: skip
    """Convert within a memory limit."""
    from edgewise.io.converting import build

    for name, given in others.items():
        if given is not None:
            raise ValueError(f"--memory cannot be given with {name}")
    if is_stream(file.given_path) or is_stream(output):
        raise ValueError("--memory is for files, not for standard input or output")
    with steps(2, quiet=quiet) as step, file.listening():
        graph = build(file.path, output, memory, file.format, file.options, step, compress=compress)
    file.tell(quiet=quiet)
    if not quiet:
        edges, vertices = number(graph.num_edges), number(graph.num_vertices)
        show(f"{output}: {vertices} vertices, {edges} edges")


def _check_stores_compressed(output: Path, output_format: str | None) -> None:
    """ValueError before anything is read, if the format has plain rows alone."""
    from edgewise.io import FORMATS, format_of

    name = format_of(output, output_format, FORMATS)
    if name != "ew":
        raise ValueError(f"--compress: only .ew files store compressed rows, not {name}")


def _check_order(order: str) -> None:
    """ValueError before anything is read, with the name that may have been meant."""
    from edgewise.algorithms.ordering.reorder import names

    if order not in names():
        near = suggestion(order, names())
        hint = f"did you mean {near}?" if near else f"there are {', '.join(names())}"
        raise ValueError(f"--order: there is no order {order!r}; {hint}")
