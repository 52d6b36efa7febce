"""WebGraph's BV files, beside an encoder that writes each code as a string of bits."""

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph

PARTS = ["OUTDEGREES", "REFERENCES", "BLOCK_COUNT", "BLOCKS", "INTERVALS", "RESIDUALS"]
USUAL = ["GAMMA", "UNARY", "GAMMA", "GAMMA", "GAMMA", "ZETA"]


def unary(x):
    return "0" * x + "1"


def gamma(x):
    tail = bin(x + 1)[3:]
    return unary(len(tail)) + tail


def delta(x):
    tail = bin(x + 1)[3:]
    return gamma(len(tail)) + tail


def zeta(x, k):
    """Boldi and Vigna: the interval by a unary code, the place in it by a minimal binary code."""
    h = (len(bin(x + 1)) - 3) // k
    low, high = 2 ** (h * k), 2 ** (h * k + k)
    size, place = (high - low - 1).bit_length(), x + 1 - low
    short = 2**size - (high - low)
    if place < short:
        return unary(h) + (format(place, f"0{size - 1}b") if size > 1 else "")
    return unary(h) + (format(place + short, f"0{size}b") if size else "")


def fold(x):
    return 2 * x if x >= 0 else -2 * x - 1


def row_bits(v, rows, back, window, shortest, code):
    row, bits = rows[v], code(0, len(rows[v]))
    if not row:
        return bits
    rest = set(row)
    if window:
        bits += code(1, back)
    if back:
        runs, copying = [0], True
        for u in rows[v - back]:
            if (u in rest) != copying:
                runs.append(0)
                copying = not copying
            runs[-1] += 1
        rest -= set(rows[v - back])
        blocks = runs[:-1]
        bits += code(2, len(blocks)) + "".join(code(3, b - (i > 0)) for i, b in enumerate(blocks))
    if rest and shortest:
        runs = []
        for u in sorted(rest):
            if runs and runs[-1][-1] == u - 1:
                runs[-1].append(u)
            else:
                runs.append([u])
        runs = [run for run in runs if len(run) >= shortest]
        bits += code(4, len(runs))
        end = None
        for run in runs:
            bits += code(4, fold(run[0] - v) if end is None else run[0] - end - 2)
            bits += code(4, len(run) - shortest)
            end = run[-1]
            rest -= set(run)
    last = None
    for u in sorted(rest):
        bits += code(5, fold(u - v) if last is None else u - last - 1)
        last = u
    return bits


def save(folder, rows, *, names=USUAL, k=3, window=7, shortest=4, seed=0, more=""):
    rng = random.Random(seed)
    ways = {"UNARY": unary, "GAMMA": gamma, "DELTA": delta, "ZETA": lambda x: zeta(x, k)}
    bits = ""
    for v in range(len(rows)):
        back = rng.randint(0, min(v, window))
        bits += row_bits(v, rows, back, window, shortest, lambda part, x: ways[names[part]](x))
    bits += "0" * (-len(bits) % 8)
    flags = "|".join(f"{part}_{name}" for part, name in zip(PARTS, names, strict=True))
    (folder / "g.graph").write_bytes(int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:])
    (folder / "g.properties").write_text(
        f"#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nnodes={len(rows)}\n"
        f"arcs={sum(map(len, rows))}\nwindowsize={window}\nminintervallength={shortest}\n"
        f"zetak={k}\ncompressionflags={flags}\n{more}"
    )
    return folder / "g.properties"


def rows_of(graph):
    return [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]


LIKE = st.lists(st.sets(st.integers(0, 29)), min_size=30, max_size=30)


@settings(max_examples=150, deadline=None)
@given(
    rows=LIKE,
    names=st.lists(st.sampled_from(["UNARY", "GAMMA", "DELTA", "ZETA"]), min_size=6, max_size=6),
    k=st.integers(1, 7),
    window=st.sampled_from([0, 1, 7, 40]),
    shortest=st.sampled_from([0, 1, 2, 4]),
    seed=st.integers(0, 9),
)
def test_rows_come_back(tmp_path_factory, rows, names, k, window, shortest, seed):
    rows = [sorted(row) for row in rows]
    options = {"names": names, "k": k, "window": window, "shortest": shortest, "seed": seed}
    graph = ew.read(save(tmp_path_factory.mktemp("bv"), rows, **options))
    graph.validate()
    assert graph.directed and rows_of(graph) == rows


@pytest.mark.parametrize("rows", [[], [[]], [[0]], [[1], []], [[]] * 700, [list(range(3000))] * 3])
def test_small_and_long(tmp_path, rows):
    rows = rows + [[]] * (max(map(len, rows), default=0) - len(rows))
    assert rows_of(ew.read(save(tmp_path, rows))) == rows


def test_large_gaps(tmp_path):
    rows = [[0, 69_999], [35_000], *[[]] * 69_997, [1]]
    assert rows_of(ew.read(save(tmp_path, rows, names=["DELTA"] * 6))) == rows


def test_either_file_names_the_graph_and_metis_is_not_disturbed(tmp_path):
    save(tmp_path, [[1, 2], [2], []])
    assert ew.read(tmp_path / "g.graph") == ew.read(tmp_path / "g.properties")
    assert ew.read(tmp_path / "g.graph", format="webgraph").num_edges == 3
    path = Graph.from_edges([0, 1], [1, 2])
    ew.write(path, tmp_path / "m.graph")
    assert ew.read(tmp_path / "m.graph") == path
    ew.write(path, tmp_path / "g.graph")  # METIS's: files of WebGraph are not written
    assert (tmp_path / "g.graph").read_bytes().startswith(b"%")


def test_nothing_is_written(tmp_path):
    with pytest.raises(ValueError, match="format must be one of"):
        ew.write(Graph.from_edges([0], [1]), tmp_path / "g.x", format="webgraph")
    with pytest.raises(ValueError, match="cannot tell the format"):
        ew.write(Graph.from_edges([0], [1]), tmp_path / "g.properties")


def test_undirected_files_have_both_arcs(tmp_path):
    edges = ew.read(save(tmp_path, [[1], [0, 2], [1]]), directed=False)
    assert not edges.directed and edges.num_edges == 2
    with pytest.raises(FileFormatError, match=r"g\.graph"):
        ew.read(save(tmp_path, [[1], []]), directed=False)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("BVGraph\nn", "EFGraph\nn", "graphclass must be BVGraph"),
        ("nodes=3", "nodes=x", "nodes must be a whole number, got 'x'"),
        ("nodes=3", "", "nodes must be a whole number, got ''"),
        ("nodes=3", "nodes=3000000000", "at most 2"),
        ("nodes=3", "nodes=2000000", "truncated"),
        ("arcs=3", "arcs=2", "vertex 1: more arcs"),
        ("arcs=3", "arcs=4", "3 arcs, but .properties says 4"),
        ("BLOCKS_GAMMA", "BLOCKS_GOLOMB", "'BLOCKS_GOLOMB' of compressionflags is not known"),
        ("zetak=3", "zetak=0", "zetak must be from 1 to 16, got"),
        ("zetak=3", "endianness=little", "endianness must be big, got 'little'"),
    ],
)
def test_wrong_properties_are_named(tmp_path, old, new, word):
    path = save(tmp_path, [[1, 2], [2], []])
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FileFormatError, match=word):
        ew.read(path)


def test_a_missing_file_is_named(tmp_path):
    path = save(tmp_path, [[1], []])
    (tmp_path / "g.graph").unlink()
    with pytest.raises(FileNotFoundError, match=r"g\.graph"):
        ew.read(path)


def test_damaged_bits_are_a_sound_graph_or_an_error(tmp_path):
    rng, outcomes = random.Random(1), {True: 0, False: 0}
    rows = [sorted(rng.sample(range(40), rng.randint(0, 12))) for _ in range(40)]
    path = save(tmp_path, rows)
    sound = np.frombuffer((tmp_path / "g.graph").read_bytes(), np.uint8)
    for _ in range(400):
        junk = sound.copy()
        for _ in range(rng.choice([1, 1, 3])):
            junk[rng.randrange(len(junk))] ^= 1 << rng.randrange(8)
        (tmp_path / "g.graph").write_bytes(
            junk[: rng.choice([len(junk), rng.randrange(len(junk))])]
        )
        try:
            graph = ew.read(path)
        except FileFormatError as error:
            assert str(tmp_path) in str(error)
            outcomes[False] += 1
        else:
            graph.validate()
            outcomes[True] += 1
    assert outcomes[False] > 100 and outcomes[True] > 0
