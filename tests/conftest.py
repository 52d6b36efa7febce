"""What all tests share: hypothesis without time limits, Ctrl-C as usual, the shared data."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# A shell that runs the tests in the background has Ctrl-C ignored, and every process they start
# would inherit that: those that test it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.platform == "win32":  # these load modules of POSIX: resource, pty, fcntl
    collect_ignore = [
        "algorithms/test_odd_calls.py",
        "base/test_compiling.py",
        "cli/test_report_browser.py",
        "io/test_ew.py",
        "test_docs.py",
        "test_odd_calls.py",
    ]

# A first example may compile a kernel, which takes far longer than all others.
settings.register_profile(
    "edgewise", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("edgewise")


@pytest.fixture(scope="session")
def shared_graphs() -> Path:
    """The folder of real graphs beside the checkout; skips where there is none."""
    folder = ROOT.parent / "shared" / "data" / "graphs"
    if not folder.is_dir():
        pytest.skip(f"there is no folder {folder}")
    return folder


@pytest.fixture(scope="session")
def shared_sets() -> Path:
    """The folder of real collections of sets beside the checkout; skips where there is none."""
    folder = ROOT.parent / "shared" / "data" / "sets"
    if not folder.is_dir():
        pytest.skip(f"there is no folder {folder}")
    return folder
