"""Adaptive anonymity: twins are counted among all pairs of records."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import threads
from edgewise.apps import anonymize
from edgewise.apps.anonymity.similar_records import similar_records

pa = pytest.importorskip("pyarrow")


def people(n: int = 300, d: int = 8, seed: int = 0) -> dict[str, np.ndarray]:
    """Records in some clusters, with errors."""
    rng = np.random.default_rng(seed)
    centers = rng.integers(0, 6, (n // 25 + 1, d))
    cells = centers[rng.integers(0, len(centers), n)]
    wrong = rng.random((n, d)) < 0.15
    cells[wrong] = rng.integers(0, 6, wrong.sum())
    return {f"c{i}": cells[:, i] for i in range(d)}


def twins(table, released, columns) -> np.ndarray:
    """For each record, the released rows that could be it and that it could have given."""
    was = np.array([table.column(name).to_pylist() for name in columns]).T
    shown = [released.column(name).to_pylist() for name in columns]
    hidden = np.array([[cell is None for cell in column] for column in shown]).T
    counts = np.zeros(len(was), np.int64)
    for i in range(len(was)):
        same = was == was[i]
        counts[i] = ((same | hidden).all(axis=1) & (same | hidden[i]).all(axis=1)).sum() - 1
    return counts


@pytest.mark.parametrize("method", ["cover", "groups"])
def test_every_record_has_its_own_number_of_twins(method):
    table = pa.table(people())
    k = np.random.default_rng(1).integers(1, 9, table.num_rows)
    found = anonymize(table, k, method=method, max_iter=4)
    counts = twins(table, found.table, table.column_names)
    assert (counts >= found.twins).all() and (found.twins >= k - 1).all()
    hidden = np.array([column.is_null().to_numpy() for column in found.table.columns]).T
    assert (hidden == found.suppressed).all() and found.fraction == hidden.mean()
    assert found.fraction == min(found.rounds) and 0 < found.fraction < 0.9
    for name in table.column_names:  # nothing else changes
        left, right = table.column(name).to_pylist(), found.table.column(name).to_pylist()
        assert all(b is None or a == b for a, b in zip(left, right, strict=True))


def test_groups_show_equal_rows():
    table = pa.table(people())
    found = anonymize(table, 5, method="groups")
    rows = [tuple(row.values()) for row in found.table.to_pylist()]
    assert min(rows.count(row) for row in rows) >= 5


def test_own_twins_keep_more_cells_than_groups():
    table = pa.table(people(600, 10))
    k = np.where(np.arange(600) % 4 == 0, 8, 3)
    cover, groups = anonymize(table, k), anonymize(table, k, method="groups")
    plain = anonymize(table, 8, method="groups")
    assert cover.fraction < groups.fraction <= plain.fraction
    assert cover.fraction < cover.rounds[0], "later rounds improve on distances alone"


def test_few_cells_beside_the_best_choice_of_twins():
    """All covers of a tiny table by one twin each are tried."""
    table = pa.table(people(6, 4, seed=3))
    cells = np.array([table.column(name).to_numpy() for name in table.column_names]).T
    best = 24
    for choice in np.ndindex(*[6] * 6):
        if all(i != j for i, j in enumerate(choice)):
            hidden = np.zeros((6, 4), bool)
            for i, j in enumerate(choice):
                hidden[[i, j]] |= cells[i] != cells[j]
            best = min(best, int(hidden.sum()))
    found = anonymize(table, 2)
    assert best <= found.suppressed.sum() <= 2 * best


def test_similar_records_are_found():
    cells = np.array(list(people(400).values())).T.astype(np.int32)
    near = similar_records(cells, 10, 0)
    differ = (cells[:, None] != cells[None]).sum(axis=2)
    np.fill_diagonal(differ, 99)
    exact = np.sort(differ, axis=1)[:, :10]
    ours = np.take_along_axis(differ, near, axis=1)
    assert all(len(set(row)) == 10 for row in near.tolist()) and (ours < 99).all()
    assert (np.diff(ours, axis=1) >= 0).all() and (ours == exact).mean() > 0.9
    assert sorted(similar_records(cells[:5], 4, 0)[2].tolist()) == [0, 1, 3, 4]


def test_the_same_for_any_number_of_threads():
    table = pa.table(people())
    one = anonymize(table, 4, max_iter=2)
    with threads(1):
        assert (anonymize(table, 4, max_iter=2).suppressed == one.suppressed).all()


def test_data_frames_and_kinds_of_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({
        "name": ["a", "a", "b", "b"], "height": [1.5, 1.5, np.nan, np.nan],
        "kind": pandas.Categorical(["x", "x", "x", "y"]), "wish": [2, 2, 2, 2], "ill": [1, 2, 3, 4],
    })  # fmt: skip
    found = anonymize(frame, "wish", columns=["name", "height", "kind"])
    assert found.table.column_names == ["name", "height", "kind", "ill"]
    assert found.table.column("ill").to_pylist() == [1, 2, 3, 4]
    assert found.suppressed.tolist() == [[False] * 3] * 2 + [[False, False, True]] * 2


def test_columns_of_several_types_are_named():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1, 2], "city": ["Rome", 7]})
    with pytest.raises(TypeError, match="column 'city' must have values of one type, got int and"):
        anonymize(frame, 2)
    frame.columns = ["age", "age"]
    with pytest.raises(ValueError, match="'age' twice"):
        anonymize(frame, 2)


def test_missing_cells_are_told_from_suppressed_ones():
    """Both are null in the table; twins hold even for readers who know which is which."""
    table = pa.table({"a": [1, 1, None, None, 2, None], "b": ["x", None, "y", "y", "x", None]})
    found = anonymize(table, 2)
    was = np.array([column.is_null().to_numpy() for column in table.columns]).T
    null = np.array([column.is_null().to_numpy() for column in found.table.columns]).T
    assert (null == was | found.suppressed).all() and found.columns == ["a", "b"]
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    for i, row in enumerate(rows):
        twins = [
            all(one == two or found.suppressed[[i, j], at].all()
                for at, (one, two) in enumerate(zip(row, other, strict=True)))
            for j, other in enumerate(rows) if j != i
        ]  # fmt: skip
        assert sum(twins) >= 1


def test_nothing_to_do():
    table = pa.table(people(20))
    assert anonymize(table, 1).fraction == 0.0
    empty = anonymize(table.slice(0, 0), np.zeros(0, np.int64))
    assert empty.table.num_rows == 0 and empty.fraction == 0.0
    assert anonymize(table.slice(0, 0), np.zeros(0, np.int64), method="groups").fraction == 0.0
    every = anonymize(table, 20)
    assert (every.twins == 19).all()
    assert anonymize(table, 5, columns=[]).fraction == 0.0


@pytest.mark.parametrize(
    ("k", "options", "message"),
    [
        (0, {}, "k must lie in 1"),
        (21, {}, r"number of records \(20\), got 21 for record 0"),
        (2.5, {}, "k must be whole numbers"),
        ([1, 2], {}, "one entry per record"),
        ("wish", {}, "no column 'wish'; its columns are 'c0'"),
        (2, {"columns": ["c9"]}, "no column 'c9'"),
        (2, {"columns": "c1"}, "columns must be a list"),
        ("c0", {"columns": ["c0"]}, "must not have the column of k"),
        (2, {"method": "all"}, "method must"),
        (2, {"max_iter": 0}, "max_iter must"),
        (9, {"num_candidates": 3}, "num_candidates must"),
    ],
)
def test_wrong_arguments_are_named(k, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        anonymize(pa.table(people(20)), k, **options)


def test_bad_tables_are_named():
    with pytest.raises(TypeError, match="table must be a pyarrow"):
        anonymize([[1, 2]], 2)
    with pytest.raises(ValueError, match="'a' twice"):
        anonymize(pa.table([[1, 2], [1, 2]], names=["a", "a"]), 2)
    with pytest.raises(ValueError, match="1 are missing"):
        anonymize(pa.table({"a": [1, 2], "k": [2, None]}), "k")
    with pytest.raises(TypeError, match="column 'k' must be whole numbers, got 'x' for record 1"):
        anonymize(pa.table({"a": [1, 2], "k": ["2", "x"]}), "k")
    with pytest.raises(ValueError, match="column 'k' must lie in 1 to .* got 9 for record 1"):
        anonymize(pa.table({"a": [1, 2], "k": ["2", "9"]}), "k")
    with pytest.raises(TypeError, match="column 'k' must be whole numbers, got float64 such as"):
        anonymize(pa.table({"a": [1, 2], "k": [2.5, 2.0]}), "k")
    with pytest.raises(TypeError, match="column 'a' of type list"):
        anonymize(pa.table({"a": [[1], [2]]}), 2)
