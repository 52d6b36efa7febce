"""One name for one thing: rules over the parameters and names that are public."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections import defaultdict

import pytest

import edgewise
from edgewise.algorithms import ALGORITHMS
from edgewise.generators import GENERATORS

FUNCTIONS = {name: row.load() for name, row in ALGORITHMS.items()}
FUNCTIONS |= {f"generators.{name}": row.load() for name, row in GENERATORS.items()}

#: Parameters that were called otherwise, or had a second meaning.
GONE = {
    *("iterations", "rounds", "max_rounds", "max_levels", "trials", "count", "estimated", "limit"),
    *("max_memory", "batch", "batches", "leaf", "seeds", "starts", "user", "goal", "measure"),
    *("disconnected", "on_damage", "loops", "values", "new_ids", "order", "devices", "colouring"),
    *("share", "deviation", "least", "degree", "gammas", "largest", "normalize", "recovery"),
    *("incubation", "truth", "average", "members", "how"),
}

#: Defaults that differ because the functions do, and why.
OTHER_DEFAULTS = {
    "weights",  # as the function of NetworkX that has the name
    "k",  # a number of vertices, of hops, or the size of cliques
    "alpha",  # None in Katz centrality: below the inverse of the largest eigenvalue
    "max_iter",  # by how fast each method converges
    "tol",  # by how exact each method is
    "method",  # what there is to choose from
    "objective",  # of communities, or of sensors
    "runs",  # by how much one run costs
    "epsilon",  # by the guarantee of each method
    "delta",  # a step of sssp, or a probability of failure
    "normalized",  # of centralities; not of spectra, as in NetworkX
    "fraction",  # of pairs of vertices, or of those that take part
    "order",  # of colorings; one method of distance_2 takes none
    "metric",  # of vertices, or of an order
    "memory",  # a table that must fit, or samples that may
    "induced",  # as the literature counts motifs, and matches patterns
}


def parameters():
    for name, function in FUNCTIONS.items():
        for one in inspect.signature(function).parameters.values():
            yield name, one


def test_no_parameter_has_an_old_name():
    kept = {("generators.mycielskian", "iterations")}
    kept |= {(name, "order") for name in FUNCTIONS if name.startswith("coloring.")}  # a word
    assert {(name, one.name) for name, one in parameters() if one.name in GONE} <= kept


def test_a_parameter_has_one_default():
    found = defaultdict(lambda: defaultdict(list))
    for name, one in parameters():
        if name in ALGORITHMS and one.default is not one.empty:
            found[one.name][repr(one.default)].append(name)
    several = {name: dict(values) for name, values in found.items() if len(values) > 1}
    left = {name: values for name, values in several.items() if name not in OTHER_DEFAULTS}
    assert not left


#: Types that differ because the functions do, and why.
OTHER_TYPES = {
    ("fraction", "ordering.refine"),  # also "auto"
    ("model", "influence.maximize"),  # also a function that rates seeds
}


def test_a_parameter_has_one_type():
    """Only None may be added: where it means that the function chooses."""
    found = defaultdict(lambda: defaultdict(list))
    for name, one in parameters():
        if name in ALGORITHMS and one.name != "graph" and (one.name, name) not in OTHER_TYPES:
            found[one.name][str(one.annotation).removesuffix(" | None")].append(name)
    assert not {name: dict(kinds) for name, kinds in found.items() if len(kinds) > 1}


def test_counts_and_caps_say_so():
    for name, one in parameters():
        assert not re.match(r"(number|count)(_of_|$)|maximum_|most(_|$)|limit$", one.name), (
            name,
            one.name,
        )


HOMES = ["", "apps", "coloring", "communities", "dynamic", "generators", "influence", "join",
         "learning", "linalg", "matching", "nn", "ordering", "partitioning", "sensing",
         "similarity"]  # fmt: skip


@pytest.mark.parametrize("home", HOMES)
def test_public_names_are_american(home):
    module = getattr(edgewise, home) if home else edgewise
    for name in module.__all__:
        assert not re.search(r"colour|neighbour|labell|modell|centre|behaviour|[^l]ise$", name), (
            name
        )
        function = getattr(module, name)
        if inspect.isfunction(function):
            for one in inspect.signature(function).parameters:
                assert not re.search(r"colour|neighbour|labell|modell|centre", one), (name, one)


def test_nothing_hides_a_builtin():
    assert not {*edgewise.__all__} & {*dir(builtins)}
    assert not {*edgewise.__all__} & {*sys.stdlib_module_names} - {"io"}
    assert edgewise.filter and edgewise.random  # still there by name
