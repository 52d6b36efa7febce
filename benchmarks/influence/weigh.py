"""Run a program and say what it took: ``python weigh.py SECONDS COMMAND...``.

Prints one line of JSON: the exit status (None past the limit), what it has written, and its peak
memory in bytes. A process of its own, and a small one: a program that a large process starts is
charged for the memory of that process. This file must not import anything of ours.
"""

import json
import resource
import subprocess
import sys

if __name__ == "__main__":
    limit, command = float(sys.argv[1]), sys.argv[2:]
    status, text = None, b""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit
        )
        status, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        pass
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(json.dumps({"status": status, "text": text.decode(errors="replace"), "peak": peak}))
