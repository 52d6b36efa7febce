"""Files as bytes: decompression and its errors, and writes that are whole or not at all."""

import bz2
import gc
import gzip
import lzma
import os
import stat
import tracemalloc

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.io import files, read
from edgewise.io.files import (
    COMPRESSIONS,
    atomic_write,
    compression,
    map_bytes,
    max_bytes,
    plain_suffix,
    read_bytes,
)

CONTENT = b"0 1\n1 2\n" * 5000


@pytest.fixture(params=["", *COMPRESSIONS])
def path(request, tmp_path):
    """A path with each of the known compressions, or none."""
    return tmp_path / f"graph.txt{request.param}"


def put(path, content=CONTENT):
    with atomic_write(path) as file:
        file.write(content)


def test_what_is_written_is_read(path):
    put(path)
    data = read_bytes(path)
    assert data.dtype == np.uint8
    assert not data.flags.writeable
    assert data.tobytes() == CONTENT


def test_empty_content(path):
    put(path, b"")
    assert len(read_bytes(path)) == 0


def test_suffixes_really_compress(path):
    put(path)
    assert (path.stat().st_size < len(CONTENT) // 10) == (compression(path) is not None)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
@pytest.mark.parametrize("part", [0, 1, 0.5, -1])
def test_a_truncated_archive_is_named(tmp_path, suffix, part):
    path = tmp_path / f"graph.txt{suffix}"
    put(path)
    whole = path.read_bytes()
    size = int(part * len(whole)) if isinstance(part, float) else part
    path.write_bytes(whole[:size])
    with pytest.raises(FileFormatError, match=r"graph\.txt.*(truncated|not a sound)") as error:
        read_bytes(path)
    assert error.value.path == str(path)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
@pytest.mark.parametrize("junk", [b"0 1\n", b"\x00" * 20, b"\xff\xfe\x1f\x8b"])
def test_junk_is_no_archive(tmp_path, suffix, junk):
    path = tmp_path / f"graph.txt{suffix}"
    path.write_bytes(junk)
    with pytest.raises(FileFormatError):
        read_bytes(path)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_junk_after_an_archive(tmp_path, suffix):
    path = tmp_path / f"graph.txt{suffix}"
    put(path)
    path.write_bytes(path.read_bytes() + b"junk")
    with pytest.raises(FileFormatError):
        read_bytes(path)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_archives_of_several_members(tmp_path, suffix):
    path = tmp_path / f"graph.txt{suffix}"
    put(path)
    path.write_bytes(path.read_bytes() * 3)
    assert read_bytes(path).tobytes() == CONTENT * 3


def test_archives_are_those_of_the_common_tools(tmp_path):
    put(tmp_path / "a.gz")
    put(tmp_path / "a.bz2")
    put(tmp_path / "a.xz")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == CONTENT
    assert bz2.decompress((tmp_path / "a.bz2").read_bytes()) == CONTENT
    assert lzma.decompress((tmp_path / "a.xz").read_bytes()) == CONTENT
    (tmp_path / "b.gz").write_bytes(gzip.compress(CONTENT))
    assert read_bytes(tmp_path / "b.gz").tobytes() == CONTENT


def test_a_compressed_file_is_the_same_every_time(tmp_path):
    put(tmp_path / "a.gz")
    put(tmp_path / "b.gz")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_missing_files_and_folders_are_named(path, tmp_path):
    with pytest.raises(FileNotFoundError, match=path.name):
        read_bytes(path)
    with pytest.raises(IsADirectoryError, match="is a folder"):
        read_bytes(tmp_path)
    with pytest.raises(FileNotFoundError, match="no folder"), atomic_write(path / "x.txt"):
        pass
    with pytest.raises(IsADirectoryError, match="folder"), atomic_write(tmp_path):
        pass


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("older", [False, True])
def test_a_failed_write_leaves_nothing(path, error, older):
    if older:
        put(path, b"before")

    def fail():
        with atomic_write(path) as file:
            file.write(CONTENT)
            raise error

    with pytest.raises(error):
        fail()
    assert os.listdir(path.parent) == ([path.name] if older else [])
    if older:
        assert read_bytes(path).tobytes() == b"before"


def test_the_file_appears_at_the_end(path):
    with atomic_write(path) as file:
        file.write(CONTENT)
        assert not path.exists()
    assert os.listdir(path.parent) == [path.name]


def test_permissions_are_those_of_a_plain_file(tmp_path):
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_bytes(b"")
    put(ours)
    assert stat.S_IMODE(ours.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    ours.chmod(0o600)
    put(ours)
    assert stat.S_IMODE(ours.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    put(tmp_path / "real.txt", b"old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    put(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


def test_a_pipe_is_written_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        put(pipe, b"0 1\n")
        assert os.read(reading, 100) == b"0 1\n"
    finally:
        os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_plain_suffix():
    assert plain_suffix("a.b/graph.MTX.GZ") == ".mtx"
    assert plain_suffix("graph.gz") == ""
    assert compression("graph.zst.txt") is None


@pytest.mark.parametrize("size", [0, 1, 8, (1 << 22) - 1, 1 << 22, (1 << 23) + 5])
def test_plain_files_of_every_size_are_copied(tmp_path, size):
    path = tmp_path / "plain"
    content = np.random.default_rng(size).bytes(size)
    path.write_bytes(content)
    data = read_bytes(path)
    assert data.tobytes() == content and not data.flags.writeable
    path.write_bytes(b"")
    assert data.tobytes() == content  # its own memory: no crash, no other content


@pytest.mark.parametrize(
    "change",
    [
        lambda path: os.truncate(path, 5000),
        lambda path: os.truncate(path, 10**8),
        lambda path: os.utime(path, ns=(1, 1)),
    ],
    ids=["cut", "grown", "rewritten"],
)
def test_a_file_that_changes_while_it_is_read(tmp_path, monkeypatch, change):
    path = tmp_path / "graph.txt"
    path.write_bytes(CONTENT * 300)
    whole = os.preadv

    def preadv(file, buffers, offset):
        if offset == 0:
            change(path)
        return whole(file, buffers, offset)

    monkeypatch.setattr(os, "preadv", preadv)
    with pytest.raises(FileFormatError, match=r"graph\.txt.*while it was read"):
        read(path)


def test_files_beyond_the_memory_are_mapped(tmp_path, monkeypatch):
    path = tmp_path / "graph.txt"
    path.write_bytes(CONTENT)
    monkeypatch.setattr(files, "free_memory", lambda: 1000)
    assert read_bytes(path).base is not None
    assert read_bytes(path).tobytes() == map_bytes(path).tobytes() == CONTENT


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_archives_hold_no_more_than_allowed(tmp_path, suffix, monkeypatch):
    path = tmp_path / f"bomb.txt{suffix}"
    put(path, b"0" * 50_000_000)
    assert path.stat().st_size < 100_000
    with pytest.raises(FileFormatError, match="holds more than 1000000 bytes; pass max_bytes="):
        read(path, max_bytes=1_000_000)
    monkeypatch.setattr(files, "_LEAST_LIMIT", 1_000_000)
    with pytest.raises(FileFormatError, match="holds more than"):
        read_bytes(path)
    with max_bytes(50_000_000):
        assert len(read_bytes(path)) == 50_000_000
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"), max_bytes(0):
        pass


def test_by_default_no_more_than_half_of_the_free_memory(tmp_path, monkeypatch):
    put(tmp_path / "a.txt.gz")
    monkeypatch.setattr(files, "free_memory", lambda: 2000)
    with pytest.raises(FileFormatError, match="holds more than 1000 bytes"):
        read_bytes(tmp_path / "a.txt.gz")


def test_an_endless_pipe_ends(monkeypatch):
    monkeypatch.setattr(files, "free_memory", lambda: 10**7)
    with pytest.raises(FileFormatError, match="the pipe holds more than 5000000 bytes"):
        read("/dev/zero", format="edges")


@pytest.mark.parametrize("suffix", [".zst", ".gz", ".bz2", ".xz"])
def test_damaged_archives_leak_nothing(tmp_path, suffix):
    path = tmp_path / f"a.txt{suffix}"
    with atomic_write(path) as file:
        file.write(b"12 13\n" * (1 << 14))
    path.write_bytes(path.read_bytes()[:-9])

    def attempt():
        with pytest.raises(FileFormatError, match="truncated"):
            read_bytes(path)

    attempt()
    tracemalloc.start()
    try:
        for _ in range(4):
            attempt()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()
