"""Edgewise: large-scale graph analytics in plain Python at hand-written speed.

>>> import edgewise as ew
>>> graph = ew.Graph.from_edges([0, 1, 2], [1, 2, 3])
>>> ew.bfs(graph, 0).distance.tolist()
[0, 1, 2, 3]

The public names load at their first use (PEP 562), so ``import edgewise`` loads neither Numba nor
any other large library. ``__init__.pyi`` tells type checkers about the same names; `make generate`
writes it.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

import edgewise.base.forks  # noqa: F401  (forks wait for what is being loaded)

__version__ = "0.1.0"

#: Where each public name lives, beside the table of algorithms; an empty tuple says that the
#: module itself is the public name.
_HOME = {
    "edgewise.graph": ("Contraction", "Graph"),
    "edgewise.apps": (),
    "edgewise.cli.profile.graph_profile": ("Profile", "profile"),
    "edgewise.sklearn": (),
    "edgewise.sensing": (),
    "edgewise.join": (),
    "edgewise.linalg": (),
    "edgewise.nn": (),
    "edgewise.dynamic": (),
    "edgewise.learning": (),
    "edgewise.generators": (),
    "edgewise.io": ("read", "write"),
    "edgewise.io.converting": ("convert",),
    "edgewise.base.atomic": (),
    "edgewise.base.check_bounds": ("check_bounds",),
    "edgewise.base.errors": ("CompileError", "ConvergenceError", "DeviceError", "FileFormatError"),
    "edgewise.base.random": (),
    "edgewise.base.observe": ("Trace", "observe"),
    "edgewise.base.progress": ("progress",),
    "edgewise.base.threads": ("get_threads", "set_threads", "threads"),
    "edgewise.operators": (
        "ADD",
        "AND",
        "ANY",
        "ARGMAX",
        "ARGMIN",
        "MAX",
        "MIN",
        "OR",
        "Cover",
        "Frontier",
        "Monoid",
        "Sample",
        "Sets",
        "advance",
        "compute",
        "cover",
        "deliver",
        "explore",
        "filter",
        "for_each",
        "for_rows",
        "frontier",
        "intersect",
        "look_up",
        "mark_duplicates",
        "multisplit",
        "propagate",
        "reach",
        "reduce_all",
        "reduce_neighbors",
        "sample",
        "settle",
        "sweep",
        "take",
        "unwind",
    ),
    "edgewise.distributed.cluster": ("cluster",),
    "edgewise.algorithms.partition": ("Components",),
    "edgewise.algorithms.cliques.maximal_cliques": ("Cliques", "iter_maximal_cliques"),
    "edgewise.algorithms.components.is_bipartite": ("Bipartition",),
    "edgewise.algorithms.distances.sampled_mean": ("SampledMean",),
    "edgewise.algorithms.flows.maximum_flow": ("MaximumFlow", "MinimumCut"),
    "edgewise.algorithms.patterns.queries": (
        "QueryMatches",
        "iter_query_matches",
        "query_match_count",
        "query_matches",
    ),
    "edgewise.algorithms.ranking.scores": ("Scores",),
    "edgewise.algorithms.traversal.k_hop_neighborhood": ("Neighborhoods",),
    "edgewise.algorithms.traversal.paths": ("Paths",),
    "edgewise.algorithms.traversal.path_list": ("PathList",),
    "edgewise.algorithms.walks.learning": ("SkipGramPairs", "skip_gram", "walk_batches"),
}

#: Reachable, but not for ``import *``: they would hide a builtin and modules of Python's.
_HIDING = {"filter", "profile", "random"}
#: Made from the table of algorithms at their first use, see `_fill`.
_FILLED = {"ALGORITHMS", "_MODULES", "_NAMES", "__all__"}


def __getattr__(name: str):
    if "_NAMES" not in globals():
        _fill()
    tables = globals()
    if name in _FILLED:
        return tables[name]
    if name in tables["_NAMES"]:
        value = getattr(import_module(tables["_NAMES"][name]), name)
    elif name in tables["_MODULES"]:
        value = import_module(tables["_MODULES"][name])
    else:
        from edgewise.base.hints import module_hint

        hint = module_hint(name, names=tables["__all__"])
        raise AttributeError(f"module 'edgewise' has no attribute {name!r}{hint}")
    tables[name] = value
    return value


def _fill() -> None:
    """Set where each public name and module lives, and ``__all__``."""
    from edgewise.algorithms import ALGORITHMS

    modules = {home.rpartition(".")[2]: home for home, names in _HOME.items() if not names} | {
        row.family: f"edgewise.algorithms.{row.family}"
        for row in ALGORITHMS.values()
        if "." in row.name  # families that are public as modules
    }
    modules["nx"] = "edgewise.networkx"
    names = {name: home for home, names in _HOME.items() for name in names} | {
        row.name: f"edgewise.algorithms.{row.module}"
        for row in ALGORITHMS.values()
        if "." not in row.name  # matching.suitor is found in edgewise.matching
    }
    public = sorted({*modules, *names} - _HIDING)
    globals().update(ALGORITHMS=ALGORITHMS, _MODULES=modules, _NAMES=names, __all__=public)


def __dir__() -> list[str]:
    return sorted([*__getattr__("__all__"), *_HIDING, "__version__"])


class _Aliases:
    """Lets ``import edgewise.matching`` find the module where it lives."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        package, _, name = fullname.partition(".")
        if package != "edgewise":
            return None
        home = __getattr__("_MODULES").get(name)
        if home in (None, fullname):
            return None
        return ModuleSpec(fullname, _Aliases, loader_state=home)

    @staticmethod
    def create_module(spec):
        module = import_module(spec.loader_state)
        spec.loader_state = module.__spec__  # the import system puts ``spec`` in its place
        return module

    @staticmethod
    def exec_module(module):
        module.__spec__ = module.__spec__.loader_state


class _Inner:
    """Lets ``import edgewise.matching.greedy`` find the module that its home has loaded."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        if not fullname.startswith("edgewise."):
            return None
        parent, _, name = fullname.rpartition(".")
        home = sys.modules[parent].__name__
        if home == parent:
            return None
        return ModuleSpec(fullname, _Aliases, loader_state=f"{home}.{name}")


sys.meta_path.insert(0, _Inner)  # before the finder of files, which would load them twice
sys.meta_path.append(_Aliases)  # after it: it finds modules that live under their own names
