"""The generators' shared random numbers and checks."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.random import check_seed
from edgewise.generators.draws import assemble, check_number, id_type, stream, uniforms


def test_uniforms_fill_the_interval(chi_square):
    numbers = uniforms(check_seed(-1), 20000, turn=3)
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert chi_square(np.histogram(numbers, 50, (0, 1))[0], np.full(50, 400)) > 1e-4
    assert (numbers[:100] == uniforms(check_seed(-1), 100, turn=3)).all()


def test_turns_and_streams_are_unrelated():
    seed = check_seed(1)
    columns = [uniforms(seed, 5000), uniforms(seed, 5000, 1)]
    columns += [uniforms(stream(seed, number), 5000) for number in range(4)]
    correlations = np.corrcoef(columns) - np.eye(6)
    assert np.abs(correlations).max() < 0.06


def test_id_types():
    assert id_type(2**31 - 1) == np.int32
    assert id_type(2**31) == np.int64


def test_check_number():
    assert check_number(3, "x", least=3, most=3, above=2) == 3.0
    for value, message in [
        (1, "x must be greater than 1, got 1"),
        (1.5, "x must be at least 2, got 1.5"),
        (9, "x must be at most 8, got 9"),
        (float("inf"), "x must be finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            check_number(value, "x", least=2, most=8, above=1)
    with pytest.raises(TypeError, match="x must be a number, got 'a'"):
        check_number("a", "x")


def test_assemble_merges_or_counts():
    edges = np.array([0, 1, 1, 2]), np.array([1, 0, 2, 2])
    choices = {"num_vertices": 4, "directed": False, "self_loops": "keep"}
    merged = assemble(*edges, count_duplicates=False, **choices)
    counted = assemble(*edges, count_duplicates=True, **choices)
    assert merged.weights is None
    assert (merged.num_vertices, merged.num_edges) == (4, 3)
    assert counted.edges()[2].tolist() == [2, 1, 1]
