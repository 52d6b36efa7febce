"""Network sensing: anonymized traffic matrices from packet captures, and their statistics.

The stages can be chained: read packets, anonymize addresses, build hypersparse traffic matrices of
windows, sum the windows, and count. The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Anonymizer": "anonymize",
    "Chain": "chain",
    "Distributions": "quantities",
    "Event": "generate_traffic",
    "Fit": "fits",
    "Flag": "anomalies",
    "Key": "keys",
    "HeavyHitters": "heavy_hitters",
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
    "Baseline": "anomalies",
    "WindowTable": "folds",
    "Windows": "windows",
    "build_windows": "windows",
    "crypto_pan": "anonymize",
    "assign_ids": "packets",
    "iter_packets": "captures",
    "heavy_hitters": "heavy_hitters",
    "read_matrix": "matrix_files",
    "describe_anomalies": "anomalies",
    "make_key": "keys",
    "iter_records": "records",
    "permutation": "anonymize",
    "power_law": "fits",
    "chain": "stages",
    "read_key": "keys",
    "read_packets": "captures",
    "write_matrix": "matrix_files",
    "sense": "pipeline",
    "total": "matrix",
    "generate_traffic": "generate_traffic",
    "anomalies": "anomalies",
    "baseline": "anomalies",
    "window": "stages",
    "write_pcap": "udp",
    "write_records": "records",
    "zipf_mandelbrot": "fits",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
