"""`edgewise.apps.scanpy.leiden`: scanpy's conventions on an object like AnnData."""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from edgewise import threads
from edgewise.apps import scanpy
from edgewise.apps.scanpy import leiden
from edgewise.base.observe import notify, observe
from edgewise.communities import modularity
from edgewise.graph import Graph
from tests.algorithms.samples import TEAMS

PARTS, SIZE = 4, 30


def cells(seed=0, key="connectivities"):
    """Four groups of cells of different sizes, joined by a few weak neighbors."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(PARTS), [SIZE - 5 * i for i in range(PARTS)])
    near = truth[:, None] == truth[None, :]
    weights = np.where(near, rng.random(near.shape), 0.05 * (rng.random(near.shape) < 0.05))
    weights = np.triu(weights * (rng.random(near.shape) < 0.6), 1)
    data = SimpleNamespace(
        obs=pd.DataFrame(index=[f"cell{i}" for i in range(len(truth))]),
        uns={"neighbors": {"connectivities_key": key}},
        obsp={key: sparse.csr_matrix(weights + weights.T)},
    )
    data.copy = lambda: deepcopy(data)
    return data, truth


def test_clusters_are_a_categorical_column_with_the_largest_first():
    data, truth = cells()
    assert leiden(data) is None
    column = data.obs["leiden"]
    assert column.cat.categories.tolist() == ["0", "1", "2", "3"]
    assert column.astype(int).tolist() == truth.tolist()
    assert data.uns["leiden"]["params"] == {"resolution": 1.0, "random_state": 0,
                                            "n_iterations": -1}  # fmt: skip
    graph = Graph.from_scipy(data.obsp["connectivities"])
    wanted = modularity(graph, truth)
    assert np.isclose(data.uns["leiden"]["modularity"], wanted, atol=1e-6)


@pytest.mark.parametrize("team", TEAMS)
def test_the_result_does_not_depend_on_threads(team):
    data, _ = cells(3)
    leiden(data, resolution=2.5, random_state=7)
    with threads(team):
        again, _ = cells(3)
        leiden(again, resolution=2.5, random_state=7)
    assert data.obs["leiden"].tolist() == again.obs["leiden"].tolist()


def test_several_resolutions_names_and_copies():
    data, _ = cells(key="near")
    made = leiden(data, [0.5, 3.0], key_added="group", copy=True, n_iterations=2)
    assert made.obs.columns.tolist() == ["group_0.5", "group_3.0"] and not len(data.obs.columns)
    assert made.obs["group_3.0"].nunique() >= made.obs["group_0.5"].nunique()
    leiden(data, obsp="near", use_weights=False, key_added="plain")
    leiden(data, adjacency=data.obsp["near"].tocoo(), key_added="given", directed=True)
    assert data.obs["given"].nunique() == PARTS


def test_matrices_that_are_not_symmetric_and_stored_zeros():
    data, truth = cells()
    upper = sparse.triu(data.obsp["connectivities"]).tocsr()
    leiden(data, adjacency=upper, key_added="upper")
    assert data.obs["upper"].astype(int).tolist() == truth.tolist()
    leiden(data, adjacency=upper, key_added="plain", use_weights=False)
    matrix = data.obsp["connectivities"].tolil()
    matrix[0, len(truth) - 1] = matrix[len(truth) - 1, 0] = 7
    stored = matrix.tocsr()
    stored.data[stored.data == 7] = 0
    before = stored.copy()
    leiden(data, adjacency=stored, key_added="zeros")
    assert data.obs["zeros"].tolist() == data.obs["upper"].tolist()
    assert (stored != before).nnz == 0 and stored.nnz == before.nnz


def test_more_starts_are_no_worse():
    data, _ = cells(3)
    quality = []
    for starts in (1, 4):
        leiden(data, 3.0, num_starts=starts)
        graph = Graph.from_scipy(data.obsp["connectivities"])
        labels = data.obs["leiden"].cat.codes.to_numpy().astype(np.int64)
        quality.append(modularity(graph, labels, resolution=3.0))
    assert quality[1] >= quality[0] - 1e-6
    with pytest.raises(ValueError, match="num_starts must"):
        leiden(data, num_starts=0)


def test_seeds_of_every_kind():
    data, _ = cells()
    for state in (None, np.random.RandomState(3), 7):
        leiden(data, random_state=state)
        assert data.obs["leiden"].nunique() == PARTS


def test_some_cells_alone():
    data, truth = cells()
    leiden(data)
    leiden(data, 2.0, restrict_to=("leiden", ["0", "1"]))
    column = data.obs["leiden_R"]
    outside = truth > 1
    assert column[outside].tolist() == data.obs["leiden"][outside].tolist()
    assert column[~outside].str.startswith("0-1,").all() and "0-1,0" in column.cat.categories
    assert column.cat.categories.tolist()[-2:] == ["2", "3"]  # sorted as scanpy does


def test_errors():
    data, _ = cells()
    with pytest.raises(ValueError, match="adata.uns has no 'other'"):
        leiden(data, neighbors_key="other")
    with pytest.raises(ValueError, match="give one of them"):
        leiden(data, neighbors_key="neighbors", obsp="connectivities")
    with pytest.raises(ValueError, match="n_iterations must"):
        leiden(data, n_iterations=0)
    leiden(data)
    with pytest.raises(ValueError, match="restrict_to must name categories of 'leiden', got '9'"):
        leiden(data, restrict_to=("leiden", ["9"]))


def test_calls_of_scanpy():
    """Arguments that choose scanpy's backend are taken; another quality function is not."""
    data, truth = cells()

    class RBConfigurationVertexPartition: ...

    leiden(data, 1, flavor="leidenalg", directed=None,
           partition_type=RBConfigurationVertexPartition)  # fmt: skip
    leiden(data, flavor="igraph", n_iterations=2, key_added="two")
    assert (
        data.obs["leiden"].astype(int).tolist()
        == truth.tolist()
        == data.obs["two"].astype(int).tolist()
    )
    with pytest.raises(ValueError, match="flavor must be one of 'igraph', 'leidenalg'"):
        leiden(data, flavor="louvain")
    with pytest.raises(ValueError, match="partition_type must be None or leidenalg.RBConf.*potts'"):
        leiden(data, partition_type=int)


def test_in_rounds_and_watched(monkeypatch):
    """Large graphs take all threads, with the same result for any number of them."""
    data, truth = cells(3)
    rows = []
    with observe(lambda iteration, **counts: rows.append(counts)):
        leiden(data, 2.5, key_added="watched")
    leiden(data, 2.5)
    assert rows and data.obs["leiden"].tolist() == data.obs["watched"].tolist()
    monkeypatch.setattr(scanpy, "_ALONE", 0)
    for team in TEAMS:
        with threads(team):
            leiden(data, 2.5, key_added=f"rounds{team}")
    known = data.obs["rounds1"].tolist()
    assert all(data.obs[f"rounds{team}"].tolist() == known for team in TEAMS)


def test_an_interrupt_ends_all_searches():
    """One that fails ends the others at their next round."""
    begun, ended = [], []

    def found(seed):
        begun.append(seed)
        if seed == 1:
            raise KeyboardInterrupt
        try:
            while True:
                notify(0)
        finally:
            ended.append(seed)

    with threads(2), pytest.raises(KeyboardInterrupt):
        scanpy._at_once(found, [1, 2])
    assert begun == [1, *ended]


@pytest.mark.parametrize("state", [0, None, np.random.RandomState(3)])
def test_annotated_data(tmp_path, state):
    """A real AnnData: views, copies and files keep the clusters and their parameters."""
    anndata = pytest.importorskip("anndata")
    data, truth = cells()
    real = anndata.AnnData(obs=data.obs, obsp=data.obsp, uns=data.uns)
    made = leiden(real, [0.5, 1.0], random_state=state, copy=True)
    assert made.obs.columns.tolist() == ["leiden_0.5", "leiden_1.0"] and real.obs.empty
    assert leiden(real, random_state=state) is None and "leiden" not in made.uns
    leiden(real, 2.0, random_state=state, restrict_to=("leiden", ["0"]))
    assert real.obs["leiden"].astype(int).tolist() == truth.tolist()
    real.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    for key in ("leiden", "leiden_R"):
        assert again.obs[key].equals(real.obs[key])
        assert again.uns[key]["modularity"] == real.uns[key]["modularity"]
    seed = int(again.uns["leiden"]["params"]["random_state"])
    assert again.uns["leiden"]["params"]["resolution"] == 1.0 and (state != 0 or seed == 0)
    leiden(again, random_state=seed, key_added="again")
    assert again.obs["again"].equals(again.obs["leiden"])
    part = again[again.obs["leiden"].isin(["0", "1"])].copy()
    leiden(part, key_added="part")
    assert part.obs["part"].tolist() == part.obs["leiden"].tolist()


def test_the_same_call_of_scanpy():
    """The types and names that scanpy leaves in an AnnData."""
    scanpy = pytest.importorskip("scanpy")
    anndata = pytest.importorskip("anndata")
    data, truth = cells()
    real = anndata.AnnData(obs=data.obs, obsp=data.obsp, uns=data.uns)
    scanpy.tl.leiden(real, flavor="igraph", n_iterations=-1, directed=False, key_added="theirs")
    leiden(real, key_added="ours")
    assert real.obs["ours"].tolist() == real.obs["theirs"].tolist()
    assert real.obs["ours"].dtype == real.obs["theirs"].dtype
    assert real.uns["ours"].keys() >= {"params"} and (
        real.uns["ours"]["params"] == real.uns["theirs"]["params"]
    )
