"""The compiled parts of the graph for CPU threads."""
