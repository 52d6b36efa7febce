"""Every test runs on every engine, and small graphs wake a whole team of threads."""

from __future__ import annotations

import pytest

from tests.operators.engines import ENGINES, choose, no_gpu


@pytest.fixture(
    params=["cpu", pytest.param("cuda", marks=pytest.mark.gpu)], scope="module", autouse=True
)
def engine(request):
    if request.param == "cuda" and (reason := no_gpu()):
        pytest.skip(reason)
    choose(ENGINES[request.param])
    return ENGINES[request.param]


@pytest.fixture(autouse=True)
def _only_where_it_belongs(request, engine):
    if engine is not ENGINES["cpu"] and request.node.get_closest_marker("host"):
        pytest.skip("about host arrays or CPU threads")


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        yield
