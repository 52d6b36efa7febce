"""Which calls run where: reasons, sizes, settings, `explain`, the entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

import edgewise as ew
from benchmarks.script_times import register
from edgewise.networkx import choosing, shortcut
from edgewise.networkx.dispatch import backend

ROOT = Path(__file__).resolve().parents[2]


def test_can_run_gives_reasons():
    graph, arcs = nx.path_graph(4), nx.DiGraph([(0, 1)])
    assert backend.can_run("pagerank", (graph,), {}) is True
    assert backend.can_run("pagerank", (graph,), {"weight": len}) == "weight is a function"
    assert backend.can_run("pagerank", (graph,), {"nstart": {}}) is True
    assert backend.can_run("pagerank", (graph,), {"nstart": {0: 1}}) == "nstart is given"
    assert backend.can_run("core_number", (arcs,), {}) == "the graph is directed"
    parallel = nx.MultiGraph(graph)
    assert "multigraph" in backend.can_run("edge_betweenness_centrality", (parallel,), {})
    assert "few nodes" in backend.can_run("has_path", (graph, 0, 1), {})
    assert backend.can_run("has_path", (nx.path_graph(4, backend="edgewise"), 0, 1), {}) is True
    assert "random" in backend.can_run("rich_club_coefficient", (graph,), {})
    assert backend.can_run("k_edge_components", (graph, 2), {}) is True
    assert "greater" in backend.can_run("k_edge_components", (graph, 3), {})
    assert "nodes are given" in backend.can_run("path_graph", ([1, 2],), {})


def test_older_versions_are_refused(monkeypatch):
    monkeypatch.setattr(choosing, "_IS_OLD", True)
    assert "3.6" in backend.can_run("pagerank", (nx.path_graph(4),), {})


def test_should_run_knows_sizes():
    nx.is_connected(nx.path_graph(4), backend="edgewise")  # Numba is loaded
    small, large = nx.path_graph(10), nx.path_graph(300_000)
    assert "small" in backend.should_run("pagerank", (small,), {})
    assert "in NetworkX" in backend.should_run("connected_components", (nx.path_graph(5000),), {})
    assert backend.should_run("pagerank", (large,), {}) is True
    assert backend.should_run("betweenness_centrality", (nx.path_graph(5000),), {}) is True
    assert "few nodes" in backend.should_run("shortest_path", (large, 0, 5), {})
    assert "few nodes" in backend.should_run("ego_graph", (large, 0), {})
    assert backend.should_run("shortest_path", (nx.path_graph(3000),), {"source": None}) is True
    hub = nx.star_graph(5000)  # few edges, many pairs of neighbors
    assert backend.should_run("clustering", (hub,), {}) is True
    assert "in NetworkX" in backend.should_run("core_number", (hub,), {})
    some = nx.path_graph(3000)
    assert backend.should_run("betweenness_centrality", (some,), {}) is True
    assert (
        backend.should_run("betweenness_centrality", (nx.path_graph(3000),), {"k": 1}) is not True
    )
    nx.config.backends.edgewise.always = True
    try:
        assert backend.should_run("pagerank", (small,), {}) is True
    finally:
        nx.config.backends.edgewise.always = False
    assert "pagerank" in repr(ew.nx.explain())


def test_first_calls_need_larger_graphs(monkeypatch):
    graph = nx.path_graph(100_000)
    loaded = {name: one for name, one in sys.modules.items() if name != "numba"}
    monkeypatch.setattr(choosing.sys, "modules", loaded)
    assert "in NetworkX" in backend.should_run("connected_components", (graph,), {})


def test_many_calls_pay_for_conversion():
    nx.is_connected(nx.path_graph(4), backend="edgewise")  # its kernels are loaded
    graph = nx.path_graph(20_000)
    answers = [backend.should_run("connected_components", (graph,), {}) for _ in range(200)]
    assert answers[0] is not True and True in answers
    graph.add_edge(0, 5)
    assert backend.should_run("connected_components", (graph,), {}) is not True
    dense = nx.DiGraph((u, v) for v in range(1500) for u in range(max(v - 10, 0), v))
    assert backend.should_run("strongly_connected_components", (dense,), {}) is not True


def test_explain_tells_what_ran_where():
    graph = nx.path_graph(4)
    nx.pagerank(graph, backend="edgewise")
    with nx.config.backend_priority(algos=["edgewise"]):
        nx.pagerank(graph)
        nx.is_planar(graph)
    ran = [(one.function, one.ran) for one in ew.nx.explain(50)]
    assert ("pagerank", "edgewise") in ran and ("pagerank", "networkx") in ran
    assert ("is_planar", "networkx") in ran
    text = str(ew.nx.explain())
    assert "Edgewise has no such function" in text and "4 nodes" in text
    assert len(ew.nx.explain(2)) == 2


def test_settings_are_used():
    graph = nx.path_graph(50)
    settings, seen = nx.config.backends.edgewise, []
    assert (settings.device, settings.threads, settings.always) == ("cpu", None, False)
    settings.threads = 1
    try:
        with ew.observe(lambda *args, **facts: seen.append(ew.get_threads())):
            nx.pagerank(graph, backend="edgewise")
    finally:
        settings.threads = None
    assert {*seen} == {1}
    settings.device = "no such device"
    try:
        with pytest.raises((ValueError, NotImplementedError, ew.DeviceError)):
            nx.pagerank(graph, backend="edgewise")
    finally:
        settings.device = "cpu"
    with pytest.raises(AttributeError):
        settings.colour = "red"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An environment in which NetworkX finds the entry points."""
    folder = tmp_path_factory.mktemp("installed")
    register(folder)
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}


def run(code, environment, **more):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=environment | more,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_networkx_finds_the_backend_and_loads_nothing(installed):
    code = (
        "import sys, networkx as nx\n"
        "print('edgewise' in nx.utils.backends.backends, 'edgewise' in sys.modules, "
        "'numba' in sys.modules, 'numpy' in sys.modules, nx.config.backends.edgewise.device)"
    )
    assert run(code, installed) == "True False False False cpu"


def test_questions_about_small_graphs_load_neither_numba_nor_numpy(installed):
    code = (
        "import sys, networkx as nx\n"
        "nx.config.backend_priority.algos = ['edgewise']\n"
        "nx.core_number(nx.karate_club_graph())\n"
        "import edgewise as ew\n"
        "print([one for one in ('numba', 'numpy') if one in sys.modules])\n"
        "print(ew.nx.explain(1)[0].ran)"
    )
    assert run(code, installed) == "[]\nnetworkx"


def test_one_switch_configures_networkx(installed):
    code = (
        "import networkx as nx\n"
        "c = nx.config\n"
        "nx.is_empty(nx.Graph())\n"
        "print(c.backend_priority.algos, c.backend_priority.get('k_core'), c.fallback_to_nx, "
        "c.backend_priority.generators, c.warnings_to_ignore)"
    )
    told = run(code, installed, NX_EDGEWISE_AUTOCONFIG="True")
    assert told == "['edgewise'] ['edgewise'] True [] {'cache'}"
    assert run(code, installed) == "[] None False [] set()"
    own = {"NX_EDGEWISE_AUTOCONFIG": "1", "NETWORKX_BACKEND_PRIORITY": "networkx"}
    assert run(code, installed, **own).startswith("['networkx']")


FIRST_CALLS = ("line_graph(G)", "complement(G)", "k_truss(G, 2)", "minimum_spanning_tree(G)",
               "transitive_closure(nx.DiGraph(G))", "relabel_nodes(G, {0: 9})")  # fmt: skip


@pytest.mark.parametrize("call", FIRST_CALLS)
def test_the_first_call_may_return_a_graph(installed, call):
    code = (
        "import sys, networkx as nx\n"
        "nx.config.backends.edgewise.always = True\n"
        "G = nx.path_graph(4)\n"
        "print('edgewise' in sys.modules, 'numba' in sys.modules)\n"
        f"nx.{call}\n"
        "import edgewise as ew\n"
        "print([one[:2] for one in ew.nx.explain()])\n"
    )
    where = "networkx" if "relabel" in call else "edgewise"  # which was asked: no copy pays
    told = run(code, installed, NX_EDGEWISE_AUTOCONFIG="True").splitlines()
    assert told[0] == "False False" and str((call.split("(")[0], where)) in told[1]


def test_the_switch_leaves_priorities_of_the_program(installed):
    code = (
        "import networkx as nx\n"
        "nx.config.backend_priority['k_core'] = ['networkx']\n"
        "nx.is_empty(nx.Graph())\n"
        "c = nx.config.backend_priority\n"
        "print(c.k_core, c.k_shell)\n"
    )
    told = run(code, installed, NX_EDGEWISE_AUTOCONFIG="True")
    assert told == "['networkx'] ['edgewise']"


def test_small_calls_take_a_short_way(installed):
    code = (
        "import networkx as nx, edgewise as ew\n"
        "asked = []\n"
        "def watch(kind, name):\n"
        "    old = getattr(kind, name)\n"
        "    setattr(kind, name, lambda *a, **o: [asked.append(a[1]), old(*a, **o)][1])\n"
        "nx.density(nx.Graph())\n"
        "from edgewise.networkx.dispatch import Backend\n"
        "watch(Backend, 'can_run')\n"
        "small, both = nx.path_graph(6), (nx.path_graph(6), nx.path_graph(6))\n"
        "print(nx.core_number(small), nx.is_isomorphic(*both), nx.is_planar(small), asked)\n"
        "print(ew.nx.explain(1)[0][:3])\n"
        "nx.config.backends.edgewise.always = True\n"
        "nx.core_number(small), nx.density(small)\n"
        "nx.config.backends.edgewise.always = False\n"
        "nx.is_connected(small, backend='edgewise')\n"
        "nx.clustering(nx.star_graph(5000))\n"
        "nx.is_connected(nx.Graph(small, backend='edgewise'))\n"
        "print(asked[0], 'clustering' in asked, asked[-1], ew.nx.explain(1)[0].ran)\n"
    )
    told = run(code, installed, NX_EDGEWISE_AUTOCONFIG="True").splitlines()
    assert told[0].startswith("{0: 1, 1: 1") and told[0].endswith("True True []")
    assert told[1].endswith("'networkx', 'Edgewise has no such function')")
    assert told[2] == "core_number True is_connected edgewise"


def test_other_backends_are_asked(monkeypatch):
    """The short way is left out where another backend may want a call."""
    known = nx.utils.backends
    chosen = known._dispatchable.__call__
    monkeypatch.setitem(known.backends, "another", None)
    assert not shortcut.install() and known._dispatchable.__call__ is chosen
