"""NetworkX's own tests with the backend: ``python -m tests.networkx.suite`` writes the record.

NetworkX converts every graph, calls our function, and falls back to its own where there is none. A
plugin counts what ran in Edgewise.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import networkx as nx

from benchmarks.script_times import register

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("suite.json")

#: The parts of NetworkX whose functions the backend has: of its algorithms, or whole names.
PARTS = [
    *("assortativity", "bipartite", "centrality", "coloring", "community", "components"),
    *("connectivity", "flow", "isomorphism", "link_analysis", "operators", "shortest_paths"),
    *("traversal", "tree", "tests"),
    *("networkx.classes", "networkx.generators", "networkx.linalg", "networkx.tests"),
]


def run(parts: list[str]) -> dict:
    """Run the tests of some parts; what they gave, and the calls that ran in Edgewise."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        register(folder)
        (folder / "count_calls.py").write_text(PLUGIN)
        paths = [str(ROOT), name]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "NETWORKX_TEST_BACKEND": "edgewise",
            "NETWORKX_FALLBACK_TO_NX": "True",
            "COUNTED": str(folder / "counted.json"),
        }
        modules = [one if "." in one else f"networkx.algorithms.{one}" for one in parts]
        # Above NetworkX there may be another checkout, whose conftest.py must not be found.
        cut = f"--confcutdir {Path(nx.__file__).parent} --rootdir {name} -c {os.devnull}"
        options = f"-q -p count_calls -p no:cacheprovider {cut} --pyargs"
        command = [sys.executable, "-m", "pytest", *options.split(), *modules]
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
        if not (folder / "counted.json").exists():
            raise RuntimeError(done.stdout + done.stderr)
        found = json.loads((folder / "counted.json").read_text())
        return found | {"output": done.stdout}


PLUGIN = """
import json, os

found = {"passed": 0, "failed": 0, "expected": 0, "names": []}

def pytest_runtest_logreport(report):
    if hasattr(report, "wasxfail"):
        found["expected"] += report.skipped
    elif report.when == "call" and report.passed:
        found["passed"] += 1
    if report.failed:
        found["failed"] += 1
        found["names"].append(report.nodeid)

def pytest_sessionfinish(session):
    from edgewise.networkx.recent_calls import CALLS
    with open(os.environ["COUNTED"], "w") as file:
        json.dump(found | {"calls": dict(sorted(CALLS.items()))}, file)
"""


def main() -> None:
    """Run all parts and write the record."""
    found = run(sys.argv[1:] or PARTS)
    print(found.pop("output"))
    about = {"networkx": nx.__version__, "date": datetime.now(UTC).date().isoformat()}
    if not sys.argv[1:]:
        RECORD.write_text(json.dumps(about | found, indent=1) + "\n")
    print({key: value for key, value in found.items() if key != "calls"})


if __name__ == "__main__":
    main()
