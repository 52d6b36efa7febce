"""The layer rule, the thread rule and the size rule: data flows one way, and files stay small.

A module imports only from its own layer or from layers to its left; imports inside functions
count. `distributed` may import `operators` and what is left of it; only `learning` and `cli` import
it. One of its modules reads the table of algorithms, which is data.

Kernels are written in `base`, in the engines and in folders `cpu` and `cuda`; `io` has its own
beside the parsers. Whoever else needs threads goes through `base.parallel`, and algorithms, which
must not know where they run, through operators. A kernel for a whole algorithm stands beside it, in
a folder `cpu` or `cuda` of its family; engines know no algorithm, not even its records.
"""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "edgewise"

LEVEL = {
    "base": 0,
    "graph": 1,
    "generators": 2,
    "io": 2,
    "operators": 3,
    "distributed": 4,
    "linalg": 4,
    "algorithms": 5,
    "apps": 6,
    "nn": 6,
    "learning": 6,
    "networkx": 6,
    "sensing": 6,
    "join": 6,
    "sklearn": 6,
    "dynamic": 6,
    "cli": 6,
}
BARRED = {("algorithms", "io")}
#: Layers that import the grid.
OF_GRIDS = {"distributed", "learning", "cli"}
#: What reads the table of algorithms from its left, and the table: rows that import nothing else.
TABLE, TABLE_READERS = "edgewise.algorithms", {"edgewise.distributed.state_bytes"}
TOP_FILES = {"__init__", "__main__"}  # they gather the public names and start the command line


#: Layers that are engines, or what engines stand on: they write kernels.
ENGINES = {"base", "operators", "distributed"}
#: Modules elsewhere that write kernels, outside of folders for that.
KERNELS_BESIDE = {
    *(
        "edgewise.io.decimal",
        "edgewise.io.graph_tool_file",
        "edgewise.io.lists",
        "edgewise.io.metis",
    ),
    "edgewise.io.networkit_binary",
    *("edgewise.io.parse", "edgewise.io.text", "edgewise.io.webgraph"),
    "edgewise.cli.profile.core_kernels",
}
#: What only writers of kernels import.
COMPILING = ("numba", "edgewise.base.cache", "edgewise.base.cpu", "edgewise.base.cuda.kernels")
#: What algorithms and those to their right must not import of `base`: where work is done.
THREADS = {"cache", "cpu", "cuda", "parallel", "threads", "compiler"}
#: Names by which a graph would tell where it is; `edge_form` says what it can do.
PLACES = {"engine", "block", "grid", "one_device", "__dict__"}
#: What a branch of an algorithm would ask in order to know how a graph runs, and how many may.
ASKING = {"edge_form", "device", "in_reach", "is_small", "leads_near", "fused", "members_at_once",
          "cached_values", "get_threads"}  # fmt: skip
BRANCHES = 12
#: Layers in which modules import one another in one direction only, imports in functions included.
ACYCLIC = {"base", "operators"}
#: Names that modules share though they are no twins: orders and formats are called as users call
#: them, and the others are about the same thing in several layers.
SHARED = {"adjacency", "bfs", "edge_order", "matrix", "monoids", "random", "two_steps"}


def test_kernels_are_written_where_they_belong():
    broken = []
    for path, module in modules():
        layer = module.split(".")[1]
        if layer in ENGINES or of_kernels(module) or module in KERNELS_BESIDE:
            continue
        if layer != "algorithms":  # which the next test looks at
            broken += compiling(path.read_text(), module)
    assert not broken, "\n".join(broken)


def test_algorithms_do_not_know_where_they_run():
    broken = []
    for path, module in modules():
        if module.split(".")[1] == "algorithms" and not of_kernels(module):
            broken += knowing(path.read_text(), module)
    assert not broken, "\n".join(broken)


def test_kernels_of_whole_algorithms_stand_beside_them():
    """Each is called as its algorithm, which asks for it, and names what pays for it: three."""
    found = []
    for path, module in modules():
        beside = path.parents[1] / path.name
        if module.split(".")[1] == "algorithms" and of_kernels(module) and path.stem != "__init__":
            if not beside.exists():
                assert "\nPays for: " not in path.read_text(), f"{module}: beside no algorithm"
                continue  # what such kernels share
            asked = f'fused(graph, __package__, "{path.stem}"'
            assert asked in beside.read_text(), f"{module}: the algorithm does not ask for it"
            assert "\nPays for: " in path.read_text(), f"{module}: names no benchmark"
            found.append(module)
    assert 0 < len(found) <= 3, found


def test_engines_know_no_algorithm():
    """Nor what its records hold: that would be an import in disguise."""
    names, theirs, broken = algorithm_names(), foreign_fields(), []
    for path, module in modules():
        if module.split(".")[1] in ("operators", "distributed"):
            assert path.stem not in names, f"{module} is called as an algorithm"
            broken += reading(path.read_text(), module, theirs)
            broken += untyped(path.read_text(), module) if of_kernels(module) else []
    assert not broken, "\n".join(broken)


def test_few_branches_of_algorithms_ask_how_a_graph_runs():
    found = []
    for path, module in modules():
        if module.split(".")[1] == "algorithms":
            found += asking(path.read_text(), module)
    assert len(found) <= BRANCHES, "\n".join(found)


def test_branches_that_ask_are_found():
    source = "if graph.edge_form or graph.device == 'cpu':\n    many = 8 * members_at_once(graph)"
    assert len(asking(source, "edgewise.algorithms.traversal.bfs")) == 2


def test_every_folder_has_a_layer():
    folders = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    assert folders <= set(LEVEL), "give the new folder its place in LEVEL"


def test_modules_import_only_to_their_left():
    broken = []
    for path, module in modules():
        broken += violations(path.read_text(), module)
    assert not broken, "\n".join(broken)


def test_the_table_of_algorithms_is_data():
    for path, module in modules():
        if path.parent == PACKAGE / "algorithms" and "Algorithm(" in path.read_text():
            found = imported_modules(path.read_text(), module)
            ours = [one for one in found if one.startswith("edgewise")]
            assert all(one.startswith(f"{TABLE}.") and one.endswith("_rows") for one in ours)


def test_files_stay_small():
    large = []
    for path in PACKAGE.rglob("*.py"):
        table = path.parts[-2:] == ("algorithms", "__init__.py")
        plain = "algorithms" in path.parts and not {"cpu", "cuda"} & {*path.parts}
        limit = 200 if plain and not table else 400
        lines = len(path.read_text().splitlines())
        if lines > limit:
            large.append(f"{path.relative_to(ROOT)}: {lines} lines, at most {limit}")
    assert not large, "\n".join(large)


def test_base_and_operators_have_no_import_cycles():
    """A module imports nothing that imports it, not even inside a function."""
    graph = {}
    for path, module in modules():
        if module.split(".")[1] in ACYCLIC:
            name = module.removesuffix(".__init__")
            graph[name] = imported_modules(path.read_text(), module) - {name}
    assert cycles(graph) == []


def test_cycles_are_found():
    source = "def f():\n    from edgewise.base.cache import kernel\n    from . import forks"
    assert imported_modules(source, "edgewise.base.threads") == {
        *("edgewise.base.cache", "edgewise.base.forks")
    }
    assert cycles({"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": {"x"}}) == [["b", "c"]]


def test_a_name_says_which_module_it_is():
    """Only twins share a name: of engines, of the grid and its layers, of the command line."""
    homes: dict[str, set[str]] = {}
    for path, module in modules():
        if path.stem != "__init__" and path.stem not in SHARED:
            homes.setdefault(path.stem, set()).add(home(module))
    shared = {stem: found for stem, found in homes.items() if len(found - {"anywhere"}) > 1}
    assert not shared, shared


@pytest.mark.parametrize(
    "source",
    [
        "from edgewise.base.cache import inner",
        "from edgewise.base.cpu.sort import sort",
        "import edgewise.base.threads",
        "from edgewise.base import threads",
        "import numba",
        "def f(graph):\n    return graph.engine == 'local'",
    ],
)
def test_what_algorithms_must_not_know_is_caught(source):
    assert knowing(source, "edgewise.algorithms.traversal.bfs")


def test_records_of_algorithms_in_engines_are_caught():
    theirs = foreign_fields()
    assert {"coloring", "sibling"} <= theirs
    source = "def f(graph, rules, forest):\n    return rules.coloring, forest.sibling, graph.xp"
    assert len(reading(source, "edgewise.operators.cpu.moving", theirs)) == 2
    source = "def moving(graph, at: Any, label: Any):\n    return at.sums, label.dtype, graph.xp"
    assert len(untyped(source, "edgewise.operators.cpu.moving")) == 1


def test_kernels_elsewhere_are_caught():
    for source in ("from numba import njit", "from edgewise.base.cache import kernel"):
        assert compiling(source, "edgewise.graph.build")
    allowed = "from edgewise.base.parallel import launch\nfrom edgewise.base.cuda import device"
    assert not compiling(allowed, "edgewise.graph.build")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("edgewise.graph.build", "import edgewise.io"),
        ("edgewise.graph.build", "from edgewise.algorithms.traversal import bfs"),
        ("edgewise.graph.build", "from edgewise import cli"),
        ("edgewise.graph.build", "from ..operators import advance"),
        ("edgewise.graph.build", "def f():\n    from edgewise.operators.cpu import advance"),
        ("edgewise.base.threads", "from edgewise import Graph"),
        ("edgewise.base.threads", "import edgewise"),
        ("edgewise.algorithms.traversal.bfs", "from edgewise.io import read"),
        ("edgewise.algorithms.traversal.bfs", "import edgewise.distributed.grid"),
        ("edgewise.generators.__init__", "from ..operators import advance"),
        ("edgewise.io.text", "from importlib import import_module\nimport_module('edgewise.cli')"),
    ],
)
def test_violations_are_caught(module, source):
    assert violations(source, module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("edgewise.graph.build", "from edgewise.base.errors import FileFormatError"),
        ("edgewise.graph.build", "from .labels import Labels"),
        ("edgewise.graph.build", "import edgewise.base, numpy"),
        ("edgewise.generators.__init__", "from .rmat import rmat"),
        ("edgewise.cli.run", "from edgewise import io, algorithms"),
        ("edgewise.io.text", "import networkx"),
        ("edgewise.io.text", "from edgewise import __version__"),
    ],
)
def test_allowed_imports_pass(module, source):
    assert not violations(source, module)


def modules() -> list[tuple[Path, str]]:
    """Every module of the package but the top ones: its file and its name."""
    paths = [
        path
        for path in PACKAGE.rglob("*.py")
        if path.parent != PACKAGE or path.stem not in TOP_FILES
    ]
    return [(path, ".".join(path.relative_to(ROOT).with_suffix("").parts)) for path in paths]


def of_kernels(module: str) -> bool:
    """Does a module stand in a folder for kernels?"""
    return bool({"cpu", "cuda"} & {*module.split(".")})


def imported_modules(source: str, module: str) -> set[str]:
    """The modules that a source imports anywhere: of ``from package import name``, the name's."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        for base in imported(node, module):
            names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            inside = {
                name for name in names if (ROOT / base.replace(".", "/") / f"{name}.py").exists()
            }
            found |= {f"{base}.{name}" for name in inside}
            if not names or inside != {*names}:
                found.add(base)
    return found


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of names that can reach one another, each in order."""
    below = {name: {name} for name in graph}
    changed = True
    while changed:
        changed = False
        for name, near in graph.items():
            more = set().union(*(below.get(one, set()) for one in near)) - below[name]
            below[name] |= more
            changed |= bool(more)
    groups = {
        tuple(sorted(other for other in below[name] if name in below[other])) for name in graph
    }
    return sorted([*group] for group in groups if len(group) > 1)


def home(module: str) -> str:
    """Where a module stands, but for the engine: the same for twins."""
    layer, *folders = [one for one in module.split(".")[1:-1] if one not in ("cpu", "cuda")]
    if layer == "cli":  # a command is called as what it calls, and each report has the same parts
        return "anywhere"
    if layer == "distributed":  # the twins of other layers' modules
        return "anywhere"
    return ".".join([layer, *folders])


def algorithm_names() -> set[str]:
    """The modules of the table of algorithms."""
    from edgewise.algorithms import ALGORITHMS

    return {row.module.rpartition(".")[2] for row in ALGORITHMS.values()} - {"degree", "hubs"}


def foreign_fields() -> set[str]:
    """The fields of algorithms' records that nothing to their left has, whatever its class."""
    theirs, known = set(), {*dir(np.ndarray), *dir(np)}
    for path, module in modules():
        level = LEVEL[module.split(".")[1]]
        for node in ast.walk(ast.parse(path.read_text())):
            if level < LEVEL["algorithms"]:
                known |= defined(node)
            elif module.split(".")[1] == "algorithms" and isinstance(node, ast.ClassDef):
                theirs |= {
                    field.target.id
                    for field in node.body
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
                }
    return theirs - known


def defined(node: ast.AST) -> set[str]:
    """What a node makes an attribute of something: a member of a class, or of a module."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    targets = node.targets if isinstance(node, ast.Assign) else []
    flat = [one for target in targets for one in getattr(target, "elts", [target])]
    return {one.attr for one in flat if isinstance(one, ast.Attribute)} | {
        one.id for one in flat if isinstance(one, ast.Name) and one.id.isupper()
    }


def reading(source: str, module: str, fields: set[str]) -> list[str]:
    """The lines of ``source`` that read one of these fields, of anything but a module."""
    tree = ast.parse(source)
    aliases = [one for node in ast.walk(tree) for one in getattr(node, "names", ())]
    imported = {one.asname or one.name for one in aliases if isinstance(one, ast.alias)}
    return [
        f"{module}, line {node.lineno}: reads .{node.attr}, a field of an algorithm's record"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in fields
        and getattr(node.value, "id", "") not in imported
    ]


def untyped(source: str, module: str) -> list[str]:
    """The lines at which an engine's entry reads a record whose type it does not name."""
    found = []
    for entry in ast.parse(source).body:
        if not isinstance(entry, ast.FunctionDef) or entry.name != module.rpartition(".")[2]:
            continue
        given = {
            one.arg
            for one in (*entry.args.args, *entry.args.kwonlyargs)
            if one.annotation is None or ast.unparse(one.annotation) == "Any"
        } - {"graph", "request", "rows"}
        found += [
            f"{module}, line {node.lineno}: reads {node.value.id}.{node.attr}, of what record?"
            for node in ast.walk(entry)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in given
            and not hasattr(np.ndarray, node.attr)
        ]
    return found


def compiling(source: str, module: str) -> list[str]:
    """The lines of ``source`` that import what takes a kernel to use."""
    found = []
    for node in ast.walk(ast.parse(source)):
        for name in imported(node, module):
            if any(name == one or name.startswith(f"{one}.") for one in COMPILING):
                known = getattr(node, "names", ())
                if name != "edgewise.base.cache" or {one.name for one in known} & {
                    *("kernel", "helper", "inner", "inlined")
                }:
                    found.append(f"{module}, line {node.lineno}: imports {name}")
    return found


def knowing(source: str, module: str) -> list[str]:
    """The lines of an algorithm's ``source`` that are about threads, devices or places."""
    found = []
    for node in ast.walk(ast.parse(source)):
        for name in imported(node, module):
            parts, names = name.split("."), {one.name for one in getattr(node, "names", ())}
            if name == "edgewise.base.parallel" and names == {"sort"}:
                continue  # of an array in host memory: that is no loop of one's own
            base = parts[:2] == ["edgewise", "base"]
            if parts[0] == "numba" or (base and {*parts[2:], *names} & THREADS):
                found.append(f"{module}, line {node.lineno}: imports {name}")
        if isinstance(node, ast.Attribute) and node.attr in PLACES and is_graph(node.value):
            found.append(f"{module}, line {node.lineno}: asks for graph.{node.attr}")
    return found


def asking(source: str, module: str) -> list[str]:
    """Where conditions of ``source`` ask how a graph runs."""
    conditions: list[ast.AST] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            conditions.append(node.test)
        elif isinstance(node, (ast.BoolOp, ast.Compare)):
            conditions.append(node)
    found = {}
    for node in (inner for one in conditions for inner in ast.walk(one)):
        name = getattr(node, "attr", getattr(node, "id", None))
        if isinstance(node, (ast.Attribute, ast.Name)) and name in ASKING:
            found[node.lineno, node.col_offset] = f"{module}, line {node.lineno}: asks for {name}"
    return [*found.values()]


def is_graph(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "graph"


def violations(source: str, module: str) -> list[str]:
    """The lines of ``source`` that import what the layer of ``module`` may not see."""
    own = module.split(".")[1]
    found = []
    for node in ast.walk(ast.parse(source)):
        for name in imported(node, module):
            parts = name.split(".")
            if parts[0] != "edgewise":
                continue
            layer = parts[1] if len(parts) > 1 else "edgewise"
            if layer == "__version__":
                continue
            if name == TABLE and module in TABLE_READERS:
                continue
            beyond = layer == "distributed" and own not in OF_GRIDS
            if beyond or layer not in LEVEL or LEVEL[layer] > LEVEL[own] or (own, layer) in BARRED:
                found.append(f"{module}, line {node.lineno}: imports {name}")
    return found


def imported(node: ast.AST, module: str) -> list[str]:
    """The full names that one statement or `import_module` call imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            start = ".".join(module.split(".")[: -node.level])
            base = f"{start}.{base}" if base else start
        if base == "edgewise":
            return [f"edgewise.{alias.name}" for alias in node.names]
        return [base]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ("import_module", "__import__"):
            return [str(node.args[0].value)]
    return []


def test_few_functions_have_many_positional_parameters():
    long = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and "cli" not in path.parts:
                count = len(node.args.posonlyargs) + len(node.args.args)
                if count > 10:
                    long.append(f"{path.relative_to(ROOT)}: {node.name} has {count}")
    assert len(long) <= 9, "pass records (NamedTuples) instead:\n" + "\n".join(sorted(long))
