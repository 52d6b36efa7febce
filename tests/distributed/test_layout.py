"""Where vertices are on a grid: arithmetic that works both ways, on every rank alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.distributed import Layout
from edgewise.distributed.layout import DISTRIBUTIONS, Numbering, Range

SIZES = st.integers(0, 200)
SIDES = st.tuples(st.integers(1, 6), st.integers(1, 6))
LAYOUTS = st.builds(Layout, SIZES, SIDES, st.sampled_from(DISTRIBUTIONS), st.integers(0, 2**64 - 1))


@given(LAYOUTS)
def test_positions_are_a_permutation(layout):
    ids = np.arange(layout.n, dtype=layout.dtype)
    positions = layout.position(ids)
    assert positions.dtype == ids.dtype
    assert sorted(positions.tolist()) == ids.tolist()
    np.testing.assert_array_equal(layout.vertex(positions), ids)
    np.testing.assert_array_equal(layout.position(layout.vertex(ids)), ids)


@given(LAYOUTS)
def test_pieces_cover_the_positions_evenly(layout):
    owned = [layout.owned(rank) for rank in range(layout.pieces)]
    assert owned[0].low == 0 and owned[-1].high == layout.n
    assert all(one.high == other.low for one, other in zip(owned, owned[1:], strict=False))
    sizes = [one.size for one in owned]
    assert max(sizes) - min(sizes) <= 1 and sizes == sorted(sizes, reverse=True)
    positions = np.arange(layout.n)
    pieces = layout.piece(positions)
    np.testing.assert_array_equal(pieces, np.repeat(np.arange(layout.pieces), sizes))
    assert [layout.piece(int(one)) for one in positions] == pieces.tolist()
    starts = np.arange(layout.pieces + 1)
    assert layout.start(starts).tolist() == [layout.start(k) for k in starts.tolist()]


@given(LAYOUTS)
def test_blocks_are_pieces_in_a_row(layout):
    rows, columns = layout.shape
    for side, count, width in ((layout.rows, rows, columns), (layout.columns, columns, rows)):
        for k in range(count):
            pieces = [layout.owned(k * width + j) for j in range(width)]
            assert side(k) == Range(pieces[0].low, pieces[-1].high)
    for rank in range(layout.pieces):
        mine, block = layout.owned(rank), layout.rows(rank // columns)
        assert block.low <= mine.low and mine.high <= block.high


@given(LAYOUTS, st.data())
def test_every_arc_has_the_rank_of_its_block(layout, data):
    if layout.n == 0:
        return
    some = st.lists(st.integers(0, layout.n - 1), min_size=5, max_size=5)
    us, vs = np.array(data.draw(some)), np.array(data.draw(some))
    for u, v, rank in zip(us, vs, layout.rank(us, vs), strict=True):
        r, c = divmod(int(rank), layout.shape[1])
        assert layout.rows(r).low <= u < layout.rows(r).high
        assert layout.columns(c).low <= v < layout.columns(c).high


@given(LAYOUTS)
def test_local_numbers_work_both_ways(layout):
    for rank in range(layout.pieces):
        numbering = layout.numbering(rank)
        positions = numbering.positions()
        assert len(positions) == numbering.size == len(set(positions.tolist()))
        np.testing.assert_array_equal(numbering.local(positions), np.arange(numbering.size))
        for side in ("row", "column"):
            block = numbering.of[side]
            np.testing.assert_array_equal(positions[numbering.slice(side)], np.arange(*block))
        wanted = set(range(*numbering.of["row"])) | set(range(*numbering.of["column"]))
        assert wanted <= set(positions.tolist())
        if numbering.type == 0:
            assert wanted == set(positions.tolist())


def test_the_three_types_of_local_numbers():
    kinds = {Layout(24, (3, 3)).numbering(rank).type for rank in range(9)}
    assert 0 in kinds and 1 in kinds
    assert Numbering(Range(4, 8), Range(2, 6)).type == 2
    assert Numbering(Range(4, 8), Range(2, 6)).local(np.array([2, 4, 7])).tolist() == [0, 2, 5]
    assert Numbering(Range(2, 6), Range(4, 8)).type == 1
    apart = Numbering(Range(0, 2), Range(5, 7))
    assert apart.type == 0 and apart.local(np.array([5, 0, 6])).tolist() == [2, 0, 3]
    nothing = Numbering(Range(3, 3), Range(3, 3))
    assert nothing.size == 0 and len(nothing.positions()) == 0


def test_all_types_come_up_on_grids_that_are_not_square():
    kinds = {
        Layout(120, shape).numbering(rank).type
        for shape in ((2, 3), (3, 2), (2, 5), (5, 2))
        for rank in range(shape[0] * shape[1])
    }
    assert kinds == {0, 1, 2}


def test_stripes_deal_ids_out_in_turn():
    layout = Layout(11, (2, 2), "striped")
    assert layout.piece(layout.position(np.arange(11))).tolist() == [0, 1, 2, 3] * 2 + [0, 1, 2]


def test_fewer_vertices_than_ranks():
    layout = Layout(3, (2, 3), "random", 1)
    assert [layout.owned(rank).size for rank in range(6)] == [1, 1, 1, 0, 0, 0]
    assert [layout.rows(r).size for r in range(2)] == [3, 0]


def test_seeds_draw_other_permutations():
    ids = np.arange(1000)
    one, other = (Layout(1000, (2, 2), "random", seed).position(ids) for seed in (1, 2))
    assert (one != other).mean() > 0.9 and (one != ids).mean() > 0.9
    np.testing.assert_array_equal(Layout(1000, (4, 1), "random", 1).position(ids), one)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_ids_beyond_32_bits(distribution):
    layout = Layout(2**33 + 5, (3, 5), distribution, 7)
    assert layout.dtype == np.int64
    ids = np.array([0, 1, 2**31 - 1, 2**31, 2**32 + 1, 2**33 + 4])
    positions = layout.position(ids)
    assert ((positions >= 0) & (positions < layout.n)).all()
    np.testing.assert_array_equal(layout.vertex(positions), ids)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_ids_close_to_the_end_of_32_bits(distribution):
    layout = Layout(2**31 - 1, (3, 5), distribution, 7)
    assert layout.dtype == np.int32
    ids = np.array([0, 1, 2**31 - 2, 2**30 + 1], np.int32)
    np.testing.assert_array_equal(layout.vertex(layout.position(ids)), ids)


def test_equal_if_made_alike():
    assert Layout(10, (2, 2)) == Layout(10, (2, 2)) and hash(Layout(1, (1, 1))) is not None
    for other in (Layout(11, (2, 2)), Layout(10, (4, 1)), Layout(10, (2, 2), "block")):
        assert Layout(10, (2, 2)) != other
    assert Layout(10, (2, 2)) != 10
    assert repr(Layout(1000, (2, 3), "block")) == "Layout(1,000 vertices, 2x3, block)"


def test_errors():
    with pytest.raises(ValueError, match="distribution must be one of .*, got 'even'"):
        Layout(10, (2, 2), "even")
    with pytest.raises((TypeError, ValueError), match="seed"):
        Layout(10, (2, 2), "random", 1.5)


@given(SIZES, SIDES, st.integers(0, 99))
def test_by_parts(n, shape, seed):
    """A permutation as others are; parts one after the other, each in the order of its vertices."""
    parts = np.random.default_rng(seed).integers(0, 7, n)
    layout = Layout(n, shape, parts=parts)
    ids = np.arange(n, dtype=layout.dtype)
    positions = layout.position(ids)
    assert positions.dtype == ids.dtype
    np.testing.assert_array_equal(layout.vertex(positions), ids)
    at = layout.vertex(ids)
    assert at.tolist() == sorted(range(n), key=lambda v: (parts[v], v))
    assert layout == Layout(n, shape, parts=parts.tolist() if n else [])
    assert (layout == Layout(n, shape)) is False and "parts" in repr(layout)
    other = Layout(n, shape, parts=np.arange(n)[::-1])
    assert (layout == other) is bool((other.vertex(ids) == at).all())


def test_wrong_parts():
    for wrong in ([0, 1], [0.5] * 4, [[0, 1, 2, 3]]):
        with pytest.raises(ValueError, match=r"parts must be one whole number per vertex \(4\)"):
            Layout(4, (2, 1), parts=wrong)
    with pytest.raises(ValueError, match="distribution must be left out with parts"):
        Layout(4, (2, 1), "block", parts=[0, 1, 2, 3])
