"""What the tests cost: processor time by folder and kernels compiled, beside the last record.

A plugin that the Makefile turns on (``-p tests.figures``). At the end of a run it prints the ten
folders and files that took most processor time, child processes included, and how many kernels were
compiled into the kernel folder; beside folders and kernels the figure of ``tests/figures.json``, so
that growth is seen.
``make test ARGS=--record`` writes that file: do so from an empty kernel folder (``make clean``).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

RECORD = Path(__file__).with_name("figures.json")


def pytest_addoption(parser):
    parser.addoption("--figures", type=Path, default=RECORD, help="the recorded figures")
    parser.addoption("--record", action="store_true", help="write them anew")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # the workers measure, one process tells
        config.pluginmanager.register(Figures(config), "edgewise-figures")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    item.stash[_START] = processor_time()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    try:
        return (yield)
    finally:
        item.user_properties.append(("processor", processor_time() - item.stash[_START]))


_START = pytest.StashKey[float]()


class Figures:
    """Adds up what the tests report and shows it at the end."""

    def __init__(self, config):
        self.tier = config.getoption("markexpr") or "all"
        self.file, self.record = config.getoption("--figures"), config.getoption("--record")
        self.found = kernels()
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self.files: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report):
        if report.when == "teardown":
            file = report.nodeid.split("::")[0]
            folder, spent = str(Path(file).parent), dict(report.user_properties)
            self.tests[folder] += 1
            self.seconds[folder] += spent.get("processor", 0.0)
            self.files[file] += spent.get("processor", 0.0)

    def pytest_terminal_summary(self, terminalreporter):
        made = len(kernels() - self.found)
        recorded = json.loads(self.file.read_text()) if self.file.exists() else {}
        before = recorded.get(self.tier, {})
        write = terminalreporter.write_line
        write(f"\n{'folder':<34}{'tests':>7}{'processor s':>13}{'recorded':>10}")
        for folder, seconds in self.seconds.most_common(10):
            then = before.get("folders", {}).get(folder, "-")
            write(f"{folder:<34}{self.tests[folder]:>7}{seconds:>13.1f}{then:>10}")
        total = sum(self.seconds.values())
        write(f"{'all':<34}{sum(self.tests.values()):>7}{total:>13.1f}{before.get('all', '-'):>10}")
        write("most of it: " + ", ".join(f"{f} {s:.0f}" for f, s in self.files.most_common(10)))
        then = before.get("kernels", "-")
        write(f"kernels compiled: {made} (recorded, from an empty folder: {then})")
        if self.found:
            write(
                f"{len(self.found)} kernels were there before: times and counts are less than cold"
            )
        if self.record:
            folders = {name: round(seconds, 1) for name, seconds in sorted(self.seconds.items())}
            recorded[self.tier] = {"kernels": made, "all": round(total, 1), "folders": folders}
            self.file.write_text(json.dumps(recorded, indent=2) + "\n")
            write(f"written to {self.file}")


def kernels() -> set[Path]:
    """The files in the kernel folder, whichever process wrote them."""
    from edgewise.base.cache import cache_directory

    return set(cache_directory().glob("*.kernel"))


def processor_time() -> float:
    """Seconds of this process and of those it started and waited for."""
    return sum(os.times()[:4])
