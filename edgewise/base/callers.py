"""For which Python thread another one works.

A launch that takes long is led by a thread of its own (`edgewise.base.threads`), while the thread
that called waits. What is told about the work, such as the name of what is being compiled, is
looked for on the stack of the one that called.
"""

from __future__ import annotations

import threading

__all__ = ["Leading", "caller", "leading"]


class Leading:
    """The ids of the thread that leads launches and of the one it leads them for; 0: none."""

    leader = caller = 0


leading = Leading()


def caller() -> int:
    """The id of the Python thread for which this one works: its own, or the launching one's."""
    here = threading.get_ident()
    return leading.caller if here == leading.leader else here
