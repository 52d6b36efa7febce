"""``edgewise generate NAME ... -o FILE``: a command for every generator of the library.

All make graphs but ``traffic``, which makes packets and has a module of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from edgewise.cli.command_groups import table_group
from edgewise.cli.result_files import check_suffix, write_result
from edgewise.cli.result_tables import result_of
from edgewise.cli.signatures import choices_of, documented, option_of, summary_of
from edgewise.cli.streams import COMMENT, OUTPUT_FORMAT, check_output, is_stream, write_graph
from edgewise.cli.terminal import number, show, steps
from edgewise.cli.traffic import traffic_command
from edgewise.generators import GENERATORS
from edgewise.graph import Graph

__all__ = ["group"]


def _make(name: str) -> Callable:
    """The command of one generator: its parameters as options, and where to write."""
    if name == "traffic":
        return traffic_command()
    row = GENERATORS[name]
    generator = row.load()
    texts, choices = documented(generator), choices_of(generator)
    converters, parameters = {}, []
    for parameter in inspect.signature(generator).parameters.values():
        name = parameter.name
        made, converters[name] = option_of(parameter, texts.get(name, ""), choices.get(name, ()))
        parameters.append(made)

    def run(
        *,
        output: Path,
        weights: str | None = None,
        communities: Path | None = None,
        output_format: str | None = None,
        comment: bool = False,
        quiet: bool = False,
        **values: Any,
    ) -> None:
        check_output(output, output_format, comment=comment)
        if communities is not None:
            check_suffix(communities)
        with steps(2, quiet=quiet) as step:
            step("generating")
            made = generator(**{key: converters[key](value) for key, value in values.items()})
            graph = made.graph if row.returns == "planted" else made
            if weights is not None:
                graph = _weigh(graph, weights, values.get("seed", 0))
            step("writing")
            if communities is not None:
                known = result_of(graph, "community", "vertices", made.communities)
                write_result(known, communities)
            write_graph(graph, output, output_format, comment=comment)
        if not quiet and not is_stream(output):
            vertices, edges = number(graph.num_vertices), number(graph.num_edges)
            show(f"{output}: {vertices} vertices, {edges} edges")

    own = inspect.signature(run).parameters
    more = [
        own["output"].replace(annotation=_OUTPUT),
        own["output_format"].replace(annotation=OUTPUT_FORMAT),
        own["comment"].replace(annotation=COMMENT),
        own["quiet"].replace(annotation=bool),
    ]
    if "weights" not in converters:
        more.insert(1, own["weights"].replace(annotation=_WEIGHTS))
    if row.returns == "planted":
        more.insert(1, own["communities"].replace(annotation=_COMMUNITIES))
    run.__signature__ = inspect.Signature([*parameters, *more])  # type: ignore[attr-defined]
    run.__doc__ = summary_of(generator)
    return run


def _weigh(graph: Graph, text: str, seed: int) -> Any:
    """Random weights as ``uniform`` or ``integer:low=1,high=9`` asks for."""
    from edgewise.generators import random_weights

    name, _, rest = text.partition(":")
    options = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in ("low", "high", "mean", "std"):
            raise ValueError(f"--weights takes low, high, mean and std, not {part!r}")
        try:
            options[key] = float(value)
        except ValueError:
            raise ValueError(f"--weights takes numbers, as low=1, not {part!r}") from None
    try:
        return random_weights(graph, name, seed=seed, **options)
    except (TypeError, ValueError) as error:
        raise ValueError(f"--weights: {error}") from error


_OUTPUT = Annotated[
    Path,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The graph file to write; - is standard output."
    ),
]
_WEIGHTS = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[:KEY=VALUE,...]", help="Add random weights, as integer:low=1,high=9."
    ),
]
_COMMUNITIES = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write known communities: .csv, .tsv, .parquet, .json or .npz."
    ),
]

group = table_group(
    lambda: [*GENERATORS, "traffic"],
    _make,
    "Generate a graph or network traffic and write it to a file.",
)
