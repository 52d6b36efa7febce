"""The operators on CPU threads: one file per operator, kernels from cached factories."""
