"""Reading and writing graphs: `read` and `write` choose a format by the file's suffix.

`FORMATS` lists the formats. Each is one module, imported at its first use, with two functions:

``read(path, **options) -> Graph``
    ``path`` is a `pathlib.Path`; `edgewise.io.files.read_bytes` opens and decompresses it.
``write(graph, file, **options)``
    ``file`` is a binary file from `edgewise.io.files.atomic_write`.

The keyword parameters of these two functions are the options of the format; `read` and `write`
reject all others. A function with a parameter ``suffix`` gets the suffix of the file, without that
of a compression. If the suffix belongs to another format, it gets the first suffix of this format.
A malformed file raises `FileFormatError`, which names the file, the line and the reason.
"""

from __future__ import annotations

import importlib
import os
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from edgewise.base.checks import check_choice
from edgewise.io.files import COMPRESSIONS, atomic_write, max_bytes as allow_bytes, plain_suffix
from edgewise.io.notes import warn_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from edgewise.graph import Graph

__all__ = ["FORMATS", "READABLE", "STREAMED", "WITH_VERTEX_COLUMNS", "Format", "read", "write"]


class Format(NamedTuple):
    """A file format: the module that reads and writes it, and its file suffixes."""

    module: str
    suffixes: tuple[str, ...]
    #: The parts of a graph that the format cannot store; `write` omits them with a warning.
    leaves_out: tuple[str, ...] = ()
    #: Graphs that `write` rejects with ValueError, because the file would hold another graph.
    refuses: tuple[str, ...] = ()


#: Every format by name.
FORMATS = {
    "edges": Format(
        "edgewise.io.edge_list",
        (
            ".txt",
            ".el",
            ".wel",
            ".edges",
            ".edgelist",
            ".tsv",
            ".e",
            ".cedge",
            ".tab",
            ".snap",
            ".abc",
        ),
        refuses=("labels below 0 or beyond 63 bits", "labels with white space or commas"),
    ),
    "csv": Format(
        "edgewise.io.csv",
        (".csv",),
        leaves_out=("isolated vertices", "the type of labels"),
        refuses=("empty labels",),
    ),
    "matrix_market": Format("edgewise.io.matrix_market", (".mtx",)),
    "metis": Format(
        "edgewise.io.metis",
        (".graph", ".metis"),
        refuses=("directed graphs", "self-loops", "weights that are not integers from 1"),
    ),
    "dimacs": Format("edgewise.io.dimacs", (".gr",)),
    "gap": Format(
        "edgewise.io.gap",
        (".sg", ".wsg"),
        leaves_out=("labels", "weights in `.sg`"),
        refuses=("weights that are not 32-bit integers, or none, in `.wsg`",),
    ),
    "npz": Format("edgewise.io.npz", (".npz",)),
    "parquet": Format("edgewise.io.arrow", (".parquet",)),
    "arrow": Format("edgewise.io.arrow", (".arrow", ".feather")),
    "graphml": Format(
        "edgewise.io.xml", (".graphml",), refuses=("labels with control characters",)
    ),
    "gexf": Format(
        "edgewise.io.xml",
        (".gexf",),
        refuses=("labels with control characters", "integer weights beyond 2^53"),
    ),
    "adjacency": Format(
        "edgewise.io.adjacency",
        (".adjlist", ".adj"),
        leaves_out=("weights",),
        refuses=("labels below 0 or beyond 63 bits", "labels with white space or commas"),
    ),
    "gml": Format("edgewise.io.gml", (".gml",)),
    "dot": Format("edgewise.io.dot", (".dot", ".gv")),
    "pajek": Format("edgewise.io.pajek", (".net", ".paj")),
    "graph_tool": Format("edgewise.io.graph_tool", (".gt",)),
    "networkit": Format(
        "edgewise.io.networkit_binary", (".nkb", ".nkbg", ".nkbg003"), leaves_out=("labels",)
    ),
    "ew": Format("edgewise.io.ew", (".ew",)),
}

#: Every format that can be read, also those that cannot be written.
READABLE = FORMATS | {"webgraph": Format("edgewise.io.webgraph", (".properties",))}

#: The formats of edges that `edgewise.convert` sorts on disk within a memory limit.
STREAMED = ("edges", "csv", "parquet", "arrow")
#: The formats that hold columns of vertices, and those that hold columns of edges.
WITH_VERTEX_COLUMNS = ("graphml", "gexf", "gml", "dot", "pajek", "graph_tool", "ew")
_WITH_COLUMNS = ("csv", "parquet", "arrow", *WITH_VERTEX_COLUMNS)


def read(
    path: str | os.PathLike,
    *,
    format: str | None = None,
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    device: str = "cpu",
    max_bytes: int | None = None,
    vertices: Any = None,
    vertex: str | None = None,
    **options: Any,
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : path
        The file, or a folder of Parquet files, which is one table. A file that ends in ``.gz``,
        ``.bz2``, ``.xz`` or ``.zst`` is decompressed.
    format : str, optional
        A name in ``edgewise.io.READABLE``; by default the suffix determines it.
    columns : sequence, optional
        The columns of the source, the target and optionally the weight: numbers from 0 for edge
        lists, names for CSV, Parquet and Arrow.
    directed : bool, optional
        Whether each line is a directed or an undirected edge. By default the file decides if its
        format can: Matrix Market ``general`` is directed and ``symmetric`` undirected, METIS is
        undirected, DIMACS directed. Edge lists and tables are undirected by default.
    on_bad_line : {"raise", "skip"}
        What to do with a malformed line: raise `FileFormatError`, or skip it. One warning states
        the number of skipped lines.
    device : str
        The device of the graph: ``"cpu"``, ``"cuda"`` or ``"cuda:1"``. The file is read into host
        memory, and the graph is then moved, as by `Graph.to`.
    max_bytes : int, optional
        The maximum size of a compressed file after decompression, in bytes. By default 100 times
        its own size and at least 1 GiB, but at most half of the free memory.
    vertices : path or data frame, optional
        A table with one row per vertex: a CSV file with titles, a Parquet or Arrow file, or a frame
        of pandas, Polars or Arrow. The vertices are the ends of the edges and those in this table,
        as in `Graph.from_pandas`. They keep its columns, or those that ``vertex_columns`` names. A
        vertex that is not in the table has missing values.
    vertex : str, optional
        The column of ``vertices`` with their labels, or ids; by default the first one.
    **options
        The options of the format. Formats that list edges take ``duplicates``, ``self_loops`` and
        ``num_vertices``, as in `Graph.from_edges`. CSV, Parquet, Arrow, GraphML, GEXF, GML, DOT,
        Pajek and graph-tool take ``edge_columns``, all but the first three also
        ``vertex_columns``: True or the names of further columns to keep.

    Returns
    -------
    Graph

    Raises
    ------
    FileFormatError
        If the file is malformed. The message names the file, the line and the reason.
    TypeError
        If the format has no such option.
    DeviceError
        If there is no such device; raised before the file is read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "triangle.txt"
    ...     _ = path.write_text("# three friends\\n0 1 0.5\\n1 2 2\\n0 2 1\\n")
    ...     plain = read(path, columns=(0, 1))
    ...     weighted = read(path, columns=(0, 1, 2), directed=True)
    >>> plain.num_vertices, plain.num_edges, plain.weights is None
    (3, 3, True)
    >>> weighted.directed, weighted.weights.tolist()
    (True, [0.5, 1.0, 2.0])
    """
    check_choice(on_bad_line, "on_bad_line", ("raise", "skip"))
    path = cast(Path, path) if "://" in str(path) else Path(path)
    name = format_of(Path(path), format, place=path)
    if device != "cpu":
        from edgewise.base.cuda.device import device_number

        device_number(device)
    if columns is not None:
        options["columns"] = columns
    if directed is not None:
        options["directed"] = directed
    if on_bad_line != "raise":
        options["on_bad_line"] = on_bad_line
    table = _vertex_table(name, vertices, vertex, options)
    reader = importlib.import_module(READABLE[name].module).read
    options = check_options(reader, "reading", name, path, options)
    with warn_of(path, options), allow_bytes(max_bytes), naming_file(path):
        graph = reader(path, **options)
    if table is not None:
        with allow_bytes(max_bytes):
            graph = table.join(graph)
    return graph.to(device)


def _vertex_table(name: str, vertices: Any, vertex: str | None, options: dict[str, Any]) -> Any:
    """The table of vertices to read too, checked, and its option taken out of the format's."""
    if vertices is None:
        if vertex is not None:
            raise ValueError(f"vertex names a column of vertices, which is not given: {vertex!r}")
        return None
    if name in WITH_VERTEX_COLUMNS:
        raise ValueError(
            f"vertices: {name} files hold columns of vertices themselves; "
            "graph.with_columns(vertices=...) adds others"
        )
    from edgewise.io.vertex_tables import VertexTable

    columns = options.pop("vertex_columns", True)
    table = VertexTable(vertices, vertex, columns)
    table.check(options)
    return table


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """What `Graph.from_edges` refuses names no file; add it."""
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError or str(path) in str(error):
            raise
        raise ValueError(f"{path}: {error}") from error


def write(
    graph: Graph, path: str | os.PathLike, *, format: str | None = None,
    vertices: str | os.PathLike | None = None, **options: Any,
) -> None:  # fmt: skip
    """Write a graph to a file, which appears only once it is complete.

    `read` restores the graph: direction, weights and their type, labels and their order, and
    isolated vertices. If a format has no field for one of these, a comment, a column or the
    metadata of the file holds it. Parts that a format cannot store at all are omitted with a
    warning. If the file would hold another graph, ValueError is raised. ``edgewise.io.FORMATS`` and
    the page "Files" of the documentation list the limits of each format.

    Parameters
    ----------
    graph : Graph
        The graph to write.
    path : path
        The file. A suffix ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` after that of the format
        compresses it.
    format : str, optional
        A name in ``edgewise.io.FORMATS``; by default the suffix determines it.
    vertices : path, optional
        A second file, CSV, Parquet or Arrow, for the vertices: the column ``vertex`` holds labels,
        or ids, and the others are those of ``graph.vertices``. `read` takes it as ``vertices``.
    **options
        The options of the format.

    Warns
    -----
    UserWarning
        If the format cannot store a part of the graph, such as weights in adjacency lists.

    Raises
    ------
    ValueError
        If the format cannot store the graph, such as a directed graph in METIS, or labels that are
        neither all integers nor all strings.
    TypeError
        If the format has no such option.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(graph, Path(folder) / "path.mtx.gz")
    ...     read(Path(folder) / "path.mtx.gz") == graph
    True
    """
    from edgewise.graph.foreign import as_graph
    from edgewise.graph.transfer import check_host

    graph = as_graph(graph)
    check_host(graph, "write")
    name = format_of(Path(path), format, FORMATS)
    writer = importlib.import_module(FORMATS[name].module).write
    options = check_options(writer, "writing", name, Path(path), options)
    columns = graph.columns
    held = vertices is not None and columns is not None and columns.edges is None
    if columns is not None and name not in _WITH_COLUMNS and not held:
        warnings.warn(f"{name} files have no place for columns; .ew files keep them", stacklevel=2)
    with atomic_write(path) as file, _vertices_beside(graph, name, path, vertices):
        writer(graph, file, **options)


@contextmanager
def _vertices_beside(graph: Graph, name: str, path: Any, vertices: Any) -> Iterator[None]:
    """A file of vertices, if one is wanted, that appears if the block ends well."""
    if vertices is None:
        yield
        return
    from edgewise.io.left_out import beside
    from edgewise.io.vertex_tables import check_suffix, write_vertices

    if name in WITH_VERTEX_COLUMNS:
        raise ValueError(f"vertices: {name} files hold columns of vertices themselves")
    suffix = check_suffix(vertices, writing=True)
    if os.path.realpath(path) == os.path.realpath(vertices):
        raise ValueError(f"vertices must be another file than that of the edges, got {vertices}")
    with atomic_write(vertices) as file, beside("vertex columns", "isolated vertices"):
        write_vertices(graph, file, suffix)
        yield


def format_of(
    path: Path,
    name: str | None,
    formats: dict[str, Format] = READABLE,
    *,
    place: Any = None,
) -> str:
    """The name of the format to use for ``path``, which may be a folder where it is read.

    A `.graph` file is METIS's, or WebGraph's if there is a `.properties` file beside it.
    """
    if name is not None:
        return check_choice(name, "format", formats)
    if place is not None and ("://" in str(place) or path.is_dir()):
        return "parquet"
    suffix = plain_suffix(path)
    if formats is READABLE and path.suffix == ".graph" and path.with_suffix(".properties").exists():
        return "webgraph"
    for known, form in formats.items():
        if suffix in form.suffixes:
            return known
    if path.name.startswith("out."):  # as KONECT calls them
        return "edges"
    names = "; ".join(f"{known} ({' '.join(form.suffixes)})" for known, form in formats.items())
    raise ValueError(
        f"cannot tell the format of {path} from its suffix {suffix!r}; pass format=, one of: "
        f"{names}; each may be followed by {' '.join(COMPRESSIONS)}"
    )


def check_options(
    function: Callable[..., Any], doing: str, name: str, path: Path, options: dict[str, Any]
) -> dict[str, Any]:
    """The options, if ``function`` has them all, and the suffix if it asks for it."""
    import inspect

    known = set(list(inspect.signature(function).parameters)[1 if doing == "reading" else 2 :])
    for option in options:
        if option == "memory" and option not in known and doing == "reading":
            raise TypeError(
                f"reading {name} has no option 'memory': edgewise.convert(path, 'graph.ew'"
                f"{', memory=...' * (name in STREAMED)}) makes a file that "
                "edgewise.read('graph.ew', memory=...) maps"
            )
        if option not in known - {"suffix"}:
            has = ", ".join(sorted(known - {"suffix"})) or "none"
            raise TypeError(f"{doing} {name} has no option {option!r}; its options: {has}")
    if "suffix" in known:
        suffix, suffixes = plain_suffix(path), READABLE[name].suffixes
        options["suffix"] = suffix if suffix in suffixes else suffixes[0]
    return options
