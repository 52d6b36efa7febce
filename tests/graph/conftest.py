"""Small graphs run on a whole team here, in small buckets: every path is taken."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        patch.setattr("edgewise.base.cpu.sort._BUCKET", 16)
        patch.setattr("edgewise.base.cpu.sort._BIG", 64)
        patch.setattr("edgewise.graph.transpose._MANY", 8)
        yield
