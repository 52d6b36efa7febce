"""Claims to kernels: one process has one at a time, until it ends it, fails or is killed."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

from edgewise.base import cache, claims, compiling
from edgewise.base.cache import kernel
from edgewise.base.claims import claim

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no locks of bytes here")


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("EDGEWISE_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


class Other:
    """A process that has the claim to a key, and does what is written to it."""

    def __init__(self, key: str):
        hears, self._orders = os.pipe()
        self._tells, tell = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            ours = claim(key)
            os.write(tell, b"x")
            os.read(hears, 1)
            ours.end()
            os._exit(0)
        os.read(self._tells, 1)

    def end(self) -> None:
        os.write(self._orders, b"x")

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)

    def __del__(self):
        self.kill()
        os.waitpid(self.process, 0)


def test_one_has_it_and_others_have_others(folder):
    ours, theirs = claim("one"), claim("two")
    ours.end(), theirs.end()
    again = claim("one")
    again.end()
    assert [path.name for path in folder.iterdir()] == [".claims"]


@pytest.mark.parametrize("way", ["end", "kill"])
def test_one_waits_until_the_other_is_done(way, folder, monkeypatch):
    other, slept, told = Other("key"), [], []
    count, start = compiling.kernels_compiled(), compiling.clock()

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 5:
            getattr(other, way)()
        wait(seconds)

    wait = time.sleep
    monkeypatch.setattr(claims.time, "sleep", sleep)
    with compiling.telling(told.append):
        assert claim("key") is None
    assert len(slept) >= 5 and told == ["compiling, once for these types", ""]
    assert compiling.clock() - start < sum(slept) + 1 and compiling.kernels_compiled() == count
    claim("key").end()


def test_patience_has_an_end(folder, monkeypatch):
    monkeypatch.setattr(claims, "_PATIENCE", 0.02)
    other = Other("key")
    assert claim("key") is None
    other.end()


def test_without_locks_everybody_compiles(folder, monkeypatch):
    def none(*args):
        raise OSError("no locks available")

    monkeypatch.setattr(claims.fcntl, "lockf", none)
    assert claim("key") is None
    monkeypatch.setattr(claims, "fcntl", None)
    assert claim("key") is None


def test_who_fails_to_compile_ends_the_claim(folder, monkeypatch):
    claimed, ended = [], []

    class Noted:
        def __init__(self, key):
            claimed.append(key)

        def end(self):
            ended.append(True)

    monkeypatch.setattr(cache, "claim", Noted)

    @kernel
    def wrong(array):
        array[0] = "text"

    with pytest.raises(compiling.compile_errors()):
        wrong(np.zeros(1))
    assert len(claimed) == len(ended) == 1

    @kernel
    def right(array):
        array[0] = 1.0

    right(np.zeros(1))
    assert len(claimed) == len(ended) == 2
