"""The stages that are measured: their titles, in the order of the report."""

from __future__ import annotations

__all__ = ["PEERS", "STAGES"]

#: The modules of this package that have a function for each stage that their library has. Such a
#: function takes the packets (`Given`), prepares what is not timed, and gives the function that is.
PEERS = {"edgewise": "Edgewise", "graphblas": "python-graphblas", "pandas": "pandas"}

STAGES = {
    "generate": "make packets and write them as records",
    "records": "read records",
    "pcap": "read a capture",
    "permutation": "anonymize by permutation",
    "crypto_pan": "anonymize by Crypto-PAn",
    "build": "building the windows",
    "quantities": "quantities of the windows",
    "distributions": "distributions of the windows",
    "windows": "windows, their quantities and distributions",
    "sum": "sum of the windows",
    "total": "quantities and distributions of the sum",
    "analysis": "analysis: windows, sum, all statistics",
    "apart": "analysis, independent sources and destinations",
    "batches_1": "analysis, 1 batch",
    "batches_5": "analysis, 5 batches",
    "batches_10": "analysis, 10 batches",
    "whole": "end to end: from records to all answers",
}
