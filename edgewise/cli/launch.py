"""``edgewise launch ALGORITHM FILE --template slurm``: print a script that runs it on a cluster."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import typer

from edgewise.algorithms import ALGORITHMS
from edgewise.cli.command_groups import full_name
from edgewise.cli.launch_templates import TEMPLATES, Job
from edgewise.cli.on_grid import IN_ONE_ARRAY, check_output

__all__ = ["launch"]

_NAMES = tuple(TEMPLATES)
Template = Literal[_NAMES]  # type: ignore[valid-type]
_KUBERNETES = "Kubernetes"
_SLURM = "Slurm"


def launch(
    algorithm: Annotated[str, typer.Argument(help="An algorithm that runs on a grid.")],
    file: Annotated[str, typer.Argument(help="The graph, at a path that all nodes can read.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(help="After --: further arguments and options of `edgewise run`."),
    ] = None,
    *,
    template: Annotated[
        Template, typer.Option(metavar="|".join(TEMPLATES), help="The kind of cluster.")
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="The file of results there (default: result.npy or result.npz). On Kubernetes, "
            "a relative path is one below the mount.",
        ),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="The number of machines.")] = 4,
    ranks_per_node: Annotated[int, typer.Option(min=1, help="Ranks on each machine.")] = 1,
    cores: Annotated[int, typer.Option(min=1, help="CPU cores of each rank.")] = 16,
    memory_gib: Annotated[int, typer.Option(min=1, help="Memory of each rank, in GiB.")] = 64,
    device: Annotated[
        Literal["cpu", "cuda"],
        typer.Option(metavar="cpu|cuda", help="cuda: one GPU per rank."),
    ] = "cpu",
    time: Annotated[str, typer.Option(metavar="HH:MM:SS", help="The time limit.")] = "01:00:00",
    name: Annotated[str, typer.Option(help="The name of the job.")] = "edgewise",
    partition: Annotated[
        str | None, typer.Option(help="The partition.", rich_help_panel=_SLURM)
    ] = None,
    account: Annotated[
        str | None, typer.Option(help="The account that pays.", rich_help_panel=_SLURM)
    ] = None,
    image: Annotated[
        str, typer.Option(help="The container image.", rich_help_panel=_KUBERNETES)
    ] = "edgewise:latest",
    namespace: Annotated[
        str, typer.Option(help="The namespace.", rich_help_panel=_KUBERNETES)
    ] = "default",
    claim: Annotated[
        str,
        typer.Option(help="The volume claim that holds the files.", rich_help_panel=_KUBERNETES),
    ] = "edgewise-data",
    mount: Annotated[
        str,
        typer.Option(help="The folder at which pods mount the claim.", rich_help_panel=_KUBERNETES),
    ] = "/data",
) -> None:
    """Print a Slurm script or a Kubernetes manifest that runs an algorithm on many machines."""
    from edgewise.distributed.grid import check_shape

    known = full_name(algorithm, ALGORITHMS)
    if known is None or "grid" not in ALGORITHMS[known].engines:
        raise ValueError(f"ALGORITHM must be one that runs on a grid, got {algorithm!r}")
    for option, word in (("--name", name), ("--namespace", namespace), ("--claim", claim)):
        if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", word):
            raise ValueError(
                f"{option} must be up to 63 lowercase letters, digits and hyphens, got {word!r}"
            )
    for option, given in (("--partition", partition), ("--account", account)):
        if given is not None and not re.fullmatch(r"[\w.,-]+", given):
            raise ValueError(f"{option} must be a word, got {given!r}")
    if not re.fullmatch(r"\d{1,3}:[0-5]\d:[0-5]\d", time):
        raise ValueError(f"--time must be HH:MM:SS, such as 01:30:00, got {time!r}")
    row = ALGORITHMS[known]
    if output is None:
        output = "result.npy" if row.returns in IN_ONE_ARRAY else "result.npz"
    check_output(known, row, Path(output))
    mount = mount.rstrip("/")
    if template == "kubernetes":  # what pods write elsewhere ends with them
        output = str(PurePosixPath(mount or "/") / output)
    rows, columns = check_shape(None, nodes * ranks_per_node)
    command = ["edgewise", "run", known, file, *(words or ()), "--grid", f"{rows}x{columns}"]
    command += ["--device", "cuda"] if device == "cuda" else []
    job = Job(
        name, (*command, "-o", output), nodes, ranks_per_node, cores, memory_gib,
        device == "cuda", time, partition, account, image, namespace, claim, mount,
    )  # fmt: skip
    print(TEMPLATES[template](job), end="")
