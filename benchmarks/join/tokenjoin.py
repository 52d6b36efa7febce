"""One join by pytokenjoin, in a Python that has it: ``python tokenjoin.py SETS.json THRESHOLD``.

Prints one line of JSON: seconds, the number of pairs, and the peak memory of the process. What it
prints itself goes nowhere. This file must not import anything of ours.
"""

import contextlib
import io
import json
import resource
import sys
import time

if __name__ == "__main__":
    sys.path.pop(0)  # this folder: its modules are not for this Python
    import pandas
    from pytokenjoin.jaccard.join_delta import TokenJoin

    with open(sys.argv[1]) as file:
        left, right = json.load(file)
    tables = [
        pandas.DataFrame({"id": range(len(sets)), "sets": sets})
        for sets in (left, right)
        if sets is not None
    ]
    options = {
        "delta": float(sys.argv[2]),
        "posFilter": True,
        "jointFilter": True,
        "verification_alg": 1,
    }
    begin = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        if right is None:
            found = TokenJoin().tokenjoin_self(tables[0], "id", "sets", **options)
        else:
            names = ["id", "id", "sets", "sets"]
            found = TokenJoin().tokenjoin_foreign(*tables, *names, **options)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "pairs": len(found), "peak": peak}))
