"""Moving graphs between devices, as far as that goes without a GPU."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from edgewise.base.errors import DeviceError
from edgewise.graph import Graph
from edgewise.graph.device import on_gpu

GRAPH = Graph.from_edges([0, 1], [1, 2])


def test_here_is_itself():
    assert GRAPH.to("cpu") is GRAPH


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:-1", "cuda:one", ""])
def test_unknown_devices(device):
    with pytest.raises(ValueError, match=f"device must be 'cpu', 'cuda' .* got {device!r}"):
        GRAPH.to(device)


@pytest.mark.skipif(find_spec("cupy") is not None, reason="CuPy is installed")
def test_what_is_missing_is_said():
    with pytest.raises(DeviceError, match=r"not installed: pip install 'edgewise\[cuda\]'"):
        GRAPH.to("cuda")


def test_who_lives_on_a_gpu():
    class Elsewhere:
        def __dlpack_device__(self):
            return 2, 0

    class Managed:
        __cuda_array_interface__: dict = {}

    assert not on_gpu(GRAPH.indices, [0, 1])
    assert on_gpu(GRAPH.indices, Elsewhere()) and on_gpu(Managed())
