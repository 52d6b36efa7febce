"""What every layer stands on: errors, checks, threads, atomics, random numbers, the kernel cache.

Nothing here imports Numba until a kernel is asked for; ``cpu/`` holds the compiled parts.
"""
