"""The compiled parts of the base for CPU threads."""
