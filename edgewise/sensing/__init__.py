"""Network sensing: from packet captures to traffic matrices and what they say, without names.

Stages that chain: read packets, anonymize addresses, build hypersparse traffic matrices of windows
of packets, sum windows, and count. The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Anonymizer": "anonymize",
    "Chain": "chain",
    "Distributions": "quantities",
    "Event": "traffic",
    "Fit": "fits",
    "Flag": "unusual",
    "Key": "keys",
    "Largest": "largest",
    "Level": "folds",
    "Levels": "folds",
    "Packets": "packets",
    "Quantities": "quantities",
    "Save": "folds",
    "Sensing": "pipeline",
    "Stream": "chain",
    "Table": "folds",
    "Tally": "packet_batches",
    "Total": "folds",
    "TrafficMatrix": "matrix",
    "Usual": "unusual",
    "WindowTable": "folds",
    "Windows": "windows",
    "build_windows": "windows",
    "crypto_pan": "anonymize",
    "identify": "packets",
    "iter_packets": "captures",
    "largest": "largest",
    "load": "matrix_files",
    "looks": "unusual",
    "make_key": "keys",
    "open_records": "records",
    "permutation": "anonymize",
    "power_law": "fits",
    "read": "stages",
    "read_key": "keys",
    "read_packets": "captures",
    "save": "matrix_files",
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
