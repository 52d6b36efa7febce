"""Network sensing: from packet captures to traffic matrices and what they say, without names.

Stages that chain: read packets, anonymize addresses, build hypersparse traffic matrices of windows
of packets, sum windows, and count. The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Chain": "chain",
    "Distributions": "quantities",
    "Event": "traffic",
    "Fit": "fits",
    "Flag": "unusual",
    "Largest": "largest",
    "Level": "folds",
    "Levels": "folds",
    "Packets": "packets",
    "Quantities": "quantities",
    "Save": "folds",
    "Sensing": "pipeline",
    "Stream": "chain",
    "Table": "folds",
    "Tally": "batches",
    "Total": "folds",
    "TrafficMatrix": "matrix",
    "Usual": "unusual",
    "WindowTable": "folds",
    "Windows": "windows",
    "build_windows": "windows",
    "identify": "packets",
    "iter_packets": "captures",
    "largest": "largest",
    "looks": "unusual",
    "open_records": "records",
    "power_law": "fits",
    "read": "stages",
    "read_packets": "captures",
    "sense": "pipeline",
    "total": "matrix",
    "traffic": "traffic",
    "unusual": "unusual",
    "usual": "unusual",
    "window": "stages",
    "write_pcap": "udp",
    "write_records": "records",
    "zipf_mandelbrot": "fits",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
