"""R-MAT: quadrant frequencies, ids, and the named choices."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.generators import rmat, rmat_edges


@pytest.mark.parametrize("chances", [(0.57, 0.19, 0.19), (0.25, 0.25, 0.25), (0.1, 0.2, 0.3)])
def test_quadrants_have_their_probabilities_at_every_level(chances, chi_square):
    a, b, c = chances
    sources, targets = rmat_edges(7, edge_factor=200, a=a, b=b, c=c, permute=False, seed=5)
    expected = np.array([a, b, c, 1 - a - b - c]) * len(sources)
    for level in range(7):
        quadrant = (sources >> level & 1) * 2 + (targets >> level & 1)
        assert chi_square(np.bincount(quadrant, minlength=4), expected) > 1e-4


def test_levels_are_independent(chi_square):
    sources, targets = rmat_edges(2, edge_factor=50000, permute=False)
    chances = np.array([0.57, 0.19, 0.19, 0.05])
    upper, lower = (sources >> 1) * 2 + (targets >> 1), (sources & 1) * 2 + (targets & 1)
    observed = np.bincount(upper * 4 + lower, minlength=16)
    assert chi_square(observed, np.outer(chances, chances) * len(sources)) > 1e-4


@pytest.mark.parametrize(
    ("chances", "expected"),
    [((1, 0, 0), (0, 0)), ((0, 1, 0), (0, 7)), ((0, 0, 1), (7, 0)), ((0, 0, 0), (7, 7))],
)
def test_a_sure_quadrant_is_always_taken(chances, expected):
    a, b, c = chances
    sources, targets = rmat_edges(3, edge_factor=10, a=a, b=b, c=c, permute=False)
    assert set(zip(sources.tolist(), targets.tolist(), strict=True)) == {expected}


def test_permuted_ids_are_a_renaming():
    plain = rmat_edges(9, permute=False, seed=2)
    shuffled = rmat_edges(9, permute=True, seed=2)
    names = np.full(512, -1)
    for before, after in zip(plain, shuffled, strict=True):
        names[before] = after
    for before, after in zip(plain, shuffled, strict=True):
        assert (names[before] == after).all()
    known = names[names >= 0]
    assert len(np.unique(known)) == len(known)
    assert abs(np.corrcoef(np.flatnonzero(names >= 0), known)[0, 1]) < 0.2


def test_unpermuted_low_ids_are_busy_and_permuted_ones_are_not():
    def share_of_first_half(permute):
        degrees = rmat(12, permute=permute).degrees()
        return degrees[:2048].sum() / degrees.sum()

    assert share_of_first_half(False) > 0.65
    assert 0.4 < share_of_first_half(True) < 0.6


def test_graph_is_skewed_as_graph500_graphs_are():
    degrees = rmat(14).degrees()
    assert degrees.max() > 50 * degrees.mean()
    assert 0.2 < (degrees == 0).mean() < 0.5


def test_choices_of_loops_and_repeats(edge_set):
    sources, targets = rmat_edges(6, seed=4)
    drawn = {(min(e), max(e)) for e in zip(sources.tolist(), targets.tolist(), strict=True)}
    loops = {(u, v) for u, v in drawn if u == v}
    assert loops
    assert edge_set(rmat(6, seed=4)) == drawn - loops
    assert edge_set(rmat(6, seed=4, self_loops="keep")) == drawn
    counted = rmat(6, seed=4, count_duplicates=True, self_loops="keep")
    assert counted.edges()[2].sum() == len(sources)
    assert counted.weights.dtype.kind == "i"
    assert rmat(6, seed=4).weights is None


def test_directed_keeps_the_drawn_directions(edge_set):
    sources, targets = rmat_edges(6, seed=4)
    graph = rmat(6, seed=4, directed=True, self_loops="keep")
    assert graph.directed
    assert edge_set(graph) == set(zip(sources.tolist(), targets.tolist(), strict=True))


def test_seeds_and_sizes():
    assert rmat(8, seed=1) == rmat(8, seed=1)
    assert rmat(8, seed=1) != rmat(8, seed=2)
    assert len(rmat_edges(5, edge_factor=3).sources) == 96
    assert rmat(0).num_vertices == 1
    assert rmat(4, edge_factor=0).num_edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": -1}, "scale must be at least 0, got -1"),
        ({"scale": 41}, "scale must be at most 40, got 41"),
        ({"edge_factor": -2}, "edge_factor must be at least 0"),
        ({"a": 1.5}, "a must be a number from 0 to 1"),
        ({"a": 0.6, "b": 0.3, "c": 0.2}, r"a \+ b \+ c must be at most 1"),
        ({"self_loops": "no"}, "self_loops must be one of 'drop', 'keep', got 'no'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        rmat(**{"scale": 3, **arguments})


def test_wrong_types_are_named():
    with pytest.raises(TypeError, match="scale must be a whole number, got 3.5"):
        rmat(3.5)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        rmat(3, seed="x")


@pytest.mark.parametrize("permute", [False, True])
def test_parts_are_the_edges_of_the_whole(permute):
    whole = rmat_edges(7, edge_factor=5, permute=permute, seed=3)
    cuts = [0, 0, 100, 101, 640]
    parts = [
        rmat_edges(7, edge_factor=5, permute=permute, seed=3, part=part)
        for part in zip(cuts, cuts[1:], strict=False)
    ]
    for side in range(2):
        assert np.concatenate([part[side] for part in parts]).tolist() == whole[side].tolist()
    with pytest.raises(ValueError, match="part must be two numbers in order from 0 to 640"):
        rmat_edges(7, edge_factor=5, part=(600, 641))
