"""Grids whose ranks compute on a GPU; several ranks may share it."""

from __future__ import annotations

import pytest

from edgewise.distributed import launch
from tests.distributed import gpu_programs
from tests.operators.engines import no_gpu

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True, scope="module")
def gpu():
    if reason := no_gpu():
        pytest.skip(reason)


@pytest.mark.parametrize("shape", ["2x2", "1x4", "4x1"])
def test_four_ranks_that_share_a_gpu_equal_one_device(shape):
    found = launch(gpu_programs.everything, 10, shape, ranks=4, timeout=300)
    for wrong, carrier, _ in found:
        assert wrong == []
        assert carrier == "MpiCommunicator"  # NCCL wants a GPU for every rank


def test_six_ranks_on_a_grid_that_is_not_square():
    for wrong, _, _ in launch(gpu_programs.everything, 9, "2x3", ranks=6, timeout=300):
        assert wrong == []


def test_nccl_with_the_ranks_that_one_gpu_allows():
    (wrong,) = launch(gpu_programs.through_nccl, 10, ranks=1, timeout=300)
    assert wrong == []
