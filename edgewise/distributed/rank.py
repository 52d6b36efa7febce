"""One rank of `edgewise.cluster`: a process that waits for calls and answers them.

``python -m edgewise.distributed.rank`` reads one line from standard input: where the caller
listens, the key, and the rank's number. It ends when the caller closes the connection, however it
does, even in the middle of a call. A call that fails is answered with its error, and the rank
waits for the next; if another rank's process is lost, it ends.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import socket
import sys
import threading
import traceback
from typing import Any

from edgewise.distributed.comm import RankError
from edgewise.distributed.handshake import connect, listen, receive, send
from edgewise.distributed.mesh import Mesh, PeerLostError, join
from edgewise.distributed.rank_threads import cause
from edgewise.distributed.tcp import TcpCommunicator

__all__ = ["PEER_LOST", "main"]

PEER_LOST = 3  # the exit code of a rank that ends because another did


def main() -> None:
    """Join the other ranks, then answer calls until the caller leaves."""
    told = json.loads(sys.stdin.readline())
    key, rank = bytes.fromhex(told["key"]), int(told["rank"])
    control = connect(told["address"], key)
    server = listen(control.getsockname()[0])  # the interface that leads to the caller
    send(control, (rank, server.getsockname()[:2], os.getpid(), socket.gethostname()))
    addresses = receive(control)
    mesh = join(rank, server, addresses, key, float(told["limit"]))
    server.close()
    from edgewise.distributed.rank_tasks import Rank

    state = Rank(TcpCommunicator(mesh), told["grid"], told["device"])
    send(control, state.grid.shape)
    requests: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_listen, args=(control, requests), daemon=True).start()
    while True:
        _answer(state, mesh, control, *requests.get())


def _listen(control: socket.socket, requests: queue.Queue[Any]) -> None:
    """Take the caller's requests; end the process when the caller is gone."""
    try:
        while True:
            requests.put(receive(control))
    except (EOFError, OSError):
        os._exit(0)


def _answer(state: Any, mesh: Mesh, control: socket.socket, task: str, packed: bytes) -> None:
    failure = ""
    try:
        answer = pickle.dumps(state.perform(task, pickle.loads(packed)), protocol=5)
        outcome: tuple = ("done", answer)
    except BaseException as error:
        known = isinstance(error, RankError)
        failure = str(error) if known else f"rank {mesh.rank} failed: {cause(error)}"
        outcome = ("failed", *_packed(error), type(error) is PeerLostError)
    sys.stdout.flush()
    sys.stderr.flush()
    send(control, outcome)
    try:
        mesh.finish(failure)
    except PeerLostError:
        os._exit(PEER_LOST)


def _packed(error: BaseException) -> tuple[bytes, str]:
    """An error for another process, as itself or in words, and its traceback."""
    trace = "".join(traceback.format_exception(error))
    error.__cause__ = error.__context__ = None
    try:
        packed = pickle.dumps(error.with_traceback(None))
        pickle.loads(packed)
    except Exception:  # of many types, as objects pickle themselves
        packed = pickle.dumps(RuntimeError(cause(error)))
    return packed, trace


if __name__ == "__main__":
    main()
