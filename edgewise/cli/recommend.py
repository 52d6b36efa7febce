"""``edgewise recommend FILE --user NAME``: whom a user of a network might follow."""

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
    user: Annotated[
        str, typer.Option("--user", metavar="VERTEX", help="For whom, as the file calls it.")
    ],
    count: Annotated[
        int, typer.Option("--count", min=1, metavar="N", help="How many to recommend.")
    ] = 10,
    method: Annotated[
        Literal["money", "salsa"],
        typer.Option("--method", metavar="money|salsa", help="What ranks them."),
    ] = "money",
    circle: Annotated[
        int, typer.Option("--circle", min=1, metavar="N", help="How many the user trusts.")
    ] = 1000,
    device: DEVICE = "cpu",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: bool = False,
) -> None:
    """Whom a user might follow: by personalized PageRank, a circle of trust, and Money or SALSA.

    An edge says that its source follows its target; read the file with --directed where it does.
    """
    from edgewise.apps.who_to_follow import who_to_follow

    with steps(2, quiet=quiet) as step:
        step("reading")
        graph = file.read(device=device)
        file.tell(quiet=quiet)
        step("recommending")
        try:
            who = vertices.vertex(graph, user)
        except ValueError as error:
            raise ValueError(f"--user: {error}") from error
        found = who_to_follow(graph, who, count=count, method=method, circle=circle)
    names = [label_of(graph, v) for v in found.vertices.tolist()]
    scored = list(zip(names, found.scores.tolist(), strict=True))
    if json:
        print_json({
            "user": label_of(graph, who), "method": method, "circle": len(found.circle),
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
