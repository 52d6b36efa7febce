"""The folder of compiled kernels: files that this user wrote, each found by the hash of its key.

A file begins with a sum over its key and its content: one that is damaged, or is not what its name
says, counts as missing and is written again. Kernels are machine code: whoever can write to the
folder can run code as its user. So a folder that belongs to somebody else, or that others may
write to, is not used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import warnings
from functools import cache
from pathlib import Path

__all__ = ["cache_directory", "clear_cache", "keep", "kept", "own_folder"]

_SUM = 32  # bytes of the sum that a file begins with


def cache_directory() -> Path:
    """Where compiled kernels are kept: EDGEWISE_CACHE_DIR, or the user's cache folder."""
    named = os.environ.get("EDGEWISE_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "edgewise" / "kernels"


def clear_cache() -> None:
    """Remove every kernel kept on disk."""
    shutil.rmtree(cache_directory(), ignore_errors=True)


def kept(name: str, key: str) -> bytes | None:
    """What was kept under a key; None if there is nothing, or nothing that can be trusted."""
    folder = cache_directory()
    try:
        if not _trusted(folder):
            return None
        with _path(folder, name, key).open("rb") as file:
            content = file.read() if _ours(os.fstat(file.fileno())) else b""
    except OSError:
        return None
    return content[_SUM:] if _sum(key, content[_SUM:]) == content[:_SUM] else None


def keep(name: str, key: str, content: bytes) -> None:
    """Write whole or not at all; a folder that cannot be written costs compile time alone."""
    temporary = None
    try:
        folder = own_folder()
        if folder is None:
            return
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            temporary = file.name
            file.write(_sum(key, content) + content)
        os.replace(temporary, _path(folder, name, key))
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def own_folder() -> Path | None:
    """The folder, made if there is none; None if it is not to be trusted."""
    folder = cache_directory()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder if _trusted(folder) else None


def _path(folder: Path, name: str, key: str) -> Path:
    return folder / f"{name.strip('<>')}-{hashlib.sha256(key.encode()).hexdigest()[:40]}.kernel"


def _sum(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + content).digest()


def _trusted(folder: Path) -> bool:
    """Does the folder belong to this user, and may no one else write to it?"""
    trusted = _ours(os.stat(folder))
    if not trusted:
        _warn(str(folder))
    return trusted


def _ours(about: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):  # Windows: a user's folder is the user's by its access list
        return True
    return about.st_uid == os.getuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@cache
def _warn(folder: str) -> None:
    """Say once that a folder is not used."""
    warnings.warn(
        f"kernels are not kept: {folder} belongs to another user, or others may write to it. "
        f"Make it yours (chmod 700), or name another folder in EDGEWISE_CACHE_DIR",
        RuntimeWarning,
        stacklevel=2,
    )
