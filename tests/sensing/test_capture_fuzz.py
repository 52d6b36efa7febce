"""Mangled captures never lead a kernel out of its data, and give packets or an error with a place.

Python itself looks at every index in the quick form; in the slow form compiled code does, and the
kernels as they are read files that end where a page of memory does.
"""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.sensing.cpu import frames
from tests.conftest import ROOT
from tests.sensing import fuzz
from tests.sensing.build import pcap, section
from tests.sensing.modes import plain, run_checked, run_plain


def test_sound_captures_are_sound():
    for content in fuzz.SOUND:
        for seed in range(4):
            fuzz.attempt(content, random.Random(seed))


def test_mangled_captures_by_python_alone(monkeypatch):
    run_plain(monkeypatch)
    fuzz.attempts(0, 600)


def test_mangled_captures():
    fuzz.attempts(1, 600)


@settings(max_examples=60)
@given(st.binary(max_size=300), st.sampled_from(range(4)), st.integers(0, 2**30))
def test_any_bytes(junk, kind, seed):
    """After a sound header, whatever comes; Python looks at every index."""
    head = (pcap([]), pcap([], 113, order=">"), section(), section(">"))[kind]
    with pytest.MonkeyPatch.context() as monkeypatch:
        run_plain(monkeypatch)
        fuzz.attempt(head + junk, random.Random(seed))


def test_reading_too_far_is_seen():
    """A frame of more bytes than there are: the tests above can fail."""
    data, counts = np.full(30, 0x45, np.uint8), np.zeros(frames.COUNTS, np.int64)
    found, none = frames.new_frames(1), np.zeros(0, np.int64)
    found.start[0], found.size[0], found.link[0] = 15, 20, 101
    rows = frames.Rows(*np.zeros((2, 1), np.uint32), *[none] * 8)
    wanted = frames.Wanted(True, True, False)
    with pytest.raises(IndexError):
        plain(frames.decode)(0, 1, counts, data, found, 1, wanted, rows, counts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_mangled_captures(seed, monkeypatch):
    run_checked(monkeypatch)
    fuzz.attempts(seed, 5000)


@pytest.mark.slow
def test_mangled_captures_at_the_end_of_a_page(tmp_path):
    """In a process of its own: a read beyond the file would end it."""
    call = f"from tests.sensing import fuzz; fuzz.at_page_end({str(tmp_path / 'a')!r}, 9, 3000)"
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
