"""Every graph file of the shared data loads, and what is measured on it agrees with the manifest.

The files lie beside the checkout. Some have no header, odd columns or broken lines: `OPTIONS` says
how each is to be read; a file that is not in it needs nothing said.
"""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from edgewise.io import read

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
MANIFEST = DATA / "MANIFEST.tsv"

pytestmark = pytest.mark.data

OPTIONS = {
    "4elt.graph.gz": {},
    "LFR_N100000_mu0.3.csv.gz": {"columns": (0, 1)},  # tabs, no header, a third column "{}"
    "LFR_N100000_mu0.5.csv.gz": {"columns": (0, 1)},
    "PP-Pathways_ppi.csv.gz": {"on_bad_line": "skip"},  # 17 lines have one column
    "bcsstk16.triples.txt.gz": {"columns": (0, 1, 2)},
    "ca-AstroPh.txt.gz": {"columns": (0, 1)},
    "ca-HepPh.txt.gz": {"columns": (0, 1)},
    "soc-brightkite.txt.gz": {"columns": (0, 1)},
    "cal-road.cedge.gz": {"columns": (1, 2, 3)},  # the first column is the edge's number
    "cond-mat-2005.weighted.txt.gz": {"columns": (0, 1, 2)},
    "delaunay_n16.mtx.gz": {"format": "edges"},  # no banner
    "ego-twitter-weighted.csv.gz": {"columns": ("src", "dst", "weight"), "directed": True},
    "email-Eu-core.txt.gz": {"directed": True},
    "luxembourg_osm.mtx.gz": {"format": "edges"},  # no banner
    "p2p-31.e.gz": {"columns": (0, 1, 2), "directed": True},
    "rome99.gr": {},
    "simulated_blockmodel_graph_50000_nodes.tsv.gz": {"columns": (0, 1, 2), "directed": True},
    "soc-sign-bitcoinotc.csv.gz": {"columns": (0, 1, 2), "directed": True},
    "cnr-2000.txt.gz": {"directed": True},
}

#: Files whose header declares more vertices than occur.
DECLARED = {"rome99.gr": 3353}

#: The manifest counts lines; of these loops so many stand there again.
REPEATED_LOOPS = {"PP-Pathways_ppi.csv.gz": 1}


def rows():
    """The manifest's rows about graph files, but for hypergraphs and tables of vertices."""
    if not MANIFEST.exists():
        return []
    with open(MANIFEST, newline="") as file:
        table = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        found = [row for row in table if len(row) > 9 and row[1].startswith("graphs/")]
    return [row for row in found if "simplices" not in row[1] and "vertices" not in row[1]]


def test_the_manifest_is_there():
    if not MANIFEST.exists():
        pytest.skip("the shared data is not beside this checkout")
    assert len(rows()) >= 32
    assert set(OPTIONS) <= {Path(row[1]).name for row in rows()}


@pytest.mark.filterwarnings("ignore:.*bad lines were skipped:UserWarning")
@pytest.mark.parametrize(
    "row", [row for row in rows() if "loops 0" in row[9] or "; loops" in row[9]],
    ids=lambda row: Path(row[1]).name,
)  # fmt: skip
def test_facts_agree(row):
    graph = read(DATA / row[1], **OPTIONS.get(Path(row[1]).name, {}))
    graph.validate()
    weighted = "weight" in row[6] or row[6].startswith("yes") or row[6].startswith("column")
    assert (graph.weights is not None) == weighted
    assert graph.num_vertices == DECLARED.get(Path(row[1]).name, int(row[3]))
    assert graph.directed == row[5].startswith(("yes", "no/yes")) or row[1].endswith(".gr")
    facts = measure(graph)
    facts["loops"] += REPEATED_LOOPS.get(Path(row[1]).name, 0)
    said = {
        "vertices": row[3],
        "edges": re.search(r"edges without loops (\d+)", row[9])[1],
        "loops": re.search(r"; loops (\d+);", row[9])[1],
        "components": re.search(r"weak components (\d+)", row[9])[1],
        "largest": re.search(r"largest (\d+);", row[9])[1],
        "max degree": re.search(r"max degree (\d+)", row[9])[1],
    }
    assert facts == {name: int(value) for name, value in said.items()}


@pytest.mark.skipif(not MANIFEST.exists(), reason="the shared data is not beside this checkout")
def test_facts_that_are_said_otherwise():
    cora = read(DATA / "graphs/cora.csv.gz")
    assert (cora.num_vertices, cora.num_edges) == (2708, 5278)
    messages = read(DATA / "graphs/CollegeMsg.txt.gz", columns=(0, 1), directed=True)
    assert (messages.num_vertices, messages.num_edges) == (1899, 20296)


def measure(graph):
    """Facts about the simple undirected graph under a graph, by SciPy; isolated vertices apart."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = graph.num_vertices
    ones = np.ones(graph.num_arcs, np.int32)
    matrix = csr_array((ones, graph.indices, graph.indptr), shape=(n, n))
    both = matrix + matrix.T
    touched = np.diff(both.indptr) > 0
    loops = int(np.count_nonzero(matrix.diagonal()))
    both = both - csr_array((both.diagonal(), (np.arange(n), np.arange(n))), shape=(n, n))
    both.eliminate_zeros()
    component = connected_components(both, directed=False)[1][touched]
    sizes = np.unique(component, return_counts=True)[1]
    return {
        "vertices": int(touched.sum()),
        "edges": both.nnz // 2,
        "loops": loops,
        "components": len(sizes),
        "largest": int(sizes.max()),
        "max degree": int(np.diff(both.indptr).max()),
    }
