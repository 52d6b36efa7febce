"""Keys of anonymizers: from a file that nobody else can read, or from the environment.

A key is 32 bytes. A file holds them as they are or as 64 hexadecimal digits, the variable
``EDGEWISE_KEY`` as digits. There is no way to give one on a command line, where every user of the
machine could see it. No error, no repr and no traceback shows a key, not even one that prints
the variables of its functions: none of them that can fail holds its bytes.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import secrets
import stat
import sys
from typing import Any, NoReturn

__all__ = ["KEY_VARIABLE", "Key", "make_key", "read_key"]

#: The environment variable that `read_key` looks at when it is given no file.
KEY_VARIABLE = "EDGEWISE_KEY"

_SIZE = 32
_DIGITS = 2 * _SIZE


class Key:
    """A secret key of 32 bytes, which is never printed.

    Most keys come from `read_key`. Keys are equal if their bytes are. A key cannot be pickled.

    Parameters
    ----------
    secret : bytes
        32 random bytes: ``secrets.token_bytes(32)``.

    Examples
    --------
    >>> Key(bytes(range(32)))
    Key(hidden)
    >>> Key(b"swordfish")
    Traceback (most recent call last):
    ValueError: secret must have 32 bytes, got 9
    """

    __slots__ = ("_part",)

    def __init__(self, secret: bytes):
        kind, size = type(secret), len(secret) if hasattr(secret, "__len__") else 0
        sound = kind is bytes and size == _SIZE
        if sound:
            self._part = _cutter(secret)
        del secret  # the frame of an error that follows holds it no more
        if kind is not bytes:
            raise TypeError(f"secret must be bytes, got {kind.__name__}")
        if not sound:
            raise ValueError(f"secret must have {_SIZE} bytes, got {size}")

    def part(self, start: int, stop: int) -> bytes:
        """Return some bytes of the key, for anonymization only; never put them in a message."""
        return self._part(start, stop)

    def derived(self, purpose: str, size: int) -> bytes:
        """Return ``size`` bytes derived for one purpose, from which the key cannot be recovered."""
        return hashlib.shake_256(self._part(0, _SIZE) + purpose.encode()).digest(size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Key):
            return NotImplemented
        return hmac.compare_digest(self._part(0, _SIZE), other._part(0, _SIZE))

    def __hash__(self) -> int:
        return hash(self.derived("hash", 8))

    def __repr__(self) -> str:
        return "Key(hidden)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled or copied: let each process read it with read_key")


def read_key(path: str | os.PathLike | None = None) -> Key:
    """Return the key from a file, or from the environment variable ``EDGEWISE_KEY``.

    Parameters
    ----------
    path : path, optional
        A file of 32 bytes or of 64 hexadecimal digits (white space around them is ignored), or a
        pipe. Only its owner may have permission to read and write it. `make_key` makes one.

    Raises
    ------
    PermissionError
        If the group or others can read or write the file.
    ValueError
        If the file holds no valid key (too short, or all zeros), or if the variable is not set.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = make_key(f"{folder}/key.txt")
    ...     read_key(f"{folder}/key.txt") == made
    True
    """
    if path is None:
        return _checked(*_from_environment())
    return _checked(*_from_file(path))


def make_key(path: str | os.PathLike) -> Key:
    """Draw a new random key and write it to a new file that only its owner can read.

    Parameters
    ----------
    path : path
        The file to write, as 64 hexadecimal digits. An existing file is never replaced, because a
        lost key makes it impossible to anonymize further captures consistently.

    Returns
    -------
    Key
        The new key.

    Raises
    ------
    FileExistsError
        If the file already exists.
    """
    name = os.fspath(path)
    try:
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise FileExistsError(f"there is a file {name} already: a key is never replaced") from None
    try:
        with open(descriptor, "wb") as file:
            if hasattr(os, "fchmod"):  # whatever the mask of the process takes away
                os.fchmod(descriptor, 0o600)
            file.write(secrets.token_hex(_SIZE).encode() + b"\n")
            file.flush()
            os.fsync(descriptor)
        return read_key(name)
    except BaseException:
        os.unlink(name)
        raise


def _checked(key: Key | None, error: Exception | None) -> Key:
    """The key, or the error: raised where the content of the file is in sight no more."""
    if error is not None:
        raise error
    assert key is not None
    return key


def _from_environment() -> tuple[Key | None, Exception | None]:
    text = os.environ.get(KEY_VARIABLE)
    if text is None:
        return None, ValueError(f"there is no key: name a file, or set {KEY_VARIABLE}")
    return _decoded(os.fsencode(text), f"the environment variable {KEY_VARIABLE}", raw=False)


def _from_file(path: Any) -> tuple[Key | None, Exception | None]:
    name = os.fspath(path)
    with open(name, "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
            return None, ValueError(f"{name}: a key must be in a file, and this is none")
        mode = stat.S_IMODE(status.st_mode)
        if mode & 0o077 and sys.platform != "win32":  # which has access lists instead
            others = f"others can read or change this key file (mode {mode:04o}); chmod 600 it"
            return None, PermissionError(errno.EACCES, others, name)
        content = b""
        while len(content) <= 1 << 12 and (more := file.read(1 << 12)):
            content += more
    return _decoded(content, name, raw=True)


def _decoded(content: bytes, where: str, raw: bool) -> tuple[Key | None, Exception | None]:
    """The key in some content: its bytes as they are, if that is allowed, or as digits."""
    digits = content.strip()
    if content == bytes(_SIZE) or digits == b"0" * _DIGITS:
        return None, ValueError(f"{where}: all zeros, which is no secret; make_key draws a key")
    if raw and len(content) == _SIZE:
        return Key(content), None
    if len(digits) == _DIGITS and all(one in b"0123456789abcdefABCDEF" for one in digits):
        return Key(bytes.fromhex(digits.decode())), None
    rule = f"a key must have {_DIGITS} hexadecimal digits"
    if raw:
        rule += f", or be {_SIZE} bytes"
    if len(digits) < _DIGITS:
        return None, ValueError(f"{where}: too short: {rule}, got {len(content)} bytes")
    return None, ValueError(f"{where}: {rule}; this holds something else")


def _cutter(secret: bytes) -> Any:
    """A function that gives parts of the secret: what shows attributes shows a function alone."""
    return lambda start, stop: secret[start:stop]
