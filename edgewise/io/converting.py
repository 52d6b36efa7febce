"""`convert`: a graph file to a file of another format, also one that is larger than memory."""

from __future__ import annotations

import errno
import inspect
import os
import shutil
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgewise.base.checks import check_bytes, check_choice, check_flag
from edgewise.base.errors import FileFormatError
from edgewise.base.observe import notify
from edgewise.graph.build import DUPLICATES
from edgewise.io import FORMATS, STREAMED, format_of, naming_file, read, write
from edgewise.io.ew import read as read_ew
from edgewise.io.files import plain_suffix
from edgewise.io.notes import tell_repeats, warn_of
from edgewise.io.text_graph import tell_ids

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["convert"]

#: Options of the readers that need the whole file.
_WHOLE = {"on_bad_line", "labels", "edge_columns", "suffix", "memory"}


def convert(
    source: str | os.PathLike,
    target: str | os.PathLike,
    *,
    memory: int | str | None = None,
    format: str | None = None,
    compress: bool = False,
    **options: Any,
) -> None:
    """Convert a graph file to another format, within a memory limit if one is given.

    With ``memory``, edges are sorted on disk, and neither the file nor the graph has to fit into
    memory. ``target`` is then an .ew file, which `read` maps, and it holds the same graph as
    without ``memory``. After an interruption the same call goes on where the sorting stopped.

    Parameters
    ----------
    source : path
        The file to read.
    target : path
        The file to write; it appears when it is complete.
    memory : int or str, optional
        The memory limit in bytes, or as "4GiB", for a list of edges between integers: an edge list,
        CSV without quotes, Parquet or Arrow. Vertices take up to 13 bytes each while the file is
        written, 5 of these for each integer up to the largest if some do not occur. Sorted runs
        take 8 bytes of disk space per arc, and 8 more with weights, in a hidden folder beside
        ``target``, which is removed at the end.
    format : str, optional
        The format of ``source``, if its suffix does not determine it.
    compress : bool
        Whether to store the rows compressed, as `Graph.compress` does; only .ew files hold them so.
    **options
        The options of `read` for that format. With ``memory`` these exclude ``on_bad_line``,
        ``labels`` and ``edge_columns``.

    Raises
    ------
    FileFormatError
        If ``source`` is malformed.
    MemoryError
        If the limit is too small for the vertices.
    OSError
        If there is too little disk space; checked before the runs are written, unless ``source`` is
        compressed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     edges, target = Path(folder) / "edges.txt", Path(folder) / "graph.ew"
    ...     _ = edges.write_text("0 1\\n1 2\\n2 0\\n")
    ...     convert(edges, target, memory="16MiB")
    ...     read(target)
    Graph(undirected, 3 vertices, 3 edges, 56 B)
    """
    source, target = Path(source), Path(target)
    if memory is None:
        if check_flag(compress, "compress") and format_of(target, None, FORMATS) != "ew":
            raise ValueError(f"with compress=True, target must be an .ew file, got {target}")
        graph = read(source, format=format, **options)
        write(graph.compress() if compress else graph, target)
        return
    build(source, target, memory, format, options, compress=check_flag(compress, "compress"))


def build(
    source: Path, target: Path, memory: int | str, format: str | None, options: Mapping[str, Any],
    step: Callable[[str], None] = lambda name: None, *, compress: bool = False,
) -> Graph:  # fmt: skip
    """`convert` within a limit, and the graph in the new file; ``step`` is told what begins."""
    from edgewise.io.edge_merge import Rules, merge
    from edgewise.io.edge_runs import Plan, runs_folder

    limit = check_bytes(memory, "memory")
    pieces, options = _opened(source, target, format, dict(options))
    directed = check_flag(pieces.directed, "directed")
    symmetrize = options.get("symmetrize")
    if directed and symmetrize is not None:
        raise ValueError(
            f"symmetrize={symmetrize!r} makes an undirected graph, but directed=True was given"
        )
    tag = int(symmetrize in ("intersection", "given"))
    plan = Plan(not directed, tag, options.get("self_loops", "keep") == "drop")
    rules = Rules(directed, options.get("duplicates", "sum"), symmetrize)
    state = os.stat(source)
    identity = {"source": os.path.realpath(source), "bytes": state.st_size,
                "time": state.st_mtime_ns, "options": repr(sorted(options.items()))}  # fmt: skip
    with naming_file(source), warn_of(source, options):
        with runs_folder(target, identity, plan, limit) as runs:
            step("sorting")
            checked = bool(runs.runs)
            for rows, place in pieces.pieces(runs.place or pieces.begin, max(limit // 64, 1)):
                if not checked:
                    count = pieces.estimate(place, len(rows.sources))
                    _check_disk(target, count, plan.both, rows.weights is not None)
                    checked = True
                if runs.add(rows, place):
                    notify(len(runs.runs), edges=runs.ends.edges, read=pieces.share(place))
            runs.flush()
            if (os.stat(source).st_size, os.stat(source).st_mtime_ns) != (
                state.st_size, state.st_mtime_ns,
            ):  # fmt: skip
                raise FileFormatError(source, "the file was changed while it was read")
            vertices, first = pieces.finish(runs.ends)
            if first is not None:
                runs.add_first(first)
            step("merging")
            loops = merge(runs, target, rules, vertices, tag, limit, compress)
            count, weighted = runs.ends.edges, runs.runs != [] and runs.runs[0].weights is not None
        graph = read_ew(target, trusted=True)
        graph._keep(num_self_loops=loops)
        if vertices.total < 0 or vertices.first:
            tell_ids(graph)
        if not pieces.ours and not plan.drop and symmetrize != "given":
            tell_repeats(graph, count, weighted, rules.duplicates)
    return graph


def _opened(
    source: Path, target: Path, format: str | None, options: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """The pieces of the source, and the options, all of which are checked."""
    from edgewise.io.edge_pieces import TablePieces, TextPieces

    name = format_of(source, format)
    if format_of(target, None, FORMATS) != "ew" or plain_suffix(target) != target.suffix.lower():
        raise ValueError(f"with memory=, target must be an .ew file, got {target}")
    if name not in STREAMED:
        raise ValueError(
            f"{source}: memory= is for lists of edges ({', '.join(STREAMED)}), not for {name}"
        )
    if not source.is_file():
        raise FileNotFoundError(f"there is no file {source}")
    if not target.absolute().parent.is_dir():
        raise FileNotFoundError(f"cannot write {target}: there is no folder {target.parent}")
    reader = import_module(FORMATS[name].module)
    known = set(list(inspect.signature(reader.read).parameters)[1:]) - _WHOLE
    options = {key: value for key, value in options.items() if value is not None}
    for option in options:
        if option not in known:
            raise TypeError(
                f"converting {name} within memory= has no option {option!r}; its options: "
                f"{', '.join(sorted(known))}"
            )
    check_choice(options.get("duplicates", "sum"), "duplicates", DUPLICATES)
    check_choice(options.get("self_loops", "keep"), "self_loops", ("keep", "drop"))
    if "symmetrize" in options:
        check_choice(options["symmetrize"], "symmetrize", ("union", "intersection", "given"))
    suffix = plain_suffix(source)
    suffix = suffix if suffix in FORMATS[name].suffixes else FORMATS[name].suffixes[0]
    if name in ("parquet", "arrow"):
        return TablePieces(source, suffix, options), options
    style = reader.style_of(suffix) if name == "edges" else reader.STYLE
    return TextPieces(source, style, options), options


def _check_disk(target: Path, rows: int | None, both: bool, weighted: bool) -> None:
    """OSError if the runs and the file will hardly fit the disk."""
    if rows is None:
        return
    arcs = 2 * rows if both else rows
    need = arcs * (36 if weighted else 12)  # runs, columns, and weights once beside the file
    free = shutil.disk_usage(target.absolute().parent).free
    if need > free:
        raise OSError(
            errno.ENOSPC,
            f"building {target.name} takes about {need:,} bytes of disk space, but only {free:,} "
            "are free",
            str(target),
        )
