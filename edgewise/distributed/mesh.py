"""A connection between every two ranks, and frames that all of them send and receive at once.

A frame names the collective that it belongs to, so ranks that make different calls are told apart
without a message of their own. Whatever a rank has begun to send or to receive is finished by the
next call: a failed call ends with a frame END on every connection, behind which all start clean.
"""

from __future__ import annotations

import select
import socket
import struct
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from edgewise.distributed.comm import RankError
from edgewise.distributed.handshake import accept, connect, receive, send
from edgewise.distributed.rank_threads import differing

__all__ = ["Mesh", "PeerLostError", "join"]

_HEAD = struct.Struct("<BIQ")  # kind, bytes of the name, bytes of data
_DATA, _END = 0, 1
_PIECE = 1 << 20


class PeerLostError(RankError):
    """The connection to another rank has ended: that rank's process has, too."""


def join(rank: int, server: Any, addresses: list[Any], key: bytes, limit: float) -> Mesh:
    """Connect to all other ranks; each calls this with the addresses of all."""
    found = {}
    for peer in range(rank):
        found[peer] = connect(addresses[peer], key)
        send(found[peer], rank)
    for _ in range(rank + 1, len(addresses)):
        connection = accept(server, key, limit)
        found[receive(connection)] = connection
    return Mesh(rank, found)


class _Frame:
    """A frame while it arrives."""

    def __init__(self) -> None:
        self.into: Any = bytearray(_HEAD.size)
        self.got = self.stage = self.kind = self.nbytes = 0
        self.name = ""

    def read(self, connection: socket.socket) -> bool:
        """Take what has arrived; is the frame complete?"""
        while True:
            view = memoryview(self.into)
            while self.got < len(view):
                try:
                    more = connection.recv_into(view[self.got : self.got + _PIECE])
                except BlockingIOError:
                    return False
                if not more:
                    raise EOFError
                self.got += more
            if self.stage == 0:
                self.kind, length, self.nbytes = _HEAD.unpack(self.into)
                self.into = bytearray(length)
            elif self.stage == 1:
                self.name = self.into.decode()
                self.into = np.empty(self.nbytes, np.uint8)
            else:
                return True
            self.stage, self.got = self.stage + 1, 0


class Mesh:
    """One rank's connections to all others, by their ranks."""

    def __init__(self, rank: int, connections: dict[int, socket.socket]) -> None:
        self.rank, self.size = rank, len(connections) + 1
        self.connections = connections
        for connection in connections.values():
            connection.setblocking(False)
        self._numbers = {one.fileno(): peer for peer, one in connections.items()}
        self._out: dict[int, deque[memoryview]] = {peer: deque() for peer in connections}
        self._in = {peer: _Frame() for peer in connections}
        self._ended: dict[int, str] = {}  # ranks that have ended this call, and why

    def swap(
        self, call: str, sends: Mapping[int, np.ndarray], receives: Iterable[int]
    ) -> dict[int, np.ndarray]:
        """Send bytes to some ranks while receiving from some; returns the bytes by rank."""
        for peer, data in sends.items():
            self._post(peer, _DATA, call, data)
        found: dict[int, np.ndarray] = {}
        wanted = {*receives}
        while wanted or any(self._out[peer] for peer in sends):
            for peer in wanted & {*self._ended}:
                self._complain(peer, call)
            for peer, frame in self._progress(wanted):
                if frame.name != call:
                    raise RankError(differing((self.rank, call), (peer, frame.name)))
                found[peer] = frame.into
                wanted.discard(peer)
        return found

    def finish(self, failure: str = "") -> None:
        """End a call on all ranks; ``failure`` says why if it failed here. Drops what is left."""
        for peer in self.connections:
            self._post(peer, _END, failure, np.empty(0, np.uint8))
        while (missing := {*self.connections} - {*self._ended}) or any(self._out.values()):
            self._progress(missing)
        self._ended.clear()

    def close(self) -> None:
        """Close all connections."""
        for connection in self.connections.values():
            connection.close()

    def _complain(self, peer: int, call: str) -> None:
        why = self._ended[peer]
        if why:
            raise RankError(why)
        raise RankError(f"rank {peer} returned while rank {self.rank} waits in {call}")

    def _post(self, peer: int, kind: int, name: str, data: np.ndarray) -> None:
        word = name.encode()
        queue = self._out[peer]
        queue.append(memoryview(_HEAD.pack(kind, len(word), data.nbytes) + word))
        if data.nbytes:
            queue.append(data.view(np.uint8).data)
        self._push(peer)

    def _push(self, peer: int) -> None:
        """Send what the connection takes now."""
        queue, connection = self._out[peer], self.connections[peer]
        while queue:
            try:
                sent = connection.send(queue[0][:_PIECE])
            except BlockingIOError:
                return
            except OSError:
                raise self._lost(peer) from None
            if sent == len(queue[0]):
                queue.popleft()
            else:
                queue[0] = queue[0][sent:]

    def _progress(self, wanted: set[int]) -> list[tuple[int, _Frame]]:
        """Wait until something moves; return the data that is complete, one frame of a rank."""
        poll = select.poll()
        for peer, connection in self.connections.items():
            events = select.POLLIN * (peer in wanted) | select.POLLOUT * bool(self._out[peer])
            if events:
                poll.register(connection.fileno(), events)
        complete = []
        for number, events in poll.poll():
            peer = self._numbers[number]
            if peer in wanted and events & ~select.POLLOUT:
                try:
                    whole = self._in[peer].read(self.connections[peer])
                except (EOFError, OSError):
                    raise self._lost(peer) from None
                if whole:
                    frame, self._in[peer] = self._in[peer], _Frame()
                    if frame.kind == _END:
                        self._ended[peer] = frame.name
                    else:
                        complete.append((peer, frame))
            if self._out[peer]:
                self._push(peer)
        return complete

    def _lost(self, peer: int) -> PeerLostError:
        return PeerLostError(f"rank {self.rank} lost its connection to rank {peer}")
