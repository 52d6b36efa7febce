"""Alignments beside a slow table, beside parasail, near a band, by X-drop, on long sequences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from edgewise import threads
from edgewise.apps import align_proteins, read_fasta
from edgewise.apps.proteins import alignment
from edgewise.apps.proteins.alignment import alignment_scores, regions_of, scores_and_ends
from edgewise.apps.proteins.alphabets import BLOSUM62, LETTERS
from edgewise.apps.proteins.sequences import encoded
from tests.operators.engines import no_gpu

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "proteins"
NEVER = -(10**9)


def score(a: str, b: str) -> int:
    return int(BLOSUM62[LETTERS.index(a), LETTERS.index(b)])


def slow_score(left, right, first=11, more=1, inside=lambda i, j: True) -> int:
    """Gotoh's three tables, cell by cell."""
    m, n, best = len(left), len(right), 0
    value = [[0] * (n + 1) for _ in range(m + 1)]
    down, across = ([[NEVER] * (n + 1) for _ in range(m + 1)] for _ in range(2))
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if inside(i - 1, j - 1):
                down[i][j] = max(down[i - 1][j] - more, value[i - 1][j] - first)
                across[i][j] = max(across[i][j - 1] - more, value[i][j - 1] - first)
                match = value[i - 1][j - 1] + score(left[i - 1], right[j - 1])
                value[i][j] = max(0, match, down[i][j], across[i][j])
                best = max(best, value[i][j])
    return best


def slow_extension(left, right, drop, first=11, more=1) -> int:
    """The best alignment from the beginning of both, without cells far below the best."""
    m, n = len(left), len(right)
    value, down, across = ([[NEVER] * (n + 1) for _ in range(m + 1)] for _ in range(3))
    value[0][0] = best = 0
    for i in range(m + 1):
        least = best - drop
        for j in range(n + 1):
            if i:
                down[i][j] = max(down[i - 1][j] - more, value[i - 1][j] - first)
            if j:
                across[i][j] = max(across[i][j - 1] - more, value[i][j - 1] - first)
            if i and j:
                match = value[i - 1][j - 1] + score(left[i - 1], right[j - 1])
                value[i][j] = match
            value[i][j] = max(value[i][j], down[i][j], across[i][j])
            if value[i][j] < least:
                value[i][j] = down[i][j] = across[i][j] = NEVER
        best = max(best, *value[i])
    return best


def some(seed=0, count=14):
    """Sequences of several lengths, some of them relatives of others."""
    draw = np.random.default_rng(seed)
    texts = ["".join(draw.choice(list("ARNDCQEGHILKMFPSTWYVX"), size)) for size in range(1, count)]
    for text in texts[-4:]:
        for gap in (2, 5):
            copy = list(text)
            copy[draw.integers(len(copy))] = "W"
            texts.append("".join(copy[:gap] + copy[gap + 2 :]) + "ARND")
    return encoded({str(i): text for i, text in enumerate(texts)})


def all_pairs(sequences):
    return tuple(side.ravel() for side in np.indices((len(sequences.names),) * 2))


@pytest.mark.parametrize("costs", [(11, 1), (3, 3), (5, 2)])
def test_scores_as_by_tables(costs):
    sequences = some()
    left, right = all_pairs(sequences)
    texts = [sequences.text(i) for i in range(len(sequences.names))]
    known = [slow_score(texts[i], texts[j], *costs) for i, j in zip(left, right, strict=True)]
    given = {"gap_open": costs[0], "gap_extend": costs[1]}
    assert alignment_scores(sequences, left, right, library=False, **given).tolist() == known
    found = align_proteins(sequences, left, right, **given)
    assert found.score.tolist() == known
    check_alignments(sequences, left, right, found, *costs)


def check_alignments(sequences, left, right, found, first, more):
    """Begins, ends, matches and columns belong to an alignment of this score."""
    for p in range(0, len(left), 7):
        i, j = int(left[p]), int(right[p])
        a = sequences.text(i)[found.left_begin[p] : found.left_end[p]]
        b = sequences.text(j)[found.right_begin[p] : found.right_end[p]]
        if found.score[p] == 0:
            assert (a, b, found.columns[p]) == ("", "", 0)
        else:
            key = found.score[p], found.matches[p], found.columns[p]
            assert tuple(map(int, key)) in whole(a, b, first, more)


def whole(a, b, first, more):
    """(score, matches, columns) of global alignments of two short texts: all that can matter."""
    states = {(0, 0, 0): {(0, 0, 0)}}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            for last in range(3):
                for s, same, columns in states.get((i, j, last), ()):
                    steps = []
                    if i < len(a) and j < len(b):
                        steps.append((1, 1, 0, score(a[i], b[j]), a[i] == b[j]))
                    if i < len(a):
                        steps.append((1, 0, 1, -more if last == 1 else -first, 0))
                    if j < len(b):
                        steps.append((0, 1, 2, -more if last == 2 else -first, 0))
                    for down, right, kind, gain, equal in steps:
                        to = states.setdefault((i + down, j + right, kind), set())
                        to.add((s + gain, same + int(equal), columns + 1))
    ends = [states.get((len(a), len(b), last), set()) for last in range(3)]
    return set().union(*ends)


@pytest.mark.parametrize("band", [0, 2, 5])
def test_bands_as_by_tables(band):
    sequences = some(1, 12)
    left, right = all_pairs(sequences)
    draw = np.random.default_rng(2)
    lengths = sequences.lengths
    seeds = draw.integers(0, np.stack([lengths[left], lengths[right]], 1) + 1)
    found = align_proteins(sequences, left, right, method="banded", band=band, seeds=seeds)
    for p, (i, j) in enumerate(zip(left, right, strict=True)):
        shift = seeds[p, 1] - seeds[p, 0]
        near = lambda i, j: abs(j - i - shift) <= band  # noqa: B023, E731
        assert found.score[p] == slow_score(sequences.text(i), sequences.text(j), inside=near)


@pytest.mark.parametrize("drop", [0, 12, 30, 1000])
def test_drops_as_by_tables(drop):
    sequences = some(3, 12)
    left, right = all_pairs(sequences)
    draw = np.random.default_rng(4)
    lengths = sequences.lengths
    seeds = draw.integers(0, np.stack([lengths[left], lengths[right]], 1) + 1)
    found = align_proteins(sequences, left, right, method="xdrop", drop=drop, seeds=seeds)
    for p, (i, j) in enumerate(zip(left, right, strict=True)):
        a, b = sequences.text(i), sequences.text(j)
        (x, y), ends = seeds[p], [0, 0]
        ends[0] = slow_extension(a[x:], b[y:], drop)
        ends[1] = slow_extension(a[:x][::-1], b[:y][::-1], drop)
        assert found.score[p] == sum(ends)
        assert found.left_begin[p] <= x <= found.left_end[p]
        assert found.matches[p] <= found.columns[p]


def test_as_parasail():
    parasail = pytest.importorskip("parasail")
    draw = np.random.default_rng(5)
    texts = ["".join(draw.choice(list(LETTERS), size)) for size in draw.integers(1, 300, 40)]
    texts += [text[5:90] + texts[0][:40] for text in texts[:10]]
    sequences = encoded({str(i): text for i, text in enumerate(texts)})
    left, right = draw.integers(0, len(texts), (2, 300))
    known = [
        parasail.sw_stats(texts[i], texts[j], 11, 1, parasail.blosum62)
        for i, j in zip(left, right, strict=True)
    ]
    for library in (True, False):
        scores = alignment_scores(sequences, left, right, library=library)
        assert scores.tolist() == [one.score for one in known]


@pytest.mark.parametrize("letters", ["AW", "ARNDCQEGHILKMFPSTWYV"])
def test_with_and_without_parasail(monkeypatch, letters):
    """Ends, beginnings and counts are the same, also of equally good alignments."""
    pytest.importorskip("parasail")
    draw = np.random.default_rng(16)
    texts = ["".join(draw.choice(list(letters), size)) for size in draw.integers(1, 90, 30)]
    sequences = encoded({str(i): text for i, text in enumerate(texts)})
    left, right = all_pairs(sequences)
    fast = align_proteins(sequences, left, right)
    scores, ends = scores_and_ends(sequences, left, right)
    regions = regions_of(sequences, left, right, scores, ends)
    monkeypatch.setattr(alignment, "has_parasail", lambda: False)
    slow = align_proteins(sequences, left, right)
    np.testing.assert_array_equal(fast, slow)
    assert scores.tolist() == slow.score.tolist()
    unknown = scores_and_ends(sequences, left, right)[1]
    assert unknown.shape == (len(left), 0)
    np.testing.assert_array_equal(regions_of(sequences, left, right, scores, unknown), slow)
    assert (regions.left_end == slow.left_end).all()
    assert (regions.right_end == slow.right_end).all()
    same = regions.left_begin == slow.left_begin  # another, if several are best
    assert same.mean() > (0.5 if letters == "AW" else 0.95)


def test_scores_beyond_16_bits():
    sequences = encoded({"a": "W" * 3300, "b": "W" * 3200 + "A" * 10})
    known = [3300 * 11, 3200 * 11, 3200 * 11 + 40]
    left, right = [0, 0, 1], [0, 1, 1]
    assert alignment_scores(sequences, left, right).tolist() == known
    assert alignment_scores(sequences, left, right, library=False).tolist() == known
    found = align_proteins(sequences, left, right)
    assert found.score.tolist() == known
    assert found.identity.tolist() == [1, 1, 1]


def test_a_very_long_sequence():
    draw = np.random.default_rng(6)
    text = "".join(draw.choice(list(LETTERS[:20]), 40_000))
    sequences = encoded({"a": text, "b": text[20_000:20_060]})
    found = align_proteins(sequences, [0, 1], [1, 0])
    assert found.left_begin.tolist() == [20_000, 0]
    assert found.matches.tolist() == found.columns.tolist() == [60, 60]
    assert alignment_scores(sequences, [0], [1]).tolist() == [found.score[0]]


def test_threads_and_no_pairs():
    sequences = some(7)
    left, right = all_pairs(sequences)
    with threads(1):
        one = align_proteins(sequences, left, right), alignment_scores(sequences, left, right)
    with threads(3):
        many = align_proteins(sequences, left, right), alignment_scores(sequences, left, right)
    np.testing.assert_array_equal(one[0], many[0])
    np.testing.assert_array_equal(one[1], many[1])
    assert len(align_proteins(sequences, [], []).score) == 0
    assert len(alignment_scores(sequences, [], [])) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"left": [9]}, {"left": [-1]}, {"left": [0, 1]}, {"gap_open": 0}, {"gap_extend": 12},
        {"method": "fast"}, {"band": -1, "method": "banded"},
        {"seeds": [[0, 9]], "method": "xdrop"},
    ],
)  # fmt: skip
def test_wrong_arguments(wrong):
    sequences = encoded({"a": "MKV", "b": "MKW"})
    with pytest.raises(ValueError, match="must"):
        align_proteins(sequences, **{"left": [0], "right": [1], **wrong})
    with pytest.raises(TypeError, match="left must be an array of positions"):
        align_proteins(sequences, [0.5], [1])


@pytest.mark.parametrize(
    ("name", "method"),
    [("band", "full"), ("band", "xdrop"), ("drop", "full"), ("drop", "banded"), ("seeds", "full")],
)
def test_parameters_of_other_methods_are_refused(name, method):
    sequences, value = encoded({"a": "MKV", "b": "MKW"}), [[0, 0]] if name == "seeds" else 3
    with pytest.raises(TypeError, match=f'{name} needs method=.*, got method="{method}"'):
        align_proteins(sequences, [0], [1], method=method, **{name: value})


@pytest.mark.data
def test_real_proteins_as_parasail():
    parasail = pytest.importorskip("parasail")
    path = DATA / "scop40_284.fasta"
    if not path.exists():
        pytest.skip(f"{path} is missing")
    sequences = read_fasta(path)
    draw = np.random.default_rng(8)
    left, right = draw.integers(0, len(sequences.names), (2, 400))
    texts = [sequences.text(i) for i in range(len(sequences.names))]
    known = [
        parasail.sw_striped_16(texts[i], texts[j], 11, 1, parasail.blosum62).score
        for i, j in zip(left, right, strict=True)
    ]
    assert alignment_scores(sequences, left, right).tolist() == known
    assert align_proteins(sequences, left, right).score.tolist() == known


@pytest.mark.gpu
@pytest.mark.parametrize("lanes", [1, 2])
def test_gpu(lanes):
    if reason := no_gpu():
        pytest.skip(reason)
    from edgewise.apps.cuda.smith_waterman import scores_of
    from edgewise.base.cuda.halves import has_halves

    if lanes == 2 and not has_halves():
        pytest.skip("the GPU has no instructions for two 16-bit numbers")
    draw = np.random.default_rng(9)
    texts = [
        "".join(draw.choice(list(LETTERS), size)) for size in [*draw.integers(1, 900, 60), 5000]
    ]
    texts += ["W" * 3300, "W" * 3200 + "A" * 10]  # beyond 16 bits
    sequences = encoded({str(i): text for i, text in enumerate(texts)})
    left, right = all_pairs(sequences)
    here = alignment_scores(sequences, left, right)
    there = scores_of(sequences, left, right, alignment._costs(11, 1), lanes)
    np.testing.assert_array_equal(here, there)
