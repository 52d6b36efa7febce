"""The compiled loops of the generators, for CPU threads."""
