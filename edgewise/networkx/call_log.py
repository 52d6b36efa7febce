"""What ran where, and why: the record behind `explain`."""

from __future__ import annotations

from typing import NamedTuple

from edgewise.networkx.choosing import worded
from edgewise.networkx.recent_calls import RECORDS

__all__ = ["Explanation", "Record", "explain"]


class Record(NamedTuple):
    """One call of a NetworkX function."""

    function: str
    ran: str  # "edgewise" or "networkx"
    reason: str
    seconds: float | None = None


class Explanation(list):
    """The records of recent calls; its text is a table."""

    def __repr__(self) -> str:
        if not self:
            return "NetworkX has asked the backend for nothing yet"
        width = max(len(one.function) for one in self)
        return "\n".join(
            f"{one.function:{width}}  {one.ran:8}  "
            f"{'' if one.seconds is None else f'{one.seconds:.3g} s'!s:8}  {one.reason}".rstrip()
            for one in self
        )

    __str__ = __repr__


def explain(last: int = 20) -> Explanation:
    """Return where the most recent calls of NetworkX functions ran, and why.

    Parameters
    ----------
    last : int
        Number of calls, at most 1000.

    Returns
    -------
    Explanation
        A list of records ``(function, ran, reason, seconds)``, the latest call last. Its text is a
        table. Results that are computed later, such as generators, take time that is not counted.

    Examples
    --------
    >>> import networkx as nx, edgewise as ew
    >>> nx.transitivity(nx.complete_graph(3), backend="edgewise")
    1.0
    >>> ew.nx.explain(1)[0].ran
    'edgewise'
    """
    records = [*RECORDS][-last:]
    return Explanation(Record(a, where, worded(why), *rest) for a, where, why, *rest in records)
