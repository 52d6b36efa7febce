"""The table of generators, as the command line reads it; and the same graph on any team."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from edgewise import generators
from edgewise.base.threads import threads
from edgewise.generators import GENERATORS, Planted
from edgewise.graph import Graph

ROOT = Path(__file__).resolve().parents[2]
SIMPLE = {"int", "float", "str", "bool", "float | None", "str | None"}

SMALL = {
    "rmat": {"scale": 5},
    "urand": {"scale": 5},
    "gnm_random": {"n": 10, "m": 20},
    "gnp_random": {"n": 10, "p": 0.5},
    "random_bipartite": {"left": 5, "right": 6, "m": 12},
    "grid_2d": {"rows": 3, "columns": 4},
    "grid_3d": {"rows": 3, "columns": 4, "layers": 2},
    "triangular_mesh": {"rows": 3, "columns": 4},
    "road": {"rows": 5, "columns": 6},
    "random_geometric": {"n": 50, "average_degree": 5},
    "random_hyperbolic": {"n": 50, "average_degree": 5},
    "planted_coloring": {"n": 50, "k": 3, "average_degree": 5},
    "kneser": {"n": 6, "k": 2},
    "banded": {"n": 7, "width": 2},
    "planted_partition": {"blocks": 3, "size": 10, "p_in": 0.5, "p_out": 0.1},
    "lfr_benchmark": {"n": 500},
    "barabasi_albert": {"n": 30, "m": 2},
    "watts_strogatz": {"n": 30, "k": 4},
    "waxman": {"n": 50},
    "random_regular": {"n": 10, "d": 3},
    "navigable_small_world": {"n": 5},
    "mycielski": {"k": 4},
    "complete_bipartite": {"left": 2, "right": 3},
    "turan": {"n": 6, "r": 2},
    "star": {"leaves": 3},
    "barbell": {"bell": 3, "bar": 2},
    "lollipop": {"candy": 3, "stick": 2},
    "balanced_tree": {"branching": 2, "height": 3},
    "hypercube": {"dimension": 3},
    "petersen": {},
    "karate_club": {},
    "named": {"name": "bull"},
}

#: Large enough that a team of threads is used.
LARGE = {
    "rmat": {"scale": 12},
    "urand": {"scale": 12},
    "gnm_random": {"n": 5000, "m": 60000},
    "gnp_random": {"n": 5000, "p": 0.005},
    "random_bipartite": {"left": 3000, "right": 2000, "m": 60000},
    "triangular_mesh": {"rows": 150, "columns": 200, "diagonals": "random"},
    "road": {"rows": 150, "columns": 200},
    "random_geometric": {"n": 30000, "average_degree": 6.0, "weights": "length"},
    "random_hyperbolic": {"n": 20000, "average_degree": 8.0},
    "planted_coloring": {"n": 20000, "k": 7, "average_degree": 6.0},
    "planted_partition": {"blocks": 20, "size": 300, "p_in": 0.05, "p_out": 0.001},
    "lfr_benchmark": {"n": 5000},
    "barabasi_albert": {"n": 20000, "m": 3},
    "watts_strogatz": {"n": 10000, "k": 8, "p": 0.5},
    "navigable_small_world": {"n": 150, "q": 2},
    "waxman": {"n": 20000, "alpha": 0.01},
    "random_regular": {"n": 10000, "d": 6},
    "random_labeled_tree": {"n": 30000},
}

#: Generators that take arrays or graphs, so that no command line calls them.
BY_ARRAYS = {
    "configuration_model",
    "expected_degree",
    "mycielskian",
    "stochastic_block_model",
    "stochastic_kronecker",
}


def graph_of(made):
    return made.graph if isinstance(made, Planted) else made


@pytest.mark.parametrize("name", GENERATORS)
def test_entry_makes_a_sound_graph(name):
    row = GENERATORS[name]
    assert row.name == name
    assert row.load() is getattr(generators, name)
    made = row.load()(**SMALL.get(name, {"n": 7}))
    assert isinstance(made, {"graph": Graph, "planted": Planted}[row.returns])
    graph = graph_of(made)
    assert graph.num_vertices > 0
    assert graph.indices.dtype == np.int32
    for v in range(graph.num_vertices):
        neighbors = graph.indices[graph.indptr[v] : graph.indptr[v + 1]]
        assert (np.diff(neighbors) > 0).all()
    if isinstance(made, Planted):
        assert made.communities.shape == (graph.num_vertices,)
        assert set(made.communities.tolist()) == set(range(made.communities.max() + 1))


@pytest.mark.parametrize("name", GENERATORS)
def test_signature_suits_a_command_line(name):
    function = GENERATORS[name].load()
    parameters = inspect.signature(function).parameters.values()
    positional = [p for p in parameters if p.kind is not p.KEYWORD_ONLY]
    assert len(positional) <= 2
    assert {p.annotation for p in parameters} <= SIMPLE
    for p in parameters:
        if p.name == "seed":
            assert (p.annotation, p.default, p.kind) == ("int", 0, p.KEYWORD_ONLY)
    assert function.__doc__.partition("\n")[0].endswith(".")


def test_every_generator_of_simple_parameters_is_in_the_table():
    functions = {
        name
        for name in generators.__all__
        if inspect.isfunction(getattr(generators, name))
        and inspect.signature(getattr(generators, name)).return_annotation in ("Graph", "Planted")
    }
    assert functions - set(GENERATORS) == {*BY_ARRAYS, "random_weights"}
    assert set(GENERATORS) <= functions


def test_parameters_in_one_line():
    assert GENERATORS["gnm_random"].parameters == "n, m, *, directed=False, seed=0"
    assert GENERATORS["petersen"].parameters == ""


def test_loading_the_table_loads_no_compiler():
    code = "import sys, edgewise.generators; print({'numba', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr


@pytest.mark.parametrize("name", LARGE)
def test_same_graph_for_any_number_of_threads(name):
    made = []
    for team in (1, 2, 3):
        with threads(team):
            made.append(GENERATORS[name].load()(**LARGE[name], seed=7))
    first = graph_of(made[0])
    for other in made[1:]:
        graph = graph_of(other)
        assert np.array_equal(graph.indptr, first.indptr)
        assert np.array_equal(graph.indices, first.indices)
        assert (graph.weights is None) == (first.weights is None)
        if first.weights is not None:
            assert graph.weights.tobytes() == first.weights.tobytes()
        if isinstance(other, Planted):
            assert np.array_equal(other.communities, made[0].communities)


@pytest.mark.parametrize("name", LARGE)
def test_seed_changes_the_graph(name):
    function = GENERATORS[name].load()
    one, two = (graph_of(function(**LARGE[name], seed=seed)) for seed in (1, -1))
    assert one != two


def test_same_weights_for_any_number_of_threads():
    graph = generators.rmat(12)
    made = []
    for team in (1, 2, 3):
        with threads(team):
            made.append(generators.random_weights(graph, "normal", seed=3).weights.tobytes())
    assert len(set(made)) == 1


def test_documentation_has_one_running_example_of_every_generator():
    page = (ROOT / "docs" / "guides" / "generators.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| `(.+)` \|$", page, re.MULTILINE)
    assert {name for name, _ in rows} == {*GENERATORS, *BY_ARRAYS}
    for name, example in rows:
        assert example.startswith(f"{name}(")
        made = eval(example, vars(generators).copy())
        assert graph_of(made).num_vertices > 0
