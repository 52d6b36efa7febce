"""Scripts print the same with the backend, and do not become slower."""

from __future__ import annotations

import pytest

from benchmarks.script_times import SCRIPTS, measure_scripts, report


@pytest.mark.slow
def test_scripts_print_the_same_and_stay_as_fast():
    found = measure_scripts(2, None, lambda line: None)
    assert len(found) == len(SCRIPTS) >= 12
    assert all(row["same"] for row in found.values()), report(found)
    # The rule is 1.05 on a quiet machine; other processes must not make this test fail.
    total = {way: sum(row[way] for row in found.values()) for way in ("off", "on")}
    assert total["on"] < 1.25 * total["off"], report(found)
    assert all(row["ratio"] < 2 for row in found.values()), report(found)
