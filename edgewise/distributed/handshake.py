"""Sockets whose two ends have proven that they hold the same key, and objects sent over them.

Each side sends 32 random bytes and answers the other's with an HMAC (SHA-256) of both, so the key
itself never travels, and an answer cannot be replayed or reflected. Nothing is unpickled before
both proofs are checked. The traffic is not encrypted: use networks that you trust.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import pickle
import socket
import struct
import time
from typing import Any

__all__ = ["accept", "connect", "listen", "receive", "send"]

_NONCE = 32
_PATIENCE_S = 5.0  # for a proof; a stranger who says nothing is dropped then
_LENGTH = struct.Struct("<Q")


def listen(host: str) -> socket.socket:
    """Return a socket that listens on a free port of one interface."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, 0), family=family, backlog=1024)


def accept(server: socket.socket, key: bytes, limit: float) -> socket.socket:
    """Return the next connection that proves the key; others are closed.

    Raises
    ------
    TimeoutError
        If none comes within ``limit`` seconds.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with listen("127.0.0.1") as server, ThreadPoolExecutor() as pool:
    ...     other = pool.submit(connect, server.getsockname(), b"key")
    ...     with accept(server, b"key", 10.0) as here, other.result() as there:
    ...         send(there, "hello")
    ...         receive(here)
    'hello'
    """
    end = time.monotonic() + limit
    while True:
        server.settimeout(max(end - time.monotonic(), 0.001))
        connection, _ = server.accept()
        if _proven(connection, key, b"server", b"client"):
            return _ready(connection)
        connection.close()


def connect(address: Any, key: bytes) -> socket.socket:
    """Return a connection to an address, after both sides have proven the key."""
    connection = socket.create_connection(tuple(address)[:2], timeout=_PATIENCE_S * 4)
    if not _proven(connection, key, b"client", b"server", 4 * _PATIENCE_S):
        connection.close()
        raise PermissionError(f"{address[0]}:{address[1]} has another key, or did not answer")
    return _ready(connection)


def send(connection: socket.socket, thing: Any) -> None:
    """Send an object; it is pickled."""
    send_bytes(connection, pickle.dumps(thing, protocol=5))


def send_bytes(connection: socket.socket, data: bytes) -> None:
    """Send an object that is pickled already."""
    connection.sendall(_LENGTH.pack(len(data)))
    connection.sendall(data)


def receive(connection: socket.socket) -> Any:
    """Return the next object; EOFError if the other side has closed the connection."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    return pickle.loads(_exactly(connection, length))


def _proven(
    connection: socket.socket, key: bytes, me: bytes, other: bytes, patience: float = _PATIENCE_S
) -> bool:
    """Have both sides shown that they hold the key?"""
    connection.settimeout(patience)
    mine = os.urandom(_NONCE)
    try:
        connection.sendall(mine)
        theirs = bytes(_exactly(connection, _NONCE))
        connection.sendall(hmac.digest(key, me + theirs + mine, "sha256"))
        answer = bytes(_exactly(connection, 32))
    except (OSError, EOFError):
        return False
    return hmac.compare_digest(answer, hmac.digest(key, other + mine + theirs, "sha256"))


def _ready(connection: socket.socket) -> socket.socket:
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(OSError, AttributeError):  # a lost machine shows in minutes, not hours
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60)
    return connection


def _exactly(connection: socket.socket, count: int) -> bytearray:
    data = bytearray(count)
    view, got = memoryview(data), 0
    while got < count:
        more = connection.recv_into(view[got : got + (1 << 24)])
        if not more:
            raise EOFError("the connection was closed")
        got += more
    return data
