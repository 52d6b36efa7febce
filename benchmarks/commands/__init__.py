"""The commands of ``python -m benchmarks``, family by family."""
