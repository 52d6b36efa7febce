"""Drives a headless Chromium over its debugging pipe: NUL-ended JSON on descriptors 3 and 4."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

#: No sandbox (tests may run as root), and nothing that would look for the network by itself.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


def find_chromium() -> str | None:
    """The browser's program, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Chromium:
    """A browser with one page; collects what the page requested and what its console said."""

    def __init__(self, program: str, folder: Path):
        self._numbers, self._buffer = itertools.count(1), b""
        self.requests: list[str] = []
        self.complaints: list[str] = []
        read, self._to = os.pipe()
        self._from, write = os.pipe()
        high = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 20) for one in (read, write)]
        os.close(read)
        os.close(write)
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--source-data-dir={folder}", "--remote-debugging-pipe"],
            pass_fds=(3, 4),
            preexec_fn=lambda: (os.dup2(high[0], 3), os.dup2(high[1], 4)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for one in high:
            os.close(one)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    _session: str | None = None

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)
        os.close(self._to)
        os.close(self._from)

    def open(self, path: Path) -> None:
        """Load a file and wait until it is drawn."""
        self.call("Page.navigate", url=path.as_uri())
        limit = time.monotonic() + 30
        while self.evaluate("document.readyState") != "complete":
            assert time.monotonic() < limit, "the page did not load"
            time.sleep(0.02)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command and return its answer; events on the way are kept."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session and not method.startswith("Target."):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._keep(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], 60)
            assert ready, "the browser does not answer"
            part = os.read(self._from, 1 << 16)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _keep(self, event: dict[str, Any]) -> None:
        method, said = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        level = {
            "Runtime.exceptionThrown": "error",
            "Runtime.consoleAPICalled": said.get("type"),
            "Log.entryAdded": said.get("entry", {}).get("level"),
        }.get(method)
        if level in ("error", "warning"):
            self.complaints.append(str(said))
