"""``edgewise recommend FILE --source NAME``: whom a user of a network might follow."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from edgewise.base.compiling import compile_seconds
from edgewise.cli import vertices
from edgewise.cli.describe import label_of
from edgewise.cli.on_grid import DEVICE
from edgewise.cli.reading import GraphFile
from edgewise.cli.terminal import number, print_json, seconds, show, steps, table, took

__all__ = ["recommend"]


def recommend(
    file: GraphFile,
    source: Annotated[
        str, typer.Option("--source", metavar="VERTEX", help="The user, by its label in the file.")
    ],
    k: Annotated[
        int, typer.Option("--k", min=1, metavar="N", help="The number of recommendations.")
    ] = 10,
    method: Annotated[
        Literal["money", "salsa"],
        typer.Option("--method", metavar="money|salsa", help="The ranking method."),
    ] = "money",
    circle_size: Annotated[
        int,
        typer.Option("--circle-size", min=1, metavar="N", help="The size of the circle of trust."),
    ] = 1000,
    device: DEVICE = "cpu",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: bool = False,
) -> None:
    """Recommend users to follow, by personalized PageRank and then Money or SALSA.

    The source of an edge follows its target; use --directed for edge lists.
    """
    from edgewise import apps

    with steps(2, quiet=quiet) as step:
        step("reading")
        graph = file.read(device=device)
        file.tell(quiet=quiet)
        step("recommending")
        try:
            who = vertices.vertex(graph, source)
        except ValueError as error:
            raise ValueError(f"--source: {error}") from error
        found = apps.recommend(graph, who, k=k, method=method, circle_size=circle_size)
    names = [label_of(graph, v) for v in found.vertices.tolist()]
    scored = list(zip(names, found.scores.tolist(), strict=True))
    if json:
        print_json({
            "source": label_of(graph, who), "method": method, "circle": len(found.circle),
            "recommended": [{"vertex": name, "score": score} for name, score in scored],
            "seconds": found.seconds, "compiled_seconds": compile_seconds(),
        })  # fmt: skip
        return
    show(table(f"For {label_of(graph, who)}: {took(found.seconds['total'])}", _rows(scored)))
    stages = ", ".join(f"{name} {seconds(spent)}" for name, spent in found.seconds.items())
    show(f"{len(found.circle):,} in the circle of trust; {stages}")


def _rows(scored: list[tuple[Any, float]]) -> list[tuple[str, Any]]:
    if not scored:
        return [("", "the circle follows nobody else")]
    return [(str(name), number(score)) for name, score in scored]
