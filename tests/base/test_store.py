"""The folder of kernels: which one, whose, and what is taken from it."""

from __future__ import annotations

import os
import warnings

import pytest

from edgewise.base import store
from edgewise.base.store import cache_directory, clear_cache, keep, kept


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("EDGEWISE_CACHE_DIR", str(tmp_path / "kernels"))
    store._warn.cache_clear()
    return tmp_path / "kernels"


def test_where_kernels_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("EDGEWISE_CACHE_DIR", str(tmp_path / "here"))
    assert cache_directory() == tmp_path / "here"
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "old.kernel").write_bytes(b"")
    clear_cache()
    assert not (tmp_path / "here").exists()
    clear_cache()
    monkeypatch.delenv("EDGEWISE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "edgewise" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "edgewise" / "kernels"


def test_what_is_kept_comes_back_under_its_key_alone(folder):
    assert kept("name", "key") is None
    keep("name", "key", b"content")
    assert kept("name", "key") == b"content"
    assert kept("name", "other") is None and kept("other", "key") is None
    (file,) = folder.iterdir()
    keep("name", "other", b"more")
    (other,) = set(folder.iterdir()) - {file}
    other.write_bytes(file.read_bytes())  # a whole file under another's name
    assert kept("name", "other") is None and kept("name", "key") == b"content"
    file.write_bytes(file.read_bytes()[:-1])
    assert kept("name", "key") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners and modes here")
def test_a_folder_that_others_may_write_to_is_not_used(folder, monkeypatch):
    keep("name", "key", b"content")
    assert folder.stat().st_mode & 0o077 == 0  # made for this user alone
    for mode in (0o720, 0o702, 0o777):
        store._warn.cache_clear()
        folder.chmod(mode)
        with pytest.warns(RuntimeWarning, match="EDGEWISE_CACHE_DIR") as told:
            assert kept("name", "key") is None
            keep("name", "more", b"content")
        assert len(told) == 1, "one warning is enough"
        assert len(list(folder.iterdir())) == 1
    folder.chmod(0o755)  # others may read
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kept("name", "key") == b"content"
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    store._warn.cache_clear()
    with pytest.warns(RuntimeWarning, match=str(folder)):
        assert kept("name", "key") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners and modes here")
def test_a_file_that_others_may_write_to_is_not_read(folder):
    keep("name", "key", b"content")
    (file,) = folder.iterdir()
    file.chmod(0o666)
    assert kept("name", "key") is None
    keep("name", "key", b"content")
    assert kept("name", "key") == b"content"
