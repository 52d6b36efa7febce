"""`profile`: all numbers of a graph as one object, which notebooks show as the report.

The command ``edgewise profile`` calls `measured`, too: both have the same numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from edgewise.base.checks import check_count
from edgewise.base.compiling import clock
from edgewise.base.progress import Steps, progress
from edgewise.base.random import check_seed
from edgewise.cli.profile import STEPS, measure, prepare
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["Profile", "measured", "profile"]


class Profile(dict):
    """All numbers of a graph's profile: a dict of dicts, and a report.

    The entries are ``sizes``, ``degrees``, ``components``, ``distances``, ``triangles``, ``cores``,
    ``ranks`` and ``timings``. They hold plain numbers, strings and lists, which ``json.dumps``
    takes. A notebook shows the report with its pictures, and ``print`` shows tables.

    Attributes
    ----------
    name : str
        The title of the report.
    """

    name: str = "Graph"

    def to_html(self) -> str:
        """Return the report as one HTML page that needs no other file."""
        from edgewise.cli.profile.report import html_report

        return html_report(self, self.name)

    def write(self, path: str | Path) -> None:
        """Write the report to a file, which appears whole or not at all."""
        from edgewise.io.files import atomic_write

        with atomic_write(Path(path)) as file:
            file.write(self.to_html().encode())

    def _repr_html_(self) -> str:
        from edgewise.cli.profile.report import inline_report

        return inline_report(self, self.name)

    def __repr__(self) -> str:
        sizes = self["sizes"]
        return (
            f"Profile({self.name!r}, {sizes['vertices']:,} vertices, {sizes['edges']:,} edges: "
            f"{', '.join(self)})"
        )

    def __str__(self) -> str:
        from rich.console import Console

        from edgewise.cli.profile.tables import terminal_tables

        console = Console(width=100, highlight=False, no_color=True)
        with console.capture() as shown:
            console.print(terminal_tables(self, self.name))
        return "\n".join(line.rstrip() for line in shown.get().splitlines())


@takes_graph
def profile(
    graph: LocalGraphLike,
    *,
    name: str = "Graph",
    samples: int = 64,
    top: int = 10,
    seed: int = 0,
    weights: Any = None,
) -> Profile:
    """Return a profile: sizes, degrees, components, distances, triangles, cores and PageRank.

    A notebook shows it as a report with pictures. The command ``edgewise profile`` prints the same
    numbers. Directions count in degrees, distances and PageRank. Components, triangles and cores
    are those of the undirected graph beneath, without self-loops.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, in host memory.
    name : str
        The title of the report.
    samples : int
        The number of random sources from which distances are measured, if the graph has more
        vertices.
    top : int
        The number of vertices of highest PageRank to list.
    seed : int
        The seed of the random choices.
    weights : str, array over edges, or None
        The weights of PageRank, nonnegative; by default none. All other numbers ignore weights.

    Returns
    -------
    Profile
        A dict of dicts of plain numbers. What was sampled has its 95% interval beside it.

    Notes
    -----
    O(n + m) time for most parts. Distances take ``samples`` searches. Triangles are estimated where
    an exact count would take minutes. `progress` shows the steps.

    Examples
    --------
    >>> import edgewise as ew
    >>> found = ew.profile(ew.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]), name="kite")
    >>> found["sizes"]["edges"], found["triangles"]["total"], found["cores"]["degeneracy"]
    (4, 1, 2)
    """
    check_host(graph, "profile")
    options = {
        "samples": check_count(samples, "samples", least=1),
        "top": check_count(top, "top"),
        "seed": int(check_seed(seed)),
        "weights": weights,
    }
    with progress(len(STEPS) + 1) as step:
        found = measured(graph, step, **options)
    found.name = str(name)
    return found


def measured(graph: Graph, step: Steps, **options: Any) -> Profile:
    """The profile of a graph, with the preparation of the kernels as one more timing."""
    step("preparing")
    start = clock()
    prepare(graph, weights=None if options.get("weights") is None else "weight")
    preparing = clock() - start
    found = measure(graph, step=step, **options)
    found["timings"] = {"preparing": preparing, **found["timings"]}
    return Profile(found)
