"""Every test runs on every engine, and small graphs wake a whole team of threads."""

from __future__ import annotations

import pytest

from tests.operators.engines import ENGINES, choose


@pytest.fixture(params=sorted(ENGINES), scope="module", autouse=True)
def engine(request):
    choose(ENGINES[request.param])
    return ENGINES[request.param]


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        patch.setattr("edgewise.operators.cpu.unwind.SERIAL_WORK", 0)
        yield
