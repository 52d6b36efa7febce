"""Small graphs run on a whole team here, so that every thread has a share to get wrong."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        yield
